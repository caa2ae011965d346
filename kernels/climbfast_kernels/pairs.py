"""Marginal (unconditional) tests of two columns, the most frequent tests in wide data.

The margins are the level counts of the columns, so the sums over them are made once per column; what remains of a test
are (kx−1)(ky−1) popcounts and kx·ky look-ups. The arrays are passed one by one: for a tuple, numba counts a reference
per array at every call, which takes longer than the popcounts of two binary columns of 10,000 rows.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import kernel, leaf
from climbfast_kernels.bits import Array, popcount
from climbfast_kernels.cost_model import NS_PER_ROW_DENSE, NS_PER_WORD
from climbfast_kernels.counts_by_bitmaps import count_pair
from climbfast_kernels.entropy import entropy_term
from climbfast_kernels.independence import (
    CHI2,
    DF,
    F_X,
    F_XY,
    F_Y,
    F_Z,
    ROWS,
    SCI,
    X2,
    Rule,
    chi2_cell,
    chi2_units,
    measure,
    nominal_df,
    strength,
)
from climbfast_kernels.regret import regret_term

# Number of popcounts of whole bitmaps that take as long as one pass over the rows into a histogram.
BITMAPS_PER_HISTOGRAM = 64 * NS_PER_ROW_DENSE / NS_PER_WORD


@kernel
def sweep_pairs(
    words: Array, offset: Array, arity: Array, count: Array, incomplete: Array, n_rows: int, regret_row: Array,
    clog: Array, log_regret: Array, units: float, rule: Rule, target: int, candidates: Array, table: Array,
    figures: Array, stop: Array, strengths: Array,
) -> int:  # fmt: skip
    """strengths[i] = strength(target, candidates[i] | ∅), set in place where bitmaps are the cheapest strategy.

    The target must be complete and have bitmaps; candidates with missing cells are left out. Return the number of tests
    skipped for too few rows per degree of freedom, or for none.
    """
    kx, row_x, first_x = arity[target], regret_row[target], offset[target]
    sum_z = entropy_term(clog, units, n_rows)
    sum_x, occurring_x = entropy_of_margin(count, first_x, kx, clog, units)
    regret_x = regret_term(log_regret, units, row_x, kx, n_rows)
    # Σ_a log2 R(ky, n_a) depends only on the arity of the candidate.
    regret_of_target = np.full(log_regret.shape[0], -1, np.int64)
    skipped = 0
    for i in range(candidates.shape[0]):
        if stop[0] != 0:
            break
        y = candidates[i]
        ky, row_y, first_y = arity[y], regret_row[y], offset[y]
        free_cells = (kx - 1) * (ky - 1)
        if first_y < 0 or incomplete[y] or kx * ky > table.shape[0] or free_cells > BITMAPS_PER_HISTOGRAM:
            continue
        # ``count_pair``, with the entropy terms added while the counts are in registers.
        sum_xy = 0
        last = (kx - 1) * ky
        for b in range(ky):
            table[last + b] = count[first_y + b]
        for a in range(kx - 1):
            left = count[first_x + a]
            for b in range(ky - 1):
                cell = 0
                for word in range(words.shape[1]):
                    cell += popcount(words[first_x + a, word] & words[first_y + b, word])
                table[a * ky + b] = cell
                table[last + b] -= cell
                left -= cell
                sum_xy += entropy_term(clog, units, cell)
            table[a * ky + ky - 1] = left
            table[last + ky - 1] -= left
            sum_xy += entropy_term(clog, units, left)
        for b in range(ky):
            sum_xy += entropy_term(clog, units, table[last + b])
        sum_y, occurring_y = entropy_of_margin(count, first_y, ky, clog, units)
        if rule.kind == SCI:
            if regret_of_target[row_y] < 0:
                regret_of_target[row_y] = regret_of_margin(count, first_x, kx, log_regret, units, row_y, ky)
            gain_x = regret_x - regret_of_margin(count, first_y, ky, log_regret, units, row_x, kx)
            gain_y = regret_term(log_regret, units, row_y, ky, n_rows) - regret_of_target[row_y]
            strengths[i] = (sum_xy + sum_z - sum_x - sum_y + max(gain_x, gain_y)) / units - rule.threshold
            continue
        figures[F_Z], figures[F_X], figures[F_Y], figures[F_XY] = sum_z, sum_x, sum_y, sum_xy
        figures[DF], figures[ROWS] = (occurring_x - 1) * (occurring_y - 1), n_rows
        chi2_unit = 1.0
        if rule.kind == X2:
            chi2_unit = chi2_units(n_rows, kx, ky)
            figures[CHI2] = chi2_of_pair(table, count, first_x, kx, first_y, ky, n_rows, chi2_unit)
        strengths[i], made = strength(figures, rule, nominal_df(kx, ky, 1.0), units, chi2_unit, np.inf)
        skipped += 1 - made
    return skipped


@leaf
def measure_pairs(
    words: Array, offset: Array, arity: Array, count: Array, incomplete: Array, regret_row: Array, clog: Array,
    log_regret: Array, units: float, columns: Array, others: Array, table: Array, scratch: Array, figures: Array,
) -> None:  # fmt: skip
    """figures[j] = the figures of SCI for (columns[j], others[j]), set where bitmaps are the cheapest strategy.

    Pairs with missing cells are left out.

    Parameters
    ----------
    columns, others : int64 arrays, shape (pairs,)
    figures : int64 array, shape (pairs, FIGURES)
        Modified in place.
    table, scratch
        Overwritten, see ``independence.measure``.
    """
    for j in range(others.shape[0]):
        x, y = columns[j], others[j]
        kx, first_x, ky, first_y = arity[x], offset[x], arity[y], offset[y]
        if min(first_x, first_y) < 0 or kx * ky > table.shape[0] or (kx - 1) * (ky - 1) > BITMAPS_PER_HISTOGRAM:
            continue
        if incomplete[x] or incomplete[y]:
            continue
        count_pair(words, count, first_x, kx, first_y, ky, table)
        measure(
            table, np.int64(1), kx, ky, regret_row[x], regret_row[y], clog, log_regret, units, np.int64(SCI), 1.0,
            scratch, figures[j],
        )  # fmt: skip


@leaf
def chi2_of_pair(
    table: Array, count: Array, first_x: int, kx: int, first_y: int, ky: int, n_rows: int, unit: float
) -> int:
    """Σ n_xy²·n/(n_x·n_y) over the cells of the marginal table, in units."""
    total = 0
    for a in range(kx):
        for b in range(ky):
            c = table[a * ky + b]
            if c > 0:
                total += chi2_cell(c, n_rows, count[first_x + a], count[first_y + b], unit)
    return total


@leaf
def entropy_of_margin(count: Array, first: int, arity: int, clog: Array, units: float) -> tuple[int, int]:
    """Return Σ c·log2 c over the levels of a column in units, and how many levels occur."""
    total = occurring = 0
    for level in range(first, first + arity):
        total += entropy_term(clog, units, count[level])
        occurring += 1 if count[level] > 0 else 0
    return total, occurring


@leaf
def regret_of_margin(count: Array, first: int, arity: int, log_regret: Array, units: float, row: int, k: int) -> int:
    """Σ log2 R(k, c) over the levels of a column, in units."""
    total = 0
    for level in range(first, first + arity):
        total += regret_term(log_regret, units, row, k, count[level])
    return total
