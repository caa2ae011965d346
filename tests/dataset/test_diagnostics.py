"""Columns to know about before results are believed: constant, nearly unique, one to one."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.dataset import Dataset
from climbfast.errors import ClimbfastWarning


def test_constant_columns_are_kept_and_named() -> None:
    with pytest.warns(ClimbfastWarning, match="constant columns, independent of everything: 'k'$"):
        data = Dataset.from_frame({"k": [7] * 30, "x": [0, 1, 1] * 10})
    assert data.constant == ("k",)
    assert data.names == ("k", "x")


def test_columns_of_many_levels_are_named() -> None:
    numbers = [f"p{i // 2}" for i in range(60)]
    with pytest.warns(ClimbfastWarning, match=r"more levels than rows / 5.*: 'number'; exclude them with leave_out"):
        data = Dataset.from_frame({"number": numbers, "x": [0, 1, 1] * 20})
    assert data.nearly_unique == ("number",)
    assert data.ids == ()
    twelve = {"x": np.arange(60) % 12, "y": np.arange(60) % 7}
    assert Dataset.from_frame(twelve).nearly_unique == ()


def test_columns_that_determine_each_other_are_named() -> None:
    a = np.random.default_rng(4).integers(0, 3, 300)
    b = np.random.default_rng(5).permutation(a)  # the same counts, another column
    names = np.array(["zero", "one", "two"])
    frame = {"copy": a, "a": a, "b": b, "c": names[a], "not b": 2 - b, "sum": (a + b) % 3}
    with pytest.warns(ClimbfastWarning, match="one to one: 'a' = 'c' = 'copy', 'b' = 'not b'$"):
        data = Dataset.from_frame(frame)
    assert data.one_to_one == (("a", "c", "copy"), ("b", "not b"))


def test_a_warning_names_twenty_and_counts_the_rest() -> None:
    with pytest.warns(ClimbfastWarning, match="'n19' and 5 more$") as caught:
        Dataset.from_frame({f"n{i:02}": [1] * 30 for i in range(25)})
    assert len(caught) == 1
    assert caught[0].filename == __file__
