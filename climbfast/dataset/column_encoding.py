"""One column of any type as small integers, and the levels that they stand for."""

from __future__ import annotations

import functools
import sys
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.cell_counts import count_cells, write_as_bytes
from climbfast.dataset.discretization.cuts import NumericValues, check_years, has_fraction, numbers_of_objects
from climbfast.dataset.discretization.number_texts import ParsedTexts
from climbfast.dataset.levels import MISSING, Levels, arrange, arrange_categories, infinite_values, is_missing, kind_of
from climbfast.dataset.options import Options
from climbfast.dataset.pages import take_pages
from climbfast.errors import DataError

# Whole numbers of so few levels are levels, also where a rule for the whole table cuts numbers.
MOST_LEVELS_OF_WHOLE_NUMBERS = 20

__all__ = [
    "MOST_LEVELS_OF_WHOLE_NUMBERS",
    "Column",
    "cells_as_places",
    "codes_of",
    "encode_array",
    "encode_categories",
    "encode_filled",
    "encode_objects",
    "encode_parsed",
    "encode_parts",
    "keep_rows",
    "make_column",
    "smallest_unsigned",
]


class Column(NamedTuple):
    """One encoded column: cells as integers, and the levels that these stand for.

    Attributes
    ----------
    levels : tuple
        The values that occur (or the declared categories), in order, without missing values.
    keys : ndarray of intp
        The integers that occur in `physical`.
    places : ndarray of intp
        The position in `levels` of each key; -1 for a missing value.
    physical : ndarray of unsigned integers, shape (rows,)
        The cells, as keys.
    has_gaps : bool
        Whether some place is -1.
    declared : bool
        Whether levels that occur in no row are kept.
    chosen : bool
        Whether the user chose the levels, as those of a categorical column.
    numeric : NumericValues or None
        The distinct numbers, dates or times of a column that is to be cut. Then it has no levels, keys and places yet:
        `physical` is the place of each cell among these values, and their number is a missing cell; or it is the cells
        themselves, as floats with NaN for a missing one.
    counts : ndarray of int64 or None
        The number of cells of each key, if it is known.
    """

    levels: Levels
    keys: NDArray[np.intp]
    places: NDArray[np.intp]
    physical: NDArray[Any]
    has_gaps: bool
    declared: bool = False
    chosen: bool = False
    numeric: NumericValues | None = None
    counts: NDArray[np.int64] | None = None


def codes_of(column: Column) -> NDArray[Any]:
    """Return the level of each cell of a column; their number stands for a missing cell."""
    size = len(column.levels)
    code_of_key = np.full(int(column.keys.max()) + 1, size, dtype=smallest_unsigned(size + 1))
    code_of_key[column.keys] = np.where(column.places == MISSING, size, column.places)
    codes: NDArray[Any] = code_of_key[column.physical]
    return codes


def cells_as_places(column: Column) -> NDArray[Any]:
    """Return the position in the levels of each cell; -1 for a missing one."""
    place_of_key = np.full(int(column.keys.max()) + 1, MISSING, dtype=np.int64)
    place_of_key[column.keys] = column.places
    places: NDArray[Any] = place_of_key[column.physical]
    return places


def keep_rows(column: Column, kept: NDArray[np.bool_]) -> Column:
    """Return a column of some of its rows, without the levels that occur in none of these, unless they are declared."""
    physical = column.physical[kept]
    if column.numeric is not None:
        return _keep_numbers(column, column.numeric, physical)
    occurring = np.isin(column.keys, physical)
    keys, places = column.keys[occurring], column.places[occurring]
    has_gaps = bool((places == MISSING).any())
    if column.declared:
        return column._replace(keys=keys, places=places, physical=physical, has_gaps=has_gaps, counts=None)
    used = np.unique(places[places != MISSING])
    place_of = np.full(len(column.levels) + 1, MISSING, dtype=np.intp)  # the last element is for MISSING, which is -1
    place_of[used] = np.arange(used.size)
    levels = tuple(column.levels[place] for place in used.tolist())
    return column._replace(
        levels=levels, keys=keys, places=place_of[places], physical=physical, has_gaps=has_gaps, counts=None
    )


