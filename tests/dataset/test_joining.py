"""Several files as one table: equal to one file with all rows, whatever the order of the columns in each."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from climbfast.dataset import joining
from climbfast.dataset.sources import find_paths
from climbfast.errors import ClimbfastWarning, DataError, UnknownColumnError
from tests.dataset.tables import cells, quiet_read

Save = Callable[..., Path]
WRITERS: dict[str, Callable[[pl.DataFrame, Path], Any]] = {
    "csv": pl.DataFrame.write_csv,
    "parquet": pl.DataFrame.write_parquet,
    "arrow": pl.DataFrame.write_ipc,
}


def parts(folder: Path, suffix: str, *frames: pl.DataFrame) -> list[Path]:
    """The frames as files."""
    paths = [folder / f"part-{i}.{suffix}" for i in range(len(frames))]
    for path, frame in zip(paths, frames, strict=True):
        WRITERS[suffix](frame, path)
    return paths


# ---- Which files


def test_a_path_that_exists_is_no_pattern(save: Save, tmp_path: Path) -> None:
    other, literal = save("a\n1\n2\n", "data1.csv"), save("a\nx\ny\n", "data[1].csv")
    assert find_paths(literal) == [literal]
    assert find_paths(tmp_path / "data?.csv") == [other]
    assert find_paths(tmp_path / "data*.csv") == [other, literal]
    (tmp_path / "data3.csv").mkdir()
    assert find_paths(str(tmp_path / "data*.csv")) == [other, literal]


def test_files_that_do_not_exist(tmp_path: Path, save: Save) -> None:
    with pytest.raises(DataError, match=r"part-\*\.csv: there is no such file, and none that matches this pattern"):
        quiet_read(tmp_path / "part-*.csv")
    with pytest.raises(DataError, match="the list of paths is empty"):
        quiet_read([])
    path = save("a\n1\n2\n")
    with pytest.raises(DataError, match=r"data\.csv: it is twice in the list of paths"):
        quiet_read([path, path])
    with pytest.raises(DataError, match=r"other\.csv: there is no such file"):
        quiet_read([path, tmp_path / "other.csv"])


# ---- Equal to one file


def test_parts_are_one_table(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1, 2, 2, 1, 3], "b": ["x", "y", None, "x", "z"], "c": [True, False, True, True, False]})
    for suffix in WRITERS:
        (whole,) = parts(tmp_path, suffix, frame)
        expected = quiet_read(whole, missing="level")
        paths = parts(tmp_path, suffix, frame[:2], frame[2:4].select("c", "a", "b"), frame[4:])
        for given in (paths, tmp_path / f"part-*.{suffix}"):
            data = quiet_read(given, missing="level")
            assert data.names == ("a", "b", "c")
            assert data.fingerprint == expected.fingerprint


def test_levels_are_found_over_all_files(save: Save) -> None:
    """A column is of numbers only if it is so in all files."""
    one, two, three = save("a,b\n1,1\n2,2\n", "1.csv"), save("a,b\n1.0,x\n3,2\n", "2.csv"), save("a,b\n,1\n", "3.tsv")
    data = quiet_read([one, two])
    assert (data.levels, cells(data, "a"), cells(data, "b")) == (
        {"a": (1, 2, 3), "b": ("1", "2", "x")},
        [1, 2, 1, 3],
        ["1", "2", "x", "2"],
    )
    three.write_text("a\tb\n\t1\n")
    assert quiet_read([one, two, three], missing="level").levels["a"] == (1, 2, 3, None)


def test_many_texts(save: Save) -> None:
    """More than fit into one byte, in one file or only in all of them together."""
    texts = [f"t{i % 400:03}" for i in range(1000)]
    frames = [texts[:150], texts[150:300], texts[300:]]
    paths = [save("a,b\n" + "".join(f"{text},x\n" for text in part), f"{i}.csv") for i, part in enumerate(frames)]
    data = quiet_read(paths)
    assert (data.codes.dtype, cells(data, "a")) == ("uint16", texts)


def test_numbers_are_cut_over_all_files(save: Save) -> None:
    rows = [f"{i / 7},{'xy'[i % 2]}\n" for i in range(60)]
    whole = save("a,b\n" + "".join(rows), "whole.csv")
    paths = [save("a,b\n" + "".join(part), f"{i}.csv") for i, part in enumerate((rows[:20], rows[20:]))]
    for numbers in ("quantile:4", {"a": [2, 5]}):
        assert quiet_read(paths, numbers=numbers).fingerprint == quiet_read(whole, numbers=numbers).fingerprint


@pytest.mark.parametrize("together", [1, 200, 10_000])
def test_columns_are_parsed_a_few_at_a_time(together: int, save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joining, "_CELLS_TOGETHER", together)
    rows = [f"{i % 40},{i % 2},{i % 60}.5,{'xy'[i % 2]},2024-01-{1 + i % 28:02}\n" for i in range(100)]
    head = "whole,two,real,text,day\n"
    options: dict[str, Any] = {"numbers": {None: "quantile:3", "two": "levels"}}
    whole = quiet_read(save(head + "".join(rows), "whole.csv"), **options)
    paths = [save(head + "".join(rows[:50]), "1.csv"), save(head + "".join(rows[50:]), "2.csv")]
    assert quiet_read(paths, **options).fingerprint == whole.fingerprint
    paths.append(save(head + "inf,1,inf,x,2024-01-01\n", "3.csv"))
    with pytest.raises(DataError, match="column 'whole' has infinite values"):
        quiet_read(paths, **options)


def test_options_are_of_the_whole_table(save: Save) -> None:
    paths = [save("a,b,c\n1,1,1\n2,2,2\n", "1.csv"), save("c,b,a\n4,1,1\n3,?,2\n", "2.csv")]
    data = quiet_read(paths, columns=["b", "c"], missing="drop-rows", missing_markers=["?"])
    assert data.levels == {"b": (1, 2), "c": (1, 2, 4)}
    with pytest.raises(UnknownColumnError, match="no column named 'd'"):
        quiet_read(paths, columns=["d"])
    with pytest.raises(DataError, match=r"2 files, the first of them .*1\.csv: missing values in 'b' \(1\)"):
        quiet_read(paths, missing_markers=["?"])
    with pytest.raises(DataError, match=r"\*\.csv: missing values in 'b' \(1\)"):
        quiet_read(paths[0].with_name("*.csv"), missing_markers=["?"])


def test_an_empty_last_column_of_some_files(save: Save) -> None:
    paths = [save("a,b,\n1,1,\n2,2,\n", "1.csv"), save("a,b\n1,1\n2,2\n", "2.csv")]
    with pytest.warns(ClimbfastWarning, match="every line ends with a separator"):
        assert quiet_read_with_warnings(paths).names == ("a", "b")


def quiet_read_with_warnings(paths: list[Path]) -> Any:
    from climbfast.dataset import read

    return read(paths)


def test_a_damaged_part_is_named(save: Save) -> None:
    paths = [save("a,b\n1,1\n2,2\n", "1.csv"), save("a,b\n1,1\n2,2,2\n", "2.csv")]
    for given in (paths, paths[0].with_name("*.csv")):
        with pytest.raises(DataError, match=r"^[^:]*2\.csv: line 3 has 3 cells where the first line has 2$"):
            quiet_read(given)


# ---- Files that differ


@pytest.mark.parametrize("suffix", WRITERS)
def test_other_columns_are_refused(suffix: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1, 2], "b": [1, 2]})
    paths = parts(tmp_path, suffix, frame, frame, frame.drop("b"), frame.drop("a"))
    with pytest.raises(DataError, match=rf"part-2\.{suffix}: it has no column 'b', which .*part-0\.{suffix} has"):
        quiet_read(paths)
    paths = parts(tmp_path, suffix, frame, frame.with_columns(c=1))
    with pytest.raises(DataError, match=rf"part-1\.{suffix}: it has a column 'c', which .*part-0\.{suffix} does not"):
        quiet_read(paths)


def test_other_formats_are_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1, 2]})
    paths = [*parts(tmp_path, "csv", frame), *parts(tmp_path, "parquet", frame)]
    with pytest.raises(DataError, match=r"part-0\.parquet: it is of the format parquet where .*part-0\.csv is csv"):
        quiet_read(paths)


@pytest.mark.parametrize(
    ("one", "other", "levels"),
    [
        (pl.Series([1, 2]), pl.Series([None, 3.0]), (1, 2, 3, None)),
        (pl.Series([1, 2], dtype=pl.UInt8), pl.Series([-1, 300]), (-1, 1, 2, 300)),
        (pl.Series([None, None]), pl.Series(["x", "y"]), ("x", "y", None)),
        (pl.Series(["y", "x"], dtype=pl.Categorical), pl.Series(["x", "z"], dtype=pl.Categorical), ("x", "y", "z")),
        (pl.Series(["y", "x"], dtype=pl.Categorical), pl.Series(["x", "z"]), ("x", "y", "z")),
        (pl.Series(["hi", "lo"], dtype=pl.Enum(["lo", "hi"])), pl.Series(["top", "lo"], dtype=pl.Enum(["lo", "top"])),
         ("lo", "hi", "top")),
    ],
)  # fmt: skip
def test_types_that_can_be_joined(one: pl.Series, other: pl.Series, levels: Any, tmp_path: Path) -> None:
    paths = parts(tmp_path, "parquet", pl.DataFrame({"a": one}), pl.DataFrame({"a": other}))
    data = quiet_read(paths, missing="level")
    assert data.levels["a"] == levels
    assert cells(data, "a") == [*one.to_list(), *other.to_list()]
    assert set(quiet_read(paths[::-1], missing="level").levels["a"]) == set(levels)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pl.Series([1, 2]), pl.Series(["1", "2"])),
        (pl.Series([1, 2]), pl.Series([True, False])),
        (pl.Series([1, 2**60 + 1]), pl.Series([0.5, 2.0])),
        (pl.Series([1, 2**64 - 1], dtype=pl.UInt64), pl.Series([-1, 2])),
        (pl.Series([1, 2]).cast(pl.Date), pl.Series([1, 2]).cast(pl.Datetime("us"))),
    ],
)
def test_types_that_cannot_be_joined(one: pl.Series, other: pl.Series, tmp_path: Path) -> None:
    for first, second in itertools.permutations([one, other]):
        paths = parts(tmp_path, "parquet", pl.DataFrame({"a": first}), pl.DataFrame({"a": second}))
        with pytest.raises(DataError, match=r"part-1\.parquet: column 'a' has cells of type .* where a file before it"):
            quiet_read(paths)


def test_a_type_that_only_pyarrow_has(tmp_path: Path) -> None:
    table = pa.table({"a": pa.array([1, 2], pa.decimal256(50, 2))})
    paths = [tmp_path / "1.arrow", tmp_path / "2.arrow"]
    for path in paths:
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table)
    with pytest.raises(DataError, match=r"1\.arrow: it has a type that only a file read alone can have"):
        quiet_read(paths)


# ---- Declared levels and value labels


def test_levels_that_arff_files_declare(save: Save) -> None:
    header = "@relation r\n@attribute a {%s}\n@data\n"
    paths = [save(header % "u,v,w" + "u\nv\n", "1.arff"), save(header % "u,x" + "x\n", "2.arff")]
    assert quiet_read(paths).levels == {"a": ("u", "v", "w", "x")}


@pytest.mark.usefixtures("_in_this_process")
def test_value_labels(tmp_path: Path) -> None:
    import pyreadstat

    paths = [tmp_path / "1.sav", tmp_path / "2.sav"]
    for path, codes, labels in zip(paths, ([1, 2], [2, 3]), ({1: "one", 2: "two"}, {3: "three"}), strict=True):
        pyreadstat.write_sav(pd.DataFrame({"a": codes}), path, variable_value_labels={"a": labels})
    data = quiet_read(paths)
    assert (data.levels["a"], cells(data, "a")) == (("one", "two", "three"), ["one", "two", "two", "three"])
    pyreadstat.write_sav(pd.DataFrame({"a": [2]}), paths[1], variable_value_labels={"a": {2: "zwei"}})
    with pytest.raises(DataError, match=r"2\.sav: the value 2\.0 of column 'a' has the label 'zwei', and 'two' in a"):
        quiet_read(paths)


@pytest.mark.usefixtures("_in_this_process")
def test_a_column_without_cells_in_one_file(tmp_path: Path) -> None:
    import pyreadstat

    paths = [tmp_path / "1.sav", tmp_path / "2.sav"]
    day = dt.date(2020, 1, 2)
    empty = [np.nan, np.nan]
    frames = [pd.DataFrame({"day": [day, day], "a": [1.0, 2.0]}), pd.DataFrame({"day": empty, "a": empty})]
    for path, frame in zip(paths, frames, strict=True):
        pyreadstat.write_sav(frame, path, variable_value_labels={"a": {1: "one", 2: "two"}})
    data = quiet_read(paths, missing="level")
    assert (cells(data, "day"), cells(data, "a")) == ([day, day, None, None], ["one", "two", None, None])
