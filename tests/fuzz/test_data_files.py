"""Mutants of data files: each is read as an independent reader reads it, or refused in one sentence.

``FUZZ_COUNT=20000 python -m pytest tests/fuzz/test_data_files.py -n 0 -s`` tries 20,000 of each format, and prints what
became of them.
"""

from __future__ import annotations

import csv
import faulthandler
import gzip
import io
import re
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from climbfast.dataset import DEFAULT_MARKERS, Dataset, read
from climbfast.errors import ClimbfastError, ClimbfastWarning
from tests.dataset.tables import cells, compressed
from tests.fuzz.mutants import COUNT, mutants

Rows = dict[str, list[Any]]
SECONDS_OF_A_HANG = 60.0

ROWS = [
    ["name", "size", "code", "day", "note"],
    ["Ann", "1", "007", "2020-01-01", "a, b"],
    ["Bo", "2", "008", "2020-01-02", 'say "x"'],
    ["Zoë", "-3", "007", "2020-01-01", "two\nlines"],
    ["NA", "9007199254740993", "010", "2020-01-03", ""],
    ["Ann", "1.50", "008", "2020-01-02", "yes "],
    ["😀", "1e3", "007", "", "yes"],
]
NUMBER = re.compile(r"[ \t\r\n]*[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t\r\n]*")
INFINITE = re.compile(r"[ \t\r\n]*[+-]?inf(inity)?[ \t\r\n]*", re.IGNORECASE)


class Refused(Exception):  # noqa: N818  # what the independent reader answers
    """The independent reader cannot read the file."""


def written(separator: str, *, end: str = "\n", quoting: Any = csv.QUOTE_MINIMAL, rows: Any = ROWS) -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end, quoting=quoting).writerows(rows)
    return out.getvalue().encode()


def dialects(separator: str) -> list[bytes]:
    """The same table as several programs write it."""
    numbers = [["a", "b", "c"], *([str(i % 2), str(i % 3 - 1), "xyz"[i % 3]] for i in range(8))]
    return [
        written(separator),
        written(separator, end="\r\n"),
        written(separator, quoting=csv.QUOTE_ALL),
        written(separator, rows=numbers),
        written(separator, rows=[[*row, ""] for row in numbers]),
        b"\xef\xbb\xbf" + written(separator, rows=[["one"], ["1"], ["2"], ["NA"], ["1"]]),
        f"sep={separator}\r\n".encode() + written(separator, end="\r\n", rows=numbers),
    ]


