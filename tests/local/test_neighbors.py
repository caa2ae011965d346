"""Every search of neighbors: with perfect knowledge and the rule of symmetry, the true neighbors of every node."""

from __future__ import annotations

from itertools import combinations

import pytest

from climbfast.independence.tester import Tester
from climbfast.local.methods import METHODS
from tests.factories import draw_codes, quiet_codes
from tests.oracle import DAG, GradedOracle, Oracle, all_dags, random_dag, shared, true_neighbors
from tests.reference import NaiveTester, strength_sci

SEARCHES = {name: method.neighbors for name, method in METHODS.items() if method.finds == "neighbors"}
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES.keys())
SMALL = [dag for n in range(1, 6) for dag in all_dags(n)]


def others(dag: DAG, node: int) -> list[int]:
    return [x for x in range(len(dag)) if x != node]


@every_search
@pytest.mark.parametrize("max_given", [None, 3])
@pytest.mark.parametrize("oracle", [Oracle, GradedOracle])
def test_true_neighbors_of_every_small_dag(search, oracle, max_given):
    """All of them by one oracle, without a limit.

    Every third by the other one, which varies the order of answers and not which are right, and where max_given is 3,
    for which no set of five nodes is too large.
    """
    for dag in SMALL if max_given is None and oracle is Oracle else SMALL[::3]:
        test = shared(oracle, dag)
        found = [search(test, node, others(dag, node), max_given) for node in range(len(dag))]
        for node, of_node in enumerate(found):
            mutual = tuple(x for x in of_node.members if node in found[x].members)
            assert mutual == true_neighbors(dag, node), dag
            assert set(mutual) <= set(of_node.members)
            assert () not in of_node.separators.values()
            for x in {*others(dag, node)} - {*of_node.members}:
                assert test.strength(node, x, of_node.separators.get(x, ())) < 0, dag


@every_search
@pytest.mark.parametrize("seed", range(10))
def test_true_neighbors_of_larger_dags(search, seed):
    dag = random_dag(10, seed, edge_probability=0.25, max_parents=3)
    test = GradedOracle(dag)
    found = [search(test, node, others(dag, node), None).members for node in range(10)]
    for node in range(10):
        assert tuple(x for x in found[node] if node in found[x]) == true_neighbors(dag, node)


@every_search
def test_members_come_with_their_weakest_strength(search):
    codes = draw_codes([3, 2, 3, 2, 3, 2], 500, seed=1, lean=0.7)
    columns, arities = codes.tolist(), [3, 2, 3, 2, 3, 2]
    strength = strength_sci(columns, arities)
    found = search(Tester(quiet_codes(codes)), 2, [0, 1, 3, 4, 5])
    assert set(found.members) >= {1, 3}
    for x in found.members:
        rest = [m for m in found.members if m != x]
        sets = [s for size in range(4) for s in combinations(rest, size)]
        assert 0 < found.strengths[x] <= min(strength(2, x, s) for s in sets) + 1e-7
    for x, separator in found.separators.items():
        assert strength(2, x, separator) <= 0


@every_search
@pytest.mark.parametrize("seed", range(5))
def test_the_kernels_search_as_the_naive_test_does(search, seed):
    """Members, separating sets and tests by size."""
    arities = [2, 3, 2, 3, 2, 3]
    codes = draw_codes(arities, 200, seed, lean=0.6)
    naive, compiled = NaiveTester(strength_sci(codes.tolist(), arities)), Tester(quiet_codes(codes))
    for target in range(6):
        candidates = [x for x in range(6) if x != target]
        expected, found = search(naive, target, candidates), search(compiled, target, candidates)
        assert (found.members, found.separators) == (expected.members, expected.separators)
        assert found.strengths == pytest.approx(expected.strengths)
    assert compiled.tests_by_size == naive.tests_by_size


@every_search
@pytest.mark.parametrize("max_given", [0, 1, 2])
def test_no_set_is_larger_than_max_given(search, max_given):
    dag = random_dag(8, seed=3, edge_probability=0.5)
    test = Oracle(dag)
    for node in range(8):
        found = search(test, node, others(dag, node), max_given)
        assert all(len(separator) <= max_given for separator in found.separators.values())
    assert len(test.tests_by_size) <= max_given + 1


@every_search
def test_no_candidates(search):
    found = search(NaiveTester(lambda x, y, given: 1.0), 0, [])
    assert (found.members, dict(found.strengths), dict(found.separators)) == ((), {}, {})
