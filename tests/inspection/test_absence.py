"""Missing cells that occur together."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.errors import ClimbfastWarning
from climbfast.inspection import absence
from climbfast.inspection.absence import complete_rows, find_missing_together
from climbfast.inspection.inspected_table import InspectedTable
from tests.inspection.tables import draw, table_of


def with_gaps(rows: list[int], seed: int = 0, n: int = 200) -> list[int | None]:
    gaps = set(rows)
    return [None if i in gaps else value for i, value in enumerate(draw(3, n, seed).tolist())]


def test_the_same_rows():
    table = table_of({"x": with_gaps([1, 5, 9, 40]), "y": with_gaps([1, 5, 9, 40], 1), "z": with_gaps([2, 6, 10], 2)})
    (finding,) = find_missing_together(table, None)
    assert finding.columns == ("x", "y")
    assert finding.message == "columns 'x', 'y' have missing cells in the same rows (4 of 200)"
    assert finding.details == {"missing": [4], "where": "the same rows"}
    assert complete_rows(table) == 193


def test_nearly_the_same_rows():
    some = list(range(0, 60, 2))
    table = table_of({"x": with_gaps(some), "y": with_gaps(some[:-1], 1), "z": with_gaps(some[:-10], 2)})
    (finding,) = find_missing_together(table, None)
    assert finding.columns == ("x", "y")
    assert "nearly the same rows (29 to 30 of 200)" in finding.message


def test_columns_that_are_mostly_missing_do_not_agree_by_chance():
    rng = np.random.default_rng(0)
    frame = {
        name: with_gaps(np.flatnonzero(rng.random(2000) < 0.97).tolist(), i, 2000) for i, name in enumerate("abcd")
    }
    assert not list(find_missing_together(table_of(frame), None))


def test_few_cells_and_all_cells_say_nothing():
    frame = {"x": with_gaps([1, 5]), "y": with_gaps([1, 5], 1), "u": [None] * 200, "v": [None] * 200}
    assert not list(find_missing_together(table_of(frame), None))


@given(st.lists(st.sets(st.integers(0, 39), min_size=3, max_size=39), min_size=2, max_size=6))
@settings(max_examples=50)
def test_pairs_against_sets(gaps):
    table = table_of({i: with_gaps(sorted(rows), i, 40) for i, rows in enumerate(gaps)})
    alike = [
        (a, b)
        for (a, x), (b, y) in combinations(enumerate(gaps), 2)
        if 10 * len(x ^ y) <= min(len(x), len(y), 40 - len(x), 40 - len(y))
    ]
    assert absence._alike(table, [*range(len(gaps))]) == alike


def test_too_many_patterns(monkeypatch):
    monkeypatch.setattr(absence, "MOST_PATTERNS", 1)
    equal = [1, 5, 9]
    table = table_of({"x": with_gaps(equal), "y": with_gaps(equal, 1), "z": with_gaps([2, 6, 10], 2)})
    together, not_searched = find_missing_together(table, None)
    assert (together.columns, not_searched.kind) == (("x", "y"), "not-searched")


@pytest.mark.parametrize(("missing", "weight"), [("refuse", "refused"), ("test-wise", "note"), ("level", "note")])
def test_missing_cells_are_counted(missing, weight):
    found = cf.inspect({"x": with_gaps([1, 2]), "y": with_gaps([3], 1), "z": with_gaps([], 2)}, missing=missing)
    (finding,) = found.of_kind("missing")
    assert (finding.weight, finding.columns, finding.details["cells"]) == (weight, ("x", "y"), {"x": 2, "y": 1})
    assert finding.message.startswith("3 missing cells (0.5% of all) in columns 'x', 'y'")
    assert [str(option) for option in finding.options] == (
        ["missing='test-wise'", "missing='drop-rows'", "missing='level'"] if missing == "refuse" else []
    )
    assert found.complete_rows == 197


@pytest.mark.parametrize("missing", ["refuse", "test-wise"])
def test_what_is_missing_may_depend_on_a_column(missing):
    x = draw(2, 400, 0)
    gaps = np.flatnonzero((x == 1) & (draw(3, 400, 1) > 0)).tolist()
    found = cf.inspect({"x": x, "y": with_gaps(gaps, 2, 400), "z": with_gaps([5], 3, 400)}, missing=missing)
    (finding,) = found.of_kind("missing-depends")
    assert (finding.weight, finding.columns) == ("check", ("y", "x"))
    assert finding.message == "what is missing in column 'y' depends on column 'x'"


def test_what_read_says_is_missing_together_is_named_once():
    rng = np.random.default_rng(0)
    gone, others = rng.random(400) < 0.3, rng.random(400) < 0.3

    def blank(rows, seed):
        return with_gaps(np.flatnonzero(rows).tolist(), seed, 400)

    half = others & (rng.random(400) < 0.5)
    frame = {"a": blank(gone, 0), "b": blank(gone, 1), "c": blank(others, 2), "d": blank(half, 3)}
    with pytest.warns(ClimbfastWarning, match="more often than by chance: 'a', 'b'; 'c', 'd'"):
        cf.Dataset.from_frame(frame, missing="test-wise")
    for options in ({}, {"missing": "test-wise"}):
        same, by_chance = cf.inspect(frame, **options).of_kind("missing-together")
        assert (same.columns, same.details["where"]) == (("a", "b"), "the same rows")
        assert by_chance.columns == ("c", "d")
        assert "have missing cells in the same rows more often than by chance (" in by_chance.message


def test_what_is_nearly_equal_is_counted_with_weights():
    one, other = with_gaps([*range(20, 60)]), with_gaps([*range(20, 61)], 1)
    columns = table_of({"x": one, "y": other}).columns
    weights = np.ones(200, dtype=np.int64)
    assert len(list(find_missing_together(InspectedTable(columns, 200, frozenset(), weights), None))) == 1
    weights[60] = 50
    assert not list(find_missing_together(InspectedTable(columns, 200, frozenset(), weights), None))


def test_columns_of_which_nothing_was_asked_are_counted():
    rng = np.random.default_rng(0)
    frame = {f"x{i:03}": with_gaps(np.flatnonzero(rng.random(200) < 0.2).tolist(), i) for i in range(103)}
    assert [f.message for f in cf.inspect(frame).of_kind("not-searched") if "depends" in f.message] == [
        "on what it depends what is missing was not looked for in 3 columns with the fewest missing cells"
    ]
