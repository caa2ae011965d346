"""Files by suffix, and places that hold no table."""

from __future__ import annotations

import gzip
import io
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from climbfast.dataset import columnar, frames, read, sources, threads
from climbfast.dataset.diagnostics import level_counts
from climbfast.errors import DataError, OptionError
from tests.dataset.tables import REGULAR, cells, compressed, quiet_read
from tests.factories import quiet


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


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ({"separator": ";"}, "separator and header=False are for text files"),
        ({"header": False}, "separator and header=False are for text files"),
        ({"encoding": "latin-1"}, "encoding is not for the format parquet"),
    ],
)
def test_options_of_text_files_are_of_text_files(option: dict[str, Any], says: str, tmp_path: Path) -> None:
    pl.DataFrame({"x": [0, 1]}).write_parquet(tmp_path / "data.parquet")
    with pytest.raises(OptionError, match=rf"data\.parquet: {says}"):
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
    with pytest.raises(DataError, match="no such file; only the command line takes - for standard input"):
        read("-", format="csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataError, match="a directory"):
        read(tmp_path / "folder.csv")
    for name in ("data.xlsx", "data", "data.parquet.gz"):
        with pytest.raises(DataError, match=r"(unknown|no) suffix"):
            read(save("x", name))


def test_a_path_is_not_a_pattern(save: Callable[..., Path]) -> None:
    save(REGULAR.replace("x", "z"), "data1.csv")
    assert read(save(REGULAR, "data[1].csv")).levels["b"] == ("x", "y")


def test_a_format_stands_above_the_suffix(save: Callable[..., Path]) -> None:
    for name in ("iris.data", "plain", "odd.parquet", "table.csv"):
        assert read(save(REGULAR, name), format="csv").levels == {"a": (1, 2), "b": ("x", "y")}
    assert read(save(REGULAR.replace(",", "\t"), "tabs"), format="tsv").levels["b"] == ("x", "y")
    assert read(save(gzip.compress(REGULAR.encode()), "iris.data.gz"), format="csv").levels["a"] == (1, 2)
    path = save(b"", "frame")
    pl.DataFrame({"x": ["u", "v"]}).write_parquet(path)
    assert read(path, format="parquet").levels["x"] == ("u", "v")
    pl.DataFrame({"x": ["u", "v"]}).write_ipc(path)
    assert read(path, format="arrow").levels["x"] == ("u", "v")


def test_formats_that_do_not_exist_or_are_not_chosen(save: Callable[..., Path]) -> None:
    with pytest.raises(OptionError, match="format='xls' does not exist; use one of 'csv', 'tsv'"):
        read(save(REGULAR), format="xls")
    for name in ("iris.data", "plain"):
        with pytest.raises(DataError, match=r"say what the file is, such as format='csv'$"):
            read(save(REGULAR, name))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".arrow"])
@pytest.mark.parametrize("short", [5, 1 << 24])
def test_a_pipe_is_read_once(suffix: str, short: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BYTES_OF_A_SHORT_PIPE", short)
    buffer = io.BytesIO()
    write = {".parquet": pl.DataFrame.write_parquet, ".arrow": pl.DataFrame.write_ipc}.get(suffix)
    if write:
        write(pl.DataFrame({"a": [1, 2, 2], "b": ["x", "y", "x"]}), buffer)
    content = buffer.getvalue() or compressed(REGULAR.encode(), suffix)
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[content])
    writer.start()
    assert read(pipe).levels == {"a": (1, 2), "b": ("x", "y")}
    writer.join()


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no sockets in folders")
def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.csv")
        with pytest.raises(DataError, match=r"s\.csv: a socket, not a file"):
            read("s.csv")


