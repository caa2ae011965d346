"""The sizes in the messages of an Arrow file, checked before polars reads it.

polars takes them for true: one changed bit in them can make it ask for all memory, or never return. A message is a
table of FlatBuffers (https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format), then its body.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator

from climbfast.errors import DataError

__all__ = ["check_messages"]

_MAGIC = b"ARROW1"
_CONTINUES = 0xFFFFFFFF
_DICTIONARY, _BATCH = 2, 3  # kinds of messages
# Numbers of fields in Message, RecordBatch, DictionaryBatch and Footer.
_KIND, _HEADER, _BODY_SIZE = 1, 2, 3
_ROWS, _NODES, _BUFFERS, _COMPRESSION = 0, 1, 2, 3
_DATA = 1
_DICTIONARIES, _BATCHES = 2, 3
_NOT_COMPRESSED = -1


def check_messages(content: bytes | mmap.mmap, *, is_stream: bool, most_bytes: int) -> None:
    """Check that the buffers of every message lie in its body, and unpack to no more than a number of bytes.

    Parameters
    ----------
    content : bytes or mmap
    is_stream : bool
        Whether the messages follow each other from the start. In a file its footer says where they are.
    most_bytes : int
        That one buffer may unpack to.

    Raises
    ------
    DataError
        For a damaged file.
    """
    try:
        for place in (0,) if is_stream else _places(content):
            for table, body, size in _batches(content, place, only_first=not is_stream):
                _check_batch(table, body, size, most_bytes)
    except (struct.error, IndexError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError("a damaged Arrow file: a message cannot be read") from None


def _places(content: bytes | mmap.mmap) -> list[int]:
    """Return where the messages of a file begin, as its footer says."""
    end = len(content) - len(_MAGIC) - 4
    (size,) = struct.unpack_from("<i", content, end)
    if not 0 < size <= end:
        raise IndexError
    footer = _Table.at_root(content, end - size)
    return [offset for field in (_DICTIONARIES, _BATCHES) for offset, _, _ in footer.rows(field, "<qqq")]


def _batches(content: bytes | mmap.mmap, place: int, *, only_first: bool) -> Iterator[tuple[_Table, int, int]]:
    """Yield the table of each batch of rows from a place on, where its body begins, and the size of the body."""
    if place < 0:
        raise IndexError
    while place + 8 <= len(content):
        size, after = struct.unpack_from("<II", content, place)
        place += 4
        if size == _CONTINUES:
            size, place = after, place + 4
        if size == 0:
            return
        if place + size > len(content):
            raise DataError("a damaged Arrow file: a message is outside of the file")
        message = _Table.at_root(content, place)
        place += size
        body_size = message.number(_BODY_SIZE, "q")
        if not 0 <= body_size <= len(content) - place:
            raise DataError("a damaged Arrow file: a message is outside of the file")
        kind = message.number(_KIND, "B")
        if kind in (_DICTIONARY, _BATCH):
            header = message.table(_HEADER)
            table = header.table(_DATA) if kind == _DICTIONARY and header is not None else header
            if table is None:
                raise DataError("a damaged Arrow file: a message cannot be read")
            yield table, place, body_size
        if only_first:
            return
        place += body_size


def _check_batch(table: _Table, body: int, size: int, most_bytes: int) -> None:
    rows = table.number(_ROWS, "q")
    lengths = table.rows(_NODES, "<qq")
    if rows < 0 or any(length < 0 or not -1 <= nulls <= length for length, nulls in lengths):
        raise DataError("a damaged Arrow file: an impossible number of rows")
    is_compressed = table.table(_COMPRESSION) is not None
    for offset, length in table.rows(_BUFFERS, "<qq"):
        if offset < 0 or length < 0 or offset + length > size:
            raise DataError("a damaged Arrow file: a buffer is outside of its message")
        if is_compressed and length >= 8:
            (unpacked,) = struct.unpack_from("<q", table.content, body + offset)
            if unpacked != _NOT_COMPRESSED and not 0 <= unpacked <= most_bytes:
                raise DataError("a damaged Arrow file: a buffer has an impossible size")


class _Table:
    """A table of FlatBuffers at a place; its fields have numbers, and an absent one is 0 or None."""

    def __init__(self, content: bytes | mmap.mmap, place: int) -> None:
        self.content, self.place = content, place
        (distance,) = struct.unpack_from("<i", content, place)
        self._fields = place - distance
        if self._fields < 0:
            raise IndexError
        (self._size,) = struct.unpack_from("<H", content, self._fields)

    @classmethod
    def at_root(cls, content: bytes | mmap.mmap, place: int) -> _Table:
        """Return the table to which the first number points."""
        return cls(content, place + struct.unpack_from("<I", content, place)[0])

    def _field(self, number: int) -> int:
        """Return where a field is; 0 if it is absent."""
        at = 4 + 2 * number
        offset = struct.unpack_from("<H", self.content, self._fields + at)[0] if at + 2 <= self._size else 0
        return self.place + offset if offset else 0

    def number(self, number: int, kind: str) -> int:
        """Return an integer, of a kind of the module struct."""
        at = self._field(number)
        return int(struct.unpack_from(f"<{kind}", self.content, at)[0]) if at else 0

    def table(self, number: int) -> _Table | None:
        """Return a table."""
        at = self._field(number)
        return _Table.at_root(self.content, at) if at else None

    def rows(self, number: int, form: str) -> list[tuple[int, ...]]:
        """Return a list of structs of integers, of a form of the module struct."""
        at = self._field(number)
        if not at:
            return []
        at += struct.unpack_from("<I", self.content, at)[0]
        (count,) = struct.unpack_from("<I", self.content, at)
        end = at + 4 + count * struct.calcsize(form)
        if end > len(self.content):
            raise IndexError
        return list(struct.iter_unpack(form, self.content[at + 4 : end]))
