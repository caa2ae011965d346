"""Columns before anything is refused: as reading encodes them, and with its refusal where it has one."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from climbfast.dataset.raw_columns import RawColumn, RawTable, assemble_raw, kind_of_levels, raw_file, raw_frame
from climbfast.errors import DataError, UnknownColumnError
from tests.factories import quiet
from tests.inspection.tables import DEFAULTS, options_of

FILE = {"format": None, "separator": None, "header": True, "encoding": "utf-8"}


def cells(column: RawColumn) -> list[object]:
    return [None if code == column.size else column.level(code) for code in column.codes().tolist()]


def column_of(values: object, **options: object) -> RawColumn:
    (column,) = raw_frame({"x": values}, options_of(**options)).columns
    return column


@pytest.mark.parametrize(
    ("values", "kind", "reason"),
    [
        (["b", "a", None, "b"], "text", ""),
        ([3, 1, 2, 1], "whole", ""),
        ([1.0, 2.0, None, 1.0], "whole", ""),
        ([True, False, True], "bool", ""),
        ([dt.date(2024, 1, 2), None, dt.date(2024, 1, 1)], "date", ""),
        ([b"a", b"b"], "bytes", ""),
        ([None, None], "empty", ""),
        ([0.5, 1.5, None, 0.5], "fractional", "numbers"),
        (np.array([0.5, np.nan, 2.25]), "fractional", "numbers"),
    ],
)
def test_values_are_kept(values, kind, reason):
    column = column_of(values)
    assert (column.kind, column.reason, column.refusal is None) == (kind, reason, not reason)
    assert cells(column) == [None if value is None or value != value else value for value in values]


def test_infinite_numbers_are_left_out():
    column = column_of(np.array([np.inf, 0.5, -np.inf, 2.0]))
    assert (column.kind, column.reason) == ("fractional", "infinite")
    assert cells(column) == [None, 0.5, None, 2]
    assert "infinite values" in str(column.refusal)


@pytest.mark.parametrize(
    ("values", "kind", "texts"),
    [([1, "a", None], "mixed", ["1", "a", None]), ([[1], {2}, None], "other", ["[1]", "{2}", None])],
)
def test_cells_of_several_kinds_are_text(values, kind, texts):
    column = column_of(values)
    assert (column.kind, column.reason) == (kind, "kinds")
    assert cells(column) == texts


def test_fractions_that_are_not_refused():
    assert column_of([0.5, 1.5], numbers="levels").encoded.levels == (0.5, 1.5)
    cut = column_of([0.5, 1.5], numbers="auto")
    assert cut.encoded.numeric is not None
    assert (cut.kind, cut.refusal, cells(cut)) == ("fractional", None, [0.5, 1.5])


def test_dates_that_are_to_be_cut():
    days = [dt.date(2024, 1, 1), None, dt.date(2024, 1, 3)]
    column = column_of(days, numbers="auto")
    assert (column.kind, cells(column)) == ("date", days)


FRAME = {"t": ["a", "b", None], "w": [1, 2, 1], "f": [0.5, None, 2.5], "c": ["x", "y", "x"]}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_frames(make):
    table = raw_frame(make(FRAME), options_of())
    assert {column.name: cells(column) for column in table.columns} == FRAME
    assert [column.kind for column in table.columns] == ["text", "whole", "fractional", "text"]
    assert table.rows == 3


def test_categories():
    frame = pd.DataFrame({"c": pd.Categorical(["m", "s", None], ["s", "m", "l"], ordered=True)})
    (column,) = raw_frame(frame, options_of()).columns
    assert (column.kind, column.encoded.levels, cells(column)) == ("categories", ("s", "m"), ["m", "s", None])


def test_arrays():
    table = raw_frame(np.array([[0, 0.5], [1, 2]]), options_of())
    assert [(column.name, column.kind) for column in table.columns] == [(0, "whole"), (1, "fractional")]


def test_the_dataset_is_that_of_reading():
    frame = {"t": ["a", "b", "a", "b"], "n": [3, 1, 2, 3], "f": [0.5, 1.5, 2.5, 0.25]}
    for numbers in ("levels", "auto", "quantile:2"):
        table = raw_frame(frame, options_of(numbers=numbers))
        data = assemble_raw(table.columns, table.rows, options_of(numbers=numbers))
        assert data.fingerprint == quiet(frame, numbers=numbers).fingerprint


@pytest.mark.parametrize(
    ("frame", "names"),
    [
        (pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]), ["a", "b", "a (column 3)"]),
        (pa.table([[1], [2]], names=["a", "a"]), ["a", "a (column 2)"]),
        (pd.DataFrame([[1, 2, 3]], columns=["a", "a", "a (column 2)"]), ["a", "a (column 2)'", "a (column 2)"]),
        ({None: [1], float("nan"): [2]}, ["None", "nan"]),
    ],
)
def test_every_column_has_a_name_of_its_own(frame, names):
    table = raw_frame(frame, options_of())
    assert [column.name for column in table.columns] == names


def test_columns_that_are_left_out():
    table = raw_frame(FRAME, options_of(leave_out=["f", "w"]))
    assert [column.name for column in table.columns] == ["t", "c"]
    assert table.left_out == ("w", "f")
    with pytest.raises(UnknownColumnError):
        raw_frame(FRAME, options_of(columns=["no"]))


def read(path: Path, **changed: object) -> RawTable:
    reading = {**DEFAULTS, **{key: value for key, value in changed.items() if key in DEFAULTS}}
    of_file = {**FILE, **{key: value for key, value in changed.items() if key in FILE}}
    return raw_file(path, **of_file, **reading)[0]


@pytest.fixture
def save(tmp_path):
    def save(text: str, name: str = "data.csv") -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return save


def test_a_text_file(save):
    table = read(save("w,f,t,d\n1,0.5,a,2024-01-01\n2,NA,b,2024-01-02\n"))
    assert [(column.name, column.kind, column.reason) for column in table.columns] == [
        ("w", "whole", ""), ("f", "fractional", "numbers"), ("t", "text", ""), ("d", "text", ""),
    ]  # fmt: skip
    assert [cells(column) for column in table.columns] == [
        [1, 2],
        [0.5, None],
        ["a", "b"],
        ["2024-01-01", "2024-01-02"],
    ]
    assert table.columns[1].texts == ("0.5", "NA")
    assert "fractional numbers (such as 0.5)" in str(table.columns[1].refusal)


def test_many_whole_numbers_of_a_text_file_are_levels(save):
    numbers = list(range(1000, 1030))
    table = read(save("x\n" + "".join(f"{number}\n" for number in numbers)))
    assert table.columns[0].encoded.levels == tuple(numbers)


def test_decimal_commas(save):
    path = save("x;y\n1,5;a\n2,5;b\n7;a\n")
    (x, _) = read(path).columns
    assert (x.kind, cells(x)) == ("fractional", [1.5, 2.5, 7])
    assert "numbers with decimal commas (such as 1,5)" in str(x.refusal)
    (x, _) = read(path, numbers="auto").columns
    assert x.refusal is None


def test_commas_before_decimals_or_thousands(save):
    path = save("x;y\n1,500;a\n2,750;b\n7,125;a\n")
    for numbers in ("refuse", "auto"):
        (x, _) = read(path, numbers=numbers).columns
        assert x.refusal is not None
        assert x.reason == "numbers"


def test_names_and_columns_of_a_text_file(save):
    table = read(save("a,b,a,\n1,2,3,\n"))
    assert [column.name for column in table.columns] == ["a", "b", "a (column 3)"]
    assert [column.given for column in table.columns] == ["a", "b", "a"]
    assert table.empty_last == "column_4"


def test_several_text_files_are_one_table(save, tmp_path):
    save("a,b\n1,x\n2,y\n", "1.csv")
    save("b,a\nz,0.5\n", "2.csv")
    table = read(tmp_path / "?.csv")
    assert [cells(column) for column in table.columns] == [[1, 2, 0.5], ["x", "y", "z"]]


def test_parquet(tmp_path):
    pl.DataFrame(FRAME).write_parquet(tmp_path / "data.parquet")
    assert {column.name: cells(column) for column in read(tmp_path / "data.parquet").columns} == FRAME


@pytest.mark.parametrize("text", ["", "a,b\n", "a,b\n1\n"])
def test_what_is_no_table(save, text):
    path = save(text)
    with pytest.raises(DataError, match=path.name):
        read(path)


def test_kinds_of_levels():
    assert kind_of_levels(()) == "empty"
    assert kind_of_levels((1, 2.0)) == "whole"
    assert kind_of_levels((1, 2.5)) == "fractional"
    assert kind_of_levels(("a", 1)) == "mixed"
    assert kind_of_levels((None,)) == "other"
