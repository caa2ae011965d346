"""Copies: equal, negated and renamed columns, of which one stands for all in every search."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import climbfast as cf
from climbfast.local.methods import METHODS
from tests.factories import quiet

ROWS = 600
A = np.random.default_rng(1).integers(0, 3, ROWS)
COLUMNS = {
    "a": A,
    "equal": A,
    "negated": 2 - A,
    "renamed": np.array(["low", "mid", "high"])[A],
    "b": (A + (np.random.default_rng(2).random(ROWS) < 0.1)) % 3,
    "noise": np.random.default_rng(3).integers(0, 2, ROWS),
}
GROUP = ("a", "equal", "negated", "renamed")
OF_A = {"a": GROUP[1:]}
BLANKETS = [name for name, method in METHODS.items() if method.finds != "neighbors"]
NEIGHBORS = [name for name, method in METHODS.items() if method.finds == "neighbors"]
ORDERS = [*list(permutations(COLUMNS))[::97]]


def data_in(order):
    return quiet({name: COLUMNS[name] for name in order})


@pytest.mark.parametrize("method", BLANKETS)
def test_a_blanket_has_one_of_them_and_names_the_others(method):
    for order in ORDERS:
        found = cf.markov_blanket(data_in(order), "b", method)
        assert (found.members, found.copies) == (("a",), OF_A)
        assert dict(found.separating_sets).get("equal", ("a",)) == ("a",)


@pytest.mark.parametrize("method", NEIGHBORS)
def test_neighbors(method):
    found = cf.neighbors(data_in(COLUMNS), "b", method)
    assert (found.members, found.copies) == (("a",), OF_A)
    assert found.separating_sets["negated"] == ("a",)
    assert found.separating_sets["noise"] == ()
    assert "a" not in found.separating_sets
    assert len(found.separating_sets) == len(dict(found.separating_sets)) == 4


@pytest.mark.parametrize("target", GROUP)
def test_each_of_them_has_the_same_blanket(target):
    found = cf.markov_blanket(data_in(COLUMNS), target)
    others = tuple(name for name in GROUP if name != target)
    assert (found.target, found.members, found.copies) == (target, ("b",), {target: others})
    assert list(found.separating_sets) == ["noise"]
    assert found.columns == len(COLUMNS)


@pytest.mark.parametrize("method", ["climb", "pcmb", "iamb"])
def test_many_targets(method, tmp_path):
    data = data_in(COLUMNS)
    found = cf.markov_blankets(data, method=method, progress=False, n_jobs=1)
    assert list(found) == sorted(COLUMNS)
    for name, blanket in found.items():
        alone = cf.markov_blanket(data, name, method)
        assert (blanket.members, blanket.copies) == (alone.members, alone.copies)
        assert (blanket.separating_sets, blanket.columns) == (alone.separating_sets, alone.columns)
    for rule in ("and", "or"):
        graph = found.merge(rule, direction="none")
        assert (graph.undirected, set(graph.copies)) == ((("a", "b"),), set(GROUP))
    some = cf.markov_blankets(data, ["renamed", "equal"], method=method, progress=False, n_jobs=1)
    assert [blanket.members for blanket in some.values()] == [("b",), ("b",)]
    for suffix in (".jsonl", ".csv", ".parquet"):
        found.save(tmp_path / f"b{suffix}")
        again = cf.read_blankets(tmp_path / f"b{suffix}")
        assert {name: blanket.copies for name, blanket in again.items()} == {
            name: blanket.copies for name, blanket in found.items()
        }


def test_pc(tmp_path):
    for order in ORDERS:
        graph = cf.pc(data_in(order))
        assert set(graph.edges) == {("a", "b"), *(("a", copy) for copy in GROUP[1:])}
        assert graph.separating_sets["b", "equal"] == ("a",)
        assert graph.is_cpdag
        assert graph.names == tuple(sorted(COLUMNS))
        assert graph.copies == {name: tuple(x for x in GROUP if x != name) for name in GROUP}
    assert "copies: a = equal = negated = renamed" in str(graph)
    graph.save(tmp_path / "g.json")
    assert cf.read_graph(tmp_path / "g.json") == graph


def test_the_edge_to_a_copy_of_a_common_effect_is_undirected():
    rng = np.random.default_rng(5)
    x, z = rng.integers(0, 2, (2, 2_000))
    effect = x + z
    graph = cf.pc(quiet({"x": x, "z": z, "effect": effect, "same": 2 - effect}))
    assert set(graph.directed) == {("x", "effect"), ("z", "effect")}
    assert graph.undirected == (("effect", "same"),)


@pytest.mark.parametrize("targets", [["a", "b"], ["equal", "b"], ["renamed", "equal", "b"], [*GROUP, "b"]])
def test_merging_any_targets(targets):
    found = cf.markov_blankets(data_in(COLUMNS), targets, progress=False, n_jobs=1)
    first = min(name for name in targets if name != "b")
    for rule in ("and", "or"):
        graph = found.merge(rule, direction="none")
        assert graph.undirected == (tuple(sorted((first, "b"))),)
        assert first in graph.copies


def test_a_tester_of_all_columns_is_no_custom_test():
    data = data_in(COLUMNS)
    for test in ("sci", cf.Tester(data), cf.Tester(data, cf.G2(alpha=0.001))):
        assert cf.markov_blanket(data, "b", "pcmb", test).members == ("a",)
        assert ("a", "b") in cf.pc(data, test).edges
    with pytest.raises(cf.OptionError, match="of other data"):
        cf.markov_blanket(data, "b", test=cf.Tester(data_in(["a", "equal"])))


def test_searches_by_score_name_them():
    data = data_in(COLUMNS)
    assert set(cf.fges(data).copies) == set(cf.causal_graph(data).copies) == set(GROUP)


def test_no_copies_no_second_dataset():
    data = quiet({name: COLUMNS[name] for name in ("a", "b", "noise")})
    assert data.without_copies is data
    assert data.copies == {}


def test_a_few_rows_are_no_evidence_of_copies():
    few = quiet({"x": [0, 1, 0, 1], "y": [1, 0, 1, 0]})
    assert few.one_to_one == (("x", "y"),)
    assert few.without_copies is few


@pytest.mark.parametrize("test", ["sci", cf.G2(df="nominal")], ids=str)
def test_copies_with_missing_cells_of_counted_rows(test):
    """A copy is missing where the column is; one that is missing in other rows is none."""
    gap = np.random.default_rng(4).random(ROWS) < 0.2
    counts = np.random.default_rng(5).integers(1, 4, ROWS)
    cells = {name: np.where(gap & (name in GROUP), None, column.astype(object)) for name, column in COLUMNS.items()}
    cells["other"] = np.where(np.roll(gap, 1), None, A.astype(object))
    options = {"missing": "test-wise"}
    data = quiet({**cells, "n": counts}, weights="n", **options)
    repeated = quiet({name: np.repeat(column, counts) for name, column in cells.items()}, **options)
    assert data.one_to_one == (GROUP,)
    found = cf.markov_blankets(data, test=test, progress=False)
    assert dict(found) == dict(cf.markov_blankets(repeated, test=test, progress=False))
    assert set(found["a"].copies["a"]) == {*GROUP[1:]}
    assert found["a"].copies == cf.markov_blanket(data, "a", test=test).copies
    assert "other" in found["a"].members
