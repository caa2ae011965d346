"""The cells of a column that is to be cut.

They are places among the distinct values, or the numbers themselves, as floats with NaN for a missing one: to find the
places of 10⁷ floats takes ten times as long as to sort them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.column_encoding import Column, smallest_unsigned
from climbfast.dataset.discretization.cuts import NumericValues, places_of
from climbfast.dataset.discretization.rules import Cut

_MOST_SEARCHED = 1 << 16  # a search among more values is slower than to sort the cells once more

__all__ = ["counts_of", "is_missing_cell", "levels_of", "places_among_values"]


def is_missing_cell(column: Column, numeric: NumericValues) -> NDArray[np.bool_]:
    """Return which cells are missing."""
    is_float = column.physical.dtype.kind == "f"
    missing: NDArray[np.bool_] = np.isnan(column.physical) if is_float else column.physical == numeric.values.size
    return missing


def places_among_values(column: Column, numeric: NumericValues) -> NDArray[Any]:
    """Return the place of each cell among the values; their number is a missing cell."""
    cells = column.physical
    if cells.dtype.kind != "f":
        return cells
    if numeric.values.size <= _MOST_SEARCHED:
        return np.searchsorted(numeric.values, cells)  # NaN lies behind all numbers
    order = np.argsort(cells)
    ascending = cells[order]
    places = np.empty(cells.size, dtype=np.int64)
    places[order] = np.cumsum(np.append(False, ascending[1:] != ascending[:-1]))
    places[np.isnan(cells)] = numeric.values.size
    return places


def counts_of(column: Column, numeric: NumericValues, weights: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Return the number of rows of each value."""
    if weights is None and numeric.counts is not None:
        return numeric.counts
    size = numeric.values.size
    counts = np.bincount(places_among_values(column, numeric), weights=weights, minlength=size + 1)
    return counts[:size].astype(np.int64)


def levels_of(column: Column, numeric: NumericValues, cuts: Sequence[Cut]) -> NDArray[Any]:
    """Return the level of each cell, the number of cuts that are not above it; a missing cell is one level more."""
    missing = len(cuts) + 1
    dtype = smallest_unsigned(missing + 1)
    if column.physical.dtype.kind == "f":
        levels = np.searchsorted(np.array(cuts, dtype=np.float64), column.physical, "right").astype(dtype)
        if column.has_gaps:
            levels[np.isnan(column.physical)] = missing
        return levels
    levels_of_places: NDArray[Any] = np.append(places_of(numeric, cuts), missing).astype(dtype)
    found: NDArray[Any] = levels_of_places[column.physical]
    return found
