"""All columns as one matrix: declared levels, and missing cells as the option says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import climbfast as cf
from climbfast.dataset import Dataset, read
from climbfast.errors import DataError, OptionError, UnknownColumnError
from tests.dataset.tables import cells, column
from tests.factories import quiet


def test_listed_levels_are_the_levels(save: Callable[..., Path]) -> None:
    path = save("x,y\n1,a\n2,b\n")
    data = read(path, declared_levels={"x": [2, 1, 0]})
    assert data.levels == {"x": (2, 1, 0), "y": ("a", "b")}
    assert cells(data, "x") == [1, 2]
    assert read(path, declared_levels={"x": ["1", "2"]}).levels["x"] == ("1", "2")
    with pytest.raises(DataError, match="'x' has a value outside its declared levels: 2"):
        read(path, declared_levels={"x": [0, 1]})
    with pytest.raises(UnknownColumnError):
        read(path, declared_levels={"z": [0, 1]})
    with pytest.raises(OptionError):
        read(path, declared_levels={"x": [0, 0]})


@pytest.mark.parametrize("missing", ["drop-rows", "level"])
def test_a_missing_value_is_no_listed_level(missing: str) -> None:
    frame = {"x": ["p", "q", None, "q", "p", "q"], "y": list("aabbab")}
    data = Dataset.from_frame(frame, declared_levels={"x": ["p", None, "q"]}, missing=missing)
    expected = Dataset.from_frame(frame, declared_levels={"x": ["p", "q"]}, missing=missing)
    assert data.levels["x"] == expected.levels["x"] == ("p", "q", None)[: 3 if missing == "level" else 2]
    assert data.codes.tolist() == expected.codes.tolist()
    assert (data.codes < data.arity[:, None]).all()


@pytest.mark.parametrize(
    "frame",
    [
        {"x": ["a", None, "b", ""], "y": [1, np.nan, 2, 1]},
        pd.DataFrame({"x": ["a", None, "b", ""], "y": [1, np.nan, 2, 1]}),
        pd.DataFrame({"x": pd.Categorical(["a", None, "b", None]), "y": pd.array([1, None, 2, 1], "Int64")}),
        pd.DataFrame({"x": np.array(["a", pd.NaT, "b", pd.NA], object), "y": [1, None, 2, 1]}, dtype=object),
        pl.DataFrame({"x": ["a", None, "b", ""], "y": [1, None, 2, 1]}),
        pl.LazyFrame({"x": ["a", None, "b", ""], "y": [1.0, np.nan, 2.0, 1.0]}),
        pa.table({"x": pa.array(["a", None, "b", ""]).dictionary_encode(), "y": [1, None, 2, 1]}),
        {"x": np.array(["a", "", "b", ""]), "y": np.ma.array([1, 7, 2, 1], mask=[False, True, False, False])},
    ],
    ids=lambda frame: type(frame).__module__,
)
def test_missing_cells_are_refused_or_settled(frame: Any) -> None:
    with pytest.raises(DataError, match=r"missing values in 'x' \(2\), 'y' \(1\); read with missing='test-wise'"):
        Dataset.from_frame(frame)
    dropped = Dataset.from_frame(frame, missing="drop-rows")
    assert dropped.levels == {"x": ("a", "b"), "y": (1, 2)}
    assert dropped.rows == 2
    level = Dataset.from_frame(frame, missing="level")
    assert level.levels == {"x": ("a", "b", None), "y": (1, 2, None)}
    assert cells(level, "y") == [1, None, 2, 1]


def test_dropped_rows_take_their_levels_along() -> None:
    data = Dataset.from_frame({"x": [0, 1, 2, 2], "y": [0, None, 1, 0]}, missing="drop-rows")
    assert data.levels["x"] == (0, 2)
    assert data.codes[data.index("x")].tolist() == [0, 1, 1]
    wide = {"x": range(300), "y": [0, 1, *[None] * 298]}
    assert Dataset.from_frame(wide, missing="drop-rows", keep_ids=True, numbers="levels").codes.dtype == np.uint8
    with pytest.raises(DataError, match="no rows are left"):
        Dataset.from_frame({"x": [None, 1], "y": [1, None]}, missing="drop-rows")


def test_the_message_lists_ten_columns() -> None:
    with pytest.raises(DataError, match=r"'9' \(1\) and 2 more; read with"):
        Dataset.from_frame({str(i).zfill(1): [None, 1] for i in [*range(10), "x", "y"]})


def test_a_column_of_missing_cells_only() -> None:
    for nothing in ([None, None], np.array([np.nan, np.nan]), pl.Series([None, None]), pl.Series(["", None])):
        with pytest.raises(DataError, match=r"'x' \(2\)"):
            column(nothing)
        assert column(nothing, missing="level").levels["x"] == (None,)


def test_missing_cells_test_by_test() -> None:
    data = quiet({"x": ["a", None, "b", ""], "y": [1, 2, 2, 1], "z": [0, None, 1, 2]}, missing="test-wise")
    assert data.levels == {"x": ("a", "b"), "y": (1, 2), "z": (0, 1, 2)}
    columns = [data.index(name) for name in "xyz"]
    assert data.codes[columns].tolist() == [[0, 2, 1, 2], [0, 1, 1, 0], [0, 3, 1, 2]]
    assert (data.arity[columns].tolist(), data.incomplete[columns].tolist()) == ([2, 2, 3], [True, False, True])
    assert data.missing == {"x": 2, "z": 1}


def test_a_column_without_any_value() -> None:
    data = quiet({"x": [None, ""] * 6, "y": [1, 2, 2] * 4, "z": [0, 1, 0, 1] * 3}, missing="test-wise")
    assert (data.levels["x"], data.missing["x"], data.constant) == ((), 12, ("x",))
    found = cf.test(data, "y", "x", ["z"])
    assert (found.rows, found.independent, found.skipped) == (0, True, True)
    assert cf.markov_blanket(data, "x").members == ()
    assert cf.test(data, "y", "z", ["x"]).rows == 0
    assert cf.test(data, "y", "z").rows == 12


@pytest.mark.parametrize("frame", [{"x": [None, None]}, {"x": [None] * 3, "y": ["", None, ""]}], ids=str)
def test_a_table_without_any_value(frame: Any) -> None:
    with pytest.raises(DataError, match=r"^every cell of the table is missing$"):
        Dataset.from_frame(frame, missing="test-wise")


@pytest.mark.parametrize("levels", [255, 256, 257])
def test_the_code_of_a_missing_cell_needs_a_place(levels: int) -> None:
    cells = [*range(levels), None]
    data = quiet({"x": cells * 2, "y": [0, 1] * (levels + 1)}, missing="test-wise")
    assert data.codes.dtype == (np.uint8 if levels < 256 else np.uint16)
    x = data.index("x")
    assert data.codes[x, levels] == data.arity[x] == levels
