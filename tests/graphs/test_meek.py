"""Meek's rules, one by one, against a naive reference, and against all DAGs that are left."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from climbfast.graphs import meek
from climbfast.graphs.equivalence import cpdag
from climbfast.graphs.meek import ALL_RULES, RULES, close, close_pdag
from climbfast.graphs.pdag import PDAG
from tests.graphs.naive import all_mixed, arcs, extensions, forced, mixed, pdag_of, random_mixed
from tests.graphs.naive import close as naive_close
from tests.oracle import all_dags, random_dag

A, B, C, D = range(4)
LINE = {(A, B), (B, A)}
EXAMPLES = {
    1: {*LINE, (C, A)},
    2: {*LINE, (A, C), (C, B)},
    3: {*LINE, (A, C), (C, A), (A, D), (D, A), (C, B), (D, B)},
    4: {*LINE, (A, C), (C, A), (A, D), (D, A), (D, C), (C, B)},
}


@pytest.mark.parametrize("rule", EXAMPLES)
def test_a_rule_alone(rule):
    graph = EXAMPLES[rule]
    others = set(ALL_RULES) - {rule}
    assert naive_close(frozenset(graph), 4, others) == graph
    pdag = pdag_of(graph, 4)
    assert close_pdag(pdag, {rule}) == [(A, B)]
    assert mixed(pdag) == graph - {(B, A)}
    assert close_pdag(pdag_of(graph, 4), others) == []


@pytest.mark.parametrize(("rule", "x", "y"), [(1, C, B), (3, C, D), (4, D, B)])
def test_a_rule_needs_nodes_that_are_not_adjacent(rule, x, y):
    assert close_pdag(pdag_of(EXAMPLES[rule] | {(x, y)}, 4), {rule}) == []


@pytest.mark.parametrize("rules", [RULES, ALL_RULES])
def test_every_graph_of_four_nodes(rules):
    """Most of these have no extension, and the rules contradict each other."""
    for graph in all_mixed(4):
        pdag = pdag_of(graph, 4)
        close_pdag(pdag, rules)
        assert mixed(pdag) == naive_close(graph, 4, rules)


@pytest.mark.parametrize("rules", [RULES, ALL_RULES])
@pytest.mark.parametrize("size", [5, 7, 10])
def test_random_graphs(rules, size):
    draw = np.random.default_rng(size)
    for i in range(100):
        graph = random_mixed(size, draw, density=(0.3, 0.5, 0.8)[i % 3])
        pdag = pdag_of(graph, size)
        oriented = close_pdag(pdag, rules)
        assert mixed(pdag) == naive_close(graph, size, rules)
        assert set(oriented) == {(x, y) for x, y in graph if (y, x) in graph and (y, x) not in mixed(pdag)}
        if not pdag_of(graph, size).cycle():
            assert not pdag.cycle()
        adjacency = pdag_of(graph, size).to_adjacency()
        assert np.array_equal(close(adjacency, rules), pdag.to_adjacency())


def test_numbers_do_not_matter():
    draw = np.random.default_rng(1)
    for _ in range(100):
        graph = random_mixed(7, draw, density=0.5)
        name = draw.permutation(7).tolist()
        pdag, other = pdag_of(graph, 7), pdag_of({(name[x], name[y]) for x, y in graph}, 7)
        close_pdag(pdag)
        close_pdag(other)
        assert mixed(other) == {(name[x], name[y]) for x, y in mixed(pdag)}


@pytest.mark.parametrize("size", [3, 4, 5])
def test_what_stays_undirected_has_both_directions_in_some_extension(size):
    """A skeleton, its v-structures and some directions that are known: all four rules are complete (Meek 1995)."""
    draw = np.random.default_rng(size)
    for dag in map(arcs, all_dags(size)):
        for _ in range(5):
            graph = dag | {(y, x) for x, y in sorted(dag) if draw.random() < 0.6}
            left = extensions(graph, size)
            if dag not in left:  # then a v-structure is undirected
                continue
            pdag = pdag_of(graph, size)
            close_pdag(pdag, ALL_RULES)
            assert mixed(pdag) == frozenset().union(*left)


def test_only_what_a_change_reaches_is_looked_at():
    """After any one edge of a CPDAG is removed, made or directed, its ends are enough to start from."""
    draw = np.random.default_rng(3)
    for seed in range(500):
        pdag = cpdag(pdag_of(arcs(random_dag(7, seed, edge_probability=0.5)), 7))
        x, y = draw.choice(7, size=2, replace=False).tolist()
        if y in pdag.undirected[x] and draw.random() < 0.5:
            pdag.orient(x, y)
        elif y in pdag.adjacent[x]:
            pdag.remove(x, y)
        else:
            pdag.add_arc(x, y)
        everything = pdag.copy()
        close_pdag(everything, ALL_RULES)
        close_pdag(pdag, ALL_RULES, around=(x, y))
        assert pdag == everything


def test_work_grows_with_the_graph_and_not_with_its_square(monkeypatch):
    """A path that is directed from one end takes as many rounds as it has edges."""
    examined = []
    forced_by = meek._is_forced
    monkeypatch.setattr(meek, "_is_forced", lambda *arguments: examined.append(None) or forced_by(*arguments))
    size = 1000
    pdag = PDAG(size, [(0, 1)], [(x, x + 1) for x in range(1, size - 1)])
    close_pdag(pdag)
    assert list(pdag.arcs()) == [(x, x + 1) for x in range(size - 1)]
    assert len(examined) < 10 * size


def test_the_reference_knows_the_rules():
    for rule, graph in EXAMPLES.items():
        for a, b in permutations(range(4), 2):
            if (a, b) in graph and (b, a) in graph:
                assert forced(frozenset(graph), 4, a, b, {rule}) == ((a, b) == (A, B))
