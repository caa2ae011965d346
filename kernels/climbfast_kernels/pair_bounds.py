"""Lower bounds of strengths given one column, from tables of pairs: most tests of many columns then need no table.

I(X;Y|Z) = I(X;Y) − I(X;Z) + I(X;Z|Y) ≥ I(X;Y) − I(X;Z), for the frequencies of a sample as well. A test whose strength
is above the weakest one so far by this bound changes neither the minimum nor a decision.
"""

from __future__ import annotations

import math

import numpy as np

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.chi2 import chi2_log10_bound
from climbfast_kernels.counts_by_bitmaps import count_pair
from climbfast_kernels.entropy import entropy_term
from climbfast_kernels.independence import CMI, G2, ROUNDING_OF_BOUND, SCI, Rule, nominal_df, rounding
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.pairs import BITMAPS_PER_HISTOGRAM, entropy_of_margin
from climbfast_kernels.regret import regret_term

FEWEST_BITMAPS = 12  # of (stratum, target level); with 4 instead of 12 searches took as long
UNKNOWN = np.iinfo(np.int64).min


@leaf
def find_surely_above(
    bits: Bits, log_tables: LogTables, table: Array, rule: Rule, target: int, candidates: Array, column: int,
    known: Array, separated: Array, information: Array, is_above: Array,
) -> None:  # fmt: skip
    """is_above[i] = whether a bound shows strength(target, candidates[i] | column) > known[i] > 0, set in place.

    Parameters
    ----------
    separated : bool array, shape (candidates,)
        Candidates that are left out, as the column itself is.
    information : int64 array, shape (candidates,)
        n·I(target; candidate) in units, ``UNKNOWN`` at first; set in place where it is needed.
    table
        Overwritten.
    """
    clog, log_regret, units = log_tables.clog, log_tables.log_regret, log_tables.units
    explained = information_of_pair(bits, clog, units, target, column, table)
    if explained < 0:
        return
    row_of_gain: Integer = np.int64(-1)
    gain: Integer = np.int64(0)
    for i in range(candidates.shape[0]):
        y = candidates[i]
        if separated[i] or y == column or known[i] <= 0:
            continue
        if information[i] == UNKNOWN:
            information[i] = information_of_pair(bits, clog, units, target, y, table)
        least = information[i] - explained
        if least <= 0:
            continue
        if rule.kind == SCI:
            row = log_tables.regret_row[y]
            if row < 0:
                continue
            if row != row_of_gain:
                row_of_gain = row
                gain = gain_of_pair(bits, log_regret, units, row, bits.arity[y], target, column, table)
            least += gain
        nominal = nominal_df(bits.arity[target], bits.arity[y], float(bits.arity[column]))
        is_above[i] = is_surely_above(known[i], least, rule, nominal, bits.n_rows, units)


@leaf
def has_pair_table(bits: Bits, x: int, y: int, table: Array) -> bool:
    """Whether the table of two columns is counted fast: both are complete, with bitmaps of few levels."""
    kx, ky = bits.arity[x], bits.arity[y]
    if bits.offset[x] < 0 or bits.offset[y] < 0 or bits.incomplete[x] or bits.incomplete[y]:
        return False
    return kx * ky <= table.shape[0] and (kx - 1) * (ky - 1) <= BITMAPS_PER_HISTOGRAM


@leaf
def information_of_pair(bits: Bits, clog: Array, units: float, x: int, y: int, table: Array) -> int:
    """n·I(X;Y) in units, or −1 without a fast table; the counts are left in ``table``."""
    if not has_pair_table(bits, x, y, table):
        return -1
    kx, ky = bits.arity[x], bits.arity[y]
    count_pair(bits.words, bits.count, bits.offset[x], kx, bits.offset[y], ky, table)
    total = entropy_term(clog, units, bits.n_rows)
    for cell in range(kx * ky):
        total += entropy_term(clog, units, table[cell])
    total -= entropy_of_margin(bits.count, bits.offset[x], kx, clog, units)[0]
    return total - entropy_of_margin(bits.count, bits.offset[y], ky, clog, units)[0]


@leaf
def gain_of_pair(
    bits: Bits, log_regret: Array, units: float, row: int, k: int, x: int, z: int, table: Array
) -> int:  # fmt: skip
    """Σ_z log2 R(k, n_z) − Σ_xz log2 R(k, n_xz) in units: what SCI adds to n·I(X;Y|Z) at least, if Y has k levels."""
    kx, kz = bits.arity[x], bits.arity[z]
    count_pair(bits.words, bits.count, bits.offset[x], kx, bits.offset[z], kz, table)
    total = 0
    for level in range(kz):
        total += regret_term(log_regret, units, row, k, bits.count[bits.offset[z] + level])
    for cell in range(kx * kz):
        total -= regret_term(log_regret, units, row, k, table[cell])
    return total


@leaf
def is_surely_above(known: float, least: int, rule: Rule, nominal: float, n_rows: int, units: float) -> bool:
    """Whether the strength of a test is above ``known`` > 0 if n·I(X;Y|Z), for SCI with its gain, is ``least`` or more.

    The test must be of complete columns. ``nominal`` are its degrees of freedom if all cells occur, of which it has no
    more. The bound must be that of ``chi2_log10_bound``.
    """
    bits = least / units - rounding(n_rows)  # least is a sum of rounded terms, other ones than those of the test
    if rule.kind == SCI:
        return bits - min(rule.threshold, max(rule.min_bits, rounding(n_rows))) > known
    if rule.kind == CMI:
        return bits > rounding(n_rows) and bits / n_rows - rule.threshold > known
    if rule.kind != G2 or n_rows < rule.min_rows_per_df * nominal:
        return False
    statistic = 2 * math.log(2) * bits
    return known < rule.threshold - chi2_log10_bound(statistic, nominal) - ROUNDING_OF_BOUND * (1 + statistic)
