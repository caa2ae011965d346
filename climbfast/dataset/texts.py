"""Text columns of a file or of a polars frame as integers: Python processes each distinct text once.

Of a file, the texts have numbers already (``text_columns``). polars numbers those of a frame on all cores, and a kernel
finds the numbers of a column. Every step takes time for each chunk of each column: the numbers of 1,000 columns take 60
to 300 ms in 53 chunks, and 3 ms in one. So the chunks are first joined, in 15 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from climbfast.compiling import announce_compilation
from climbfast.dataset.column_encoding import Column, encode_parsed, make_column, smallest_unsigned
from climbfast.dataset.discretization.number_texts import ParsedTexts, parse_columns
from climbfast.dataset.levels import MISSING, Levels
from climbfast.dataset.options import Options
from climbfast.dataset.text_columns import TextColumns
from climbfast.errors import DataError

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "already_parsed",
    "categorical",
    "encode_text_column",
    "encode_text_columns",
    "encode_texts",
    "parse_in_turn",
]

ParseTexts = Callable[[Hashable, "pl.Series", frozenset[Hashable]], ParsedTexts | None]
Arrange = Callable[[Hashable, Sequence[Any], Options], tuple[Levels, list[int]]]


def categorical() -> pl.DataType:
    """Return a type for text columns whose vocabulary belongs to one frame and is freed with it."""
    import polars as pl

    # polars before 1.32 has no named vocabularies: every column has its own.
    vocabularies = getattr(pl, "Categories", None)
    return pl.Categorical(vocabularies.random()) if vocabularies else pl.Categorical()


def encode_texts(frame: pl.DataFrame, names: Sequence[Hashable], options: Options, arrange: Arrange) -> list[Column]:
    """Encode a frame of categorical columns; it is slow unless each column is in one chunk."""
    import polars as pl

    from climbfast_kernels.coding import first_rows, recode

    announce_compilation()
    numbers = frame.select(pl.all().to_physical().cast(pl.UInt32))  # some vocabularies have shorter ones
    # Nulls get a number that no text has.
    null = 1 + max((largest for largest in numbers.max().row(0) if largest is not None), default=-1)
    seen, rows = np.zeros(null + 1, dtype=np.bool_), np.empty(min(null + 1, frame.height), dtype=np.int64)
    columns = []
    for name, texts, column in zip(names, frame.get_columns(), numbers.get_columns(), strict=True):
        cells = (column.fill_null(null) if column.null_count() else column).to_numpy()
        cells.flags.writeable = False  # like the arrays that polars shares, so that kernels are compiled for one type
        first = rows[: first_rows(cells, seen, rows)]
        levels, places = arrange(name, texts[first].to_list(), options)
        gap = [MISSING] if MISSING in places else []
        code = np.empty(null + 1, dtype=smallest_unsigned(len(levels) + len(gap)))
        code[cells[first]] = [len(levels) if place == MISSING else place for place in places]
        physical = np.empty(frame.height, dtype=code.dtype)
        recode(cells, code, physical)
        columns.append(make_column(levels, [*range(len(levels)), *gap], physical))
    return columns


def encode_text_column(
    name: Hashable,
    texts: pl.Series,
    numbers: NDArray[Any],
    options: Options,
    arrange: Arrange,
    parse: ParseTexts | None = None,
) -> Column:
    """Encode a column of different texts and of their numbers, cell by cell."""
    parsed = parse(name, texts, options.markers_for(name)) if parse is not None and options.cuts(name) else None
    if parsed is not None and (to_cut := encode_parsed(name, parsed, numbers, options)):
        return to_cut
    levels, places = arrange(name, texts.to_list(), options)
    return make_column(levels, places, numbers)


def encode_text_columns(
    texts: TextColumns,
    positions: Sequence[int],
    names: Sequence[Hashable],
    options: Options,
    arrange: Arrange,
) -> list[Column]:
    """Encode some columns of a text file, once: the numbers of most are replaced by codes in place."""
    codes = np.zeros((len(positions), 1 << 8), dtype=np.uint8)
    in_place = np.zeros(len(positions), dtype=np.bool_)
    columns = []
    to_parse = {x: name for x, name in zip(positions, names, strict=True) if options.cuts(name)}
    parsed = parse_in_turn(texts, to_parse, options)
    for i, (x, name) in enumerate(zip(positions, names, strict=True)):
        _, found = next(parsed) if x in to_parse else (None, None)
        if isinstance(found, DataError):
            raise found
        if found is not None and (to_cut := encode_parsed(name, found, texts.numbers(x), options)):
            columns.append(to_cut)
            continue
        levels, places = arrange(name, texts.texts(x), options)
        gap = [MISSING] if MISSING in places else []
        code = [len(levels) if place == MISSING else place for place in places]
        if len(code) <= codes.shape[1]:
            codes[i, : len(code)], in_place[i] = code, True
            physical = texts.low[x]
        else:
            physical = _recoded(texts.numbers(x), np.array(code, dtype=smallest_unsigned(len(levels) + len(gap))))
        columns.append(make_column(levels, [*range(len(levels)), *gap], physical))
    texts.recode(np.array(positions, dtype=np.intp)[in_place], codes[in_place])
    return columns


def parse_in_turn(
    texts: TextColumns, names: Mapping[int, Hashable], options: Options
) -> Iterator[tuple[pl.Series, ParsedTexts | DataError | None]]:
    """Yield the texts of some columns of a file and what they stand for, or why they are refused, column by column."""
    for positions in texts.in_groups(names):
        of_group, counts = texts.series(positions), [texts.count(x) for x in positions]
        some_names = [names[x] for x in positions]
        found = parse_columns(some_names, of_group, counts, [options.markers_for(name) for name in some_names])
        begin = 0
        for count, parsed in zip(counts, found, strict=True):
            yield of_group.slice(begin, count), parsed
            begin += count


def already_parsed(parsed: ParsedTexts | DataError | None) -> ParseTexts:
    """Return a function that takes the place of ``parse_texts`` and gives, or raises, what was found."""

    def parse(*_: Any) -> ParsedTexts | None:
        if isinstance(parsed, DataError):
            raise parsed
        return parsed

    return parse


def _recoded(numbers: NDArray[Any], code: NDArray[Any]) -> NDArray[Any]:
    from climbfast_kernels.coding import recode

    numbers.flags.writeable = False  # as those of frames are: kernels are compiled for one type
    out = np.empty(numbers.size, dtype=code.dtype)
    recode(numbers, code, out)
    return out
