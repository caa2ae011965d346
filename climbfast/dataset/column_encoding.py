"""One column of any type as small integers, and the levels that they stand for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.levels import MISSING, Levels, arrange, arrange_categories, is_missing, kind_of
from climbfast.dataset.options import Options
from climbfast.errors import DataError

__all__ = [
    "Column",
    "encode_array",
    "encode_categories",
    "encode_objects",
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
    """

    levels: Levels
    keys: NDArray[np.intp]
    places: NDArray[np.intp]
    physical: NDArray[Any]
    has_gaps: bool
    declared: bool = False


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
    is_missing_cell = _missing_cells(cells, missing)  # None for integers, for which a mask would cost a pass
    present = cells if is_missing_cell is None else cells[~is_missing_cell]
    numbers, values = _distinct(_narrow(present))
    levels, places = arrange(name, values, options)
    if is_missing_cell is None:
        return make_column(levels, places, numbers)
    physical = np.full(cells.size, len(values), dtype=smallest_unsigned(len(values) + 1))
    physical[~is_missing_cell] = numbers
    return make_column(levels, [*places, MISSING] if is_missing_cell.any() else places, physical)


def encode_objects(name: Hashable, cells: Sequence[Any], options: Options) -> Column:
    """Encode a sequence of Python values."""
    types = set(map(type, cells))
    try:
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
        if occurs[number] or (declared and not is_missing(category, options.markers))
    ]
    levels, places = arrange_categories(name, [categories[number] for number in used], options, ordered=ordered)
    if occurs[size]:
        used, places = [*used, size], [*places, MISSING]
    return make_column(levels, places, numbers, used)._replace(declared=declared)


def _blank(values: list[Any], missing: NDArray[np.bool_]) -> list[Any]:
    return [None if is_blank else value for value, is_blank in zip(values, missing.tolist(), strict=True)]


def _missing_cells(cells: NDArray[Any], missing: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    kind = cells.dtype.kind
    blank = np.isnan(cells) if kind == "f" else np.isnat(cells) if kind in "mM" else None
    if missing is None or blank is None:
        return blank if missing is None else missing
    return np.asarray(blank | missing)


def _narrow(cells: NDArray[Any]) -> NDArray[Any]:
    """Return the cells in native byte order, and whole floats as integers, for which counting is faster."""
    if cells.dtype.kind != "f":
        return cells.astype(cells.dtype.newbyteorder("="), copy=False)
    cells = cells.astype(np.float64, copy=False)
    if cells.size and np.abs(cells).max() < 1 << 53 and not np.mod(cells, 1).any():
        return cells.astype(np.int64)
    return cells


def _distinct(cells: NDArray[Any]) -> tuple[NDArray[Any], list[Any]]:
    """Return the cells as integers 0, 1, 2, ..., and the Python values that these stand for."""
    if cells.dtype.kind in "biu" and cells.size:
        low, high = int(cells.min()), int(cells.max())
        # np.unique sorts, which takes ten times as long as a pass over a short table.
        if high - low <= max(1 << 10, cells.size):
            return _distinct_in_range(cells, low, high)
    values, inverse = np.unique(cells, return_inverse=True)
    return inverse.astype(smallest_unsigned(values.size)), _python_values(values)


def _distinct_in_range(cells: NDArray[Any], low: int, high: int) -> tuple[NDArray[Any], list[Any]]:
    offsets = cells - cells.dtype.type(low) if cells.dtype.kind == "u" else np.subtract(cells, low, dtype=np.int64)
    offsets = offsets.astype(smallest_unsigned(high - low + 1))
    occurs = np.flatnonzero(np.bincount(offsets, minlength=high - low + 1))
    rank = np.empty(high - low + 1, dtype=smallest_unsigned(occurs.size))
    rank[occurs] = np.arange(occurs.size)
    values = [low + offset for offset in occurs.tolist()]
    return rank[offsets], [bool(value) for value in values] if cells.dtype.kind == "b" else values


def _python_values(values: NDArray[Any]) -> list[Any]:
    if values.dtype.kind in "mM" and np.datetime_data(values.dtype)[0] in ("ns", "ps", "fs", "as"):
        # Python's times have microseconds at most; for finer ones tolist() would return plain integers.
        coarse = values.astype(values.dtype.str[:2] + "8[us]")
        return coarse.tolist() if (coarse == values).all() else list(values)
    result: list[Any] = values.tolist()
    if values.dtype.kind in "mM" and any(isinstance(value, int) for value in result):
        return list(values)  # tolist() returns integers for times that Python cannot hold
    return result
