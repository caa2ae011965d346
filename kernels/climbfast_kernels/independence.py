"""A contingency table -> n·I, regrets, χ², degrees of freedom -> the strength of a test.

A table holds the counts by stratum z of the given columns, level of x and level of y. Everything that a test
needs of it is a sum over its cells or margins: the ``figures``, integers in fixed point (see entropy.py).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from climbfast_kernels._jit import inlined, leaf
from climbfast_kernels.bits import Array, Integer
from climbfast_kernels.chi2 import chi2_log10_tail
from climbfast_kernels.entropy import entropy_term
from climbfast_kernels.regret import regret_term

SCI, G2, X2, CMI, EVERYTHING = range(5)

# The figures of a table: Σ c·log2 c over strata, rows, columns and cells; Σ log2 R(kx, ·) over strata and
# columns, Σ log2 R(ky, ·) over strata and rows; Σ n_xy²·n_z/(n_x·n_y); Σ (rows that
# occur − 1)(columns − 1); strata that occur.
F_Z, F_X, F_Y, F_XY, R_X, R_X_GIVEN_Y, R_Y, R_Y_GIVEN_X, CHI2, DF, STRATA, FIGURES = range(12)


class Rule(NamedTuple):
    """What a test does with its figures.

    Attributes
    ----------
    kind : int
        SCI, G2, X2 or CMI; EVERYTHING fills all figures.
    threshold : float
        Bits (SCI), log10 α (G2, X2) or bits per row (CMI) that dependence has to exceed.
    tiny : float
        Bits of n·I that count as rounding (ε).
    adjusted : int
        1 when degrees of freedom count only rows and columns that occur in their stratum.
    min_rows_per_df : float
        With fewer rows per degree of freedom a χ² test is skipped: independent.
    """

    kind: int
    threshold: float
    tiny: float
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
    """Sum the figures of a dense table; ``figures`` is set, row 0 of ``scratch`` (≥ ky wide) holds the margin of y.

    Parameters
    ----------
    table : int32 array, shape (≥ strata·kx·ky,)
        Cell (z, a, b) at ``(z·kx + a)·ky + b``; strata without rows contribute nothing.
    row_x, row_y, clog, log_regret, units
        See ``LogTables``; not passed as one, since a tuple of arrays costs a reference an array at every call.
    """
    regrets = kind == SCI or kind == EVERYTHING
    if kx == 2 and ky == 2 and kind != X2 and kind != EVERYTHING:
        _measure_fourfold(table, strata, kx, row_x, row_y, clog, log_regret, units, kind, figures)
        return
    # Sums in local variables: adding to the array at every cell would wait for memory at every cell.
    sum_z = sum_x = sum_y = sum_xy = 0
    regret_x = regret_x_given_y = regret_y = regret_y_given_x = 0
    chi2 = df = occupied = 0
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
    figures[CHI2], figures[DF], figures[STRATA] = chi2, df, occupied


@leaf
def _measure_fourfold(
    table: Array, strata: Integer, k: int, row_x: int, row_y: int, clog: Array, log_regret: Array, units: float,
    kind: Integer, figures: Array,
) -> None:  # fmt: skip
    """Do what ``measure`` does for two columns of two levels, all but χ² (k = 2), without a branch that data decide."""
    sum_z = sum_x = sum_y = sum_xy = 0
    regret_x = regret_x_given_y = regret_y = regret_y_given_x = 0
    df = occupied = 0
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
        df += min(min(x0, x1), 1) * min(min(y0, y1), 1)
        if kind == SCI:  # R(2, 0) = 1, so rows and columns that do not occur add nothing
            regret_x += regret_term(log_regret, units, row_x, k, rows)
            regret_x_given_y += regret_term(log_regret, units, row_x, k, y0)
            regret_x_given_y += regret_term(log_regret, units, row_x, k, y1)
            regret_y += regret_term(log_regret, units, row_y, k, rows)
            regret_y_given_x += regret_term(log_regret, units, row_y, k, x0)
            regret_y_given_x += regret_term(log_regret, units, row_y, k, x1)
    figures[F_Z], figures[F_X], figures[F_Y], figures[F_XY] = sum_z, sum_x, sum_y, sum_xy
    figures[R_X], figures[R_X_GIVEN_Y] = regret_x, regret_x_given_y
    figures[R_Y], figures[R_Y_GIVEN_X] = regret_y, regret_y_given_x
    figures[CHI2], figures[DF], figures[STRATA] = 0, df, occupied


@leaf
def chi2_cell(c: int, rows: int, rows_x: int, rows_y: int, unit: float) -> int:
    """n_xy²·n_z/(n_x·n_y) of one cell in units; their sum less n is Pearson's X², zero cells included."""
    return round((float(c) * c / (float(rows_x) * rows_y)) * rows * unit)


@leaf
def _chi2_of_stratum(table: Array, first: Integer, kx: int, ky: int, rows: int, scratch: Array, unit: float) -> int:
    """Σ over the cells of one stratum of n_xy²·n_z/(n_x·n_y), row 0 of ``scratch`` holding n_y."""
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
    """n·I(X;Y|Z) = Σ c·log2 c over cells and strata less that over rows and columns, in units."""
    return figures[F_XY] + figures[F_Z] - figures[F_X] - figures[F_Y]


@leaf
def sci(figures: Array) -> int:
    """SCI = n·I + max{Δ(X|Z) − Δ(X|Z,Y), Δ(Y|Z) − Δ(Y|Z,X)} in units, not clipped at 0."""
    gain_x = figures[R_X] - figures[R_X_GIVEN_Y]
    gain_y = figures[R_Y] - figures[R_Y_GIVEN_X]
    return information(figures) + max(gain_x, gain_y)


@leaf
def chi2_statistic(figures: Array, kind: int, units: float, chi2_unit: float, n_rows: int) -> float:
    """G² = 2·ln 2·n·I, or X² = Σ (n_xy − e)²/e = Σ n_xy²/e − n."""
    if kind == X2:
        return figures[CHI2] / chi2_unit - n_rows
    return 2 * math.log(2) * (information(figures) / units)


@inlined
def strength(
    figures: Array, rule: Rule, nominal_df: float, units: float, chi2_unit: float, n_rows: int
) -> tuple[float, int]:
    """Return the one number of a test, and 1, or 0 when it is skipped for too few rows per degree of freedom.

    > 0 is dependent, larger is stronger: SCI − ε in bits, I − δ in bits per row, log10 α − log10 p.
    """
    if rule.kind == SCI:
        return sci(figures) / units - rule.threshold, 1
    if rule.kind == CMI:
        bits = information(figures) / units
        return (bits / n_rows if bits > rule.tiny else 0.0) - rule.threshold, 1
    df = float(figures[DF]) if rule.adjusted == 1 else nominal_df
    if df <= 0:
        return rule.threshold, 1
    if n_rows < rule.min_rows_per_df * df:
        return rule.threshold, 0
    statistic = chi2_statistic(figures, rule.kind, units, chi2_unit, n_rows)
    return rule.threshold - chi2_log10_tail(statistic, df), 1
