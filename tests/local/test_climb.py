"""Climb: with perfect knowledge and the true partition, the true blanket of every node."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import pytest

from climbfast.local.climb import ClimbResult, climb
from climbfast.local.getpcd import getpcd
from climbfast.local.neighborhoods import Neighborhoods, Symmetry
from climbfast.local.neighbors import Neighbors
from climbfast.local.partition import Partition
from tests.oracle import DAG, GradedOracle, Oracle, all_dags, d_separated, random_dag, shared, true_blanket

SMALL = [dag for n in range(1, 6) for dag in all_dags(n)]


@lru_cache(2**11)
def neighbors_by(test: Oracle | GradedOracle, x: int) -> Neighbors:
    """What the search finds around x, which is asked for by all of its neighbors."""
    return getpcd(test, x, [y for y in range(len(test.dag)) if y != x], None)


def climb_by_truth(dag: DAG, target: int, test: Oracle | GradedOracle, symmetry: Symmetry = "children") -> ClimbResult:
    """The blanket of a node when both the test and the partition are never wrong."""

    def neighbors_of(x: int) -> Neighbors:
        return neighbors_by(test, x)

    def partition(target: int, members: Sequence[int]) -> Partition:
        parents = tuple(x for x in members if x in dag[target])
        return Partition(parents, tuple(x for x in members if x not in parents), dict.fromkeys(members, 1.0))

    return climb(Neighborhoods(test, neighbors_of, partition, symmetry), target)


def assert_true(found: ClimbResult, dag: DAG, target: int) -> None:
    """Parents, children, spouses, and by which children each spouse is one."""
    truth = true_blanket(dag, target)
    by_children = {y: tuple(by) for y, by in found.spouses.items()}
    assert (found.parents, found.children, by_children) == (truth.parents, truth.children, truth.spouses), dag


@pytest.mark.parametrize("symmetry", ["children", "and"])
@pytest.mark.parametrize("oracle", [Oracle, GradedOracle])
def test_true_blanket_in_every_small_dag(oracle, symmetry):
    """Where the oracle varies the order of answers, not which are right, every third is enough."""
    for dag in SMALL if oracle is Oracle else SMALL[::3]:
        test = shared(oracle, dag)
        for target in range(len(dag)):
            assert_true(climb_by_truth(dag, target, test, symmetry=symmetry), dag, target)


@pytest.mark.parametrize("symmetry", ["children", "and"])
def test_true_blanket_in_dags_of_15_nodes(symmetry):
    """Of 75, a few with every node, the others with one: all nodes of all take minutes."""
    for seed in range(75):
        dag = random_dag(15, seed, edge_probability=0.15, max_parents=3)
        test = GradedOracle(dag)
        for target in range(15) if seed < 4 else (seed % 15,):
            assert_true(climb_by_truth(dag, target, test, symmetry=symmetry), dag, target)


def test_separators_separate_whoever_found_them():
    for dag in SMALL:
        for target in range(len(dag)):
            found = climb_by_truth(dag, target, shared(Oracle, dag))
            apart = set(range(len(dag))) - {target, *found.parents, *found.children}
            assert apart >= set(found.separators)
            assert all(d_separated(dag, target, x, found.separators.get(x, ())) for x in apart)


def test_a_spouse_by_several_children():
    """0 → 2 ← 1 and 0 → 3 ← 1; 4 → 3 besides."""
    dag = (frozenset(), frozenset(), frozenset({0, 1}), frozenset({0, 1, 4}), frozenset())
    found = climb_by_truth(dag, 0, Oracle(dag))
    assert found.spouses == {1: {2: 1.0, 3: 1.0}, 4: {3: 1.0}}


def neighbors(*members: int, separators: dict[int, tuple[int, ...]] | None = None) -> Neighbors:
    return Neighbors(members, dict.fromkeys(members, 1.0), separators or {})


@pytest.mark.parametrize(("symmetry", "parents"), [("children", (1,)), ("and", ())], ids=["the paper's rule", "and"])
def test_whose_neighbors_have_to_hold_the_target(symmetry, parents):
    """1 is taken for a parent and 2 for a child; neither has the target among its neighbors."""
    found_by = {0: neighbors(1, 2), 1: neighbors(separators={0: (3,)}), 2: neighbors(separators={0: (4,)})}
    asked = []

    def neighbors_of(x):
        asked.append(x)
        return found_by[x]

    def sides(target, members):
        return Partition(tuple(x for x in members if x == 1), tuple(x for x in members if x == 2), {})

    found = climb(Neighborhoods(Oracle((frozenset(),) * 5), neighbors_of, sides, symmetry), 0)
    assert (found.parents, found.children) == (parents, ())
    assert found.separators == ({2: (4,)} if symmetry == "children" else {1: (3,), 2: (4,)})
    assert (1 in asked) == (symmetry == "and")
