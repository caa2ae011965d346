"""Parquet and Arrow files, read by polars; what it cannot read, by pyarrow, if that is installed.

The columns of a large Parquet file are read and encoded some at a time: as polars holds them, 2·10⁶ rows of 200 columns
take 4 GB, their codes .4 GB.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from climbfast.dataset.arrow_messages import check_messages
from climbfast.dataset.assemble import assemble
from climbfast.dataset.column_encoding import Column
from climbfast.dataset.frames import encode_series
from climbfast.dataset.options import Options, check_names
from climbfast.dataset.pages import zero_pages
from climbfast.dataset.panics import reason_of
from climbfast.dataset.parquet_pages import check_pages
from climbfast.dataset.reading_progress import count_bytes
from climbfast.dataset.sources import Source, physical_memory
from climbfast.dataset.table import Table
from climbfast.dataset.waiting import raise_if_abandoned
from climbfast.errors import DataError
from climbfast.names import canonical_key

if TYPE_CHECKING:
    import polars as pl

    from climbfast.dataset.dataset import Dataset

__all__ = ["encode_large_parquet", "read_columnar"]

LARGE = 1 << 25  # cells of a Parquet file that is encoded some columns at a time
BYTES_AT_ONCE = 1 << 27  # of the columns that polars reads together; with fewer, its plans for each part take longer
_BYTES_OF_OTHERS = {"Boolean": 1, "Date": 4, "Enum": 4, "Categorical": 4, "Datetime": 8, "Duration": 8, "Time": 8}
_MAGIC_OF_ARROW = b"ARROW1"
_MOST_BYTES_OF_SCHEMA = 1 << 28
_CONTINUES = b"\xff\xff\xff\xff"
_INDEX_OF_PANDAS = re.compile(r"__index_level_[0-9]+__")
_INDEX_IN_METADATA = re.compile(rb'"index_columns"\s*:\s*(?=\[)')


def read_columnar(source: Source, form: str) -> Table:
    """Read a Parquet or an Arrow file.

    Raises
    ------
    DataError
        If the file is damaged.
    """
    import polars as pl

    panics = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
    try:
        frame = _read_parquet(source) if form == "parquet" else _read_arrow(source)
    except (*panics, OSError, ValueError, MemoryError) as error:
        if isinstance(error, DataError):
            raise
        table = _read_by_pyarrow(source, form)
        if table is None:
            raise DataError(f"not a readable {form} file{reason_of(error)}") from None
        return Table(table.drop_columns(_index_columns(source, form, table.column_names)))
    return Table(frame.drop(_index_columns(source, form, frame.columns)))


def encode_large_parquet(source: Source, options: Options) -> Dataset | None:
    """Encode a Parquet file some columns at a time; None if it is small, or polars cannot read it.

    Raises
    ------
    DataError
        If the file is damaged, or its columns cannot be levels.
    """
    import polars as pl

    try:
        content = source.for_polars()  # polars before 1.33 takes no bytes here
        schema = pl.read_parquet_schema(io.BytesIO(content) if isinstance(content, bytes) else content)
        every = list(schema)
        scan = pl.scan_parquet(content, glob=False)  # one for all parts: it reads the footer once
        rows = check_pages(source.buffer())
        if rows * len(every) <= LARGE:
            return None
        index = set(_index_columns(source, "parquet", every))
        columns_of_file = [i for i, name in enumerate(every) if name not in index]
        of_data = [every[i] for i in columns_of_file]
        check_names(of_data)
        wanted = [columns_of_file[i] for i in options.select(of_data)]
        names = [every[i] for i in wanted]
        columns = list[Column]()
        place = zero_pages((len(names), rows), np.uint8)  # what polars has read is freed after each part
        by_name = sorted(range(len(names)), key=lambda i: canonical_key(names[i]))
        row_of = {i: row for row, i in enumerate(by_name)}  # as they will be assembled, so that none is moved
        for begin, end in _ranges([rows * _bytes_of_cell(schema[name]) for name in names], BYTES_AT_ONCE):
            raise_if_abandoned()
            # By number: polars takes a name such as "^a.*$" or "*" for a pattern.
            frame = scan.select(pl.nth(wanted[begin:end])).collect()
            if frame.height != rows:
                raise DataError("a damaged Parquet file: its counts of rows differ")
            part = [place[row_of[begin + i]] for i in range(frame.width)]
            columns += encode_series(frame.get_columns(), frame.columns, options, part)
            del frame  # whose memory polars takes for the next part
            count_bytes(source.size() * len(columns) // len(wanted) - source.size() * begin // len(wanted))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, MemoryError):
        return None
    return assemble(names, columns, rows, options, place=place)


def _bytes_of_cell(dtype: pl.DataType) -> int:
    """Return about how much memory polars takes for a cell, of text for a view of it."""
    name = str(dtype.base_type())
    numbers = re.fullmatch(r"(?:U?Int|Float)(\d+)", name)
    return int(numbers[1]) // 8 if numbers else _BYTES_OF_OTHERS.get(name, 16)


def _ranges(sizes: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Yield where ranges begin and end that are as long as a sum of `most` allows, and have one element at least."""
    begin = total = 0
    for i, size in enumerate(sizes):
        if i > begin and total + size > most:
            yield begin, i
            begin, total = i, 0
        total += size
    yield begin, len(sizes)


