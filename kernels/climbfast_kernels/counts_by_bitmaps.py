"""The strategy BITMAPS: a cell of the table is the popcount of (stratum ∧ target level) ∧ candidate level.

The bitmaps of the strata are kept as a stack in the workspace. All candidates share them, and so do all sets of given
columns that begin with the same columns. Empty strata are omitted.
"""

from __future__ import annotations

from climbfast_kernels._jit import leaf, spliced
from climbfast_kernels.bits import Array, Bits, intersect, intersection_size
from climbfast_kernels.workspace import GIVEN, S_BITMAPS, S_DEPTH, S_GIVEN, STACK, START, Workspace


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
    while state[S_DEPTH] < n_given:
        if not _refine_strata(bits, work, columns[GIVEN, state[S_DEPTH]]):
            return 0
    occupied = columns[START, n_given + 1] - columns[START, n_given]
    if occupied * kx * ky > work.table.shape[0]:
        return 0
    first = columns[START, n_given + 1]
    if state[S_BITMAPS] == 0:
        if first + occupied * kx > work.size.shape[0]:
            return 0
        _split_by_target(bits, work, target)
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
    levels = bits.offset[target]
    for z in range(work.columns[START, depth], top):
        for a in range(levels, levels + bits.arity[target]):
            work.size[top] = intersect(work.bitmaps, z, bits.words, a, work.bitmaps, top)
            top += 1
    work.state[S_BITMAPS] = 1


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
