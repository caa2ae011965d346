"""markov_blanket from end to end: the truth where it can be known, the same answer however it is asked."""

from __future__ import annotations

import gc
import json
import weakref
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

import climbfast as cf
from climbfast.independence.tester import Tester
from climbfast.local import find
from climbfast.local.getpcd import getpcd
from climbfast.networks.examples import EXAMPLE_TARGET
from tests.factories import draw_codes, quiet, quiet_codes
from tests.reference import NaiveTester, strength_sci

TESTS = ("sci", "g2", "x2", "cmi")


def timeless(blanket: cf.Blanket) -> cf.Blanket:
    return replace(blanket, seconds=0.0)


def columns_of(data: cf.Dataset) -> dict:
    """The codes by name, as a frame would have them."""
    return {name: data.codes[data.index(name)] for name in data.names}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("symmetry", ["children", "and"])
def test_the_example_is_found_whole(network, seed, symmetry):
    found = cf.markov_blanket(network.sample(20_000, seed), EXAMPLE_TARGET, symmetry=symmetry)
    truth = network.blanket(EXAMPLE_TARGET)
    for part in ("parents", "children", "spouses", "common_children"):
        assert getattr(found, part) == getattr(truth, part)


@pytest.mark.parametrize("symmetry", ["children", "and", "or"])
def test_nothing_keeps_the_workspace(data, symmetry, monkeypatch):
    """Of 10^7 rows it is as large as the data: it goes with the search, not with the next collection of cycles."""
    kept = weakref.WeakSet()

    class RegisteredTester(Tester):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            kept.add(self)

    monkeypatch.setattr(find, "Tester", RegisteredTester)
    gc.disable()
    try:
        found = cf.markov_blanket(data, EXAMPLE_TARGET, symmetry=symmetry)
        assert not kept
    finally:
        gc.enable()
    assert found.neighbors


def test_a_result_holds_every_figure(found, data):
    assert (found.target, found.method, found.test) == (EXAMPLE_TARGET, "climb", "sci")
    assert (found.rows, found.columns, found.version) == (20_000, 15, cf.__version__)
    assert found.neighbors == tuple(sorted({*found.parents, *found.children}))
    assert found.members == tuple(sorted({*found.neighbors, *found.spouses}))
    assert sorted([*found.margins, *found.evidence]) == sorted(found.neighbors)
    assert not {*found.margins} & {*found.evidence}
    assert min(found.margins.values()) > 0
    assert min(seen.bits for seen in found.evidence.values()) > 3
    assert tuple(found.strengths) == found.neighbors
    assert min(found.strengths.values()) > 0
    assert tuple(found.common_children) == tuple(found.spouse_strengths) == found.spouses
    assert min(found.spouse_strengths.values()) > 0
    assert set(found.separating_sets) == set(data.names) - {EXAMPLE_TARGET, *found.neighbors}
    assert found.tests == sum(found.tests_by_size) > 0
    assert (found.exact, found.gap, found.skipped, found.undecided) == (True, 0, 0, ())
    assert found.seconds > 0


def test_the_separating_sets_separate_and_the_spouses_depend(found, data):
    for name, separator in found.separating_sets.items():
        assert cf.test(data, EXAMPLE_TARGET, name, separator).independent
    for spouse, children in found.common_children.items():
        strengths = [
            cf.test(data, EXAMPLE_TARGET, spouse, {*found.separating_sets[spouse], child}).strength
            for child in children
        ]
        assert found.spouse_strengths[spouse] == max(strengths)


@pytest.mark.parametrize("test", TESTS)
def test_every_test_finds_the_neighbors(network, data, test):
    options = {"cmi": cf.CMI(cutoff=0.002)}
    found = cf.markov_blanket(data, EXAMPLE_TARGET, test=options.get(test, test))
    assert found.test == test
    assert found.neighbors == network.blanket(EXAMPLE_TARGET).neighbors


@pytest.mark.parametrize("seed", range(3))
def test_the_same_as_with_the_naive_test(seed):
    arities = [2, 3, 2, 3, 2, 3, 2]
    codes = draw_codes(arities, 300, seed, lean=0.6)
    data = quiet_codes(codes)
    for target in data.names:
        naive = NaiveTester(strength_sci(codes.tolist(), arities))
        expected = cf.markov_blanket(data, target, test=naive)
        found = cf.markov_blanket(data, target)
        assert found.spouse_strengths == pytest.approx(expected.spouse_strengths)
        assert found.strengths == pytest.approx(expected.strengths)
        assert found.options == {**expected.options, "min_bits": 0.0}  # none are known of a custom test
        assert found.evidence.keys() == expected.evidence.keys()
        # The unit of a custom test is not known: its blanket has no bar against chance.
        assert {*found.unexplained} <= {*expected.unexplained}
        same = {"test": "", "options": {}, "strengths": {}, "spouse_strengths": {}, "seconds": 0.0, "evidence": {}}
        unchecked = {"unexplained": {}, "rows_per_stratum": 0.0}
        assert replace(found, **same, **unchecked) == replace(expected, **same, **unchecked)


