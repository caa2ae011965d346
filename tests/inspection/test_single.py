"""Constants, near-constants, ids, many levels."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.errors import Option


def test_constants_and_columns_without_a_value():
    found = cf.inspect({"k": ["one"] * 20, "none": [None] * 20, "x": [0, 1] * 10}, missing="test-wise")
    (constant,) = found.of_kind("constant")
    assert (constant.weight, constant.columns, constant.options) == ("note", ("k",), (Option("leave_out", ["k"]),))
    (empty,) = found.of_kind("empty")
    assert (empty.weight, empty.columns) == ("check", ("none",))
    assert found.column("k").outcome == "constant"
    assert found.column("k").why == "independent of everything (one value)"


@pytest.mark.parametrize(("others", "is_near"), [(1, True), (2, True), (3, False)])
def test_near_constants(others, is_near):
    found = cf.inspect({"x": ["a"] * (200 - others) + ["b"] * others})
    assert [finding.columns for finding in found.of_kind("near-constant")] == [("x",)] * is_near
    assert [finding.details["other_rows"] for finding in found.of_kind("near-constant")] == [{"x": others}] * is_near


def test_missing_cells_do_not_make_a_column_near_constant():
    assert not cf.inspect({"x": [None] * 200 + ["a"] * 9 + ["b"]}, missing="test-wise").of_kind("near-constant")


def test_ids():
    frame = {"id": [f"p{i}" for i in range(50)], "x": [0, 1] * 25}
    found = cf.inspect(frame)
    (finding,) = found.of_kind("id")
    assert finding.columns == ("id",)
    assert finding.options == (Option("keep_ids", value=True), Option("leave_out", ["id"]))
    assert found.column("id").outcome == "id"
    assert found.column("id").becomes == ()
    kept = cf.inspect(frame, keep_ids=True)
    assert not kept.of_kind("id")
    assert kept.of_kind("many-levels")
    assert kept.column("id").outcome == "levels"


def test_many_levels_and_many_numbers():
    found = cf.inspect(
        {
            "age": [i % 30 for i in range(90)],
            "few": [i % 20 for i in range(90)],
            "word": [f"w{i % 30}" for i in range(90)],
        }
    )
    (numbers,) = found.of_kind("many-numbers")
    assert (numbers.columns, numbers.options, numbers.details["levels"]) == (
        ("age",), (Option("numbers", "auto"),), {"age": 30},
    )  # fmt: skip
    (many,) = found.of_kind("many-levels")
    assert many.columns == ("few", "word")


def test_numbers_that_are_cut_are_not_many():
    found = cf.inspect({"age": [i % 30 for i in range(300)], "x": [i % 30 // 15 for i in range(300)]}, numbers="auto")
    assert not found.of_kind("many-numbers")
    age = found.column("age")
    assert (age.outcome, age.levels) == ("cut", 30)
    assert age.why.startswith("cut at ")
    assert all(level.endswith(")") for level in age.becomes)
