"""Every odd input has one right answer, an error that names the place, or a warning by name."""

from __future__ import annotations

import copy
import csv
import datetime as dt
import gzip
import io
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast.dataset import Dataset, read
from climbfast.dataset.delimited import read_delimited
from climbfast.errors import ClimbfastWarning, DataError, OptionError, UnknownColumnError
from tests.factories import EXAMPLES

NAN = float("nan")
# Before version 3 of pandas "str" was the text of NumPy, in which None is "None".
PANDAS_TEXTS = ["string[python]", "string[pyarrow]", *(["str"] if int(pd.__version__.partition(".")[0]) >= 3 else [])]
CELLS = st.sampled_from(["a", "B", "é", " a", "a,b", "x\ny", 'q"', "007", "NA", ""])


def packed(content: bytes, name: str) -> bytes:
    """The content as a file of this name has it."""
    pack = {".gz": gzip.compress, ".zst": lambda raw: pa.compress(raw, "zstd", asbytes=True)}
    return pack.get(Path(name).suffix, bytes)(content)


def column(values: Any, **options: Any) -> Dataset:
    """A table of this one column, whatever warnings it deserves."""
    return quietly(Dataset.from_frame, {"x": values}, **options)


def quietly(make: Callable[..., Dataset], *args: Any, **options: Any) -> Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        return make(*args, **options)


def cells(data: Dataset, name: Any) -> list[Any]:
    return [data.levels[name][code] for code in data.codes[data.index(name)]]


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    def write(content: str | bytes, name: str = "data.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


# Values


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        (np.array([1, -1, 1, -1]), (-1, 1)),
        (np.array([0, 1000, 0]), (0, 1000)),
        (np.array([2**40, 2**31, 2**40]), (2**31, 2**40)),
        (np.array([-(2**63), 2**63 - 1, 0]), (-(2**63), 0, 2**63 - 1)),
        (np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64), (2**64 - 2, 2**64 - 1)),
        (np.array([-128, 127, 0], dtype=np.int8), (-128, 0, 127)),
        (np.array([1.0, 0.0, -0.0]), (0, 1)),
        (np.array([1, 0], dtype=np.float16), (0, 1)),
        (np.array([1e300, 0.0]), (0, int(1e300))),
        (np.array([True, False, True]), (False, True)),
        (np.array(["b", "a"]), ("a", "b")),
        (np.array([b"b", b"a"]), (b"a", b"b")),
        (np.array(["2024-01-02", "2024-01-01"], dtype="M8[D]"), (dt.date(2024, 1, 1), dt.date(2024, 1, 2))),
        (np.array([5, 3], dtype="M8[ns]"), (np.datetime64(3, "ns"), np.datetime64(5, "ns"))),
        ([2, 1, 2], (1, 2)),
        ([2.0, 1], (1, 2)),
        ([True, False], (False, True)),
        (["é", "z", "Z"], ("Z", "z", "é")),
        ([b"x", b"y"], (b"x", b"y")),
        ([Decimal("2.0"), Decimal(1)], (1, 2)),
        ([dt.date(2024, 1, 2), dt.date(2024, 1, 1)], (dt.date(2024, 1, 1), dt.date(2024, 1, 2))),
        (np.array([np.int64(3), 2], dtype=object), (2, 3)),
    ],
)
def test_values_are_levels(values: Any, levels: tuple[Any, ...]) -> None:
    data = column(values)
    assert data.levels["x"] == levels
    assert [type(level) for level in data.levels["x"]] == [type(level) for level in levels]
    assert cells(data, "x") == list(values)


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
    data = quietly(Dataset.from_frame, series.to_frame("x"))
    assert data.levels["x"] == tuple(sorted(set(series.to_list())))
    assert cells(data, "x") == series.to_list()
    if series.dtype != pl.Object:
        holed = pl.concat([series, pl.Series([None], dtype=series.dtype)]).to_frame("x")
        assert cells(quietly(Dataset.from_frame, holed, missing="level"), "x") == [*series.to_list(), None]


