"""What is known of families (a column and its parents) by several scores, as tables for the compiled search.

A family is counted once for all scores. Of each family known the tables have its score, the change without each of its
parents, and the change with each possible further parent: all that a climb by single edges asks for. With knowledge
no family with a forbidden parent is counted, and the change without a required one is impossible.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.activity import count_work
from climbfast.counting import WorkspaceCache
from climbfast.dataset import Dataset
from climbfast.graphs.pdag import PDAG
from climbfast.independence.tester import column_array, list_bounds
from climbfast.interrupts import raise_if_interrupted
from climbfast.knowledge import AllowedArcs
from climbfast.scores import (
    LARGEST,
    MOST_ORDERED_PARENTS,
    SameRowFamilies,
    ScoreOptions,
    different_terms,
    score_without_parents,
)

__all__ = ["FamilyTables"]

Parents = tuple[int, ...]
Ints = NDArray[np.int64]


class FamilyTables:
    """Families by several scores.

    Parameters
    ----------
    data : Dataset
    scores : sequence of BIC or AIC or BDeu or FNML or QNML
    candidates : sequence of int64 arrays
        The possible neighbors of each column, ascending. If x is one of y, so is y of x, and each column that is
        required as a parent is among them.
    allowed : AllowedArcs, optional
        Which parents are allowed and required.

    Attributes
    ----------
    arrays : Families
        What the kernels read.
    units : tuple of float
        Units per bit of each score.
    """

    def __init__(
        self,
        data: Dataset,
        scores: Sequence[ScoreOptions],
        candidates: Sequence[Ints],
        allowed: AllowedArcs | None = None,
    ) -> None:
        from climbfast_kernels.hill_climbing import MOST_PARENTS, Families

        self._counts = _Counts(data, scores) if not data.incomplete.any() else _CountsWithGaps(data, scores)
        self.units = self._counts.units
        self._known = self._used = 0
        room, figures = 1024, 1 << 16
        self._possible = [_Possible.of(y, others, allowed) for y, others in enumerate(candidates)]
        self.arrays = Families(
            list_bounds([others.tolist() for others in candidates]),
            np.concatenate([*candidates, np.zeros(0, np.int64)]),
            np.concatenate([*(each.role for each in self._possible), np.zeros(0, np.int64)]),
            np.zeros(room, np.int64),
            np.zeros(room, np.int64),
            np.zeros((room, MOST_PARENTS), np.int64),
            np.zeros(room, np.int64),
            np.zeros((len(scores), figures), np.int64),
            np.zeros((len(scores), room), np.int64),
            np.full(4 * room, -1, np.int64),
        )

    @property
    def families(self) -> int:
        """Number of families counted so far."""
        return self._counts.families

    @property
    def fewest_rows(self) -> int:
        """Smallest number of rows of a family counted so far."""
        return self._counts.fewest_rows

    def candidates_of(self, x: int) -> Ints:
        """Return the possible neighbors of a column."""
        return self._possible[x].neighbors

    def required_of(self, x: int) -> frozenset[int]:
        """Return the parents that a column has to have."""
        return self._possible[x].required

    def score(self, number: int, child: int, parents: Parents) -> int:
        """Return the score of one family by the score of that number, in units."""
        from climbfast_kernels.hill_climbing import find_family

        held = np.array(parents, np.int64)
        if (found := find_family(self.arrays, child, held, len(held))) < 0:
            return int(self._counts.units_of(child, parents)[number])
        return int(self.arrays.figures[number, self.arrays.first_figure[found]])

    def total(self, number: int, dag: PDAG) -> float:
        """Return the score of a DAG in bits."""
        units = sum(self.score(number, x, tuple(sorted(parents))) for x, parents in enumerate(dag.parents))
        return units / self.units[number]

    def strengths(self, number: int, dag: PDAG) -> dict[tuple[int, int], float]:
        """Return the bits that the score loses without each arc of a DAG."""
        found = {}
        for x, y in dag.arcs():
            parents = tuple(sorted(dag.parents[y]))
            lost = self.score(number, y, parents) - self.score(number, y, _without(parents, x))
            found[x, y] = lost / self.units[number]
        return found

    def add(self, children: Sequence[int], parents: Sequence[Parents]) -> None:
        """Count new families, different ones, and keep what they score."""
        from climbfast_kernels.hill_climbing import MOST_PARENTS, add_families

        figures = self._counts.figures(children, parents, [self._possible[x] for x in children])
        sizes = column_array([len(family) for family in parents])
        lengths = column_array([block.shape[1] for block in figures])
        first = self._used + np.concatenate(([0], np.cumsum(lengths)[:-1]))
        self._make_room(len(children), int(lengths.sum()))
        self.arrays.figures[:, self._used : self._used + int(lengths.sum())] = np.concatenate(figures, axis=1)
        held = np.zeros((len(children), MOST_PARENTS), np.int64)
        for i, family in enumerate(parents):
            held[i, : len(family)] = family
        add_families(self.arrays, self._known, column_array(children), held, sizes, first)
        self._known += len(children)
        self._used += int(lengths.sum())

    def _make_room(self, families: int, figures: int) -> None:
        from climbfast_kernels.hill_climbing import refill_slots

        arrays = self.arrays
        if self._used + figures > arrays.figures.shape[1]:
            arrays = arrays._replace(figures=_longer(arrays.figures, 2 * (self._used + figures)))
        if self._known + families > len(arrays.child):
            room = 2 * (self._known + families)
            arrays = arrays._replace(
                child=_longer(arrays.child, room),
                size=_longer(arrays.size, room),
                parents=_longer(arrays.parents.T, room).T.copy(),
                first_figure=_longer(arrays.first_figure, room),
                largest=_longer(arrays.largest, room),
                slots=np.full(1 << (4 * room).bit_length(), -1, np.int64),
            )
            refill_slots(arrays, self._known)
        self.arrays = arrays


def _longer(array: Ints, length: int) -> Ints:
    """Return a copy with more elements along the last axis, the new ones 0."""
    longer = np.zeros((*array.shape[:-1], length), np.int64)
    longer[..., : array.shape[-1]] = array
    return longer


class _Possible(NamedTuple):
    """The possible neighbors of a column, and what they are as its parents: which may be, which have to be."""

    neighbors: Ints
    role: Ints
    parents: Ints
    places: Ints  # of the parents among the neighbors
    required: frozenset[int]

    @classmethod
    def of(cls, y: int, neighbors: Ints, allowed: AllowedArcs | None) -> _Possible:
        """Return the possible neighbors of y, with what knowledge says of them."""
        from climbfast_kernels.hill_climbing import ALLOWED, FORBIDDEN, REQUIRED

        if allowed is None:
            return cls(neighbors, np.full(len(neighbors), ALLOWED), neighbors, np.arange(len(neighbors)), frozenset())
        is_allowed = allowed.matrix(neighbors, [y])[:, 0]
        required = frozenset(x for x in allowed.required_at(y) if (x, y) in allowed.required)
        role = np.where(is_allowed, ALLOWED, FORBIDDEN)
        role[np.isin(neighbors, sorted(required))] = REQUIRED
        return cls(neighbors, role, neighbors[is_allowed], np.flatnonzero(is_allowed), required)


class _Counts:
    """The figures of families from complete data: every table is counted once for all scores."""

    def __init__(self, data: Dataset, scores: Sequence[ScoreOptions]) -> None:
        self._data = data
        self.families, self.fewest_rows = 0, data.rows
        self._arity = data.arity.tolist()
        self._terms, self._terms_of = different_terms(data, scores)
        self.units = tuple(float(self._terms.units[t]) for t in self._terms_of)
        each = [score._penalty(data.columns - 1, units) for score, units in zip(scores, self.units, strict=True)]
        # (levels of the column, configurations of its parents, number of parents) -> the penalty by each score
        self._penalties = cache(
            lambda k, q, parents: column_array([min(penalty(k, q, parents, data.rows), LARGEST) for penalty in each])
        )
        self._workspace = WorkspaceCache(data).for_given
        self._alone: dict[int, Ints] = {}
        self._levels: dict[int, tuple[list[int], Ints]] = {}

    def figures(self, children: Sequence[int], parents: Sequence[Parents], possible: Sequence[_Possible]) -> list[Ints]:
        """Return the figures of each family, as ``Families`` has them."""
        asked = [_Counted.of(*each) for each in zip(children, parents, possible, strict=True)]
        sums = self._count([sweep for each in asked for sweep in each.sweeps()])
        found, at = [], 0
        for each, of_child in zip(asked, possible, strict=True):
            stop = at + len(each.added)
            end = stop + len(each.smaller)
            found.append(self._figures_of(each, of_child, sums[:, at:stop], sums[:, stop:end]))
            at = end
        return found

    def units_of(self, x: int, family: Parents) -> Ints:
        """Return the score of one family by each score, in units."""
        sums = self._count([(x, family[-1:], family[:-1])]) if family else np.zeros((0, 0), np.int64)
        return self._scores_of(x, [family] if family else [], sums)[family]

    def _figures_of(self, counted: _Counted, possible: _Possible, with_more: Ints, of_smaller: Ints) -> Ints:
        from climbfast_kernels.hill_climbing import NEVER

        x, family, _, is_added, smaller = counted
        k, n = self._arity[x], len(family)
        q = math.prod([self._arity[p] for p in family])
        score = self._scores_of(x, smaller, of_smaller)
        figures = np.full((len(self.units), 1 + n + len(possible.neighbors)), NEVER)
        figures[:, 0] = before = score[family]
        for j, p in enumerate(family):
            if p not in possible.required:
                figures[:, 1 + j] = score[_without(family, p)] - before
        arities, place = self._levels_of(x, possible)
        if len(place):
            penalties = np.stack([self._penalties(k, q * more, n + 1) for more in arities], axis=1)
            gains = with_more[self._terms_of] - penalties[:, place[is_added]] - before[:, np.newaxis]
            figures[:, 1 + n + possible.places[is_added]] = gains
        return figures

    def _levels_of(self, x: int, possible: _Possible) -> tuple[list[int], Ints]:
        """Return the different numbers of levels of the possible parents, and which of them each has."""
        if x not in self._levels:
            arities, place = np.unique(self._data.arity[possible.parents], return_inverse=True)
            self._levels[x] = arities.tolist(), place
        return self._levels[x]

    def _scores_of(self, x: int, families: Sequence[Parents], sums: Ints) -> dict[Parents, Ints]:
        """Return the scores of families, and of the column without parents, by each score, in units."""
        k = self._arity[x]
        scores: dict[Parents, Ints] = {(): self._without_parents(x)[self._terms_of] - self._penalties(k, 1, 0)}
        for family, of_family in zip(families, sums.T, strict=True):
            q = math.prod([self._arity[p] for p in family])
            scores[family] = of_family[self._terms_of] - self._penalties(k, q, len(family))
        return scores

    def _without_parents(self, x: int) -> Ints:
        if x not in self._alone:
            self._alone[x] = column_array(
                [score_without_parents(self._data, self._terms, t, x)[0] for t in range(len(self._terms.kind))]
            )
        return self._alone[x]

    def _count(self, sweeps: Sequence[tuple[int, Sequence[int], Sequence[int]]]) -> Ints:
        """Return score(target | given ∪ {candidate}) by every kind of terms, for all candidates of all sweeps."""
        from climbfast_kernels.patterns import Sweeps
        from climbfast_kernels.scores import score_families

        targets, candidates, given = zip(*sweeps, strict=True)
        many = Sweeps(
            column_array(targets),
            list_bounds(candidates),
            column_array(list(chain(*candidates))),
            list_bounds(given),
            column_array(list(chain(*given))),
        )
        self.families += len(many.candidates)
        count_work("families", len(many.candidates))
        sums, _ = score_families(
            self._data.codes, self._data.bits, self._data.log_tables, self._workspace(max(map(len, given))),
            self._terms, 0, many,
        )  # fmt: skip
        raise_if_interrupted()
        return np.asarray(sums)


class _Counted(NamedTuple):
    """What is counted for the figures of a family.

    Attributes
    ----------
    child : int
    family : tuple of int
        Its parents, each a possible one.
    added : int64 array
        The possible parents that are not among them.
    is_added : bool array
        Which of the possible parents these are.
    smaller : list of tuple of int
        The family, and those without one of its parents that is not required; not the empty one.
    """

    child: int
    family: Parents
    added: Ints
    is_added: NDArray[np.bool_]
    smaller: list[Parents]

    @classmethod
    def of(cls, child: int, family: Parents, possible: _Possible) -> _Counted:
        """Return what is counted for a family."""
        is_added = np.ones(len(possible.parents), np.bool_)
        is_added[np.searchsorted(possible.parents, family)] = False
        without_one = (_without(family, p) for p in family if p not in possible.required)
        smaller = [fewer for fewer in (family, *without_one) if fewer]
        return cls(child, family, possible.parents[is_added], is_added, smaller)

    def sweeps(self) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
        """Yield target, candidates and given columns; a whole family is its last parent given the others."""
        yield self.child, self.added.tolist(), self.family
        for fewer in self.smaller:
            yield self.child, fewer[-1:], fewer[:-1]


class _CountsWithGaps:
    """The figures of families where cells are missing, see ``SameRowScores``; counted once for all scores.

    The gain of a further parent is computed only where it may be above 0. Where it cannot be, a bound of it that is not
    above 0 stands for it: a climb takes no addition without a gain, and no reversal with one, as the deletion alone is
    as good.
    """

    def __init__(self, data: Dataset, scores: Sequence[ScoreOptions]) -> None:
        self._same_rows = SameRowFamilies(data, scores)
        self.units = self._same_rows.units

    @property
    def families(self) -> int:
        return self._same_rows.families

    @property
    def fewest_rows(self) -> int:
        return self._same_rows.fewest_rows

    def units_of(self, x: int, family: Parents) -> Ints:
        """Return the score of one family by each score, in units."""
        return self._same_rows.units_of(x, family)

    def figures(self, children: Sequence[int], parents: Sequence[Parents], possible: Sequence[_Possible]) -> list[Ints]:
        """Return the figures of each family, as ``Families`` has them."""
        asked = [_Counted.of(*each) for each in zip(children, parents, possible, strict=True)]
        self._same_rows.add((each.child, fewer) for each in asked for fewer in (each.family, *each.smaller))
        bounds = self._bounds(asked)
        self._same_rows.add(
            (each.child, _with(each.family, int(each.added[i])))
            for each, bound in zip(asked, bounds, strict=True)
            for i in _positive(bound)
        )
        return [self._figures_of(*each) for each in zip(asked, possible, bounds, strict=True)]

    def _bounds(self, asked: Sequence[_Counted]) -> list[Ints]:
        """Return for each family upper bounds of the gains of further parents."""
        bounds = self._same_rows.gains([(each.child, each.family, each.added.tolist()) for each in asked])
        large = [i for i, each in enumerate(asked) if len(each.family) >= MOST_ORDERED_PARENTS]
        orders = [[self._one_order(asked[i], y) for y in asked[i].added.tolist()] for i in large]
        self._same_rows.add((asked[i].child, start) for i, each in zip(large, orders, strict=True) for start, _ in each)
        self._same_rows.add_gains(chain(*(steps for each in orders for _, steps in each)))
        for i, each in zip(large, orders, strict=True):
            child, family, *_ = asked[i]
            after = np.array([self._score_in_order(child, start, steps) for start, steps in each], np.int64)
            bounds[i] = after.reshape(len(each), -1).T - self._same_rows.units_of(child, family)[:, np.newaxis]
        return bounds

    def _one_order(self, counted: _Counted, y: int) -> tuple[Parents, list[tuple[int, Parents, int]]]:
        """Return a possible order of a family's parents and y: where it starts, and the gains from there, last first.

        Where all orders are possible, y comes last, see ``SameRowScores``.
        """
        family, steps = _with(counted.family, y), []
        while len(family) > MOST_ORDERED_PARENTS and (p := self._same_rows.least_observed(family)) != y:
            family = _without(family, p)
            steps.append((counted.child, family, p))
        start = _without(family, y)
        return start, [*steps, (counted.child, start, y)]

    def _score_in_order(self, x: int, start: Parents, steps: Sequence[tuple[int, Parents, int]]) -> Ints:
        score = self._same_rows.units_of(x, start)
        for step in reversed(steps):
            gain = self._same_rows.gain(*step)
            assert gain is not None  # it was added
            score = np.maximum(score + gain, -LARGEST)
        return score

    def _figures_of(self, counted: _Counted, possible: _Possible, bound: Ints) -> Ints:
        from climbfast_kernels.hill_climbing import NEVER

        x, family, added, is_added, _ = counted
        score = self._same_rows.units_of
        figures = np.full((len(self.units), 1 + len(family) + len(possible.neighbors)), NEVER)
        figures[:, 0] = before = score(x, family)
        for j, p in enumerate(family):
            if p not in possible.required:
                figures[:, 1 + j] = score(x, _without(family, p)) - before
        gains = bound.copy()
        for i in _positive(bound):
            gains[:, i] = score(x, _with(family, int(added[i]))) - before
        figures[:, 1 + len(family) + possible.places[is_added]] = gains
        return figures


def _without(family: Parents, p: int) -> Parents:
    at = family.index(p)
    return family[:at] + family[at + 1 :]


def _with(family: Parents, y: int) -> Parents:
    return tuple(sorted((*family, y)))


def _positive(bounds: Ints) -> list[int]:
    """Return the places where some bound is above 0."""
    places: list[int] = np.flatnonzero((bounds > 0).any(axis=0)).tolist()
    return places
