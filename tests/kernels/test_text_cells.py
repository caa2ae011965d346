"""Cells of a text file as numbers of their texts, against a dictionary for each column of what the csv module reads."""

from __future__ import annotations

import csv
import io
import re
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from climbfast_kernels import text_cells
from climbfast_kernels.text_cells import Cells, Vocabulary
from tests.factories import EXAMPLES

SEPARATOR = ord(",")
# All lengths around those of one and of two words, the same but for the last or the first byte, and what is quoted.
TEXTS = [
    "", "a", "b", " a", "é", "1234567", "12345678", "12345679", "123456789", "12345678901234567", "12345678901234568",
    "x2345678901234567", "a,b", "two\nlines", "two\r\nlines", 'a "word"', '"', '""""', ',"\n', *map(str, range(40)),
]  # fmt: skip
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[st.sampled_from(TEXTS)] * width), min_size=1, max_size=30)
)


class Text(NamedTuple):
    """The bytes of a file, and the eight bytes from each byte on."""

    text: np.ndarray
    windows: np.ndarray
    size: int

    @classmethod
    def of(cls, content: str) -> Text:
        """Return it with the space behind it that kernels need."""
        encoded = content.encode()
        buffer = bytearray(encoded + b"?" * 32)
        return cls(np.frombuffer(buffer, np.uint8), np.ndarray(len(buffer) - 8, "<u8", buffer, 0, (1,)), len(encoded))


def vocabulary(width: int, *, slots: int = 1 << 12, entries: int = 500, words: int = 2_000) -> Vocabulary:
    """No texts, and tables of 8 slots."""
    return Vocabulary(
        base=np.arange(0, 8 * width, 8),
        mask=np.full(width, 7),
        shift=np.full(width, text_cells.FIRST_SHIFT),
        count=np.zeros(width, np.int64),
        high=np.full(width, -1),
        key=np.zeros(8 * width + slots, np.uint64),
        number=np.zeros(8 * width + slots, np.int32),
        entry=np.zeros(8 * width + slots, np.int32),
        begin=np.zeros(entries, np.int64),
        length=np.zeros(entries, np.int32),
        column=np.zeros(entries, np.int32),
        words=np.zeros(words, np.uint64),
        used=np.array([8 * width, 0, 0]),
    )


def number(content: str, texts: Vocabulary, cells: Cells, *, first_row: int = 0, tile: int = 4) -> tuple[int, int]:
    """Number the cells of a text; return its rows, and how many of its cells were not known."""
    text, width = Text.of(content), texts.base.size
    unknown, found = np.zeros((4, len(content) + 1), np.int64), np.zeros(2, np.int64)
    state = text_cells.number_cells(
        text.text, text.windows, np.int64(0), np.int64(text.size), np.int64(SEPARATOR), texts, cells,
        np.int64(first_row), np.zeros((tile, width), np.uint8), unknown, found,
    )  # fmt: skip
    assert state == 0
    rows, unknowns = found.tolist()
    add = text_cells.add_texts
    assert add(text.windows, unknown, np.int64(0), np.int64(unknowns), texts, cells, found) == text_cells.ADDED
    return rows, unknowns


def texts_of(texts: Vocabulary, x: int) -> list[str]:
    entries = np.flatnonzero(texts.column[: texts.used[1]] == x)
    out = np.zeros(int(texts.length[entries].sum()) + entries.size, np.uint8)
    text_cells.join_texts(texts, entries, out)
    return out.tobytes().decode().split("\0")[:-1]


def written(rows, *, quoting: int = csv.QUOTE_MINIMAL, ends: str = "\n") -> str:
    out = io.StringIO()
    csv.writer(out, quoting=quoting, lineterminator=ends).writerows(rows)
    return out.getvalue()


@given(TABLES, st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), st.sampled_from(["\n", "\r\n"]), st.integers(1, 5))
@settings(max_examples=3 * EXAMPLES, deadline=None)
def test_numbers_are_those_of_a_dictionary(rows, quoting, ends, tile):
    width = len(rows[0])
    texts = vocabulary(width)
    cells = Cells(np.full((width, len(rows)), 255, np.uint8), np.zeros((1, len(rows)), np.uint32))
    half = len(rows) // 2
    first, _ = number(written(rows[:half], quoting=quoting, ends=ends), texts, cells, tile=tile)
    if half % 2:  # the order of tables in memory does not matter
        new = [np.zeros(texts.key.size, array.dtype) for array in (texts.key, texts.number, texts.entry)]
        text_cells.copy_tables(texts, *new)
        texts = texts._replace(key=new[0], number=new[1], entry=new[2])
    second, _ = number(written(rows[half:], quoting=quoting, ends=ends), texts, cells, first_row=half, tile=tile)
    assert (first, second) == (half, len(rows) - half)
    for x, column in enumerate(zip(*rows, strict=True)):
        known = {text: place for place, text in enumerate(dict.fromkeys(column))}
        assert texts_of(texts, x) == list(known)
        assert cells.low[x].tolist() == [known[text] for text in column]
    # Every text is found again.
    assert number(written(rows, quoting=quoting, ends=ends), texts, cells) == (len(rows), 0)


