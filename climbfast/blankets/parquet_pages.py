"""The counts and sizes in the pages of a Parquet file, checked before polars reads them.

Polars takes them for true: a negative count of values, as one flipped bit makes it, ends the process, because it asks
for 2^61 bytes of memory. The footer and the headers of pages are structures of Thrift's compact protocol.
"""

from __future__ import annotations

from typing import Any

from climbfast.errors import DataError

__all__ = ["check_pages"]

_MAGIC = b"PAR1"
_MOST_BYTES = 1 << 31  # of a page, unpacked
_MOST_DEPTH = 32
# Numbers of fields, as parquet.thrift has them.
_ROW_GROUPS, _COLUMNS, _META_DATA = 4, 1, 3
_VALUES, _COMPRESSED, _DATA_PAGE, _DICTIONARY_PAGE = 5, 7, 9, 11
_UNPACKED_SIZE, _PACKED_SIZE = 2, 3
_DATA_HEADER, _DICTIONARY_HEADER, _DATA_HEADER_2, _COUNT = 5, 7, 8, 1
_COUNTED = (_DATA_HEADER, _DICTIONARY_HEADER, _DATA_HEADER_2)


def check_pages(content: bytes) -> None:
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
    except (IndexError, KeyError, TypeError, AttributeError):
        raise DataError("not a Parquet file, or a damaged one: its footer cannot be read") from None


def _columns(content: bytes) -> list[dict[int, Any]]:
    size = int.from_bytes(content[-8:-4], "little")
    if len(content) < 12 or content[:4] != _MAGIC or content[-4:] != _MAGIC or size > len(content) - 12:
        raise DataError("not a Parquet file, or one that is cut")
    footer = _Thrift(content, len(content) - 8 - size).structure()
    return [column[_META_DATA] for group in footer[_ROW_GROUPS] for column in group[_COLUMNS]]


def _count_values(content: bytes, position: int, end: int) -> int:
    """Return the number of values in the pages of a column."""
    if not 0 < position <= end <= len(content):
        raise DataError("a damaged Parquet file: a column is outside of the file")
    values = 0
    while position < end:
        thrift = _Thrift(content, position)
        page = thrift.structure()
        counts = {header: page[header][_COUNT] for header in _COUNTED if header in page}
        sizes = (page[_UNPACKED_SIZE], page[_PACKED_SIZE])
        if min(*counts.values(), *sizes) < 0 or sizes[0] > _MOST_BYTES or thrift.position + sizes[1] > end:
            raise DataError("a damaged Parquet file: a page has an impossible size")
        position = thrift.position + sizes[1]
        values += sum(count for header, count in counts.items() if header != _DICTIONARY_HEADER)
    return values


class _Thrift:
    """Reads the compact protocol of Thrift; an IndexError is the end of the content."""

    def __init__(self, content: bytes, position: int) -> None:
        self.content, self.position = content, position

    def structure(self, depth: int = 0) -> dict[int, Any]:
        """Return the values of a structure by the numbers of their fields."""
        found: dict[int, Any] = {}
        field = 0
        while head := self._byte():
            field = field + (head >> 4) if head >> 4 else self._signed()
            found[field] = self._value(head & 15, depth)
        return found

    def _value(self, kind: int, depth: int, *, is_element: bool = False) -> Any:
        if depth > _MOST_DEPTH:
            raise IndexError
        if kind in (1, 2):  # true and false; the elements of a list have a byte each
            return self._byte() == 1 if is_element else kind == 1
        if kind in (3, 4, 5, 6):
            return self._byte() if kind == 3 else self._signed()
        if kind == 7:
            return self._skip(8)
        if kind == 8:
            return self._skip(self._unsigned())
        if kind in (9, 10):
            head = self._byte()
            count = head >> 4 if head >> 4 < 15 else self._unsigned()
            return [self._value(head & 15, depth + 1, is_element=True) for _ in range(count)]
        if kind == 12:
            return self.structure(depth + 1)
        raise IndexError

    def _skip(self, size: int) -> None:
        self.position += size
        if self.position > len(self.content):
            raise IndexError

    def _byte(self) -> int:
        self.position += 1
        return self.content[self.position - 1]

    def _unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise IndexError

    def _signed(self) -> int:
        value = self._unsigned()
        return value >> 1 ^ -(value & 1)
