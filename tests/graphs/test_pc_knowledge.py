"""PC with knowledge: true with perfect tests, never against it with any data, and with fewer tests."""

from __future__ import annotations

import random
from itertools import combinations, islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.graphs.background import disobeying, known_arcs, with_knowledge
from climbfast.graphs.pc_orientation import CONFLICTS
from tests.factories import EXAMPLES, draw_net, quiet, quiet_codes
from tests.graphs.classes import every_dag
from tests.graphs.knowledge_of_dags import every_true_tiering, most_directed, random_knowledge, true_knowledge
from tests.graphs.naive import arcs, mixed
from tests.graphs.pc_searches import Separation, Table, all_but_seconds, columns, every_rule, find, true_class
from tests.oracle import DAG, all_dags, random_dag, renamed
from tests.reference import NaiveTester

RULES = list(CONFLICTS)


def assert_most_directed(found: cf.Graph, dag: DAG, known: cf.Knowledge) -> None:
    allowed = known.allowed_arcs(found.names)
    assert mixed(found.pdag) == most_directed(dag, allowed), (dag, known)
    assert found.contradicted == {}
    for x, y in found.directed:
        is_known = allowed.directs(found.index(x), found.index(y))
        assert (found.reasons[x, y] == "known") == is_known, (dag, known, x, y)


def test_every_tiering_of_every_small_dag():
    """The skeleton of the DAG, and every direction that all DAGs of its class have which agree with the tiers.

    Of the tierings of four columns every sixth.
    """
    draw, trials = random.Random(1), 0
    for dag in [dag for n in range(1, 5) for dag in all_dags(n)]:
        dag = renamed(dag, draw.sample(range(len(dag)), len(dag)))
        test, names = Separation(dag), columns(len(dag)).canonical
        for known in islice(every_true_tiering(dag, names), None, None, 6 if len(dag) == 4 else 1):
            trials += 1
            found = find(test, len(dag), knowledge=known, conflicts=RULES[trials % len(RULES)])
            assert_most_directed(found, dag, known)
    assert trials > 200


@every_rule
def test_all_directions_that_follow_from_true_knowledge(conflicts):
    """Of five columns; found by trial of all DAGs of the class."""
    draw = random.Random(conflicts)
    names = columns(5).canonical
    for _ in range(140):
        dag = draw.choice(every_dag(5))
        known = true_knowledge(dag, names, draw)
        assert_most_directed(find(Separation(dag), 5, knowledge=known, conflicts=conflicts), dag, known)


@pytest.mark.parametrize("batch", range(4))
def test_true_knowledge_of_larger_dags(batch):
    """The true class, and what follows from knowledge in it."""
    names = columns(15).canonical
    for seed in range(8 * batch, 8 * batch + 8):
        dag = random_dag(15, seed, edge_probability=0.2, max_parents=3)
        known = true_knowledge(dag, names, random.Random(seed))
        allowed = known.allowed_arcs(names)
        test, expected = Separation(dag), with_knowledge(true_class(dag).pdag, allowed)
        assert expected is not None
        assert set(expected.arcs()) <= arcs(dag)
        for conflicts in (RULES[seed % len(RULES)], "majority"):
            found = find(test, 15, max_given=None, knowledge=known, conflicts=conflicts)
            assert found.pdag == expected, (seed, conflicts, known)
            assert found.contradicted == {}


def assert_obeys(found: cf.Graph, known: cf.Knowledge) -> None:
    allowed = known.allowed_arcs(found.names)
    assert disobeying(found.pdag, allowed) == []
    assert known_arcs(found.pdag, allowed) == []
    assert found.is_acyclic
    assert set(known.required) <= set(found.directed)


def assert_contradictions(found: cf.Graph, known: cf.Knowledge) -> None:
    """What is said to contradict knowledge is not in the graph, or is required."""
    for names, strength in found.contradicted.items():
        if names in known.required:
            assert strength <= 0
        elif len(names) == 2:
            assert not {names, names[::-1]} & set(found.edges)
        else:
            x, y, z = names
            assert x < z
            assert not {(x, y), (z, y)} <= set(found.directed)