def _keep_numbers(column: Column, numeric: NumericValues, physical: NDArray[Any]) -> Column:
    if physical.dtype.kind == "f":
        present = np.unique(physical[~np.isnan(physical)])
        return column._replace(
            physical=physical, has_gaps=bool(np.isnan(physical).any()), numeric=NumericValues(numeric.kind, present)
        )
    missing = numeric.values.size
    used = np.unique(physical[physical != missing])
    place_of = np.full(missing + 1, used.size, dtype=smallest_unsigned(used.size + 1))
    place_of[used] = np.arange(used.size)
    return column._replace(
        physical=place_of[physical],
        has_gaps=bool((physical == missing).any()),
        numeric=NumericValues(numeric.kind, numeric.values[used]),
    )


def smallest_unsigned(count: int) -> np.dtype[Any]:
    """Return the smallest unsigned type with at least `count` values."""
    return np.dtype(np.uint8 if count <= 1 << 8 else np.uint16 if count <= 1 << 16 else np.uint32)


def make_column(
    levels: Levels, places: Sequence[int], physical: NDArray[Any], keys: Sequence[int] | None = None
) -> Column:
    """Return a column of keys with their places; the keys are 0, 1, 2, ... by default."""
    return Column(
        levels,
        np.arange(len(places)) if keys is None else np.array(keys, dtype=np.intp),
        np.array(places, dtype=np.intp),
        physical,
        has_gaps=MISSING in places,
    )


def encode_array(
    name: Hashable, cells: NDArray[Any], options: Options, missing: NDArray[np.bool_] | None = None
) -> Column:
    """Encode a one-dimensional NumPy array; cells marked in `missing` are missing, whatever their value."""
    if cells.ndim != 1:
        raise DataError(f"column {name!r} has {cells.ndim} dimensions instead of one")
    if cells.dtype.kind in "OcVT":  # T: NumPy's variable-width strings
        values = cells.tolist()
        return encode_objects(name, values if missing is None else _blank(values, missing), options)
    if cells.dtype.kind == "f" and options.cuts(name) and (floats := _encode_floats(name, cells, missing, options)):
        return floats
    is_missing_cell = _missing_cells(cells, missing)  # None for integers, for which a mask would cost a pass
    has_gaps = is_missing_cell is not None and bool(is_missing_cell.any())
    if is_missing_cell is not None and has_gaps:
        physical, distinct = _distinct_present(cells, is_missing_cell)
    else:
        physical, distinct = _distinct(_narrow(cells))
    return _encode_distinct(name, distinct, physical, options, has_gaps=has_gaps)


def encode_filled(name: Hashable, cells: NDArray[Any], options: Options) -> Column:
    """Encode whole numbers of which the largest one, which occurs, stands for a missing cell."""
    physical, distinct = _distinct(cells)
    return _encode_distinct(name, distinct[:-1], physical, options, has_gaps=True)


def encode_parts(
    name: Hashable,
    parts: Sequence[NDArray[Any]],
    options: Options,
    *,
    largest_is_missing: bool,
    memory: NDArray[np.uint8] | None = None,
) -> Column | None:
    """Encode whole numbers in several arrays, which are not joined before.

    Parameters
    ----------
    name : Hashable
    parts : sequence of integer arrays, shape (rows of the part,)
        Of one type.
    options : Options
    largest_is_missing : bool
        Whether the largest number stands for a missing cell.
    memory : uint8 array, shape (rows,), optional
        Where the cells are written.

    Returns
    -------
    Column or None
        None if there are no cells, or more than 2^8 whole numbers from the lowest to the highest; a part of `memory`
        may then be written.
    """
    filled = [part for part in parts if part.size]
    if not filled:
        return None
    first = filled[0][:_FIRST_CELLS]
    if int(first.max()) - int(first.min()) >= 1 << 8:
        return None
    if memory is None:
        memory = np.empty(sum(part.size for part in filled), dtype=np.uint8)
    take_pages(memory)  # of all: threads that take some at a time wait for each other
    counted = write_as_bytes(filled, memory)
    if counted is None:
        return None
    low, counts = counted
    if base := low % (1 << 8):
        memory -= np.uint8(base)
    occurs = np.flatnonzero(counts)
    physical, distinct = _ranks(memory, occurs, low, counts.size, first.dtype)
    present = distinct[:-1] if largest_is_missing else distinct
    column = _encode_distinct(name, present, physical, options, has_gaps=largest_is_missing)
    return column if column.numeric is not None else column._replace(counts=counts[occurs])


