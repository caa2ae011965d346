"""The directions within an equivalence class that a score tells apart, and by how many bits.

The DAGs of a class differ in the edges that its CPDAG leaves undirected. A score that is not equivalent, such as fNML,
prefers some of them. All DAGs of the class are weighed: each has the weight 2^(w·score), and the margin of a direction
is log2 of the weights of all DAGs that have it, minus log2 of those of all that have the other one. So a direction that
most DAGs of the class have, such as away from the middle of a star, needs less support by the score.

The weight w is below 1, since fNML tells less about directions than its bits say. For w = 0, .35 and 1 the shares of
open edges of the true CPDAG that are right are (bench/reports/directions, means over networks): Alarm, Hepar2, Win95pts
and Andes 78, 87 and 84 %; random networks 84, 92 and 93 %. On the latter, in the CPDAG that fges finds, a margin below
.25 bits is right as often as a coin, one of .5 to 1 bit in 73 %, of 1 to 2 bits in 82 %. On six networks that w was not
chosen on (they showed that the best DAG alone is no better than chance) the shares are 79, 69 and 67 %; with less than
.5 bits 40 %, with more 74 %. There a random DAG of the class has 72 %: fNML adds nothing to what the class itself says.

Weights are summed exactly. The undirected edges form chain components; every DAG of the class has, within each, one
node without parents of the component (its root), and any node can be it. He, Jia and Yu (2015), "Counting and Exploring
Sizes of Markov Equivalence Classes of Directed Acyclic Graphs", JMLR 16: once the root is chosen, Meek's rules direct
more edges, and what is left are again chain components, which do not depend on each other. ::

    sum(component) = Σ over roots r: weight of what r directs · Π sum(component that is left)

A component with cliques of a dozen nodes has too many parts for that. There the sums are over the DAGs that hill
climbing over covered edges (Chickering 1995) meets, and an edge that has one direction in all of these has no margin.

The DAG that is returned has the largest expected number of right directions.

With knowledge only the DAGs of the class that obey are weighed: a root that directs a forbidden arc is skipped, and the
search of the other DAGs begins at one that obeys and makes no forbidden arc.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from climbfast.graphs.background import known_arcs, with_knowledge
from climbfast.graphs.equivalence import chain_components, extension
from climbfast.graphs.meek import ALL_RULES, close_pdag
from climbfast.graphs.pdag import PDAG, Arc
from climbfast.knowledge import AllowedArcs
from climbfast.scores import Score

__all__ = [
    "DECIDED_BITS",
    "DECIDED_ODDS",
    "MOST_PARTS",
    "WEIGHT",
    "ClassDirections",
    "direct_class",
    "undecided",
    "with_decided",
]

# Bits below which a direction is left open. bench/reports/directions: on random networks such a direction is right
# about as often as a coin; on published ones the first does not separate right from wrong.
DECIDED_BITS = 1.0  # of the score that is lost if one edge alone is reversed
DECIDED_ODDS = 0.5  # of log2 of the odds within a class
WEIGHT = 0.35
MOST_PARTS = 3000  # chain components within one that are summed exactly: those of a clique of eleven nodes
STEPS = 1 << 20  # per bit, to which scores and margins are rounded, so that sums do not depend on their order

Nodes = frozenset[int]
Number = TypeVar("Number", int, float)


class ClassDirections(NamedTuple):
    """The directions within a class.

    Attributes
    ----------
    dag : PDAG
        A DAG of the class.
    margins : dict of (int, int) to float
        For every edge of the DAG that neither the class nor knowledge compels log2 of the odds of its direction. It can
        be negative where the likelier directions of several edges fit no DAG of the class; it is 0 where nothing was
        weighed.
    exact : bool
        Whether all DAGs of the class (with knowledge: that obey) were weighed, not only those that a search met.
    """

    dag: PDAG
    margins: dict[Arc, float]
    exact: bool


def direct_class(
    cpdag: PDAG,
    score: Score,
    *,
    weight: float = WEIGHT,
    most_parts: int = MOST_PARTS,
    allowed: AllowedArcs | None = None,
) -> ClassDirections:
    """Find the likeliest directions within a class, and their margins.

    Parameters
    ----------
    cpdag : PDAG
        It is not changed.
    score : Score
        One that is not equivalent, such as fNML.
    weight : float
        Factor of the score, 0 or more. With 0 all DAGs of the class are alike.
    most_parts : int
        Parts of one chain component beyond which it is not summed exactly.
    allowed : AllowedArcs, optional
        Only DAGs that obey are weighed; the class has one.
    """
    families = _Families(score, weight)
    directed = with_knowledge(cpdag, allowed)
    assert directed is not None  # a DAG of the class obeys
    dag, margins, exact = cpdag.copy(), dict[Arc, float](), True
    for nodes in chain_components(cpdag):
        forbidden = _forbidden(cpdag, nodes, allowed)
        is_tree = sum(len(cpdag.undirected[x]) for x in nodes) == 2 * (len(nodes) - 1)
        component: _Tree | _Component
        if is_tree and most_parts:
            component = _Tree(cpdag, nodes, forbidden)
        else:
            component = _Component(cpdag, nodes, most_parts, forbidden)
        try:
            odds = _odds(component.log_sums(families))
            arcs = component.likeliest(odds)
        except _TooManyPartsError:
            exact = False
            met = _Met(directed, nodes, families, forbidden)
            odds = _odds(met.log_sums())
            arcs = met.likeliest(odds)
        for arc in arcs:
            dag.orient(*arc)
            if arc[1] in directed.undirected[arc[0]]:
                margins[arc] = odds[arc]
    return ClassDirections(dag, margins, exact)


def _forbidden(cpdag: PDAG, nodes: Iterable[int], allowed: AllowedArcs | None) -> frozenset[Arc]:
    """Return the directions of the edges of a chain component that knowledge forbids."""
    known = () if allowed is None else known_arcs(cpdag, allowed, nodes)
    return frozenset((y, x) for x, y in known)


def with_decided(cpdag: PDAG, found: ClassDirections, threshold: float = DECIDED_ODDS) -> PDAG:
    """Return a class with the directions whose margins reach a threshold, and those that follow from them.

    With knowledge the class is that of ``background.with_knowledge``.

    The result is closed under Meek's rules, has no cycle, and no v-structure that the class does not have, since all of
    its directions are those of one DAG of the class.
    """
    decided = cpdag.copy()
    for (x, y), margin in found.margins.items():
        if margin >= threshold:
            decided.orient(x, y)
    close_pdag(decided, ALL_RULES)
    return decided


def undecided(dag: PDAG, margins: Mapping[Arc, float], threshold: float = DECIDED_BITS) -> PDAG:
    """Return a DAG in which directions with too small a margin are left open, unless others imply them.

    Parameters
    ----------
    dag : PDAG
    margins : mapping of (int, int) to float
        Of the edges that may become undirected.
    threshold : float
        Bits that a direction needs. One with less stays if a directed path leads from the source to the target.
    """
    found = dag.copy()
    left = [arc for arc, margin in margins.items() if not margin >= threshold]
    for arc in left:
        found.undirect(*arc)
    while implied := [arc for arc in left if arc[1] in found.undirected[arc[0]] and found.has_directed_path(*arc)]:
        for arc in implied:
            found.orient(*arc)
    return found


class _Families:
    """Weighted scores of families in bits, each computed once and rounded, so that a float has their sums exactly."""

    def __init__(self, score: Score, weight: float) -> None:
        self._score = score
        self._weight = weight
        self._known: dict[tuple[int, Nodes], float] = {}

    def score(self, x: int, parents: Nodes) -> float:
        key = x, parents
        known = self._known.get(key)
        if known is None:
            bits = self._weight * self._score.score(x, tuple(sorted(parents))) if self._weight else 0.0
            known = self._known[key] = round(bits * STEPS) / STEPS
        return known


class _LogSums(NamedTuple):
    """Log2 of the weights of all DAGs of a part, and of those that have a direction."""

    all: float
    having: dict[Arc, float]


def _odds(sums: _LogSums) -> dict[Arc, float]:
    having = sums.having
    return {(x, y): round((bits - having.get((y, x), bits)) * STEPS) / STEPS for (x, y), bits in having.items()}


def _log_sum(logs: list[float]) -> float:
    """Return log2 Σ 2^bits, the same for every order."""
    most = max(logs)
    return most + math.log2(math.fsum(2.0 ** max(bits - most, -1000.0) for bits in logs))


def _expected(odds: float) -> int:
    """Return the probability of a direction from log2 of its odds, in whole steps."""
    probability: float = 1 / (1 + 2.0 ** min(-odds, 1000.0))
    return round(STEPS * probability)


# ---- exactly


class _Rooting(NamedTuple):
    """What the choice of a root directs in a part, the nodes without undirected edges, and the parts that are left."""

    arcs: list[Arc]
    families: list[tuple[int, Nodes]]
    left: list[_Part]


class _Part(NamedTuple):
    """Nodes of a chain component that undirected edges connect; all have the same parents outside of it."""

    nodes: Nodes
    parents: Nodes


_IMPOSSIBLE = _LogSums(-math.inf, {})  # of a part that no root directs without a forbidden arc


class _Tree:
    """A chain component without cycles: each of its DAGs has all edges directed away from its root.

    The sums of one root follow from those of the root next to it, as only the edge between them is turned; so a
    component of a thousand nodes takes less than a second. The roots that obey are connected.
    """

    def __init__(self, cpdag: PDAG, nodes: list[int], forbidden: frozenset[Arc]) -> None:
        self._near = cpdag.undirected
        self._outside = frozenset(cpdag.parents[nodes[0]])
        self._hang(nodes[0])
        self._possible = self._obeying(forbidden)
        if 0 not in self._possible:
            self._hang(self._order[min(self._possible)])
            self._possible = self._obeying(forbidden)

    def _hang(self, root: int) -> None:
        """Let the tree hang from a root: each node is followed by all below it."""
        self._order, self._above = [root], dict[int, int]()
        waiting = [(x, root) for x in sorted(self._near[root])]
        while waiting:
            x, above = waiting.pop()
            self._order.append(x)
            self._above[x] = above
            waiting += [(y, x) for y in sorted(self._near[x]) if y != above]
        self._place = {x: i for i, x in enumerate(self._order)}
        self._stop = {x: i + 1 for x, i in self._place.items()}  # the place after all below it
        for x in reversed(self._order[1:]):
            above = self._above[x]
            self._stop[above] = max(self._stop[above], self._stop[x])

    def _obeying(self, forbidden: frozenset[Arc]) -> set[int]:
        """Return the places of the roots that direct no forbidden arc."""
        return set(range(len(self._order))).difference(*(self._roots_with(*arc) for arc in forbidden))

    def _roots_with(self, source: int, target: int) -> Sequence[int]:
        """Return the places of the roots that direct an edge from source to target."""
        if self._above.get(source) == target:
            return range(self._place[source], self._stop[source])
        return (*range(self._place[target]), *range(self._stop[target], len(self._order)))

    def log_sums(self, families: _Families) -> _LogSums:
        """Return the sums over all DAGs."""
        outside = self._outside

        def turned(x: int, y: int) -> float:
            """Return what y as the root has more than x as the root."""
            of_x = families.score(x, outside | {y}) - families.score(x, outside)
            return of_x + families.score(y, outside) - families.score(y, outside | {x})

        first = [families.score(x, outside | {above}) for x, above in self._above.items()]
        totals = self._of_roots(math.fsum([families.score(self._order[0], outside), *first]), turned)
        having: dict[Arc, float] = {}
        for x, above in self._above.items():
            for arc in ((above, x), (x, above)):
                if logs := [totals[i] for i in self._roots_with(*arc) if i in totals]:
                    having[arc] = _log_sum(logs)
        return _LogSums(_log_sum([*totals.values()]), having)

    def likeliest(self, odds: Mapping[Arc, float]) -> list[Arc]:
        """Return the edges of the DAG with the largest expected number of right directions."""
        right = {arc: _expected(bits) for arc, bits in odds.items()}
        first = sum(right[above, x] for x, above in self._above.items())
        values = self._of_roots(first, lambda x, y: right[y, x] - right[x, y])
        root = max(values, key=lambda i: (values[i], -self._order[i]))
        return sorted(
            (x, above) if self._place[x] <= root < self._stop[x] else (above, x) for x, above in self._above.items()
        )

    def _of_roots(self, first: Number, turned: Callable[[int, int], Number]) -> dict[int, Number]:
        """Return a sum for each root, by its place, from that of the first and the difference of two adjacent ones."""
        sums = {0: first}
        for x, above in self._above.items():
            if self._place[x] in self._possible:
                sums[self._place[x]] = sums[self._place[above]] + turned(above, x)
        return sums


class _TooManyPartsError(Exception):
    """A component has more parts than are summed."""


class _Component:
    """A chain component, and the parts that its roots leave."""

    def __init__(self, cpdag: PDAG, nodes: list[int], most_parts: int, forbidden: frozenset[Arc]) -> None:
        self._forbidden = forbidden
        self._near = {x: frozenset(cpdag.undirected[x]) for x in nodes}
        self._whole = _Part(frozenset(nodes), frozenset(cpdag.parents[nodes[0]]))
        self._most_parts = most_parts
        self._rootings: dict[_Part, list[_Rooting]] = {}

    def log_sums(self, families: _Families) -> _LogSums:
        """Return the sums over all DAGs."""
        self._find_parts()
        known: dict[_Part, _LogSums] = {}
        return self._log_sums(self._whole, families, known)

    def likeliest(self, odds: Mapping[Arc, float]) -> list[Arc]:
        """Return the edges of the DAG with the largest expected number of right directions."""
        known: dict[_Part, tuple[int, list[Arc]]] = {}
        return self._likeliest(self._whole, odds, known)[1]

    def _log_sums(self, part: _Part, families: _Families, known: dict[_Part, _LogSums]) -> _LogSums:
        if part not in known:
            totals: list[float] = []
            having: dict[Arc, list[float]] = {}
            for rooting in self._rootings_of(part):
                left = [self._log_sums(other, families, known) for other in rooting.left]
                if _IMPOSSIBLE in left:
                    continue
                total = math.fsum([*(families.score(*family) for family in rooting.families), *(s.all for s in left)])
                totals.append(total)
                for arc in rooting.arcs:
                    having.setdefault(arc, []).append(total)
                for sums in left:
                    for arc, bits in sums.having.items():
                        having.setdefault(arc, []).append(total - sums.all + bits)
            sums_of = {arc: _log_sum(logs) for arc, logs in having.items()}
            known[part] = _LogSums(_log_sum(totals), sums_of) if totals else _IMPOSSIBLE
        return known[part]

    def _likeliest(
        self, part: _Part, odds: Mapping[Arc, float], known: dict[_Part, tuple[int, list[Arc]]]
    ) -> tuple[int, list[Arc]]:
        if part not in known:
            best: tuple[int, list[Arc]] = (-1, [])
            for rooting in self._rootings_of(part):
                left = [self._likeliest(other, odds, known) for other in rooting.left]
                if any(value < 0 for value, _ in left):  # no DAG of the part obeys
                    continue
                value = sum(_expected(odds[arc]) for arc in rooting.arcs) + sum(value for value, _ in left)
                if value > best[0]:
                    best = value, [*rooting.arcs, *(arc for _, arcs in left for arc in arcs)]
            known[part] = best
        return known[part]

    def _find_parts(self) -> None:
        """Find all parts before any family is scored: where there are too many, all of that would be in vain."""
        waiting = [self._whole]
        while waiting:
            part = waiting.pop()
            if part not in self._rootings:
                waiting += (left for rooting in self._rootings_of(part) for left in rooting.left)

    def _rootings_of(self, part: _Part) -> list[_Rooting]:
        if part not in self._rootings:
            if len(self._rootings) >= self._most_parts:
                raise _TooManyPartsError
            near = {x: self._near[x] & part.nodes for x in sorted(part.nodes)}
            rootings = [_rooted(near, root, part.parents) for root in near]
            self._rootings[part] = [each for each in rootings if self._forbidden.isdisjoint(each.arcs)]
        return self._rootings[part]


def _rooted(near: Mapping[int, Nodes], root: int, outside: Nodes) -> _Rooting:
    """Direct what follows from the choice of a root in a part, given by the neighbors of each node, which ascend.

    Nodes are directed to those one step farther from the root; among nodes of one distance x - y becomes x -> y if x
    has a parent that is not adjacent to y. No other rule of Meek is needed (He, Jia and Yu 2015, Algorithm 3).
    """
    parents: dict[int, set[int]] = {root: set()}
    undirected: dict[int, set[int]] = {}
    layer = {root}
    while layer:
        before = layer
        layer = set[int]().union(*(near[x] for x in before)).difference(parents)
        parents |= {x: before & near[x] for x in layer}
        undirected |= _direct_among(layer, near, parents)
    inside = {x: outside.union(of_x) for x, of_x in parents.items()}
    return _Rooting(
        sorted((y, x) for x, of_x in parents.items() for y in of_x),
        [(x, inside[x]) for x in near if not undirected.get(x)],
        [_Part(left, inside[min(left)]) for left in _connected(undirected)],
    )


def _direct_among(layer: set[int], near: Mapping[int, Nodes], parents: dict[int, set[int]]) -> dict[int, set[int]]:
    """Direct what follows among nodes of one distance, in place; return the undirected neighbors of each that has some.

    No two of these nodes are parents of each other yet: ``parents`` has those of the distance before.
    """
    undirected = {x: others for x in layer if (others := layer & near[x])}
    waiting = list(undirected)
    while waiting:
        x = waiting.pop()
        for y in [y for y in undirected[x] if not parents[x] <= near[y]]:
            undirected[x].remove(y)
            undirected[y].remove(x)
            parents[y].add(x)
            waiting.append(y)
    return undirected


def _connected(undirected: Mapping[int, set[int]]) -> list[Nodes]:
    """Return the sets of nodes that undirected edges connect, by their first nodes, without those of a single node."""
    seen: set[int] = set()
    found = []
    for start in sorted(undirected):
        if start in seen or not undirected[start]:
            continue
        component, waiting = {start}, [start]
        while waiting:
            new = undirected[waiting.pop()] - component
            component |= new
            waiting += new
        seen |= component
        found.append(frozenset(component))
    return found


# ---- by hill climbing


class _Met:
    """The DAGs of a component that hill climbing meets, as their edges, with their scores."""

    def __init__(self, directed: PDAG, nodes: list[int], families: _Families, forbidden: frozenset[Arc]) -> None:
        self._families = families
        self._nodes = nodes
        # All nodes of the component have the same parents outside of it.
        self._parents = frozenset(directed.parents[nodes[0]]).difference(nodes)
        place = {x: i for i, x in enumerate(nodes)}
        self._forbidden = {(place[x], place[y]) for x, y in forbidden}
        self._scores: dict[tuple[Arc, ...], float] = {}
        member = extension(directed.induced(nodes))
        assert member is not None  # a DAG of the class obeys
        self._climb(member)

    def log_sums(self) -> _LogSums:
        """Return the sums over the DAGs that were met."""
        having: dict[Arc, list[float]] = {}
        for arcs, bits in self._scores.items():
            for x, y in arcs:
                having.setdefault((self._nodes[x], self._nodes[y]), []).append(bits)
        return _LogSums(_log_sum([*self._scores.values()]), {arc: _log_sum(logs) for arc, logs in having.items()})

    def likeliest(self, odds: Mapping[Arc, float]) -> list[Arc]:
        """Return the edges of the DAG with the largest expected number of right directions."""
        named = [[(self._nodes[x], self._nodes[y]) for x, y in arcs] for arcs in sorted(self._scores)]
        return max(named, key=lambda arcs: sum(_expected(odds[arc]) for arc in arcs))

    def _climb(self, member: PDAG) -> None:
        """Reverse the covered edge that gains most while one gains."""
        total = math.fsum(self._score(x, member.parents[x]) for x in range(member.size))
        self._scores[tuple(member.arcs())] = total
        while steps := [(self._gain(member, *arc), arc) for arc in self._reversible(member)]:
            for gain, (x, y) in steps:
                arcs = sorted([(y, x) if arc == (x, y) else arc for arc in member.arcs()])
                self._scores[tuple(arcs)] = total + gain
            gain, arc = max(steps, key=lambda step: step[0])
            if gain <= 0:
                return
            member.reverse(*arc)
            total += gain

    def _score(self, x: int, parents: Iterable[int]) -> float:
        return self._families.score(self._nodes[x], self._parents.union(self._nodes[y] for y in parents))

    def _gain(self, member: PDAG, x: int, y: int) -> float:
        common = member.parents[x]
        of_x = self._score(x, common | {y}) - self._score(x, common)
        return of_x + self._score(y, common) - self._score(y, common | {x})

    def _reversible(self, member: PDAG) -> list[Arc]:
        """Return the edges whose reversal stays in the class, and is allowed."""
        return [
            (x, y)
            for x, y in member.arcs()
            if member.parents[y] - {x} == member.parents[x] and (y, x) not in self._forbidden
        ]
