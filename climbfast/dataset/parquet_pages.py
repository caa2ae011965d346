"""The counts and sizes in the pages of a Parquet file, checked before polars reads them.

Polars takes them for true: a negative count of values, as one flipped bit makes it, ends the process, because it asks
for 2^61 bytes of memory.
"""

from __future__ import annotations

import mmap
from typing import Any

from climbfast.errors import DataError
from climbfast.thrift import ThriftReader

__all__ = ["check_pages"]

_MAGIC = b"PAR1"
_MOST_BYTES = 1 << 31  # of a page, unpacked
# Numbers of fields, as parquet.thrift has them.
_ROW_GROUPS, _COLUMNS, _META_DATA = 4, 1, 3
_VALUES, _COMPRESSED, _DATA_PAGE, _DICTIONARY_PAGE = 5, 7, 9, 11
_UNPACKED_SIZE, _PACKED_SIZE = 2, 3
_DATA_HEADER, _DICTIONARY_HEADER, _DATA_HEADER_2, _COUNT = 5, 7, 8, 1
_COUNTED = (_DATA_HEADER, _DICTIONARY_HEADER, _DATA_HEADER_2)


def check_pages(content: bytes | mmap.mmap) -> None:
    """Check that every page lies in the file, and has no more values and bytes than a page can have.

    Raises
    ------
    DataError
        For a damaged file.
    """
    try:
        for column in _columns(content):
            first = min(column.get(_DICTIONARY_PAGE) or column[_DATA_PAGE], column[_DATA_PAGE])
            values = _count_values(content, first, first + column[_COMPRESSED])
            if values != column[_VALUES]:
                raise DataError(f"a damaged Parquet file: {values:,} values in a column of {column[_VALUES]:,}")
    except DataError:
        raise
    except (IndexError, KeyError, TypeError, ValueError, AttributeError):
        raise DataError("not a Parquet file, or a damaged one: its footer cannot be read") from None


def _columns(content: bytes | mmap.mmap) -> list[dict[int, Any]]:
    size = int.from_bytes(content[-8:-4], "little")
    if len(content) < 12 or content[:4] != _MAGIC or content[-4:] != _MAGIC or size > len(content) - 12:
        raise DataError("not a Parquet file, or one that is cut")
    footer = ThriftReader(content, len(content) - 8 - size).struct()
    return [column[_META_DATA] for group in footer[_ROW_GROUPS] for column in group[_COLUMNS]]


def _count_values(content: bytes | mmap.mmap, position: int, end: int) -> int:
    """Return the number of values in the pages of a column."""
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
