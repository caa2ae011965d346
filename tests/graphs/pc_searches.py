"""What the tests of PC share: searches by d-separation and by tables, and what is compared of a graph."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.equivalence import cpdag
from climbfast.graphs.pc_orientation import CONFLICTS
from tests.factories import draw_codes, quiet_codes
from tests.graphs.naive import arcs
from tests.oracle import DAG, lineages, true_children
from tests.reference import NaiveTester

every_rule = pytest.mark.parametrize("conflicts", CONFLICTS)


@cache
def columns(m: int) -> cf.Dataset:
    """Columns c00, c01, … for tests that do not look at the data."""
    return quiet_codes(draw_codes([2] * m, 8))


def find(test, m: int, **options) -> cf.Graph:
    return cf.pc(columns(m), test, **options)


@cache
def true_class(dag: DAG) -> cf.Graph:
    names = columns(len(dag)).canonical
    found = cpdag(cf.Graph(names, tuple((names[x], names[y]) for x, y in arcs(dag))).pdag)
    return cf.Graph.from_adjacency(names, found.to_adjacency())


def edges(graph: cf.Graph):
    return graph.names, graph.directed, graph.undirected


def all_but_seconds(graph: cf.Graph):
    """All but the time and the options."""
    return *edges(graph), graph.separating_sets, graph.strengths, graph.tests_by_size, graph.skipped


def bits(nodes: Iterable[int]) -> int:
    """A set of nodes as a number, which is quick to compare and to unite with others."""
    return sum(1 << node for node in nodes)


class Separation(NaiveTester):
    """d-separation by the reachable nodes, fast enough for 15 nodes: Koller and Friedman (2009), algorithm 3.1."""

    def __init__(self, dag: DAG) -> None:
        self.parents = [bits(parents) for parents in dag]
        self.children = [bits(true_children(dag, x)) for x in range(len(dag))]
        self.lineages = [bits(lineage) for lineage in lineages(dag)]
        self.reached = cache(self.reached_from)
        super().__init__(lambda x, y, given: 1.0 if self.reached(x, tuple(given)) >> y & 1 else -1.0)

    def reached_from(self, x: int, given: tuple[int, ...]) -> int:
        """The nodes that a path leads to, as bits; going up, and going down, a node is passed once."""
        blocked, above = bits(given), 0
        for node in given:
            above |= self.lineages[node]
        seen_up = seen_down = down = 0
        up = 1 << x
        while up or down:
            seen_up, seen_down = seen_up | up, seen_down | down
            may_rise, may_fall = (up & ~blocked) | (down & above), (up | down) & ~blocked
            up = down = 0
            for node, (parents, children) in enumerate(zip(self.parents, self.children, strict=True)):
                if may_rise >> node & 1:
                    up |= parents
                if may_fall >> node & 1:
                    down |= children
            up, down = up & ~seen_up, down & ~seen_down
        return (seen_up | seen_down) & ~blocked


class Table:
    """Every pair is dependent unless the table says what separates it."""

    def __init__(self, separators: dict[tuple[int, int], set[tuple[int, ...]]]) -> None:
        self.separators = separators

    def sweep(self, target, candidates, given):
        sets = [self.separators.get((min(target, x), max(target, x)), set()) for x in candidates]
        return np.array([-1.0 if tuple(sorted(given)) in of_pair else 1.0 for of_pair in sets])

    def weakest(self, target, candidates, pool, fixed, sizes, known):
        test = NaiveTester(lambda x, y, given: float(self.sweep(x, [y], given)[0]))
        return test.weakest(target, candidates, pool, fixed, sizes, known)


# 0 - 1 - 2 - 3 in which both 0 → 1 ← 2 and 1 → 2 ← 3.
COLLIDING = Table({(0, 2): {()}, (1, 3): {()}, (0, 3): {()}})
