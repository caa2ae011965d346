"""Text columns of a polars frame as integers, all columns at once.

polars finds the distinct texts and numbers them on all cores; Python only sees the distinct ones. Making the
column categorical while a file is parsed costs a tenth to a quarter of
parsing, making it so afterwards more than half.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from climbfast.dataset.columns import Column, make_column
from climbfast.dataset.levels import MISSING, Levels
from climbfast.dataset.options import Options

if TYPE_CHECKING:
    import polars as pl

__all__ = ["categorical", "encode_texts"]

Arrange = Callable[[Hashable, Sequence[Any], Options], tuple[Levels, list[int]]]

# Columns whose cells are copied out of polars in one go: four bytes a cell for these, not for all.
_BLOCK = 64


def categorical() -> pl.DataType:
    """Type of text columns, with a vocabulary of its own that is freed with the frame."""
    import polars as pl

    # polars before 1.32 has no named vocabularies, and there every column has its own.
    vocabularies = getattr(pl, "Categories", None)
    return pl.Categorical(vocabularies.random()) if vocabularies else pl.Categorical()


def encode_texts(
    frame: pl.DataFrame, names: Sequence[Hashable], options: Options, arrange: Arrange
) -> tuple[list[Column], Iterator[NDArray[Any]]]:
    """Encode a frame of categorical columns.

    Returns
    -------
    columns : list of Column
        Without their cells.
    cells : iterator of ndarray
        The cells, column by column, as the keys of the columns.
    """
    import polars as pl

    distinct = frame.select(pl.all().drop_nulls().unique().implode())
    texts, numbers = distinct.row(0), distinct.select(pl.all().to_physical()).row(0)
    # Nulls become a number that no text has; a table of keys as long as the vocabulary stays affordable.
    null = 1 + max((max(keys) for keys in numbers if keys), default=-1)
    columns = []
    for name, cells, found, keys in zip(names, frame.get_columns(), texts, numbers, strict=True):
        levels, places = arrange(name, found, options)
        if cells.null_count():
            keys, places = [*keys, null], [*places, MISSING]
        columns.append(make_column(levels, places, None, keys))
    return columns, _cells(frame, null)


def _cells(frame: pl.DataFrame, null: int) -> Iterator[NDArray[Any]]:
    import polars as pl

    numbers = frame.select(pl.all().to_physical()).get_columns()
    for start in range(0, frame.width, _BLOCK):
        block = [
            column.fill_null(null) if column.null_count() else column for column in numbers[start : start + _BLOCK]
        ]
        yield from pl.DataFrame(block).to_numpy(order="fortran").T
