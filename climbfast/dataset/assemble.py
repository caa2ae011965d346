"""All columns as one matrix of codes, with the option for missing cells applied."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.column_encoding import Column, cells_as_places, make_column, smallest_unsigned
from climbfast.dataset.column_rank import canonical_order
from climbfast.dataset.dataset import Dataset
from climbfast.dataset.diagnostics import is_id, level_counts
from climbfast.dataset.discretization.cutting import cut_columns, uncut_columns
from climbfast.dataset.levels import MISSING, Levels, is_missing
from climbfast.dataset.options import Options
from climbfast.dataset.pages import zero_pages
from climbfast.dataset.threads import in_shares
from climbfast.dataset.weights import split_weights
from climbfast.errors import DataError, Option
from climbfast.names import canonical_key, listing

__all__ = ["assemble"]


def assemble(
    names: Sequence[Hashable],
    columns: Sequence[Column],
    rows: int,
    options: Options,
    *,
    place: NDArray[np.uint8] | None = None,
) -> Dataset:
    """Fill the matrix of codes and apply the option for missing cells.

    Parameters
    ----------
    names, columns
        In the order of the source.
    rows : int
        Number of rows.
    options : Options
        Missing cells and declared levels.
    place : uint8 array, shape (columns, rows or more), optional
        What holds the cells of columns of few levels, which is overwritten: a large file then needs no second matrix.
    """
    if rows == 0:
        raise DataError("the table has no rows")
    names, columns, weights = split_weights(names, columns, options.weights)
    rows = rows if weights is None else weights.size
    columns = [_declare(name, column, options) for name, column in zip(names, columns, strict=True)]
    columns, discretizer, possible_ids = cut_columns(names, columns, options, weights)
    uncut = uncut_columns(names, columns, options)
    by_name = sorted(range(len(names)), key=lambda i: canonical_key(names[i]))
    sorted_names = tuple(names[i] for i in by_name)
    columns = [columns[i] for i in by_name]
    total = rows if weights is None else int(weights.sum())
    ids = [] if options.keep_ids else [i for i, column in enumerate(columns) if is_id(_occurring(column), total)]
    id_levels = {i: columns[i].levels for i in ids}
    id_digests = {sorted_names[i]: _digest(columns[i]) for i in ids}
    for i in ids:
        columns[i] = _without_levels(columns[i], options)
    codes = _codes_in_place(columns, rows, place)
    codes = _fill_codes(columns, rows) if codes is None else codes
    codes, levels, weights, incomplete = _settle_missing_cells(codes, sorted_names, columns, weights, options)
    arity = np.array([max(1, len(of_column)) for of_column in levels], dtype=np.int64)
    codes = codes.astype(smallest_unsigned(int((arity + incomplete).max())), copy=False)
    known = _known_counts(columns) if weights is None and codes.shape[1] == rows else []
    counts = level_counts(codes, arity, weights, incomplete, known)
    order, copies = canonical_order(codes, incomplete, counts, weights)
    _move_rows(codes, dict(enumerate(order)))
    levels_of = {
        name: id_levels.get(i, found) for i, (name, found) in enumerate(zip(sorted_names, levels, strict=True))
    }
    dataset = Dataset(
        tuple(names),
        {name: levels_of[name] for name in names},
        codes,
        tuple(sorted_names[i] for i in order),
        arity[order],
        id_digests,
        incomplete[order],
        weights,
        discretizer=discretizer,
        uncut=uncut,
        possible_ids=possible_ids,
    )
    # What cached properties would find again.
    vars(dataset)["level_counts"] = [counts[i] for i in order]
    if all(of_one.all() for of_one in counts):  # else columns with different declared levels may be copies
        vars(dataset)["one_to_one"] = tuple(tuple(sorted_names[i] for i in group) for group in copies)
    return dataset


def _settle_missing_cells(
    codes: NDArray[Any],
    names: Sequence[Hashable],
    columns: Sequence[Column],
    weights: NDArray[np.int64] | None,
    options: Options,
) -> tuple[NDArray[Any], list[Levels], NDArray[np.int64] | None, NDArray[np.bool_]]:
    """Apply the option `missing` to the missing cells, whose code is the number of levels of their column.

    Returns
    -------
    codes, levels, weights
        Of the rows that stay.
    incomplete : bool array
        The columns whose missing cells stay.
    """
    levels = [column.levels for column in columns]
    gaps = [i for i, column in enumerate(columns) if column.has_gaps]
    if gaps and options.missing == "refuse":
        raise _refusal(codes, names, levels, gaps)
    if gaps and options.missing == "level":
        levels = [(*found, None) if column.has_gaps else found for found, column in zip(levels, columns, strict=True)]
    kept = _complete_rows(codes, levels, gaps if options.missing == "drop-rows" else ())
    if not kept.all():
        codes = np.ascontiguousarray(codes[:, kept])
        weights = None if weights is None else weights[kept]
        for i, column in enumerate(columns):
            if not column.declared:
                levels[i] = _drop_unused(codes[i], levels[i])
    incomplete = np.zeros(len(columns), dtype=np.bool_)
    if options.missing == "test-wise":
        if not any(levels):
            raise DataError("every cell of the table is missing")
        incomplete[gaps] = [bool((codes[i] == len(levels[i])).any()) for i in gaps]
        # A column of which no cell has a value counts as a constant one, whose code of a missing cell is 1.
        codes[[i for i, found in enumerate(levels) if not found]] = 1
    return codes, levels, weights, incomplete


def _occurring(column: Column) -> int:
    """Return the number of levels that occur; declared levels may not."""
    return int(np.unique(column.places[column.places != MISSING]).size) if column.declared else len(column.levels)


def _digest(column: Column) -> bytes:
    """Return a digest of all cells of a column."""
    return hashlib.blake2b(cells_as_places(column).data, digest_size=16).digest()


def _without_levels(column: Column, options: Options) -> Column:
    """Return an id column as a constant one, with its missing cells where these are not a level."""
    level: Levels = (None,)
    if not column.has_gaps or options.missing == "level":
        return make_column(level, [0], np.zeros(column.physical.size, dtype=np.uint8))
    return make_column(level, [0, MISSING], (cells_as_places(column) == MISSING).astype(np.uint8))


def _declare(name: Hashable, column: Column, options: Options) -> Column:
    declared = options.declared_for(name)
    if declared is None:
        return column
    present = (level for level in declared if not is_missing(level, options.markers_for(name)))
    position = {level: place for place, level in enumerate(present)}
    unknown = [level for level in column.levels if level not in position]
    if unknown:
        raise DataError(f"column {name!r} has a value outside its declared levels: {unknown[0]!r}")
    # The last element is for MISSING, which is -1.
    moved = np.array([*(position[level] for level in column.levels), MISSING], dtype=np.intp)
    return column._replace(levels=tuple(position), places=moved[column.places], declared=True, chosen=True)


def _largest_code(columns: Sequence[Column]) -> int:
    return max(len(column.levels) + column.has_gaps for column in columns)


def _code_of_keys(column: Column) -> NDArray[np.intp]:
    """Return the code of each key; that of a missing cell is the number of levels."""
    return np.where(column.places == MISSING, len(column.levels), column.places) if column.has_gaps else column.places


def _known_counts(columns: Sequence[Column]) -> list[NDArray[np.int64] | None]:
    """Return for each column the number of rows of each code, and of missing cells last; None if it is not known."""
    return [
        None if column.counts is None or not column.levels
        else np.bincount(_code_of_keys(column), column.counts, len(column.levels) + 1).astype(np.int64)
        for column in columns
    ]  # fmt: skip


def _codes_in_place(columns: Sequence[Column], rows: int, place: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
    """Return the codes in the memory of `place`, if each of its rows has the codes of one column; else None."""
    if place is None or len(columns) != len(place) or _largest_code(columns) > 1 << 8 or not place.flags.c_contiguous:
        return None
    width, first = place.shape[1], place.ctypes.data
    source = []
    for column in columns:
        if column.physical.dtype != np.uint8 or not np.array_equal(_code_of_keys(column), column.keys):
            return None
        source.append(divmod(column.physical.ctypes.data - first, width))
    if sorted(source) != [(row, 0) for row in range(len(columns))]:
        return None
    _move_rows(place[:, :rows], {target: row for target, (row, _) in enumerate(source)})
    flat = place.reshape(-1)
    for row in range(1, len(columns) if width > rows else 0):
        flat[row * rows : (row + 1) * rows] = place[row, :rows]
    return flat[: len(columns) * rows].reshape(len(columns), rows)


def _move_rows(matrix: NDArray[Any], source: dict[int, int]) -> None:
    """Set every row of a matrix to the row that is its source, in place; each thread moves a share of the columns."""
    in_shares(lambda begin, end: _move_in_turn(matrix[:, begin:end], source), matrix.shape[1], cells=matrix.size)


def _move_in_turn(matrix: NDArray[Any], source: dict[int, int]) -> None:
    """Move the rows one after the other, beginning with the row that a moved one has overwritten."""
    left = {target: row for target, row in source.items() if target != row}
    while left:
        start = target = next(iter(left))
        spare = matrix[start].copy()
        while left[target] != start:
            row = left.pop(target)
            matrix[target] = matrix[row]
            target = row
        matrix[target] = spare
        del left[target]


def _fill_codes(columns: Sequence[Column], rows: int) -> NDArray[Any]:
    codes = zero_pages((len(columns), rows), smallest_unsigned(_largest_code(columns)))
    # One table for all columns, never cleared: every column sets the few entries that it reads.
    table = np.empty(1 + max(int(column.keys.max()) for column in columns), dtype=codes.dtype)
    for row, column in zip(codes, columns, strict=True):
        places = _code_of_keys(column)
        if np.array_equal(places, column.keys):  # the cells already are codes
            row[:] = column.physical
            continue
        table[column.keys] = places
        # mode="clip", because with "raise" take() writes into a buffer first.
        np.take(table, column.physical, out=row, mode="clip")
    return codes


def _complete_rows(codes: NDArray[Any], levels: Sequence[Levels], columns: Sequence[int]) -> NDArray[np.bool_]:
    """Return which rows have no missing cell in some columns."""
    keep = np.ones(codes.shape[1], dtype=np.bool_)
    for i in columns:
        keep &= codes[i] != len(levels[i])
    if not keep.any():
        raise DataError("no rows are left: every row has a missing cell")
    return keep


def _drop_unused(row: NDArray[Any], levels: Levels) -> Levels:
    """Return the levels that still occur after rows were dropped; renumber `row`, missing cells too, in place."""
    size = len(levels)
    occurs = np.bincount(row, minlength=size + 1)[: size + 1] > 0
    if occurs[:size].all():
        return levels
    occurs[size] = True
    np.take((np.cumsum(occurs) - 1).astype(row.dtype), row.copy(), out=row, mode="clip")
    return tuple(level for level, kept in zip(levels, occurs[:size].tolist(), strict=True) if kept)


def _refusal(
    codes: NDArray[Any], names: Sequence[Hashable], levels: Sequence[Levels], gaps: Sequence[int]
) -> DataError:
    def count(i: int) -> str:
        return f"{names[i]!r} ({np.count_nonzero(codes[i] == len(levels[i]))})"

    return DataError(
        f"missing values in {listing(gaps, limit=10, each=count)}; read with ", Option("missing", "test-wise"),
        " to use in every test the rows that it can use, with ", Option("missing", "drop-rows"),
        " to leave rows out, with ", Option("missing", "level"), " to make missing a level, or set ",
        Option("missing_markers"), " if such cells are values",
    )  # fmt: skip
