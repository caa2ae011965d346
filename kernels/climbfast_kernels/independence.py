"""A contingency table -> n·I, regrets, χ², degrees of freedom -> the strength of a test.

A table has the counts n_xyz by stratum z of the given columns, level of x and level of y. All that a test needs are
sums over its cells or margins: the ``figures``, integers in fixed point (see ``entropy``).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from climbfast_kernels._jit import inlined, leaf
from climbfast_kernels.bits import Array, Integer
from climbfast_kernels.chi2 import chi2_log10_bound, chi2_log10_tail
from climbfast_kernels.entropy import entropy_term
from climbfast_kernels.regret import regret_term

SCI, G2, X2, CMI, EVERYTHING = range(5)
ROUNDING_OF_BOUND = 1e-9  # far more than the rounding of the bound and of the tail, relative to the statistic

# Indices into the figures of a table, sums over its strata:
# F_…: Σ c·log2 c over the strata, the rows (levels of x), the columns (levels of y) and the cells.
# R_…: Σ log2 R(kx, c) over the strata and over the columns, Σ log2 R(ky, c) over the strata and over the rows.
# CHI2: Σ n_xy²·n_z/(n_x·n_y). DF: Σ (rows that occur − 1)·(columns that occur − 1). STRATA: strata that occur.
# ROWS: rows of data in the table, all of them unless cells are missing.
F_Z, F_X, F_Y, F_XY, R_X, R_X_GIVEN_Y, R_Y, R_Y_GIVEN_X, CHI2, DF, STRATA, ROWS, FIGURES = range(13)


class Rule(NamedTuple):
    """How a test decides from the figures of a table.

    Attributes
    ----------
    kind : int
        SCI, G2, X2 or CMI; EVERYTHING sets all figures.
    threshold : float
        Bits (SCI), log10 α (G2, X2) or bits per row (CMI) that a dependence must exceed.
    min_bits : float
        SCI: the bits that a dependence must exceed beside ε, which depends on the rows of a test; 0 for other kinds.
    adjusted : int
        1 if the degrees of freedom count only rows and columns that occur in their stratum.
    min_rows_per_df : float
        With fewer rows per degree of freedom a χ² test is skipped: its result is independence.
    """

    kind: int
    threshold: float
    min_bits: float
    adjusted: int
    min_rows_per_df: float


@leaf
def chi2_units(n_rows: int, kx: int, ky: int) -> float:
    """Units of Σ n_xy²·n_z/(n_x·n_y), which is at most n·min(kx, ky)."""
    return 2.0 ** (61 - math.ceil(math.log2(n_rows * min(kx, ky) + 1.0)))


@leaf
def measure(
    table: Array, strata: Integer, kx: int, ky: int, row_x: int, row_y: int, clog: Array, log_regret: Array,
    units: float, kind: Integer, chi2_unit: float, scratch: Array, figures: Array,
) -> None:  # fmt: skip
    """Set ``figures`` to the sums over a dense table.

    Parameters
    ----------
    table : int64 array, shape (≥ strata·kx·ky,)
        Cell (z, a, b) is at ``(z·kx + a)·ky + b``; strata without rows contribute nothing.
    row_x, row_y, clog, log_regret, units
        See ``LogTables``. They are passed one by one: for a tuple, numba counts a reference per array at every call.
    scratch : int64 array, shape (≥ 1, ≥ ky)
        Row 0 is overwritten by the margin of y.
    """
    regrets = kind == SCI or kind == EVERYTHING
    if kx == 2 and ky == 2 and kind != X2 and kind != EVERYTHING:
        _measure_fourfold(table, strata, kx, row_x, row_y, clog, log_regret, units, kind, figures)
        return
    # Local variables: adding to an array element at every cell would wait for memory.
    sum_z = sum_x = sum_y = sum_xy = 0
    regret_x = regret_x_given_y = regret_y = regret_y_given_x = 0
    chi2 = df = occupied = rows_in_all = 0
    at = np.int64(0)
    for _ in range(strata):
        first = at
        for b in range(ky):
            scratch[0, b] = 0
        rows = occurring_x = occurring_y = 0
        for _ in range(kx):
            rows_a = 0
            for b in range(ky):
                c = table[at]
                at += 1
                rows_a += c
                scratch[0, b] += c
                sum_xy += entropy_term(clog, units, c)
            if rows_a > 0:
                rows += rows_a
                occurring_x += 1
                sum_x += entropy_term(clog, units, rows_a)
                if regrets:
                    regret_y_given_x += regret_term(log_regret, units, row_y, ky, rows_a)
        if rows == 0:
            continue
        for b in range(ky):
            if scratch[0, b] > 0:
                occurring_y += 1
                sum_y += entropy_term(clog, units, scratch[0, b])
                if regrets:
                    regret_x_given_y += regret_term(log_regret, units, row_x, kx, scratch[0, b])
        occupied += 1
        rows_in_all += rows
        sum_z += entropy_term(clog, units, rows)
        df += (occurring_x - 1) * (occurring_y - 1)
        if regrets:
            regret_x += regret_term(log_regret, units, row_x, kx, rows)
            regret_y += regret_term(log_regret, units, row_y, ky, rows)
        if kind == X2 or kind == EVERYTHING:
            chi2 += _chi2_of_stratum(table, first, kx, ky, rows, scratch, chi2_unit)
    figures[F_Z], figures[F_X], figures[F_Y], figures[F_XY] = sum_z, sum_x, sum_y, sum_xy
    figures[R_X], figures[R_X_GIVEN_Y] = regret_x, regret_x_given_y
    figures[R_Y], figures[R_Y_GIVEN_X] = regret_y, regret_y_given_x
    figures[CHI2], figures[DF], figures[STRATA], figures[ROWS] = chi2, df, occupied, rows_in_all


@leaf
def _measure_fourfold(
    table: Array, strata: Integer, k: int, row_x: int, row_y: int, clog: Array, log_regret: Array, units: float,
    kind: Integer, figures: Array,
) -> None:  # fmt: skip
    """``measure`` for two columns of two levels (k = 2), without χ² and without branches that depend on the data."""
    sum_z = sum_x = sum_y = sum_xy = 0
    regret_x = regret_x_given_y = regret_y = regret_y_given_x = 0
    df = occupied = rows_in_all = 0
    for z in range(strata):
        c00: Any = np.int64(table[4 * z])
        c01: Any = np.int64(table[4 * z + 1])
        c10: Any = np.int64(table[4 * z + 2])
        c11: Any = np.int64(table[4 * z + 3])
        x0, x1, y0, y1 = c00 + c01, c10 + c11, c00 + c10, c01 + c11
        rows = x0 + x1
        sum_xy += entropy_term(clog, units, c00) + entropy_term(clog, units, c01)
        sum_xy += entropy_term(clog, units, c10) + entropy_term(clog, units, c11)
        sum_x += entropy_term(clog, units, x0) + entropy_term(clog, units, x1)
        sum_y += entropy_term(clog, units, y0) + entropy_term(clog, units, y1)
        sum_z += entropy_term(clog, units, rows)
        occupied += min(rows, 1)
        rows_in_all += rows
        df += min(min(x0, x1), 1) * min(min(y0, y1), 1)
        if kind == SCI:  # log2 R(2, 0) = 0: rows and columns that do not occur add nothing
            regret_x += regret_term(log_regret, units, row_x, k, rows)
            regret_x_given_y += regret_term(log_regret, units, row_x, k, y0)
            regret_x_given_y += regret_term(log_regret, units, row_x, k, y1)
            regret_y += regret_term(log_regret, units, row_y, k, rows)
            regret_y_given_x += regret_term(log_regret, units, row_y, k, x0)
            regret_y_given_x += regret_term(log_regret, units, row_y, k, x1)
    figures[F_Z], figures[F_X], figures[F_Y], figures[F_XY] = sum_z, sum_x, sum_y, sum_xy
    figures[R_X], figures[R_X_GIVEN_Y] = regret_x, regret_x_given_y
    figures[R_Y], figures[R_Y_GIVEN_X] = regret_y, regret_y_given_x
    figures[CHI2], figures[DF], figures[STRATA], figures[ROWS] = 0, df, occupied, rows_in_all


@leaf
def chi2_cell(c: int, rows: int, rows_x: int, rows_y: int, unit: float) -> int:
    """n_xy²·n_z/(n_x·n_y) of one cell in units; the sum over all cells − n is Pearson's X²."""
    return round((float(c) * c / (float(rows_x) * rows_y)) * rows * unit)


