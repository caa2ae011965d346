"""Columns to know about before results are believed: constant, nearly unique, one to one."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from climbfast.dataset import Dataset
from climbfast.errors import ClimbfastWarning
from tests.factories import quiet


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


def test_ids_are_kept_and_independent_of_everything() -> None:
    id_column = [f"p{i:02}" for i in range(60)]
    frame = {"id": id_column, "x": [0, 1, 1] * 20, "y": [0, 1, 0] * 20}
    with pytest.warns(ClimbfastWarning, match=r"id columns, .*: 'id'; keep_ids=True takes them as they are") as caught:
        data = Dataset.from_frame(frame)
    assert len(caught) == 1
    assert (data.ids, data.constant, data.nearly_unique) == (("id",), (), ())
    assert data.levels["id"] == tuple(id_column)
    assert data.arity[data.index("id")] == 1
    other = quiet({**frame, "id": id_column[::-1]})
    assert other.fingerprint != data.fingerprint
    assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint


def test_ids_on_request() -> None:
    data = quiet({"id": range(60), "x": [0, 1, 1] * 20}, keep_ids=True)
    assert (data.ids, data.nearly_unique) == ((), ("id",))
    assert data.arity[data.index("id")] == 60


@pytest.mark.parametrize(("levels", "rows", "ids"), [(10, 10, ()), (11, 11, ("x",)), (90, 100, ()), (91, 100, ("x",))])
def test_the_rule_for_ids(levels: int, rows: int, ids: tuple[str, ...]) -> None:
    assert quiet({"x": np.arange(rows) % levels, "y": np.arange(rows) % 2}).ids == ids


def test_an_id_with_missing_cells() -> None:
    numbers = [None, *range(1, 100)]
    data = quiet({"x": numbers, "y": [0, 1] * 50}, missing="drop-rows")
    assert (data.rows, data.ids) == (99, ("x",))
    data = quiet({"x": numbers, "y": [0, 1] * 50}, missing="level")
    assert (data.rows, data.ids) == (100, ("x",))


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
