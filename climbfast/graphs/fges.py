"""FGES: greedy search over equivalence classes of DAGs, by score.

Chickering (2002), "Optimal Structure Identification With Greedy Search", for the search: from the empty graph the best
valid Insert(x, y, T) while one improves the score, then the best Delete(x, y, H). Hauser and Bühlmann (2012),
"Characterization and Greedy Learning of Interventional Markov Equivalence Classes of Directed Acyclic Graphs", for
the third phase, which turns an edge. Ramsey, Glymour, Sanchez-Romero and Glymour (2017), "A million variables and more:
the Fast Greedy Equivalence Search algorithm", for the speed: all pairs are scored once without other parents (effect
edges); operators are kept in a heap, sorted by gain; after a step only those into columns around it are scored again,
and Meek's rules are applied only near it; with the faithfulness option, pairs without an effect edge wait for a second
pass.

It departs from them in these points.

- The phases alternate until none finds a step: then no valid insertion, deletion or turning improves the score.
- The second pass of the faithfulness option is always made, so that this holds with the option too.
- With the faithfulness option there are two searches, one that lets these pairs wait and one that does not, and the
  better result counts. Neither is better everywhere: on samples of Win95pts the first is often 50 to 350 bits above the
  second, on samples of Hepar2, Andes and Link some to 160 bits below. The two are one search until a pair without an
  effect edge is joined, and they share all scores.
- An edge is turned only where no insertion and no deletion improves the score, one at a time.
- Operators are scored by sweeps. The gain of Insert(x, y, T) depends on x, y and C = NA_YX ∪ T. So for every clique C
  among the neighbors of y, one call of a kernel scores all x that are adjacent to no other neighbor of y. Sets of
  neighbors that are no clique are never formed.
- An insertion that a semi-directed path blocks is kept with that path, and returns to the heap when the path is broken.
  So each step is the best of all valid operators.
- With a score that is not equivalent (fNML) an operator stands for several pairs of DAGs, and its gain is that of one
  of them. The phases can then run in a circle; the search ends at the first graph that it has visited before.

With knowledge the search begins at the class of the required edges and steps only to classes that hold a DAG which
obeys. A step between two DAGs that obey is an operator in which the family of y obeys: x → y is allowed, and of the
neighbors of y the clique holds those that can only be parents, and none that can only be children. Other operators are
not formed, so no family with a forbidden parent is scored. The class that an operator leads to is examined near it; if
none of its DAGs obeys, the operator is taken back, and tried again after the next step. With endless rows the search
then finds the true class for true tiers of all columns (Larsen, Ekstrøm and Petersen 2025, "Score-Based Causal
Discovery with Temporal Background Information"). It may keep edges too many where edges are forbidden one by one, or
columns are in no tier: a greedy search that reaches the truth without them may have to pass classes that do not obey.
"""

from __future__ import annotations

import copy
import heapq
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from climbfast.compiling import seconds_of_work
from climbfast.dataset import Dataset, ReadingOptions, Representative, as_dataset
from climbfast.errors import Option, OptionError
from climbfast.graphs.background import can_obey, with_knowledge
from climbfast.graphs.copies import with_copies
from climbfast.graphs.equivalence import extension
from climbfast.graphs.equivalence_class import Change, EquivalenceClass, Path, Reached
from climbfast.graphs.family_cache import FamilyCache
from climbfast.graphs.graph import Graph, Names, edges_by_name
from climbfast.graphs.pdag import PDAG, Arc
from climbfast.independence.tests import rounding
from climbfast.interrupts import interruptible
from climbfast.knowledge import AllowedArcs, KnowledgeOption, as_knowledge
from climbfast.options import flag, whole_number
from climbfast.scores import Gains, Score, ScoreOptions, as_score, comparable, scores_of

__all__ = ["FGESResult", "contradicted_by_name", "fges", "search", "search_without_turning"]