def _read_parquet(source: Source) -> pl.DataFrame:
    import polars as pl

    rows = check_pages(source.buffer())
    frame = pl.read_parquet(source.for_polars(), glob=False)
    if frame.height != rows:
        raise DataError("a damaged Parquet file: its counts of rows differ")
    return frame


def _read_arrow(source: Source) -> pl.DataFrame:
    """Read an Arrow file in either of its two formats, which have the same suffixes."""
    import polars as pl

    # Through a file that is open, not by its path: a memory map would keep it open as long as the frame exists.
    is_stream = _is_stream(source)
    check_messages(source.buffer(), is_stream=is_stream, most_bytes=physical_memory())
    with source.open() as file:
        return pl.read_ipc_stream(file) if is_stream else pl.read_ipc(file)


def _is_stream(source: Source) -> bool:
    with source.open() as file:
        head = file.read(len(_MAGIC_OF_ARROW))
        file.seek(-min(len(_MAGIC_OF_ARROW), file.seek(0, io.SEEK_END)), io.SEEK_END)
        tail = file.read()
    if (head == _MAGIC_OF_ARROW) != (tail == _MAGIC_OF_ARROW):
        raise DataError("a damaged Arrow file: it does not begin and end with ARROW1")
    return head != _MAGIC_OF_ARROW


def _read_by_pyarrow(source: Source, form: str) -> Any:
    """Return what pyarrow finds valid, as a table; None if it does not, or is not installed."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return None
    try:
        with source.open() as file:
            if form == "parquet":
                table = pq.read_table(file)
            else:
                table = (pa.ipc.open_stream(file) if _is_stream(source) else pa.ipc.open_file(file)).read_all()
            table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, MemoryError, TypeError, KeyError, NotImplementedError):
        return None
    return table


def _index_columns(source: Source, form: str, names: list[str]) -> list[str]:
    """Return the columns that pandas wrote for its index, as it says in the metadata of the file."""
    index = {name for name in names if _INDEX_OF_PANDAS.fullmatch(name)}
    metadata = _metadata_of_parquet(source) if form == "parquet" else _metadata_of_arrow(source)
    found = _INDEX_IN_METADATA.search(metadata)
    if found:
        try:
            listed, _ = json.JSONDecoder().raw_decode(metadata[found.end() :].decode(errors="replace"))
        except (ValueError, RecursionError):  # damaged
            listed = []
        index |= {name for name in listed if isinstance(name, str)}
    return [name for name in names if name in index]


def _metadata_of_parquet(source: Source) -> bytes:
    """Return the end of the file: metadata, their length in 4 bytes, and the magic word."""
    with source.open() as file:
        size = file.seek(0, io.SEEK_END)
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(4), "little")
        file.seek(max(0, size - 8 - length))
        return file.read(length)


def _metadata_of_arrow(source: Source) -> bytes:
    """Return the first message, which has the schema: its length in 4 bytes, and the message."""
    with source.open() as file:
        if file.read(8)[: len(_MAGIC_OF_ARROW)] != _MAGIC_OF_ARROW:
            file.seek(0)
        length = file.read(4)
        if length == _CONTINUES:
            length = file.read(4)
        return file.read(min(int.from_bytes(length, "little"), _MOST_BYTES_OF_SCHEMA))
