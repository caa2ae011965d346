"""Columns of a text file, in pieces of any size and on any number of threads: the same as from the csv module."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast.dataset import text_columns
from climbfast.dataset.text_columns import TextColumns, number_texts
from climbfast.dataset.text_pieces import IrregularTextError, PieceReader
from climbfast.errors import DataError

CELLS = st.sampled_from(["", "a", "é", "two\nlines", 'a "word"', "12345678", "123456789", "a longer text", "NA"])


def nothing() -> None: ...


def columns_of(content: bytes, width: int, *, first: int, largest: int, threads: int = 2) -> TextColumns:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_columns, "FIRST_PIECE", first)
        patch.setattr(text_columns, "LARGEST_PIECE", largest)
        patch.setattr(text_columns, "threads", lambda: threads)
        file = io.BytesIO(content)
        size = max(len(content), 1)
        share = lambda: file.tell() / size  # noqa: E731
        return number_texts(
            PieceReader(file, ","), width, ",", share_read=share, size=len(content), after_pieces=nothing
        )


def rows_of(columns: TextColumns) -> list[tuple[str, ...]]:
    width = columns.low.shape[0]
    found = [np.array(columns.texts(x), dtype=object)[columns.numbers(x)] for x in range(width)]
    return list(zip(*found, strict=True))


def written(rows: list[tuple[Any, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


@given(
    st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=40)),
    st.integers(1, 60),
    st.integers(1, 60),
    st.integers(1, 3),
)
@settings(max_examples=100, deadline=None)
def test_pieces_of_any_size(rows: list[tuple[str, ...]], first: int, largest: int, threads: int) -> None:
    columns = columns_of(written(rows), len(rows[0]), first=first, largest=largest, threads=threads)
    assert rows_of(columns) == rows
    for x, column in enumerate(zip(*rows, strict=True)):
        assert columns.texts(x) == columns.series([x]).to_list() == list(dict.fromkeys(column))
        assert columns.is_empty(x) == (set(column) == {""})


def test_columns_of_any_number_of_texts() -> None:
    rng = np.random.default_rng(3)
    many = [rng.permutation(90_000), rng.integers(70_000, size=90_000), rng.integers(257, size=90_000)]
    many += [rng.integers(256, size=90_000), rng.integers(2, size=90_000)]
    rows = [(f"person {a}", str(b), f"c{c}", d, e) for a, b, c, d, e in zip(*map(np.ndarray.tolist, many), strict=True)]
    columns = columns_of(written(rows), 5, first=1 << 10, largest=1 << 16)
    assert columns.numbers(3).dtype == np.uint8
    assert [columns.count(x) for x in range(5)] == [len(set(column)) for column in zip(*rows, strict=True)]
    assert rows_of(columns) == [tuple(map(str, row)) for row in rows]


def test_texts_of_several_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("a", "b", "ccc"), ("", "é", "d"), ("a", "f", "")]
    columns = columns_of(written(rows), 3, first=1 << 10, largest=1 << 10)
    assert columns.series([2, 0]).to_list() == ["ccc", "d", "", "a", ""]
    assert list(columns.in_groups([0, 1, 2])) == [[0, 1, 2]]
    monkeypatch.setattr(text_columns, "BYTES_TOGETHER", 10)  # the columns have 3, 7 and 7 with what is between texts
    assert list(columns.in_groups([0, 1, 2])) == [[0, 1], [2]]
    monkeypatch.setattr(text_columns, "BYTES_TOGETHER", 1)
    assert list(columns.in_groups([2, 0])) == [[2], [0]]
    assert list(columns.in_groups([])) == []


def test_long_texts_and_records() -> None:
    rows = [("x" * 100_000 + str(i % 3), "y") for i in range(20)]
    assert rows_of(columns_of(written(rows), 2, first=1 << 10, largest=1 << 12)) == rows


def test_records_that_become_shorter_and_longer() -> None:
    rows = [("a" * 200, "b")] * 30 + [("", "b")] * 3_000 + [("c" * 500, "d")] * 30
    assert rows_of(columns_of(written(rows), 2, first=100, largest=300)) == rows


def test_blank_lines() -> None:
    content = b"a,b\n\n\nc,d\n" * 50 + b"\r\n\n"
    columns = columns_of(content, 2, first=20, largest=30)
    assert rows_of(columns) == [("a", "b"), ("c", "d")] * 50


@pytest.mark.parametrize("content", [b"a,b\n" * 50 + b"c\n", b"a,b\n" * 50 + b'"c,d\n', b"a,b\n" * 50 + b"c,\0\n"])
def test_irregular_text(content: bytes) -> None:
    for size in (10, 1 << 18):
        with pytest.raises(IrregularTextError):
            columns_of(content, 2, first=size, largest=size)


def test_texts_that_are_not_utf8() -> None:
    for content, is_utf8 in ((b"a,\xe9\n", False), ("a,é\n".encode(), True), (b"a,b\n", True)):
        assert columns_of(content, 2, first=20, largest=20).is_utf8() == is_utf8


def test_an_error_between_pieces_ends_the_reading() -> None:
    calls: list[int] = []

    def stop() -> None:
        calls.append(1)
        raise ZeroDivisionError

    reader = PieceReader(io.BytesIO(b"a,b\n" * 1_000_000), ",")
    with pytest.raises(ZeroDivisionError):
        number_texts(reader, 2, ",", share_read=lambda: 0.5, size=4_000_000, after_pieces=stop)
    assert calls == [1]


@pytest.mark.parametrize("rows", [3, 3_000_000])
def test_recode(rows: int) -> None:
    columns = columns_of(b"u,v,w\n" * (rows - 1) + b"v,v,x\n", 3, first=1 << 18, largest=1 << 20)
    columns.recode(np.array([2, 0]), np.array([[9, 8], [1, 0]], dtype=np.uint8))
    assert columns.low[:, [0, -1]].tolist() == [[1, 0], [0, 0], [9, 8]]
    assert np.unique(columns.low[2, :-1]).tolist() == [9]


def test_codes_that_would_take_too_much_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a small compressed file can ask for."""
    monkeypatch.setattr(text_columns, "physical_memory", lambda: 60)
    assert columns_of(b"a,b,c\n" * 10, 3, first=6, largest=6).rows == 10
    with pytest.raises(DataError, match=r"more than 11 rows of 3 columns, whose codes take more than 50%"):
        columns_of(b"a,b,c\n" * 20, 3, first=6, largest=6, threads=1)
