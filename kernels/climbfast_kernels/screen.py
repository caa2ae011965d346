"""Marginal (unconditional) tests of all pairs of columns, block by block: the first pass over wide data.

The counts of the last level follow from the others, so a column of k levels has k − 1 free bitmaps. Counting is a
matrix product of the free bitmaps of two blocks of columns, with AND for the product and popcount for the sum. Most
pairs of wide data are independent, and most of these need no logarithm: in nats KL(p‖q) ≤ ln(1 + χ²(p‖q)) ≤ χ²(p‖q),
hence n·I ≤ X²/ln 2 bits, and a pair whose bound is below the threshold of dependence is independent.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import kernel, leaf
from climbfast_kernels.bits import Array, Bits, Integer, popcount
from climbfast_kernels.chi2 import chi2_log10_tail
from climbfast_kernels.entropy import entropy_term
from climbfast_kernels.independence import (
    CHI2,
    DF,
    F_X,
    F_XY,
    F_Y,
    F_Z,
    FIGURES,
    G2,
    ROWS,
    SCI,
    X2,
    Rule,
    chi2_units,
    information,
    measure,
    nominal_df,
    rounding,
    strength,
)
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.pairs import chi2_of_pair, entropy_of_margin, regret_of_margin
from climbfast_kernels.regret import regret_term

# A tile of 4 × 2 bitmaps fills the registers: 8 sums for 6 loads.
TILE_A, TILE_B = 4, 2
WORDS_PER_STRIP = 512  # long bitmaps are processed in strips of 4 KiB, so that two blocks stay in the L2 cache
# A bound in floating point must be below its limit by this margin: absolute in bits, and relative.
SLACK, RELATIVE_SLACK = 1e-6, 1e-9


class Block(NamedTuple):
    """Columns of one arity k, all complete or all with missing cells, and the sums over the margin of each.

    Attributes
    ----------
    columns : int64 array, shape (columns,)
    bitmaps : int64 array
        The numbers of the free bitmaps, level by level, so that a loop over columns reads contiguous memory; those of
        all levels for columns with missing cells. The last one is repeated to fill a whole tile.
    rows, inverse : float64 arrays, shape (k, columns)
        Number of rows of each level, and 1 / rows, or 0 for a level that does not occur.
    entropy : int64 array, shape (columns,)
        Σ c·log2 c over the levels, in units.
    occurring : int64 array, shape (columns,)
        Number of levels that occur.
    gain : int64 array, shape (tabulated arities, columns)
        log2 R(k', n) − Σ log2 R(k', c) over the levels, in units: the difference Δ(X) − Δ(X|Y) of SCI for a column
        X of k' levels and this column as Y.
    """

    columns: Array
    bitmaps: Array
    rows: Array
    inverse: Array
    entropy: Array
    occurring: Array
    gain: Array


class PairBuffer(NamedTuple):
    """The dependent pairs of two blocks, filled from the start: the two columns, and the strength."""

    x: Array
    y: Array
    strength: Array


def block(bits: Bits, log_tables: LogTables, columns: Array) -> Block:
    """Return the block of ``columns``, all of one arity that ``log_tables`` tabulates, and alike in missing cells."""
    arity = int(bits.arity[columns[0]])
    bitmaps = bits.offset[columns] + np.arange(arity)[:, None]
    free = (bitmaps if bits.incomplete[columns[0]] else bitmaps[:-1]).ravel()
    rows = bits.count[bitmaps].astype(np.float64)
    entropy, occurring = np.empty(len(columns), np.int64), np.empty(len(columns), np.int64)
    arities = np.zeros(log_tables.log_regret.shape[0], np.int64)
    tabulated = log_tables.regret_row >= 0
    arities[log_tables.regret_row[tabulated]] = bits.arity[tabulated]
    gain = np.empty((len(arities), len(columns)), np.int64)
    _sum_margins(
        bits.offset, bits.arity, bits.count, bits.n_rows, log_tables.clog, log_tables.log_regret, log_tables.units,
        columns, arities, entropy, occurring, gain,
    )  # fmt: skip
    return Block(
        columns,
        np.concatenate([free, np.repeat(free[-1:], -len(free) % TILE_A)]),
        rows,
        np.divide(1.0, rows, out=np.zeros_like(rows), where=rows > 0),
        entropy,
        occurring,
        gain,
    )


@leaf
def _sum_margins(
    offset: Array, arity: Array, count: Array, n_rows: int, clog: Array, log_regret: Array, units: float,
    columns: Array, arities: Array, entropy: Array, occurring: Array, gain: Array,
) -> None:  # fmt: skip
    """Set ``entropy``, ``occurring`` and ``gain`` of the columns of a block."""
    for i in range(columns.shape[0]):
        first, k = offset[columns[i]], arity[columns[i]]
        entropy[i], occurring[i] = entropy_of_margin(count, first, k, clog, units)
        for row in range(arities.shape[0]):
            whole = regret_term(log_regret, units, row, arities[row], n_rows)
            gain[row, i] = whole - regret_of_margin(count, first, k, log_regret, units, row, arities[row])


class ScreenWorkspace(NamedTuple):
    """Buffers of ``screen_blocks``, kept between calls."""

    sizes: Array
    sums: Array
    table: Array
    figures: Array
    pairs: PairBuffer
    scratch: Array


def screen_workspace(bitmaps: int, most_levels: int) -> ScreenWorkspace:
    """Return buffers for blocks of at most ``bitmaps`` free bitmaps, of columns of at most ``most_levels`` levels."""
    sizes = np.empty((bitmaps + TILE_A, bitmaps + TILE_A), np.int32)
    pairs = PairBuffer(np.empty(bitmaps**2, np.int64), np.empty(bitmaps**2, np.int64), np.empty(bitmaps**2))
    sums, table = np.empty((most_levels + 3, bitmaps)), np.empty(most_levels**2, np.int64)
    scratch = np.empty((1, most_levels), np.int64)
    return ScreenWorkspace(sizes, sums, table, np.empty(FIGURES, np.int64), pairs, scratch)


@lru_cache(maxsize=64)
def critical_statistics(rule: Rule, most_levels: int) -> Array:
    """Return, by degrees of freedom, the statistic that a χ² test of two columns must exceed, found by bisection.

    For 0 degrees of freedom it is inf: independence. For other kinds of tests the array has only this element.
    """
    most_df = (most_levels - 1) ** 2 if rule.kind in (G2, X2) else 0
    critical = np.full(most_df + 1, np.inf)
    for df in range(1, most_df + 1):
        low, high = 0.0, 1.0
        while chi2_log10_tail(high, float(df)) > rule.threshold:
            low, high = high, 2 * high
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if chi2_log10_tail(middle, float(df)) > rule.threshold else (low, middle)
        critical[df] = low
    return critical


@leaf
def intersection_sizes(words: Array, rows_a: Array, rows_b: Array, sizes: Array) -> None:
    """sizes[i, j] = |words[rows_a[i]] ∧ words[rows_b[j]]|, set in place.

    Parameters
    ----------
    rows_a, rows_b : int64 arrays
        Numbers of bitmaps; their lengths are multiples of ``TILE_A`` and ``TILE_B``.
    sizes : int32 array, at least of shape (rows_a, rows_b)
    """
    for i in range(rows_a.shape[0]):
        for j in range(rows_b.shape[0]):
            sizes[i, j] = 0
    for start in range(0, words.shape[1], WORDS_PER_STRIP):
        stop = min(start + WORDS_PER_STRIP, words.shape[1])
        for i in range(0, rows_a.shape[0], TILE_A):
            a0, a1 = words[rows_a[i], start:stop], words[rows_a[i + 1], start:stop]
            a2, a3 = words[rows_a[i + 2], start:stop], words[rows_a[i + 3], start:stop]
            for j in range(0, rows_b.shape[0], TILE_B):
                b0, b1 = words[rows_b[j], start:stop], words[rows_b[j + 1], start:stop]
                s00 = s01 = s10 = s11 = s20 = s21 = s30 = s31 = 0
                for w in range(stop - start):
                    s00 += popcount(a0[w] & b0[w])
                    s01 += popcount(a0[w] & b1[w])
                    s10 += popcount(a1[w] & b0[w])
                    s11 += popcount(a1[w] & b1[w])
                    s20 += popcount(a2[w] & b0[w])
                    s21 += popcount(a2[w] & b1[w])
                    s30 += popcount(a3[w] & b0[w])
                    s31 += popcount(a3[w] & b1[w])
                sizes[i, j] += s00
                sizes[i, j + 1] += s01
                sizes[i + 1, j] += s10
                sizes[i + 1, j + 1] += s11
                sizes[i + 2, j] += s20
                sizes[i + 2, j + 1] += s21
                sizes[i + 3, j] += s30
                sizes[i + 3, j + 1] += s31


@leaf
def chi2_of_row(
    sizes: Array, i: int, columns_a: int, rows_x: Array, inverse_x: Array, columns_b: int, rows_y: Array,
    inverse_y: Array, n_rows: int, sums: Array, chi2: Array,
) -> None:  # fmt: skip
    """chi2[j] = X² of column i of block A and every column j of block B, set in place.

    X² = n·Σ_ab D_ab²/(n_a·n_b), where D are the counts − the expected counts. Rows and columns of D sum to 0, so the D
    of the last levels follow from the others. Each inner loop runs over the columns of B, and LLVM vectorises it.

    Parameters
    ----------
    rows_x, inverse_x : arrays, shape (kx,)
        Rows in each level of column i, and 1 / rows.
    rows_y, inverse_y : arrays, shape (ky, columns_b)
        The same for all columns of B, level by level.
    sums : float64 array, shape (≥ kx + 1, ≥ columns_b)
        Overwritten.
    """
    kx, ky = rows_x.shape[0], rows_y.shape[0]
    for j in range(columns_b):
        chi2[j] = 0.0
    for a in range(kx):
        for j in range(columns_b):
            sums[a, j] = 0.0
    in_column = sums[kx]
    for b in range(ky - 1):
        for j in range(columns_b):
            in_column[j] = 0.0
        for a in range(kx - 1):
            counts, share = sizes[a * columns_a + i], rows_x[a] / n_rows
            for j in range(columns_b):
                d = counts[b * columns_b + j] - share * rows_y[b, j]
                chi2[j] += d * d * inverse_x[a] * inverse_y[b, j]
                in_column[j] += d
                sums[a, j] += d
        for j in range(columns_b):
            chi2[j] += in_column[j] * in_column[j] * inverse_x[kx - 1] * inverse_y[b, j]
            sums[kx - 1, j] += in_column[j]
    for a in range(kx):
        for j in range(columns_b):
            chi2[j] += sums[a, j] * sums[a, j] * inverse_x[a] * inverse_y[ky - 1, j]
    for j in range(columns_b):
        chi2[j] *= n_rows


@leaf
def set_least_chi2(
    rule: Rule, critical: Array, gain_x: Array, gain_y: int, occurring_x: int, occurring_y: Array, df: int,
    units: float, n_rows: int, least: Array,
) -> None:  # fmt: skip
    """least[j] = X² below which a pair is certainly independent, since n·I ≤ X²/ln 2; set in place.

    ``SLACK`` and ``RELATIVE_SLACK`` allow for rounding.
    """
    columns = gain_x.shape[0]
    if rule.kind == SCI:
        slack = SLACK * math.log(2) + RELATIVE_SLACK * n_rows
        for j in range(columns):
            bits = rule.threshold - float(max(gain_x[j], gain_y)) / units
            least[j] = bits * math.log(2) - slack
        return
    for j in range(columns):
        degrees = (occurring_x - 1) * (occurring_y[j] - 1) if rule.adjusted == 1 else df
        if rule.kind == X2:
            least[j] = critical[degrees]
        elif rule.kind == G2:
            least[j] = critical[degrees] / 2
        else:
            least[j] = max(rounding(n_rows), rule.threshold * n_rows) * math.log(2)
        least[j] = least[j] * (1 - RELATIVE_SLACK) - RELATIVE_SLACK * n_rows


@kernel
def screen_blocks(
    bits: Bits, log_tables: LogTables, rule: Rule, critical: Array, a: Block, b: Block, work: ScreenWorkspace,
) -> int:  # fmt: skip
    """Test all pairs of a column of block a and one of block b; if both are the same block, all pairs of its columns.

    Parameters
    ----------
    critical : float64 array
        See ``critical_statistics``.
    work : ScreenWorkspace
        ``sizes`` must be set by ``intersection_sizes`` of the free bitmaps. ``pairs`` is set, from its start, to the
        dependent pairs, smaller column first. The rest is overwritten.

    Returns
    -------
    int
        Number of dependent pairs.
    """
    kx, ky, n_rows = a.rows.shape[0], b.rows.shape[0], bits.n_rows
    row_x, row_y = log_tables.regret_row[a.columns[0]], log_tables.regret_row[b.columns[0]]
    columns_a, columns_b = a.columns.shape[0], b.columns.shape[0]
    same = a.columns[0] == b.columns[0]
    sizes, sums, table, figures, pairs, _ = work
    # Single arrays: for a tuple, numba would count a reference per array in every call, that is for every pair.
    clog, units, count = log_tables.clog, log_tables.units, bits.count
    entropy_a, entropy_b, offset_b = a.entropy, b.entropy, bits.offset[b.columns]
    chi2, least, gain_x, gain_y = sums[0], sums[1], b.gain[row_x], a.gain[row_y]
    sum_z = entropy_term(clog, units, n_rows)
    chi2_unit, nominal = chi2_units(n_rows, kx, ky), nominal_df(kx, ky, 1.0)
    dependent = 0
    for i in range(columns_a):
        first_x = bits.offset[a.columns[i]]
        chi2_of_row(
            sizes, i, columns_a, a.rows[:, i], a.inverse[:, i], columns_b, b.rows, b.inverse, n_rows, sums[2:], chi2
        )
        set_least_chi2(
            rule, critical, gain_x, gain_y[i], a.occurring[i], b.occurring, int(nominal), log_tables.units, n_rows,
            least,
        )  # fmt: skip
        for j in range(i + 1 if same else 0, columns_b):
            if chi2[j] < least[j]:
                continue
            sum_xy = _fill(table, sizes, i, columns_a, j, columns_b, count, first_x, kx, offset_b[j], ky, clog, units)
            if rule.kind == SCI:
                gain = max(gain_x[j], gain_y[i])
                value = (sum_xy + sum_z - entropy_a[i] - entropy_b[j] + gain) / units - rule.threshold
            else:
                figures[F_Z], figures[F_X], figures[F_Y], figures[F_XY] = sum_z, entropy_a[i], entropy_b[j], sum_xy
                figures[DF], figures[ROWS] = (a.occurring[i] - 1) * (b.occurring[j] - 1), n_rows
                degrees = figures[DF] if rule.adjusted == 1 else int(nominal)
                if rule.kind == G2 and 2 * math.log(2) * (information(figures) / units) < critical[degrees] - SLACK:
                    continue  # computing the tail of the distribution takes longer than the rest of the test
                if rule.kind == X2:
                    figures[CHI2] = chi2_of_pair(table, count, first_x, kx, offset_b[j], ky, n_rows, chi2_unit)
                value, _ = strength(figures, rule, nominal, units, chi2_unit, np.inf)
            if value > 0:
                x, y = a.columns[i], b.columns[j]
                pairs.x[dependent], pairs.y[dependent], pairs.strength[dependent] = min(x, y), max(x, y), value
                dependent += 1
    return dependent


@kernel
def screen_incomplete_blocks(
    bits: Bits, log_tables: LogTables, rule: Rule, a: Block, b: Block, work: ScreenWorkspace
) -> tuple[int, int, Integer]:  # fmt: skip
    """``screen_blocks`` where the columns of one block, or of both, have missing cells.

    The margins of a pair are those of the rows in which neither column is missing, so every table is measured whole.

    Returns
    -------
    dependent : int
        Number of dependent pairs.
    made : int
        Number of tests made; the others had too few rows per degree of freedom, or none.
    fewest : int
        Smallest number of rows of these tests, or the number of rows of data.
    """
    x0, y0 = a.columns[0], b.columns[0]
    kx, ky, count = bits.arity[x0], bits.arity[y0], bits.count
    row_x, row_y = log_tables.regret_row[x0], log_tables.regret_row[y0]
    free_x, free_y = kx if bits.incomplete[x0] else kx - 1, ky if bits.incomplete[y0] else ky - 1
    columns_a, columns_b = a.columns.shape[0], b.columns.shape[0]
    table, figures, pairs, scratch = work.table, work.figures, work.pairs, work.scratch
    chi2_unit, nominal = chi2_units(bits.n_rows, kx, ky), nominal_df(kx, ky, 1.0)
    dependent = made = 0
    fewest: Integer = np.int64(bits.n_rows)
    for i in range(columns_a):
        x = a.columns[i]
        for j in range(i + 1 if x0 == y0 else 0, columns_b):
            y = b.columns[j]
            _fill_incomplete(
                table, work.sizes, i, columns_a, j, columns_b, count, bits.offset[x], kx, free_x, bits.offset[y], ky,
                free_y,
            )  # fmt: skip
            measure(
                table, np.int64(1), kx, ky, row_x, row_y, log_tables.clog, log_tables.log_regret, log_tables.units,
                np.int64(rule.kind), chi2_unit, scratch, figures,
            )  # fmt: skip
            value, is_made = strength(figures, rule, nominal, log_tables.units, chi2_unit, np.inf)
            made += is_made
            if is_made == 1:
                fewest = min(fewest, figures[ROWS])
            if value > 0:
                pairs.x[dependent], pairs.y[dependent], pairs.strength[dependent] = min(x, y), max(x, y), value
                dependent += 1
    return dependent, made, fewest


@leaf
def _fill_incomplete(
    table: Array, sizes: Array, i: int, columns_a: int, j: int, columns_b: int, count: Array, first_x: int, kx: int,
    free_x: int, first_y: int, ky: int, free_y: int,
) -> None:  # fmt: skip
    """Set ``table`` to the counts of two columns, of which one at least has missing cells, where neither is missing.

    ``sizes`` has the counts of the free levels: all of an incomplete column, all but the last of a complete one, whose
    last level is what the others leave of each level of the incomplete one.
    """
    for a in range(kx):
        for b in range(ky):
            if a < free_x and b < free_y:
                table[a * ky + b] = sizes[a * columns_a + i, b * columns_b + j]
            else:
                table[a * ky + b] = count[first_y + b] if a == free_x else count[first_x + a]
    for a in range(free_x):
        for b in range(free_y):
            if free_x < kx:
                table[free_x * ky + b] -= table[a * ky + b]
            if free_y < ky:
                table[a * ky + free_y] -= table[a * ky + b]


@leaf
def _fill(
    table: Array, sizes: Array, i: int, columns_a: int, j: int, columns_b: int, count: Array, first_x: int, kx: int,
    first_y: int, ky: int, clog: Array, units: float,
) -> int:  # fmt: skip
    """Set ``table`` to the counts of column i of block A and column j of block B; return Σ c·log2 c in units."""
    last = (kx - 1) * ky
    for b in range(ky):
        table[last + b] = count[first_y + b]
    for a in range(kx - 1):
        left = count[first_x + a]
        for b in range(ky - 1):
            c = np.int64(sizes[a * columns_a + i, b * columns_b + j])
            table[a * ky + b] = c
            table[last + b] -= c
            left -= c
        table[a * ky + ky - 1] = left
        table[last + ky - 1] -= left
    total = 0
    for cell in range(kx * ky):
        total += entropy_term(clog, units, table[cell])
    return total
