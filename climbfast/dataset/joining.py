"""Several files as one table: the columns of all of them by name, in the order of the first, with all their levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.assemble import assemble
from climbfast.dataset.column_encoding import Column, smallest_unsigned
from climbfast.dataset.discretization.number_texts import parse_columns
from climbfast.dataset.levels import arrange_texts
from climbfast.dataset.options import Options
from climbfast.dataset.sources import PlacedError, place_of
from climbfast.dataset.table import Table
from climbfast.dataset.texts import already_parsed, categorical, encode_text_column
from climbfast.names import name_text

if TYPE_CHECKING:
    import polars as pl

    from climbfast.dataset.dataset import Dataset
    from climbfast.dataset.delimited import TextTable

__all__ = ["TextPart", "check_same_columns", "encode_parts", "join_tables", "part_of"]

_LARGEST_EXACT_FLOAT = 1 << 53
_CELLS_TOGETHER = 1 << 22  # of columns whose texts are parsed together


def check_same_columns(first: Path, names: Sequence[str], path: Path, others: Sequence[str]) -> None:
    """Check that a file has the columns of the first one, in any order.

    Raises
    ------
    PlacedError
        If it does not.
    """
    here, there = set(others), set(names)
    lost = next((name for name in names if name not in here), None)
    if lost is not None:
        raise PlacedError(f"{place_of(path)}it has no column {lost!r}, which {name_text(first)} has")
    new = next((name for name in others if name not in there), None)
    if new is not None:
        raise PlacedError(f"{place_of(path)}it has a column {new!r}, which {name_text(first)} does not have")


# ---- Text files


class TextPart(NamedTuple):
    """The distinct texts of each column of a text file, by name, and the cells as their numbers."""

    columns: dict[str, tuple[list[str], NDArray[Any]]]
    rows: int


def part_of(table: TextTable, options: Options) -> TextPart:
    """Return the columns to read; their texts are no levels yet: other files may show that they are no numbers."""
    positions, texts = options.select(table.names), table.columns
    columns = {table.names[x]: (texts.texts(x), texts.numbers(x)) for x in positions}
    return TextPart(columns, texts.rows)


def encode_parts(parts: Sequence[TextPart], options: Options) -> Dataset:
    """Encode text files as one Dataset; the parts are empty afterwards."""
    names, rows = list(parts[0].columns), sum(part.rows for part in parts)
    columns: list[Column] = []
    while len(columns) < len(names):
        some = names[len(columns) :][: max(1, _CELLS_TOGETHER // max(1, rows))]
        columns += _joined_columns(some, parts, options)
    return assemble(names, columns, rows, options)


def _joined_columns(names: Sequence[str], parts: Sequence[TextPart], options: Options) -> Iterator[Column]:
    """Yield some columns of several text files, whose texts are parsed together."""
    import polars as pl

    joined = {name: join_texts([part.columns.pop(name) for part in parts]) for name in names}
    to_parse = {name: texts for name, (texts, _) in joined.items() if options.cuts(name)}
    of_all = pl.concat(to_parse.values()) if to_parse else pl.Series(dtype=pl.String)
    counts, markers = [*map(len, to_parse.values())], [options.markers_for(name) for name in to_parse]
    found = dict(zip(to_parse, parse_columns([*to_parse], of_all, counts, markers), strict=True))
    for name, (texts, numbers) in joined.items():
        yield encode_text_column(name, texts, numbers, options, arrange_texts, already_parsed(found.get(name)))


def join_texts(parts: Sequence[tuple[list[str], NDArray[Any]]]) -> tuple[pl.Series, NDArray[Any]]:
    """Return the different texts of a column in several files, and their numbers, cell by cell."""
    import polars as pl

    together = {text: number for number, text in enumerate(dict.fromkeys(text for texts, _ in parts for text in texts))}
    dtype = smallest_unsigned(len(together))
    numbers = [np.array([together[text] for text in texts], dtype=dtype)[cells] for texts, cells in parts]
    return pl.Series(list(together), dtype=pl.String), np.concatenate(numbers)


# ---- Frames


def join_tables(paths: Sequence[Path], tables: Sequence[Table]) -> Table:
    """Join tables of other files than text.

    Raises
    ------
    DataError
        For the first file with other columns, with another kind of cells in a column, or with other value labels.
    """
    import polars as pl

    frames = [_polars_frame(path, table.frame) for path, table in zip(paths, tables, strict=True)]
    names = frames[0].columns
    for path, frame in zip(paths, frames, strict=True):
        check_same_columns(paths[0], names, path, frame.columns)
    columns = [_joined_series(paths, [frame.get_column(name) for frame in frames]) for name in names]
    labels: dict[str, dict[Any, str]] = {}
    for path, table in zip(paths, tables, strict=True):
        for name, of_column in table.labels.items():
            _add_labels(path, name, of_column, labels.setdefault(name, {}))
    refused = {name: why for table in tables for name, why in table.refused.items()}
    return Table(pl.DataFrame(columns), labels, tables[0].declares_levels, refused)


def _polars_frame(path: Path, frame: Any) -> pl.DataFrame:
    import polars as pl

    if not isinstance(frame, pl.DataFrame):  # an arrow table with a type that polars does not have
        raise PlacedError(f"{place_of(path)}it has a type that only a file read alone can have; convert it to text")
    return frame


def _add_labels(path: Path, name: str, labels: Any, known: dict[Any, str]) -> None:
    for value, text in labels.items():
        if known.setdefault(value, text) != text:
            raise PlacedError(
                f"{place_of(path)}the value {value!r} of column {name!r} has the label {text!r}, and {known[value]!r} "
                "in a file before it"
            )


def _joined_series(paths: Sequence[Path], parts: Sequence[pl.Series]) -> pl.Series:
    import polars as pl

    filled = [part.dtype for part in parts if part.dtype != pl.Null]
    dtype = reduce(lambda one, other: _common_type(one, other, parts), filled) if filled else pl.Null()
    if dtype is None:
        differing = next(i for i, part in enumerate(parts) if part.dtype not in (pl.Null, filled[0]))
        raise PlacedError(
            f"{place_of(paths[differing])}column {parts[0].name!r} has cells of type {parts[differing].dtype} where a "
            f"file before it has {filled[0]}"
        )
    return pl.concat([_cast(part, dtype) for part in parts], rechunk=True)


def _common_type(one: Any, other: Any, parts: Sequence[pl.Series]) -> Any:
    """Return a type that holds the values of both types without rounding; None if there is none."""
    import polars as pl

    if one is None or (one == other and not isinstance(one, (pl.Categorical, pl.Enum))):
        return one
    if isinstance(one, pl.Enum) and isinstance(other, pl.Enum):
        return pl.Enum(list(dict.fromkeys([*one.categories, *other.categories])))
    texts = (pl.String, pl.Categorical, pl.Enum)
    if isinstance(one, texts) and isinstance(other, texts):
        return one if isinstance(one, pl.Categorical) else categorical()
    if one.is_integer() and other.is_integer():
        return pl.Int64() if all(_is_below(part, 1 << 63) for part in parts) else None
    if one.is_numeric() and other.is_numeric() and not (one.is_decimal() or other.is_decimal()):
        return pl.Float64() if all(_is_below(part, _LARGEST_EXACT_FLOAT) for part in parts) else None
    return None


def _is_below(part: pl.Series, limit: int) -> bool:
    """Whether all whole numbers of a column are below a limit, without their signs."""
    if not part.dtype.is_integer():
        return True
    low, high = part.min(), part.max()
    return low is None or bool(-limit <= low and high < limit)  # type: ignore[operator]


def _cast(part: pl.Series, dtype: Any) -> pl.Series:
    import polars as pl

    if part.dtype == dtype and not isinstance(dtype, pl.Categorical):
        return part
    through_text = isinstance(part.dtype, (pl.Categorical, pl.Enum))
    return (part.cast(pl.String) if through_text else part).cast(dtype)
