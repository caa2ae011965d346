"""The strategy SPARSE: sort the rows by (given, target), then sum over the runs of equal values.

Time and memory are proportional to the number of rows, whatever the product of the arities. There is no table: the
figures are summed stratum by stratum. Rows with a missing cell in a column of the test are not counted.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array, Bits, Integer
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
    ROWS,
    SCI,
    STRATA,
    X2,
    chi2_cell,
)
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.regret import regret_term
from climbfast_kernels.workspace import (
    BORDER,
    GIVEN,
    LEVELS,
    LEVELS_Z,
    ORDER,
    PLACE,
    S_GIVEN,
    S_SORTED,
    S_SPARSE,
    S_WEIGHTED,
    SPARE,
    TALLY,
    TALLY_Z,
    Workspace,
)


@leaf
def sort_rows(codes: Array, bits: Bits, work: Workspace, target: int) -> None:
    """Set ORDER and BORDER to the rows sorted by (given, target): a stable counting sort per column, last one first."""
    state, by_row = work.state, work.by_row
    if state[S_SPARSE] == 1:
        return
    n = _start_order(codes, bits, work, target)
    _sort_by_column(codes, target, bits.arity[target], by_row, n, work.by_level)
    for d in range(state[S_GIVEN] - 1, -1, -1):
        column = work.columns[GIVEN, d]
        _sort_by_column(codes, column, bits.arity[column], by_row, n, work.by_level)
    _mark_borders(codes, target, np.int32(1), by_row, n)
    for d in range(state[S_GIVEN]):
        _mark_borders(codes, work.columns[GIVEN, d], np.int32(2), by_row, n)
    by_row[BORDER, 0] = 2
    state[S_SPARSE], state[S_SORTED] = 1, n


@leaf
def _start_order(codes: Array, bits: Bits, work: Workspace, target: int) -> int:
    """Set ORDER to the rows in which neither the target nor a given column is missing; return how many there are."""
    by_row = work.by_row
    rows = by_row.shape[1]
    for i in range(rows):
        by_row[ORDER, i] = i
        by_row[BORDER, i] = 0
    n = rows
    for d in range(work.state[S_GIVEN] + 1):
        column = work.columns[GIVEN, d] if d < work.state[S_GIVEN] else target
        if not bits.incomplete[column]:
            continue
        kept = 0
        for i in range(n):
            row = by_row[ORDER, i]
            by_row[ORDER, kept] = row
            kept += 1 if codes[column, row] < bits.arity[column] else 0
        n = kept
    return n


@leaf
def _sort_by_column(codes: Array, column: int, arity: int, by_row: Array, n: int, by_level: Array) -> None:
    """Sort the n rows in ORDER by the codes of one column, stably, in place."""
    for v in range(arity + 1):
        by_level[PLACE, v] = 0
    if n == by_row.shape[1]:  # in the order of the rows, which is the order of memory
        for i in range(n):
            by_level[PLACE, np.int64(codes[column, i]) + 1] += 1
    else:
        for i in range(n):
            by_level[PLACE, np.int64(codes[column, by_row[ORDER, i]]) + 1] += 1
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
def _mark_borders(codes: Array, column: int, mark: Integer, by_row: Array, n: int) -> None:
    """Set BORDER to ``mark`` where the column changes along the n rows in ORDER, in place."""
    before = codes[column, by_row[ORDER, 0]]
    for i in range(1, n):
        v = codes[column, by_row[ORDER, i]]
        if v != before:
            by_row[BORDER, i] = mark
        before = v


@leaf
def measure_sorted_rows(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, target: int, candidate: int, kind: Integer,
    chi2_unit: float,
) -> None:  # fmt: skip
    """Set ``work.figures`` from the sorted rows, stratum by stratum, without a table (see ``independence``)."""
    kx, ky = bits.arity[target], bits.arity[candidate]
    row_x, row_y = log_tables.regret_row[target], log_tables.regret_row[candidate]
    clog, log_regret, units = log_tables.clog, log_tables.log_regret, log_tables.units
    by_row, by_level, figures = work.by_row, work.by_level, work.figures
    regrets = kind == SCI or kind == EVERYTHING
    chi2 = kind == X2 or kind == EVERYTHING
    singles = 0
    n, weighted = work.state[S_SORTED], work.state[S_WEIGHTED] == 1
    for f in range(FIGURES):
        figures[f] = 0
    begin = 0
    while begin < n:
        end = run_end(by_row, begin, n, np.int32(2))
        if end - begin == 1 and not weighted:
            if codes[candidate, by_row[ORDER, begin]] < ky:
                figures[STRATA] += 1
                singles += 1
            begin = end
            continue
        occurring_y = rows = 0
        if chi2:  # a cell of χ² needs the margin of y first; without χ² the loop below sums it
            occurring_y, rows = tally_levels(codes, candidate, ky, work, begin, end, np.int64(TALLY_Z))
        occurring_x = 0
        at = begin
        while at < end:
            stop = run_end(by_row, at, end, np.int32(1))
            met, rows_x = tally_levels(codes, candidate, ky, work, at, stop, np.int64(TALLY))
            at = stop
            if rows_x == 0:
                continue
            for j in range(met):
                y = by_level[LEVELS, j]
                c = by_level[TALLY, y]
                by_level[TALLY, y] = 0
                figures[F_XY] += entropy_term(clog, units, c)
                if chi2:
                    figures[CHI2] += chi2_cell(c, rows, rows_x, by_level[TALLY_Z, y], chi2_unit)
                else:
                    if by_level[TALLY_Z, y] == 0:
                        by_level[LEVELS_Z, occurring_y] = y
                        occurring_y += 1
                    by_level[TALLY_Z, y] += c
            rows += 0 if chi2 else rows_x
            figures[F_X] += entropy_term(clog, units, rows_x)
            if regrets:
                figures[R_Y_GIVEN_X] += regret_term(log_regret, units, row_y, ky, rows_x)
            occurring_x += 1
        begin = end
        if rows == 0:
            continue
        for j in range(occurring_y):
            c = by_level[TALLY_Z, by_level[LEVELS_Z, j]]
            by_level[TALLY_Z, by_level[LEVELS_Z, j]] = 0
            figures[F_Y] += entropy_term(clog, units, c)
            if regrets:
                figures[R_X_GIVEN_Y] += regret_term(log_regret, units, row_x, kx, c)
        figures[STRATA] += 1
        figures[ROWS] += rows
        figures[F_Z] += entropy_term(clog, units, rows)
        figures[DF] += (occurring_x - 1) * (occurring_y - 1)
        if regrets:
            figures[R_X] += regret_term(log_regret, units, row_x, kx, rows)
            figures[R_Y] += regret_term(log_regret, units, row_y, ky, rows)
    figures[ROWS] += singles
    # A stratum of one row: c·log2 c is 0, and each regret is log2 R(k, 1), with and without the other column.
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
    """Return the first place after ``begin`` whose BORDER is at least ``mark``, or ``limit`` if none comes before."""
    end = begin + 1
    while end < limit and by_row[BORDER, end] < mark:
        end += 1
    return end


@leaf
def tally_levels(
    codes: Array, column: int, k: int, work: Workspace, begin: int, end: int, tally: Integer
) -> tuple[int, int]:
    """Count the levels of a column from ``begin`` to ``end`` of ORDER into row ``tally`` of ``by_level`` (0 at first).

    The levels that occur are listed in row ``tally + 2``; return how many there are, and the number of rows in which
    the column is not missing.
    """
    by_row, by_level, weighted = work.by_row, work.by_level, work.state[S_WEIGHTED] == 1
    met = rows = 0
    for i in range(begin, end):
        row = by_row[ORDER, i]
        v = codes[column, row]
        if v == k:
            continue
        if by_level[tally, v] == 0:
            by_level[tally + 2, met] = v
            met += 1
        times = work.weight[row] if weighted else 1
        by_level[tally, v] += times
        rows += times
    return met, rows
