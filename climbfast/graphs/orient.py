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
from climbfast.graphs.cycles import leads_to
from climbfast.graphs.graph import Edge, Graph, as_graph, node_text
from climbfast.graphs.pdag import PDAG, Arc
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
        figures={},  # they are of the graph as it was
        rows=data.rows,
        columns=data.columns,
        seconds=graph.seconds + seconds,
    )


class EdgeOrienter:
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
        self._open = frozenset(self._lines)
        self._least_gain = TINY
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

    def climb_globally(self, restarts: int, seed: int, min_bits: float) -> None:
        """Go to the best graph that no single step improves, from the arcs so far and from many other ones.

        First from random ones, then from the best graph with some nodes moved at random. What is better by no more
        than ``min_bits`` is not.
        """
        self._least_gain = max(min_bits, TINY)
        self._step_while_better()
        best, best_total = self.arcs(), self.total()
        draw = np.random.default_rng(seed)
        for turn in range(restarts * (1 + PERTURBATIONS_PER_RESTART) if self._lines else 0):
            self._set(best)
            self._direct_by(self._random_order(draw) if turn < restarts else self._perturbed_order(draw))
            self._step_while_better()
            total = self.total()
            if total > best_total + self._least_gain:
                best, best_total = self.arcs(), total
        self._set(best)

    def _step_while_better(self) -> None:
        while self._reverse_while_better() or self._move_a_node():
            pass

    def _reverse_while_better(self) -> bool:
        """Reverse the edge that gains most, again and again, without closing a cycle; whether there was one."""
        gains = {arc: -self.gain(*arc) for arc in self._open_arcs(self._lines)}
        reversed_any = False
        while True:
            better = sorted((-gain, arc) for arc, gain in gains.items() if gain > self._least_gain)
            arc = next((arc for _, arc in better if self._is_reversible(*arc)), None)
            if arc is None:
                return reversed_any
            reversed_any = True
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

    def _move_a_node(self) -> bool:
        """Make the move of one node within an order of causes before effects that gains most; whether there was one.

        It reverses all edges of the node that it passes. Some gains take this: one reversal would close a cycle.
        """
        place = {x: i for i, x in enumerate(self._order())}
        best: tuple[float, int, list[Arc]] = (self._least_gain, -1, [])
        for x in (x for x, lines in enumerate(self._at) if lines):
            for gain, passed in (*self._moves(x, place, later=True), *self._moves(x, place, later=False)):
                if gain > best[0] + TINY:
                    best = gain, x, passed
        for arc in best[2]:
            self._reverse(*arc)
        return bool(best[2])

    def _moves(self, x: int, place: Mapping[int, int], *, later: bool) -> Iterator[tuple[float, list[Arc]]]:
        """Yield what node x gains by passing its nearest neighbors in one direction, one more each time."""
        gain, passed = 0.0, []
        parents = set(self._parents[x])
        others = sorted(self._children[x], key=place.__getitem__) if later else sorted(parents, key=lambda y: -place[y])
        before = self._score(x, parents)
        for y in others:
            if (min(x, y), max(x, y)) not in self._open:
                return
            gain += self._score(y, self._parents[y] ^ {x}) - self._score(y, self._parents[y])
            parents ^= {y}
            passed.append((x, y) if later else (y, x))
            yield gain + self._score(x, parents) - before, list(passed)

    def _order(self) -> list[int]:
        """Return the nodes with causes before effects."""
        return PDAG(len(self._at), self.arcs()).topological_order()

    def _direct_by(self, order: Sequence[int]) -> None:
        """Direct the open edges from earlier to later nodes."""
        place = {x: i for i, x in enumerate(order)}
        self._set([*self._fixed, *((x, y) if place[x] < place[y] else (y, x) for x, y in self._lines)])

    def _perturbed_order(self, draw: np.random.Generator) -> list[int]:
        """Move some nodes to random places between those that fixed arcs join them with."""
        order = self._order()
        nodes = [x for x, lines in enumerate(self._at) if lines]
        for x in draw.choice(nodes, min(MOVED_NODES, len(nodes)), replace=False).tolist():
            order.remove(x)
            place = {y: i for i, y in enumerate(order)}
            first = max((place[y] + 1 for y, z in self._fixed if z == x), default=0)
            last = min((place[z] for y, z in self._fixed if y == x), default=len(order))
            order.insert(int(draw.integers(first, last + 1)), x)
        return order

    def _random_order(self, draw: np.random.Generator) -> list[int]:
        """Return all nodes in a random order in which no fixed arc points back."""
        rank = draw.permutation(len(self._at)).tolist()
        fixed = PDAG(len(self._at), self._fixed)
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