def table_of_text(content: bytes, separator: str) -> Rows:
    """Read a text file by the csv module, with exact numbers."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused("encoding") from error
    if "\0" in text:
        raise Refused("null character")
    text = re.sub(r'\A"?sep=[!-~\t]"?\r?\n', "", text, count=1, flags=re.IGNORECASE)
    try:
        header, *records = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    except (ValueError, csv.Error) as error:
        raise Refused("no table") from error
    width = len(header)
    rows = [record or [""] for record in records if record or width == 1]
    if header in ([], [""]) or not rows or any(len(row) != width for row in rows):
        raise Refused("not regular")
    names = [name or f"column_{i}" for i, name in enumerate(header, start=1)]
    if len(set(names)) < width:
        raise Refused("names")
    if width > 1 and not header[-1] and all(not row[-1] for row in rows):
        names = names[:-1]
    return {name: values([row[i] for row in rows]) for i, name in enumerate(names)}


def values(texts: Sequence[str]) -> list[Any]:
    """Return a column as numbers if all its texts are numbers, else as text; None for a missing cell."""
    present = [text for text in texts if text.strip() not in DEFAULT_MARKERS]
    if all(NUMBER.fullmatch(text) or INFINITE.fullmatch(text) for text in present):
        if any(INFINITE.fullmatch(text) for text in present):
            raise Refused("infinite")
        try:
            exact = {text: Decimal(text.strip()) for text in present}
        except InvalidOperation:  # too large an exponent: text
            return [text if text.strip() not in DEFAULT_MARKERS else None for text in texts]
        if all(len(text.strip()) <= 2000 and abs(number.as_tuple().exponent) <= 2000 for text, number in exact.items()):
            return [Fraction(exact[text]) if text in exact else None for text in texts]
    return [text if text.strip() not in DEFAULT_MARKERS else None for text in texts]


def is_same(data: Dataset, expected: Rows) -> bool:
    """Whether the data have these cells, and as many levels as there are values."""
    if list(data.names) != list(expected):
        return False
    for name, column in expected.items():
        found = cells(data, name)
        if len(found) != len(column) or len(data.levels[name]) != len(set(column)):
            return False
        if not all(map(is_same_value, found, column)):
            return False
    return True


def is_same_value(found: Any, expected: Any) -> bool:
    if isinstance(found, float) and isinstance(expected, Fraction):
        return found == float(expected)
    if isinstance(expected, bytes) and isinstance(found, str):  # where the note that it is text is damaged
        return found.encode() == expected
    if isinstance(expected, (Fraction, str)):
        return bool(found == expected) and isinstance(found, str) == isinstance(expected, str)
    return bool(found == expected)


def shape(data: Dataset) -> tuple[Any, ...]:
    return len(data.names), data.rows


def read_or_reason(path: Path) -> Dataset | str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClimbfastWarning)
        try:
            return read(path, missing="level", numbers="levels", keep_ids=True, **OPTIONS[path.name])
        except ClimbfastError as error:
            return str(error)
        except (Exception, pl.exceptions.PanicException) as error:  # a fault: the run goes on, and tells its seed
            return f"FAULT {type(error).__name__}: {error}"


OPTIONS: dict[str, dict[str, Any]] = {
    "comma.csv": {"separator": ","},
    "semicolon.csv": {"separator": ";"},
    "bar.txt": {"separator": "|"},
    "tab.tsv": {"separator": "\t"},
    "comma.csv.gz": {"separator": ","},
    "comma.csv.zst": {"separator": ","},
    "table.parquet": {},
    "table.arrow": {},
    "table.feather": {},
    "stream.arrow": {},
}


def run(name: str, samples: Sequence[bytes], expect: Callable[[bytes], Rows], folder: Path, capfd: Any) -> Counter[str]:
    """Read all mutants; return how often each outcome came.

    A damaged columnar file that only climbfast reads has to have as many columns and rows as a sample: a changed
    cell or name is nothing that a reader can see.
    """
    path = folder / name
    outcomes: Counter[str] = Counter()
    shapes: set[Any] = set()
    for content in samples:
        path.write_bytes(content)
        sample = read_or_reason(path)
        assert isinstance(sample, Dataset), sample
        assert is_same(sample, expect(content))
        if name in COLUMNAR:
            shapes.add(shape(sample))
    for seed, content in enumerate(mutants(samples)):
        path.write_bytes(content)
        faulthandler.dump_traceback_later(SECONDS_OF_A_HANG, exit=True)
        found = read_or_reason(path)
        faulthandler.cancel_dump_traceback_later()
        try:
            expected: Rows | None = expect(content)
        except Refused:
            expected = None
        if isinstance(found, str) and (found.startswith("FAULT") or "\n" in found):
            outcome = "a fault"
        elif isinstance(found, str):
            outcome = "refused by both" if expected is None else "refused by climbfast alone"
        elif expected is None:
            outcome = "read by climbfast alone" if shape(found) not in shapes else "with the shape of a sample"
        else:
            outcome = "the same" if is_same(found, expected) else "another table"
        if outcome in ("another table", "read by climbfast alone", "a fault"):
            print(f"seed {seed}: {outcome}: {found!r}")
        outcomes[outcome] += 1
    out, err = capfd.readouterr()
    assert err == ""
    with capfd.disabled() if COUNT > 200 or out else nullcontext():
        print(f"\n{name}: {dict(outcomes)}\n{out[:3000]}", end="")
    return outcomes


@pytest.mark.parametrize(
    ("name", "separator"), [("comma.csv", ","), ("semicolon.csv", ";"), ("bar.txt", "|"), ("tab.tsv", "\t")]
)
def test_text(name: str, separator: str, tmp_path: Path, capfd: Any) -> None:
    outcomes = run(name, dialects(separator), lambda content: table_of_text(content, separator), tmp_path, capfd)
    assert set(outcomes) <= {"the same", "refused by both"}


@pytest.mark.parametrize("name", ["comma.csv.gz", "comma.csv.zst"])
def test_compressed_text(name: str, tmp_path: Path, capfd: Any) -> None:
    def expect(content: bytes) -> Rows:
        try:
            if name.endswith(".gz"):
                text = gzip.decompress(content)
            else:
                text = pa.input_stream(pa.BufferReader(content), compression="zstd").read()
        except Exception as error:  # whatever a library raises
            raise Refused("compression") from error
        return table_of_text(text, ",")

    samples = [compressed(text, name) for text in dialects(",")]
    outcomes = run(name, samples, expect, tmp_path, capfd)
    assert set(outcomes) <= {"the same", "refused by both"}


def tables() -> list[pa.Table]:
    """Tables of many types."""
    many = pl.DataFrame(
        {
            "text": ["u", "v", None, "u"] * 3,
            "whole": [1, -2, 3, 2**60] * 3,
            "small": pl.Series([0, 1, 1, None] * 3, dtype=pl.UInt8),
            "flag": [True, False, True, None] * 3,
            "real": [0.5, 1.0, 0.25, 2.0] * 3,
            "kind": pl.Series(["x", "y", "y", "x"] * 3, dtype=pl.Categorical),
        }
    ).to_arrow()
    return [many, pa.table({"a": [0, 1] * 20, "b": pa.array(["p", "q"] * 20).dictionary_encode()}), many.slice(0, 3)]


def table_of_arrow(load: Callable[[pa.BufferReader], pa.Table]) -> Callable[[bytes], Rows]:
    def expect(content: bytes) -> Rows:
        try:
            table = load(pa.BufferReader(content))
            table.validate(full=True)
            found = {name: column.to_pylist() for name, column in zip(table.column_names, table.columns, strict=True)}
        except Exception as error:  # whatever a library raises
            raise Refused("pyarrow") from error
        if len(found) < table.num_columns or not table.num_rows or not found:
            raise Refused("not a table")
        return {name: [None if is_missing_cell(value) else value for value in column] for name, column in found.items()}

    return expect


def is_missing_cell(value: Any) -> bool:
    """Whether a cell is NaN or an empty text."""
    return value != value or (isinstance(value, (str, bytes)) and not value.strip())


def of_arrow(write: Callable[[pa.Table, io.BytesIO], Any]) -> list[bytes]:
    contents = []
    for table in tables():
        out = io.BytesIO()
        write(table, out)
        contents.append(out.getvalue())
    return contents


def write_file(table: pa.Table, out: io.BytesIO) -> None:
    with pa.ipc.new_file(out, table.schema) as file:
        file.write_table(table)


def write_stream(table: pa.Table, out: io.BytesIO) -> None:
    with pa.ipc.new_stream(out, table.schema) as file:
        file.write_table(table)


COLUMNAR = {
    "table.parquet": (pq.write_table, pq.read_table),
    "table.arrow": (write_file, lambda source: pa.ipc.open_file(source).read_all()),
    "table.feather": (pyarrow.feather.write_feather, pyarrow.feather.read_table),
    "stream.arrow": (write_stream, lambda source: pa.ipc.open_stream(source).read_all()),
}


@pytest.mark.parametrize("name", COLUMNAR)
def test_columnar(name: str, tmp_path: Path, capfd: Any) -> None:
    write, load = COLUMNAR[name]
    outcomes = run(name, of_arrow(write), table_of_arrow(load), tmp_path, capfd)
    # pyarrow refuses more: a wrong length of a message, for example, that says nothing about cells.
    assert set(outcomes) <= {"the same", "refused by both", "refused by climbfast alone", "with the shape of a sample"}
