"""Three strategies to fill the contingency table of (target, candidate) in the strata of the given columns.

1. Bitmaps: AND + popcount, a cell per n/64 words; the strata's bitmaps are shared by all candidates, and by
   all sets of given columns with the same first columns; empty strata are left out.
2. Dense: one pass over the rows into a histogram of mixed-radix codes. Where many tables of few columns are to be
   counted, over their distinct rows with weights (see distinct.py).
3. Sparse: the rows sorted by stratum, then a walk through the runs; time and memory in proportion to the
   rows, whatever the product of the arities.

All three give the same integers. ``cheapest`` picks the strategy; its costs are fitted by bench/fit_costs.py.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import inlined, leaf, spliced
from climbfast_kernels.bits import Array, Bits, Integer, intersect, intersection_size
from climbfast_kernels.entropy import entropy_term
from climbfast_kernels.independence import (
    CHI2,
    DF,
    EVERYTHING,
    F_X,
    F_XY,
    F_Y,
    F_Z,
    FIGURES,
    R_X,
    R_X_GIVEN_Y,
    R_Y,
    R_Y_GIVEN_X,
    SCI,
    STRATA,
    X2,
    chi2_cell,
    measure,
)
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.regret import regret_term
from climbfast_kernels.workspace import (
    BORDER,
    GIVEN,
    JOINT,
    LEVELS,
    LEVELS_Z,
    ORDER,
    PLACE,
    S_BITMAPS,
    S_DENSE,
    S_DEPTH,
    S_GIVEN,
    S_HELD,
    S_SPARSE,
    SPARE,
    STACK,
    START,
    TALLY,
    TALLY_Z,
    Workspace,
    product_of_given,
)

AUTO, BITMAPS, DENSE, SPARSE = range(4)

# Nanoseconds, as fitted on one core with 512-bit vectors (python -m bench.fit_costs); only their ratios decide.
NS_PER_WORD = 0.11
NS_PER_BITMAP = 1.0
NS_PER_ROW_DENSE = 0.52
NS_PER_ROW_HELD = 0.75  # a distinct row, with its weight; measured beside the row above, not fitted
NS_PER_CODE_DENSE = 0.09
NS_PER_CELL = 1.6
NS_PER_ROW_SPARSE = 9.6
NS_PER_CODE_SPARSE = 2.9


@inlined
def cheapest(bits: Bits, work: Workspace, target: int, candidate: int, sharing: Integer) -> tuple[int, float]:
    """Pick the way of least expected time for one table, its preparation shared by ``sharing`` candidates.

    Returns
    -------
    way : int
    ns : float
        The time expected.
    """
    state, columns = work.state, work.columns
    n_given, depth = state[S_GIVEN], state[S_DEPTH]
    kx, ky = bits.arity[target], bits.arity[candidate]
    n, room_for_cells = bits.n_rows, work.table.shape[0]
    occupied = float(columns[START, depth + 1] - columns[START, depth])
    product = product_of_given(bits, work)
    has_bitmaps = bits.offset[target] >= 0 and bits.offset[candidate] >= 0
    for d in range(n_given):
        if d >= depth:
            occupied *= float(bits.arity[columns[GIVEN, d]])
            has_bitmaps = has_bitmaps and bits.offset[columns[GIVEN, d]] >= 0
    cells = product * kx * ky
    strategy = SPARSE
    ns = n * NS_PER_ROW_SPARSE
    if state[S_SPARSE] == 0:
        ns += n * NS_PER_CODE_SPARSE * (n_given + 1) / sharing
    if cells <= room_for_cells:
        rows, ns_per_row = n, NS_PER_ROW_DENSE
        if state[S_HELD] > 0:
            rows, ns_per_row = state[S_HELD], NS_PER_ROW_HELD
        ns_dense = rows * ns_per_row + cells * NS_PER_CELL
        if state[S_DENSE] == 0:
            ns_dense += rows * NS_PER_CODE_DENSE * (n_given + 1) / sharing
        if ns_dense < ns:
            strategy, ns = DENSE, ns_dense
    # Room is checked again, on the strata that occur, while the bitmaps are made.
    if has_bitmaps and occupied * kx < work.size.shape[0] and occupied * kx * ky <= room_for_cells:
        bitmap = bits.words.shape[1] * NS_PER_WORD + NS_PER_BITMAP
        ns_bitmaps = occupied * kx * (ky - 1) * bitmap + occupied * kx * ky * NS_PER_CELL
        if n_given > 0 and state[S_BITMAPS] == 0:
            ns_bitmaps += occupied * (kx + 1) * 2 * bitmap / sharing
        if ns_bitmaps < ns:
            strategy, ns = BITMAPS, ns_bitmaps
    return strategy, ns


@inlined
def count_table(
    codes: Array, bits: Bits, work: Workspace, target: int, candidate: int, strategy: int, sharing: Integer
) -> int:
    """Fill ``work.table`` with the counts of (target, candidate) in the open strata; return the number of strata.

    0 is no table: then the rows are sorted by (given, target) instead.
    """
    chosen = cheapest(bits, work, target, candidate, sharing)[0] if strategy == AUTO else strategy
    n_strata = 0
    if chosen == BITMAPS:
        n_strata = _count_by_bitmaps(bits, work, target, candidate)
        chosen = DENSE if n_strata == 0 else chosen
    if chosen == DENSE:
        n_strata = _count_densely(codes, bits, work, target, candidate)
    if n_strata == 0:
        sort_rows(codes, bits, work, target)
    return n_strata


@spliced
def count_and_measure(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, target: int, candidate: int, kind: Integer,
    chi2_unit: float, strategy: int, sharing: Integer,
) -> None:  # fmt: skip
    """Count the table of (target, candidate) in the open strata and set ``work.figures``.

    ``way`` forces one way of counting where that way can be gone; AUTO takes the cheapest.
    """
    n_strata = count_table(codes, bits, work, target, candidate, strategy, sharing)
    if n_strata == 0:
        _measure_sorted_rows(codes, bits, log_tables, work, target, candidate, kind, chi2_unit)
        return
    measure(
        work.table, n_strata, bits.arity[target], bits.arity[candidate], log_tables.regret_row[target],
        log_tables.regret_row[candidate], log_tables.clog, log_tables.log_regret, log_tables.units, kind, chi2_unit,
        work.by_level, work.figures,
    )  # fmt: skip


@spliced
def _count_by_bitmaps(bits: Bits, work: Workspace, target: int, candidate: int) -> int:
    """Fill ``work.table`` by popcounts; return the number of strata, 0 if bitmaps are missing or do not fit."""
    state, columns = work.state, work.columns
    n_given = state[S_GIVEN]
    kx, ky = bits.arity[target], bits.arity[candidate]
    if bits.offset[target] < 0 or bits.offset[candidate] < 0 or kx * ky > work.table.shape[0]:
        return 0
    if n_given == 0:
        count_pair(bits.words, bits.count, bits.offset[target], kx, bits.offset[candidate], ky, work.table)
        return 1
    while state[S_DEPTH] < n_given:
        if not _refine(bits, work, columns[GIVEN, state[S_DEPTH]]):
            return 0
    occupied = columns[START, n_given + 1] - columns[START, n_given]
    if occupied * kx * ky > work.table.shape[0]:
        return 0
    first = columns[START, n_given + 1]
    if state[S_BITMAPS] == 0:
        if first + occupied * kx > work.size.shape[0]:
            return 0
        _split_by_target(bits, work, target)
    _count_in_strata(
        bits.words,
        bits.offset[candidate],
        ky,
        work.bitmaps,
        work.size,
        first,
        occupied * kx,
        work.table,
    )
    return occupied


@leaf
def _refine(bits: Bits, work: Workspace, column: int) -> bool:
    """Push the non-empty intersections of the deepest strata with the levels of ``column`` on the stack."""
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
    """Put the intersections of the deepest strata with all levels of the target, empty ones too, on top."""
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
    """Fill a table row by row from the bitmaps of (stratum, target level), the last level by subtraction."""
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
def count_pair(words: Array, count: Array, levels_x: int, kx: int, levels_y: int, ky: int, table: Array) -> None:
    """Fill the table of two columns, nothing given: (kx−1)(ky−1) popcounts, the rest from the margins."""
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
def _count_densely(codes: Array, bits: Bits, work: Workspace, target: int, candidate: int) -> int:
    """Fill ``work.table`` by a histogram; return the number of strata, occupied or not, 0 if they do not fit."""
    by_row, table = work.by_row, work.table
    kx, ky = bits.arity[target], bits.arity[candidate]
    product = product_of_given(bits, work)
    if product * kx * ky > table.shape[0]:
        return 0
    join_codes(codes, bits, work, target)
    n_strata = int(product)
    for cell in range(n_strata * kx * ky):
        table[cell] = 0
    if work.state[S_HELD] == 0:
        for i in range(bits.n_rows):
            table[np.uint32(by_row[JOINT, i]) * np.uint32(ky) + np.uint32(codes[candidate, i])] += 1
        return n_strata
    joint, level, weight = by_row[JOINT], work.held[work.place[candidate]], work.weight
    for i in range(work.state[S_HELD]):  # unsigned, since a negative index would be looked out for
        table[np.uint32(joint[i]) * np.uint32(ky) + np.uint32(level[i])] += weight[i]
    return n_strata


@leaf
def join_codes(codes: Array, bits: Bits, work: Workspace, target: int) -> None:
    """Set JOINT to the mixed-radix code of (given, target), unless it is; the caller knows that it fits an int32.

    Of every row, or of every distinct row while some are held.
    """
    state, joint = work.state, work.by_row[JOINT]
    if state[S_DENSE] == 1:
        return
    rows = bits.n_rows if state[S_HELD] == 0 else state[S_HELD]
    for i in range(rows):
        joint[i] = 0
    for d in range(state[S_GIVEN] + 1):
        column = work.columns[GIVEN, d] if d < state[S_GIVEN] else target
        if state[S_HELD] == 0:
            append_digit(joint, codes[column], bits.arity[column])
        else:
            append_digit(joint, work.held[work.place[column], :rows], bits.arity[column])
    state[S_DENSE] = 1


@leaf
def append_digit(joint: Array, codes: Array, arity: int) -> None:
    """Joint code = joint code · arity + code of the column, modified in place."""
    k = np.int32(arity)
    for i in range(codes.shape[0]):
        joint[i] = joint[i] * k + np.int32(codes[i])


@leaf
def sort_rows(codes: Array, bits: Bits, work: Workspace, target: int) -> None:
    """Sort the rows by (given, target), a stable counting sort per column, last column first; mark the borders."""
    state, by_row = work.state, work.by_row
    if state[S_SPARSE] == 1:
        return
    for i in range(by_row.shape[1]):
        by_row[ORDER, i] = i
        by_row[BORDER, i] = 0
    _sort_by(codes, target, bits.arity[target], by_row, work.by_level)
    for d in range(state[S_GIVEN] - 1, -1, -1):
        column = work.columns[GIVEN, d]
        _sort_by(codes, column, bits.arity[column], by_row, work.by_level)
    _mark_borders(codes, target, np.int32(1), by_row)
    for d in range(state[S_GIVEN]):
        _mark_borders(codes, work.columns[GIVEN, d], np.int32(2), by_row)
    by_row[BORDER, 0] = 2
    state[S_SPARSE] = 1


@leaf
def _sort_by(codes: Array, column: int, arity: int, by_row: Array, by_level: Array) -> None:
    """Sort ORDER by the codes of one column, stably, in place."""
    n = by_row.shape[1]
    for v in range(arity + 1):
        by_level[PLACE, v] = 0
    for i in range(n):
        by_level[PLACE, np.int64(codes[column, i]) + 1] += 1
    for v in range(arity):
        by_level[PLACE, v + 1] += by_level[PLACE, v]
    for i in range(n):
        by_row[SPARE, i] = by_row[ORDER, i]
    for i in range(n):
        row = by_row[SPARE, i]
        v = codes[column, row]
        by_row[ORDER, by_level[PLACE, v]] = row
        by_level[PLACE, v] += 1


@leaf
def _mark_borders(codes: Array, column: int, mark: Integer, by_row: Array) -> None:
    """Raise BORDER to ``mark`` where the column changes along ORDER, in place."""
    before = codes[column, by_row[ORDER, 0]]
    for i in range(1, by_row.shape[1]):
        v = codes[column, by_row[ORDER, i]]
        if v != before:
            by_row[BORDER, i] = mark
        before = v


@leaf
def _measure_sorted_rows(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, target: int, candidate: int, kind: Integer,
    chi2_unit: float,
) -> None:  # fmt: skip
    """Set ``work.figures`` from the sorted rows, stratum by stratum, without a table."""
    kx, ky = bits.arity[target], bits.arity[candidate]
    row_x, row_y = log_tables.regret_row[target], log_tables.regret_row[candidate]
    clog, log_regret, units = log_tables.clog, log_tables.log_regret, log_tables.units
    by_row, by_level, figures = work.by_row, work.by_level, work.figures
    regrets = kind == SCI or kind == EVERYTHING
    chi2 = kind == X2 or kind == EVERYTHING
    singles = 0
    n = by_row.shape[1]
    for f in range(FIGURES):
        figures[f] = 0
    begin = 0
    while begin < n:
        end = run_end(by_row, begin, n, np.int32(2))
        rows = end - begin
        if rows == 1:
            figures[STRATA] += 1
            singles += 1
            begin = end
            continue
        occurring_y = 0
        if chi2:  # a cell of χ² needs the margin of the whole stratum; otherwise the levels below add up to it
            occurring_y = tally_levels(codes, candidate, by_row, begin, end, by_level, np.int64(TALLY_Z))
        occurring_x = 0
        at = begin
        while at < end:
            stop = run_end(by_row, at, end, np.int32(1))
            met = tally_levels(codes, candidate, by_row, at, stop, by_level, np.int64(TALLY))
            for j in range(met):
                y = by_level[LEVELS, j]
                c = by_level[TALLY, y]
                by_level[TALLY, y] = 0
                figures[F_XY] += entropy_term(clog, units, c)
                if chi2:
                    figures[CHI2] += chi2_cell(c, rows, stop - at, by_level[TALLY_Z, y], chi2_unit)
                else:
                    if by_level[TALLY_Z, y] == 0:
                        by_level[LEVELS_Z, occurring_y] = y
                        occurring_y += 1
                    by_level[TALLY_Z, y] += c
            figures[F_X] += entropy_term(clog, units, stop - at)
            if regrets:
                figures[R_Y_GIVEN_X] += regret_term(log_regret, units, row_y, ky, stop - at)
            occurring_x += 1
            at = stop
        for j in range(occurring_y):
            c = by_level[TALLY_Z, by_level[LEVELS_Z, j]]
            by_level[TALLY_Z, by_level[LEVELS_Z, j]] = 0
            figures[F_Y] += entropy_term(clog, units, c)
            if regrets:
                figures[R_X_GIVEN_Y] += regret_term(log_regret, units, row_x, kx, c)
        figures[STRATA] += 1
        figures[F_Z] += entropy_term(clog, units, rows)
        figures[DF] += (occurring_x - 1) * (occurring_y - 1)
        if regrets:
            figures[R_X] += regret_term(log_regret, units, row_x, kx, rows)
            figures[R_Y] += regret_term(log_regret, units, row_y, ky, rows)
        begin = end
    # A stratum of one row: c·log2 c is 0, and the regrets of x and y are the same with and without the other.
    if regrets:
        one_x = regret_term(log_regret, units, row_x, kx, np.int64(1)) * singles
        one_y = regret_term(log_regret, units, row_y, ky, np.int64(1)) * singles
        figures[R_X] += one_x
        figures[R_X_GIVEN_Y] += one_x
        figures[R_Y] += one_y
        figures[R_Y_GIVEN_X] += one_y
    if chi2:
        figures[CHI2] += round(chi2_unit) * singles


@leaf
def run_end(by_row: Array, begin: int, limit: int, mark: Integer) -> int:
    """Return the first place after ``begin`` whose BORDER is at least ``mark``, ``limit`` if there is none before."""
    end = begin + 1
    while end < limit and by_row[BORDER, end] < mark:
        end += 1
    return end


@leaf
def tally_levels(
    codes: Array, column: int, by_row: Array, begin: int, end: int, by_level: Array, tally: Integer
) -> int:
    """Count the levels along a stretch of ORDER into row ``tally`` of ``by_level`` (zero before).

    The levels met are listed in row ``tally + 2``; their number is returned.
    """
    met = 0
    for i in range(begin, end):
        v = codes[column, by_row[ORDER, i]]
        if by_level[tally, v] == 0:
            by_level[tally + 2, met] = v
            met += 1
        by_level[tally, v] += 1
    return met
