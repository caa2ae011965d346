"""Every method of the registry: with perfect knowledge the true set, and the rule of symmetry."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import climbfast as cf
from climbfast.local.methods import BEST, METHODS
from tests import incomplete
from tests.factories import draw_codes, draw_hub, named, quiet, quiet_codes
from tests.oracle import GradedOracle, Oracle, all_dags, random_dag, shared, true_blanket, true_neighbors
from tests.reference import NaiveTester, strength_sci

SMALL = [dag for n in range(1, 6) for dag in all_dags(n)]
# All of up to four nodes, and of five every tenth, another one for each oracle. That the searches of neighbors are
# right in all of them is what test_neighbors claims.
OF_EACH_ORACLE = {
    oracle: [dag for i, dag in enumerate(SMALL) if len(dag) < 5 or i % 10 == first]
    for first, oracle in enumerate((GradedOracle, Oracle))
}
BLANKETS = [name for name, method in METHODS.items() if method.finds != "neighbors"]
NEIGHBORS = [name for name, method in METHODS.items() if method.finds == "neighbors"]
PAGE = Path(__file__).parents[2] / "docs" / "howto" / "choosing.md"


def independent_columns(n: int) -> cf.Dataset:
    """Columns as the names that an oracle is asked about; c00 is node 0."""
    return quiet_codes(draw_codes([2] * n, 40, lean=0.0))


DATA = {n: independent_columns(n) for n in (1, 2, 3, 4, 5, 15)}


def names(nodes) -> tuple[str, ...]:
    return tuple(f"c{node:02}" for node in sorted(nodes))


def assert_true_blanket(dag, node: int, method: str, test, **options) -> None:
    truth = true_blanket(dag, node)
    found = cf.markov_blanket(DATA[len(dag)], f"c{node:02}", method, test, **options)
    everything = {*truth.parents, *truth.children, *truth.spouses}
    assert found.members == names(everything), (dag, node)
    if METHODS[method].finds == "blanket":
        assert found.neighbors == names({*truth.parents, *truth.children})
        assert found.spouses == names(truth.spouses)


@pytest.mark.parametrize("oracle", OF_EACH_ORACLE)
@pytest.mark.parametrize("method", [name for name in BLANKETS if name != "climb"])
def test_true_blanket_in_small_dags(method, oracle):
    for dag in OF_EACH_ORACLE[oracle]:
        for node in range(len(dag)):
            assert_true_blanket(dag, node, method, shared(oracle, dag))


@pytest.mark.parametrize("method", [name for name in BLANKETS if name != "climb"])
def test_true_blanket_in_dags_of_15_nodes(method):
    for seed in range(45):
        dag = random_dag(15, seed, edge_probability=0.15, max_parents=3)
        test = shared(GradedOracle, dag)
        for node in range(15) if seed == 0 else (seed % 15,):
            assert_true_blanket(dag, node, method, test, max_given=None)


@pytest.mark.parametrize("method", BLANKETS)
def test_and_makes_blankets_mutual_and_complete(method):
    """With climb, too, though the independent data of an oracle tell it no directions."""
    for dag in SMALL[-60::3]:
        for node in range(len(dag)):
            assert_true_blanket(dag, node, method, shared(Oracle, dag), symmetry="and")


@pytest.mark.parametrize("method", NEIGHBORS)
def test_true_neighbors_in_small_dags(method):
    for dag in OF_EACH_ORACLE[Oracle]:
        for node in range(len(dag)):
            found = cf.neighbors(DATA[len(dag)], f"c{node:02}", method, shared(Oracle, dag), symmetry="and")
            assert found.members == names(true_neighbors(dag, node)), (dag, node)


@pytest.mark.parametrize("method", NEIGHBORS)
def test_true_neighbors_in_dags_of_15_nodes(method):
    for seed in range(75):
        dag = random_dag(15, seed, edge_probability=0.15, max_parents=3)
        node = seed % 15
        found = cf.neighbors(DATA[15], f"c{node:02}", method, shared(GradedOracle, dag), symmetry="and", max_given=None)
        assert found.members == names(true_neighbors(dag, node)), (dag, node)


@pytest.fixture(scope="module")
def sampled() -> cf.Dataset:
    return cf.load_example().sample(2000, seed=3)


@pytest.mark.parametrize(
    ("method", "test"), [(method, ("sci", "g2")[place % 2]) for place, method in enumerate(BLANKETS)]
)
def test_and_is_symmetric_on_data(sampled, method, test):
    members = {x: cf.markov_blanket(sampled, x, method, test, symmetry="and").members for x in sampled.canonical}
    for x, y in combinations(sampled.canonical, 2):
        assert (x in members[y]) == (y in members[x])


@pytest.mark.parametrize("method", METHODS)
def test_or_holds_what_and_holds(sampled, method):
    find = cf.neighbors if METHODS[method].finds == "neighbors" else cf.markov_blanket
    for target in sampled.canonical[:3]:
        few, many = (set(find(sampled, target, method, symmetry=rule).members) for rule in ("and", "or"))
        assert few <= many


@pytest.mark.parametrize("method", METHODS)
def test_counters_and_order_of_columns(sampled, method):
    find = cf.neighbors if METHODS[method].finds == "neighbors" else cf.markov_blanket
    test = cf.G2(min_rows_per_df=150)
    found = find(sampled, "heart_disease", method, test)
    assert found.tests == sum(found.tests_by_size) > 0
    assert found.skipped > 0
    order = np.random.default_rng(0).permutation(len(sampled.names))
    columns = {sampled.names[i]: sampled.codes[sampled.index(sampled.names[i])] for i in order}
    again = find(cf.Dataset.from_frame(columns), "heart_disease", method, test)
    assert (again.members, again.tests_by_size, again.skipped) == (found.members, found.tests_by_size, found.skipped)


@pytest.mark.parametrize("method", [name for name in BLANKETS if name != "climb"])
def test_directions_on_request(sampled, method):
    plain = cf.markov_blanket(sampled, "heart_disease", method)
    assert (plain.parents, plain.children, dict(plain.margins)) == ((), (), {})
    directed = cf.markov_blanket(sampled, "heart_disease", method, orient=True, directions="all")
    assert directed.undecided == ()
    assert {*directed.parents, *directed.children} == {*plain.undecided} == {*directed.margins}


class TestWithoutAnAnswer:
    """Column 2 depends on the target, column 3 does not; of column 1 the strength is not a number."""

    __test__ = False

    def sweep(self, target, candidates, given):
        return np.array([{1: np.nan, 2: 1.0, 3: -1.0}[x] for x in candidates])


@pytest.mark.parametrize("method", ["iamb", "inter-iamb", "fast-iamb", "lambda-iamb"])
def test_a_strength_that_is_not_a_number_is_no_dependence(method):
    search = METHODS[method].members
    assert search(TestWithoutAnAnswer(), 0, [1, 2, 3], None) == (2,)
    assert search(TestWithoutAnAnswer(), 0, [1, 3], None) == ()
    assert search(TestWithoutAnAnswer(), 0, [], None) == ()


def test_no_p_value_no_false_discovery_rate(sampled):
    with pytest.raises(cf.OptionError, match="cmi has no p-value"):
        cf.markov_blanket(sampled, "heart_disease", "iamb-fdr", "cmi")


def test_the_documentation_lists_all():
    listed = re.findall(
        r"^\| `([a-z-]+)` \| (?:neighbors|blanket|causal blanket) \|", PAGE.read_text("utf-8"), re.MULTILINE
    )
    assert listed == ["climb", BEST, *[name for name in METHODS if name != "climb"]]


def test_getpc_inside_climb_is_getpcd_with_its_rule(sampled):
    for target in sampled.canonical:
        by_name = cf.markov_blanket(sampled, target, neighbors="getpc")
        by_rule = cf.markov_blanket(sampled, target, symmetry="and")
        assert (by_name.members, by_name.margins) == (by_rule.members, by_rule.margins)


@pytest.mark.parametrize("most", [0, 1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_no_set_is_larger_than_max_given(sampled, method, most):
    """But for the common child that the test of a spouse adds."""
    find = cf.neighbors if METHODS[method].finds == "neighbors" else cf.markov_blanket
    child = METHODS[method].finds != "neighbors" and METHODS[method].members is None
    for target in sampled.canonical[::3]:
        found = find(sampled, target, method, max_given=most)
        assert len(found.tests_by_size) <= most + 1 + child
        assert (found.symmetry, found.max_given) == (METHODS[method].symmetry, most)


@pytest.mark.parametrize("options", [{"min_margin": 3.0}, {"node_budget": 1}, {"directions": "all"}])
def test_options_of_directions_without_directions(sampled, options):
    message = (
        r"^min_margin, node_budget and directions='all' need directions; gs finds directions only with orient=True$"
    )
    with pytest.raises(cf.OptionError, match=message):
        cf.markov_blanket(sampled, "heart_disease", "gs", **options)


@pytest.mark.parametrize("method", ["pcmb", "climb"])
def test_common_children_are_no_parents(sampled, method):
    for target in sampled.canonical:
        found = cf.markov_blanket(sampled, target, method, symmetry="and", orient=True)
        assert {*found.parents}.isdisjoint({x for by in found.common_children.values() for x in by})


@pytest.mark.parametrize("method", [*BLANKETS, *NEIGHBORS])
def test_the_naive_search_on_columns_with_missing_cells(method):
    """The same search by tests of the reference on the rows that are complete in the columns of each test."""
    data = incomplete.encoded(incomplete.net_with_gaps(4))
    find = cf.neighbors if method in NEIGHBORS else cf.markov_blanket
    naive = NaiveTester(incomplete.naive_strength(data, strength_sci))
    naive.log10_p = cf.Tester(data).log10_p
    naive.log10_alpha = cf.Tester(data).log10_alpha
    naive.rows_per_cell = cf.Tester(data).rows_per_cell
    for target in ("c01", "c03", "c05"):
        found, expected = find(data, target, method), find(data, target, method, naive)
        assert found.members == expected.members
        assert dict(found.separating_sets) == dict(expected.separating_sets)
        assert dict(found.strengths) == pytest.approx(dict(expected.strengths), abs=1e-6)
        assert found.fewest_rows < data.rows
        if find is cf.markov_blanket:
            assert (found.parents, found.children) == (expected.parents, expected.children)
            assert found.spouses == expected.spouses
            for counting in ("bitmaps", "dense", "sparse"):
                assert find(data, target, method, counting=counting) == found


def around_a_hub(data: cf.Dataset, method: str, **options):
    search = cf.neighbors if METHODS[method].finds == "neighbors" else cf.markov_blanket
    return search(data, "c00", method, **options)


@pytest.mark.parametrize("method", METHODS)
def test_a_hub_in_any_order(method):
    codes = draw_hub(7, 400)
    shuffled = codes[:, np.random.default_rng(1).permutation(codes.shape[1])]
    columns = named(shuffled)
    found = around_a_hub(quiet(named(codes)), method, max_pool=3)
    assert around_a_hub(quiet({name: columns[name] for name in reversed(columns)}), method, max_pool=3) == found
    assert found.options["max_pool"] == 3
    full = around_a_hub(quiet(named(codes)), method, max_pool=None)
    assert full.bounded == 0
    if METHODS[method].members is None:
        assert 0 < found.bounded <= len(found.members)
        assert found.tests < full.tests
        assert "not all sets tried (max_pool): " in str(found)
