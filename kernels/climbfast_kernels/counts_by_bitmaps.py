"""The strategy BITMAPS: a cell of the table is the popcount of (stratum ∧ target level) ∧ candidate level.

The bitmaps of the strata are kept as a stack in the workspace. All candidates share them, and so do all sets of given
columns that begin with the same columns. Empty strata are omitted.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import leaf, spliced
from climbfast_kernels.bits import Array, Bits, Integer, intersect, intersection_size, ones_in_four
from climbfast_kernels.independence import (
    CHI2,
    DF,
    F_X,
    F_XY,
    F_Y,
    F_Z,
    R_X,
    R_X_GIVEN_Y,
    R_Y,
    R_Y_GIVEN_X,
    ROWS,
    SCI,
    STRATA,
)
from climbfast_kernels.workspace import (
    BITMAP,
    GIVEN,
    S_BITMAPS,
    S_DEPTH,
    S_FILLED,
    S_GIVEN,
    STACK,
    START,
    STRATUM,
    Workspace,
)


@spliced
def count_by_bitmaps(bits: Bits, work: Workspace, target: int, candidate: int) -> int:
    """Fill ``work.table`` by popcounts; return the number of strata, or 0 if there are no bitmaps or they do not fit.

    A row with a missing cell is in no bitmap of its column, and so in no cell.
    """
    state, columns = work.state, work.columns
    n_given = state[S_GIVEN]
    kx, ky = bits.arity[target], bits.arity[candidate]
    if bits.offset[target] < 0 or bits.offset[candidate] < 0 or kx * ky > work.table.shape[0]:
        return 0
    if n_given == 0:
        if bits.incomplete[target] or bits.incomplete[candidate]:
            count_incomplete_pair(bits.words, bits.offset[target], kx, bits.offset[candidate], ky, work.table)
        else:
            count_pair(bits.words, bits.count, bits.offset[target], kx, bits.offset[candidate], ky, work.table)
        return 1
    if not prepare_bitmaps(bits, work, target):
        return 0
    first = columns[START, n_given + 1]
    occupied = first - columns[START, n_given]
    if occupied * kx * ky > work.table.shape[0]:
        return 0
    if bits.incomplete[candidate]:
        _count_complete_in_strata(
            bits.words, bits.offset[candidate], ky, work.bitmaps, work.size, first, occupied * kx, work.table
        )
    else:
        _count_in_strata(
            bits.words, bits.offset[candidate], ky, work.bitmaps, work.size, first, occupied * kx, work.table
        )
    return occupied


@leaf
def measure_by_bitmaps(
    bits: Bits, work: Workspace, target: int, candidate: int, row_x: int, row_y: int, clog: Array, log_regret: Array,
    kind: Integer,
) -> bool:  # fmt: skip
    """Set ``work.figures`` without a table that has cells for what does not occur, nor CHI2 and DF.

    The counts of the (stratum, target level) that have rows, one after the other, then the margins of the candidate in
    each stratum; every figure is then a sum over some of these, without a branch. Return False if there are no given
    columns, cells are missing, or bitmaps or counts do not fit. All counts must be in the tables, see ``LogTables``.
    """
    state, columns, size, filled, table, figures = (
        work.state, work.columns, work.size, work.filled, work.table, work.figures,
    )  # fmt: skip
    n_given = state[S_GIVEN]
    levels, kx, ky = bits.offset[candidate], bits.arity[target], bits.arity[candidate]
    if n_given == 0 or levels < 0 or bits.incomplete[target] or bits.incomplete[candidate]:
        return False
    if not prepare_bitmaps(bits, work, target):
        return False
    stratum, first = columns[START, n_given], columns[START, n_given + 1]
    strata, n_filled = first - stratum, state[S_FILLED]
    margins = n_filled * ky
    end = margins + strata * ky
    if end > table.shape[0]:
        return False
    for i in range(margins, end):
        table[i] = 0
    at = np.int64(0)
    for j in range(0, n_filled - 3, 4):
        i0, i1, i2, i3 = filled[BITMAP, j], filled[BITMAP, j + 1], filled[BITMAP, j + 2], filled[BITMAP, j + 3]
        m0, m1 = margins + ky * filled[STRATUM, j], margins + ky * filled[STRATUM, j + 1]
        m2, m3 = margins + ky * filled[STRATUM, j + 2], margins + ky * filled[STRATUM, j + 3]
        left0, left1, left2, left3 = size[i0], size[i1], size[i2], size[i3]
        for b in range(ky - 1):
            ones_in_four(work.bitmaps, (i0, i1, i2, i3), bits.words, levels + b, table, at)
            table[m0 + b] += table[at]
            table[m1 + b] += table[at + 1]
            table[m2 + b] += table[at + 2]
            table[m3 + b] += table[at + 3]
            left0 -= table[at]
            left1 -= table[at + 1]
            left2 -= table[at + 2]
            left3 -= table[at + 3]
            at += 4
        table[at], table[at + 1], table[at + 2], table[at + 3] = left0, left1, left2, left3
        table[m0 + ky - 1] += left0
        table[m1 + ky - 1] += left1
        table[m2 + ky - 1] += left2
        table[m3 + ky - 1] += left3
        at += 4
    for j in range(n_filled - n_filled % 4, n_filled):
        row, margin = filled[BITMAP, j], margins + ky * filled[STRATUM, j]
        left = size[row]
        for b in range(ky - 1):
            cell = intersection_size(work.bitmaps, row, bits.words, levels + b)
            table[at] = cell
            table[margin + b] += cell
            left -= cell
            at += 1
        table[at] = left
        table[margin + ky - 1] += left
        at += 1
    figures[CHI2] = figures[DF] = 0
    figures[F_XY] = sum_of(clog, table, np.int64(0), margins)
    figures[F_Y] = sum_of(clog, table, margins, end)
    figures[F_X] = sum_of(clog, size, first, first + strata * kx)
    figures[F_Z] = sum_of(clog, size, stratum, first)
    rows = 0
    for z in range(stratum, first):
        rows += size[z]
    figures[STRATA], figures[ROWS] = strata, rows
    if kind == SCI:
        figures[R_X] = sum_of(log_regret[row_x], size, stratum, first)
        figures[R_Y] = sum_of(log_regret[row_y], size, stratum, first)
        figures[R_X_GIVEN_Y] = sum_of(log_regret[row_x], table, margins, end)
        figures[R_Y_GIVEN_X] = sum_of(log_regret[row_y], size, first, first + strata * kx)
    return True


@leaf
def sum_of(values: Array, counts: Array, begin: Integer, end: Integer) -> int:
    """Σ values[c] over counts[begin:end], which are not negative."""
    total = 0
    for i in range(begin, end):
        total += values[np.uint64(counts[i])]  # unsigned: numba checks signed indices for negative values
    return total


@leaf
def prepare_bitmaps(bits: Bits, work: Workspace, target: int) -> bool:
    """Make the bitmaps of the open strata, and of each with all levels of the target, unless they are made.

    Return False if a column has none, or if they do not fit. There must be given columns.
    """
    state, columns = work.state, work.columns
    n_given = state[S_GIVEN]
    if state[S_BITMAPS] == 1:
        return True
    state[S_FILLED] = -1
    if bits.offset[target] < 0:
        return False
    while state[S_DEPTH] < n_given:
        if not _refine_strata(bits, work, columns[GIVEN, state[S_DEPTH]]):
            return False
    first = columns[START, n_given + 1]
    if first + (first - columns[START, n_given]) * bits.arity[target] > work.size.shape[0]:
        return False
    _split_by_target(bits, work, target)
    return True


@leaf
def _refine_strata(bits: Bits, work: Workspace, column: int) -> bool:
    """Push the intersections of the deepest strata with the levels of ``column`` on the stack, without empty ones.

    Return False if the column has no bitmaps, or if they do not fit.
    """
    state, columns, bitmaps, size = work.state, work.columns, work.bitmaps, work.size
    depth = state[S_DEPTH]
    levels = bits.offset[column]
    if levels < 0:
        return False
    end = columns[START, depth + 1]
    top = end
    for z in range(columns[START, depth], end):
        for a in range(levels, levels + bits.arity[column]):
            if top == size.shape[0]:
                return False
            size[top] = intersect(bitmaps, z, bits.words, a, bitmaps, top)
            if size[top] > 0:
                top += 1
    columns[STACK, depth] = column
    columns[START, depth + 2] = top
    state[S_DEPTH] = depth + 1
    return True


@leaf
def _split_by_target(bits: Bits, work: Workspace, target: int) -> None:
    """Put the intersections of the deepest strata with all levels of the target, also empty ones, on the stack."""
    depth = work.state[S_DEPTH]
    top = work.columns[START, depth + 1]
    levels, first, n_filled = bits.offset[target], work.columns[START, depth], 0
    for z in range(first, top):
        for a in range(levels, levels + bits.arity[target]):
            work.size[top] = intersect(work.bitmaps, z, bits.words, a, work.bitmaps, top)
            work.filled[BITMAP, n_filled], work.filled[STRATUM, n_filled] = top, z - first
            n_filled += min(work.size[top], 1)
            top += 1
    work.state[S_BITMAPS], work.state[S_FILLED] = 1, n_filled


@spliced
def _count_in_strata(
    words: Array, levels: int, ky: int, bitmaps: Array, size: Array, first: int, n_bitmaps: int, table: Array
) -> None:
    """Fill a table row by row from the bitmaps of (stratum, target level); the last candidate level by subtraction."""
    at = 0
    for row in range(first, first + n_bitmaps):
        left = size[row]
        for b in range(ky - 1):
            cell = intersection_size(bitmaps, row, words, levels + b) if left > 0 else 0
            table[at] = cell
            at += 1
            left -= cell
        table[at] = left
        at += 1


@leaf
def _count_complete_in_strata(
    words: Array, levels: int, ky: int, bitmaps: Array, size: Array, first: int, n_bitmaps: int, table: Array
) -> None:
    """``_count_in_strata`` for a candidate with missing cells, whose rows are in no cell: all levels are counted."""
    at = 0
    for row in range(first, first + n_bitmaps):
        for b in range(ky):
            table[at] = intersection_size(bitmaps, row, words, levels + b) if size[row] > 0 else 0
            at += 1


@leaf
def count_pair(words: Array, count: Array, levels_x: int, kx: int, levels_y: int, ky: int, table: Array) -> None:
    """Fill the marginal table of two columns: (kx−1)(ky−1) popcounts, the other cells from the margins."""
    last = (kx - 1) * ky
    for b in range(ky):
        table[last + b] = count[levels_y + b]
    for a in range(kx - 1):
        left = count[levels_x + a]
        for b in range(ky - 1):
            cell = intersection_size(words, levels_x + a, words, levels_y + b)
            table[a * ky + b] = cell
            table[last + b] -= cell
            left -= cell
        table[a * ky + ky - 1] = left
        table[last + ky - 1] -= left


@leaf
def count_incomplete_pair(words: Array, levels_x: int, kx: int, levels_y: int, ky: int, table: Array) -> None:
    """Fill the marginal table of two columns over the rows in which neither is missing: kx·ky popcounts."""
    for a in range(kx):
        for b in range(ky):
            table[a * ky + b] = intersection_size(words, levels_x + a, words, levels_y + b)
