"""FGES: greedy search over equivalence classes of DAGs, by score.

Chickering (2002), "Optimal Structure Identification With Greedy Search", for the search: from the empty graph the best
valid Insert(x, y, T) while one improves the score, then the best Delete(x, y, H). Ramsey, Glymour, Sanchez-Romero and
Glymour (2017), "A million variables and more: the Fast Greedy Equivalence Search algorithm", for the speed: all pairs
are scored once without other parents (effect edges); operators are kept in a heap, sorted by gain; after a step only
those into columns around it are scored again, and Meek's rules are applied only near it; with the faithfulness option,
pairs without an effect edge wait for a second pass.

It departs from both in these points.

- The two phases alternate until neither finds a step: then no valid insertion or deletion improves the score.
- The second pass of the faithfulness option is always made, so that this holds with the option too.
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

import heapq
import math
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import Dataset, ReadingOptions, Representative, as_dataset
from climbfast.errors import Option, OptionError
from climbfast.graphs.background import can_obey, with_knowledge
from climbfast.graphs.copies import with_copies
from climbfast.graphs.equivalence import extension
from climbfast.graphs.equivalence_class import Change, EquivalenceClass, Path, path_to
from climbfast.graphs.family_cache import FamilyCache
from climbfast.graphs.graph import Graph, Names, edges_by_name
from climbfast.graphs.pdag import PDAG, Arc
from climbfast.independence.tests import rounding
from climbfast.interrupts import interruptible
from climbfast.knowledge import AllowedArcs, KnowledgeOption, as_knowledge
from climbfast.options import flag, whole_number
from climbfast.scores import Gains, Score, ScoreOptions, as_score, comparable, scores_of

__all__ = ["FGESResult", "contradicted_by_name", "fges", "search"]


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
    insertions, deletions : int
        Steps taken.
    families : int
        Families scored.
    local_optimum : bool
        Whether no valid insertion within ``max_degree`` and no deletion improves the score. Always true of an
        equivalent score.
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
    families: int
    local_optimum: bool
    contradicted: Mapping[tuple[int, ...], float]


class _Operator(NamedTuple):
    """An insertion or a deletion as it is kept in a heap: the best first, of equals the first columns.

    ``clique`` is NA_YX ∪ T for an insertion, NA_YX without H for a deletion; ``version`` that of the column y.
    """

    loss: float
    x: int
    y: int
    clique: tuple[int, ...]
    version: int


class _Operators:
    """The insertions, or the deletions, that improve the score.

    Those into a column are stale when the graph has changed around it, and are scored again before the next step.
    """

    def __init__(self, columns: int) -> None:
        self.stale = set(range(columns))
        self._version = [0] * columns
        self._heap: list[_Operator] = []
        self._blocked: set[_Operator] = set()
        self._blocked_by: dict[Arc, list[_Operator]] = {}
        self._refused: list[_Operator] = []

    def refresh(self, operators_into: Callable[[int], Iterator[tuple[float, int, tuple[int, ...]]]]) -> None:
        """Score the operators into stale columns."""
        for y in sorted(self.stale):
            self._version[y] += 1
            for gain, x, clique in operators_into(y):
                heapq.heappush(self._heap, _Operator(-gain, x, y, clique, self._version[y]))
        self.stale.clear()

    def pop(self) -> _Operator | None:
        """Remove and return the best."""
        while self._heap:
            operator = heapq.heappop(self._heap)
            if self._is_current(operator):
                return operator
        return None

    def block(self, operator: _Operator, path: Path) -> None:
        """Keep an insertion until the path that makes it invalid is broken."""
        self._blocked.add(operator)
        for step in pairwise(path):
            self._blocked_by.setdefault(step, []).append(operator)

    def unblock(self, broken: Iterable[Arc]) -> None:
        """Return the insertions whose path had one of these steps to the heap."""
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
        goes_on: Callable[[], bool],
        allowed: AllowedArcs | None,
    ) -> None:
        self.scores, self.goes_on = scores, goes_on
        self.columns = columns
        self.tolerance = tolerance
        self.max_degree = columns if max_degree is None else max_degree
        self.allowed = allowed
        self.graph = EquivalenceClass(columns, () if allowed is None else sorted(allowed.required))
        self.insertions, self.deletions = _Operators(columns), _Operators(columns)
        self.inserted = self.deleted = 0
        if allowed is None:
            self.all_sources = ~np.eye(columns, dtype=np.bool_)
        else:
            self.all_sources = np.ascontiguousarray(allowed.matrix(np.arange(columns), np.arange(columns)).T)
        self.sources = self.all_sources
        self._reached: dict[tuple[int, tuple[int, ...]], dict[int, int]] = {}

    def effect_edges(self) -> NDArray[np.bool_]:
        """Return which pairs improve the score when neither column has other parents."""
        effect = np.zeros((self.columns, self.columns), np.bool_)
        for y in range(self.columns):
            others = np.flatnonzero(self.all_sources[y])
            effect[others, y] = self.scores.gains(y, (), others) > self.tolerance
        return effect | effect.T

    def climb(self) -> bool:
        """Insert while that improves the score, then delete, in turns; return whether no step is left."""
        visited = set()
        while True:
            steps = self.inserted + self.deleted
            while self.goes_on() and self._insert_best():
                self.inserted += 1
            while self.goes_on() and self._delete_best():
                self.deleted += 1
            if not self.goes_on():
                return False
            if self.inserted + self.deleted == steps:
                return True
            state = self.graph.pdag.to_adjacency().tobytes()
            if state in visited:
                return False
            visited.add(state)

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

    def _obeys(self) -> bool:
        """Whether a DAG of the class obeys, after an operator on one of which this is known."""
        return self.allowed is None or can_obey(self.graph.pdag, self.graph.changed_pairs(), self.allowed)

    def _blocking_path(self, operator: _Operator) -> Path:
        """Return a semi-directed path from y to x that avoids the clique; one search serves all x."""
        key = (operator.y, operator.clique)
        if key not in self._reached:
            self._reached[key] = self.graph.reach(*key)
        return path_to(operator.x, self._reached[key])

    def _update(self, change: Change) -> None:
        self._reached.clear()
        for operators in (self.insertions, self.deletions):
            operators.stale |= change.columns
            operators.unblock(change.broken)
            operators.try_again()

    def _insertions_into(self, y: int) -> Iterator[tuple[float, int, tuple[int, ...]]]:
        """Yield gain, x and NA_YX ∪ T of every Insert(x, y, T) that improves the score; paths are not yet checked."""
        pdag, skeleton = self.graph.pdag, self.graph.skeleton
        if len(pdag.adjacent[y]) >= self.max_degree:
            return
        neighbors, parents = sorted(pdag.undirected[y]), pdag.parents[y]
        possible = self.sources[y] & ~skeleton[y]
        adjacent_neighbors = skeleton[neighbors].sum(axis=0)
        for clique in self._cliques(y, neighbors):
            # NA_YX has to be part of the clique: of the neighbors of y, x is adjacent to none outside of it.
            candidates = np.flatnonzero(possible & (adjacent_neighbors == skeleton[list(clique)].sum(axis=0)))
            if len(candidates):
                gains = self.scores.gains(y, tuple(parents.union(clique)), candidates)
                for i in np.flatnonzero(gains > self.tolerance).tolist():
                    yield float(gains[i]), int(candidates[i]), clique

    def _deletions_into(self, y: int) -> Iterator[tuple[float, int, tuple[int, ...]]]:
        """Yield gain, x and NA_YX without H of every valid Delete(x, y, H) that improves the score."""
        pdag, allowed = self.graph.pdag, self.allowed
        for x in sorted(pdag.parents[y] | pdag.undirected[y]):
            if allowed is not None and (not allowed.allows(x, y) or (x, y) in allowed.required):
                continue
            for clique in self._cliques(y, self.graph.common_neighbors(x, y)):
                gain = self._gain_without(x, y, clique)
                if gain > self.tolerance:
                    yield gain, x, clique

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

    # ---- what the data say against knowledge

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
    goes_on: Callable[[], bool] = lambda: True,
    allowed: AllowedArcs | None = None,
) -> FGESResult:
    """Find the equivalence class that no insertion or deletion improves.

    Parameters
    ----------
    score : Score
        If it has ``gains``, as ``LocalScores`` does, that scores many candidates at once.
    columns : int
    faithfulness, max_degree
        See ``fges``.
    tolerance : float
        Bits that count as no improvement.
    goes_on : function, optional
        Asked before every step; the search ends when it returns False.
    allowed : AllowedArcs, optional
        Which directed edges knowledge allows and requires.
    """
    scores: Any = score if hasattr(score, "gains") else FamilyCache(score)
    run = _Search(scores, columns, tolerance, max_degree, goes_on, allowed)
    if faithfulness:
        run.sources = run.all_sources & run.effect_edges()
        run.climb()
        run.sources = run.all_sources
        run.insertions.stale.update(range(columns))
    local_optimum = run.climb()
    contradicted = run.contradicted()
    directed = run.graph.pdag if allowed is None else with_knowledge(run.graph.pdag, allowed)
    assert directed is not None  # every step was to a class that holds a DAG which obeys
    families = run.graph.extension() if allowed is None else _parents_in_extension(directed)
    return FGESResult(
        cpdag=run.graph.pdag,
        directed=directed,
        score=math.fsum(scores.score(x, parents) for x, parents in enumerate(families)),
        insertions=run.inserted,
        deletions=run.deleted,
        families=getattr(scores, "families", 0),
        local_optimum=local_optimum,
        contradicted=contradicted,
    )


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
        Begin with the pairs that are marginally dependent, and add the others in a second pass. With or without it
        the result is a local optimum.
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
        them. Its ``figures`` have the score in bits. Of several copies one is searched, unless the score is custom; the
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
    With true knowledge and endless rows the skeleton is the true one for tiers of all columns, closed or not, and
    required edges, roots and leaves beside them. Single forbidden edges, and columns in no tier beside others that are,
    may leave edges too many: the result is a local optimum among the graphs that obey.

    References
    ----------
    Chickering (2002), "Optimal Structure Identification With Greedy Search", JMLR 3; Ramsey, Glymour, Sanchez-Romero
    and Glymour (2017), "A million variables and more: the Fast Greedy Equivalence Search algorithm", IJDSA 3.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> graph = cf.fges(data)
    >>> graph
    <Graph: 15 nodes, 13 directed and 5 undirected edges, CPDAG>
    >>> round(graph.figures["score"], 1)
    -33448.2
    """
    begun = time.perf_counter()
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
            "families": found.families,
            "local_optimum": found.local_optimum,
        },
        rows=data.rows,
        fewest_rows=getattr(scores, "fewest_rows", data.rows),
        columns=data.columns,
        seconds=time.perf_counter() - begun,
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
