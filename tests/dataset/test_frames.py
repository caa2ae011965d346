"""Tables in memory: every kind gives the same data, and what is no table is refused."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from climbfast.dataset import Dataset
from climbfast.errors import DataError
from tests.dataset.tables import cells
from tests.factories import quiet


def test_every_kind_of_table_gives_the_same_data() -> None:
    columns = {"b": [1, 0, 1, 1], "a": ["u", "v", "w", "u"]}
    frame = pd.DataFrame(columns)
    tables: list[Any] = [
        columns,
        frame,
        pl.DataFrame(columns),
        pl.LazyFrame(columns),
        pa.table(columns),
        frame.to_records(index=False),
        {"b": np.array(columns["b"]), "a": frame["a"]},
        {"b": pl.Series([1, 0, 1, 1]), "a": pl.Series(list("uvwu"))},
    ]
    read_in = [Dataset.from_frame(table) for table in tables]
    assert {data.fingerprint for data in read_in} == {read_in[0].fingerprint}
    assert read_in[0].names == ("b", "a")
    assert read_in[0].sorted_names == ("a", "b")
    assert Dataset.from_frame(read_in[0]) is read_in[0]


@pytest.mark.parametrize(
    "series",
    [
        pl.Series([3, 1, 3], dtype=pl.UInt8),
        pl.Series([3, 1, 3], dtype=pl.Int128),
        pl.Series([1.0, 2.0]),
        pl.Series(["b", "a", "b"]),
        pl.Series(["b", "a", "b"], dtype=pl.Categorical),
        pl.Series([True, False]),
        pl.Series([b"b", b"a"]),
        pl.Series([Decimal("2"), Decimal("1")]),
        pl.Series([dt.date(2024, 1, 2), dt.date(2024, 1, 1)]),
        pl.Series([dt.datetime(2024, 1, 2), dt.datetime(2024, 1, 1)], dtype=pl.Datetime("ns")),
        pl.Series([dt.time(2), dt.time(1)]),
        pl.Series([dt.timedelta(2), dt.timedelta(1)]),
        pl.Series([2, 1, "b"], dtype=pl.Object)[:2],
    ],
    ids=lambda series: str(series.dtype),
)
def test_polars_types_are_levels_with_and_without_nulls(series: pl.Series) -> None:
    data = quiet(series.to_frame("x"))
    assert data.levels["x"] == tuple(sorted(set(series.to_list())))
    assert cells(data, "x") == series.to_list()
    if series.dtype != pl.Object:
        holed = pl.concat([series, pl.Series([None], dtype=series.dtype)]).to_frame("x")
        assert cells(quiet(holed, missing="level"), "x") == [*series.to_list(), None]


def test_times_finer_than_python_knows_stay_apart() -> None:
    data = quiet(pl.DataFrame({"x": pl.Series([3, 5], dtype=pl.Datetime("ns"))}))
    assert len(data.levels["x"]) == 2


def test_dictionaries_of_arrow_keep_what_does_not_occur_where_it_is_declared() -> None:
    numbers, texts = pa.array([1, 0, None]), pa.array(["q", "y", "x"])
    plain, ordered = (pa.DictionaryArray.from_arrays(numbers, texts, ordered=ordered) for ordered in (False, True))
    other = pa.DictionaryArray.from_arrays(pa.array([0]), pa.array(["z"]))
    frame = pa.table({"plain": pa.chunked_array([plain, other]), "ordered": [*ordered, None]})
    frame = frame.set_column(1, "ordered", pa.chunked_array([ordered, ordered.slice(0, 1)]))
    data = Dataset.from_frame(frame, missing="level")
    assert data.levels == {"plain": ("q", "y", "z", None), "ordered": ("q", "y", None)}
    declared = Dataset.from_frame(frame, missing="level", declared_levels=True)
    assert declared.levels == {"plain": ("q", "x", "y", "z", None), "ordered": ("q", "y", "x", None)}
    assert cells(declared, "plain") == ["y", "q", None, "z"]


def test_enum_of_polars_keeps_its_order() -> None:
    frame = pl.DataFrame({"x": pl.Series(["lo", "hi", None], dtype=pl.Enum(["lo", "mid", "hi"]))})
    assert Dataset.from_frame(frame, missing="drop-rows").levels["x"] == ("lo", "hi")
    kept = Dataset.from_frame(frame, missing="drop-rows", declared_levels=True)
    assert kept.levels["x"] == ("lo", "mid", "hi")


def test_names_are_opaque() -> None:
    names = [3, ("a", 1), "3", "A", "a", "a b", 'q"', "x,y", "&-->", "é", "^.*$", "*", "n" * 300]
    frame = pd.DataFrame(np.eye(len(names), dtype=int))
    frame.columns = pd.Index(names, dtype=object, tupleize_cols=False)
    data = Dataset.from_frame(frame)
    assert data.names == tuple(names)
    for position, name in enumerate(names):
        assert data.codes[data.index(name)].tolist() == frame.iloc[:, position].tolist()
    texts = pl.DataFrame({name: ["u", "v", "w"[:i]] for i, name in enumerate(names[3:])}, strict=False)
    assert quiet(texts, missing="level").names == tuple(names[3:])
    nested = pd.DataFrame([[0, 1], [1, 1], [1, 0]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    assert Dataset.from_frame(nested).names == (("a", 1), ("a", 2))


@pytest.mark.parametrize("index", [[7, 7, 7], [5, 0, 9], pd.date_range("2024-01-01", periods=3)])
def test_the_index_is_ignored(index: Any) -> None:
    frame = pd.DataFrame({"x": [0, 1, 1], "y": ["a", "a", "b"]}, index=index)
    plain = Dataset.from_frame(frame.reset_index(drop=True))
    assert Dataset.from_frame(frame).fingerprint == plain.fingerprint


def test_iterators_are_columns() -> None:
    assert Dataset.from_frame({"a": iter([1, 2]), "b": [1, 2]}).codes.tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({}, "no columns"),
        (pd.DataFrame(), "no columns"),
        (pl.DataFrame(), "no columns"),
        ({"x": []}, "no rows"),
        (pl.DataFrame({"x": []}), "no rows"),
        (np.empty((0, 3)), "no rows"),
        (np.empty((3, 0)), "no columns"),
        (np.arange(3), "1 dimensions"),
        ({"x": [1, 2], "y": [1]}, "'y' has 1 rows where others have 2"),
        ({"x": "text"}, "'x' is one str"),
        ({"x": 1}, "'x' is one int"),
        ({"x": np.eye(2)}, "'x' has 2 dimensions"),
        (pd.DataFrame([[0, 1, 2], [0, 1, 2]], columns=["a", "a", "b"]), "more than once.*'?a"),
        (pa.table([[0, 1], [1, 0]], ["a", "a"]), "more than once.*a"),
        ("data.csv", "str is not a table"),
        ([[1, 2], [3, 4]], "list is not a table"),
        (pd.Series([1, 2]), "Series is not a table"),
        (pl.Series([1, 2]), "Series is not a table"),
        ({"a": np.array(5)}, "column 'a' has 0 dimensions instead of one"),
        ({"a": [1, 2], np.nan: [1, 2]}, r"the column name nan \(float\) cannot be written"),
        ({"a": 5}, "column 'a' is one int instead of a list or an array"),
        ({"a": [], "b": []}, "the table has no rows"),
        ({"a": [1, 2], "b": iter([1])}, "column 'b' has 1 rows where others have 2"),
    ],
)
def test_what_is_no_table_is_refused(frame: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Dataset.from_frame(frame)


def test_pandas_without_pyarrow_and_polars_without_pandas() -> None:
    script = """