def test_order_of_rows_and_columns_and_the_counting_strategy_change_no_bit(network):
    data = network.sample(2000, seed=4)
    rng = np.random.default_rng(0)
    rows = rng.permutation(data.rows)
    columns = columns_of(data)
    shuffled = quiet({name: columns[name][rows] for name in rng.permutation(data.names)})
    assert shuffled.names != data.names
    for target in data.names:
        expected = timeless(cf.markov_blanket(data, target))
        for counting in ("auto", "bitmaps", "dense", "sparse"):
            assert timeless(cf.markov_blanket(data, target, counting=counting)) == expected
            assert timeless(cf.markov_blanket(shuffled, target, counting=counting)) == expected


def test_the_names_of_the_levels_change_nothing(found, data):
    columns = {name: 2**40 - 1000 * codes.astype(np.int64) for name, codes in columns_of(data).items()}
    assert timeless(cf.markov_blanket(quiet(columns), EXAMPLE_TARGET)) == timeless(found)


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
def test_a_frame_is_taken_as_it_is(found, data, frame):
    assert timeless(cf.markov_blanket(frame(columns_of(data)), EXAMPLE_TARGET)) == timeless(found)


def family(rows: int) -> dict[str, np.ndarray]:
    """Parents p and q of t, its child c, the child's other parent s, and r that is next to q only."""
    rng = np.random.default_rng(0)

    def noisy(column, levels):
        return np.where(rng.random(rows) < 0.75, column, rng.integers(0, levels, rows))

    p, q, s = rng.integers(0, 3, rows), rng.integers(0, 2, rows), rng.integers(0, 2, rows)
    t = noisy(np.minimum(p + q, 2), 3)
    return {"p": p, "q": q, "s": s, "t": t, "c": noisy(np.minimum(t + s, 2), 3), "r": noisy(q, 2)}


def renamed_answers(columns: dict[str, np.ndarray], target: str, times: int) -> set[tuple]:
    """Parents, children, spouses and margins under new names and places, told by what the names stand for.

    A name in the columns may end in the number of a copy, which is not told.
    """
    rng = np.random.default_rng(1)
    answers = set()
    for _ in range(times):
        code = dict(zip(columns, map(str, rng.permutation(list("abcdefghij"))), strict=False))
        meaning = {short: name.rstrip("0123456789") for name, short in code.items()}
        data = quiet({code[name]: columns[name] for name in rng.permutation(list(columns))})
        found = cf.markov_blanket(data, code[target])
        sides = [tuple(sorted(meaning[x] for x in side)) for side in (found.parents, found.children, found.spouses)]
        answers.add((*sides, tuple(sorted((meaning[x], margin) for x, margin in found.margins.items()))))
    return answers


def test_new_names_change_no_more_than_the_names():
    columns = family(2000)
    (answer,) = renamed_answers(columns, "t", 20)
    assert answer[:3] == (("p", "q"), ("c",), ("s",))


@pytest.mark.parametrize("copied", ["p", "q", "s", "c", "r"])
def test_which_copy_comes_first_does_not_matter(copied):
    """A copy and a recoding of one column. Copies of a child hide it: to them the target is superfluous."""
    columns = family(2000)
    columns |= {f"{copied}1": columns[copied], f"{copied}2": columns[copied].max() - columns[copied]}
    (answer,) = renamed_answers(columns, "t", 30)
    assert set(answer[0]) == {"p", "q"}
    assert len(answer[3]) == len({name for name, _ in answer[3]})


def test_a_column_that_is_a_function_of_others_changes_no_answer_by_its_name():
    columns = family(2000)
    columns |= {
        "xor": columns["p"] % 2 ^ columns["q"],
        "sum": columns["p"] + 3 * columns["s"],
        "and": (columns["p"] > 0) & columns["q"],
    }
    columns["c is 2"] = columns["c"] == 2
    assert len(renamed_answers(columns, "t", 30)) == 1


