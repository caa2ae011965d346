"""What is known of families (a column and its parents) by several scores, as tables for the compiled search.

A family is counted once for all scores. Of each family known the tables have its score, the change without each of its
parents, and the change with each possible further parent: all that a climb by single edges asks for. With knowledge
no family with a forbidden parent is counted, and the change without a required one is impossible.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
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
from climbfast.scores import LARGEST, ScoreOptions, score_without_parents, scores_of, terms_of_scores

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

        self._counts = _Counts(data, scores) if not data.incomplete.any() else _ScoresWithGaps(data, scores)
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
            self.add([child], [parents])
            found = find_family(self.arrays, child, held, len(held))
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
    required: frozenset[int]

    @classmethod
    def of(cls, y: int, neighbors: Ints, allowed: AllowedArcs | None) -> _Possible:
        """Return the possible neighbors of y, with what knowledge says of them."""
        from climbfast_kernels.hill_climbing import ALLOWED, FORBIDDEN, REQUIRED

        if allowed is None:
            return cls(neighbors, np.full(len(neighbors), ALLOWED), neighbors, frozenset())
        is_allowed = allowed.matrix(neighbors, [y])[:, 0]
        required = frozenset(x for x in allowed.required_at(y) if (x, y) in allowed.required)
        role = np.where(is_allowed, ALLOWED, FORBIDDEN)
        role[np.isin(neighbors, sorted(required))] = REQUIRED
        return cls(neighbors, role, neighbors[is_allowed], required)


class _Counts:
    """The figures of families from complete data: every table is counted once for all scores."""

    def __init__(self, data: Dataset, scores: Sequence[ScoreOptions]) -> None:
        self._data = data
        self.families, self.fewest_rows = 0, data.rows
        self._arity = data.arity.tolist()
        kinds = [(score.terms, getattr(score, "sample_prior", 1.0)) for score in scores]
        different = list(dict.fromkeys(kinds))
        self._terms_of = np.array([different.index(kind) for kind in kinds])  # the sums that each score takes
        self._terms = terms_of_scores(data, [scores[kinds.index(kind)] for kind in different])
        self.units = tuple(float(self._terms.units[t]) for t in self._terms_of)
        each = [score._penalty(data.columns - 1, units) for score, units in zip(scores, self.units, strict=True)]
        # (levels of the column, configurations of its parents, number of parents) -> the penalty by each score
        self._penalties = cache(
            lambda k, q, parents: column_array([min(penalty(k, q, parents, data.rows), LARGEST) for penalty in each])
        )
        self._workspace = WorkspaceCache(data).for_given
        self._alone: dict[int, Ints] = {}

    def figures(self, children: Sequence[int], parents: Sequence[Parents], possible: Sequence[_Possible]) -> list[Ints]:
        """Return the figures of each family, as ``Families`` has them."""
        asked = [_Counted.of(*each) for each in zip(children, parents, possible, strict=True)]
        sums = self._count([sweep for each in asked for sweep in each.sweeps()])
        found, at = [], 0
        for each, of_child in zip(asked, possible, strict=True):
            stop = at + len(each.added)
            end = stop + len(each.smaller)
            of_smaller = dict(zip(each.smaller, sums[:, stop:end].T, strict=True))
            found.append(self._figures_of(each, of_child, sums[:, at:stop], of_smaller))
            at = end
        return found

    def _figures_of(
        self, counted: _Counted, possible: _Possible, with_more: Ints, of_smaller: Mapping[Parents, Ints]
    ) -> Ints:
        from climbfast_kernels.hill_climbing import NEVER

        x, family, added, _ = counted
        figures = np.full((len(self.units), 1 + len(family) + len(possible.neighbors)), NEVER)
        figures[:, 0] = before = self._score_of(x, family, of_smaller)
        for j, p in enumerate(family):
            if p not in possible.required:
                figures[:, 1 + j] = self._score_of(x, _without(family, p), of_smaller) - before
        gains = with_more[self._terms_of] - before[:, np.newaxis]
        levels = self._data.arity[added]
        q = math.prod([self._arity[p] for p in family])
        for k in np.unique(levels).tolist():
            gains[:, levels == k] -= self._penalties(self._arity[x], q * k, len(family) + 1)[:, np.newaxis]
        figures[:, 1 + len(family) + np.searchsorted(possible.neighbors, added)] = gains
        return figures

    def _score_of(self, x: int, family: Parents, of_smaller: Mapping[Parents, Ints]) -> Ints:
        """Return the score of a family by each score, in units."""
        sums = of_smaller[family] if family else self._without_parents(x)
        q = math.prod([self._arity[p] for p in family])
        score: Ints = sums[self._terms_of] - self._penalties(self._arity[x], q, len(family))
        return score

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
        Its parents.
    added : int64 array
        The possible parents that are not among them.
    smaller : list of tuple of int
        The family, and those without one of its parents that is not required; not the empty one.
    """

    child: int
    family: Parents
    added: Ints
    smaller: list[Parents]

    @classmethod
    def of(cls, child: int, family: Parents, possible: _Possible) -> _Counted:
        """Return what is counted for a family."""
        added = np.setdiff1d(possible.parents, family, assume_unique=True) if family else possible.parents
        without_one = (_without(family, p) for p in family if p not in possible.required)
        smaller = [fewer for fewer in (family, *without_one) if fewer]
        return cls(child, family, added, smaller)

    def sweeps(self) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
        """Yield target, candidates and given columns; a whole family is its last parent given the others."""
        yield self.child, self.added.tolist(), self.family
        for fewer in self.smaller:
            yield self.child, fewer[-1:], fewer[:-1]


class _ScoresWithGaps:
    """The figures of families where cells are missing, see ``SameRowScores``."""

    def __init__(self, data: Dataset, scores: Sequence[ScoreOptions]) -> None:
        self._scores = [scores_of(data, score) for score in scores]
        self.units = tuple(float(score.units) for score in self._scores)

    @property
    def families(self) -> int:
        return sum(score.families for score in self._scores)

    @property
    def fewest_rows(self) -> int:
        return min(int(score.fewest_rows) for score in self._scores)

    def figures(self, children: Sequence[int], parents: Sequence[Parents], possible: Sequence[_Possible]) -> list[Ints]:
        """Return the figures of each family, as ``Families`` has them."""
        return [self._figures_of(*each) for each in zip(children, parents, possible, strict=True)]

    def _figures_of(self, x: int, family: Parents, possible: _Possible) -> Ints:
        from climbfast_kernels.hill_climbing import NEVER

        figures = np.full((len(self._scores), 1 + len(family) + len(possible.neighbors)), NEVER)
        added = np.setdiff1d(possible.parents, family, assume_unique=True)
        places = 1 + len(family) + np.searchsorted(possible.neighbors, added)
        for s, score in enumerate(self._scores):
            before = figures[s, 0] = score.units_of(x, family)
            for j, p in enumerate(family):
                if p not in possible.required:
                    figures[s, 1 + j] = score.units_of(x, _without(family, p)) - before
            score.gains(x, family, added)  # counts them in one call
            figures[s, places] = [score.units_of(x, tuple(sorted((*family, y)))) - before for y in added.tolist()]
        return figures


def _without(family: Parents, p: int) -> Parents:
    return tuple(z for z in family if z != p)