MEMORY_OF_READING = """
import re, sys, warnings
from pathlib import Path
import climbfast as cf
warnings.simplefilter("ignore")
# Of this program alone: ru_maxrss begins with the memory of the process that started it.
peak = lambda: int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
cf.read(sys.argv[1])
before = peak()
data = cf.read(sys.argv[2], format="csv")
print(data.codes.nbytes, 1024 * (peak() - before))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell their memory in other ways")
@pytest.mark.parametrize(
    ("name", "columns"), [("large.csv", 20), ("large.csv", 2_000), ("large.csv.gz", 20), ("/dev/stdin", 2_000)]
)  # what is read of a source does not depend on the number of columns
def test_reading_takes_the_memory_of_the_codes(name: str, columns: int, tmp_path: Path) -> None:
    """Some 32 MB of text, of which 16 MB of codes are made."""
    digits = np.random.default_rng(1).integers(48, 52, size=(1_000_000 // columns, columns, 2), dtype=np.uint8)
    digits[:, :, 1] = ord(",")
    digits[:, -1, 1] = ord("\n")
    header, block = (",".join(f"c{x}" for x in range(columns)) + "\n").encode(), digits.tobytes()
    path, small = tmp_path / name, tmp_path / "small.csv"
    compress = partial(gzip.compress, compresslevel=1) if name.endswith(".gz") else bytes
    content = compress(header) + 16 * compress(block)
    if name != "/dev/stdin":
        path.write_bytes(content)
    small.write_bytes(header + block)
    command = [sys.executable, "-c", MEMORY_OF_READING, str(small), str(path)]
    given = content if name == "/dev/stdin" else b""
    ran = subprocess.run(command, input=given, capture_output=True, check=True, timeout=300)
    codes, grown = map(int, ran.stdout.split())
    assert codes == 16_000_000
    assert grown < 1.5 * codes + (24 << 20)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names or change them")
@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
def test_names_of_files_that_are_not_utf8(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"n\xff." + suffix.encode())
    frame = pl.DataFrame({"x": ["u", "v"]})
    plain = tmp_path / f"plain.{suffix}"
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "arrow": frame.write_ipc}[suffix](plain)
    plain.rename(path)
    assert read(path).levels["x"] == ("u", "v")
    with pytest.raises(DataError, match=r"'.*m\\udcff\.csv': there is no such file"):
        read(tmp_path / os.fsdecode(b"m\xff.csv"))


def test_paths_with_control_characters(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"'a\\x00b\.csv': a path cannot have a null character"):
        read("a\0b.csv")
    with pytest.raises(DataError, match=r"a\\x1bb\.csv': there is no such file"):
        read(tmp_path / "a\x1bb.csv")


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_the_index_of_pandas_is_no_column(suffix: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": ["u", "v"]}, index=pd.Index([7, 8], name="person"))
    path = tmp_path / f"data.{suffix}"
    table = pa.Table.from_pandas(frame)
    assert table.column_names == ["x", "person"]
    pq.write_table(table, path) if suffix == "parquet" else write_arrow(table, path)
    assert quiet_read(path).fingerprint == quiet(frame).fingerprint


@pytest.mark.parametrize("cells_for_threads", [0, threads.CELLS_FOR_THREADS])
def test_a_large_parquet_file_is_read_some_columns_at_a_time(monkeypatch, tmp_path: Path, cells_for_threads) -> None:
    rows = range(60)
    frame = pd.DataFrame(
        {
            "text": [f"t{row % 3}" for row in rows], "whole": [row % 4 for row in rows],
            "half": [row % 5 / 2 for row in rows], "kind": pd.Categorical([f"k{row % 2}" for row in rows]),
            "left out": [row % 7 for row in rows], "number": [str(row % 6) for row in rows],
        },
        index=pd.Index([row + 5 for row in rows], name="person"),
    )  # fmt: skip
    path, options = tmp_path / "data.parquet", {"numbers": "quantile:3", "leave_out": ["left out"]}
    frame.to_parquet(path)
    whole = quiet_read(path, **options)
    monkeypatch.setattr(threads, "CELLS_FOR_THREADS", cells_for_threads)
    monkeypatch.setattr(threads, "CELLS_OF_A_TASK", 0)
    asked = []

    def encode_series(chosen: list[pl.Series], names: list[str], *others: Any) -> Any:
        asked.append(names)
        return frames.encode_series(chosen, names, *others)

    monkeypatch.setattr(columnar, "encode_series", encode_series)
    monkeypatch.setattr(columnar, "LARGE", 130)
    monkeypatch.setattr(columnar, "BYTES_AT_ONCE", 60 * (16 + 8))
    assert quiet_read(path, **options).fingerprint == whole.fingerprint
    assert asked == [["text", "whole"], ["half", "kind"], ["number"]]


def test_names_of_a_large_parquet_file_are_no_patterns(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    frame = pl.DataFrame({"^a.*$": ["u", "v", "u"], "*": [1, 2, 2], "ab": [3, 3, 4], "ac": [5, 6, 5]})
    frame.write_parquet(tmp_path / "data.parquet")
    monkeypatch.setattr(columnar, "LARGE", 0)
    options: dict[str, Any] = {"columns": ["^a.*$", "*"]}
    assert quiet_read(tmp_path / "data.parquet", **options).fingerprint == quiet(frame, **options).fingerprint


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        *product(
            [{}, {"declared_levels": {"y": [5, 4, 6, 7]}}, {"weights": "w"}, {"keep_ids": True}],
            ["level", "test-wise", "drop-rows"],
        ),
        ({"missing_markers": {"x": [0, 1]}}, "level"),
        ({"missing_markers": {"x": [0, 1]}}, "test-wise"),
    ],
)
def test_counts_of_a_large_parquet_file(
    options: dict[str, Any], missing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Those that are found while cells are encoded are those of the codes."""
    rows = range(40)
    gaps = [None if row % 9 == 1 else row % 3 + 4 for row in rows]
    columns = {"x": [row % 2 for row in rows], "y": gaps, "w": [row % 4 for row in rows], "z": ["u", "v"] * 20}
    pl.DataFrame({**columns, "id": rows}).write_parquet(tmp_path / "data.parquet", row_group_size=12)
    monkeypatch.setattr(columnar, "LARGE", 0)
    monkeypatch.setattr(frames, "FEWEST_CELLS_OF_CHUNKS", 0)
    data = quiet_read(tmp_path / "data.parquet", missing=missing, **options)
    expected = level_counts(data.codes, data.arity, data.weights, data.incomplete)
    assert [counts.tolist() for counts in data.level_counts] == [counts.tolist() for counts in expected]