def test_times_finer_than_python_knows_stay_apart() -> None:
    data = quietly(Dataset.from_frame, pl.DataFrame({"x": pl.Series([3, 5], dtype=pl.Datetime("ns"))}))
    assert len(data.levels["x"]) == 2


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.array([0.2, 0.7]), r"'x' has fractional numbers \(such as 0.2\); discretize"),
        ([0.5, 1], "fractional"),
        (pl.Series([0.5, None]), "fractional"),
        (np.array([1.0, np.inf]), "'x' has infinite values"),
        ([1.0, -float("inf")], "infinite"),
        ([1, True], r"'x' mixes values of several kinds \(bool and number\)"),
        ([1, "1"], "number and text"),
        ([1, True, "1"], "bool and number and text"),
        ([dt.date(2024, 1, 1), dt.datetime(2024, 1, 1)], "date and datetime"),
        ([[1], [2]], "'x' has cells of type list"),
        ([{1}, 2], "type set"),
        ([(1, 2), (1, 3)], "type tuple"),
        (np.array([1j, 2]), "type complex"),
        (pl.Series([[1], [2]]), r"'x' has cells of type List\(Int64\)"),
        (pl.Series([{"a": 1}]), "Struct"),
    ],
)
def test_values_that_are_no_levels_are_refused_by_name(values: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        column(values)


def test_fractions_are_levels_on_request() -> None:
    data = column(np.array([0.7, 0.2, 0.7, 1]), treat_floats_as_levels=True)
    assert data.levels["x"] == (0.2, 0.7, 1.0)
    assert data.codes.tolist() == [[1, 0, 1, 2]]


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.astype(">i4"),
        lambda a: a.astype("<u2"),
        np.asfortranarray,
        lambda a: np.repeat(np.repeat(a, 2, axis=0), 3, axis=1)[::2, ::3],
        lambda a: a.astype(float),
        lambda a: a.astype(">f8"),
        lambda a: a.astype(object),
        lambda a: np.ma.array(a),
        lambda a: np.lib.stride_tricks.as_strided(a, writeable=False),
    ],
)
def test_storage_does_not_matter(change: Callable[[Any], Any]) -> None:
    table = np.random.default_rng(0).integers(0, 4, (50, 6))
    assert Dataset.from_frame(change(table)).fingerprint == Dataset.from_frame(table).fingerprint


@pytest.mark.parametrize(("arity", "dtype"), [(256, "u1"), (257, "u2"), (65_536, "u2"), (65_537, "u4")])
@pytest.mark.parametrize("kind", ["integers", "far apart", "text", "csv"])
def test_many_levels_do_not_wrap(arity: int, dtype: str, kind: str, save: Callable[..., Path]) -> None:
    numbers = np.random.default_rng(1).permutation(arity) * (1 if kind == "integers" else 1_000_003)
    values: Any = [f"{n:020}" for n in numbers] if kind == "text" else numbers
    data = (
        quietly(read, save("x\n" + "\n".join(map(str, numbers))))
        if kind == "csv"
        else quietly(Dataset.from_frame, pl.DataFrame({"x": values}))
    )
    assert data.codes.dtype == np.dtype(dtype)
    assert data.arity.tolist() == [arity]
    assert np.array_equal(data.codes[0], np.argsort(np.argsort(numbers)))


# Categories


def test_categories_of_pandas_keep_their_order_and_lose_what_does_not_occur() -> None:
    sizes = pd.Categorical(["S", "L", "S"], categories=["S", "M", "L", "XL"], ordered=True)
    plain = pd.Categorical(["b", "a", "b"], categories=["c", "b", "a"])
    frame = pd.DataFrame({"size": sizes, "plain": plain})
    data = Dataset.from_frame(frame)
    assert data.levels == {"size": ("S", "L"), "plain": ("a", "b")}
    declared = Dataset.from_frame(frame, declared_levels=True)
    assert declared.levels == {"size": ("S", "M", "L", "XL"), "plain": ("a", "b", "c")}
    assert cells(declared, "size") == ["S", "L", "S"]
    assert declared.arity[declared.index("size")] == 4
    blank = pd.DataFrame({"x": pd.Categorical(["a", "b"], categories=["", "a", "b"])})
    assert Dataset.from_frame(blank, declared_levels=True).levels["x"] == ("a", "b")


def test_intervals_of_cut_are_levels_in_order() -> None:
    data = quietly(Dataset.from_frame, pd.DataFrame({"x": pd.cut([9, 1, 5], [0, 2, 6, 10])}))
    assert data.codes.tolist() == [[2, 0, 1]]


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


