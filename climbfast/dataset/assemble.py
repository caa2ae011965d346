"""All columns as one matrix of codes, with the option for missing cells applied."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.column_encoding import Column, make_column, smallest_unsigned
from climbfast.dataset.dataset import Dataset
from climbfast.dataset.diagnostics import is_id
from climbfast.dataset.levels import MISSING, Levels, is_missing
from climbfast.dataset.options import Options
from climbfast.errors import DataError, Option
from climbfast.names import canonical_key, listing

__all__ = ["assemble"]


def assemble(names: Sequence[Hashable], columns: Sequence[Column], rows: int, options: Options) -> Dataset:
    """Fill the matrix of codes and apply the option for missing cells.

    Parameters
    ----------
    names, columns
        In the order of the source.
    rows : int
        Number of rows.
    options : Options
        Missing cells and declared levels.
    """
    if rows == 0:
        raise DataError("the table has no rows")
    columns = [_declare(name, column, options) for name, column in zip(names, columns, strict=True)]
    order = sorted(range(len(names)), key=lambda i: canonical_key(names[i]))
    canonical = tuple(names[i] for i in order)
    columns = [columns[i] for i in order]
    ids = [] if options.keep_ids else [i for i, column in enumerate(columns) if is_id(_occurring(column), rows)]
    id_levels = {i: columns[i].levels for i in ids}
    id_digests = {canonical[i]: _digest(columns[i]) for i in ids}
    for i in ids:
        columns[i] = _without_levels(columns[i], options)
    codes, levels = _apply_missing(_fill_codes(columns, rows), canonical, columns, options)
    arity = np.array([len(of_column) for of_column in levels], dtype=np.int64)
    codes = codes.astype(smallest_unsigned(int(arity.max())), copy=False)
    by_name = {name: id_levels.get(i, found) for i, (name, found) in enumerate(zip(canonical, levels, strict=True))}
    return Dataset(tuple(names), {name: by_name[name] for name in names}, codes, canonical, arity, id_digests)


def _occurring(column: Column) -> int:
    """Return the number of levels that occur; declared levels may not."""
    return int(np.unique(column.places[column.places != MISSING]).size) if column.declared else len(column.levels)


def _places_of_cells(column: Column) -> NDArray[Any]:
    place_of_key = np.full(int(column.keys.max()) + 1, MISSING, dtype=np.int64)
    place_of_key[column.keys] = column.places
    places: NDArray[Any] = place_of_key[column.physical]
    return places


def _digest(column: Column) -> bytes:
    """Return a digest of all cells of a column."""
    return hashlib.blake2b(_places_of_cells(column).data, digest_size=16).digest()


def _without_levels(column: Column, options: Options) -> Column:
    """Return an id column as a constant one, with its missing cells where these are not a level."""
    level: Levels = (None,)
    if not column.has_gaps or options.missing == "level":
        return make_column(level, [0], np.zeros(column.physical.size, dtype=np.uint8))
    return make_column(level, [0, MISSING], (_places_of_cells(column) == MISSING).astype(np.uint8))


def _declare(name: Hashable, column: Column, options: Options) -> Column:
    declared = options.declared_for(name)
    if declared is None:
        return column
    present = (level for level in declared if not is_missing(level, options.markers))
    position = {level: place for place, level in enumerate(present)}
    unknown = [level for level in column.levels if level not in position]
    if unknown:
        raise DataError(f"column {name!r} has a value outside its declared levels: {unknown[0]!r}")
    # The last element is for MISSING, which is -1.
    moved = np.array([*(position[level] for level in column.levels), MISSING], dtype=np.intp)
    return column._replace(levels=tuple(position), places=moved[column.places], declared=True)


def _fill_codes(columns: Sequence[Column], rows: int) -> NDArray[Any]:
    largest = max(len(column.levels) + column.has_gaps for column in columns)
    codes = np.empty((len(columns), rows), dtype=smallest_unsigned(largest))
    # One table for all columns, never cleared: every column sets the few entries that it reads.
    table = np.empty(1 + max(int(column.keys.max()) for column in columns), dtype=codes.dtype)
    for row, column in zip(codes, columns, strict=True):
        places = column.places
        if column.has_gaps:
            places = np.where(places == MISSING, len(column.levels), places)
        if np.array_equal(places, column.keys):  # the cells already are codes
            row[:] = column.physical
            continue
        table[column.keys] = places
        # mode="clip", because with "raise" take() writes into a buffer first.
        np.take(table, column.physical, out=row, mode="clip")
    return codes


def _apply_missing(
    codes: NDArray[Any], names: Sequence[Hashable], columns: Sequence[Column], options: Options
) -> tuple[NDArray[Any], list[Levels]]:
    """Apply the option `missing` to the missing cells, whose code is the number of levels of their column."""
    levels = [column.levels for column in columns]
    gaps = [i for i, column in enumerate(columns) if column.has_gaps]
    if not gaps:
        return codes, levels
    if options.missing == "refuse":
        raise _refusal(codes, names, levels, gaps)
    if options.missing == "level":
        for i in gaps:
            levels[i] = (*levels[i], None)
        return codes, levels
    codes = _complete_rows(codes, levels, gaps)
    for i, column in enumerate(columns):
        if not column.declared:
            levels[i] = _drop_unused(codes[i], levels[i])
    return codes, levels


def _complete_rows(codes: NDArray[Any], levels: Sequence[Levels], gaps: Sequence[int]) -> NDArray[Any]:
    keep = np.ones(codes.shape[1], dtype=np.bool_)
    for i in gaps:
        keep &= codes[i] != len(levels[i])
    if not keep.any():
        raise DataError("no rows are left: every row has a missing cell")
    return np.ascontiguousarray(codes[:, keep])


def _drop_unused(row: NDArray[Any], levels: Levels) -> Levels:
    """Return the levels that still occur after rows were dropped; renumber `row` in place."""
    occurs = np.bincount(row, minlength=len(levels)) > 0
    if occurs.all():
        return levels
    np.take((np.cumsum(occurs) - 1).astype(row.dtype), row.copy(), out=row, mode="clip")
    return tuple(level for level, kept in zip(levels, occurs.tolist(), strict=True) if kept)


def _refusal(
    codes: NDArray[Any], names: Sequence[Hashable], levels: Sequence[Levels], gaps: Sequence[int]
) -> DataError:
    def count(i: int) -> str:
        return f"{names[i]!r} ({np.count_nonzero(codes[i] == len(levels[i]))})"

    return DataError(
        f"missing values in {listing(gaps, limit=10, each=count)}; read with ", Option("missing", "drop-rows"),
        " to leave rows out, with ", Option("missing", "level"), " to make missing a level, or set ",
        Option("missing_markers"), " if such cells are values",
    )  # fmt: skip
