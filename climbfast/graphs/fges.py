"""FGES: greedy search over equivalence classes of DAGs, by score.

Chickering (2002), "Optimal Structure Identification With Greedy Search", for the search: from the empty graph the best
valid Insert(x, y, T) while one improves the score, then the best Delete(x, y, H). Ramsey, Glymour, Sanchez-Romero and
Glymour (2017), "A million variables and more: the Fast Greedy Equivalence Search algorithm", for the speed: the pairs
with nothing given are scored once (effect edges); operators wait in a heap, sorted by gain; after a step only those
into columns around it are scored again; Meek's rules are applied near it alone; and by the faithfulness option pairs
without an effect edge wait for a second pass.

It departs from both in these points.

- The two phases alternate until neither finds anything: then no valid insertion or deletion improves the score.
- The second pass of the faithfulness option always follows, so that this holds with it, too.
- Operators are scored by sweeps. What Insert(x, y, T) gains depends on x, y and C = NA_YX ∪ T, so for every clique C
  among the neighbors of y one call of a kernel scores all x that have no other neighbor of y beside them. Subsets of
  neighbors that are no cliques never come up.
- An insertion that a semi-directed path forbids is set aside with that path, and comes back once the path is broken:
  each step takes the best of all valid operators.
- With a score that is not equivalent (fNML) the gain of an operator is the difference of two of the DAGs it stands
  for, phases can go round in circles, and the search ends at the first graph that it has met before.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import Option, OptionError
from climbfast.graphs.equivalence_class import Change, EquivalenceClass, Path, path_to
from climbfast.graphs.family_cache import FamilyCache
from climbfast.graphs.graph import Graph, edges_by_name
from climbfast.graphs.pdag import PDAG
from climbfast.independence.tests import rounding
from climbfast.interrupts import interruptible
from climbfast.options import flag, whole_number
from climbfast.scores import Gains, LocalScores, Score, ScoreOptions, as_score

__all__ = ["FGESResult", "fges", "search"]


@dataclass(frozen=True)
class FGESResult:
    """What the search finds, by column number.

    Attributes
    ----------
    cpdag : PDAG
        The class; its nodes are the columns.
    score : float
        Bits, the sum over the families of one DAG of the class.
    insertions, deletions : int
        Steps taken.
    families : int
        Families scored.
    local_optimum : bool
        Whether no valid insertion within ``max_degree`` and no deletion improves the score. Always true of an
        equivalent score.
    """

    cpdag: PDAG
    score: float
    insertions: int
    deletions: int
    families: int
    local_optimum: bool


class _Arrow(NamedTuple):
    """An operator on x and y as it lies in a heap: best first, ties by column.

    ``clique`` is NA_YX ∪ T for an insertion, NA_YX without H for a deletion.
    """

    loss: float
    x: int
    y: int
    clique: tuple[int, ...]
    version: int


class _Arrows:
    """The operators that improve the score, sorted; those into a column are forgotten when it is scored again."""

    def __init__(self, columns: int) -> None:
        self.stale = set(range(columns))
        self._version = [0] * columns
        self._heap: list[_Arrow] = []
        self._aside: set[_Arrow] = set()
        self._blocked_by: dict[tuple[int, int], list[_Arrow]] = {}

    def refresh(self, operators_into: Callable[[int], Iterator[tuple[float, int, tuple[int, ...]]]]) -> None:
        """Score what goes into stale columns."""
        for y in sorted(self.stale):
            self._version[y] += 1
            for gain, x, clique in operators_into(y):
                heapq.heappush(self._heap, _Arrow(-gain, x, y, clique, self._version[y]))
        self.stale.clear()

    def pop(self) -> _Arrow | None:
        """Return and forget the best."""
        while self._heap:
            arrow = heapq.heappop(self._heap)
            if self._is_current(arrow):
                return arrow
        return None

    def set_aside(self, arrow: _Arrow, path: Path) -> None:
        """Keep an insertion for when the path is broken."""
        self._aside.add(arrow)
        for step in pairwise(path):
            self._blocked_by.setdefault(step, []).append(arrow)

    def bring_back(self, broken: Iterable[tuple[int, int]]) -> None:
        """Return what was set aside because of paths with one of these steps."""
        for step in broken:
            for arrow in self._blocked_by.pop(step, ()):
                if arrow in self._aside:
                    self._aside.remove(arrow)
                    if self._is_current(arrow):
                        heapq.heappush(self._heap, arrow)

    def _is_current(self, arrow: _Arrow) -> bool:
        return arrow.version == self._version[arrow.y] and arrow.y not in self.stale


class _Search:
    """The greedy search, from the empty graph."""

    def __init__(self, scores: Gains, columns: int, tolerance: float, max_degree: int | None) -> None:
        self.scores = scores
        self.columns = columns
        self.tolerance = tolerance
        self.most = columns if max_degree is None else max_degree
        self.graph = EquivalenceClass(columns)
        self.insertions, self.deletions = _Arrows(columns), _Arrows(columns)
        self.inserted = self.deleted = 0
        self.allowed = ~np.eye(columns, dtype=np.bool_)
        self._reached: dict[tuple[int, tuple[int, ...]], dict[int, int]] = {}

    def effect_edges(self) -> NDArray[np.bool_]:
        """Return which pairs improve the score with nothing given."""
        effect = np.zeros((self.columns, self.columns), np.bool_)
        for y in range(self.columns):
            others = np.flatnonzero(np.arange(self.columns) != y)
            effect[others, y] = self.scores.gains(y, (), others) > self.tolerance
        return effect | effect.T

    def climb(self) -> bool:
        """Insert while that improves the score, then delete, in turns; return whether nothing is left to do."""
        met = set()
        while True:
            steps = self.inserted + self.deleted
            while self._insert_best():
                self.inserted += 1
            while self._delete_best():
                self.deleted += 1
            if self.inserted + self.deleted == steps:
                return True
            state = self.graph.pdag.to_adjacency().tobytes()
            if state in met:
                return False
            met.add(state)

    def _insert_best(self) -> bool:
        """Take the best valid insertion, if one improves the score."""
        self.insertions.refresh(self._insertions_into)
        while (arrow := self.insertions.pop()) is not None:
            if len(self.graph.pdag.adjacent[arrow.x]) >= self.most:
                continue  # until a deletion makes every arrow stale
            path = self._blocking_path(arrow)
            if not path:
                t = set(arrow.clique) - self.graph.pdag.adjacent[arrow.x]
                self._changed(self.graph.insert(arrow.x, arrow.y, t))
                return True
            self.insertions.set_aside(arrow, path)
        return False

    def _delete_best(self) -> bool:
        """Take the best valid deletion, if one improves the score."""
        self.deletions.refresh(self._deletions_into)
        arrow = self.deletions.pop()
        if arrow is None:
            return False
        h = set(self.graph.common_neighbors(arrow.x, arrow.y)).difference(arrow.clique)
        self._changed(self.graph.delete(arrow.x, arrow.y, h))
        if self.most < self.columns:
            self.insertions.stale.update(range(self.columns))
        return True

    def _blocking_path(self, arrow: _Arrow) -> Path:
        """Return a semi-directed path from y to x that avoids the clique; insertions into y share its search."""
        key = (arrow.y, arrow.clique)
        if key not in self._reached:
            self._reached[key] = self.graph.reach(*key)
        return path_to(arrow.x, self._reached[key])

    def _changed(self, change: Change) -> None:
        self._reached.clear()
        for arrows in (self.insertions, self.deletions):
            arrows.stale |= change.columns
            arrows.bring_back(change.broken)

    def _insertions_into(self, y: int) -> Iterator[tuple[float, int, tuple[int, ...]]]:
        """Yield gain, x and NA_YX ∪ T of every Insert(x, y, T) that improves the score, valid but for its paths."""
        pdag, skeleton = self.graph.pdag, self.graph.skeleton
        if len(pdag.adjacent[y]) >= self.most:
            return
        neighbors, parents = sorted(pdag.undirected[y]), pdag.parents[y]
        possible = self.allowed[y] & ~skeleton[y]
        beside = skeleton[neighbors].sum(axis=0)
        for clique in pdag.cliques(neighbors):
            # NA_YX has to be part of the clique: x has no neighbor of y beside it but those.
            candidates = np.flatnonzero(possible & (beside == skeleton[list(clique)].sum(axis=0)))
            if len(candidates):
                gains = self.scores.gains(y, tuple(parents.union(clique)), candidates)
                for i in np.flatnonzero(gains > self.tolerance).tolist():
                    yield float(gains[i]), int(candidates[i]), clique

    def _deletions_into(self, y: int) -> Iterator[tuple[float, int, tuple[int, ...]]]:
        """Yield gain, x and NA_YX without H of every valid Delete(x, y, H) that improves the score."""
        pdag = self.graph.pdag
        for x in sorted(pdag.parents[y] | pdag.undirected[y]):
            others = pdag.parents[y] - {x}
            for clique in pdag.cliques(self.graph.common_neighbors(x, y)):
                left = others.union(clique)
                gain = self.scores.score(y, tuple(left)) - self.scores.score(y, (*left, x))
                if gain > self.tolerance:
                    yield gain, x, clique


def search(
    score: Score, columns: int, *, faithfulness: bool = True, max_degree: int | None = None, tolerance: float = 1e-6
) -> FGESResult:
    """Find the equivalence class that no insertion or deletion improves.

    Parameters
    ----------
    score : Score
        If it has ``gains``, as ``LocalScores`` does, it is asked for whole sweeps.
    columns : int
    faithfulness, max_degree
        See ``fges``.
    tolerance : float
        Bits that count as no improvement.
    """
    scores: Any = score if hasattr(score, "gains") else FamilyCache(score)
    run = _Search(scores, columns, tolerance, max_degree)
    if faithfulness:
        everything, run.allowed = run.allowed, run.effect_edges()
        run.climb()
        run.allowed = everything
        run.insertions.stale.update(range(columns))
    local_optimum = run.climb()
    total = math.fsum(scores.score(x, parents) for x, parents in enumerate(run.graph.extension()))
    return FGESResult(run.graph.pdag, total, run.inserted, run.deleted, getattr(scores, "families", 0), local_optimum)


@interruptible
def fges(
    data: Dataset | Any,
    score: str | ScoreOptions | Score = "bdeu",
    *,
    faithfulness: bool = True,
    max_degree: int | None = None,
    counting: str = "auto",
) -> Graph:
    """Find the equivalence class of DAGs that explains the data best, by greedy search.

    Parameters
    ----------
    data : Dataset or frame
        A frame goes through ``Dataset.from_frame``.
    score : {"bdeu", "bic", "aic", "fnml", "qnml"} or BDeu or BIC or AIC or FNML or QNML, or an object with ``score``
        Columns are handed to an object of one's own by number, in the order of ``data.canonical``.
    faithfulness : bool
        Begin with pairs that are dependent with nothing given, and let the others in when these are done. The result is
        a local optimum either way.
    max_degree : int or None
        Most edges at a column.
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The way of counting; the result is the same. Not for a score that is an object of one's own.

    Returns
    -------
    Graph
        A CPDAG.

    Raises
    ------
    OptionError
        For an option outside its legal values.
    DataError
        For a frame that cannot be read as discrete data.

    References
    ----------
    Chickering (2002), "Optimal Structure Identification With Greedy Search", JMLR 3; Ramsey, Glymour, Sanchez-Romero
    and Glymour (2017), "A million variables and more: the Fast Greedy Equivalence Search algorithm", IJDSA 3.
    """
    begun = time.perf_counter()
    data = as_dataset(data)
    limit = None if max_degree is None else whole_number("max_degree", max_degree, otherwise=", or None")
    own = hasattr(score, "score")
    if own and counting != "auto":
        raise OptionError(Option("counting"), " is for the scores of climbfast; a custom score counts in its own way")
    chosen = None if own else as_score(score)
    scores: Any = score if chosen is None else LocalScores(data, chosen, counting=counting)
    found = search(
        scores,
        data.columns,
        faithfulness=flag("faithfulness", faithfulness),
        max_degree=limit,
        tolerance=rounding(data.rows),
    )
    return Graph(
        data.canonical,
        **edges_by_name(data.canonical, found.cpdag),
        method="fges",
        test_or_score=chosen.name if chosen else type(score).__name__,
        options={"faithfulness": faithfulness, "max_degree": limit, **(asdict(chosen) if chosen else {})},
        figures={
            "score": found.score,
            "insertions": found.insertions,
            "deletions": found.deletions,
            "families": found.families,
            "local_optimum": found.local_optimum,
        },
        rows=data.rows,
        columns=data.columns,
        seconds=time.perf_counter() - begun,
    )