def test_neighbors_of_a_small_margin_are_undecided(data):
    found = cf.markov_blanket(data, EXAMPLE_TARGET, colliders=False)
    ranked = sorted(found.margins.values())
    bar = (ranked[2] + ranked[3]) / 2
    open_ones = tuple(name for name, margin in found.margins.items() if margin < bar)
    result = cf.markov_blanket(data, EXAMPLE_TARGET, min_margin=bar, colliders=False)
    assert result.undecided == open_ones
    assert len(open_ones) == 3
    assert result.parents == tuple(x for x in found.parents if x not in open_ones)
    assert result.children == tuple(x for x in found.children if x not in open_ones)
    assert (result.neighbors, result.members, result.margins) == (found.neighbors, found.members, found.margins)
    graph = result.to_networkx()
    assert all(graph.has_edge(x, EXAMPLE_TARGET) and graph.has_edge(EXAMPLE_TARGET, x) for x in open_ones)
    assert "undecided: " in str(result)


def test_a_partition_out_of_budget_says_so(found, data):
    cut = cf.markov_blanket(data, EXAMPLE_TARGET, node_budget=1)
    assert (cut.exact, cut.gap > 0, cut.neighbors) == (False, True, found.neighbors)
    assert json.loads(cut.to_json())["exact"] is False


@pytest.mark.parametrize("orient", ["no", 0, 1.0])
def test_orient_is_true_or_false(data, orient):
    with pytest.raises(cf.OptionError, match="it is True or False"):
        cf.markov_blanket(data, EXAMPLE_TARGET, method="iamb", orient=orient)


def test_max_given_limits_the_sets(data):
    for max_given in (0, 1, 2):
        found = cf.markov_blanket(data, EXAMPLE_TARGET, max_given=max_given)
        assert max(map(len, found.separating_sets.values()), default=0) <= max_given
    unlimited = cf.markov_blanket(data, EXAMPLE_TARGET, max_given=None)
    assert len(unlimited.tests_by_size) >= len(found.tests_by_size)


def test_a_custom_search(data):
    asked = []

    def search(test, target, candidates, max_given):
        asked.append(target)
        return getpcd(test, target, candidates, max_given)

    found = cf.markov_blanket(data, EXAMPLE_TARGET, colliders=False)
    again = cf.markov_blanket(data, EXAMPLE_TARGET, neighbors=search, colliders=False)
    assert again.search == "search"
    assert timeless(replace(again, search="getpcd")) == timeless(found)
    assert len(asked) == len(set(asked)) == 1 + len(found.children)


def test_a_custom_test_needs_no_more_than_the_two_patterns():
    class Neighborly:
        """Columns next to each other depend, whatever is given; no others do."""

        def sweep(self, target, candidates, given):
            return [1.0 if abs(target - x) == 1 else -1.0 for x in candidates]

        def weakest(self, target, candidates, pool, fixed, sizes, known):
            return self.sweep(target, candidates, fixed), [None if abs(target - x) == 1 else fixed for x in candidates]

    found = cf.markov_blanket(quiet_codes(draw_codes([2] * 5, 100)), "c02", test=Neighborly())
    assert (found.neighbors, found.test) == (("c01", "c03"), "Neighborly")
    assert (found.tests, found.tests_by_size, found.skipped) == (0, (), 0)


def test_a_tester_that_is_used_again_counts_each_blanket_alone(data):
    tester = cf.Tester(data)
    first, second = (cf.markov_blanket(data, EXAMPLE_TARGET, test=tester) for _ in range(2))
    assert first.tests == second.tests


def test_a_tester_of_other_data_is_refused(data):
    with pytest.raises(cf.OptionError, match="other data"):
        cf.markov_blanket(data, EXAMPLE_TARGET, test=cf.Tester(cf.load_example().sample(500, seed=9)))


