"""Pieces of a text file: together they are its records, and each ends with a record."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast.dataset.text_pieces import IrregularTextError, Piece, PieceReader
from tests.factories import EXAMPLES

CELLS = st.sampled_from(["", "a", "two\nlines", 'a "word"', "a,b", "a longer text"])


class Trickle(io.RawIOBase):
    """A stream that gives a few bytes at a time, as a pipe may do."""

    def __init__(self, content: bytes, most: int) -> None:
        self._rest, self._most = content, most

    def readinto(self, memory: Any) -> int:
        size = min(self._most, len(memory), len(self._rest))
        memory[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def pieces_of(content: bytes, size: int, *, most: int = 3, **options: Any) -> list[tuple[bytes, int]]:
    """The bytes and the number of records of each piece; two memories are used in turns."""
    reader = PieceReader(Trickle(content, most), ",", **options)
    memory, found = [Piece(0), Piece(5)], []
    while reader.fill(memory[0], size):
        piece = memory[0]
        piece.refuse_irregular_text(",")
        found.append((bytes(piece.content[piece.begin : piece.end]), piece.records))
        memory.reverse()
    assert not reader.has_more
    return found


@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1), st.integers(1, 60), st.integers(1, 50))
@settings(max_examples=EXAMPLES, deadline=None)
def test_pieces_are_the_records(records: list[list[str]], size: int, most: int) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(records)
    content = text.getvalue().encode()
    for whole in (content, content[:-1]):
        found = pieces_of(whole, size, most=most)
        assert b"".join(part for part, _ in found) == content
        for part, number in found:
            assert len(list(csv.reader(io.StringIO(part.decode(), newline="")))) == number > 0


@pytest.mark.parametrize("size", [1, 3, 100])
def test_what_comes_before_the_first_record(size: int) -> None:
    content = b'\xef\xbb\xbfsep=,\n"a\nb",c\n1,2\n3,4\n'
    found = pieces_of(content, size, mark=b"\xef\xbb\xbf", lines=1, records=1)
    assert b"".join(part for part, _ in found) == b"1,2\n3,4\n"
    assert pieces_of(content[:-8], size, mark=b"\xef\xbb\xbf", lines=1, records=1) == []
    assert pieces_of(b"", size) == []


@pytest.mark.parametrize("size", [1, 6, 100])
@pytest.mark.parametrize(
    "content", [b'a,b\n"c,d\n', b'a,b\nr"r,d\n', b"a,b\n\0,d\n", b"a,b\rc,d\ne,f\n", b"a,b\nc,d\r", b'"a"b,c\n1,2\n']
)
def test_irregular_text(content: bytes, size: int) -> None:
    with pytest.raises(IrregularTextError):
        pieces_of(content, size, records=1)


def test_irregular_text_is_not_read_to_its_end() -> None:
    rest = b"x,y\n" * 100_000
    for start in (b'a,b\nr"r,', b"a,b\n\0", b"a,b\n1\r,"):
        stream = Trickle(start + rest.replace(b"\n", b"z"), 1_000)
        reader = PieceReader(stream, ",")
        piece = Piece(0)
        with pytest.raises(IrregularTextError):
            while reader.fill(piece, 1_000):
                piece.refuse_irregular_text(",")
        assert len(stream._rest) > 300_000