@pytest.mark.parametrize("missing", ["drop-rows", "level"])
def test_a_missing_value_is_no_listed_level(missing: str) -> None:
    frame = {"x": ["p", "q", None, "q", "p", "q"], "y": list("aabbab")}
    data = Dataset.from_frame(frame, declared_levels={"x": ["p", None, "q"]}, missing=missing)
    expected = Dataset.from_frame(frame, declared_levels={"x": ["p", "q"]}, missing=missing)
    assert data.levels["x"] == expected.levels["x"] == ("p", "q", None)[: 3 if missing == "level" else 2]
    assert data.codes.tolist() == expected.codes.tolist()
    assert (data.codes < data.arity[:, None]).all()


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


# Missing cells


@pytest.mark.parametrize(
    "frame",
    [
        {"x": ["a", None, "b", ""], "y": [1, NAN, 2, 1]},
        pd.DataFrame({"x": ["a", None, "b", ""], "y": [1, NAN, 2, 1]}),
        pd.DataFrame({"x": pd.Categorical(["a", None, "b", None]), "y": pd.array([1, None, 2, 1], "Int64")}),
        pd.DataFrame({"x": np.array(["a", pd.NaT, "b", pd.NA], object), "y": [1, None, 2, 1]}, dtype=object),
        pl.DataFrame({"x": ["a", None, "b", ""], "y": [1, None, 2, 1]}),
        pl.LazyFrame({"x": ["a", None, "b", ""], "y": [1.0, NAN, 2.0, 1.0]}),
        pa.table({"x": pa.array(["a", None, "b", ""]).dictionary_encode(), "y": [1, None, 2, 1]}),
        {"x": np.array(["a", "", "b", ""]), "y": np.ma.array([1, 7, 2, 1], mask=[False, True, False, False])},
    ],
    ids=lambda frame: type(frame).__module__,
)
def test_missing_cells_are_refused_or_settled(frame: Any) -> None:
    with pytest.raises(DataError, match=r"missing values in 'x' \(2\), 'y' \(1\); read with missing='drop-rows'"):
        Dataset.from_frame(frame)
    dropped = Dataset.from_frame(frame, missing="drop-rows")
    assert dropped.levels == {"x": ("a", "b"), "y": (1, 2)}
    assert dropped.rows == 2
    level = Dataset.from_frame(frame, missing="level")
    assert level.levels == {"x": ("a", "b", None), "y": (1, 2, None)}
    assert cells(level, "y") == [1, None, 2, 1]


def test_dates_may_be_missing() -> None:
    values = np.array(["2024-01-01", "NaT"], dtype="M8[s]")
    assert cells(column(values, missing="level"), "x") == [dt.datetime(2024, 1, 1), None]


def test_dropped_rows_take_their_levels_along() -> None:
    data = Dataset.from_frame({"x": [0, 1, 2, 2], "y": [0, None, 1, 0]}, missing="drop-rows")
    assert data.levels["x"] == (0, 2)
    assert data.codes[data.index("x")].tolist() == [0, 1, 1]
    wide = {"x": range(300), "y": [0, 1, *[None] * 298]}
    assert Dataset.from_frame(wide, missing="drop-rows").codes.dtype == np.uint8
    with pytest.raises(DataError, match="no rows are left"):
        Dataset.from_frame({"x": [None, 1], "y": [1, None]}, missing="drop-rows")


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


def test_the_message_lists_ten_columns() -> None:
    with pytest.raises(DataError, match=r"'9' \(1\) and 2 more columns"):
        Dataset.from_frame({str(i).zfill(1): [None, 1] for i in [*range(10), "x", "y"]})


def test_a_column_of_missing_cells_only() -> None:
    for nothing in ([None, None], np.array([NAN, NAN]), pl.Series([None, None]), pl.Series(["", None])):
        with pytest.raises(DataError, match=r"'x' \(2\)"):
            column(nothing)
        assert column(nothing, missing="level").levels["x"] == (None,)


# Frames and names


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
    assert read_in[0].canonical == ("a", "b")
    assert Dataset.from_frame(read_in[0]) is read_in[0]


