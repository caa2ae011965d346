"""The structural intervention distance: wrong effects against all paths and against probabilities, and its bounds."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs import sid
from climbfast.graphs.equivalence import cpdag, extension
from climbfast.graphs.pdag import PDAG
from climbfast.graphs.sid import Bounds, intervention_distance, wrong_effects
from tests.graphs import naive
from tests.graphs.classes import every_dag
from tests.graphs.naive import arcs, mixed, pdag_of, random_mixed
from tests.oracle import DAG, all_dags, ancestors, random_dag


def adjustments(size: int):
    """Every node with every set of other nodes."""
    for x in range(size):
        others = [y for y in range(size) if y != x]
        yield from ((x, set(given)) for count in range(size) for given in combinations(others, count))


class TestEffects:
    @pytest.mark.parametrize("size", [2, 3, 4])
    def test_every_adjustment_in_every_dag(self, size):
        """Against all paths, and against the probabilities of a network: two references that share nothing."""
        draw = np.random.default_rng(size)
        every = list(adjustments(size))
        for dag in all_dags(size):
            counts = wrong_effects(pdag_of(arcs(dag), size), every)
            for (x, given), count in zip(every, counts.tolist(), strict=True):
                wrong = naive.wrong_effects(dag, x, given)
                assert count == len(wrong)
                assert wrong == naive.wrong_effects_in_numbers(dag, x, given, draw)

    def test_some_adjustments_in_larger_dags(self):
        draw = np.random.default_rng(1)
        for seed in range(60):
            dag = random_dag(7, seed, edge_probability=0.4)
            some = [(x, {y for y in range(7) if y != x and draw.random() < 0.3}) for x in range(7)]
            counts = wrong_effects(pdag_of(arcs(dag), 7), some)
            assert counts.tolist() == [len(naive.wrong_effects(dag, x, given)) for x, given in some]

    def test_many_adjustments_at_once_are_the_same_as_one_by_one(self):
        dag = pdag_of(arcs(random_dag(6, 4, edge_probability=0.5)), 6)
        every = list(adjustments(6))
        assert wrong_effects(dag, every).tolist() == [int(wrong_effects(dag, [one])[0]) for one in every]
        assert wrong_effects(dag, []).tolist() == []


class TestInterventionDistance:
    @pytest.mark.parametrize("size", [2, 3])
    def test_every_pair_of_dags(self, size):
        for truth in every_dag(size):
            for found in map(arcs, every_dag(size)):
                distance = naive.sid(truth, found)
                assert intervention_distance(pdag_of(arcs(truth), size), pdag_of(found, size)) == (
                    distance,
                    distance,
                    True,
                )

    @pytest.mark.parametrize("size", [4, 5])
    def test_some_pairs_of_larger_dags(self, size):
        for seed in range(150):
            truth = random_dag(size, seed, edge_probability=0.5)
            found = arcs(random_dag(size, seed + 1000, edge_probability=0.5))
            distance = naive.sid(truth, found)
            assert intervention_distance(pdag_of(arcs(truth), size), pdag_of(found, size)).lower == distance

    def test_the_example_of_the_paper(self):
        """Two graphs at Hamming distance 1: an edge more does no harm, a reversed one spoils eight effects."""
        names = ["x1", "x2", "y1", "y2", "y3"]
        common = [(x, y) for x in names[:2] for y in names[2:]]
        truth = cf.Graph(names, [*common, ("x1", "x2")])
        more = cf.Graph(names, [*truth.directed, ("y1", "y2")])
        reversed_ = cf.Graph(names, [*common, ("x2", "x1")])
        assert [cf.compare(truth, found).sid for found in (truth, more, reversed_)] == [0, 0, 8]
        assert [cf.compare(truth, found).shd for found in (truth, more, reversed_)] == [0, 1, 1]

    def test_classes_of_four_nodes(self):
        """The best and the worst DAG of every class, for a truth of each shape."""
        draw = np.random.default_rng(1)
        classes = list(naive.classes(4).values())
        for truth in all_dags(4):
            for number in draw.choice(len(classes), size=6, replace=False):
                distances = [naive.sid(truth, dag) for dag in classes[number]]
                found = cpdag(pdag_of(classes[number][0], 4))
                assert intervention_distance(pdag_of(arcs(truth), 4), found) == Bounds(
                    min(distances), max(distances), True
                )

    def test_any_graph_that_has_an_extension(self):
        draw = np.random.default_rng(2)
        seen = 0
        for _ in range(200):
            graph = random_mixed(5, draw, density=0.5)
            truth = random_dag(5, int(draw.integers(1000)), edge_probability=0.5)
            found = intervention_distance(pdag_of(arcs(truth), 5), pdag_of(graph, 5))
            distances = [naive.sid(truth, dag) for dag in naive.extensions(graph, 5)]
            assert found == (Bounds(min(distances), max(distances), True) if distances else None)
            seen += bool(distances)
        assert seen > 25

    def test_bounds_of_a_class_that_is_too_large(self, monkeypatch):
        """Node by node they hold, and cost less; where a node has too many sets of parents they still hold."""
        cases = [(random_dag(6, seed), cpdag(pdag_of(arcs(random_dag(6, seed + 50)), 6))) for seed in range(20)]
        exact = [intervention_distance(pdag_of(arcs(truth), 6), found) for truth, found in cases]
        assert all(bounds.exact for bounds in exact)
        monkeypatch.setattr(sid, "MOST_ORIENTED", 1)
        for most in (2_000, 1):
            monkeypatch.setattr(sid, "MOST_PARENT_SETS", most)
            local = [intervention_distance(pdag_of(arcs(truth), 6), found) for truth, found in cases]
            assert sum(not bounds.exact for bounds in local) > 10
            for one, other in zip(local, exact, strict=True):
                assert one.lower <= other.lower <= other.upper <= one.upper
                assert one.exact or one.upper <= 6 * 5
        clique = PDAG(13, [], combinations(range(13), 2))  # 13! DAGs, and 4,096 sets of parents a node
        monkeypatch.undo()
        assert intervention_distance(extension(clique), clique) == (0, 13 * 12, False)

    @pytest.mark.parametrize("seed", range(20))
    def test_a_graph_with_more_edges_in_the_same_order_is_right(self, seed):
        truth = random_dag(8, seed)
        graph = nx.DiGraph(arcs(truth))
        graph.add_nodes_from(range(8))
        order = list(nx.topological_sort(graph))
        full = PDAG(8, combinations(order, 2))
        assert intervention_distance(pdag_of(arcs(truth), 8), full) == (0, 0, True)

    @pytest.mark.parametrize("seed", range(20))
    def test_without_edges_what_has_a_common_cause_or_comes_from_the_other_is_wrong(self, seed):
        truth = random_dag(8, seed, edge_probability=0.2)
        above = [ancestors(truth, [x]) for x in range(8)]

        def wrong(x: int, y: int) -> bool:
            if y in above[x]:
                return True
            # A common ancestor with a way to y that does not pass x.
            without = tuple(parents - {x} for parents in truth)
            return bool((above[x] - {x}) & ancestors(without, [y]))

        expected = sum(wrong(x, y) for x in range(8) for y in range(8) if x != y)
        assert intervention_distance(pdag_of(arcs(truth), 8), PDAG(8)) == (expected, expected, True)


def test_a_thousand_nodes():
    """The size that is promised; the sum over nodes is that of adjustments one by one."""
    truth, found = (random_dag(1000, seed, edge_probability=0.003) for seed in (1, 2))
    true = pdag_of(arcs(truth), 1000)
    bounds = intervention_distance(true, pdag_of(arcs(found), 1000))
    some = [(x, found[x]) for x in range(0, 1000, 250)]
    together = wrong_effects(true, list(enumerate(found)))
    assert bounds.lower == bounds.upper == together.sum()
    assert [int(together[x]) for x, _ in some] == [int(wrong_effects(true, [one])[0]) for one in some]


def test_the_reference_agrees_with_itself():
    """Chain, fork and collider, by hand."""
    chain: DAG = (frozenset(), frozenset({0}), frozenset({1}))
    assert naive.wrong_effects(chain, 1, set()) == {0}
    assert naive.wrong_effects(chain, 1, {0}) == set()
    assert naive.wrong_effects(chain, 0, {1}) == {1, 2}
    collider: DAG = (frozenset(), frozenset({0, 2}), frozenset())
    assert naive.wrong_effects(collider, 0, {1}) == {1, 2}
    assert naive.wrong_effects(collider, 1, set()) == {0, 2}
    assert mixed(pdag_of(arcs(collider), 3)) == {(0, 1), (2, 1)}