def test_numbers_of_numpy_are_numbers(found, data):
    options = {"max_given": np.int64(3), "min_margin": np.float32(1), "node_budget": np.int64(200_000)}
    again = cf.markov_blanket(data, EXAMPLE_TARGET, **options)
    assert timeless(replace(again, max_given="default")) == timeless(found)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "pc"}, "the methods are climb, pcmb"),
        ({"test": "fisher"}, "the tests are sci, g2, x2, cmi"),
        ({"test": cf.SCI}, "the tests are sci, g2, x2, cmi"),
        ({"max_given": -1}, "max_given is -1"),
        ({"max_given": 2.5}, "max_given is 2.5"),
        ({"max_given": "3"}, "max_given is '3'"),
        ({"neighbors": "pc"}, "the methods are getpcd"),
        ({"symmetry": "xor"}, "one of and, or, none, children"),
        ({"method": "gs", "symmetry": "children"}, "one of and, or, none"),
        ({"method": "pcmb", "neighbors": "mmpc"}, "pcmb has its own search"),
        ({"method": "mmpc"}, "mmpc' finds neighbors"),
        ({"orient": False}, "^orient=False: the method climb always tells parents from children; pcmb does not$"),
        ({"min_margin": -1}, "min_margin is -1"),
        ({"min_margin": float("nan")}, "min_margin is nan"),
        ({"min_margin": "2"}, "min_margin is '2'"),
        ({"node_budget": 0}, "node_budget is 0"),
        ({"node_budget": "9"}, "node_budget is '9'"),
        ({"node_budget": 1.5}, "node_budget is 1.5"),
        ({"node_budget": None}, "node_budget is None"),
        ({"node_budget": 2**70}, "node_budget is 1180591620717411303424"),
        ({"directions": "some"}, "directions is 'some'; it is one of decided, all"),
        ({"directions": "all", "min_margin": 0}, "^min_margin makes neighbors undecided, and directions='all' none"),
        ({"colliders": "no"}, "colliders is 'no'; it is True or False"),
        ({"method": "pcmb", "orient": True, "colliders": True}, "^colliders is for the method climb; pcmb"),
        ({"neighbors": ["getpcd"]}, "the methods are getpcd"),
        ({"max_given": True}, "max_given is True"),
        ({"test": cf.Tester}, "the tests are sci, g2, x2, cmi"),
        ({"counting": "fast"}, "auto, bitmaps, dense, sparse"),
    ],
)
def test_options_outside_their_legal_values(data, options, message):
    with pytest.raises(cf.OptionError, match=message):
        cf.markov_blanket(data, EXAMPLE_TARGET, **options)


def test_a_target_that_does_not_exist(data):
    with pytest.raises(cf.UnknownColumnError, match="the nearest are 'heart_disease'"):
        cf.markov_blanket(data, "heart_diseases")


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    "columns",
    [
        {"x": [1]},
        {"x": [1, 2, 1]},
        {"x": [1], "y": [2], "z": [3]},
        {"x": [0, 1], "y": [1, 0]},
        {"x": [0, 0, 0], "y": [0, 1, 2]},
        {"x": [0, 1, 0], **{f"y{i}": [i % 2, 1, 0] for i in range(9)}},
    ],
    ids=["one cell", "one column", "one row", "two rows", "a constant target", "fewer rows than columns"],
)
@pytest.mark.parametrize("max_given", [3, None])
def test_the_smallest_tables_have_an_answer(columns, test, max_given):
    data = quiet(columns)
    for target in columns:
        found = cf.markov_blanket(data, target, test=test, max_given=max_given)
        assert set(found.members) <= set(columns) - {target}
        json.loads(found.to_json())
    if data.rows == 1:
        assert found.members == ()


def test_two_columns():
    x, y, z = draw_codes([3, 2, 2], 400, lean=0.7)
    joined = cf.markov_blanket(quiet({"x": x, "y": y}), "x")
    assert joined.neighbors == ("y",)
    assert joined.spouses == ()
    alone = cf.markov_blanket(quiet({"x": x, "z": np.random.default_rng(5).permutation(z)}), "x")
    assert (alone.members, alone.separating_sets) == ((), {"z": ()})


def test_a_constant_column_is_in_no_blanket():
    x, y = draw_codes([3, 2], 400, lean=0.7)
    found = cf.markov_blanket(quiet({"x": x, "y": y, "c": ["a"] * 400}), "x")
    assert (found.members, found.separating_sets) == (("y",), {"c": ()})


@pytest.mark.parametrize(
    "names",
    [
        ["a b", "a,b", 'say "x"'],
        ["x & y", "x --> y", "y\n"],
        ["größe", "名前", "🫀"],
        ["n" * 300, "n" * 299, "N" * 300],
        ["x", "X", "x "],
        [0, 1, 2],
        [("a", 1), ("a", 2), ("b", 1)],
    ],
    ids=str,
)
def test_names_are_opaque(names):
    columns = dict(zip(names, draw_codes([3, 2, 3], 400, lean=0.7), strict=True))
    found = cf.markov_blanket(quiet(pd.DataFrame(columns) if isinstance(names[0], str) else columns), names[1])
    assert set(found.neighbors) == {names[0], names[2]}
    assert set(json.loads(found.to_json())["margins"]) == {str(names[0]), str(names[2])}
    assert set(found.to_networkx()) >= {*found.neighbors}
    assert str(names[0]) in str(found)


@pytest.fixture(scope="module")
def health():
    return cf.load_example().sample(2_000, seed=1)


