"""Directing the edges that a search left open, or all of them, by stochastic complexity.

Marx and Vreeken (2018), section "Deciding between Markov equivalent DAGs", for the rule "climb": the two directions of
an edge are compared by the score of section 5 of the same paper at both of its ends, the most decisive edge goes first,
and none closes a directed cycle. Where the paper is silent, neighbors by edges that are still undirected are not
counted as parents. fNML tells apart graphs of one equivalence class, so there is more to it than one edge at a time:
"global" climbs over the reversals of single edges to the least Σ SC(X|PA_X) of the whole graph.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import GraphError, OptionError
from climbfast.graphs.cpdag import Edge, Graph, as_graph, spelled
from climbfast.graphs.cycles import leads_to
from climbfast.graphs.marks import Arc
from climbfast.options import whole_number
from climbfast.scores import FNML, LocalScores, Score

__all__ = ["Directing", "orient"]

RESTARTS = 10
TINY = 1e-6  # bits below which a gain is rounding

METHODS = ("climb", "global")
EDGES = ("undirected", "all")


def orient(
    graph: Any,
    data: Dataset | Any,
    method: Literal["climb", "global"] = "climb",
    *,
    edges: Literal["undirected", "all"] | None = None,
    restarts: int | None = None,
    seed: int | None = None,
) -> Graph:
    """Direct the edges of a graph.

    Parameters
    ----------
    graph : Graph, Network, or graph of NetworkX
        Its nodes are columns of the data.
    data : Dataset or frame
        A frame goes through ``Dataset.from_frame``.
    method : {"climb", "global"}
        "climb" directs one edge after another, the most decisive first, each by the stochastic complexity of its two
        ends given their parents so far. "global" looks for the directions with the least stochastic complexity of the
        whole graph, by reversing single edges.
    edges : {"undirected", "all"} or None
        Which edges are open: those without a direction, or all. None is "undirected" for climb, "all" for global.
    restarts : int or None
        global: random directions to start from, besides those of climb. None is 10.
    seed : int or None
        global: of these random directions. None is 0.

    Returns
    -------
    Graph
        A DAG. The margin of an edge is what reversing it alone would cost, in bits; it is negative where only the
        other edges keep it from being reversed. Everything else is that of `graph`.

    Raises
    ------
    OptionError
        For an option outside its legal values, or one that the method has no use for.
    GraphError
        For directed edges that form a cycle.
    UnknownColumnError
        For a node that is no column.

    References
    ----------
    Marx and Vreeken (2018), "Causal Discovery by Telling Apart Parents and Children", arXiv 1808.06356.
    """
    begun = time.perf_counter()
    chosen = _Options.checked(method, edges, restarts, seed)
    graph, data = as_graph(graph), as_dataset(data)
    if cycle := graph.marks.cycle():
        path = " -> ".join(spelled(graph.names[x]) for x in cycle)
        raise GraphError(f"the directed edges form a cycle: {path}; a graph has to be without one to be directed")
    arcs, lines = _by_column(graph.directed, data), _by_column(graph.undirected, data)
    if chosen.edges == "all":
        arcs, lines = [], sorted((min(arc), max(arc)) for arc in arcs + lines)
    directing = Directing(LocalScores(data, FNML()), arcs, lines, data.columns)
    directing.climb()
    if chosen.method == "global":
        directing.climb_globally(chosen.restarts, chosen.seed)
    return _directed(graph, data, directing, chosen, time.perf_counter() - begun)


class _Options(NamedTuple):
    """Options within their legal values."""

    method: str
    edges: str
    restarts: int
    seed: int

    @classmethod
    def checked(cls, method: str, edges: str | None, restarts: int | None, seed: int | None) -> _Options:
        """Check what was given."""
        if method not in METHODS:
            raise OptionError(f"method is {method!r}; it is one of {', '.join(METHODS)}")
        if edges is not None and edges not in EDGES:
            raise OptionError(f"edges is {edges!r}; it is one of {', '.join(EDGES)}")
        if method == "climb":
            for name, value in (("restarts", restarts), ("seed", seed)):
                if value is not None:
                    raise OptionError(f"{name} is for the method global; climb starts once")
        return cls(
            method,
            edges or ("all" if method == "global" else "undirected"),
            RESTARTS if restarts is None else whole_number("restarts", restarts),
            0 if seed is None else whole_number("seed", seed),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the options that the method has."""
        found = {"orient": self.method, "edges": self.edges}
        return found | ({"restarts": self.restarts, "seed": self.seed} if self.method == "global" else {})


def _by_column(edges: Iterable[Edge], data: Dataset) -> list[Arc]:
    return [(data.index(x), data.index(y)) for x, y in edges]


def _directed(graph: Graph, data: Dataset, directing: Directing, options: _Options, seconds: float) -> Graph:
    """Return the graph with its edges as they were directed."""
    name = data.canonical
    margins = {(name[x], name[y]): directing.gain(x, y) for x, y in directing.arcs()}
    strengths = {edge if edge in margins else edge[::-1]: bits for edge, bits in graph.strengths.items()}
    return replace(
        graph,
        directed=tuple(margins),
        undirected=(),
        margins=margins,
        strengths=strengths,
        method=f"{graph.method}, {options.method}" if graph.method else options.method,
        options={**graph.options, **options.to_dict()},
        rows=data.rows,
        columns=data.columns,
        seconds=graph.seconds + seconds,
    )


