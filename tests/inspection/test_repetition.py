"""Rows that occur twice."""

from __future__ import annotations

import climbfast as cf


def test_rows_of_a_table_without_ids_repeat_each_other():
    found = cf.inspect({"x": [0, 1] * 10, "y": [0, 1, 1, 0] * 5})
    (finding,) = found.of_kind("repeated-rows")
    assert (finding.weight, finding.details) == ("note", {"repeated": 16, "distinct": 4})
    assert found.distinct_rows == 4


def test_rows_with_the_same_id():
    ids = [f"p{i}" for i in range(39)]
    found = cf.inspect({"id": [*ids, "p3"], "x": [i % 2 for i in range(39)] + [1]})
    (finding,) = found.of_kind("repeated-rows")
    assert (finding.weight, finding.columns) == ("check", ("id",))
    assert finding.message == "1 of 40 rows are equal to an earlier one, with the same id in column 'id'"


def test_different_rows():
    found = cf.inspect({"id": [f"p{i}" for i in range(40)], "x": [0, 1] * 20})
    assert not found.of_kind("repeated-rows")
    assert found.distinct_rows == 40