@leaf
def _chi2_of_stratum(table: Array, first: Integer, kx: int, ky: int, rows: int, scratch: Array, unit: float) -> int:
    """Σ n_xy²·n_z/(n_x·n_y) over the cells of one stratum in units; row 0 of ``scratch`` has n_y."""
    total = 0
    for a in range(kx):
        rows_a = 0
        for b in range(ky):
            rows_a += table[first + a * ky + b]
        for b in range(ky):
            c = table[first + a * ky + b]
            if c > 0:
                total += chi2_cell(c, rows, rows_a, scratch[0, b], unit)
    return total


@leaf
def information(figures: Array) -> int:
    """n·I(X;Y|Z) = Σ c·log2 c over cells and strata − Σ c·log2 c over rows and columns, in units."""
    return figures[F_XY] + figures[F_Z] - figures[F_X] - figures[F_Y]


@leaf
def sci(figures: Array) -> int:
    """SCI = n·I + max{Δ(X|Z) − Δ(X|Z,Y), Δ(Y|Z) − Δ(Y|Z,X)} in units, not clipped at 0."""
    gain_x = figures[R_X] - figures[R_X_GIVEN_Y]
    gain_y = figures[R_Y] - figures[R_Y_GIVEN_X]
    return information(figures) + max(gain_x, gain_y)


