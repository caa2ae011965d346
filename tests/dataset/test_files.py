"""Files by suffix, and places that hold no table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from climbfast.dataset import read
from climbfast.errors import DataError, OptionError
from tests.dataset.tables import REGULAR, compressed, quiet_read


@pytest.mark.parametrize("suffix", [".csv.gz", ".csv.zst", ".tsv", ".CSV"])
def test_suffixes(suffix: str, save: Callable[..., Path]) -> None:
    text = REGULAR.replace(",", "\t") if suffix == ".tsv" else REGULAR
    name = "data" + suffix
    data = read(save(compressed(text.encode(), name), name))
    assert data.levels == {"a": (1, 2), "b": ("x", "y")}


@pytest.mark.parametrize("suffix", ["parquet", "pq", "arrow", "feather", "ipc"])
def test_columnar_files(suffix: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"c": pd.Categorical(["u", "v", "u"]), "n": pd.array([1, None, 2], "Int64"), "s": ["x", "y", "x"]},
        index=[4, 5, 6],
    )
    path = tmp_path / f"data.{suffix}"
    frame.to_parquet(path) if suffix in ("parquet", "pq") else pl.from_pandas(frame).write_ipc(path)
    data = quiet_read(path, missing="level")
    assert data.levels == {"c": ("u", "v"), "n": (1, 2, None), "s": ("x", "y")}


def test_arrow_streams(tmp_path: Path) -> None:
    pl.DataFrame({"x": ["a", "b"]}).write_ipc_stream(tmp_path / "data.arrow")
    assert read(tmp_path / "data.arrow").levels["x"] == ("a", "b")


@pytest.mark.parametrize("option", [{"separator": ";"}, {"header": False}, {"encoding": "latin-1"}])
def test_options_of_text_files_are_of_text_files(option: dict[str, Any], tmp_path: Path) -> None:
    pl.DataFrame({"x": [0, 1]}).write_parquet(tmp_path / "data.parquet")
    with pytest.raises(OptionError, match=r"data\.parquet: separator, header and encoding are for text files"):
        read(tmp_path / "data.parquet", **option)


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
        with pytest.raises(DataError, match="(unknown|no) suffix"):
            read(save("x", name))


def test_a_path_is_not_a_pattern(save: Callable[..., Path]) -> None:
    save(REGULAR.replace("x", "z"), "data1.csv")
    assert read(save(REGULAR, "data[1].csv")).levels["b"] == ("x", "y")