def test_more_than_256_texts():
    rows = [(f"a{i % 300}", f"b{i % 3}") for i in range(700)]
    texts = vocabulary(2)
    texts.high[0] = 0
    cells = Cells(np.zeros((2, 700), np.uint8), np.zeros((1, 700), np.uint32))
    number(written(rows[:400]), texts, cells)
    number(written(rows[400:]), texts, cells, first_row=400)
    numbers = cells.low[0] + 256 * cells.high[0]
    assert [texts_of(texts, 0)[i] for i in numbers] == [row[0] for row in rows]
    assert cells.low[1].tolist() == [i % 3 for i in range(700)]


def test_blank_lines_are_skipped_unless_there_is_one_column():
    cells = Cells(np.zeros((2, 9), np.uint8), np.zeros((1, 9), np.uint32))
    assert number("a,b\n\n\r\nc,d\r\n", vocabulary(2), cells) == (2, 4)
    texts = vocabulary(1)
    assert number("a\n\n\r\n", texts, Cells(cells.low[:1], cells.high)) == (3, 3)
    assert texts_of(texts, 0) == ["a", ""]


@pytest.mark.parametrize("content", ["a\n", "a,b,c\n", "a,b\nc\n", '""\n', "a,b\n \n", "a,b,\n"])
def test_records_of_another_width(content):
    text = Text.of(content)
    cells = Cells(np.zeros((2, 9), np.uint8), np.zeros((1, 9), np.uint32))
    state = text_cells.number_cells(
        text.text, text.windows, np.int64(0), np.int64(text.size), np.int64(SEPARATOR), vocabulary(2), cells,
        np.int64(0), np.zeros((4, 2), np.uint8), np.zeros((4, 20), np.int64), np.zeros(2, np.int64),
    )  # fmt: skip
    assert state == text_cells.IRREGULAR


@pytest.mark.parametrize(
    ("size", "lacking", "cell"),
    [
        ({"slots": 8}, text_cells.NO_SLOTS, 0),
        ({"entries": 3}, text_cells.NO_ENTRIES, 3),
        ({"words": 7}, text_cells.NO_WORDS, 2),
        ({}, text_cells.NO_HIGH, 256),
    ],
)
def test_space_that_is_lacking_is_named(size, lacking, cell):
    text = Text.of("".join(f"text number {i:05}\n" for i in range(300)))
    unknown, found = np.zeros((4, 300), np.int64), np.zeros(2, np.int64)
    unknown[1], unknown[2], unknown[3] = range(300), range(0, 18 * 300, 18), 17
    texts = vocabulary(1, **size)
    cells = Cells(np.zeros((1, 300), np.uint8), np.zeros((1, 300), np.uint32))
    assert text_cells.add_texts(text.windows, unknown, np.int64(0), np.int64(300), texts, cells, found) == lacking
    assert found.tolist() == [cell, 0]
    assert len(texts_of(texts, 0)) == cell


def lines_outside_quotes(text: str) -> list[int]:
    """The places behind the line feeds outside quotes."""
    return [i + 1 for i, char in enumerate(text) if char == "\n" and text[:i].count('"') % 2 == 0]


@given(st.text('a"\n', max_size=20), st.integers(0, 130), st.integers(0, 70))
@settings(max_examples=5 * EXAMPLES)
def test_records_are_counted(text, before, behind):
    whole = "x" * before + text + "y" * behind
    content, found = np.frombuffer(bytearray(whole.encode()), np.uint8), np.zeros(2, np.int64)
    text_cells.count_records(content, found)
    ends = lines_outside_quotes(whole)
    assert found.tolist() == [len(ends), max(ends, default=0)]
    text_cells.count_lines(content, found)
    assert found.tolist() == [whole.count("\n"), whole.rfind("\n") + 1]


@given(st.text("a\r\n", max_size=8))
@example("\r")
def test_lone_carriage_returns(text):
    content = np.frombuffer(bytearray(text.encode()), np.uint8)
    assert text_cells.has_lone_carriage_return(content) == bool(re.search(r"\r[^\n]", text))


def test_gaps_are_closed():
    cells = Cells(np.arange(24, dtype=np.uint8).reshape(2, 12), np.arange(12, dtype=np.uint32).reshape(1, 12))
    text_cells.close_gaps(cells, np.array([0, 4, 9]), np.array([3, 2, 1]))
    assert cells.low[:, :6].tolist() == [[0, 1, 2, 4, 5, 9], [12, 13, 14, 16, 17, 21]]
    assert cells.high[0, :6].tolist() == [0, 1, 2, 4, 5, 9]


def test_columns_are_recoded():
    low = np.array([[0, 1, 2, 9], [2, 2, 0, 9], [1, 0, 0, 9]], np.uint8)
    text_cells.recode_columns(low, np.int64(3), np.array([2, 0]), np.array([[7, 8, 0], [3, 4, 5]], np.uint8))
    assert low.tolist() == [[3, 4, 5, 9], [2, 2, 0, 9], [8, 7, 7, 9]]