def test_names_are_opaque() -> None:
    names = [3, ("a", 1), "3", "A", "a", "a b", 'q"', "x,y", "&-->", "é", "^.*$", "*", "n" * 300]
    frame = pd.DataFrame(np.eye(len(names), dtype=int))
    frame.columns = pd.Index(names, dtype=object, tupleize_cols=False)
    data = Dataset.from_frame(frame)
    assert data.names == tuple(names)
    for position, name in enumerate(names):
        assert data.codes[data.index(name)].tolist() == frame.iloc[:, position].tolist()
    texts = pl.DataFrame({name: ["u", "v", "w"[:i]] for i, name in enumerate(names[3:])}, strict=False)
    assert quietly(Dataset.from_frame, texts, missing="level").names == tuple(names[3:])
    nested = pd.DataFrame([[0, 1], [1, 1], [1, 0]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    assert Dataset.from_frame(nested).names == (("a", 1), ("a", 2))


@pytest.mark.parametrize("index", [[7, 7, 7], [5, 0, 9], pd.date_range("2024-01-01", periods=3)])
def test_the_index_is_ignored(index: Any) -> None:
    frame = pd.DataFrame({"x": [0, 1, 1], "y": ["a", "a", "b"]}, index=index)
    plain = Dataset.from_frame(frame.reset_index(drop=True))
    assert Dataset.from_frame(frame).fingerprint == plain.fingerprint


def test_an_unknown_column_survives_the_way_from_another_process():
    error = UnknownColumnError("smokin", ["smoking", "age"], kind="target")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.name, type(copy)) == (str(error), "smokin", UnknownColumnError)


def test_an_unknown_name_gives_the_nearest() -> None:
    data = Dataset.from_frame({"smoking": [0, 1], "age": [1, 1]}, leave_out=["age"])
    with pytest.raises(UnknownColumnError, match="'smoking'"):
        data.index("smokng")
    with pytest.raises(UnknownColumnError):
        data.index(["smoking"])  # type: ignore[arg-type]


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
    ],
)
def test_what_is_no_table_is_refused(frame: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Dataset.from_frame(frame)


def test_small_tables_are_data() -> None:
    for rows, columns in [(1, 1), (1, 5), (2, 1), (3, 40)]:
        table = np.arange(rows * columns).reshape(rows, columns)
        assert Dataset.from_frame(table).codes.shape == (columns, rows)


@given(st.lists(st.sampled_from(["a", "B", "", "NA", " a", "é", "1", "01", None]), min_size=1))
@settings(max_examples=EXAMPLES, deadline=None)
def test_texts_are_the_same_from_every_kind_of_frame(texts: list[str | None]) -> None:
    options: Any = {"missing": "level", "missing_markers": ["NA"]}
    expected = quietly(Dataset.from_frame, {"x": texts}, **options)
    arrow = pa.array(texts, pa.string())
    frames = [pl.DataFrame({"x": pl.Series(texts, dtype=dtype)}) for dtype in (pl.String, pl.Categorical)]
    frames += [pd.DataFrame({"x": pd.array(texts, dtype)}) for dtype in PANDAS_TEXTS]
    frames += [pa.table({"x": arrow}), pa.table({"x": arrow.dictionary_encode()})]
    for frame in frames:
        found = quietly(Dataset.from_frame, frame, **options)
        assert found.levels == expected.levels
        assert found.codes.tolist() == expected.codes.tolist()


@given(st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=1)))
@settings(max_examples=50, deadline=None)
def test_texts_are_the_same_from_a_file(rows: list[tuple[str, ...]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows([tuple("xyz"[: len(rows[0])]), *rows])
        data = quietly(read, path, missing="level")
    for name, found in zip(data.names, zip(*rows, strict=True), strict=True):
        expected = [None if text.strip() in ("", "NA") else text for text in found]
        levels = sorted({text for text in expected if text is not None})
        assert data.levels[name] == (*levels, *([None] if None in expected else []))
        assert cells(data, name) == expected


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.Series([1, 2]), "Series is not a table"),
        (pl.Series([1, 2]), "Series is not a table"),
        ({"a": np.array(5)}, "column 'a' has 0 dimensions instead of one"),
        ({"a": [1, 2], NAN: [1, 2]}, "a column has NaN for a name"),
        ({"a": 5}, "column 'a' is one int instead of a list or an array"),
        ({"a": [], "b": []}, "the table has no rows"),
        ({"a": [1, 2], "b": iter([1])}, "column 'b' has 1 rows where others have 2"),
    ],
)
def test_what_is_no_table(frame: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Dataset.from_frame(frame)


def test_iterators_are_columns() -> None:
    assert Dataset.from_frame({"a": iter([1, 2]), "b": [1, 2]}).codes.tolist() == [[0, 1], [0, 1]]


def test_pandas_without_pyarrow_and_polars_without_pandas() -> None:
    script = """
import sys
sys.modules.update(dict.fromkeys({blocked}))
import climbfast.dataset as cd
import time
{frame}
data = cd.Dataset.from_frame(frame, missing="level")
assert data.levels["x"] == ("a", "b", None), data.levels
"""
    for blocked, frame in [
        (["pyarrow"], "import pandas; frame = pandas.DataFrame({'x': ['a', 'b', None]})"),
        (["pyarrow", "pandas"], "import polars; frame = polars.DataFrame({'x': ['a', 'b', None]})"),
    ]:
        subprocess.run([sys.executable, "-c", script.format(blocked=blocked, frame=frame)], check=True)


def test_the_import_brings_in_neither_polars_nor_narwhals() -> None:
    script = "import sys, climbfast.dataset; assert not {'polars', 'narwhals', 'pandas'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


# Text files


@pytest.mark.parametrize(
    ("texts", "levels"),
    [
        (["2", "10", "-1"], (-1, 2, 10)),
        (["1", "1.0", "2.00", "1e1"], (1, 2, 10)),
        (["01", "2"], ("01", "2")),
        (["1", "x"], ("1", "x")),
        (["1", "inf", "x"], ("1", "inf", "x")),
        ([" 1", "2 "], (1, 2)),
        (["1_0", "2"], ("1_0", "2")),
        (["9007199254740993", "1.0"], (1, 9007199254740993)),
        (["9007199254740993.0", "9007199254740992.0"], (9007199254740992, 9007199254740993)),
        (["True", "False"], ("False", "True")),
        (["2024-01-01", "2023-01-01"], ("2023-01-01", "2024-01-01")),
    ],
)
def test_texts_are_typed_by_all_of_their_values(texts: list[str], levels: Any, save: Callable[..., Path]) -> None:
    data = quietly(read, save("\n".join(["x,y", *(f"{text},0" for text in texts)])))
    assert data.levels["x"] == levels


def test_a_late_text_is_not_lost_to_a_numeric_start(save: Callable[..., Path]) -> None:
    data = read(save("x\n" + "1\n" * 5000 + "a\n"))
    assert data.levels["x"] == ("1", "a")


def test_decimal_commas_are_fractions(save: Callable[..., Path]) -> None:
    path = save("x;y\n18,5;a\n20;b\n-3,25;a\n")
    with pytest.raises(DataError, match=r"column 'x' has numbers with decimal commas \(such as -?\d+,\d+\)"):
        read(path)
    assert read(path, treat_floats_as_levels=True).levels["x"] == ("-3,25", "18,5", "20")
    assert read(save("x;y\n1,2,3;a\n1,2;b\n")).levels["x"] == ("1,2", "1,2,3")


def test_numbers_that_are_no_levels_in_a_file(save: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match=r"data\.csv: column 'x' has fractional numbers"):
        read(save("x\n0.5\n1\n"))
    with pytest.raises(DataError, match=r"column 'x' has infinite values"):
        read(save("x\n1\n-inf\n"))
    assert read(save("x\n0.50\n.5\n1\n"), treat_floats_as_levels=True).levels["x"] == (0.5, 1.0)


REGULAR = "a,b\n1,x\n2,y\n2,x\n"


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (REGULAR, {}),
        ("\ufeff" + REGULAR, {}),
        ('\ufeff"a","b"\n1,x\n2,y\n2,x\n', {}),
        (REGULAR.replace(",", ";"), {}),
        (REGULAR.replace(",", "\t"), {}),
        (REGULAR.replace(",", "|"), {}),
        (REGULAR.replace(",", ":"), {"separator": ":"}),
        (REGULAR.replace("\n", "\r\n"), {}),
        (REGULAR.replace("\n", "\r"), {}),
        (REGULAR.rstrip("\n"), {}),
        (REGULAR + "\n\n", {}),
        (REGULAR.replace("\n2,y", "\n\n2,y"), {}),
        (REGULAR.replace("a,b\n", "a,b\n\n"), {}),
        (REGULAR.replace("a,b\n", '"a","b"\n\n') + "\n", {}),
        (REGULAR.replace("\n", "\r\n") + "\r\n\r\n", {}),
        (REGULAR.encode("utf-16"), {"encoding": "utf-16"}),
        (REGULAR.encode("latin-1"), {"encoding": "latin-1"}),
    ],
)
def test_every_form_of_a_text_file_gives_the_same_data(
    content: str | bytes, options: dict[str, Any], save: Callable[..., Path]
) -> None:
    data = read(save(content), **options)
    assert data.levels == {"a": (1, 2), "b": ("x", "y")}
    assert data.fingerprint == read(save(REGULAR, "regular.csv")).fingerprint
    assert read(save(content, "data.txt"), **options).fingerprint == data.fingerprint