@leaf
def chi2_statistic(figures: Array, kind: int, units: float, chi2_unit: float) -> float:
    """G² = 2·ln 2·n·I, or X² = Σ (n_xy − e)²/e = Σ n_xy²/e − n."""
    if kind == X2:
        return figures[CHI2] / chi2_unit - figures[ROWS]
    return 2 * math.log(2) * (information(figures) / units)


@leaf
def configurations(arity: Array, given: Array, n_given: Integer) -> float:
    """Π k_z over the first n_given of the given columns; a float, since it can pass every integer."""
    product = 1.0
    for d in range(n_given):
        product *= float(arity[given[d]])
    return product


@leaf
def nominal_df(kx: int, ky: int, configurations: float) -> float:
    """(k_x − 1)(k_y − 1)·Π k_z, from the levels of whole columns, whether or not they occur together."""
    return float(kx - 1) * float(ky - 1) * configurations


@leaf
def rounding(n_rows: int) -> float:
    """ε = max(1e-6, 1e-9·n): bits that are taken for 0."""
    return max(1e-6, 1e-9 * n_rows)


@inlined
def strength(
    figures: Array, rule: Rule, nominal: float, units: float, chi2_unit: float, known: float
) -> tuple[float, int]:
    """Return the strength of a test, and 1 if it was made or 0 if skipped for too few rows per degree of freedom.

    A test without a row in which all its columns are complete is skipped, too.

    ``nominal`` are the degrees of freedom of a rule that does not adjust them, see ``nominal_df``.
    The strength is SCI − threshold in bits, I − threshold in bits per row, or log10 α − log10 p. Strength > 0 is
    dependence, and a larger strength is a stronger dependence. Where a strength above ``known`` > 0 changes nothing,
    ``known`` is returned in place of one for which a bound shows that it is above; infinity is for the strength itself.
    """
    n_rows = figures[ROWS]
    if rule.kind == SCI:  # with fewer rows than the data have ε is smaller
        threshold = min(rule.threshold, max(rule.min_bits, rounding(n_rows)))
        return sci(figures) / units - threshold, min(n_rows, 1)
    if rule.kind == CMI:
        bits = information(figures) / units
        return (bits / n_rows if bits > rounding(n_rows) else 0.0) - rule.threshold, min(n_rows, 1)
    df = float(figures[DF]) if rule.adjusted == 1 else nominal
    if df <= 0 or n_rows == 0:
        return rule.threshold, min(n_rows, 1)
    if n_rows < rule.min_rows_per_df * df:
        return rule.threshold, 0
    statistic = chi2_statistic(figures, rule.kind, units, chi2_unit)
    if 0 < known < rule.threshold - chi2_log10_bound(statistic, df) - ROUNDING_OF_BOUND * (1 + statistic):
        return known, 1
    return rule.threshold - chi2_log10_tail(statistic, df), 1