@dataclass(frozen=True)
class FGESResult:
    """The class that the search found, by column number.

    Attributes
    ----------
    cpdag : PDAG
        Its nodes are the columns.
    directed : PDAG
        The class with what knowledge directs, and all that follows; without knowledge the class itself.
    score : float
        Bits, the sum over the families of one DAG of the class, which obeys.
    insertions, deletions, turnings : int
        Steps taken from the graph without edges, or with the required ones, to the class.
    families : int
        Families scored.
    local_optimum : bool
        Whether no valid insertion within ``max_degree``, no deletion and no turning improves the score. Always true of
        an equivalent score.
    contradicted : mapping of tuple of int to float
        What the data ask for and knowledge forbids. (x, y, z) with x < z: a v-structure x → y ← z, and the bits that
        the score gains by the deletion that makes it. (x, y): a required edge, and minus the bits that the score gains
        without it.
    """

    cpdag: PDAG
    directed: PDAG
    score: float
    insertions: int
    deletions: int
    turnings: int
    families: int
    local_optimum: bool
    contradicted: Mapping[tuple[int, ...], float]


class _Operator(NamedTuple):
    """An insertion, a deletion or a turning as it is kept in a heap: the best first, of equals the first columns.

    ``clique`` is NA_YX ∪ T for an insertion, NA_YX without H for a deletion, C for a turning of y → x to x → y;
    ``version`` is that of the column y.
    """

    loss: float
    x: int
    y: int
    clique: tuple[int, ...]
    version: int


class _Found(NamedTuple):
    """Operators into one column that have one clique: the columns x, and what each operator gains."""

    clique: tuple[int, ...]
    x: Sequence[int] | NDArray[np.int64]
    gains: Sequence[float] | NDArray[np.float64]


class _Queue:
    """The operators into one column, the best first; an object is made of each only when it is its turn.

    A hub with a hundred children has ten thousand insertions into each of them, of which few are ever looked at.
    """

    def __init__(self, y: int, version: int, found: Sequence[_Found]) -> None:
        self._y, self._version = y, version
        blocks = sorted(found, key=lambda each: each.clique)
        self._cliques = [block.clique for block in blocks]
        places = np.repeat(np.arange(len(blocks)), [len(block.x) for block in blocks])
        x = np.concatenate([block.x for block in blocks]).astype(np.int64)
        losses = -np.concatenate([block.gains for block in blocks])
        order = np.lexsort((places, x, losses))
        self._places, self.x, self._losses = places[order], x[order], losses[order]
        self._next = 0

    def copy(self) -> _Queue:
        """Return an independent copy."""
        return copy.copy(self)

    def keep(self, sources: NDArray[np.bool_]) -> None:
        """Forget the operators whose x is not among the sources."""
        kept = self._next + np.flatnonzero(sources[self.x[self._next :]])
        self._places, self.x, self._losses, self._next = self._places[kept], self.x[kept], self._losses[kept], 0

    def pop(self) -> _Operator | None:
        """Remove and return the best."""
        i = self._next
        if i == len(self.x):
            return None
        self._next += 1
        clique = self._cliques[self._places[i]]
        return _Operator(float(self._losses[i]), int(self.x[i]), self._y, clique, self._version)


