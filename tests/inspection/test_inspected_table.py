"""Counts of a table, with missing cells and columns of many numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from climbfast.inspection.inspected_table import InspectedTable
from tests.inspection.tables import table_of


def test_counts():
    table = table_of({"x": ["b", None, "a", "b"], "n": [0.5, 0.5, np.nan, 2.0], "many": np.arange(4) * 100})
    assert [counts.tolist() for counts in table.counts] == [[1, 2, 1], [2, 1, 1], [1, 1, 1, 1, 0]]
    assert table.missing == [1, 1, 0]
    assert table.occurring == [2, 2, 4]
    assert table.largest == [2, 2, 1]
    assert [codes.tolist() for codes in table.codes] == [[1, 2, 0, 1], [0, 0, 2, 1], [0, 1, 2, 3]]
    assert table.names([2, 0]) == ("many", "x")


def test_levels_that_do_not_occur_are_not_counted():
    table = table_of({"x": ["a", "b", "a"]}, declared_levels={"x": ["c", "b", "a"]})
    assert table.occurring == [2]


def test_ids_are_not_related():
    table = table_of({"id": [f"p{i}" for i in range(30)], "x": [0, 1, 2] * 10, "k": ["c"] * 30})
    assert table.ids == {0}
    assert table.varying == [1]
    assert InspectedTable(table.columns, table.rows, frozenset({1})).ids == {0, 1}


@given(st.lists(st.tuples(st.sampled_from(["a", "b", None]), st.integers(0, 2)), min_size=1, max_size=20))
def test_distinct_rows(rows):
    x, y = zip(*rows, strict=True)
    assert table_of({"x": list(x), "y": list(y)}).distinct_rows == len(set(rows))
