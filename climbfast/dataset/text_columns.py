"""A text file as columns of small integers and their distinct texts, read piece by piece on all cores."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.compiling import announce_compilation
from climbfast.dataset.pages import zero_pages
from climbfast.dataset.sources import physical_memory
from climbfast.dataset.text_pieces import IrregularTextError, Piece, PieceReader
from climbfast.dataset.threads import threads
from climbfast.errors import DataError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TextColumns", "number_texts", "read_texts"]

FIRST_PIECE = 1 << 18  # bytes; it is read alone, so that most texts are known before several pieces are read at once
LARGEST_PIECE = 1 << 21
BYTES_TOGETHER = 1 << 18  # hundreds of columns of short texts; a few of many texts gain nothing by it
SHARE_OF_CODES = 0.5  # of the memory of the machine: their bitmaps take as much again
_PIECES_OF_A_THREAD = 2  # in a batch, at whose end threads wait for each other
_SLOTS_OF_A_COLUMN = 8
_LEAST_SHARE = 1e-4
_TILE = 1 << 17  # bytes
_LEAST_ROWS_OF_A_TILE, _MOST_ROWS_OF_A_TILE = 16, 64


class TextColumns:
    """The cells of a text file as the numbers of their texts.

    Attributes
    ----------
    rows : int
    low : uint8 array, shape (columns, rows)
        The number of each cell, modulo 256 in a column of more than 256 texts.
    """

    def __init__(self, vocabulary: Any, cells: Any, rows: int) -> None:
        self._vocabulary, self._high, self.rows = vocabulary, cells.high, rows
        self._low = cells.low  # with more rows
        self.low: NDArray[np.uint8] = cells.low[:, :rows]
        self._entries = np.argsort(vocabulary.column[: vocabulary.used[1]], kind="stable")
        self._first = np.concatenate(([0], np.cumsum(vocabulary.count)))

    @property
    def place(self) -> NDArray[np.uint8]:
        """The memory of ``low``, with room for more rows."""
        place: NDArray[np.uint8] = self._low
        return place

    def count(self, x: int) -> int:
        """Return the number of distinct texts of a column."""
        return int(self._vocabulary.count[x])

    def is_empty(self, x: int) -> bool:
        """Whether no cell of a column has a text."""
        return self.count(x) == 1 and self._vocabulary.length[self._entries[self._first[x]]] == 0

    def is_utf8(self) -> bool:
        """Whether all texts are UTF-8."""
        if not (self._vocabulary.words[: self._vocabulary.used[2]] & np.uint64(0x8080808080808080)).any():
            return True  # ASCII
        with suppress(UnicodeDecodeError):
            str(self._join(self._entries).data, "utf-8")
            return True
        return False

    def texts(self, x: int) -> list[str]:
        """Return the distinct texts of a column, by number: in the order of their first rows."""
        return self._joined_texts([x]).split("\0")

    def series(self, columns: Sequence[int]) -> pl.Series:
        """Return the distinct texts of some columns, one column after the other, without a Python object for each."""
        import polars as pl

        return pl.Series([self._joined_texts(columns)], dtype=pl.String).str.split("\0").explode()

    def in_groups(self, columns: Iterable[int]) -> Iterator[list[int]]:
        """Yield the columns in order, in groups of at most ``BYTES_TOGETHER`` of distinct texts, or of one column."""
        group: list[int] = []
        size = 0
        for x in columns:
            of_column = int(self._vocabulary.length[self._entries_of(x)].sum()) + self.count(x)
            if group and size + of_column > BYTES_TOGETHER:
                yield group
                group, size = [], 0
            group.append(x)
            size += of_column
        if group:
            yield group

    def _joined_texts(self, columns: Sequence[int]) -> str:
        """Return the distinct texts of columns with a null character, which no text has, between them."""
        return str(self._join(np.concatenate([self._entries_of(x) for x in columns]))[:-1].data, "utf-8")

    def _entries_of(self, x: int) -> NDArray[np.intp]:
        return self._entries[self._first[x] : self._first[x + 1]]

    def _join(self, entries: NDArray[np.intp]) -> NDArray[np.uint8]:
        from climbfast_kernels.text_cells import join_texts

        joined = np.empty(int(self._vocabulary.length[entries].sum()) + len(entries), dtype=np.uint8)
        join_texts(self._vocabulary, entries, joined)
        return joined

    def numbers(self, x: int) -> NDArray[Any]:
        """Return the cells of a column as the numbers of their texts; uint8 if there are at most 256 texts."""
        high = self._vocabulary.high[x]
        if high < 0:
            return self.low[x, :]
        numbers: NDArray[Any] = self._high[high, : self.rows] << np.uint32(8)
        numbers |= self.low[x]
        return numbers

    def recode(self, columns: NDArray[np.intp], codes: NDArray[np.uint8]) -> None:
        """Replace the numbers of some columns of at most 256 texts by ``codes[j, number]``, in place."""
        from climbfast_kernels.text_cells import recode_columns

        def recode_share(share: NDArray[np.intp]) -> None:
            part = slice(share[0], share[-1] + 1)
            recode_columns(self._low, np.int64(self.rows), columns[part], codes[part])

        number = min(threads(), len(columns))
        if number <= 1 or len(columns) * self.rows < LARGEST_PIECE:
            recode_columns(self._low, np.int64(self.rows), columns, codes)
            return
        with ThreadPoolExecutor(number) as pool:
            list(pool.map(recode_share, np.array_split(np.arange(len(columns)), number)))


def number_texts(
    reader: PieceReader,
    width: int,
    separator: str,
    *,
    share_read: Callable[[], float],
    size: int,
    after_pieces: Callable[[], None],
) -> TextColumns:
    """Number all cells of a file.

    Parameters
    ----------
    reader : PieceReader
    width : int
        The number of columns.
    separator : str
        Of cells.
    share_read : function without arguments
        Returns which part of the file is read, as a number from 0 to 1; the number of rows is guessed from it.
    size : int
        The bytes of the file, more or less; small pieces of a small file keep all threads busy.
    after_pieces : function without arguments
        Called now and then; an exception that it raises ends the reading.

    Raises
    ------
    IrregularTextError
        If a record has too many or too few cells, or is otherwise irregular.
    """
    announce_compilation()
    numbering = _CellNumbers(width, separator, share_read)
    piece = Piece(FIRST_PIECE)
    if reader.fill(piece, FIRST_PIECE):
        (first_row,) = numbering.provide_rows([piece])
        numbering.add_texts(piece, numbering.number_cells(piece, first_row))
        numbering.order_tables()
    if reader.has_more:
        number = threads()
        target = min(max((size - FIRST_PIECE) // number, FIRST_PIECE), LARGEST_PIECE)
        memory = [[Piece(0) for _ in range(_PIECES_OF_A_THREAD * number)] for _ in range(2)]
        with ThreadPoolExecutor(number, "climbfast-reading") as pool:
            batch = _next_batch(reader, memory[0], target)
            while batch:
                tasks = [
                    pool.submit(numbering.number_cells, piece, row)
                    for piece, row in zip(batch, numbering.provide_rows(batch), strict=True)
                ]
                memory.reverse()
                upcoming = _next_batch(reader, memory[0], target)  # while this one is numbered
                for piece, task in zip(batch, [task.result() for task in tasks], strict=True):
                    numbering.add_texts(piece, task)
                batch = upcoming
                after_pieces()
    return numbering.result()


def read_texts(content: bytes, width: int) -> TextColumns:
    """Number all cells of a text in memory, and recode the first column: all kernels of text files are used."""
    reader = PieceReader(io.BytesIO(content), ",")
    columns = number_texts(reader, width, ",", share_read=lambda: 1.0, size=len(content), after_pieces=lambda: None)
    columns.texts(0)
    columns.recode(np.array([0]), np.zeros((1, 256), dtype=np.uint8))
    return columns


def _next_batch(reader: PieceReader, memory: Sequence[Piece], size: int) -> list[Piece]:
    return [piece for piece in memory if reader.fill(piece, size)]


class _Unknown(NamedTuple):
    """The cells of a piece whose text is not in the vocabulary, and the number of rows of the piece."""

    cells: NDArray[np.int64]
    number: int
    rows: int


class _CellNumbers:
    """The vocabulary and the numbers of all cells so far; both grow between pieces."""

    def __init__(self, width: int, separator: str, share_read: Callable[[], float]) -> None:
        from climbfast_kernels.text_cells import FIRST_SHIFT, Cells, Vocabulary

        self._separator, self._share_read = separator, share_read
        slots = width * _SLOTS_OF_A_COLUMN
        self.vocabulary = Vocabulary(
            base=np.arange(0, slots, _SLOTS_OF_A_COLUMN),
            mask=np.full(width, _SLOTS_OF_A_COLUMN - 1),
            shift=np.full(width, FIRST_SHIFT),
            count=np.zeros(width, dtype=np.int64),
            high=np.full(width, -1),
            key=np.zeros(2 * slots, dtype=np.uint64),
            number=np.zeros(2 * slots, dtype=np.int32),
            entry=np.zeros(2 * slots, dtype=np.int32),
            begin=np.zeros(slots, dtype=np.int64),
            length=np.zeros(slots, dtype=np.int32),
            column=np.zeros(slots, dtype=np.int32),
            words=np.zeros(slots, dtype=np.uint64),
            used=np.array([slots, 0, 0]),
        )
        self.cells = Cells(np.empty((width, 0), dtype=np.uint8), np.zeros((1, 0), dtype=np.uint32))
        self._lines = 0
        self._first: list[int] = []
        self._rows: list[int] = []

    def provide_rows(self, pieces: Sequence[Piece]) -> list[int]:
        """Return the first row of each piece, as if no line were blank, and provide memory for the rows."""
        first = []
        for piece in pieces:
            first.append(self._lines)
            self._lines += piece.records
        self._first += first
        low, high = self.cells
        if self._lines * low.shape[0] > SHARE_OF_CODES * physical_memory():
            raise DataError(
                f"it has more than {self._lines:,} rows of {low.shape[0]:,} columns, whose codes take more than "
                f"{SHARE_OF_CODES:.0%} of the memory of this machine"
            )
        if self._lines > low.shape[1]:
            rows = self._expected_rows()
            self.cells = self.cells._replace(low=_wider(low, rows, first[0]), high=_wider(high, rows, first[0]))
        return first

    def _expected_rows(self) -> int:
        """Return at least the rows so far, and a quarter more than the file will have if its records are equally long.

        The memory for rows that do not come is never touched, and so is not taken; moving the rows to a larger place
        would take it twice.
        """
        share = self._share_read()
        if share >= 1:
            return self._lines
        return int(1.25 * self._lines / max(share, _LEAST_SHARE))

    def number_cells(self, piece: Piece, first_row: int) -> _Unknown:
        """Number the cells of a piece whose texts are known; several threads can do so at once."""
        from climbfast_kernels import text_cells

        if not piece.is_regular:
            piece.refuse_irregular_text(self._separator)
        width = self.cells.low.shape[0]
        tile = np.empty((min(max(_TILE // width, _LEAST_ROWS_OF_A_TILE), _MOST_ROWS_OF_A_TILE), width), dtype=np.uint8)
        unknown = zero_pages((4, piece.records * width), np.int64)  # most of it is never touched
        found = np.zeros(2, dtype=np.int64)
        state = text_cells.number_cells(
            piece.text, piece.windows, np.int64(piece.begin), np.int64(piece.end), np.int64(ord(self._separator)),
            self.vocabulary, self.cells, np.int64(first_row), tile, unknown, found,
        )  # fmt: skip
        if state == text_cells.IRREGULAR:
            raise IrregularTextError
        return _Unknown(unknown, int(found[1]), int(found[0]))

    def add_texts(self, piece: Piece, unknown: _Unknown) -> None:
        """Add the texts of a piece that are new, and number their cells."""
        from climbfast_kernels import text_cells

        self._rows.append(unknown.rows)
        stopped = np.zeros(2, dtype=np.int64)
        while lacking := text_cells.add_texts(
            piece.windows, unknown.cells, stopped[0], np.int64(unknown.number), self.vocabulary, self.cells, stopped
        ):
            cell, column = stopped.tolist()
            self._provide(lacking, column, int(unknown.cells[3, cell]))

    def order_tables(self) -> None:
        """Put the hash tables side by side, which have moved while they grew."""
        self._copy_tables(more=0)

    def _provide(self, lacking: int, x: int, length: int) -> None:
        """Provide what the next text lacks, a text of ``length`` bytes in column ``x``."""
        from climbfast_kernels.text_cells import NO_ENTRIES, NO_HIGH, NO_SLOTS

        texts = self.vocabulary
        if lacking == NO_HIGH:
            self._provide_high(x)
        elif lacking == NO_SLOTS:
            self._copy_tables(more=4 * int(texts.mask[x] + 1))
        elif lacking == NO_ENTRIES:
            size = 2 * texts.begin.size
            self.vocabulary = texts._replace(
                begin=_longer(texts.begin, size), length=_longer(texts.length, size),
                column=_longer(texts.column, size),
            )  # fmt: skip
        else:
            self.vocabulary = texts._replace(words=_longer(texts.words, 2 * texts.words.size + length))

    def _copy_tables(self, more: int) -> None:
        """Put the hash tables side by side in new memory, with as many slots again for tables that grow."""
        from climbfast_kernels.bits import cache_aligned
        from climbfast_kernels.text_cells import copy_tables

        in_use = int(self.vocabulary.mask.sum()) + self.vocabulary.mask.size
        size = in_use + max(in_use, more)
        key = cache_aligned(np.zeros, 1, size)[0]
        number, entry = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
        copy_tables(self.vocabulary, key, number, entry)
        self.vocabulary = self.vocabulary._replace(key=key, number=number, entry=entry)

    def _provide_high(self, x: int) -> None:
        """Provide a row for the numbers above 255 of a column."""
        high = self.cells.high
        row = int(self.vocabulary.high.max()) + 1
        if row == high.shape[0]:
            more = zero_pages((2 * row, high.shape[1]), high.dtype)
            more[:row, : self._lines] = high[:, : self._lines]
            self.cells = self.cells._replace(high=more)
        self.vocabulary.high[x] = row

    def result(self) -> TextColumns:
        """Return the columns, without the rows that blank lines would take."""
        from climbfast_kernels.text_cells import close_gaps

        rows = sum(self._rows)
        if rows != self._lines:
            close_gaps(self.cells, np.array(self._first), np.array(self._rows))
        return TextColumns(self.vocabulary, self.cells, rows)


def _wider(table: NDArray[Any], columns: int, kept: int) -> NDArray[Any]:
    """Return a table with more columns, of which the first ``kept`` are those of before."""
    wider = zero_pages((table.shape[0], columns), table.dtype)
    wider[:, :kept] = table[:, :kept]
    return wider


def _longer(array: NDArray[Any], size: int) -> NDArray[Any]:
    """Return an array with zeros added."""
    longer = np.zeros(size, dtype=array.dtype)
    longer[: array.size] = array
    return longer
