"""Levels of many columns that keep what the columns say about each other.

A. J. Hartemink, Principled computational methods for the validation and discovery of genetic regulatory networks (PhD
thesis, MIT, 2001). Every column starts with many quantile levels; again and again each column merges the two
neighboring levels that lose the least information about the other columns, summed over the pairs. Here all columns
merge at once in every step, on the same tables, so that their order does not matter; and levels of columns that are
discrete already count as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.compiling import announce_compilation
from climbfast.dataset.column_encoding import smallest_unsigned

__all__ = [
    "MOST_BYTES_OF_TABLES",
    "MOST_LEVELS_OF_PARTNER",
    "Partner",
    "bytes_of_tables",
    "merge_levels",
    "start_levels",
]

_START = 12
MOST_LEVELS_OF_PARTNER = 64  # of a column that is discrete already; one with more is left out
MOST_BYTES_OF_TABLES = 1 << 30


class Partner(NamedTuple):
    """A column of the tables: its levels by row, where ``levels`` stands for a missing cell."""

    codes: NDArray[Any]
    levels: int


def start_levels(wanted: int) -> int:
    """Return the number of quantile levels that are merged until ``wanted`` are left."""
    return max(_START, 2 * wanted)


def bytes_of_tables(merged: Sequence[int], others: Sequence[int]) -> int:
    """Return the memory of all tables for columns of so many levels."""
    sum_merged = sum(merged)
    pairs = (sum_merged**2 - sum(levels**2 for levels in merged)) // 2 + sum_merged * sum(others)
    return 8 * pairs


def merge_levels(
    columns: Sequence[Partner], wanted: Sequence[int], others: Sequence[Partner], weights: NDArray[np.int64] | None
) -> list[list[int]]:
    """Merge levels until ``wanted`` are left in each column.

    Parameters
    ----------
    columns : sequence of Partner
        The columns to merge, with the levels that they start from.
    wanted : sequence of int
    others : sequence of Partner
        Columns that are not merged.
    weights : ndarray of int64, shape (rows,), optional
        How often each row occurs.

    Returns
    -------
    list of list of int
        For every column the start levels that begin a level, without the first: where its cuts stay.
    """
    from climbfast_kernels.entropy import units_per_bit
    from climbfast_kernels.hartemink import count_pairs, merge_once
    from climbfast_kernels.log_tables import tabulate_clog

    announce_compilation()
    every = [*columns, *others]
    start = np.array([partner.levels for partner in every], dtype=np.int64)
    rows = len(every[0].codes)
    codes = np.empty((len(every), rows), dtype=smallest_unsigned(int(start.max()) + 1))
    for row, partner in zip(codes, every, strict=True):
        row[:] = partner.codes
    counted = np.empty(0, np.int64) if weights is None else weights
    total = rows if weights is None else int(weights.sum())
    # A loss is a sum over all partners.
    units = units_per_bit(total, int(start.max())) / 2.0 ** math.ceil(math.log2(len(every) + 1))
    clog = tabulate_clog(total, units)
    offset = _offsets(start, len(columns))
    tables = np.zeros(int(offset[-1, -1]) + int(start[len(columns) - 1] * start[-1]), dtype=np.int64)
    for x in range(len(columns)):
        count_pairs(codes, start, counted, x, offset, tables)
    levels, stops = start.copy(), np.array(wanted, dtype=np.int64)
    merged = np.empty(len(columns), dtype=np.int64)
    begins = [list(range(partner.levels)) for partner in columns]
    while merge_once(tables, offset, start, levels, stops, clog, units, merged):
        for begin, lower in zip(begins, merged.tolist(), strict=True):
            if lower >= 0:
                del begin[lower + 1]
    return [begin[1:] for begin in begins]


def _offsets(start: NDArray[np.int64], merged: int) -> NDArray[np.int64]:
    """Return where the table of each pair begins."""
    sizes = np.triu(np.outer(start[:merged], start), 1)
    ends = np.cumsum(sizes).reshape(sizes.shape)
    return np.asarray(ends - sizes, dtype=np.int64)
