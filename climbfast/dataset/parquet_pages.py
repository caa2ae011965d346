"""The counts and sizes in a Parquet file, checked before polars reads it.

polars takes them for true: with one changed bit in the footer it can return 2 of 40 rows, and a negative count of
values in a page ends the process, because it asks for 2^61 bytes of memory.
"""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np

from climbfast.compiling import announce_compilation
from climbfast.errors import DataError
from climbfast.thrift import ThriftReader

__all__ = ["check_pages", "rows_if_sound"]

LONG_FOOTER = 1 << 17  # bytes; Python reads shorter ones in less time than it takes to load the kernel
_MAGIC = b"PAR1"
_MOST_BYTES = 1 << 31  # of a page, unpacked
# Numbers of fields, as parquet.thrift has them.
_ROWS_OF_FILE, _ROW_GROUPS, _COLUMNS, _ROWS_OF_GROUP, _META_DATA = 3, 4, 1, 3, 3
_VALUES, _COMPRESSED, _DATA_PAGE, _DICTIONARY_PAGE = 5, 7, 9, 11
_UNPACKED_SIZE, _PACKED_SIZE = 2, 3
_DATA_HEADER, _DICTIONARY_HEADER, _DATA_HEADER_2, _COUNT = 5, 7, 8, 1
_COUNTED = (_DATA_HEADER, _DICTIONARY_HEADER, _DATA_HEADER_2)


def check_pages(content: bytes | mmap.mmap) -> int:
    """Check that the counts of rows agree, and that the pages lie in the file and have as many values as is said.

    A kernel checks a file with a long footer; where it finds what may be a fault, Python reads the file and says which.

    Returns
    -------
    int
        The number of rows.

    Raises
    ------
    DataError
        For a damaged file.
    """
    begin = _begin_of_footer(content)
    if len(content) - begin > LONG_FOOTER:
        rows = rows_if_sound(content, begin)
        if rows is not None:
            return rows
    try:
        footer = ThriftReader(content, begin).struct()
        groups = footer[_ROW_GROUPS]
        rows = int(footer[_ROWS_OF_FILE])
        if rows != sum(group[_ROWS_OF_GROUP] for group in groups):
            raise DataError("a damaged Parquet file: its counts of rows differ")
        sizes = [chunk[_META_DATA][_COMPRESSED] for group in groups for chunk in group[_COLUMNS]]
        if sum(size for size in sizes if size > 0) > len(content):
            raise DataError("a damaged Parquet file: its columns are longer than the file")
        for group in groups:
            for chunk in group[_COLUMNS]:
                _check_column(content, chunk[_META_DATA], group[_ROWS_OF_GROUP])
        return rows
    except DataError:
        raise
    except (IndexError, KeyError, TypeError, ValueError, AttributeError):
        raise DataError("not a Parquet file, or a damaged one: its footer cannot be read") from None


def rows_if_sound(content: bytes | mmap.mmap, begin: int) -> int | None:
    """Return the number of rows; None if a kernel, which needs a fiftieth of the time, finds what may be a fault."""
    from climbfast_kernels.parquet_pages import rows_of_sound_file

    announce_compilation()
    rows = int(rows_of_sound_file(np.frombuffer(content, dtype=np.uint8), begin))
    return rows if rows >= 0 else None


def _begin_of_footer(content: bytes | mmap.mmap) -> int:
    size = int.from_bytes(content[-8:-4], "little")
    if len(content) < 12 or content[:4] != _MAGIC or content[-4:] != _MAGIC or size > len(content) - 12:
        raise DataError("not a Parquet file, or one that is cut")
    return len(content) - 8 - size


def _check_column(content: bytes | mmap.mmap, column: dict[int, Any], rows: int) -> None:
    # Without values it may have no pages, and no place.
    values = _count_values(content, column) if column[_VALUES] else 0
    if values != column[_VALUES]:
        raise DataError(f"a damaged Parquet file: {values:,} values in a column of {column[_VALUES]:,}")
    if values < rows:  # a column of lists has more values than rows
        raise DataError("a damaged Parquet file: its counts of rows differ")


def _count_values(content: bytes | mmap.mmap, column: dict[int, Any]) -> int:
    """Return the number of values in the pages of a column."""
    position = min(column.get(_DICTIONARY_PAGE) or column[_DATA_PAGE], column[_DATA_PAGE])
    end = position + column[_COMPRESSED]
    if not 0 < position <= end <= len(content):
        raise DataError("a damaged Parquet file: a column is outside of the file")
    values = 0
    while position < end:
        thrift = ThriftReader(content, position)
        page = thrift.struct()
        counts = {header: page[header][_COUNT] for header in _COUNTED if header in page}
        sizes = (page[_UNPACKED_SIZE], page[_PACKED_SIZE])
        if min(*counts.values(), *sizes) < 0 or sizes[0] > _MOST_BYTES or thrift.place + sizes[1] > end:
            raise DataError("a damaged Parquet file: a page has an impossible size")
        position = thrift.place + sizes[1]
        values += sum(count for header, count in counts.items() if header != _DICTIONARY_HEADER)
    return values
