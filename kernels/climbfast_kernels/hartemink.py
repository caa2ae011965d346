"""Neighbouring levels merged where they say the least about the other columns (Hartemink 2001).

``n·I(x, y) = Σ c_ab log2 c_ab − Σ c_a log2 c_a − Σ c_b log2 c_b + n log2 n`` over the table of a pair. Merging the
levels a and a+1 of x loses ``Σ_b loss(c_ab, c_a+1,b) − loss(c_a, c_a+1)`` of it, with
``loss(p, q) = p log2 p + q log2 q − (p + q) log2 (p + q)``. The tables are counted once, and merged with the levels.

Columns 0, 1, … up to the number of ``wanted`` are merged; those behind them are partners only. ``tables`` holds the
tables of all pairs x < y of which x is merged, one behind the other: cell (a, b) of the pair is
``tables[offset[x, y] + a · start[y] + b]``, before and after merging.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import kernel, leaf
from climbfast_kernels.bits import Array, Integer
from climbfast_kernels.entropy import entropy_term


@leaf
def count_pairs(codes: Array, start: Array, weights: Array, x: int, offset: Array, tables: Array) -> None:
    """Count the tables of x with every later column over the rows that are complete in both, in place.

    Parameters
    ----------
    codes : unsigned integers, shape (columns, rows)
        A missing cell has the code ``start`` of its column.
    start : int64 array, shape (columns,)
        Number of levels.
    weights : int64 array, shape (rows,) or (0,)
        How often each row occurs; once if empty.
    """
    kx, n_rows = start[x], codes.shape[1]
    for y in range(x + 1, codes.shape[0]):
        ky, first = start[y], offset[x, y]
        for i in range(n_rows):
            a, b = np.int64(codes[x, i]), np.int64(codes[y, i])
            if a < kx and b < ky:
                tables[first + a * ky + b] += weights[i] if weights.shape[0] > 0 else 1


@kernel
def merge_once(
    tables: Array, offset: Array, start: Array, levels: Array, wanted: Array, clog: Array, units: float, merged: Array
) -> int:
    """Merge the two levels of every column that lose the least, all columns at once; return how many columns did.

    Parameters
    ----------
    levels : int64 array, shape (columns,)
        Present numbers of levels, modified in place; so are the ``tables``.
    wanted : int64 array, shape (merged columns,)
        Numbers of levels at which to stop.
    merged : int64 array, shape (merged columns,)
        Set to the lower of the two levels, the lowest of several that lose the same; -1 where none is merged.
    """
    most = 0
    for column in range(start.shape[0]):
        most = max(most, start[column])
    loss = np.zeros((wanted.shape[0], most), np.int64)
    margins = np.empty((2, most), np.int64)
    for x in range(wanted.shape[0]):
        for y in range(x + 1, start.shape[0]):
            _sum_margins(tables, offset[x, y], start[y], levels[x], levels[y], margins)
            if levels[x] > wanted[x]:
                _add_losses(tables, offset[x, y], start[y], 1, levels[x], levels[y], margins[0], clog, units, loss[x])
            if y < wanted.shape[0] and levels[y] > wanted[y]:
                _add_losses(tables, offset[x, y], 1, start[y], levels[y], levels[x], margins[1], clog, units, loss[y])
    changed = 0
    for x in range(wanted.shape[0]):
        merged[x] = -1
        if levels[x] > wanted[x]:
            changed += 1
            merged[x] = 0
            for a in range(1, levels[x] - 1):
                if loss[x, a] < loss[x, merged[x]]:
                    merged[x] = a
    for x in range(wanted.shape[0]):
        for y in range(x + 1, start.shape[0]):
            if merged[x] >= 0:
                _merge(tables, offset[x, y], start[y], 1, levels[x], levels[y], merged[x])
            if y < wanted.shape[0] and merged[y] >= 0:
                rows = levels[x] - 1 if merged[x] >= 0 else levels[x]
                _merge(tables, offset[x, y], 1, start[y], levels[y], rows, merged[y])
    for x in range(wanted.shape[0]):
        if merged[x] >= 0:
            levels[x] -= 1
    return changed


@leaf
def _sum_margins(tables: Array, first: Integer, stride: Integer, kx: Integer, ky: Integer, margins: Array) -> None:
    for b in range(ky):
        margins[1, b] = 0
    for a in range(kx):
        margins[0, a] = 0
        for b in range(ky):
            count = tables[first + a * stride + b]
            margins[0, a] += count
            margins[1, b] += count


@leaf
def _add_losses(
    tables: Array, first: Integer, step: Integer, other: Integer, kx: Integer, ky: Integer, margin: Array, clog: Array,
    units: float, loss: Array,
) -> None:  # fmt: skip
    """loss[a] += what merging a and a+1 loses; ``step`` lies between levels of x, ``other`` between levels of y."""
    for a in range(kx - 1):
        lost = -_loss(clog, units, margin[a], margin[a + 1])
        for b in range(ky):
            cell = first + a * step + b * other
            lost += _loss(clog, units, tables[cell], tables[cell + step])
        loss[a] += lost


@leaf
def _loss(clog: Array, units: float, p: Integer, q: Integer) -> int:
    return entropy_term(clog, units, p) + entropy_term(clog, units, q) - entropy_term(clog, units, p + q)


@leaf
def _merge(
    tables: Array, first: Integer, step: Integer, other: Integer, kx: Integer, ky: Integer, lower: Integer
) -> None:  # fmt: skip
    """Add level lower + 1 of x to level ``lower``, and move the later ones down."""
    for b in range(ky):
        cell = first + b * other
        tables[cell + lower * step] += tables[cell + (lower + 1) * step]
        for a in range(lower + 1, kx - 1):
            tables[cell + a * step] = tables[cell + (a + 1) * step]