class _Operators:
    """The insertions, the deletions, or the turnings, that improve the score.

    Those into a column are stale when the graph has changed around it, and are scored again before the next step. The
    heap has the best of each column, ``_queues`` those after it.
    """

    def __init__(self, columns: int) -> None:
        self.stale = set(range(columns))
        self._version = [0] * columns
        self._heap: list[_Operator] = []
        self._queues: dict[int, _Queue] = {}
        self._blocked: set[_Operator] = set()
        self._blocked_by: dict[Arc, list[_Operator]] = {}
        self._refused: list[_Operator] = []

    def copy(self) -> _Operators:
        """Return an independent copy."""
        twin = _Operators(0)
        twin.stale, twin._version = set(self.stale), list(self._version)
        twin._heap, twin._queues = list(self._heap), {y: queue.copy() for y, queue in self._queues.items()}
        twin._refused, twin._blocked = list(self._refused), set(self._blocked)
        twin._blocked_by = {step: list(operators) for step, operators in self._blocked_by.items()}
        return twin

    def keep(self, sources: NDArray[np.bool_]) -> None:
        """Forget the operators whose x is not among the sources of y."""
        self._heap = [operator for operator in self._heap if sources[operator.y, operator.x]]
        heapq.heapify(self._heap)
        for y, queue in self._queues.items():
            queue.keep(sources[y])
            self._push_next(y)
        self._refused = [operator for operator in self._refused if sources[operator.y, operator.x]]
        self._blocked = {operator for operator in self._blocked if sources[operator.y, operator.x]}

    def refresh(self, operators_into: Callable[[int], Iterator[_Found]]) -> None:
        """Score the operators into stale columns."""
        for y in sorted(self.stale):
            self._version[y] += 1
            self._queues.pop(y, None)
            if found := list(operators_into(y)):
                self._queues[y] = _Queue(y, self._version[y], found)
                self._push_next(y)
        self.stale.clear()

    def pop(self) -> _Operator | None:
        """Remove and return the best."""
        while self._heap:
            operator = heapq.heappop(self._heap)
            if self._is_current(operator):
                self._push_next(operator.y)
                return operator
        return None

    def block(self, operator: _Operator, path: Path) -> None:
        """Keep an operator until the path that makes it invalid is broken."""
        self._blocked.add(operator)
        for step in pairwise(path):
            self._blocked_by.setdefault(step, []).append(operator)

    def unblock(self, broken: Iterable[Arc]) -> None:
        """Return the operators whose path had one of these steps to the heap."""
        for step in broken:
            for operator in self._blocked_by.pop(step, ()):
                if operator in self._blocked:
                    self._blocked.remove(operator)
                    if self._is_current(operator):
                        heapq.heappush(self._heap, operator)

    def refuse(self, operator: _Operator) -> None:
        """Keep an operator that leads to no DAG which obeys until the graph changes."""
        self._refused.append(operator)

    def try_again(self) -> None:
        """Return the operators that were refused to the heap."""
        for operator in self._refused:
            if self._is_current(operator):
                heapq.heappush(self._heap, operator)
        self._refused.clear()

    def _push_next(self, y: int) -> None:
        if y in self._queues and (operator := self._queues[y].pop()) is not None:
            heapq.heappush(self._heap, operator)

    def _is_current(self, operator: _Operator) -> bool:
        return operator.version == self._version[operator.y] and operator.y not in self.stale


