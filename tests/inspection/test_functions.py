"""Columns that are functions of one or of two others, against dictionaries."""

from __future__ import annotations

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.inspection import functions
from climbfast.inspection.functions import determined_columns, find_functions, find_functions_of_two
from tests.inspection.tables import draw, table_of

CITY = draw(12, 600, 0)


def is_function(x, y) -> bool:
    return len(set(zip(x, y, strict=True))) == len(set(x))


def test_a_hierarchy():
    frame = {"city": CITY, "state": CITY // 3, "zone": CITY // 6, "other": draw(3, 600, 1)}
    found = cf.inspect(frame)
    messages = [finding.message for finding in found.of_kind("function")]
    assert messages == ["column 'state' is a function of 'city'", "column 'zone' is a function of 'state'"]
    first, _ = found.of_kind("function")
    assert first.columns == ("city", "state")
    assert first.details["determines"] == ["state", "zone"]
    assert str(first.options[0]) == "leave_out=['state']"


@given(st.integers(0, 1 << 30))
@settings(max_examples=30)
def test_against_a_dictionary(seed):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 8, 200)]
    columns += [columns[0] // 2, columns[0] % 3, rng.integers(0, 4, 200), columns[0] // 4]
    order = rng.permutation(5).tolist()
    table = table_of({i: columns[i] for i in order})
    determined, is_complete = determined_columns(table, table.varying)
    assert is_complete
    assert {x: set(ys) for x, ys in determined.items() if ys} == {
        a: functions_of_a
        for a in range(5)
        if (functions_of_a := {b for b in range(5) if b != a and is_function(columns[order[a]], columns[order[b]])})
    }


def test_missing_cells_are_left_out():
    x = CITY.astype(object)
    x[::7] = None
    state = (CITY // 3).astype(object)
    state[::5] = None
    (finding,) = cf.inspect({"x": x.tolist(), "state": state.tolist()}, missing="test-wise").of_kind("function")
    assert finding.columns == ("x", "state")
    copy = CITY.astype(object)
    copy[::5] = None
    (finding,) = cf.inspect({"x": x.tolist(), "copy": copy.tolist()}, missing="test-wise").of_kind("one-to-one")
    assert finding.message == "columns 'x', 'copy' determine each other one to one in the rows where both are observed"


def test_columns_that_vary_in_no_common_row_say_nothing():
    frame = {"x": [0] * 500 + [1] * 50 + [None] * 50, "y": ["a"] * 500 + [None] * 50 + ["b"] * 50}
    found = cf.inspect(frame)
    assert not found.of_kind("one-to-one")
    assert not found.of_kind("function")


@pytest.mark.parametrize("frame", [
    {"x": CITY, "rare": (np.arange(600) == 5).astype(int)},
    {"nearly unique": np.arange(600) // 3, "x": np.arange(600) // 3 % 2},
    {"id": np.arange(600), "x": draw(3, 600, 2)},
])  # fmt: skip
def test_what_may_be_chance_is_none(frame):
    assert not cf.inspect(frame, numbers="levels").of_kind("function")


def test_more_levels_than_a_byte_holds():
    many = draw(300, 3000, 0)
    table = table_of({"many": many, "tens": many // 10, "two": many // 150})
    determined, _ = determined_columns(table, [0, 1, 2])
    assert determined == {0: {1, 2}, 1: {2}, 2: set()}


def test_the_work_is_bounded():
    table = table_of({f"x{i}": (CITY + i) // (i + 1) for i in range(6)})
    _, is_complete = determined_columns(table, table.varying, budget=600)
    assert not is_complete
    (*_, last) = find_functions(table, {}, is_complete=False)
    assert (last.kind, last.weight) == ("not-searched", "note")


# ---- functions of two


def of_two(frame, **bounds):
    table = table_of(frame)
    determined, _ = determined_columns(table, table.varying)
    return list(find_functions_of_two(table, table.varying, determined, **bounds))


def test_exclusive_or():
    a, b = draw(3, 400, 0), draw(2, 400, 1)
    findings = of_two({"a": a, "b": b, "sum": (a + b) % 2 * 3, "other": draw(3, 400, 2)})
    assert {finding.columns[0]: finding.details["pairs"] for finding in findings} == {
        "b": [["a", "sum"]],
        "sum": [["a", "b"]],
    }
    assert findings[-1].message == "column 'sum' is a function of 'a' and 'b'"


@given(st.integers(0, 1 << 30))
@settings(max_examples=20)
def test_two_against_a_dictionary(seed):
    rng = np.random.default_rng(seed)
    a, b, c = (rng.integers(0, 3, 300) for _ in range(3))
    columns = [a, b, (a * b) % 4, c, np.maximum(b, c)]
    found = {
        (finding.columns[0], tuple(pair))
        for finding in of_two(dict(enumerate(columns)))
        for pair in finding.details["pairs"]
    }
    assert found == {
        (z, (x, y))
        for x, y in combinations(range(5), 2)
        for z in set(range(5)) - {x, y}
        if is_function(list(zip(columns[x], columns[y], strict=True)), columns[z])
    }


def test_what_one_column_determines_is_none_of_two():
    assert not of_two({"city": CITY, "state": CITY // 3, "other": draw(3, 600, 1)})


def test_near_copies_of_what_determines_are_none():
    near = CITY.copy()
    near[:2] = 11 - near[:2]
    frame = {"near": near, "city": CITY, "state": CITY // 3, "x": [None] * 2 + draw(3, 598, 1).tolist()}
    assert not cf.inspect(frame, missing="test-wise").of_kind("function-of-two")


def test_a_sample_finds_them_and_all_rows_decide(monkeypatch):
    monkeypatch.setattr(functions, "_ROWS_OF_A_SAMPLE", 100)
    a, b = draw(3, 1000, 0), draw(2, 1000, 1)
    true, false = (a + b) % 2, (a + b) % 2
    false = false.copy()
    false[999] = 1 - false[999]
    assert {finding.columns[0] for finding in of_two({"a": a, "b": b, "true": true})} == {"b", "true"}
    assert not of_two({"a": a, "b": b, "false": false})


def test_wide_tables_are_not_searched(monkeypatch):
    monkeypatch.setattr(functions, "MOST_COLUMNS_OF_TWO", 3)
    (finding,) = of_two({f"x{i}": draw(3, 100, i) for i in range(4)})
    assert finding.message == "functions of two columns were not all looked for among 4 columns"


def test_pairs_of_many_levels_need_no_memory_for_all_of_them():
    x, y = draw(2_000, 20_000, 0), draw(2_000, 20_000, 1)
    frame = {"x": x, "y": y, "z": (x + y) % 2, "u": draw(3, 20_000, 2)}
    table = table_of(frame, numbers="levels")
    table.counts  # noqa: B018  # and the codes, which are kept
    tracemalloc.start()
    found = list(functions._triples(table, table.varying, {i: set() for i in table.varying}, 10**8))
    assert tracemalloc.get_traced_memory()[1] < 10_000_000  # 64 MB for the pairs of x and y
    tracemalloc.stop()
    assert (0, 1, 2) in found


def test_numbered_pairs_find_the_same(monkeypatch):
    a, b = draw(3, 400, 0), draw(2, 400, 1)
    gone = [None, None, *b[2:].tolist()]
    frame = {"a": a, "b": gone, "sum": (a + b) % 2 * 3, "other": draw(3, 400, 2)}
    expected = of_two(frame)
    monkeypatch.setattr(functions, "_MOST_CELLS", 1)
    assert expected
    assert of_two(frame) == expected
