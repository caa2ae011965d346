"""Knowledge in searches around one target: true knowledge changes nothing but what it knows; none is contradicted."""

from __future__ import annotations

import random
from functools import partial
from itertools import product

import pytest

import climbfast as cf
from climbfast.independence.tester import Tester
from climbfast.independence.tests import SCI
from climbfast.local.climb import climb
from climbfast.local.colliders import EvidenceScale
from climbfast.local.getpcd import getpcd
from climbfast.local.known_neighbors import known_sides, search_allowed, separating_set, with_required
from climbfast.local.methods import METHODS
from climbfast.local.neighborhoods import Neighborhoods
from climbfast.local.neighbors import Neighbors
from climbfast.local.partition import Partition, partition
from tests.batch.runs import run, without_cost
from tests.factories import draw_net, quiet_codes
from tests.graphs.knowledge_of_dags import every_true_tiering, random_knowledge, true_knowledge
from tests.local.contradictions import contradictions
from tests.oracle import GradedOracle, Oracle, all_dags, ancestors, d_separated, random_dag, shared, true_blanket
from tests.reference import NaiveTester

SCALE = EvidenceScale(1.0, 0.0, float("inf"))


def searched(dag, test, allowed, symmetry, scale, unseen):
    """Neighborhoods by a test that is never wrong; the partition is right where it is not told the side."""

    def neighbors_of(x):
        others = [y for y in range(len(dag)) if y != x]
        return search_allowed(partial(getpcd, max_given=None), test, x, others, allowed)

    def sides(target, members, parents=(), children=()):
        assert {*parents} <= {*dag[target]}, "told a parent that is none"
        assert not {*children} & {*dag[target]}, "told a child that is a parent"
        unseen.update((target, x) for x in members if x not in (*parents, *children))
        split = tuple(x for x in members if x in dag[target]), tuple(x for x in members if x not in dag[target])
        return Partition(*split, {})

    return Neighborhoods(test, neighbors_of, sides, symmetry, scale, allowed)


def turns_descendants(dag, known):
    """Whether only x ← y is allowed for some x of which y is a descendant, but no child.

    The search of x alone may take y for a neighbor, and the rule of Climb's paper asks no parent to find x in turn.
    """
    nodes = range(len(dag))
    allowed = known.allowed_arcs([f"v{x}" for x in nodes])
    return any(allowed.directs(y, x) for y in nodes for x in ancestors(dag, {y}) - {y})


def assert_true(dag, test, known, symmetry, scale, targets):
    allowed, unseen = known.allowed_arcs([f"v{x}" for x in range(len(dag))]), set()
    around = searched(dag, test, allowed, symmetry, scale, unseen)
    for target in targets:
        found, truth = climb(around, target), true_blanket(dag, target)
        by_children = {y: tuple(by) for y, by in found.spouses.items()}
        assert (found.parents, found.children, by_children) == (truth.parents, truth.children, truth.spouses), known
        assert found.contradicted == {}
        one_way = {
            x for x in around.neighbors_of(target).members if allowed.allows(x, target) != allowed.allows(target, x)
        }
        assert {*found.known} == one_way & {*found.parents, *found.children}
        assert not one_way & {x for t, x in unseen if t == target}
        assert not one_way & {*found.evidence}


@pytest.mark.parametrize("nodes", [2, 3, 4])
@pytest.mark.parametrize(("symmetry", "scale"), [("children", SCALE), ("and", None)], ids=["children", "and"])
def test_true_tiers_of_every_small_dag(nodes, symmetry, scale):
    names = [f"v{x}" for x in range(nodes)]
    for dag in all_dags(nodes):
        for known in every_true_tiering(dag, names, step=6 if nodes == 4 else 1):
            if symmetry == "children" and turns_descendants(dag, known):
                continue
            assert_true(dag, shared(Oracle, dag), known, symmetry, scale, range(nodes))