def write_arrow(table: pa.Table, path: Path) -> None:
    with pa.ipc.new_file(path, table.schema) as file:
        file.write_table(table)


def test_run_end_encoded_columns(tmp_path: Path) -> None:
    ends = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["u", "v"]))
    table = pa.table({"x": ends, "y": [0, 1, 0]})
    write_arrow(table, tmp_path / "data.arrow")
    for data in (quiet(table), quiet_read(tmp_path / "data.arrow")):
        assert cells(data, "x") == ["u", "u", "v"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (pa.array([[1], [2]]), "List"),
        (pa.array([{"a": 1}, {"a": 2}]), "Struct"),
        (pa.array([1, 2], pa.decimal256(50, 2)), "decimal256"),
        (pa.array([pa.MonthDayNano([1, 2, 3])] * 2), "month_day_nano_interval"),
        (pa.array([[1], [2]], pa.list_view(pa.int64())), "list_view"),
    ],
)
def test_types_that_cannot_be_levels_are_refused_by_column(
    values: pa.Array, kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    table = pa.table({"x": values, "y": [0, 1]})
    write_arrow(table, tmp_path / "data.arrow")
    for reading in (lambda: quiet(table), lambda: quiet_read(tmp_path / "data.arrow")):
        with pytest.raises(DataError, match=rf"column 'x' has cells of type {kind}.*, which cannot be levels"):
            reading()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        (pa.array([1, 2], pa.time64("ns")), ("00:00:00.000000001", "00:00:00.000000002")),
        (pa.array([1, 2], pa.duration("ns")), (np.timedelta64(1, "ns"), np.timedelta64(2, "ns"))),
        (pa.array([1, 2], pa.timestamp("ns")), (np.datetime64(1, "ns"), np.datetime64(2, "ns"))),
        (pa.array([b"u", b"\xff"]), (b"u", b"\xff")),
        (pa.array([5, 7]).dictionary_encode(), (5, 7)),
    ],
)
def test_fine_times_and_odd_types_are_not_merged(values: pa.Array, levels: Any, tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": values}), tmp_path / "data.parquet")
    assert quiet_read(tmp_path / "data.parquet").levels["x"] == levels


def test_an_arrow_file_with_a_damaged_end_is_no_stream(save: Callable[..., Path]) -> None:
    buffer = io.BytesIO()
    pl.DataFrame({"x": [1, 2]}).write_ipc(buffer)
    for content in (b"ARR0W1" + buffer.getvalue()[6:], buffer.getvalue()[:-3]):
        with pytest.raises(DataError, match="it does not begin and end with ARROW1"):
            read(save(content, "data.arrow"))


def test_a_panic_is_one_sentence(
    save: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def panic(*_: Any, **__: Any) -> None:
        os.write(
            2, b"kept\n\nthread 'polars-1' (7) panicked at a.rs:1:2:\nwhy\nnote: run with `RUST_BACKTRACE=1`\nalso\n"
        )
        raise pl.exceptions.PanicException("why\nmore")

    buffer = io.BytesIO()
    pl.DataFrame({"x": [1, 2]}).write_parquet(buffer)
    monkeypatch.setattr(pl, "read_parquet", panic)
    monkeypatch.setattr("climbfast.dataset.columnar._read_by_pyarrow", lambda *_: None)
    with pytest.raises(DataError, match=r"not a readable parquet file: why$"):
        read(save(buffer.getvalue(), "data.parquet"))
    assert capfd.readouterr().err == "kept\nalso\n"


@pytest.mark.parametrize("name", [None, float("inf"), np.datetime64("2020-01-01"), b"x", ("a", float("nan"))])
def test_names_that_no_file_can_carry(name: Any) -> None:
    with pytest.raises(DataError, match=r"the column name .* cannot be written into results; names are text"):
        quiet({name: [0, 1], "y": [0, 1]})