@pytest.mark.parametrize("batch", range(5))
def test_no_result_contradicts_knowledge(batch):
    """Knowledge that may be false, and small data, some with copies."""
    contradicted = 0
    for seed in range(25 * batch, 25 * batch + 25):
        draw = random.Random(seed)
        codes = draw_net(seed, draw.randrange(2, 9), draw.choice([50, 200, 1000]))
        if seed % 4 == 0:
            codes = np.concatenate([codes, codes[draw.choices(range(len(codes)), k=draw.choice([1, 2]))]])
        data = quiet_codes(codes)
        known = random_knowledge(data.sorted_names, draw)
        found = cf.pc(data, knowledge=known, conflicts=RULES[seed % len(RULES)])
        assert_obeys(found, known)
        assert_contradictions(found, known)
        contradicted += len(found.contradicted)
        if not data.copies:
            allowed = known.allowed_arcs(found.names)
            assert all(allowed.allows_edge(found.index(x), found.index(y)) for x, y in found.separating_sets)
    assert contradicted > 10


@every_rule
@given(seed=st.integers(0, 10_000), m=st.integers(3, 8))
@settings(max_examples=EXAMPLES // 2)
def test_no_strengths_lead_to_a_contradiction(conflicts, seed, m):
    """Random strengths, the same for the same test."""

    def strength(x, y, given):
        return random.Random(f"{seed} {sorted((x, y))} {sorted(given)}").uniform(-1, 2)

    known = random_knowledge(columns(m).canonical, random.Random(seed))
    found = find(NaiveTester(strength), m, conflicts=conflicts, knowledge=known)
    assert_obeys(found, known)
    assert_contradictions(found, known)


# ---- single rules


@every_rule
def test_forbidding_inside_a_tier_creates_no_false_collider(conflicts):
    """0 <- 2 -> 1, with 0 and 1 in a closed tier, which are not adjacent for no other reason than that."""
    known = cf.Knowledge(tiers=[["c00", "c01"]], closed=True)
    found = find(Separation((frozenset({2}), frozenset({2}), frozenset())), 3, knowledge=known, conflicts=conflicts)
    assert found.undirected == (("c00", "c02"), ("c01", "c02"))
    assert dict(found.separating_sets) == {}
    shown = find(Separation((frozenset(), frozenset(), frozenset({0, 1}))), 3, knowledge=known, conflicts=conflicts)
    assert shown.directed == (("c00", "c02"), ("c01", "c02"))
    assert dict(shown.reasons) == dict.fromkeys(shown.directed, "collider")


@every_rule
def test_a_triple_that_no_set_decides_is_ambiguous(conflicts):
    """3 -> 2 is known; 2 -> 0 would follow if 3 and 0, which are forbidden both ways, were separated by 2."""
    known = cf.Knowledge(forbidden=[("c02", "c03"), ("c00", "c03"), ("c03", "c00")])
    separators = {(0, 1): {()}, (1, 2): {()}, (1, 3): {()}}
    undecided = find(Table(separators), 4, knowledge=known, conflicts=conflicts)
    assert (undecided.directed, undecided.undirected) == ((("c03", "c02"),), (("c00", "c02"),))
    decided = find(Table({**separators, (0, 3): {(2,)}}), 4, knowledge=known, conflicts=conflicts)
    assert decided.directed == (("c02", "c00"), ("c03", "c02"))
    assert decided.reasons["c02", "c00"] == "compelled"
    collider = find(Table({**separators, (0, 3): {()}}), 4, knowledge=known, conflicts=conflicts)
    assert collider.directed == (("c00", "c02"), ("c03", "c02"))
    assert collider.reasons["c00", "c02"] == "collider"
    assert ("c00", "c03") not in {**decided.separating_sets, **collider.separating_sets}


@every_rule
def test_a_v_structure_that_knowledge_forbids_is_reported(conflicts):
    known = cf.Knowledge(required=[("c02", "c00")])

    def strength(x, y, given):
        return {(): -1.0, (2,): 7.5}[tuple(given)] if {x, y} == {0, 1} else 1.0

    found = find(NaiveTester(strength), 3, knowledge=known, conflicts=conflicts)
    assert (found.directed, found.undirected) == ((("c02", "c00"),), (("c01", "c02"),))
    assert found.contradicted == {("c00", "c02", "c01"): 7.5}
    assert find(NaiveTester(strength), 3, conflicts=conflicts).contradicted == {}


@every_rule
def test_a_v_structure_that_closes_a_cycle_with_known_edges_is_reported(conflicts):
    """1 -> 2 -> 3 is known, so that 0 -> 1 <- 3 cannot be."""
    known = cf.Knowledge(required=[("c01", "c02"), ("c02", "c03")])
    found = find(Table({(0, 3): {()}, (0, 2): {(1,)}}), 4, knowledge=known, conflicts=conflicts)
    assert list(found.contradicted) == [("c00", "c01", "c03")]
    assert ("c01", "c03") in found.directed
    assert_obeys(found, known)


@pytest.mark.parametrize(("size", "tests"), [(0, (3,)), (1, (3, 3))])
def test_a_required_edge_stays_though_a_test_separates_it(size, tests):
    """By the marginal test, or given the third column; then it is tested no more."""
    values = {(): -2.5} if size == 0 else {(2,): -0.5}
    known = cf.Knowledge(required=[("c01", "c00")])

    def strength(x, y, given):
        return values.get(tuple(given), 1.0) if {x, y} == {0, 1} else 1.0

    found = find(NaiveTester(strength), 3, knowledge=known, max_given=size)
    weak = min(values.values())
    assert found.contradicted == {("c01", "c00"): weak}
    assert found.strengths["c01", "c00"] == weak
    assert found.reasons["c01", "c00"] == "known"
    assert len(found.edges) == 3
    assert dict(found.separating_sets) == {}


@every_rule
def test_of_a_known_cycle_the_weakest_edge_is_left_out(conflicts):
    weights = {(0, 1): 3.0, (1, 2): 2.0, (0, 2): 4.0}
    test = NaiveTester(lambda x, y, given: weights[min(x, y), max(x, y)])
    around = [("c01", "c00"), ("c02", "c01"), ("c00", "c02")]
    found = find(test, 3, knowledge=cf.Knowledge(forbidden=around), conflicts=conflicts)
    assert found.directed == (("c00", "c01"), ("c02", "c00"))
    assert found.contradicted == {("c01", "c02"): 2.0}
    required = cf.Knowledge(forbidden=around, required=[("c01", "c02")])
    found = find(test, 3, knowledge=required, conflicts=conflicts)
    assert found.directed == (("c01", "c02"), ("c02", "c00"))
    assert found.contradicted == {("c00", "c01"): 3.0}


def test_known_edges_stay_on_a_cycle_of_v_structures():
    """0 → 1 → 2 → 3 → 0, each by a v-structure with another column, 4 to 7; one of them is known."""
    separating = {ends: {()} for ends in combinations(range(8), 2)} | {(0, 2): {(1, 3)}, (1, 3): {(0, 2)}}
    for i in range(4):
        before, after, beyond = i, (i + 1) % 4, (i + 2) % 4
        del separating[min(before, after), max(before, after)], separating[after, 4 + i]
        separating[beyond, 4 + i] = {(after,)}
    known = cf.Knowledge(forbidden=[("c01", "c00")])
    found = find(Table(separating), 8, conflicts="undirected", knowledge=known)
    assert ("c00", "c01") in found.directed
    assert found.reasons["c00", "c01"] == "known"
    assert set(found.pdag.undirected_edges()) == {(1, 2), (2, 3), (0, 3)}
    assert found.is_acyclic


# ---- the work that it saves


class Recorder(Separation):
    """Remembers which tests were made: target, candidate, given."""

    def __init__(self, dag: DAG) -> None:
        super().__init__(dag)
        self.made: list[tuple[int, int, tuple[int, ...]]] = []
        by_dag = self.strength

        def strength(x, y, given):
            self.made.append((x, y, tuple(given)))
            return by_dag(x, y, given)

        self.strength = strength


def test_forbidden_pairs_and_later_columns_are_not_tested():
    """0 to 4 in a closed tier, 5 to 9 after them; but for the ends of unshielded triples, whose middle is decided."""
    dag = (*(frozenset({x - 5} if x >= 5 else ()) for x in range(9)), frozenset({0, 4}))
    names = columns(10).canonical
    test = Recorder(dag)
    find(test, 10, knowledge=cf.Knowledge(tiers=[names[:5], names[5:]], closed=[0]))
    inside = {(x, y) for x, y, _ in test.made if max(x, y) < 5}
    assert inside == {(0, 4)}
    assert all(x >= 5 or max(given, default=0) < 5 for x, _, given in test.made)
    assert sum(not given for _, _, given in test.made) == 45 - 10 + 1


@pytest.fixture(scope="module")
def health() -> cf.Dataset:
    return cf.load_example().sample(2000, seed=3)


def layers(network: cf.Network) -> list[list[str]]:
    """The nodes by the longest path to each, so that no arc is inside a layer."""
    depth: dict[str, int] = {}
    for x in network.topological_order:
        depth[x] = 1 + max((depth[parent] for parent in network.parents[x]), default=-1)
    return [[x for x in network.nodes if depth[x] == layer] for layer in range(1 + max(depth.values()))]


def test_tiers_save_tests(health):
    tiers = layers(cf.load_example())
    plain = cf.pc(health)
    open_, closed = (cf.pc(health, knowledge=cf.Knowledge(tiers=tiers, closed=closed)) for closed in (False, True))
    assert plain.tests > open_.tests > closed.tests
    assert open_.tests_by_size[0] == plain.tests_by_size[0] == 15 * 14 // 2
    assert closed.tests_by_size[0] < plain.tests_by_size[0]


@every_rule
@pytest.mark.parametrize("seed", range(3))
def test_workers_and_the_counting_strategy_change_nothing(health, conflicts, seed):
    known = random_knowledge(health.sorted_names, random.Random(seed))
    found = cf.pc(health, conflicts=conflicts, knowledge=known)
    for options in ({"n_jobs": 2}, {"n_jobs": 5}, {"counting": "sparse"}):
        other = cf.pc(health, conflicts=conflicts, knowledge=known, **options)
        assert all_but_seconds(other) == all_but_seconds(found)
        assert (other.contradicted, other.reasons) == (found.contradicted, found.reasons)


@pytest.mark.parametrize("conflicts", [rule for rule in CONFLICTS if rule != "overwrite"])
def test_the_order_of_columns_and_rows_changes_nothing(health, conflicts):
    draw = np.random.default_rng(1)
    names, rows = draw.permutation(list(health.names)).tolist(), draw.permutation(health.rows)
    turned = quiet({name: np.array(health.codes[health.index(name)])[rows] for name in names})
    for seed in range(3):
        known = random_knowledge(health.sorted_names, random.Random(seed))
        found, other = (cf.pc(data, knowledge=known, conflicts=conflicts) for data in (health, turned))
        assert all_but_seconds(other) == all_but_seconds(found)
        assert (other.contradicted, other.reasons) == (found.contradicted, found.reasons)


def test_it_is_read_from_a_file_and_in_the_options(health, tmp_path):
    known = cf.Knowledge(tiers=[["age", "di*"], ["*disease"]], closed=[0])
    known.save(tmp_path / "known.toml")
    found = cf.pc(health, knowledge=tmp_path / "known.toml")
    assert found.options["knowledge"] == known.to_dict()
    assert all_but_seconds(found) == all_but_seconds(cf.pc(health, knowledge=known))
    assert ("age", "diet") not in found.separating_sets
    empty = cf.pc(health, knowledge=cf.Knowledge())
    assert "knowledge" not in empty.options
    assert all_but_seconds(empty) == all_but_seconds(cf.pc(health))


def test_knowledge_that_does_not_fit_is_refused(health):
    with pytest.raises(cf.UnknownColumnError, match="smokin"):
        cf.pc(health, knowledge=cf.Knowledge(roots=["smokin"]))
    with pytest.raises(cf.OptionError, match="knowledge is a Knowledge"):
        cf.pc(health, knowledge={"roots": ["age"]})