def test_true_knowledge_of_dags_of_15_nodes():
    """Some faults show in one of a hundred."""
    names = [f"v{x}" for x in range(15)]
    for seed in range(200):
        dag = random_dag(15, seed, edge_probability=0.15, max_parents=3)
        known = true_knowledge(dag, names, random.Random(seed))
        symmetry, scale = [("children", SCALE), ("and", SCALE), ("and", None)][seed % 3]
        if turns_descendants(dag, known):
            symmetry = "and"
        assert_true(dag, GradedOracle(dag), known, symmetry, scale, (seed % 15,))


def test_a_set_that_separates_columns_which_must_not_be_adjacent():
    """0 → 1 → 2: given 1, which may be a parent of 2, and not marginally."""
    dag = (frozenset(), frozenset({0}), frozenset({1}))
    names = ["v0", "v1", "v2"]
    allowed = cf.Knowledge(forbidden=[("v0", "v2"), ("v2", "v0")]).allowed_arcs(names)
    found = {0: (1,), 1: (0, 2), 2: (1,)}
    neighbors = {x: Neighbors(members, dict.fromkeys(members, 1.0), {}) for x, members in found.items()}
    assert separating_set(Oracle(dag), neighbors.__getitem__, allowed, None, 0, 2) == (1,)
    assert separating_set(Oracle(dag), neighbors.__getitem__, allowed, 0, 0, 2) is None
    assert d_separated(dag, 0, 2, (1,))


def test_required_partners_are_added_with_the_strength_given_their_set():
    asked = []

    def strength(x, y, given):
        asked.append((x, y, tuple(given)))
        return -2.0 - len(given)

    allowed = cf.Knowledge(required=[("b", "a"), ("a", "c"), ("a", "d")]).allowed_arcs("abcd")
    found = with_required(NaiveTester(strength), allowed, 0, Neighbors((3,), {3: 5.0}, {1: (3,)}))
    assert found == Neighbors((1, 2, 3), {1: -3.0, 2: -2.0, 3: 5.0}, {}, {1: (3,), 2: ()})
    assert asked == [(0, 1, (3,)), (0, 2, ())]
    assert known_sides(allowed, 0, (1, 2, 3)) == ((1,), (2, 3))


OPTIONS = [
    *({"method": name} for name, each in METHODS.items() if each.members is None and each.finds != "neighbors"),
    {"colliders": False},
    {"symmetry": "none"},
    {"symmetry": "and"},
    {"symmetry": "or"},
    {"method": "pcmb", "orient": True},
    {"method": "mmmb", "symmetry": "or"},
    {"max_given": None},
    {"neighbors": "hiton-pc"},
    {"test": "g2"},
    {"test": "cmi", "directions": "all"},
]


@pytest.mark.parametrize("number", range(len(OPTIONS)), ids=[str(options) for options in OPTIONS])
def test_nothing_contradicts_knowledge_and_a_run_finds_the_same(number):
    """Knowledge that is mostly false; four data sets for each of the options."""
    options = OPTIONS[number]
    for seed in range(number, number + 4 * len(OPTIONS), len(OPTIONS)):
        data = quiet_codes(draw_net(seed, columns=8, rows=150))
        known = random_knowledge(data.names, random.Random(seed))
        if not known:
            continue
        found = run(data, n_jobs=1, knowledge=known, **options)
        for blanket in found.values():
            assert contradictions(blanket, known, data.canonical) == []
        single = {name: cf.markov_blanket(data, name, knowledge=known, **options) for name in data.names[::2]}
        assert without_cost(single) == without_cost({name: found[name] for name in single})


