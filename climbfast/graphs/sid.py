"""The structural intervention distance (SID): how many causal effects of one variable on another a graph gets wrong.

J. Peters and P. Bühlmann (2015), "Structural intervention distance for evaluating causal graphs", Neural Computation
27. A graph states that the effect of i on j is obtained by adjusting for the parents Z of i; or that there is no
effect, if j is in Z. Given the true DAG, this is wrong if

- j is in Z, and j is a descendant of i in the true DAG;
- j is not in Z, and either Z has a descendant of a node other than i on a directed path from i to j, or a path from i
  to j that is not directed is open given Z.

It departs from the authors' program in two points: all adjustments (i, Z) are checked in one pass over the true DAG,
each as one bit of an integer at every node; and the graph may be any that has an extension to a DAG, not only a CPDAG.

For a graph with undirected edges the distance has bounds, as in the paper: those of the best and of the worst DAG in
its class. Its chain components are oriented independently of each other, so they are enumerated one by one. A component
with more than ``MOST_ORIENTED`` / nodes orientations is bounded node by node instead: the best and the worst set of
parents of each node, whether or not one DAG has them all. A node with more than ``MOST_PARENT_SETS`` of these sets may
have all effects correct or all wrong.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.graphs.equivalence import chain_components, extension, orientations
from climbfast.graphs.meek import ALL_RULES, close_pdag
from climbfast.graphs.pdag import PDAG

__all__ = ["MOST_ORIENTED", "MOST_PARENT_SETS", "Bounds", "intervention_distance", "wrong_effects"]

MOST_ORIENTED = 100_000  # two seconds
MOST_PARENT_SETS = 2_000

Adjustment = tuple[int, frozenset[int]]
"""(i, Z): the effects of i are obtained by adjusting for Z."""


class Bounds(NamedTuple):
    """The smallest and the largest distance in a class, and whether a DAG of the class has each of them."""

    lower: int
    upper: int
    exact: bool


def intervention_distance(truth: PDAG, found: PDAG) -> Bounds | None:
    """Return the distance of a graph from the true DAG.

    Parameters
    ----------
    truth : PDAG
        A DAG.
    found : PDAG
        A graph of the same nodes.

    Returns
    -------
    Bounds or None
        None when `found` has no extension to a DAG: then it states nothing about effects.
    """
    if extension(found) is None:
        return None
    closed = found.copy()
    close_pdag(closed, ALL_RULES)
    adjustments = _Adjustments()
    # For each part of the graph its orientations, each as the numbers of its adjustments.
    parts = [[[adjustments.number(x, closed.parents[x])]] for x in range(closed.size) if not closed.undirected[x]]
    by_node: list[list[int]] = []
    unknown = 0
    for component in chain_components(closed):
        oriented = _orientations(adjustments, closed, component)
        if oriented is not None:
            parts.append(oriented)
            continue
        for x in component:
            sets = _parent_sets(adjustments, closed, x)
            by_node += [sets] if sets is not None else []
            unknown += sets is None
    wrong = wrong_effects(truth, list(adjustments))
    sums = [[int(wrong[numbers].sum()) for numbers in oriented] for oriented in parts]
    sums += [wrong[sets].tolist() for sets in by_node]
    exact = not by_node and not unknown
    return Bounds(sum(map(min, sums)), sum(map(max, sums)) + unknown * (truth.size - 1), exact)


class _Adjustments(dict[Adjustment, int]):
    """Adjustments, each with its number."""

    def number(self, x: int, parents: Collection[int]) -> int:
        """Return the number of an adjustment, which may be new."""
        return self.setdefault((x, frozenset(parents)), len(self))


def _orientations(adjustments: _Adjustments, pdag: PDAG, component: Sequence[int]) -> list[list[int]] | None:
    """Return the adjustments of every orientation of a chain component; None if there are too many."""
    most = MOST_ORIENTED // len(component)
    found = []
    for dag in islice(orientations(pdag.induced(component)), most + 1):
        inside = ({component[parent] for parent in parents} for parents in dag.parents)
        found.append([adjustments.number(x, pdag.parents[x] | more) for x, more in zip(component, inside, strict=True)])
    return found if len(found) <= most else None


def _parent_sets(adjustments: _Adjustments, pdag: PDAG, x: int) -> list[int] | None:
    """Return the adjustments of all parent sets that make no v-structure at a node; None if there are too many."""
    sets = list(islice(pdag.cliques(pdag.undirected[x]), MOST_PARENT_SETS + 1))
    if len(sets) > MOST_PARENT_SETS:
        return None
    return [adjustments.number(x, pdag.parents[x].union(clique)) for clique in sets]


def wrong_effects(truth: PDAG, adjustments: Sequence[tuple[int, Collection[int]]]) -> NDArray[np.int64]:
    """Count for each adjustment (i, Z) the nodes on which it gives a wrong effect of i.

    Parameters
    ----------
    truth : PDAG
        A DAG.
    adjustments : sequence of (int, collection of int)
        A node i, and the set Z that a graph has as its parents; i is not in it.

    Returns
    -------
    ndarray of int64, shape (adjustments,)
    """
    causes, adjusted = [0] * truth.size, [0] * truth.size
    for bit, (x, parents) in enumerate(adjustments):
        causes[x] |= 1 << bit
        for z in parents:
            adjusted[z] |= 1 << bit
    counts = np.zeros(len(adjustments), dtype=np.int64)
    length = -(-len(adjustments) // 8)
    for bits in _wrong(truth, causes, adjusted):
        octets = np.frombuffer(bits.to_bytes(length, "little"), dtype=np.uint8)
        counts += np.unpackbits(octets, bitorder="little", count=len(adjustments))
    return counts


def _wrong(truth: PDAG, causes: list[int], adjusted: list[int]) -> list[int]:
    """Return for every node j the adjustments (i, Z) that give a wrong effect on j.

    Each list has one integer per node v, with one bit per adjustment: in ``causes`` whether v is i, in ``adjusted``
    whether v is in Z; below, whether v is a descendant of i, an ancestor of Z, and so on.
    """
    order = truth.topological_order()
    descendants, ancestors = list(causes), list(adjusted)
    for v in order:
        for parent in truth.parents[v]:
            descendants[v] |= descendants[parent]
    for v in reversed(order):
        for child in truth.children[v]:
            ancestors[v] |= ancestors[child]
    # Z has a descendant of a node on a directed path from i to v, which is forbidden: begins on paths from i to Z.
    forbidden = [descendants[v] & ancestors[v] & ~causes[v] for v in range(truth.size)]
    directed = [0] * truth.size
    for v in order:
        for parent in truth.parents[v]:
            forbidden[v] |= forbidden[parent]
            directed[v] |= causes[parent] | directed[parent] & ~adjusted[parent]
    noncausal = _noncausal(truth, causes, adjusted, ancestors, directed)
    return [
        (adjusted[v] & descendants[v] | ~adjusted[v] & (forbidden[v] | noncausal[v])) & ~causes[v]
        for v in range(truth.size)
    ]


def _noncausal(
    truth: PDAG, causes: list[int], adjusted: list[int], ancestors: list[int], directed: list[int]
) -> list[int]:
    """Return for every node the adjustments (i, Z) given which a path from i to it is open that is not directed.

    `directed` are those for which a directed path from i to the node has no node of Z between.
    """
    to_parents, to_children = _Propagation(truth.parents, causes), _Propagation(truth.children, causes)
    # The first step against a direction: at i itself, or at a collider to which a directed path leads.
    for v in range(truth.size):
        to_parents.send(v, causes[v] | directed[v] & ancestors[v])
    while to_parents.waiting or to_children.waiting:
        if to_parents.waiting:
            v, bits = to_parents.next()  # they come from a child
            to_parents.send(v, bits & ~adjusted[v])
        else:
            v, bits = to_children.next()  # they come from a parent; if the path goes on to another, v is a collider
            to_parents.send(v, bits & ancestors[v])
        to_children.send(v, bits & ~adjusted[v])
    return [a | b for a, b in zip(to_parents.reached, to_children.reached, strict=True)]


class _Propagation:
    """Bits that are sent along the edges in one direction; they do not return to the cause that they began at."""

    def __init__(self, neighbors: Sequence[Collection[int]], causes: list[int]) -> None:
        self.neighbors, self.causes = neighbors, causes
        self.reached = [0] * len(causes)
        self.waiting: deque[int] = deque()
        self._new = [0] * len(causes)

    def send(self, v: int, bits: int) -> None:
        """Send bits to all neighbors of a node."""
        if not bits:
            return
        for other in self.neighbors[v]:
            new = bits & ~(self.reached[other] | self.causes[other])
            if new:
                if not self._new[other]:
                    self.waiting.append(other)
                self.reached[other] |= new
                self._new[other] |= new

    def next(self) -> tuple[int, int]:
        """Return a node, and the bits that have reached it since it was last returned."""
        v = self.waiting.popleft()
        new, self._new[v] = self._new[v], 0
        return v, new
