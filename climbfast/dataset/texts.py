"""Text columns of a polars frame as integers, all columns at once.

polars finds the distinct texts and numbers them on all cores; Python only sees the distinct ones. Making the
column categorical while a file is parsed costs a tenth to a quarter of parsing, making it so afterwards more than
half. polars parses a file in pieces and pays for each piece of each column in every later step (measured: to_physical
of 1,000 columns in 53 pieces 60 to 300 ms, of one piece 3 ms), so the pieces are joined first, 25 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from climbfast.dataset.columns import Column, make_column
from climbfast.dataset.levels import MISSING, Levels
from climbfast.dataset.options import Options

if TYPE_CHECKING:
    import polars as pl

__all__ = ["categorical", "encode_texts"]

Arrange = Callable[[Hashable, Sequence[Any], Options], tuple[Levels, list[int]]]


def categorical() -> pl.DataType:
    """Type of text columns, with a vocabulary of its own that is freed with the frame."""
    import polars as pl

    # polars before 1.32 has no named vocabularies, and there every column has its own.
    vocabularies = getattr(pl, "Categories", None)
    return pl.Categorical(vocabularies.random()) if vocabularies else pl.Categorical()


def encode_texts(frame: pl.DataFrame, names: Sequence[Hashable], options: Options, arrange: Arrange) -> list[Column]:
    """Encode a frame of categorical columns, each of them in one piece."""
    import polars as pl

    distinct = frame.select(pl.all().drop_nulls().unique().implode())
    texts, numbers = distinct.row(0), distinct.select(pl.all().to_physical()).row(0)
    # Nulls become a number that no text has; a table of keys as long as the vocabulary stays affordable.
    null = 1 + max((max(keys) for keys in numbers if keys), default=-1)
    physical = frame.select(pl.all().to_physical().fill_null(null)).get_columns()
    columns = []
    for name, cells, found, keys, filled in zip(names, frame.get_columns(), texts, numbers, physical, strict=True):
        levels, places = arrange(name, found, options)
        if cells.null_count():
            keys, places = [*keys, null], [*places, MISSING]
        columns.append(make_column(levels, places, filled.to_numpy(), keys))
    return columns