class TestKnowledge:
    def test_what_was_known_about_the_target_and_the_members_is_among_the_options(self, health):
        known = cf.Knowledge(tiers=[["smoking"], ["heart_disease"]], forbidden=[("reflux", "sleep")])
        found = cf.markov_blanket(health, "smoking", knowledge=known)
        assert found.options["knowledge"] == known.about([found.target, *found.members], at=[found.target]).to_dict()
        assert "knowledge" not in cf.markov_blanket(health, "smoking").options
        assert "knowledge" not in cf.markov_blanket(health, "smoking", knowledge=cf.Knowledge()).options

    def test_a_required_neighbor_that_the_tests_separate(self, health):
        known = cf.Knowledge(required=[("reflux", "smoking")])
        found = cf.markov_blanket(health, "smoking", knowledge=known)
        assert "reflux" in found.parents
        assert "reflux" in found.known
        assert "reflux" not in found.separating_sets
        columns, bits = found.contradicted["reflux"]
        test = cf.test(health, "smoking", "reflux", columns)
        assert bits == found.strengths["reflux"] == pytest.approx(test.strength)
        assert bits <= 0
        assert cf.neighbors(health, "smoking", knowledge=known).strengths["reflux"] <= 0

    def test_evidence_against_a_known_side_is_the_evidence_without_it(self, health):
        free = cf.markov_blanket(health, "heart_disease")
        child = max(free.evidence, key=lambda name: (free.evidence[name].bits, name))
        assert child in free.children
        found = cf.markov_blanket(health, "heart_disease", knowledge=cf.Knowledge(tiers=[[child], ["heart_disease"]]))
        assert child in found.parents
        assert found.contradicted == {child: free.evidence[child]}
        assert child not in {**found.margins, **found.evidence}

    def test_methods_and_searches_that_cannot_honor_it_refuse(self, health):
        known = cf.Knowledge(tiers=[["smoking"]])
        with pytest.raises(cf.OptionError, match=r"method gs .* cannot honor"):
            cf.markov_blanket(health, "smoking", "gs", knowledge=known)
        with pytest.raises(cf.OptionError, match=r"method iamb .* cannot honor"):
            cf.markov_blankets(health, method="iamb", knowledge=known, progress=False)
        with pytest.raises(cf.UnknownColumnError, match="smokin"):
            cf.markov_blanket(health, "smoking", knowledge=cf.Knowledge(tiers=[["smokin"]]))


@pytest.fixture(scope="module")
def with_copy():
    draw = np.random.default_rng(0)
    a = draw.integers(0, 2, 500)
    x = np.where(draw.random(500) < 0.9, a, 1 - a)
    return quiet({"a": a, "b": 1 - a, "x": x, "y": draw.integers(0, 2, 500)})


class TestKnowledgeOfCopies:
    """Column "a" is searched; "b" is a copy of it."""

    SEARCHES = (
        cf.neighbors,
        cf.markov_blanket,
        lambda data, target, **options: cf.markov_blanket(data, target, "best", **options),
        lambda data, target, **options: cf.markov_blankets(data, [target], progress=False, **options)[target],
        lambda data, target, **options: cf.markov_blankets(data, [target], "best", progress=False, **options)[target],
    )

    @pytest.mark.parametrize("search", SEARCHES)
    @pytest.mark.parametrize(
        ("target", "known"),
        [
            ("b", cf.Knowledge(required=[("b", "y")])),
            ("y", cf.Knowledge(required=[("b", "y")])),
            ("a", cf.Knowledge(required=[("a", "b")])),
            ("b", cf.Knowledge(tiers=[["x"], ["b"]])),
            ("b", cf.Knowledge(leaves=["b"])),
            ("b", cf.Knowledge(forbidden=[("x", "b")])),
        ],
        ids=str,
    )
    def test_what_cannot_be_honored_is_refused(self, with_copy, search, target, known):
        with pytest.raises(
            cf.KnowledgeError,
            match=r"cannot be honored of columns .*: 'b' \(a copy of 'a'\); name them in representative",
        ):
            search(with_copy, target, knowledge=known)

    @pytest.mark.parametrize("search", SEARCHES)
    def test_what_agrees_is_honored(self, with_copy, search):
        known = cf.Knowledge(tiers=[["a", "b"], ["x"]], required=[("a", "y")])
        for target in "abxy":
            search(with_copy, target, knowledge=known)
        only_b = cf.Knowledge(required=[("b", "y")], forbidden=[("x", "b")])
        for target in "abxy":
            search(with_copy, target, knowledge=only_b, representative="b")
        assert "b" in search(with_copy, "y", knowledge=only_b, representative="b").members
        search(with_copy, "x", knowledge=only_b)