def _encode_distinct(
    name: Hashable, distinct: NDArray[Any], physical: NDArray[Any], options: Options, *, has_gaps: bool
) -> Column:
    """Encode cells that are the places of distinct values; a missing cell is their number."""
    if cut := _encode_numbers_of_array(name, distinct, physical, options):
        return cut
    if distinct.dtype.kind in "iu" and distinct.size <= _LEVELS_TO_REMEMBER:
        numbers, markers = tuple(distinct.tolist()), options.markers_for(name)
        return _column_of_whole_numbers(numbers, markers, has_gaps=has_gaps)._replace(physical=physical)
    levels, places = arrange(name, _python_values(distinct), options)
    return make_column(levels, [*places, MISSING] if has_gaps else places, physical)


@functools.lru_cache(maxsize=1 << 10)
def _column_of_whole_numbers(values: tuple[int, ...], markers: frozenset[Hashable], *, has_gaps: bool) -> Column:
    """Return a column of ascending numbers, without its cells; wide tables have many columns of the same levels."""
    levels = tuple(value for value in values if not is_missing(value, markers))
    place_of = {level: place for place, level in enumerate(levels)}
    places = [place_of.get(value, MISSING) for value in values]
    return make_column(levels, [*places, MISSING] if has_gaps else places, np.empty(0, np.uint8))


def encode_parsed(name: Hashable, parsed: ParsedTexts, physical: NDArray[Any], options: Options) -> Column | None:
    """Encode cells whose keys stand for numbers, dates or times, if they are to be cut; None if they are not.

    Parameters
    ----------
    name : Hashable
    parsed : ParsedTexts
        What each key stands for.
    physical : ndarray of integers, shape (rows,)
        The cells, as keys; the number of keys stands for a missing cell, too.
    options : Options
    """
    present = np.flatnonzero(~parsed.missing)
    values = parsed.values[present]
    if values.dtype.kind == "f":
        values = _narrow(values)
    place: NDArray[Any] = np.arange(values.size)
    if not (values[1:] > values[:-1]).all():
        values, place = np.unique(values, return_inverse=True)
    numeric = NumericValues(parsed.kind, values)
    check_years(name, numeric)
    if not _is_to_be_cut(name, numeric, options):
        return None
    places = np.full(parsed.values.size + 1, values.size, dtype=smallest_unsigned(values.size + 1))
    places[present] = place
    cells = places[physical]
    nothing = np.empty(0, dtype=np.intp)
    return Column((), nothing, nothing, cells, bool((cells == values.size).any()), numeric=numeric)


def _encode_floats(
    name: Hashable, cells: NDArray[Any], missing: NDArray[np.bool_] | None, options: Options
) -> Column | None:
    """Encode an array of floats if they are to be cut: sorted, which is much faster than numbering the cells."""
    cells = cells.astype(np.float64, copy=False)
    if missing is not None and missing.any():
        cells = np.where(missing, np.nan, cells)
    markers = _numbers_among(options.markers_for(name))
    if markers.size and (marked := np.isin(cells, markers)).any():
        cells = np.where(marked, np.nan, cells)
    present = np.sort(cells)
    present = present[: present.size - np.count_nonzero(np.isnan(cells))]
    if present.size and not np.isfinite(present[[0, -1]]).all():
        raise infinite_values(name)
    begins = np.flatnonzero(np.append(True, present[1:] != present[:-1])) if present.size else np.empty(0, np.intp)
    counts = np.diff(begins, append=present.size).astype(np.int64)
    numeric = NumericValues("number", _narrow(present[begins]), counts)
    if not _is_to_be_cut(name, numeric, options):
        return None
    nothing = np.empty(0, dtype=np.intp)
    return Column((), nothing, nothing, cells, has_gaps=present.size < cells.size, numeric=numeric)


def _is_to_be_cut(name: Hashable, numeric: NumericValues, options: Options) -> bool:
    """Whether these values are cut: all but few whole numbers, and these if the column is named."""
    few = numeric.kind == "number" and numeric.values.size <= MOST_LEVELS_OF_WHOLE_NUMBERS and not has_fraction(numeric)
    return not few or options.numbers.forces(name)


def _numbers_among(markers: frozenset[Hashable]) -> NDArray[np.float64]:
    numbers = [
        marker
        for marker in markers
        if isinstance(marker, float)  # also an infinite one
        or (isinstance(marker, int) and not isinstance(marker, bool) and abs(marker) <= sys.float_info.max)
    ]
    return np.array(numbers, dtype=np.float64)