class _Search:
    """The greedy search, from the graph of the required edges."""

    def __init__(
        self,
        scores: Gains,
        columns: int,
        tolerance: float,
        max_degree: int | None,
        goes_on: Callable[[], bool] = lambda: True,
        allowed: AllowedArcs | None = None,
    ) -> None:
        self.scores, self.goes_on = scores, goes_on
        self.columns = columns
        self.tolerance = tolerance
        self.max_degree = columns if max_degree is None else max_degree
        self.allowed = allowed
        self.graph = EquivalenceClass(columns, () if allowed is None else sorted(allowed.required))
        self.insertions, self.deletions, self.turnings = (_Operators(columns) for _ in range(3))
        self.inserted = self.deleted = self.turned = 0
        if allowed is None:
            self.all_sources = ~np.eye(columns, dtype=np.bool_)
        else:
            self.all_sources = np.ascontiguousarray(allowed.matrix(np.arange(columns), np.arange(columns)).T)
        self.sources = self.all_sources
        self.effect: NDArray[np.bool_] | None = None
        self.left_behind: _Search | None = None
        self._reached: dict[tuple[int, tuple[int, ...]], Reached] = {}

    def effect_edges(self) -> NDArray[np.bool_]:
        """Return which pairs improve the score when neither column has other parents."""
        effect = np.zeros((self.columns, self.columns), np.bool_)
        for y in range(self.columns):
            others = np.flatnonzero(self.all_sources[y])
            effect[others, y] = self.scores.gains(y, (), others) > self.tolerance
        return effect | effect.T

    def hold_back(self, effect: NDArray[np.bool_]) -> None:
        """Let pairs without an effect edge wait."""
        self.sources = self.all_sources & effect
        self.insertions.keep(self.sources)

    def release(self) -> None:
        """Let no pair wait any more."""
        self.sources = self.all_sources
        self.insertions.stale.update(range(self.columns))

    def leave_behind(self, effect: NDArray[np.bool_]) -> None:
        """Keep a copy of the search that lets pairs without an effect edge wait."""
        self.effect = None
        self.left_behind = twin = copy.copy(self)
        twin.graph, twin._reached = self.graph.copy(), {}
        twin.insertions, twin.deletions = self.insertions.copy(), self.deletions.copy()
        twin.turnings = self.turnings.copy()
        twin.hold_back(effect)

    def climb(self) -> bool:
        """Insert while that improves the score, then delete, in turns; return whether no step is left."""
        return self._until_no_step(self._exchange_edges)

    def climb_and_turn(self) -> bool:
        """Climb, and turn an edge where no step is left, in turns; return whether no step is left."""
        return self._until_no_step(self._exchange_or_turn)

    def _until_no_step(self, steps: Callable[[], bool]) -> bool:
        visited = set()
        while steps():
            state = self.graph.pdag.to_adjacency().tobytes()
            if state in visited:
                return False
            visited.add(state)
        return self.goes_on()

    def _exchange_edges(self) -> bool:
        """Insert, then delete, while that improves the score; return whether a step was taken."""
        steps = self.inserted + self.deleted
        while self.goes_on() and self._insert_best():
            self.inserted += 1
        while self.goes_on() and self._delete_best():
            self.deleted += 1
        return self.goes_on() and self.inserted + self.deleted > steps

    def _exchange_or_turn(self) -> bool:
        """Insert and delete, or turn one edge; return whether a step was taken."""
        if self._exchange_edges():
            return True
        self.effect = None  # at a class that no insertion improves, no pair has waited
        if self.goes_on() and self._turn_best():
            self.turned += 1
            return True
        return False

    def _insert_best(self) -> bool:
        """Take the best valid insertion, if one improves the score."""
        self.insertions.refresh(self._insertions_into)
        while (operator := self.insertions.pop()) is not None:
            if len(self.graph.pdag.adjacent[operator.x]) >= self.max_degree:
                continue  # lost until a deletion makes every insertion stale
            path = self._blocking_path(operator)
            if path:
                self.insertions.block(operator, path)
                continue
            if self.effect is not None and not self.effect[operator.x, operator.y]:
                self.leave_behind(self.effect)
            t = set(operator.clique) - self.graph.pdag.adjacent[operator.x]
            change = self.graph.insert(operator.x, operator.y, t)
            if self._obeys():
                self._update(change)
                return True
            self.graph.undo()
            self.insertions.refuse(operator)
        return False

    def _delete_best(self) -> bool:
        """Take the best valid deletion, if one improves the score."""
        self.deletions.refresh(self._deletions_into)
        while (operator := self.deletions.pop()) is not None:
            h = set(self.graph.common_neighbors(operator.x, operator.y)).difference(operator.clique)
            change = self.graph.delete(operator.x, operator.y, h)
            if self._obeys():
                self._update(change)
                if self.max_degree < self.columns:
                    self.insertions.stale.update(range(self.columns))
                return True
            self.graph.undo()
            self.deletions.refuse(operator)
        return False

    def _turn_best(self) -> bool:
        """Take the best valid turning, if one improves the score."""
        self.turnings.refresh(self._turnings_into)
        while (operator := self.turnings.pop()) is not None:
            _, x, y, clique, _ = operator
            if x in self.graph.pdag.children[y] and (path := self.graph.path_around(x, y, clique)):
                self.turnings.block(operator, path)
                continue
            change = self.graph.turn(x, y, clique)
            if self._obeys():
                self._update(change)
                return True
            self.graph.undo()
            self.turnings.refuse(operator)
        return False

    def _obeys(self) -> bool:
        """Whether a DAG of the class obeys, after an operator on one of which this is known."""
        return self.allowed is None or can_obey(self.graph.pdag, self.graph.changed_pairs(), self.allowed)

    def _blocking_path(self, operator: _Operator) -> Path:
        """Return a semi-directed path from y to x that avoids the clique; one search serves all x."""
        key = (operator.y, operator.clique)
        if key not in self._reached:
            self._reached[key] = self.graph.reach(*key)
        return self.graph.path_to(operator.x, self._reached[key])

    def _update(self, change: Change) -> None:
        self._reached.clear()
        pdag, columns = self.graph.pdag, change.columns
        # A turning of y → x changes the parents of x, too.
        with_sources = columns.union(*(pdag.parents[x] for x in columns), *(pdag.undirected[x] for x in columns))
        for operators in (self.insertions, self.deletions, self.turnings):
            operators.stale |= with_sources if operators is self.turnings else columns
            operators.unblock(change.broken)
            operators.try_again()

    def _insertions_into(self, y: int) -> Iterator[_Found]:
        """Yield for each NA_YX ∪ T every Insert(x, y, T) that improves the score; paths are not yet checked."""
        pdag, skeleton = self.graph.pdag, self.graph.skeleton
        if len(pdag.adjacent[y]) >= self.max_degree:
            return
        possible = self.sources[y] & ~skeleton[y]
        if not possible.any():
            return
        neighbors, parents = sorted(pdag.undirected[y]), pdag.parents[y]
        adjacent_neighbors = skeleton[neighbors].sum(axis=0)
        for clique in self._cliques(y, neighbors):
            # NA_YX has to be part of the clique: of the neighbors of y, x is adjacent to none outside of it.
            candidates = np.flatnonzero(possible & (adjacent_neighbors == skeleton[list(clique)].sum(axis=0)))
            if len(candidates):
                gains = self.scores.gains(y, tuple(parents.union(clique)), candidates)
                improving = gains > self.tolerance
                if improving.any():
                    yield _Found(clique, candidates[improving], gains[improving])

    def _deletions_into(self, y: int) -> Iterator[_Found]:
        """Yield, with NA_YX without H as the clique, every valid Delete(x, y, H) that improves the score."""
        pdag, allowed = self.graph.pdag, self.allowed
        for x in sorted(pdag.parents[y] | pdag.undirected[y]):
            if allowed is not None and (not allowed.allows(x, y) or (x, y) in allowed.required):
                continue
            for clique in self._cliques(y, self.graph.common_neighbors(x, y)):
                gain = self._gain_without(x, y, clique)
                if gain > self.tolerance:
                    yield _Found(clique, [x], [gain])

    def _turnings_into(self, y: int) -> Iterator[_Found]:
        """Yield, with C as the clique, every Turn(x, y, C) that improves the score; paths are not yet checked."""
        pdag = self.graph.pdag
        for clique in self._cliques(y, sorted(pdag.undirected[y])):
            ends = sorted((pdag.children[y] | pdag.undirected[y]).difference(clique))
            turned = [x for x in ends if self.graph.can_turn(x, y, clique) and self._may_turn(x, y, clique)]
            if turned:
                candidates = np.array(turned, np.int64)
                gains = self.scores.gains(y, tuple(pdag.parents[y].union(clique)), candidates)
                for x, gain in zip(turned, gains.tolist(), strict=True):
                    total = gain + self._gain_without(y, x, tuple(self.graph.parents_beside(x, y, clique)))
                    if total > self.tolerance:
                        yield _Found(clique, [x], [total])

    def _may_turn(self, x: int, y: int, clique: tuple[int, ...]) -> bool:
        """Whether knowledge allows the families that a turning of y → x changes, before and after it."""
        allowed = self.allowed
        if allowed is None:
            return True
        of_x = self.graph.parents_beside(x, y, clique)
        known = (y, x) in allowed.required or not allowed.allows(x, y)
        return not known and allowed.allows(y, x) and all(allowed.allows(z, x) for z in of_x)

    def _gain_without(self, x: int, y: int, clique: tuple[int, ...]) -> float:
        """Return what the score gains when x is no parent of y beside the clique and the other parents."""
        left = (self.graph.pdag.parents[y] - {x}).union(clique)
        return self.scores.score(y, tuple(left)) - self.scores.score(y, (*left, x))

    def _cliques(self, y: int, neighbors: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the cliques among neighbors of y that can be parents of y while its other neighbors are children."""
        if self.allowed is None:
            yield from self.graph.pdag.cliques(neighbors)
            return
        adjacent = self.graph.pdag.adjacent
        parents = {z for z in neighbors if self.allowed.directs(z, y)}
        if all(len(parents - adjacent[z]) == 1 for z in parents):  # that one is z itself
            others = [z for z in neighbors if z not in parents and self.allowed.allows(z, y) and parents <= adjacent[z]]
            for clique in self.graph.pdag.cliques(others):
                yield tuple(sorted(parents.union(clique)))

    # ---- the result

    def result(self, *, local_optimum: bool) -> FGESResult:
        """Return the class, its score, and what was done."""
        pdag = self.graph.pdag
        directed = pdag if self.allowed is None else with_knowledge(pdag, self.allowed)
        assert directed is not None  # every step was to a class that holds a DAG which obeys
        member = self.graph.extension() if self.allowed is None else _parents_in_extension(directed)
        return FGESResult(
            cpdag=pdag,
            directed=directed,
            score=math.fsum(self.scores.score(x, parents) for x, parents in enumerate(member)),
            insertions=self.inserted,
            deletions=self.deleted,
            turnings=self.turned,
            families=getattr(self.scores, "families", 0),
            local_optimum=local_optimum,
            contradicted=self.contradicted(),
        )

    def contradicted(self) -> dict[tuple[int, ...], float]:
        """Return the v-structures and required edges that knowledge alone keeps from a better score, see FGESResult."""
        if self.allowed is None:
            return {}
        found: dict[tuple[int, ...], float] = {}
        for x, y, clique in self._refused_deletions(self.allowed):
            gain = self._gain_without(x, y, clique)
            if gain <= self.tolerance:
                continue
            if (x, y) in self.allowed.required:
                found[x, y] = min(-gain, found.get((x, y), 0.0))
            for h in set(self.graph.common_neighbors(x, y)).difference(clique):
                structure = (min(x, y), h, max(x, y))
                if not (self.allowed.allows(x, h) and self.allowed.allows(y, h)):
                    found[structure] = max(gain, found.get(structure, 0.0))
        return found

    def _refused_deletions(self, allowed: AllowedArcs) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Yield x, y and NA_YX without H of every valid deletion that knowledge forbids and whose families it allows.

        Those are the deletions of a required edge, and those that make a v-structure with a forbidden edge.
        """
        pdag = self.graph.pdag
        for y in range(self.columns):
            for x in sorted(pdag.parents[y] | pdag.undirected[y]):
                common = self.graph.common_neighbors(x, y)
                ends = {z for z in common if not (allowed.allows(x, z) and allowed.allows(y, z))}
                if not allowed.allows(x, y) or not (ends or (x, y) in allowed.required):
                    continue
                for clique in pdag.cliques([z for z in common if allowed.allows(z, y)]):
                    if (x, y) in allowed.required or not ends.issubset(clique):
                        yield x, y, clique


def search(
    score: Score,
    columns: int,
    *,
    faithfulness: bool = True,
    max_degree: int | None = None,
    tolerance: float = 1e-6,
    allowed: AllowedArcs | None = None,
) -> FGESResult:
    """Find an equivalence class that no insertion, deletion or turning improves.

    Parameters
    ----------
    score : Score
        If it has ``gains``, as ``LocalScores`` does, that scores many candidates at once.
    columns : int
    faithfulness, max_degree
        See ``fges``.
    tolerance : float
        Bits that count as no improvement.
    allowed : AllowedArcs, optional
        Which directed edges knowledge allows and requires.
    """
    run = _Search(_with_gains(score), columns, tolerance, max_degree, allowed=allowed)
    run.effect = run.effect_edges() if faithfulness else None
    found = run.result(local_optimum=run.climb_and_turn())
    if run.left_behind is None:
        return found
    run.left_behind.climb()
    run.left_behind.release()
    other = run.left_behind.result(local_optimum=run.left_behind.climb_and_turn())
    return replace(found, families=other.families) if found.score > other.score + tolerance else other


def search_without_turning(
    score: Score,
    columns: int,
    *,
    tolerance: float = 1e-6,
    goes_on: Callable[[], bool] = lambda: True,
    allowed: AllowedArcs | None = None,
) -> FGESResult:
    """Find an equivalence class that no insertion or deletion improves; pairs without an effect edge wait.

    Parameters
    ----------
    score, columns, tolerance, allowed
        See ``search``.
    goes_on : function, optional
        Asked before every step; the search ends when it returns False.
    """
    run = _Search(_with_gains(score), columns, tolerance, None, goes_on, allowed)
    run.hold_back(run.effect_edges())
    run.climb()
    run.release()
    return run.result(local_optimum=run.climb())


def _with_gains(score: Score) -> Any:
    return score if hasattr(score, "gains") else FamilyCache(score)


def _parents_in_extension(pdag: PDAG) -> list[tuple[int, ...]]:
    """Return the parents of every column in one DAG of a class with knowledge."""
    dag = extension(pdag)
    assert dag is not None
    return [tuple(sorted(parents)) for parents in dag.parents]


@interruptible
def fges(
    data: Dataset | Any,
    score: str | ScoreOptions | Score = "bdeu",
    *,
    faithfulness: bool = True,
    max_degree: int | None = None,
    knowledge: KnowledgeOption = None,
    representative: Representative = None,
    counting: str = "auto",
    **reading: Unpack[ReadingOptions],
) -> Graph:
    """Find the equivalence class of DAGs with the best score, by greedy search.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    score : {"bdeu", "bic", "aic", "fnml", "qnml"} or BDeu or BIC or AIC or FNML or QNML, or an object with ``score``
        A custom score gets columns by number, in the order of ``data.canonical``.
    faithfulness : bool
        Search twice, with shared scores, and take the better result: once all pairs can be joined from the start, once
        those that are marginally dependent come first, and the others in a second pass. False is the first search
        alone. Either result is a local optimum.
    max_degree : int or None
        Largest number of edges at a column. Required edges count too, and stay where there are more.
    knowledge : Knowledge, path of a file, or None
        What is known beforehand: tiers, required and forbidden edges. The result obeys it.
    representative : None, "first", name, or collection of names
        Which of several copies has the edges to other columns, see ``markov_blanket``.
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The strategy of counting; the result is the same. Not for a custom score.
    **reading
        Options of ``Dataset.from_frame`` for a frame, see ``markov_blanket``.

    Returns
    -------
    Graph
        A CPDAG, whose directed edges are compelled; with knowledge also those that are known, and all that follow from
        them. Its ``figures`` have the score in bits, and the insertions, deletions and turnings that led to it. Of
        several copies one is searched, unless the score is custom; the
        others have an undirected edge to it, whose direction no data can tell. ``contradicted`` has the v-structures
        that the data ask for and knowledge forbids, with the bits that the score would gain, and the required edges
        without which the score would be better, with minus those bits.

    Raises
    ------
    OptionError
        For an option outside its legal values.
    DataError
        For a frame that cannot be read as discrete data.
    KnowledgeError, UnknownColumnError
        For knowledge that contradicts itself or names other columns.

    Notes
    -----
    Edges are inserted while that improves the score, then deleted; where neither improves it, the best edge is turned,
    and so on, until no insertion, deletion or turning of an edge, in any DAG of the class, improves the score.

    With true knowledge and endless rows the skeleton is the true one for tiers of all columns, closed or not, and
    required edges, roots and leaves beside them. Single forbidden edges, and columns in no tier beside others that are,
    may leave edges too many: the result is a local optimum among the graphs that obey.

    References
    ----------
    Chickering (2002), "Optimal Structure Identification With Greedy Search", JMLR 3; Hauser and Bühlmann (2012),
    "Characterization and Greedy Learning of Interventional Markov Equivalence Classes of Directed Acyclic Graphs", JMLR
    13, for turning; Ramsey, Glymour, Sanchez-Romero
    and Glymour (2017), "A million variables and more: the Fast Greedy Equivalence Search algorithm", IJDSA 3.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> graph = cf.fges(data)
    >>> graph
    <Graph: 15 nodes, 12 directed and 6 undirected edges, CPDAG>
    >>> round(graph.figures["score"], 1)
    -33347.3
    """
    begun = seconds_of_work()
    data = as_dataset(data, **reading).represented_by(representative)
    limit = None if max_degree is None else whole_number("max_degree", max_degree, otherwise=", or None")
    custom = hasattr(score, "score")
    if custom and counting != "auto":
        raise OptionError(Option("counting"), " is for the scores of climbfast; a custom score counts in its own way")
    chosen = None if custom else as_score(score)
    searched = data if chosen is None else data.without_copies
    known = as_knowledge(knowledge, data.names)
    allowed = None if known is None else known.allowed_arcs(searched.canonical)
    scores: Any = comparable(score) if chosen is None else scores_of(searched, chosen, counting=counting)
    found = search(
        scores,
        searched.columns,
        faithfulness=flag("faithfulness", faithfulness),
        max_degree=limit,
        tolerance=rounding(data.rows),
        allowed=allowed,
    )
    edges = {"names": data.sorted_names, **edges_by_name(searched.canonical, found.directed)}
    edges["reasons"] = dict.fromkeys(edges["directed"], "compelled")
    if allowed is not None:
        names = searched.canonical
        edges["reasons"] |= {(names[x], names[y]): "known" for x, y in found.directed.arcs() if allowed.directs(x, y)}
        edges["contradicted"] = contradicted_by_name(found.contradicted, names, data.sorted_names)
    return Graph(
        **(edges if searched is data else with_copies(edges, data, known=known)),
        method="fges",
        test_or_score=chosen.name if chosen else type(score).__name__,
        options={
            "faithfulness": faithfulness,
            "max_degree": limit,
            **({"knowledge": known.to_dict()} if known else {}),
            **(asdict(chosen) if chosen else {}),
            **data.treatment.options(data.names),
        },
        figures={
            "score": found.score,
            "insertions": found.insertions,
            "deletions": found.deletions,
            "turnings": found.turnings,
            "families": found.families,
            "local_optimum": found.local_optimum,
        },
        rows=data.rows,
        fewest_rows=getattr(scores, "fewest_rows", data.rows),
        columns=data.columns,
        seconds=seconds_of_work() - begun,
        data=data,
    )


def contradicted_by_name(
    contradicted: Mapping[tuple[int, ...], float], names: Sequence[Hashable], sorted_names: Names
) -> dict[Names, float]:
    """Return what is contradicted by name, the ends of a v-structure in the order of names, the strongest first."""
    place = {name: number for number, name in enumerate(sorted_names)}
    found: dict[Names, float] = {}
    for columns, strength in contradicted.items():
        of_columns = tuple(names[x] for x in columns)
        if len(of_columns) == 3 and place[of_columns[0]] > place[of_columns[2]]:
            of_columns = of_columns[::-1]
        found[of_columns] = strength
    return dict(sorted(found.items(), key=lambda item: (-abs(item[1]), [place[name] for name in item[0]])))