@pytest.mark.parametrize("suffix", [".csv.gz", ".csv.zst", ".tsv", ".CSV"])
def test_suffixes(suffix: str, save: Callable[..., Path]) -> None:
    text = REGULAR.replace(",", "\t") if suffix == ".tsv" else REGULAR
    name = "data" + suffix
    data = read(save(packed(text.encode(), name), name))
    assert data.levels == {"a": (1, 2), "b": ("x", "y")}


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (b"a\x01b\n1\x012\n3\x014\n", {"separator": "\x01"}),
        (b"a\x01z,b\n1\x01,2\n2,3\n", {}),
        (b'a,b\n"x\r\ny",1\n"x\ny",2\n', {}),
        ("a,b\né,1\nx,2\n".encode("latin-1"), {"encoding": "latin-1"}),
        ("a,b\né,1\nx,2\n".encode("utf-16"), {"encoding": "utf-16"}),
    ],
)
def test_a_compressed_file_is_the_file(content: bytes, options: dict[str, Any], save: Callable[..., Path]) -> None:
    plain = read(save(content), **options)
    assert plain.columns == 2
    for name in ("data.csv.gz", "data.csv.zst"):
        assert read(save(packed(content, name), name), **options).levels == plain.levels
        with pytest.raises(DataError, match="damaged"):
            read(save(packed(content, name)[:-3], name), **options)


