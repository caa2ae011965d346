"""Columns that are equal up to the names of their levels."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast.inspection.copies import copy_groups
from tests.inspection.tables import draw, table_of

X = draw(3, 60, 0)


def test_copies_and_renamings():
    frame = {"x": X, "a": X.copy(), "word": [f"w{2 - v}" for v in X], "other": draw(3, 60, 1), "b": draw(3, 60, 1)}
    found = cf.inspect(frame)
    (copies,), (renamed,) = found.of_kind("copies"), found.of_kind("one-to-one")
    assert copies.message == "columns 'other', 'b' are equal in every row"
    assert copies.advice.endswith("leave the others out with leave_out=['b']")
    assert renamed.columns == ("x", "a", "word")
    assert renamed.details["first_two"] == [[0, 0], [1, 1], [2, 2]]


def test_a_renaming_is_shown():
    (finding,) = cf.inspect({"x": X, "word": [f"w{2 - v}" for v in X]}).of_kind("one-to-one")
    assert finding.message == "columns 'x', 'word' determine each other one to one: 0 = 'w2', 1 = 'w1', 2 = 'w0'"


def test_missing_cells_must_agree():
    gaps = [None if i in (3, 30) else int(v) for i, v in enumerate(X)]
    one_less = [None if i == 3 else int(v) for i, v in enumerate(X)]
    table = table_of({"x": gaps, "y": list(gaps), "z": one_less})
    assert copy_groups(table) == [(0, 1)]


@pytest.mark.parametrize("dtype", [float, int])
def test_numbers_of_equal_order_are_copies(dtype):
    celsius = np.random.default_rng(0).permutation(80) * 10 + dtype(0.5)
    frame = {"celsius": celsius, "down": -celsius, "double": celsius * 2 + 5, "other": celsius[::-1], "same": celsius}
    groups = copy_groups(table_of(frame))
    assert groups == [(0, 1, 2, 4)]


def test_ids_of_text_are_no_copies():
    names = [f"p{i:02}" for i in range(60)]
    assert not copy_groups(table_of({"id": names, "name": [name.upper() for name in names]}))


def test_few_rows_are_equal_by_chance():
    assert not copy_groups(table_of({"x": [0, 1, 0], "y": [0, 1, 0]}))


def test_groups_do_not_depend_on_the_order_of_rows():
    rng = np.random.default_rng(3)
    columns = [rng.integers(0, 3, 200) for _ in range(5)]
    frame = {str(i): columns[i % 5] if i < 10 else (columns[i % 5] + 1) % 3 for i in range(15)}
    order = rng.permutation(200)
    shuffled = {name: column[order] for name, column in frame.items()}
    assert copy_groups(table_of(frame)) == copy_groups(table_of(shuffled)) == [(i, i + 5, i + 10) for i in range(5)]