def _encode_numbers_of_array(
    name: Hashable, distinct: NDArray[Any], physical: NDArray[Any], options: Options
) -> Column | None:
    """Encode an array of whole numbers or of dates if they are to be cut."""
    kind = distinct.dtype.kind
    if kind not in "iuM" or not options.cuts(name):
        return None
    markers = options.markers_for(name)
    missing = _marked(distinct, markers)
    if kind != "M":
        return encode_parsed(name, ParsedTexts("number", distinct, missing), physical, options)
    days = np.datetime_data(distinct.dtype)[0] in ("Y", "M", "W", "D")
    values = distinct.astype("datetime64[D]" if days else "datetime64[us]").astype(np.int64)
    return encode_parsed(name, ParsedTexts("date" if days else "datetime", values, missing), physical, options)


def _marked(distinct: NDArray[Any], markers: frozenset[Hashable]) -> NDArray[np.bool_]:
    """Return which numbers or dates stand for a missing cell."""
    if distinct.dtype.kind != "M":
        numbers = _numbers_among(markers)
        return np.isin(distinct, numbers) if numbers.size else np.zeros(distinct.size, np.bool_)
    if all(marker == "" for marker in markers):
        return np.zeros(distinct.size, np.bool_)
    return np.array([is_missing(value, markers) for value in _python_values(distinct)], dtype=np.bool_)


def _encode_numbers_of_objects(
    name: Hashable, cells: Sequence[Any], types: set[type], options: Options
) -> Column | None:
    """Encode Python values, all of them numbers, dates or times, if they are to be cut."""
    if not options.cuts(name) or not {"number", "date", "datetime", "time"} & set(map(kind_of, types)):
        return None
    position = {value: place for place, value in enumerate(dict.fromkeys(cells))}
    values = list(position)
    missing = np.array([is_missing(value, options.markers_for(name)) for value in values], dtype=np.bool_)
    present = [value for value, is_gap in zip(values, missing.tolist(), strict=True) if not is_gap]
    if bool in types or np.bool_ in types or not (found := numbers_of_objects(name, present)):
        return None
    every = np.zeros(len(values), dtype=found[1].dtype)
    every[~missing] = found[1]
    physical = np.fromiter(map(position.__getitem__, cells), np.int64, len(cells))
    return encode_parsed(name, ParsedTexts(found[0], every, missing), physical, options)


def encode_objects(name: Hashable, cells: Sequence[Any], options: Options) -> Column:
    """Encode a sequence of Python values."""
    types = set(map(type, cells))
    try:
        if cut := _encode_numbers_of_objects(name, cells, types, options):
            return cut
        if len(types) > 1:
            # 1, 1.0 and True are the same key of a dict, so the kinds must be checked before the values are numbered.
            arrange(name, [value for _, value in set(zip(map(type, cells), cells, strict=True))], options)
        position = {value: place for place, value in enumerate(dict.fromkeys(cells))}
    except TypeError:
        odd = next((t.__name__ for t in types if kind_of(t) is None), "several types")
        raise DataError(
            f"column {name!r} has cells of type {odd}, which cannot be levels; convert them to text"
        ) from None
    levels, places = arrange(name, list(position), options)
    dtype = smallest_unsigned(len(position))
    return make_column(levels, places, np.fromiter(map(position.__getitem__, cells), dtype, len(cells)))


def encode_categories(
    name: Hashable, physical: NDArray[Any], categories: Sequence[Any], options: Options, *, ordered: bool
) -> Column:
    """Encode the numbers of categories; a number outside the categories is a missing cell."""
    size = len(categories)
    inside = (physical >= 0) & (physical < size)
    numbers = np.where(inside, physical, size).astype(smallest_unsigned(size + 1))
    occurs = np.bincount(numbers, minlength=size + 1) > 0
    declared = options.declares_categories
    used = [
        number
        for number, category in enumerate(categories)
        if occurs[number] or (declared and not is_missing(category, options.markers_for(name)))
    ]
    levels, places = arrange_categories(name, [categories[number] for number in used], options, ordered=ordered)
    if occurs[size]:
        used, places = [*used, size], [*places, MISSING]
    return make_column(levels, places, numbers, used)._replace(declared=declared, chosen=True)


def _blank(values: list[Any], missing: NDArray[np.bool_]) -> list[Any]:
    return [None if is_blank else value for value, is_blank in zip(values, missing.tolist(), strict=True)]


