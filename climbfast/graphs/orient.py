"""Orient the edges that a search left undirected, or all edges, by stochastic complexity.

Marx and Vreeken (2018), section "Deciding between Markov equivalent DAGs", for the method "climb": the two directions
of an edge are compared by the score of section 5 of the same paper at both of its ends; the most decisive edge is
oriented first, and no edge closes a directed cycle. The paper does not say how to treat neighbors by edges that are
still undirected; here they do not count as parents. fNML distinguishes DAGs of one equivalence class, so more can be
gained than by one edge at a time: the method "global" minimizes Σ SC(X|PA_X) over the whole graph, by reversals of one
edge or of several edges of one node.

With knowledge the graph is first made to obey (``obeying``); the edges that are known then stay.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, Unpack, get_args

import numpy as np

from climbfast.compiling import seconds_of_work
from climbfast.dataset import Dataset, ReadingOptions, as_dataset
from climbfast.errors import GraphError, Option, OptionError
from climbfast.graphs.class_directions import DECIDED_BITS, undecided
from climbfast.graphs.copies import edges_between_copies
from climbfast.graphs.family_cache import FamilyCache
from climbfast.graphs.graph import Edge, Graph, Names, as_graph, edges_by_name, node_text
from climbfast.graphs.obeying import obeying
from climbfast.graphs.pdag import PDAG, Arc, Pair, pair
from climbfast.interrupts import interruptible
from climbfast.knowledge import Knowledge, KnowledgeOption, as_knowledge
from climbfast.names import sorted_by_name
from climbfast.options import choice, number, whole_number
from climbfast.scores import FNML, Score, scores_of

__all__ = ["DIRECTIONS", "Directions", "EdgeOrienter", "orient"]

RESTARTS = 5
PERTURBATIONS_PER_RESTART = 10  # with five of each, Hepar2 ends where a search from the truth does
MOVED_NODES = 3
TINY = 1e-6  # bits below which a gain is rounding
MIN_GAIN = 1.0

METHODS = ("climb", "global")
EDGES = ("undirected", "all")
Directions = Literal["decided", "all"]
_WITHOUT_A_SCORE = ("compelled", "collider")
DIRECTIONS: tuple[Directions, ...] = get_args(Directions)


@interruptible
def orient(
    graph: Any,
    data: Dataset | Any,
    method: Literal["climb", "global"] = "climb",
    *,
    edges: Literal["undirected", "all"] | None = None,
    directions: Directions = "decided",
    restarts: int | None = None,
    seed: int | None = None,
    min_gain: float | None = None,
    knowledge: KnowledgeOption = None,
    **reading: Unpack[ReadingOptions],
) -> Graph:
    """Direct the edges of a graph by the stochastic complexity of the data.

    Parameters
    ----------
    graph : Graph, Network, or graph of NetworkX
        Its nodes are columns of the data.
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    method : {"climb", "global"}
        "climb" directs one edge after another, the most decisive first, by the stochastic complexity of its two ends
        given their parents so far. "global" finds the directions with the least stochastic complexity of the whole
        graph.
    edges : {"undirected", "all"} or None
        Which edges to direct: only those that are undirected, or all. None is "undirected" for climb, "all" for global.
    directions : {"decided", "all"}
        "decided" leaves an edge undirected if its reversal alone would cost less than one bit, so that the data are
        less than twice as likely with this direction. It stays directed if other edges imply its direction, as the
        other one would close a cycle. "all" directs every edge: the result is a DAG.
    restarts : int or None
        global: number of searches from random directions, besides the one from the result of climb. The best graph is
        perturbed ten times as often. None is 5.
    seed : int or None
        global: random seed. None is 0.
    min_gain : float or None
        global: bits by which other directions have to be better than those so far. 0 finds the best score. None is 1:
        with a smaller gain the data are less than twice as likely, and edges keep the direction that they had.
    knowledge : Knowledge, path of a file, or None
        What is known beforehand: tiers, required and forbidden edges. The result obeys it.
    **reading
        Options of ``Dataset.from_frame`` for a frame, see ``markov_blanket``.

    Returns
    -------
    Graph
        The margin of an edge is the number of bits that its reversal alone would cost. Where all edges are directed it
        can be negative: the reversal would close a cycle, or gain no more than ``min_gain``, or climb directed other
        edges later. With "decided" an edge that others imply has no margin. The ``reasons`` of edges that have the
        direction they had are kept; those of a CPDAG without reasons are compelled; all others are chosen. Edges
        between copies stay as they are: no data can tell their direction. All else is as in `graph`, strengths
        included, but for the name of the method, such as "pc+climb", and the ``figures``, of which only ``bounded``
        and ``bounded_targets`` are kept.

        With knowledge, edges that can have one direction only get it, and the reason "known"; edges that are forbidden
        both ways are removed, and required ones added. An edge that was removed or reversed so is in ``contradicted``,
        as it was in `graph`, with its strength there, or 0 if it has none. Directed edges of `graph` that then form a
        cycle are directed anew. If the edges that are known form a cycle, the weakest of it that is not required is
        removed.

        Without `knowledge`, all edges directed again do not obey what was known when `graph` was found; that, and what
        was contradicted, is then not in the result. Give it again to keep it.

    Raises
    ------
    OptionError
        For an option outside its legal values, or one that the method does not have.
    GraphError
        For directed edges that form a cycle.
    UnknownColumnError
        For a node, or a name in the knowledge, that is not a column.
    KnowledgeError
        For knowledge that contradicts itself.

    References
    ----------
    Marx and Vreeken (2018), "Causal Discovery by Telling Apart Parents and Children", arXiv 1808.06356.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> graph = cf.fges(data)
    >>> graph
    <Graph: 15 nodes, 12 directed and 6 undirected edges, CPDAG>
    >>> found = cf.orient(graph, data)
    >>> found
    <Graph: 15 nodes, 17 directed and 1 undirected edges, neither DAG nor CPDAG>
    >>> found.undirected
    (('reflux', 'weight'),)
    >>> found.reasons["diet", "cholesterol"], round(found.margins["diet", "cholesterol"], 1)
    ('chosen', 55.7)
    >>> cf.orient(graph, data, directions="all")
    <Graph: 15 nodes, 18 directed and 0 undirected edges, DAG>
    """
    begun = seconds_of_work()
    chosen = _Options.check(method, edges, directions, restarts, seed, min_gain)
    graph, data = as_graph(graph), as_dataset(data, **reading)
    if cycle := graph.pdag.cycle():
        path = " -> ".join(node_text(graph.names[x]) for x in cycle)
        raise GraphError(f"the directed edges form a cycle: {path}; orient takes a graph without directed cycles")
    for name in graph.names:
        data.index(name)
    if (known := as_knowledge(knowledge, data.names)) is not None:
        graph = _obeying(graph, known)
    elif chosen.edges == "all":  # which need not obey what was known when the graph was found
        options = {name: value for name, value in graph.options.items() if name != "knowledge"}
        graph = replace(graph, contradicted={}, options=options)
    between = set(edges_between_copies(graph.edges, data))
    searched = _searched(graph, data, between)
    fixed = _fixed(graph, chosen, known)
    arcs = _by_column((edge for edge in graph.directed if edge in fixed), searched, between)
    undirected = _by_column((edge for edge in graph.edges if edge not in fixed), searched, between)
    if searched is data:
        arcs += [(data.index(x), data.index(y)) for x, y in graph.directed if (x, y) in between]
    scores = scores_of(searched, FNML())
    orienter = EdgeOrienter(scores, arcs, [pair(*edge) for edge in undirected], searched.columns)
    orienter.climb()
    if chosen.method == "global":
        orienter.climb_globally(chosen.restarts, chosen.seed, chosen.min_gain)
    found = _directed(graph, data, searched, orienter, between, fixed, chosen, seconds_of_work() - begun)
    if known is not None:
        found = replace(found, options={**found.options, "knowledge": known.to_dict()})
    # A graph of another program knows no rows.
    return replace(found, fewest_rows=min(scores.fewest_rows, graph.fewest_rows or data.rows))


def _obeying(graph: Graph, known: Knowledge) -> Graph:
    """Return a graph that obeys, in which the reason of edges that knowledge directs is "known"."""
    name = sorted_by_name(graph.names)
    number = {x: i for i, x in enumerate(name)}

    def numbered(edges: Iterable[Edge]) -> list[Arc]:
        return [(number[x], number[y]) for x, y in edges]

    pdag = PDAG(len(name), numbered(graph.directed), numbered(graph.undirected))
    strengths = dict(zip(numbered(graph.strengths), graph.strengths.values(), strict=True))
    found = obeying(pdag, known.allowed_arcs(name), strengths)
    edges = edges_by_name(name, found.pdag)
    of_known = [(name[x], name[y]) for x, y in sorted(found.known)]
    now = {*edges["directed"], *edges["undirected"]}
    unchanged = {*edges["directed"]} & {*graph.directed} - {*of_known}
    reasons = {edge: reason for edge, reason in _reasons_of(graph).items() if edge in unchanged}
    separated: dict[Names, float] = {
        edge: 0.0 for edge in of_known for pair in (edge, edge[::-1]) if pair in graph.separating_sets
    }
    joined = {pair for edge in separated for pair in (edge, edge[::-1])}
    return replace(
        graph,
        **edges,
        separating_sets={pair: by for pair, by in graph.separating_sets.items() if pair not in joined},
        strengths={edge: bits for x, bits in graph.strengths.items() for edge in (x, x[::-1]) if edge in now},
        margins={edge: bits for edge, bits in graph.margins.items() if edge in unchanged},
        reasons={**reasons, **dict.fromkeys(of_known, "known")},
        votes={},
        frequencies={},
        contradicted={
            **separated,
            **{(name[x], name[y]): bits for (x, y), bits in sorted(found.contradicted.items())},
            # What was found with other knowledge says nothing of this.
            **(graph.contradicted if graph.options.get("knowledge") == known.to_dict() else {}),
        },
    )


def _fixed(graph: Graph, options: _Options, known: Knowledge | None) -> set[Edge]:
    """Return the directed edges that keep their direction."""
    if options.edges == "undirected":
        return {*graph.directed}
    return set() if known is None else {edge for edge, reason in graph.reasons.items() if reason == "known"}


class _Options(NamedTuple):
    """Options within their legal values."""

    method: str
    edges: str
    directions: str
    restarts: int
    seed: int
    min_gain: float

    @classmethod
    def check(
        cls,
        method: str,
        edges: str | None,
        directions: str,
        restarts: int | None,
        seed: int | None,
        min_gain: float | None,
    ) -> _Options:
        """Return the options of ``orient``, checked."""
        choice("method", method, METHODS)
        choice("directions", directions, DIRECTIONS)
        if edges is not None:
            choice("edges", edges, EDGES)
        if method == "climb":
            for name, value in (("restarts", restarts), ("seed", seed), ("min_gain", min_gain)):
                if value is not None:
                    raise OptionError(Option(name), " is for the method global, not for climb")
        return cls(
            method,
            edges or ("all" if method == "global" else "undirected"),
            directions,
            RESTARTS if restarts is None else whole_number("restarts", restarts),
            0 if seed is None else whole_number("seed", seed),
            MIN_GAIN if min_gain is None else number("min_gain", min_gain),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the options that the method has."""
        found: dict[str, Any] = {"orient": self.method, "edges": self.edges, "directions": self.directions}
        if self.method == "global":
            found |= {"restarts": self.restarts, "seed": self.seed, "min_gain": self.min_gain}
        return found


