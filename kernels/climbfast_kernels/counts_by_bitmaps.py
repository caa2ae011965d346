"""The strategy BITMAPS: a cell of the table is the popcount of (stratum ∧ target level) ∧ candidate level.

The bitmaps of the strata are kept as a stack in the workspace. All candidates share them, and so do all sets of given
columns that begin with the same columns. Empty strata are omitted.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import leaf, spliced
from climbfast_kernels.bits import (
    MOST_LEVELS,
    ROWS_AT_ONCE,
    Array,
    Bits,
    Integer,
    intersect,
    intersection_size,
    ones_in_each,
)
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
    ENDS,
    GIVEN,
    REGRET,
    REGRET_GIVEN,
    S_BITMAPS,
    S_DEPTH,
    S_FILLED,
    S_GIVEN,
    S_REGRET_X,
    S_ROWS,
    S_SUM_X,
    S_SUM_Z,
    S_SUMMED,
    SIZE,
    STACK,
    START,
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

    The counts of the (stratum, target level) that have rows, level by level of the candidate; every figure is then a
    sum over these or their margins. Return False if there are no given columns, cells are missing, or bitmaps or counts
    do not fit. All counts must be in the tables, see ``LogTables``.
    """
    state, columns, filled, table, figures = work.state, work.columns, work.filled, work.table, work.figures
    n_given = state[S_GIVEN]
    levels, ky = bits.offset[candidate], bits.arity[candidate]
    if n_given == 0 or levels < 0 or bits.incomplete[target] or bits.incomplete[candidate]:
        return False
    if not prepare_bitmaps(bits, work, target):
        return False
    n_filled = state[S_FILLED]
    width = n_filled + -n_filled % ROWS_AT_ONCE
    if width * ky > table.shape[0]:
        return False
    if state[S_SUMMED] == 0:
        _sum_strata(work, clog, log_regret[row_x], kind)
    if kind == SCI and work.by_level[REGRET, ky] < 0:
        first = columns[START, n_given + 1]
        work.by_level[REGRET, ky] = sum_of(log_regret[row_y], work.size, columns[START, n_given], first)
        work.by_level[REGRET_GIVEN, ky] = sum_of(log_regret[row_y], filled[SIZE], np.int64(0), n_filled)
    left = table[(ky - 1) * width : ky * width]  # the last level follows from the others
    for j in range(width):
        left[j] = filled[SIZE, j]
    for b in range(ky - 1):
        cells = table[b * width : (b + 1) * width]
        ones_in_each(work.bitmaps, filled[BITMAP], width, bits.words, levels + b, cells)
        for j in range(width):
            left[j] -= cells[j]
    figures[CHI2] = figures[DF] = 0
    figures[F_XY], figures[F_Y], figures[R_X_GIVEN_Y] = _sum_cells(
        table, n_filled, width, ky, filled[ENDS], clog, log_regret[row_x]
    )
    figures[F_X], figures[F_Z], figures[ROWS] = state[S_SUM_X], state[S_SUM_Z], state[S_ROWS]
    figures[STRATA] = columns[START, n_given + 1] - columns[START, n_given]
    if kind == SCI:
        figures[R_X], figures[R_Y] = state[S_REGRET_X], work.by_level[REGRET, ky]
        figures[R_Y_GIVEN_X] = work.by_level[REGRET_GIVEN, ky]
    return True


@leaf
def _sum_cells(
    table: Array, n_filled: int, width: int, ky: int, ends: Array, clog: Array, regret: Array
) -> tuple[int, int, int]:
    """Return Σ c·log2 c over the cells and over the margins of the candidate, and Σ log2 R(kx, c) over the latter."""
    sum_xy = sum_y = regret_x_given_y = 0
    for b in range(ky):
        cells = table[b * width : (b + 1) * width]
        margin = 0
        for j in range(n_filled):
            # Unsigned, as in ``sum_of``.
            sum_xy += clog[np.uint64(cells[j])]
            margin += cells[j]
            if ends[j] == 1:
                sum_y += clog[np.uint64(margin)]
                regret_x_given_y += regret[np.uint64(margin)]
                margin = 0
    return sum_xy, sum_y, regret_x_given_y


@leaf
def _sum_strata(work: Workspace, clog: Array, regret: Array, kind: Integer) -> None:
    """Sum what depends on the given columns and the target alone, once for all candidates."""
    state, columns, size = work.state, work.columns, work.size
    stratum, first = columns[START, state[S_GIVEN]], columns[START, state[S_GIVEN] + 1]
    state[S_SUM_X] = sum_of(clog, work.filled[SIZE], np.int64(0), state[S_FILLED])
    state[S_SUM_Z] = sum_of(clog, size, stratum, first)
    state[S_REGRET_X] = sum_of(regret, size, stratum, first) if kind == SCI else 0
    rows = 0
    for z in range(stratum, first):
        rows += size[z]
    state[S_ROWS] = rows
    for k in range(min(work.by_level.shape[1], MOST_LEVELS + 1)):
        work.by_level[REGRET, k] = -1
    state[S_SUMMED] = 1


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
    depth, filled = work.state[S_DEPTH], work.filled
    top = work.columns[START, depth + 1]
    levels, n_filled = bits.offset[target], 0
    for z in range(work.columns[START, depth], top):
        for a in range(levels, levels + bits.arity[target]):
            rows = intersect(work.bitmaps, z, bits.words, a, work.bitmaps, top)
            work.size[top] = rows
            filled[BITMAP, n_filled], filled[SIZE, n_filled], filled[ENDS, n_filled] = top, rows, 0
            n_filled += min(rows, 1)
            top += 1
        if n_filled > 0:
            filled[ENDS, n_filled - 1] = 1
    for j in range(n_filled, n_filled + -n_filled % ROWS_AT_ONCE):
        filled[BITMAP, j], filled[SIZE, j] = 0, 0
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
