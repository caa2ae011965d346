"""Counts and sizes in Parquet files: true ones pass, impossible ones are refused before polars reads the file."""

from __future__ import annotations

import io

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import climbfast as cf
from climbfast.dataset import parquet_pages
from climbfast.dataset.parquet_pages import check_pages
from climbfast.errors import DataError
from climbfast.thrift import ThriftReader
from tests.dataset.tables import quiet_read


def parquet(rows: int = 5, **options) -> bytes:
    out = io.BytesIO()
    columns = {"a": range(rows), "b": [str(i % 3) for i in range(rows)], "c": [[i] * (i % 3) for i in range(rows)]}
    pl.DataFrame(columns).write_parquet(out, **options)
    return out.getvalue()


@pytest.mark.parametrize("compression", ["zstd", "snappy", "uncompressed"])
@pytest.mark.parametrize("rows", [0, 1, 5, 13_000])
def test_complete_files(rows, compression):
    check_pages(parquet(rows, compression=compression, row_group_size=6_000))
    check_pages(parquet(rows, compression=compression, data_page_size=500))


def test_files_of_arrow():
    for version in ("1.0", "2.0"):
        out = io.BytesIO()
        table = pa.table({"a": [1, None, 3] * 5_000, "b": ["x", "y", None] * 5_000})
        pq.write_table(table, out, data_page_version=version, data_page_size=1_000)
        check_pages(out.getvalue())


def test_a_negative_count():
    """Polars 1.x takes 2^61 bytes for it, which ends the process."""
    content = bytearray(parquet(compression="uncompressed"))
    start, is_data = 4, False
    while not is_data:
        page = ThriftReader(bytes(content), start)
        is_data = 5 in (fields := page.struct())
        start, header = page.place + fields[3], content[start : page.place]
    at = page.place - len(header) + header.rindex(b"\x15\x0a\x15")  # field 1, a 32-bit number, is 5 in zigzag
    content[at + 1] = 0x0B  # -6
    with pytest.raises(cf.DataError, match="a damaged Parquet file: a page has an impossible size"):
        check_pages(bytes(content))
    content[at + 1] = 0x0C  # 6
    with pytest.raises(cf.DataError, match="a damaged Parquet file: 6 values in a column of 5"):
        check_pages(bytes(content))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" * 3, parquet()[:-5], b"x" + parquet()[1:]])
def test_what_is_no_parquet_file(content):
    with pytest.raises(cf.DataError, match="not a Parquet file"):
        check_pages(content)


def test_every_cut_and_every_flipped_byte_of_the_footer_is_refused_or_passes():
    content = parquet()
    start = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    for at in range(start, len(content)):
        for byte in (0x00, 0x7F, 0xFF):
            try:
                check_pages(content[:at] + bytes([byte]) + content[at + 1 :])
            except cf.DataError as error:
                assert str(error).isprintable()


def test_the_number_of_rows():
    for rows in (0, 1, 20_000):
        assert check_pages(parquet(rows, row_group_size=6_000)) == rows


def test_a_file_of_pandas():
    out = io.BytesIO()
    pd.DataFrame({"x": pd.Categorical(["u", "v"]), "y": pd.to_datetime(["2020-01-01", None])}).to_parquet(out)
    assert check_pages(out.getvalue()) == 2


@pytest.mark.parametrize("sizes", [(0, 3), (3, 0, 2), (3, 0)])
def test_groups_without_rows(tmp_path, sizes):
    """For them, pyarrow gives 0 as the place of the pages that there are not."""
    table = pa.table({"a": ["x", "y", "x"], "b": ["p", "p", "q"]})
    with pq.ParquetWriter(tmp_path / "data.parquet", table.schema) as writer:
        for size in sizes:
            writer.write_table(table.slice(0, size))
    assert quiet_read(tmp_path / "data.parquet").rows == sum(sizes)


def test_tables_of_pandas_without_rows(tmp_path):
    frame = pd.DataFrame({"a": ["x", "y", "x"], "b": ["p", "p", "q"]})
    frame.iloc[:0].to_parquet(tmp_path / "1.parquet")
    with pytest.raises(DataError, match="the table has no rows"):
        cf.read(tmp_path / "1.parquet")
    frame.to_parquet(tmp_path / "2.parquet")
    assert quiet_read(tmp_path / "*.parquet").rows == 3


def test_no_changed_bit_changes_the_number_of_rows(tmp_path):
    out = io.BytesIO()
    pq.write_table(pa.table({"a": [0, 1] * 20, "b": pa.array(["p", "q"] * 20).dictionary_encode()}), out)
    content, path = out.getvalue(), tmp_path / "data.parquet"
    path.write_bytes(content)
    names, rows = quiet_read(path).names, 40
    for place in range(len(content) - int.from_bytes(content[-8:-4], "little") - 8, len(content), 3):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        try:
            found = quiet_read(path, missing="level", numbers="levels", keep_ids=True)
        except DataError:
            continue
        assert (len(found.names), found.rows) == (len(names), rows)


def test_a_file_of_many_columns_is_checked_by_the_kernel(monkeypatch):
    """Python reads such a file only to say what its fault is."""
    out = io.BytesIO()
    pl.DataFrame({f"x{i}": [0, 1, 2] for i in range(1_000)}).write_parquet(out)
    content = out.getvalue()
    assert int.from_bytes(content[-8:-4], "little") > parquet_pages.LONG_FOOTER
    damaged = bytearray(content)
    first_of_footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    damaged[content.index(b"\x16\x06", first_of_footer) + 1] = 8  # 4 of 3 rows
    with pytest.raises(cf.DataError, match="a damaged Parquet file: its counts of rows differ"):
        check_pages(bytes(damaged))
    monkeypatch.setattr(parquet_pages, "ThriftReader", None)
    assert check_pages(content) == 3
