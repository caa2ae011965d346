"""The structural intervention distance (SID): how many effects of one variable on another a graph gets wrong.

J. Peters and P. Bühlmann (2015), "Structural intervention distance for evaluating causal graphs", Neural Computation
27. A graph says that the effect of i on j is found by adjusting for the parents Z of i; or that there is none, when j
is one of them. Against the true DAG that is wrong when

- j is in Z, and is a descendant of i in truth;
- j is not in Z, and either a node of Z is a descendant of a node other than i on a directed path from i to j, or Z
  leaves a path from i to j open that is not directed.

Departures from the paper's own program: all questions (i, Z) are answered in one walk over the truth, each a bit in
the integer that a node has; and a graph may be any that has an extension to a DAG, not only a CPDAG.

For a graph with undirected edges the distance is that of the best and of the worst DAG in its class, as in the paper.
The parts that undirected edges connect are oriented independently of each other, so they are enumerated one by one.
A part that has more than ``MOST_ORIENTED`` / nodes orientations is bounded node by node instead: the best and the
worst set of parents of each node, whether or not one DAG has them all; and a node that has more than
``MOST_PARENT_SETS`` of these may be all right or all wrong.
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

Question = tuple[int, frozenset[int]]


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
        None when `found` has no extension to a DAG: then it says nothing about effects.
    """
    if extension(found) is None:
        return None
    closed = found.copy()
    close_pdag(closed, ALL_RULES)
    asked = _Asked()
    parts = [[[asked.number(x, closed.parents[x])]] for x in range(closed.size) if not closed.undirected[x]]
    local: list[list[int]] = []
    unknown = 0
    for bucket in chain_components(closed):
        ways = _ways(asked, closed, bucket)
        if ways is not None:
            parts.append(ways)
            continue
        for x in bucket:
            sets = _parent_sets(asked, closed, x)
            local += [sets] if sets is not None else []
            unknown += sets is None
    wrong = wrong_effects(truth, asked.questions)
    sums = [[int(wrong[way].sum()) for way in ways] for ways in parts]
    sums += [wrong[sets].tolist() for sets in local]
    most = unknown * (truth.size - 1)
    exact = not local and not unknown
    return Bounds(sum(map(min, sums)), sum(map(max, sums)) + most, exact)


class _Asked:
    """Questions, each once."""

    def __init__(self) -> None:
        self._number: dict[Question, int] = {}

    def number(self, x: int, parents: Collection[int]) -> int:
        """Return the number of a question."""
        return self._number.setdefault((x, frozenset(parents)), len(self._number))

    @property
    def questions(self) -> list[Question]:
        return list(self._number)


def _ways(asked: _Asked, pdag: PDAG, bucket: Sequence[int]) -> list[list[int]] | None:
    """Return the questions of every orientation of a bucket; None if there are too many."""
    most = MOST_ORIENTED // len(bucket)
    ways = []
    for part in islice(orientations(pdag.induced(bucket)), most + 1):
        inside = ({bucket[p] for p in parents} for parents in part.parents)
        ways.append([asked.number(x, pdag.parents[x] | own) for x, own in zip(bucket, inside, strict=True)])
    return ways if len(ways) <= most else None


def _parent_sets(asked: _Asked, pdag: PDAG, x: int) -> list[int] | None:
    """Return the questions of all sets of parents that make no v-structure at a node; None if there are too many."""
    sets = list(islice(pdag.cliques(pdag.undirected[x]), MOST_PARENT_SETS + 1))
    if len(sets) > MOST_PARENT_SETS:
        return None
    return [asked.number(x, pdag.parents[x].union(clique)) for clique in sets]