def test_quotes(save: Callable[..., Path]) -> None:
    data = read(save('"a\nb","c, d",é\n"x\ny","1,5",2\n"q""q",z,2\nr"r,z,3\n'))
    assert data.names == ("a\nb", "c, d", "é")
    assert data.levels["a\nb"] == ('q"q', 'r"r', "x\ny")
    assert data.levels["c, d"] == ("1,5", "z")


@pytest.mark.parametrize("name", ["data.csv", "data.csv.gz", "data.csv.zst"])
@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('a,b\n"x"y,1\n"x"z,2\n', 2),
        ('a,b\n1,2\n1,"5"5\n', 3),
        ('a,b\n""b,1\n"x",2\n', 2),
        ('a,b\n"New York" (NY),1\nz,2\n', 2),
        ('a,b\n"two\nlines",1\n"x" ,2\n', 4),
        ('a,b\n1,high\n2,"hig', 3),
        ('"a","b"\n"1","high"\n"2","hig', 3),
        ('a,b\n1,2\n3,"\n', 3),
    ],
)
def test_quotes_that_would_lose_text(content: str, line: int, name: str, save: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match=f"line {line}: a quoted cell (that does not end|with text behind)"):
        read(save(packed(content.encode(), name), name))


PIECES = ["a", "b", '"', '"', ",", "\n", "\r\n", " ", "x,y\n", '"q",', ",z\n"]


@pytest.mark.parametrize("names", ["h", "h,i"])
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=14))
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_text_file_is_what_the_csv_module_reads_or_refused(names: str, pieces: list[str]) -> None:
    width = names.count(",") + 1
    content = names + "\n" + "".join(pieces)
    try:
        records = list(csv.reader(io.StringIO(content, newline=""), strict=True))[1:]
    except csv.Error:
        records = [[]]
    rows = [record or [""] for record in records if record or width == 1]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        path.write_bytes(content.encode())
        try:
            frame = read_delimited(path, separator=",", header=True, encoding="utf-8").frame
        except DataError:
            assert not rows or any(len(row) != width for row in rows) or records == [[]]
        except ClimbfastWarning:
            assert all(row[-1] == "" for row in rows)
        else:
            assert [[text or "" for text in row] for row in frame.rows()] == rows


TEXTS = {
    "short": ["low", "medium", "high", None],
    "long": ["the same first words, then one", "the same first words, then two", "twelve bytes", "thirteen bytes"],
    "unicode": ["é", "e\u0301", "日本語", "🙂", "ß", "Straße"],
    "quoted": ["two\nlines", "two\r\nlines", 'a "word"', "a, b", None],
    "many": [f"level {i}" for i in range(700)],
    "numbers": list(range(-3, 300)),
}


