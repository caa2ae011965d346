"""Markers of missing cells, columns that are chosen, and options outside their values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from climbfast.dataset import Dataset, read
from climbfast.errors import DataError, OptionError, UnknownColumnError
from tests.dataset.tables import REGULAR, cells, column


@pytest.mark.parametrize("marker", ["00", "09", "-09", "٩", "9_0"])
def test_a_marker_that_is_a_code_is_no_number(marker: str, save: Callable[..., Path]) -> None:
    options: Any = {"missing": "level", "missing_markers": [marker]}
    assert read(save("x\n0\n9\n90\n"), **options).levels["x"] == (0, 9, 90)
    assert column([0, 9, 90], **options).levels["x"] == (0, 9, 90)
    assert column([marker, "9"], **options).levels["x"] == ("9", None)


@pytest.mark.parametrize("marker", [9, 9.0, "9", " 9 ", "9.0"])
def test_a_marker_is_a_number_and_its_text(marker: Any, save: Callable[..., Path], tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [1, 9, 2], "y": [1.0, 9.0, 2.0]})
    frame.write_parquet(tmp_path / "data.parquet")
    options: Any = {"missing": "level", "missing_markers": [marker]}
    for data in (
        Dataset.from_frame(frame, **options),
        Dataset.from_frame({name: frame[name].to_list() for name in frame.columns}, **options),
        read(tmp_path / "data.parquet", **options),
        read(save("x,y\n1,1.0\n9,9.0\n2,2.0\n"), **options),
    ):
        assert cells(data, "x") == cells(data, "y") == [1, None, 2]


def test_true_is_not_the_marker_1() -> None:
    assert column([True, False], missing_markers=[1]).levels["x"] == (False, True)
    assert column([1, 0], missing_markers=[True]).levels["x"] == (0, 1)
    for marker in (True, "True"):
        assert column([True, False], missing_markers=[marker], missing="level").levels["x"] == (False, None)


@pytest.mark.parametrize("values", [[1.0, 2.0, np.inf], np.array([1.0, 2.0, np.inf]), pl.Series([1.0, 2.0, np.inf])])
def test_infinity_can_be_a_marker(values: Any) -> None:
    for marker in (np.inf, "inf"):
        assert column(values, missing="level", missing_markers=[marker]).levels["x"] == (1, 2, None)
    with pytest.raises(DataError, match="'x' has infinite values; replace them, or mark them as missing"):
        column(values, missing_markers=[-np.inf])


def test_markers_are_an_option(save: Callable[..., Path]) -> None:
    path = save("x,y\nNA,?\n1,a\n2,b\n")
    with pytest.raises(DataError, match=r"data\.csv: missing values in 'x' \(1\); "):
        read(path)
    assert read(path, missing_markers=()).levels == {"x": ("1", "2", "NA"), "y": ("?", "a", "b")}
    both = read(path, missing_markers=("NA", "?"), missing="level")
    assert both.levels == {"x": (1, 2, None), "y": ("a", "b", None)}
    assert column([1, -9, 2], missing_markers=[-9], missing="level").levels["x"] == (1, 2, None)


def test_columns_are_chosen(save: Callable[..., Path]) -> None:
    path = save("id,x,f\n1,a,0.5\n2,b,0.6\n")
    assert read(path, columns=["x"]).names == ("x",)
    assert read(path, leave_out=["f"]).names == ("id", "x")
    with pytest.raises(UnknownColumnError, match="'id'"):
        read(path, leave_out=["ids"])
    with pytest.raises(DataError, match="no columns are left"):
        read(path, columns=[])


@pytest.mark.parametrize(
    "options",
    [
        {"missing": "ignore"},
        {"missing_markers": "NA"},
        {"missing_markers": 5},
        {"missing_markers": [["NA"]]},
        {"columns": "x"},
        {"columns": 1},
        {"leave_out": "x"},
        {"declared_levels": {"x": 5}},
        {"declared_levels": {"x": "ab"}},
        {"declared_levels": {"x": [["a"]]}},
        {"declared_levels": ["a"]},
        {"separator": "::"},
    ],
)
def test_options_outside_their_values(options: dict[str, Any], save: Callable[..., Path]) -> None:
    with pytest.raises(OptionError):
        read(save(REGULAR), **options)
