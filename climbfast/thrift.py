"""Reads the compact protocol of Thrift, in which Parquet files describe themselves.

https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

import mmap
from typing import Any

__all__ = ["ThriftReader"]

_DEEPEST = 20
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_INTEGERS = (4, 5, 6)


class ThriftReader:
    """Reads values from their bytes, one after another.

    Parameters
    ----------
    content : bytes or mmap
    place : int
        Where the first value begins; afterwards, where the next one does.
    """

    def __init__(self, content: bytes | mmap.mmap, place: int = 0) -> None:
        self.content, self.place = content, place

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Return the fields of a struct by their numbers.

        Raises
        ------
        IndexError, ValueError
            For content that ends too early or is no struct.
        """
        if depth > _DEEPEST:
            raise ValueError
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            kind = head & 15
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in _INTEGERS:
            return self._integer()
        if kind == _BINARY:
            return self._bytes(self._natural())
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in (_LIST, _SET):
            return self._list(depth + 1)
        if kind in (_TRUE, _FALSE, _BYTE):  # a bool is a byte where it is an element
            return self._byte()
        if kind == _DOUBLE:
            return self._bytes(8)
        raise ValueError  # Parquet has no maps

    def _list(self, depth: int) -> list[Any]:
        if depth > _DEEPEST:
            raise ValueError
        head = self._byte()
        size = head >> 4 if head >> 4 < 15 else self._natural()
        if size > len(self.content) - self.place:
            raise ValueError
        return [self._value(head & 15, depth) for _ in range(size)]

    def _byte(self) -> int:
        self.place += 1
        return self.content[self.place - 1]

    def _bytes(self, size: int) -> bytes:
        self.place += size
        if self.place > len(self.content):
            raise IndexError
        return self.content[self.place - size : self.place]

    def _natural(self) -> int:
        number = shift = 0
        while (byte := self._byte()) > 127:
            number |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise ValueError
        return number | byte << shift

    def _integer(self) -> int:
        """Return a signed integer, which is written as 0, -1, 1, -2, ..."""
        natural = self._natural()
        return natural >> 1 ^ -(natural & 1)