def drawn(rows: int) -> dict[str, list[Any]]:
    """Cells of every kind of text; the last row has what no other has."""
    rng = np.random.default_rng(6)
    table = {name: [texts[i] for i in rng.integers(len(texts) - 1, size=rows)] for name, texts in TEXTS.items()}
    for name, texts in TEXTS.items():
        table[name][-1] = texts[-1]
    return table


def test_a_file_that_is_parsed_in_pieces(tmp_path: Path) -> None:
    table = drawn(30_000)
    path = tmp_path / "data.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))
    frame = read_delimited(path, separator=None, header=True, encoding="utf-8").frame
    assert frame.n_chunks("all") == [1] * len(TEXTS)
    data = read(path, missing="level")
    for name, expected in table.items():
        assert cells(data, name) == expected


def test_a_frame_in_pieces() -> None:
    table = drawn(5_000)
    whole = pl.DataFrame(table)
    pieces = pl.concat([whole[:1], whole[1:900], whole[900:900], whole[900:]], rechunk=False)
    assert pieces.n_chunks() > 1
    data = Dataset.from_frame(pieces, missing="level")
    for name, expected in table.items():
        assert cells(data, name) == expected


def test_a_separator_at_the_end_of_every_line(save: Callable[..., Path]) -> None:
    with pytest.warns(ClimbfastWarning, match="every line ends with a separator; .*'column_3' is left out"):
        data = read(save("a,b,\n1,x,\n2,y,\n1,x,\n"))
    assert data.names == ("a", "b")


def test_a_first_line_of_empty_cells(save: Callable[..., Path]) -> None:
    assert read(save(",,\n1,2,3\n4,5,7\n")).names == ("column_1", "column_2", "column_3")
    data = quietly(read, save(",,\n1,2,3\n"), header=False, missing="level")
    assert cells(data, "column_1") == [None, 1]
    for content in ("\n1\n2\n", '""\n1\n'):
        with pytest.raises(DataError, match="line 1 is empty"):
            read(save(content))


def test_names_of_columns_without_one(save: Callable[..., Path]) -> None:
    assert read(save("1,x\n2,y\n"), header=False).names == ("column_1", "column_2")
    assert read(save(",b\n1,x\n2,y\n")).names == ("column_1", "b")


def test_latin_1_is_named_with_line_and_byte(save: Callable[..., Path]) -> None:
    path = save("a,b\n1,x\n2,é\n1,x\n".encode("latin-1"))
    with pytest.raises(DataError, match=r"data\.csv: line 3, byte 3 is not UTF-8 \(0xe9\).*encoding='latin-1'"):
        read(path)
    assert read(path, encoding="latin-1").levels["b"] == ("x", "é")
    with pytest.raises(OptionError, match="unknown"):
        read(path, encoding="klingon")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("\n\n", "line 1 is empty"),
        ("a,b\n", "a header and no rows"),
        ("a,b\n1,x\n2\n1,y\n", "line 3 has 1 cells where the first line has 2"),
        ("a,b\n1,x\n2,y,z\n", "line 3 has 3 cells where the first line has 2"),
        ('a,b\n"1\n1",x\n2\n1,y\n', "line 4 has 1 cells"),
        ("a,b,c\n1,x\n2,y\n", "line 2 has 2 cells where the first line has 3"),
        ("a\n1\n2,3\n", "line 3 has 2 cells"),
        ('a,b\n1,x\n2,"y\n1,x\n', "line 3: a quoted cell that does not end"),
        ("a,b,a\n1,2,3\n", "more than once: 'a'"),
    ],
)
def test_broken_text_files_are_refused_with_the_line(content: str, message: str, save: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read(save(content))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["data.csv.gz", "data.csv.zst", "data.parquet", "data.arrow", "data.feather"])
@pytest.mark.parametrize("content", [b"", b"nothing of this kind", b"ARROW1 or so", b"\x1f\x8b\x08\x00broken"])
def test_damaged_files_are_one_line(name: str, content: bytes, save: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match="data") as caught:
        read(save(content, name))
    assert "\n" not in str(caught.value)