def wrong_effects(truth: PDAG, questions: Sequence[tuple[int, Collection[int]]]) -> NDArray[np.int64]:
    """Count for each question (i, Z) the nodes on which the effect of i is wrong when adjusted for Z.

    Parameters
    ----------
    truth : PDAG
        A DAG.
    questions : sequence of (int, collection of int)
        A node i, and the set Z that a graph has as its parents; i is not in it.

    Returns
    -------
    ndarray of int64, shape (questions,)
    """
    starts, adjusted = [0] * truth.size, [0] * truth.size
    for bit, (x, parents) in enumerate(questions):
        starts[x] |= 1 << bit
        for z in parents:
            adjusted[z] |= 1 << bit
    counts = np.zeros(len(questions), dtype=np.int64)
    length = -(-len(questions) // 8)
    for bits in _wrong(truth, starts, adjusted):
        octets = np.frombuffer(bits.to_bytes(length, "little"), dtype=np.uint8)
        counts += np.unpackbits(octets, bitorder="little", count=len(questions))
    return counts


def _wrong(truth: PDAG, starts: list[int], adjusted: list[int]) -> list[int]:
    """For every node j the questions (i, Z) whose answer about j is wrong.

    A bit that is set in ``starts[v]`` says that v is i, in ``adjusted[v]`` that v is in Z; below: that v is a
    descendant of i, an ancestor of Z, and so on. Bits of Python's integers are as many as there are questions.
    """
    order = truth.topological_order()
    below, above = list(starts), list(adjusted)
    for v in order:
        for parent in truth.parents[v]:
            below[v] |= below[parent]
    for v in reversed(order):
        for child in truth.children[v]:
            above[v] |= above[child]
    # Nodes other than i that lead from i to Z: they and all behind them cannot be reached with Z given.
    spoiled = [below[v] & above[v] & ~starts[v] for v in range(truth.size)]
    directly = [0] * truth.size
    for v in order:
        for parent in truth.parents[v]:
            spoiled[v] |= spoiled[parent]
            directly[v] |= starts[parent] | directly[parent] & ~adjusted[parent]
    indirectly = _indirectly(truth, starts, adjusted, above, directly)
    return [
        (adjusted[v] & below[v] | ~adjusted[v] & (spoiled[v] | indirectly[v])) & ~starts[v] for v in range(truth.size)
    ]


def _indirectly(
    truth: PDAG, starts: list[int], adjusted: list[int], above: list[int], directly: list[int]
) -> list[int]:
    """For every node the questions (i, Z) in which a path that is not directed reaches it from i with Z given.

    `directly` are those in which a directed path reaches it with no node of Z between.
    """
    to_parents, to_children = _Spread(truth.parents, starts), _Spread(truth.children, starts)
    # The first turn: up from i itself, or at a collider that a directed path leads to.
    for v in range(truth.size):
        to_parents.send(v, starts[v] | directly[v] & above[v])
    while to_parents.waiting or to_children.waiting:
        if to_parents.waiting:
            v, came = to_parents.next()  # from a child
            to_parents.send(v, came & ~adjusted[v])
        else:
            v, came = to_children.next()  # from a parent; v is a collider when the path goes on to another one
            to_parents.send(v, came & above[v])
        to_children.send(v, came & ~adjusted[v])
    return [a | b for a, b in zip(to_parents.reached, to_children.reached, strict=True)]


class _Spread:
    """Bits on their way along the edges of one direction; those that return to their start are lost."""

    def __init__(self, neighbors: Sequence[Collection[int]], starts: list[int]) -> None:
        self.neighbors, self.starts = neighbors, starts
        self.reached = [0] * len(starts)
        self.waiting: deque[int] = deque()
        self._new = [0] * len(starts)

    def send(self, v: int, bits: int) -> None:
        """Pass bits on to all neighbors of a node."""
        if not bits:
            return
        for other in self.neighbors[v]:
            new = bits & ~(self.reached[other] | self.starts[other])
            if new:
                if not self._new[other]:
                    self.waiting.append(other)
                self.reached[other] |= new
                self._new[other] |= new

    def next(self) -> tuple[int, int]:
        """Return a node and the bits that have reached it since it was returned last."""
        v = self.waiting.popleft()
        new, self._new[v] = self._new[v], 0
        return v, new
