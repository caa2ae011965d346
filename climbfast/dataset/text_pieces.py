"""A text file in pieces that end with a record, so that its text is never in memory as a whole."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.errors import DataError

__all__ = ["IrregularTextError", "Piece", "PieceReader"]

LONGEST_RECORD = 1 << 30  # bytes; a file without ends of lines is not read into memory as a whole
_PADDING = 32  # kernels read up to 16 bytes behind the end
_LINE_FEED, _CARRIAGE_RETURN, _QUOTE = b"\n", b"\r", b'"'


class IrregularTextError(Exception):
    """Text that only the csv module reads, or refuses with the line."""


class Piece:
    """Memory for a part of a file, as bytes and as the eight bytes from each byte on."""

    def __init__(self, size: int) -> None:
        self._provide(size)
        self.mark = self.begin = self.end = self.records = 0
        self.has_quotes = self.is_regular = False

    def _provide(self, size: int) -> None:
        self.size = size
        self.content = bytearray(size + _PADDING)
        self.text: NDArray[np.uint8] = np.frombuffer(self.content, dtype=np.uint8)
        self.windows: NDArray[np.uint64] = np.ndarray(size + _PADDING - 8, "<u8", self.content, 0, (1,))

    def enlarge(self, size: int, filled: int) -> None:
        """Provide more memory, and keep the first ``filled`` bytes."""
        before = self.content
        if size > self.size:
            self._provide(size)
            self.content[:filled] = memoryview(before)[:filled]

    def refuse_irregular_text(self, separator: str) -> None:
        """Raise at null characters, carriage returns alone, and quotes that are not those of whole cells.

        Raises
        ------
        IrregularTextError
        """
        from climbfast_kernels.quotes import CLOSED, state_of_quotes
        from climbfast_kernels.text_cells import has_lone_carriage_return

        text = self.text[self.mark : self.end]
        if (
            self.content.find(0, 0, self.end) >= 0
            or (self.content.find(_CARRIAGE_RETURN, 0, self.end) >= 0 and has_lone_carriage_return(text))
            or (self.has_quotes and state_of_quotes(text, ord(separator)) != CLOSED)
        ):
            raise IrregularTextError


class _Header(NamedTuple):
    """What comes before the first record: a byte order mark, lines, and records."""

    mark: bytes
    lines: int
    records: int


_NO_HEADER = _Header(b"", 0, 0)


class PieceReader:
    """Cuts a stream of text into pieces.

    Parameters
    ----------
    file : binary file
    separator : str
        Of cells; needed to know irregular quotes.
    mark : bytes
        What is left out if the file begins with it.
    lines, records : int
        How many lines, and then records, come before the first record that is read.
    is_regular : bool
        Whether the text is known to be regular: it is not checked.
    """

    def __init__(
        self,
        file: BinaryIO | io.RawIOBase,
        separator: str,
        *,
        mark: bytes = b"",
        lines: int = 0,
        records: int = 0,
        is_regular: bool = False,
    ) -> None:
        self._read_into: Callable[[Any], int | None] = file.readinto  # type: ignore[union-attr]
        self._separator = ord(separator)
        self._header: _Header | None = _Header(mark, lines, records)
        self._left = b""
        self._is_regular = is_regular
        self._is_at_end = False

    @property
    def has_more(self) -> bool:
        """Whether something may be left to read."""
        return not self._is_at_end or bool(self._left)

    def fill(self, piece: Piece, size: int) -> bool:
        """Read some ``size`` bytes to the end of a record; return False if nothing is left.

        Raises
        ------
        IrregularTextError
            If the last record is not complete.
        """
        filled, wanted = len(self._left), max(size, len(self._left) + 1)
        piece.enlarge(wanted, 0)
        piece.is_regular = self._is_regular
        piece.content[:filled] = self._left
        while True:
            filled = self._read(piece, filled, wanted)
            if filled == 0:
                return False
            if self._cut(piece, filled):
                break
            self._refuse_what_has_no_end(piece, filled)
            wanted = 2 * filled
            piece.enlarge(wanted, filled)
        self._left = bytes(memoryview(piece.content)[piece.end : filled])
        return piece.records > 0

    def _read(self, piece: Piece, filled: int, wanted: int) -> int:
        """Read until ``wanted`` bytes are there, or the file ends; its last line then ends with a line feed."""
        with memoryview(piece.content) as memory:
            while filled < wanted and not self._is_at_end:
                number = self._read_into(memory[filled:wanted])
                self._is_at_end = not number
                filled += number or 0
        if self._is_at_end and filled and not piece.content.endswith(_LINE_FEED, 0, filled):
            if piece.content.endswith(_CARRIAGE_RETURN, 0, filled):
                raise IrregularTextError
            piece.content[filled : filled + 1] = _LINE_FEED
            filled += 1
        return filled

    def _cut(self, piece: Piece, filled: int) -> bool:
        """Set the begin and the end of the records of a piece; return False if it has none."""
        from climbfast_kernels.text_cells import count_lines, count_records

        piece.mark = len(self._header.mark) if self._header and piece.content.startswith(self._header.mark) else 0
        begin = self._begin(piece.content, piece.mark, filled)
        if begin < 0:
            return False
        piece.has_quotes = piece.content.find(_QUOTE, 0, filled) >= 0
        found = np.zeros(2, dtype=np.int64)
        (count_records if piece.has_quotes else count_lines)(piece.text[begin:filled], found)
        piece.begin, piece.records, piece.end = begin, int(found[0]), begin + int(found[1])
        if piece.records or (begin == filled and self._is_at_end):
            self._header = None
            return True
        return False

    def _begin(self, content: bytearray, place: int, filled: int) -> int:
        """Return the place of the first record; -1 if it is not yet there."""
        _, lines, records = self._header or _NO_HEADER
        for _ in range(lines):
            place = content.find(_LINE_FEED, place, filled) + 1
            if not place:
                return -1
        for _ in range(records):
            place = _end_of_record(content, place, filled)
            if place < 0:
                return -1
        return place

    def _refuse_what_has_no_end(self, piece: Piece, filled: int) -> None:
        """Raise at text whose end of a record is not merely far away."""
        from climbfast_kernels.quotes import IRREGULAR, state_of_quotes
        from climbfast_kernels.text_cells import has_lone_carriage_return

        text = piece.text[:filled]
        if self._is_at_end:
            raise IrregularTextError
        if not self._is_regular and (
            piece.content.find(0, 0, filled) >= 0
            or has_lone_carriage_return(text)
            or state_of_quotes(text, self._separator) == IRREGULAR
        ):
            raise IrregularTextError
        if filled > LONGEST_RECORD:
            raise DataError(f"it has a line of more than {LONGEST_RECORD / 2**30:.0f} GiB")


def _end_of_record(content: bytearray, begin: int, filled: int) -> int:
    """Return the place behind the first line feed outside quotes; -1 if there is none."""
    end = begin
    while end := content.find(_LINE_FEED, end, filled) + 1:
        if content.count(_QUOTE, begin, end) % 2 == 0:
            return end
    return -1