def test_places_without_a_table(save: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read(tmp_path / "none.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="a directory"):
        read(tmp_path / "folder.csv")
    for name in ("data.xlsx", "data", "data.parquet.gz"):
        with pytest.raises(DataError, match="unknown suffix"):
            read(save("x", name))


def test_a_path_is_not_a_pattern(save: Callable[..., Path]) -> None:
    save(REGULAR.replace("x", "z"), "data1.csv")
    assert read(save(REGULAR, "data[1].csv")).levels["b"] == ("x", "y")


@pytest.mark.parametrize("suffix", ["parquet", "pq", "arrow", "feather", "ipc"])
def test_columnar_files(suffix: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"c": pd.Categorical(["u", "v", "u"]), "n": pd.array([1, None, 2], "Int64"), "s": ["x", "y", "x"]},
        index=[4, 5, 6],
    )
    path = tmp_path / f"data.{suffix}"
    frame.to_parquet(path) if suffix in ("parquet", "pq") else pl.from_pandas(frame).write_ipc(path)
    data = quietly(read, path, missing="level")
    assert data.levels == {"c": ("u", "v"), "n": (1, 2, None), "s": ("x", "y")}


def test_arrow_streams(tmp_path: Path) -> None:
    pl.DataFrame({"x": ["a", "b"]}).write_ipc_stream(tmp_path / "data.arrow")
    assert read(tmp_path / "data.arrow").levels["x"] == ("a", "b")


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


@pytest.mark.parametrize("option", [{"separator": ";"}, {"header": False}, {"encoding": "latin-1"}])
def test_options_of_text_files_are_of_text_files(option: dict[str, Any], tmp_path: Path) -> None:
    pl.DataFrame({"x": [0, 1]}).write_parquet(tmp_path / "data.parquet")
    with pytest.raises(OptionError, match=r"data\.parquet: separator, header and encoding are for text files"):
        read(tmp_path / "data.parquet", **option)


# The order of rows and columns, and the frozen result


def test_neither_row_nor_column_order_matters() -> None:
    table = pd.DataFrame(np.random.default_rng(2).choice(list("pqr"), (30, 4)), columns=list("dbca"))
    data = Dataset.from_frame(table)
    assert Dataset.from_frame(table[list("abcd")]).fingerprint == data.fingerprint
    turned = Dataset.from_frame(table[::-1])
    assert turned.levels == data.levels
    assert np.array_equal(turned.codes[:, ::-1], data.codes)


def test_fingerprints_tell_data_apart() -> None:
    table = np.random.default_rng(3).integers(0, 3, (1000, 20))
    base = pl.DataFrame(table, schema=[f"v{i}" for i in range(20)])
    table[500, 10] = (table[500, 10] + 1) % 3
    others = [
        pl.DataFrame(table, schema=base.columns),
        base.rename({"v3": "w3"}),
        base.with_columns(pl.col("v3") + 1),
        base.with_columns(pl.col("v3").cast(pl.String)),
        base.head(999),
    ]
    prints = {Dataset.from_frame(frame).fingerprint for frame in [base, *others]}
    assert len(prints) == 6
    assert Dataset.from_frame(base).fingerprint == Dataset.from_frame(base.clone()).fingerprint


def test_a_dataset_is_frozen_also_after_a_copy() -> None:
    data = Dataset.from_frame({"x": [0, 1], "y": ["a", "b"]})
    for same in (data, copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert same.fingerprint == data.fingerprint
        assert same.codes.flags.c_contiguous and not same.codes.flags.writeable
        assert not same.arity.flags.writeable and same.arity.dtype == np.int64
        with pytest.raises(TypeError):
            same.levels["x"] = ()  # type: ignore[index]
        with pytest.raises(AttributeError):
            same.names = ()  # type: ignore[misc]
    assert repr(data) == "<Dataset: 2 rows, 2 columns, up to 2 levels>"
    assert (data.rows, data.columns) == (2, 2)


# TargetResult


def test_constant_columns_are_kept_and_named() -> None:
    with pytest.warns(ClimbfastWarning, match="constant columns, independent of everything: 'k'$"):
        data = Dataset.from_frame({"k": [7] * 30, "x": [0, 1, 1] * 10})
    assert data.constant == ("k",)
    assert data.names == ("k", "x")


def test_ids_are_kept_and_named() -> None:
    with pytest.warns(ClimbfastWarning, match=r"more levels than rows / 5.*: 'id'; exclude them with leave_out"):
        data = Dataset.from_frame({"id": [f"p{i}" for i in range(60)], "x": [0, 1, 1] * 20})
    assert data.nearly_unique == ("id",)
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
