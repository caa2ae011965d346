"""What the tests of PC share: searches by d-separation and by tables, and what is compared of a graph."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.equivalence import cpdag
from climbfast.graphs.pc_orientation import CONFLICTS
from tests.factories import draw_codes, quiet_codes
from tests.graphs.naive import arcs
from tests.oracle import DAG
from tests.reference import NaiveTester

every_rule = pytest.mark.parametrize("conflicts", CONFLICTS)


@cache
def columns(m: int) -> cf.Dataset:
    """Columns c00, c01, … for tests that do not look at the data."""
    return quiet_codes(draw_codes([2] * m, 8))


def find(test, m: int, **options) -> cf.Graph:
    return cf.pc(columns(m), test, **options)


def true_class(dag: DAG) -> cf.Graph:
    names = columns(len(dag)).canonical
    found = cpdag(cf.Graph(names, tuple((names[x], names[y]) for x, y in arcs(dag))).pdag)
    return cf.Graph.from_adjacency(names, found.to_adjacency())


def edges(graph: cf.Graph):
    return graph.names, graph.directed, graph.undirected


def all_but_seconds(graph: cf.Graph):
    """All but the time and the options."""
    return *edges(graph), graph.separating_sets, graph.strengths, graph.tests_by_size, graph.skipped


class Separation(NaiveTester):
    """d-separation by the reachable nodes, fast enough for 15 nodes: Koller and Friedman (2009), algorithm 3.1."""

    def __init__(self, dag: DAG) -> None:
        self.children = [[y for y in range(len(dag)) if x in dag[y]] for x in range(len(dag))]
        self.dag = dag
        self.reached = cache(self.reached_from)
        super().__init__(lambda x, y, given: 1.0 if y in self.reached(x, frozenset(given)) else -1.0)

    def reached_from(self, x: int, given: frozenset[int]) -> set[int]:
        above, waiting = set(), list(given)
        while waiting:
            node = waiting.pop()
            if node not in above:
                above.add(node)
                waiting += self.dag[node]
        seen, reached, paths = set(), set(), [(x, "up")]
        while paths:
            node, way = path = paths.pop()
            if path in seen:
                continue
            seen.add(path)
            if node not in given:
                reached.add(node)
                paths += [(child, "down") for child in self.children[node]]
                if way == "up":
                    paths += [(parent, "up") for parent in self.dag[node]]
            if way == "down" and node in above:
                paths += [(parent, "up") for parent in self.dag[node]]
        return reached


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
