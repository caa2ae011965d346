"""EdgeOrienter the edges that a search left open, or all of them, by stochastic complexity.

Marx and Vreeken (2018), section "Deciding between Markov equivalent DAGs", for the rule "climb": the two directions of
an edge are compared by the score of section 5 of the same paper at both of its ends, the most decisive edge goes first,
and none closes a directed cycle. Where the paper is silent, neighbors by edges that are still undirected are not
counted as parents. fNML tells apart graphs of one equivalence class, so there is more to it than one edge at a time:
"global" climbs to the least Σ SC(X|PA_X) of the whole graph, by reversals of one edge or of some edges of one node.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import GraphError, Option, OptionError
from climbfast.graphs.family_cache import FamilyCache
from climbfast.graphs.graph import Edge, Graph, as_graph, node_text
from climbfast.graphs.pdag import PDAG, Arc, Pair, pair
from climbfast.interrupts import interruptible
from climbfast.options import number, whole_number
from climbfast.scores import FNML, LocalScores, Score

__all__ = ["EdgeOrienter", "orient"]

RESTARTS = 5
PERTURBATIONS_PER_RESTART = 10  # with five of each, Hepar2 ends where a search that begins at the truth does
MOVED_NODES = 3
TINY = 1e-6  # bits below which a gain is rounding
MIN_BITS = 1.0

METHODS = ("climb", "global")
EDGES = ("undirected", "all")


@interruptible
def orient(
    graph: Any,
    data: Dataset | Any,
    method: Literal["climb", "global"] = "climb",
    *,
    edges: Literal["undirected", "all"] | None = None,
    restarts: int | None = None,
    seed: int | None = None,
    min_bits: float | None = None,
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
        whole graph.
    edges : {"undirected", "all"} or None
        Which edges are open: those without a direction, or all. None is "undirected" for climb, "all" for global.
    restarts : int or None
        global: random directions to start from, besides those of climb; ten times as often the best graph is perturbed.
        None is 5.
    seed : int or None
        global: of what is random. None is 0.
    min_bits : float or None
        global: bits by which other directions have to be better. 0 is the best score to be found. None is 1: with
        less, the data are not twice as likely, and edges stay as climb and the steps so far directed them.

    Returns
    -------
    Graph
        A DAG. The margin of an edge is what reversing it alone would cost, in bits; it is negative where only the
        other edges keep it from being reversed. Everything else is that of `graph`, but for its figures, which are
        left out.

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
    chosen = _Options.checked(method, edges, restarts, seed, min_bits)
    graph, data = as_graph(graph), as_dataset(data)
    if cycle := graph.pdag.cycle():
        path = " -> ".join(node_text(graph.names[x]) for x in cycle)
        raise GraphError(f"the directed edges form a cycle: {path}; a graph has to be without one to be directed")
    for name in graph.names:
        data.index(name)
    arcs, lines = _by_column(graph.directed, data), _by_column(graph.undirected, data)
    if chosen.edges == "all":
        arcs, lines = [], sorted((min(arc), max(arc)) for arc in arcs + lines)
    directing = EdgeOrienter(LocalScores(data, FNML()), arcs, lines, data.columns)
    directing.climb()
    if chosen.method == "global":
        directing.climb_globally(chosen.restarts, chosen.seed, chosen.min_bits)
    return _directed(graph, data, directing, chosen, time.perf_counter() - begun)


class _Options(NamedTuple):
    """Options within their legal values."""

    method: str
    edges: str
    restarts: int
    seed: int
    min_bits: float

    @classmethod
    def checked(
        cls, method: str, edges: str | None, restarts: int | None, seed: int | None, min_bits: float | None
    ) -> _Options:
        """Check what was given."""
        if method not in METHODS:
            raise OptionError(Option("method"), f" is {method!r}; it is one of {', '.join(METHODS)}")
        if edges is not None and edges not in EDGES:
            raise OptionError(Option("edges"), f" is {edges!r}; it is one of {', '.join(EDGES)}")
        if method == "climb":
            for name, value in (("restarts", restarts), ("seed", seed), ("min_bits", min_bits)):
                if value is not None:
                    raise OptionError(Option(name), " is for the method global; climb has no use for it")
        return cls(
            method,
            edges or ("all" if method == "global" else "undirected"),
            RESTARTS if restarts is None else whole_number("restarts", restarts),
            0 if seed is None else whole_number("seed", seed),
            MIN_BITS if min_bits is None else number("min_bits", min_bits),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the options that the method has."""
        found: dict[str, Any] = {"orient": self.method, "edges": self.edges}
        if self.method == "global":
            found |= {"restarts": self.restarts, "seed": self.seed, "min_bits": self.min_bits}
        return found