import sys
sys.modules.update(dict.fromkeys({blocked}))
import climbfast.dataset as cd
{frame}
data = cd.Dataset.from_frame(frame, missing="level")
assert data.levels["x"] == ("a", "b", None), data.levels
"""
    for blocked, frame in [
        (["pyarrow"], "import pandas; frame = pandas.DataFrame({'x': ['a', 'b', None]})"),
        (["pyarrow", "pandas"], "import polars; frame = polars.DataFrame({'x': ['a', 'b', None]})"),
    ]:
        subprocess.run([sys.executable, "-c", script.format(blocked=blocked, frame=frame)], check=True)


@pytest.mark.parametrize("dtype", ["Int64", "UInt64", "int64[pyarrow]"])
def test_large_numbers_beside_missing_cells_of_pandas(dtype: str) -> None:
    frame = pd.DataFrame({"x": pd.Series([2**53, 2**53 + 1, None], dtype=dtype)})
    assert quiet(frame, missing="level").levels["x"] == (2**53, 2**53 + 1, None)
    frame = pd.DataFrame({"x": pd.Series([True, None, False], dtype="boolean")})
    assert quiet(frame, missing="level").levels["x"] == (False, True, None)
    frame = pd.DataFrame({"x": pd.Series([1.0, None, 2.0], dtype="Float64")})
    assert quiet(frame, missing="level").levels["x"] == (1, 2, None)


INFINITY = 2**63 - 1  # as databases write the time "infinity"


@pytest.mark.parametrize(
    ("cells", "largest"),
    [
        (pa.array([2**31 - 1, -(2**31), 0], pa.date32()), np.datetime64(2**31 - 1, "D")),
        (pa.array([INFINITY, -INFINITY, 0], pa.timestamp("us")), np.datetime64(INFINITY, "us")),
        (pa.array([INFINITY, -INFINITY, 0], pa.timestamp("ns")), np.datetime64(INFINITY, "ns")),
        (pa.array([INFINITY, -INFINITY, 0], pa.timestamp("us", "UTC")), "294247-01-10T04:00:54.775807Z"),
        (pa.array([INFINITY, -INFINITY, 0], pa.duration("ms")), np.timedelta64(INFINITY, "ms")),
    ],
)
def test_times_that_python_cannot_hold(cells: pa.Array, largest: Any, capfd: pytest.CaptureFixture[str]) -> None:
    data = quiet(pa.table({"x": cells, "y": [0, 1, 0]}))
    assert len(data.levels["x"]) == 3
    assert largest in data.levels["x"]
    if not isinstance(largest, str):
        array = cells.cast(pa.int64() if cells.type != pa.date32() else pa.int32()).to_numpy().astype(largest.dtype)
        assert quiet({"x": array, "y": [0, 1, 0]}).fingerprint == data.fingerprint
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name", ["^a.*$", "*", "", "a.b"])
@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        ([1, 2, None], "refuse"),
        ([0.5, 1.5, None], "auto"),
        ([True, False, None], "refuse"),
        ([dt.date(2020, 1, 1), dt.date(2021, 1, 1), None], "refuse"),
        (["u", "v", None], "refuse"),
    ],
)
def test_a_name_of_polars_is_no_pattern(name: str, cells: list[Any], numbers: str) -> None:
    found, plain = (
        quiet(pl.DataFrame({each: cells * 4, "z": [0, 1, 2] * 4}), missing="level", numbers=numbers)
        for each in (name, "plain")
    )
    assert found.names == (name, "z")
    assert found.levels[name] == plain.levels["plain"]


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt8, pl.Int16, pl.UInt32, pl.Int64, pl.UInt64])
@pytest.mark.parametrize("at_the_top", [False, True])
@pytest.mark.parametrize("size", [2, 5, 17, 100])
def test_whole_numbers_with_blanks(dtype: Any, size: int, *, at_the_top: bool) -> None:
    """Also up to the largest number of their type, above which none is left to stand for a blank."""
    low = int(np.iinfo(str(dtype()).lower()).max) - size + 1 if at_the_top else 3
    rng = np.random.default_rng(size)
    cells_of_x = [None if rng.random() < 0.2 else low + int(rng.integers(size)) for _ in range(500)]
    data = quiet(pl.DataFrame({"x": pl.Series(cells_of_x, dtype=dtype), "y": [0, 1] * 250}), missing="level")
    assert cells(data, "x") == cells_of_x
    marked = quiet(
        pl.DataFrame({"x": pl.Series(cells_of_x, dtype=dtype), "y": [0, 1] * 250}),
        missing="level",
        missing_markers=[low + 1],
    )
    assert cells(marked, "x") == [None if cell == low + 1 else cell for cell in cells_of_x]


def test_whole_numbers_with_blanks_are_cut_and_may_all_be_blank() -> None:
    numbers = [None, *range(60), None]
    data = quiet(pl.DataFrame({"x": numbers, "y": [0, 1] * 31}), missing="test-wise", numbers="width:3")
    assert data.levels["x"] == quiet(pl.DataFrame({"x": numbers[1:-1]}), numbers="width:3").levels["x"]
    assert dict(data.missing) == {"x": 2}
    empty = quiet(pl.DataFrame({"x": pl.Series([None, None], dtype=pl.Int8), "y": [0, 1]}), missing="test-wise")
    assert empty.levels["x"] == ()
