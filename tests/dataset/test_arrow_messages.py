"""Sizes in Arrow files: true ones pass, impossible ones are refused before polars reads the file."""

from __future__ import annotations

import io
import struct
from typing import Any

import polars as pl
import pytest

from climbfast.dataset.arrow_messages import check_messages
from climbfast.errors import DataError

FRAME = pl.DataFrame(
    {
        "a": [1, None, 3] * 100,
        "b": ["x", "y", None] * 100,
        "c": pl.Series(["u", "v", "u"] * 100, dtype=pl.Categorical),
        "d": [[1], [], [2, 3]] * 100,
    }
)


def arrow(**options: Any) -> bytes:
    out = io.BytesIO()
    FRAME.write_ipc(out, **options)
    return out.getvalue()


def stream() -> bytes:
    out = io.BytesIO()
    FRAME.write_ipc_stream(out)
    return out.getvalue()


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_complete_files(compression: Any) -> None:
    check_messages(arrow(compression=compression), is_stream=False, most_bytes=1 << 30)


def test_complete_streams() -> None:
    check_messages(stream(), is_stream=True, most_bytes=1 << 30)


@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
def test_files_of_pyarrow(compression: str | None) -> None:
    feather = pytest.importorskip("pyarrow.feather")
    out = io.BytesIO()
    feather.write_feather(FRAME.drop("c").to_arrow(), out, compression=compression or "uncompressed", chunksize=50)
    check_messages(out.getvalue(), is_stream=False, most_bytes=1 << 30)


def test_a_buffer_that_would_unpack_to_too_much() -> None:
    with pytest.raises(DataError, match="a damaged Arrow file: a buffer has an impossible size"):
        check_messages(arrow(compression="zstd"), is_stream=False, most_bytes=10)


def test_numbers_of_rows_and_buffers_that_cannot_be() -> None:
    content = arrow(compression="uncompressed")
    rows = struct.pack("<q", FRAME.height)
    for wrong in (-1, -(1 << 62)):
        with pytest.raises(DataError, match="a damaged Arrow file: an impossible number of rows"):
            check_messages(content.replace(rows, struct.pack("<q", wrong)), is_stream=False, most_bytes=1 << 30)


@pytest.mark.parametrize("end", range(0, 400, 7))
def test_files_that_are_cut(end: int) -> None:
    """Cut anywhere, a file is refused, or ends between two messages."""
    try:
        check_messages(stream()[:end], is_stream=True, most_bytes=1 << 30)
    except DataError as error:
        assert "a damaged Arrow file" in str(error)