def _by_column(edges: Iterable[Edge], data: Dataset) -> list[Arc]:
    return [(data.index(x), data.index(y)) for x, y in edges]


def _directed(graph: Graph, data: Dataset, directing: EdgeOrienter, options: _Options, seconds: float) -> Graph:
    """Return the graph with its edges as they were directed."""
    name = data.canonical
    margins = {(name[x], name[y]): directing.gain(x, y) for x, y in directing.pdag.arcs()}
    strengths = {edge if edge in margins else edge[::-1]: bits for edge, bits in graph.strengths.items()}
    return replace(
        graph,
        directed=tuple(margins),
        undirected=(),
        margins=margins,
        strengths=strengths,
        method=f"{graph.method}, {options.method}" if graph.method else options.method,
        options={**graph.options, **options.to_dict()},
        figures={},  # they are of the graph as it was
        rows=data.rows,
        columns=data.columns,
        seconds=graph.seconds + seconds,
    )


class EdgeOrienter:
    """A partly directed graph, whose undirected edges are oriented until it is a DAG.

    Parameters
    ----------
    scores : Score
    arcs : iterable of (int, int)
        Fixed arcs, which keep their direction; they form no cycle.
    edges : iterable of (int, int)
        Edges to orient, the smaller number first.
    size : int
        Number of nodes.

    Attributes
    ----------
    pdag : PDAG
        The graph so far.
    """

    def __init__(self, scores: Score, arcs: Iterable[Arc], edges: Iterable[Pair], size: int) -> None:
        self._score = FamilyCache(scores).score
        self._fixed = tuple(arcs)
        self._edges = dict.fromkeys(sorted(edges))
        self._edges_at: list[list[Pair]] = [[] for _ in range(size)]
        for edge in self._edges:
            for x in edge:
                self._edges_at[x].append(edge)
        self._min_gain = TINY
        self.pdag = PDAG(size, self._fixed, self._edges)

    def gain(self, x: int, y: int) -> float:
        """Return the bits by which x → y is better than y → x, given the other arcs."""
        of_x, of_y = self.pdag.parents[x] - {y}, self.pdag.parents[y] - {x}
        return self._score(x, of_x) + self._score(y, of_y | {x}) - self._score(x, of_x | {y}) - self._score(y, of_y)

    def total(self) -> float:
        """Return the score of the whole graph in bits, without that of isolated nodes."""
        return sum(self._score(x, parents) for x, parents in enumerate(self.pdag.parents) if self.pdag.adjacent[x])

    # ---- one edge after the other

    def climb(self) -> None:
        """Orient the edges, the most decisive first; of equals the first one, towards the larger number."""
        gains = {edge: self.gain(*edge) for edge in self._edges}
        while gains:
            x, y = max(gains, key=lambda edge: abs(gains[edge]))
            source, target = (x, y) if gains.pop((x, y)) >= 0 else (y, x)
            if self.pdag.has_directed_path(target, source):  # then the other direction closes no cycle
                source, target = target, source
            self.pdag.orient(source, target)
            for edge in self._edges_at[target]:
                if edge in gains:
                    gains[edge] = self.gain(*edge)

    # ---- all edges together

    def climb_globally(self, restarts: int, seed: int, min_gain: float) -> None:
        """Find the best DAG that no single step improves, from the DAG so far and from many others.

        First from random ones, then from the best DAG with some nodes moved at random. A DAG has to be better by more
        than ``min_gain`` bits.
        """
        self._min_gain = max(min_gain, TINY)
        self._improve()
        best, best_total = self.pdag.copy(), self.total()
        draw = np.random.default_rng(seed)
        for turn in range(restarts * (1 + PERTURBATIONS_PER_RESTART) if self._edges else 0):
            self.pdag = best.copy()
            self._orient_by(self._random_order(draw) if turn < restarts else self._perturbed_order(draw))
            self._improve()
            total = self.total()
            if total > best_total + self._min_gain:
                best, best_total = self.pdag.copy(), total
        self.pdag = best

    def _improve(self) -> None:
        while self._reverse_edges() or self._move_node():
            pass

    def _reverse_edges(self) -> bool:
        """Reverse the edge that gains most and closes no cycle while there is one; return whether there was."""
        gains = {arc: -self.gain(*arc) for arc in self._directed(self._edges)}
        reversed_any = False
        while True:
            better = sorted((-gain, arc) for arc, gain in gains.items() if gain > self._min_gain)
            arc = next((arc for _, arc in better if self._is_reversible(*arc)), None)
            if arc is None:
                return reversed_any
            reversed_any = True
            self.pdag.reverse(*arc)
            del gains[arc]
            for near in self._directed({*self._edges_at[arc[0]], *self._edges_at[arc[1]]}):
                gains[near] = -self.gain(*near)

    def _directed(self, edges: Iterable[Pair]) -> list[Arc]:
        """Return edges as they are directed now."""
        return [(x, y) if y in self.pdag.children[x] else (y, x) for x, y in edges]

    def _is_reversible(self, x: int, y: int) -> bool:
        """Whether y → x instead of x → y closes no cycle."""
        return not any(self.pdag.has_directed_path(child, y) for child in self.pdag.children[x] if child != y)

    def _move_node(self) -> bool:
        """Move one node within a topological order to where it gains most; return whether any move gains.

        That reverses the edges to all neighbors that it passes. It finds gains for which a single reversal would close
        a cycle.
        """
        place = {x: i for i, x in enumerate(self._topological_order())}
        most, passed = self._min_gain, list[Arc]()
        for x in (x for x, edges in enumerate(self._edges_at) if edges):
            for gain, arcs in (*self._moves(x, place, later=True), *self._moves(x, place, later=False)):
                if gain > most + TINY:
                    most, passed = gain, arcs
        for arc in passed:
            self.pdag.reverse(*arc)
        return bool(passed)

    def _moves(self, x: int, place: Mapping[int, int], *, later: bool) -> Iterator[tuple[float, list[Arc]]]:
        """Yield what node x gains by passing its nearest neighbors in one direction, one more each time."""
        gain, passed = 0.0, []
        parents = set(self.pdag.parents[x])
        others = (
            sorted(self.pdag.children[x], key=place.__getitem__) if later else sorted(parents, key=lambda y: -place[y])
        )
        before = self._score(x, parents)
        for y in others:
            if pair(x, y) not in self._edges:
                return
            gain += self._score(y, self.pdag.parents[y] ^ {x}) - self._score(y, self.pdag.parents[y])
            parents ^= {y}
            passed.append((x, y) if later else (y, x))
            yield gain + self._score(x, parents) - before, list(passed)

    def _topological_order(self) -> list[int]:
        # Of a graph built anew: sets of neighbors are walked in an order that depends on how they came about.
        return PDAG(self.pdag.size, self.pdag.arcs()).topological_order()

    def _orient_by(self, order: Sequence[int]) -> None:
        """Direct the edges from earlier to later nodes."""
        place = {x: i for i, x in enumerate(order)}
        for source, target in self._directed(self._edges):
            if place[source] > place[target]:
                self.pdag.reverse(source, target)

    def _perturbed_order(self, draw: np.random.Generator) -> list[int]:
        """Move some nodes to random places between those that fixed arcs join them with."""
        order = self._topological_order()
        nodes = [x for x, edges in enumerate(self._edges_at) if edges]
        for x in draw.choice(nodes, min(MOVED_NODES, len(nodes)), replace=False).tolist():
            order.remove(x)
            place = {y: i for i, y in enumerate(order)}
            first = max((place[y] + 1 for y, z in self._fixed if z == x), default=0)
            last = min((place[z] for y, z in self._fixed if y == x), default=len(order))
            order.insert(int(draw.integers(first, last + 1)), x)
        return order

    def _random_order(self, draw: np.random.Generator) -> list[int]:
        """Return all nodes in a random order in which every fixed arc points forward."""
        rank = draw.permutation(self.pdag.size).tolist()
        fixed = PDAG(self.pdag.size, self._fixed)
        missing = [len(parents) for parents in fixed.parents]
        ready = [(rank[x], x) for x, count in enumerate(missing) if not count]
        heapq.heapify(ready)
        order: list[int] = []
        while ready:
            _, x = heapq.heappop(ready)
            order.append(x)
            for y in fixed.children[x]:
                missing[y] -= 1
                if not missing[y]:
                    heapq.heappush(ready, (rank[y], y))
        return order