def _missing_cells(cells: NDArray[Any], missing: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    kind = cells.dtype.kind
    blank = np.isnan(cells) if kind == "f" else np.isnat(cells) if kind in "mM" else None
    if missing is None or blank is None:
        return blank if missing is None else missing
    return np.asarray(blank | missing)


def _distinct_present(cells: NDArray[Any], missing: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the same as ``_distinct`` of the cells that are not missing; these have the number of distinct values."""
    first = int(missing.argmin())
    if missing[first]:
        return np.zeros(cells.size, dtype=np.uint8), cells[:0]
    # Missing cells get the value of another one: leaving them out and putting them back takes several times as long.
    numbers, distinct = _distinct(_narrow(np.where(missing, cells[first], cells)))
    numbers = numbers.astype(smallest_unsigned(distinct.size + 1), copy=False)
    np.putmask(numbers, missing, distinct.size)
    return numbers, distinct


def _narrow(cells: NDArray[Any]) -> NDArray[Any]:
    """Return the cells in native byte order, and whole floats as integers, for which counting is faster."""
    if cells.dtype.kind != "f":
        return cells.astype(cells.dtype.newbyteorder("="), copy=False)
    cells = cells.astype(np.float64, copy=False)
    if cells.size and cells.min() > -(1 << 53) and cells.max() < 1 << 53 and (np.floor(cells) == cells).all():
        return cells.astype(np.int64)
    return cells


_LEVELS_TO_REMEMBER = 64  # of a column; those of columns with more are seldom the same
_FEW_LEVELS = 16  # that were not seen yet: to look for each, mostly as far as it first occurs, takes less than to count
_FIRST_CELLS = 1 << 14  # in which nearly all levels occur


def _distinct(cells: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the cells as integers 0, 1, 2, ..., and the ascending values that these stand for."""
    if cells.dtype.kind in "biu" and cells.size:
        low, high = int(cells.min()), int(cells.max())
        # np.unique sorts, which takes ten times as long as a pass over a short table.
        if high - low <= max(1 << 10, cells.size):
            return _distinct_in_range(cells, low, high)
    values, inverse = np.unique(cells, return_inverse=True)
    return inverse.astype(smallest_unsigned(values.size)), values


def _distinct_in_range(cells: NDArray[Any], low: int, high: int) -> tuple[NDArray[Any], NDArray[Any]]:
    size = high - low + 1
    offsets = _offsets(cells, low, smallest_unsigned(size))
    return _ranks(offsets, _occurring(offsets, size), low, size, cells.dtype)


def _ranks(
    offsets: NDArray[Any], occurs: NDArray[np.intp], low: int, size: int, dtype: np.dtype[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return ``_distinct`` of cells of this type from offsets below `size`, and those of them that occur."""
    values = np.array([low + offset for offset in occurs.tolist()], dtype=dtype)
    if len(occurs) == size:
        return offsets, values
    rank = np.empty(size, dtype=smallest_unsigned(occurs.size))
    rank[occurs] = np.arange(occurs.size)
    return rank[offsets], values


def _offsets(cells: NDArray[Any], low: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the cells minus the lowest one, of an unsigned type that is wide enough; without a copy if none is needed.

    Modulo 2^8 or 2^16, which differences below these do not feel: narrow integers take a third of the time.
    """
    base = dtype.type(low % (1 << 8 * dtype.itemsize))
    if cells.dtype.kind in "iu" and cells.dtype.itemsize == dtype.itemsize and cells.flags.c_contiguous:
        same = cells.view(dtype)
        return same - base if base else same
    offsets = cells.astype(dtype)
    offsets -= base
    return offsets


def _occurring(offsets: NDArray[Any], size: int) -> NDArray[np.intp]:
    """Return which of 0, 1, ..., ``size`` - 1 occur; the first and the last do."""
    seen: set[int] = set()
    if offsets.size > _FIRST_CELLS:
        seen = set(np.flatnonzero(np.bincount(offsets[:_FIRST_CELLS])).tolist()) - {0, size - 1}
    left = [offset for offset in range(1, size - 1) if offset not in seen]
    if len(left) > _FEW_LEVELS:
        return np.flatnonzero(count_cells(offsets, size))
    between = sorted(seen.union(offset for offset in left if (offsets == offset).any()))
    return np.array([0, *between, size - 1] if size > 1 else [0])


def _python_values(values: NDArray[Any]) -> list[Any]:
    if values.dtype.kind in "mM" and np.datetime_data(values.dtype)[0] in ("ns", "ps", "fs", "as"):
        # Python's times have microseconds at most; for finer ones tolist() would return plain integers.
        coarse = values.astype(values.dtype.str[:2] + "8[us]")
        return coarse.tolist() if (coarse == values).all() else list(values)
    result: list[Any] = values.tolist()
    if values.dtype.kind in "mM" and any(isinstance(value, int) for value in result):
        return list(values)  # tolist() returns integers for times that Python cannot hold
    return result