def _searched(graph: Graph, data: Dataset, between: Collection[Edge]) -> Dataset:
    """Return the data without copies, if of each class one column at most has edges to columns of other classes."""
    ends = {x for edge in graph.edges if edge not in between for x in edge if x in data.copies}
    if any(y in ends for x in ends for y in data.copies[x]):
        return data
    return data.represented_by(sorted_by_name(ends)).without_copies


def _by_column(edges: Iterable[Edge], searched: Dataset, between: Collection[Edge]) -> list[Arc]:
    """Return edges by column number, without those between copies."""
    return [(searched.index(x), searched.index(y)) for x, y in edges if (x, y) not in between]


def _directed(
    graph: Graph,
    data: Dataset,
    searched: Dataset,
    orienter: EdgeOrienter,
    between: Collection[Edge],
    fixed: Collection[Edge],
    options: _Options,
    seconds: float,
) -> Graph:
    """Return the graph with its edges as they were directed, and those between copies as they are."""
    name = searched.canonical
    named = {(x, y): (name[x], name[y]) for x, y in orienter.pdag.arcs()}
    without = {*between, *(edge for edge in fixed if graph.reasons.get(edge) == "known")}
    pdag, margins = orienter.pdag, {arc: orienter.gain(*arc) for arc, edge in named.items() if edge not in without}
    fixed = {*fixed, *between}
    reasons = _reasons(graph, named.values(), fixed)
    reasons |= {edge: "known" for edge in between if graph.reasons.get(edge) == "known"}
    if options.directions == "decided":
        weighed = {
            arc: gain for arc, gain in margins.items() if named[arc] not in fixed and reasons[named[arc]] == "chosen"
        }
        pdag = undecided(pdag, weighed)
        margins = {arc: gain for arc, gain in margins.items() if arc not in weighed or gain >= DECIDED_BITS}
    edges = edges_by_name(name, pdag)
    directed = dict.fromkeys((*edges["directed"], *(edge for edge in graph.directed if edge in between)))
    undirected = dict.fromkeys((*edges["undirected"], *(edge for edge in graph.undirected if edge in between)))
    known = {*named.values(), *between}
    strengths = {edge if edge in known else edge[::-1]: bits for edge, bits in graph.strengths.items()}
    kept = {name: value for name, value in graph.options.items() if name != "bootstrap"}  # that of the frequencies
    return replace(
        graph,
        directed=tuple(directed),
        undirected=tuple(undirected),
        margins={named[arc]: gain for arc, gain in margins.items()},
        reasons={edge: reason for edge, reason in reasons.items() if edge in directed},
        votes={},
        frequencies={},
        strengths=strengths,
        method=f"{graph.method}+{options.method}" if graph.method else options.method,
        options={**kept, **options.to_dict(), **data.treatment.options(data.names)},
        # The others describe the graph as it was.
        figures={name: value for name, value in graph.figures.items() if name in ("bounded", "bounded_targets")},
        rows=data.rows,
        columns=data.columns,
        seconds=graph.seconds + seconds,
        data=data,
    )