class Directing:
    """A graph on its way to a DAG: arcs so far, and edges that are still open.

    Parameters
    ----------
    scores : Score
    arcs : iterable of (int, int)
        Directed edges that stay as they are, without a cycle.
    lines : iterable of (int, int)
        Open edges, the smaller number first.
    size : int
        Number of nodes.
    """

    def __init__(self, scores: Score, arcs: Iterable[Arc], lines: Iterable[Arc], size: int) -> None:
        self._scores = scores
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}
        self._fixed = tuple(arcs)
        self._lines = tuple(sorted(lines))
        self._at: list[list[Arc]] = [[] for _ in range(size)]
        for line in self._lines:
            for x in line:
                self._at[x].append(line)
        self._set(self._fixed)

    def _set(self, arcs: Iterable[Arc]) -> None:
        self._parents: list[set[int]] = [set() for _ in self._at]
        self._children: list[set[int]] = [set() for _ in self._at]
        for x, y in arcs:
            self._add(x, y)

    def _add(self, x: int, y: int) -> None:
        self._parents[y].add(x)
        self._children[x].add(y)

    def _remove(self, x: int, y: int) -> None:
        self._parents[y].remove(x)
        self._children[x].remove(y)

    def arcs(self) -> list[Arc]:
        """Return the directed edges, in order."""
        return [(x, y) for x, children in enumerate(self._children) for y in sorted(children)]

    def gain(self, x: int, y: int) -> float:
        """Return the bits by which x → y beats y → x, given the other arcs."""
        of_x, of_y = self._parents[x] - {y}, self._parents[y] - {x}
        return self._score(x, of_x) + self._score(y, of_y | {x}) - self._score(x, of_x | {y}) - self._score(y, of_y)

    def _score(self, x: int, parents: Iterable[int]) -> float:
        family = x, tuple(sorted(parents))
        if family not in self._known:
            self._known[family] = self._scores.score(*family)
        return self._known[family]

    def total(self) -> float:
        """Return the score of the whole graph in bits."""
        return sum(self._score(x, parents) for x, parents in enumerate(self._parents) if parents or self._children[x])

    # ---- one edge after the other

    def climb(self) -> None:
        """Direct the open edges, the most decisive first; of equals the first one, towards the larger number."""
        gains = {line: self.gain(*line) for line in self._lines}
        while gains:
            x, y = max(gains, key=lambda line: abs(gains[line]))
            towards_y = gains.pop((x, y)) >= 0
            source, target = (x, y) if towards_y else (y, x)
            if leads_to(self._children, target, source):  # then the other direction closes no cycle
                source, target = target, source
            self._add(source, target)
            for line in self._at[target]:
                if line in gains:
                    gains[line] = self.gain(*line)

    # ---- all edges together

    def climb_globally(self, restarts: int, seed: int) -> None:
        """Go from the arcs so far, and from random ones, to the best graph that no single reversal improves."""
        self._reverse_while_better()
        best, best_total = self.arcs(), self.total()
        draw = np.random.default_rng(seed)
        for _ in range(restarts):
            self._set(self._at_random(draw))
            self._reverse_while_better()
            total = self.total()
            if total > best_total + TINY:
                best, best_total = self.arcs(), total
        self._set(best)

    def _reverse_while_better(self) -> None:
        """Reverse the edge that gains most, again and again, without closing a cycle."""
        gains = {arc: -self.gain(*arc) for arc in self._open_arcs(self._lines)}
        while True:
            better = sorted((-gain, arc) for arc, gain in gains.items() if gain > TINY)
            arc = next((arc for _, arc in better if self._is_reversible(*arc)), None)
            if arc is None:
                return
            self._reverse(*arc)
            del gains[arc]
            for near in self._open_arcs({*self._at[arc[0]], *self._at[arc[1]]}):
                gains[near] = -self.gain(*near)

    def _open_arcs(self, lines: Iterable[Arc]) -> list[Arc]:
        return [(x, y) if y in self._children[x] else (y, x) for x, y in lines]

    def _is_reversible(self, x: int, y: int) -> bool:
        """Whether y → x instead of x → y closes no cycle."""
        return not any(leads_to(self._children, child, y) for child in self._children[x] if child != y)

    def _reverse(self, x: int, y: int) -> None:
        self._remove(x, y)
        self._add(y, x)

    def _at_random(self, draw: np.random.Generator) -> Sequence[Arc]:
        """Direct the open edges by a random order of the nodes in which no fixed arc points back."""
        rank = draw.permutation(len(self._at)).tolist()
        children: list[set[int]] = [set() for _ in self._at]
        missing = [0] * len(self._at)
        for x, y in self._fixed:
            children[x].add(y)
            missing[y] += 1
        ready = sorted((x for x, count in enumerate(missing) if not count), key=lambda x: rank[x])
        place: dict[int, int] = {}
        while ready:
            x = ready.pop(0)
            place[x] = len(place)
            for y in sorted(children[x]):
                missing[y] -= 1
                if not missing[y]:
                    ready = sorted([*ready, y], key=lambda node: rank[node])
        return [*self._fixed, *((x, y) if place[x] < place[y] else (y, x) for x, y in self._lines)]