def test_what_these_data_have():
    """Without known and contradicted sides of both kinds, the test above would show little."""
    known_sides = against = apart = spouses = 0
    for seed in range(0, 200, 10):
        data = quiet_codes(draw_net(seed, columns=8, rows=150))
        found = run(data, n_jobs=1, knowledge=random_knowledge(data.names, random.Random(seed)))
        known_sides += sum(len(blanket.known) for blanket in found.values())
        bits = [seen.bits for blanket in found.values() for seen in blanket.contradicted.values()]
        against, apart = against + sum(each > 0 for each in bits), apart + sum(each <= 0 for each in bits)
        spouses += sum(len(blanket.spouses) for blanket in found.values())
    assert min(known_sides, against, apart, spouses) > 10


@pytest.mark.parametrize("seed", range(12))
def test_margins_of_open_sides_are_those_of_the_best_partition_that_obeys(seed):
    data = quiet_codes(draw_net(seed, columns=8, rows=400))
    known = random_knowledge(data.names, random.Random(seed))
    at, tester = data.positions, Tester(data, SCI())
    for name in data.names:
        found = cf.markov_blanket(
            data, name, knowledge=known, colliders=False, symmetry="none", directions="all", max_given=1
        )
        members, sure = [at[x] for x in found.neighbors], {at[x] for x in found.known}
        open_ = [x for x in members if x not in sure]

        def score(parents, members=members, target=at[name]):
            return partition(tester, target, members, parents, [x for x in members if x not in parents]).score

        fixed = [at[x] for x in found.parents if at[x] in sure]
        chosen = [*fixed, *(at[x] for x in found.parents if at[x] not in sure)]
        best = score(chosen)
        for sides in product([False, True], repeat=len(open_)):
            assert score([*fixed, *(x for x, is_in in zip(open_, sides, strict=True) if is_in)]) >= best - 1e-6
        assert set(found.margins) == {data.canonical[x] for x in open_}
        for x in open_:
            other = [y for y in chosen if y != x] if x in chosen else [*chosen, x]
            assert found.margins[data.canonical[x]] == pytest.approx(score(other) - best, abs=1e-6)


def test_closed_tiers_save_tests():
    """Of the example: the columns without parents are a closed tier."""
    network = cf.load_example()
    data, has_parent = network.sample(2000, seed=1), {y for _, y in network.arcs}
    first = [x for x in data.names if x not in has_parent]
    known = cf.Knowledge(tiers=[first, sorted(has_parent)], closed=[0])
    free, obeying = (run(data, n_jobs=1, knowledge=each) for each in (None, known))
    assert len(first) > 2
    assert obeying.how["tests"] < free.how["tests"]
    for method in ("getpc", "mmpc", "hiton-pc", "recognize-pc"):
        free, obeying = (cf.neighbors(data, first[0], method, knowledge=each) for each in (None, known))
        assert obeying.tests_by_size[0] < free.tests_by_size[0]
        assert not {*first} & {*obeying.members, *obeying.separating_sets}


def test_known_sides_save_tests():
    """Every side is known: no test is evidence for one, and fewer columns can be spouses."""
    data = cf.load_example().sample(2000, seed=1)
    known = cf.Knowledge(tiers=[[x] for x in data.names])
    free, obeying = (run(data, n_jobs=1, knowledge=each) for each in (None, known))
    assert obeying.how["tests"] < free.how["tests"]
    assert all(blanket.known == blanket.neighbors for blanket in obeying.values())


def test_forbidding_inside_a_tier_makes_no_false_collider():
    """x → z → y, x and y in a closed tier: without a test they are not taken for independent marginally."""
    draw = random.Random(0)
    x = [draw.randrange(2) for _ in range(1000)]
    z = [each if draw.random() < 0.85 else 1 - each for each in x]
    y = [each if draw.random() < 0.85 else 1 - each for each in z]
    data = cf.Dataset.from_frame({"x": x, "y": y, "z": z})
    known = cf.Knowledge(tiers=[["x", "y"]], closed=True)
    for blanket in run(data, n_jobs=1, knowledge=known).values():
        assert blanket.evidence == {}
        assert blanket.spouses == ()
    assert cf.markov_blanket(data, "z", knowledge=known).neighbors == ("x", "y")