def _reasons(graph: Graph, directed: Iterable[Edge], fixed: Collection[Edge]) -> dict[Edge, str]:
    """Return why each edge has its direction now; fixed ones may have no reason."""
    before = _reasons_of(graph)
    found: dict[Edge, str] = {}
    for edge in directed:
        if edge in fixed:
            found |= {edge: before[edge]} if edge in before else {}
        else:
            found[edge] = before[edge] if before.get(edge) in _WITHOUT_A_SCORE else "chosen"
    return found


def _reasons_of(graph: Graph) -> Mapping[Edge, str]:
    """Return the reasons of a graph; those of a CPDAG without reasons are compelled."""
    return graph.reasons or dict.fromkeys(graph.directed if graph.is_cpdag else (), "compelled")


class EdgeOrienter:
    """A partly directed graph, whose undirected edges are oriented until it is a DAG.

    Parameters
    ----------
    scores : Score
    arcs : iterable of (int, int)
        Directed edges, which keep their direction; they form no cycle.
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
        """Return the bits by which x → y is better than y → x, given the other directions."""
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
        # Of a new graph: the order within a set depends on how it was changed, and results must not.
        return PDAG(self.pdag.size, self.pdag.arcs()).topological_order()

    def _orient_by(self, order: Sequence[int]) -> None:
        """Direct the edges from earlier to later nodes."""
        place = {x: i for i, x in enumerate(order)}
        for source, target in self._directed(self._edges):
            if place[source] > place[target]:
                self.pdag.reverse(source, target)

    def _perturbed_order(self, draw: np.random.Generator) -> list[int]:
        """Move some nodes to random places between those that fixed edges join them with."""
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
        """Return all nodes in a random order in which every fixed edge points forward."""
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
