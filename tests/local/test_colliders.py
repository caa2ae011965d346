"""Collider evidence: what it says of small graphs is true, and what it says of data is what its definition says."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import climbfast as cf
from climbfast.independence.tests import CMI, G2, SCI
from climbfast.local.colliders import LEAST_BITS, EvidenceScale, bits_per_strength, evidence_scale, sides_shown
from climbfast.local.getpcd import getpcd
from climbfast.local.neighborhoods import Neighborhoods
from climbfast.local.neighbors import Neighbors
from climbfast.local.partition import Partition
from tests import incomplete
from tests.batch.runs import run, without_cost
from tests.factories import draw_net, quiet_codes
from tests.oracle import Oracle, all_dags, d_separated, shared, true_children, true_neighbors
from tests.reference import NaiveTester

SCALE = EvidenceScale(1.0, 0.0, math.inf)


def neighborhoods(test, found_by, symmetry="children", scale=SCALE):
    def partition(x, members, parents=(), children=()):
        return Partition(tuple(parents), tuple(y for y in members if y not in parents), {})

    return Neighborhoods(test, found_by, partition, symmetry, scale)


# What d-separation shows


def separators_in(dag, x):
    """For every column that is no neighbor the first set, by size, that separates it from x."""
    others = [y for y in range(len(dag)) if y != x]
    separators = {}
    for y in set(others) - {*true_neighbors(dag, x)}:
        sets = sorted(
            (tuple(z for z, is_in in zip(others, chosen, strict=True) if is_in and z != y)
             for chosen in product([False, True], repeat=len(others))),
            key=len,
        )  # fmt: skip
        separators[y] = next(given for given in sets if d_separated(dag, x, y, given))
    return separators


def true_neighborhoods(dag, symmetry="children"):
    def found_by(x):
        members = true_neighbors(dag, x)
        return Neighbors(members, dict.fromkeys(members, 1.0), separators_in(dag, x))

    return neighborhoods(shared(Oracle, dag), found_by, symmetry)


@pytest.mark.parametrize("nodes", [3, 4, 5])
def test_with_the_true_neighbors_every_v_structure_is_seen_and_nothing_else(nodes):
    for dag in all_dags(nodes):
        around = true_neighborhoods(dag)
        for target in range(nodes):
            parents, children = around.evidence_of(target)
            assert {*parents} <= {*dag[target]}, dag
            assert {*children} <= {*true_children(dag, target)}, dag

            def colliders_with(a, y, dag=dag):
                """The other parents of y that are no neighbors of a."""
                return tuple(x for x in sorted(dag[y]) if x != a and x not in true_neighbors(dag, a))

            shown = {a: colliders_with(a, target) for a in dag[target]}
            assert {a: seen.columns for a, seen in parents.items()} == {a: by for a, by in shown.items() if by}, dag
            shown = {y: colliders_with(target, y) for y in true_children(dag, target)}
            assert {y: seen.columns for y, seen in children.items()} == {y: by for y, by in shown.items() if by}, dag


@pytest.mark.parametrize("symmetry", ["children", "none", "and", "or"])
def test_with_the_sets_of_getpcd_it_never_contradicts_the_graph(symmetry):
    for dag in all_dags(5):
        test = shared(Oracle, dag)
        found = [getpcd(test, x, [y for y in range(5) if y != x], None) for x in range(5)]
        if any(found[x].members != true_neighbors(dag, x) for x in range(5)):
            continue
        around = neighborhoods(test, found.__getitem__, symmetry)
        for target in range(5):
            parents, children = around.evidence_of(target)
            assert {*parents} <= {*dag[target]}, dag
            assert {*children} <= {*true_children(dag, target)}, dag


# What counts


def neighbors(*members, separators=None):
    return Neighbors(members, dict.fromkeys(members, 1.0), separators or {})


def strengths(by_test):
    return NaiveTester(lambda x, y, given: by_test.get((x, y, tuple(given)), -1.0))


FOUND = {0: neighbors(1, separators={2: (3,)}), 1: neighbors(0, 2), 2: neighbors(1), 3: neighbors()}


def test_a_child_is_seen_by_another_neighbor_of_it():
    test = strengths({(0, 2, (1, 3)): 7.5})
    parents, children = neighborhoods(test, FOUND.__getitem__).evidence_of(0)
    assert parents == {}
    assert children == {1: ((2,), 7.5)}


def test_the_other_end_sees_the_same():
    """Of 1, whose parents 0 and 2 are: 0 by the set that separated 2 in the search of 0."""
    test = strengths({(0, 2, (1, 3)): 7.5, (2, 0, (1,)): 4.0})
    parents, children = neighborhoods(test, FOUND.__getitem__).evidence_of(1)
    assert children == {}
    assert parents == {0: ((2,), 7.5), 2: ((0,), 4.0)}


def test_a_neighbor_that_did_not_find_the_target_shows_nothing():
    found = {**FOUND, 1: neighbors(2)}
    assert neighborhoods(strengths({(0, 2, (1, 3)): 7.5}), found.__getitem__).evidence_of(0) == ({}, {})


def test_a_set_with_the_collider_is_not_tested():
    found = {**FOUND, 0: neighbors(1, separators={2: (1, 3)})}
    test = strengths({(0, 2, (1, 3)): 7.5})
    assert neighborhoods(test, found.__getitem__).evidence_of(0) == ({}, {})
    assert test.tests_by_size == []


def test_weak_evidence_shows_nothing():
    test = strengths({(0, 2, (1, 3)): LEAST_BITS})
    assert neighborhoods(test, FOUND.__getitem__, scale=EvidenceScale()).evidence_of(0) == ({}, {})


@pytest.mark.parametrize(
    ("child", "parent", "sides"),
    [(0, 0, (0, 0)), (4, 0, (0, 1)), (0, 4, (1, 0)), (9, 4, (0, 1)), (8.9, 4, (0, 0)), (4, 9, (1, 0)), (4, 8, (0, 0))],
)
def test_of_contradictions_the_stronger_by_five_bits(child, parent, sides):
    is_parent, is_child = sides_shown(np.array([child], float), np.array([parent], float), EvidenceScale().lead)
    assert (is_parent[0], is_child[0]) == sides


def test_without_a_unit_contradictions_show_nothing():
    is_parent, is_child = sides_shown(np.array([1.0]), np.array([1e9]), evidence_scale(Oracle(()), 10).lead)
    assert not is_parent[0]
    assert not is_child[0]


def test_bits_of_the_tests():
    assert [bits_per_strength(test, 200) for test in (SCI(), G2(), CMI(), Oracle(()))] == [1, math.log2(10), 200, None]
    data = quiet_codes(draw_net(3))
    assert bits_per_strength(cf.Tester(data, "x2"), 200) == math.log2(10)


# On data


def majority(seed: int) -> dict[str, np.ndarray]:
    """c2 is t and u, c the majority of t, s1 and s2; with noise."""
    rng = np.random.default_rng(seed)
    t, u, s1, s2 = (rng.integers(0, 2, 4_000) for _ in range(4))
    c2 = np.where(rng.random(4_000) < 0.05, rng.integers(0, 2, 4_000), t & u)
    c = np.where(rng.random(4_000) < 0.05, rng.integers(0, 2, 4_000), (t + s1 + s2) >= 2)
    return {"t": t, "u": u, "s1": s1, "s2": s2, "c": c, "c2": c2}


@pytest.mark.parametrize("seed", range(20))
def test_a_child_that_weighing_takes_for_a_parent(seed):
    found = cf.markov_blanket(majority(seed), "t")
    assert found.children == ("c", "c2")
    assert {"u", "s1", "s2"} == {*found.spouses}
    assert found.evidence["c2"].columns == ("u",)
    assert found.common_children["u"] == ("c2",)


DATA = {
    "complete": lambda: quiet_codes(draw_net(17)),
    "incomplete": lambda: incomplete.encoded(incomplete.net_with_gaps(17, columns=9, rows=200)),
}


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
@pytest.mark.parametrize("test", [SCI(), G2(), CMI(0.03)], ids=str)
@pytest.mark.parametrize("options", [{}, {"symmetry": "and"}, {"symmetry": "or"}, {"symmetry": "none"}], ids=str)
def test_evidence_of_a_run_is_that_of_single_searches(data, test, options):
    data = data()

    def without_rows(blankets):
        """The rows of searches that a run makes for other targets are not among those of a blanket under a rule."""
        kept = without_cost(blankets)
        return {name: replace(blanket, fewest_rows=0) for name, blanket in kept.items()} if options else kept

    alone = without_rows({name: cf.markov_blanket(data, name, test=test, **options) for name in data.names})
    assert without_rows(run(data, test=test, n_jobs=1, **options)) == alone
    assert without_rows(run(data, test=test, n_jobs=2, **options)) == alone
    assert any(blanket.evidence for blanket in alone.values())


@pytest.mark.parametrize("counting", ["bitmaps", "dense", "sparse"])
def test_every_strategy_sees_the_same(counting):
    data = quiet_codes(draw_net(17))
    for name in data.names:
        found = cf.markov_blanket(data, name, counting=counting)
        assert found.evidence == cf.markov_blanket(data, name).evidence


def test_both_ends_see_the_same_and_sides_seen_have_no_margin():
    data = quiet_codes(draw_net(17))
    blankets = run(data, n_jobs=1)
    seen = [(x, y) for x, blanket in blankets.items() for y in blanket.evidence]
    assert seen
    for x, y in seen:
        assert blankets[y].evidence[x] == blankets[x].evidence[y]
        assert (y in blankets[x].parents) == (x in blankets[y].children)
        assert y not in blankets[x].margins


def test_without_evidence_the_rule_of_the_paper():
    data = quiet_codes(draw_net(17))
    for name in data.names:
        found = cf.markov_blanket(data, name, colliders=False)
        assert found.evidence == {}
        assert {*found.margins} == {*found.neighbors}
