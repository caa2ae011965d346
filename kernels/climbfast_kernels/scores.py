"""Local scores of families (a column and its parents), for score-based searches of graphs.

score(X | Z) = Σ_{z,x} C(n_zx) − Σ_z P(n_z), a term for every cell and one for every configuration of the parents:

- likelihood: C = P = c·log2 c, so the sum is −n·H(X|Z). The penalties of BIC, AIC and qNML depend only on the
  arities; the caller subtracts them.
- fNML: P = c·log2 c + log2 R(k, c), so the sum is −SC(X|Z).
- BDeu: C and P are log2 Γ(a + c)/Γ(a). a is the prior count of a cell, or of a configuration: the sample prior
  divided by the number of cells, or of configurations, also empty ones. Empty cells contribute log2 Γ(a)/Γ(a) = 0.

Each term is rounded to fixed point (see ``entropy``), so a sum is the same in every order of rows, columns and levels.
For likelihood and BDeu a term depends only on a set of columns: equivalent graphs have equal sums.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import kernel, leaf
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.counts import count_table
from climbfast_kernels.counts_by_sorting import run_end, tally_levels
from climbfast_kernels.entropy import entropy_term
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.regret import regret_term
from climbfast_kernels.workspace import LEVELS, LEVELS_Z, TALLY, TALLY_Z, Workspace, open_strata, product_of_given

LIKELIHOOD, FNML, BDEU = range(3)

MOST_CELLS = 1e290  # prior counts stay normal floats, and log2 of a ratio of two of them stays accurate
# BDeu's terms reach n·log2(1/a); those of the other scores stay below n·log2 n. Coarser units avoid an overflow.
COARSER = 64.0
STIRLING_FROM = 16


class Terms(NamedTuple):
    """The kind of terms that a score sums.

    Attributes
    ----------
    kind : int
        LIKELIHOOD, FNML or BDEU.
    sample_prior : float
        Equivalent sample size of BDeu.
    units : float
        Units per bit of the sums.
    """

    kind: int
    sample_prior: float
    units: float


def terms(kind: int, sample_prior: float, log_tables: LogTables) -> Terms:
    """Return the terms of a score in its units."""
    units = log_tables.units / COARSER if kind == BDEU else log_tables.units
    return Terms(kind, float(sample_prior), units)  # for an int, numba would compile every kernel again


@kernel
def score_families(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, terms: Terms, strategy: int, target: int,
    candidates: Array, given: Array,
) -> Array:  # fmt: skip
    """score(target | given ∪ {candidate}) in units for every candidate, without penalties.

    Returns
    -------
    scores : int64 array, shape (candidates,)
    """
    scores = np.zeros(candidates.shape[0], np.int64)
    open_strata(work, given, given.shape[0])
    k = bits.arity[target]
    for i in range(candidates.shape[0]):
        if work.stop[0] != 0:
            break
        candidate = candidates[i]
        configurations = min(product_of_given(bits, work) * bits.arity[candidate], MOST_CELLS / k)
        n_strata = count_table(codes, bits, work, target, candidate, strategy, candidates.shape[0])
        if n_strata > 0:
            scores[i] = _sum_table(bits, log_tables, work, terms, target, candidate, n_strata, configurations)
        else:
            scores[i] = _sum_runs(codes, bits, log_tables, work, terms, target, candidate, configurations)
    return scores


def score_alone(codes: Array, arity: Array, log_tables: LogTables, terms: Terms, target: int) -> int:
    """score(target | ∅) in units: all rows have the one configuration of no parents."""
    k, row = int(arity[target]), int(log_tables.regret_row[target])
    prior, prior_cell = terms.sample_prior, terms.sample_prior / k
    log2_gamma, log2_gamma_cell = (math.lgamma(a) / math.log(2) for a in (prior, prior_cell))
    counts = [int(c) for c in np.bincount(codes[target]) if c]
    cells = sum(_cell_term(c, log_tables, terms, prior_cell, log2_gamma_cell) for c in counts)
    return int(cells - _configuration_term(sum(counts), log_tables, terms, row, k, prior, log2_gamma))


@leaf
def log2_rising(c: Integer, a: float, log2_gamma: float) -> float:
    """log2 Γ(a + c)/Γ(a) = log2 a(a+1)…(a+c−1); for c ≥ 16 by Stirling's series. ``log2_gamma`` is log2 Γ(a)."""
    if c < STIRLING_FROM:
        product = 1.0
        for i in range(c):
            product *= a + i
        return math.log2(product)
    z = a + c
    inverse = 1 / z
    square = inverse * inverse
    series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)))
    return (z - 0.5) * math.log2(z) + (0.5 * math.log(2 * math.pi) - z + series) / math.log(2) - log2_gamma


@leaf
def _cell_term(c: Integer, log_tables: LogTables, terms: Terms, a: float, log2_gamma: float) -> int:
    """C(c) in units."""
    if terms.kind == BDEU:
        return round(log2_rising(c, a, log2_gamma) * terms.units)
    return entropy_term(log_tables.clog, log_tables.units, c)


@leaf
def _configuration_term(
    c: Integer, log_tables: LogTables, terms: Terms, row: int, k: int, a: float, log2_gamma: float
) -> int:
    """P(c) in units."""
    if terms.kind == BDEU:
        return round(log2_rising(c, a, log2_gamma) * terms.units)
    if terms.kind == FNML:
        regret = regret_term(log_tables.log_regret, log_tables.units, row, k, c)
        return entropy_term(log_tables.clog, log_tables.units, c) + regret
    return entropy_term(log_tables.clog, log_tables.units, c)


@leaf
def _sum_table(
    bits: Bits, log_tables: LogTables, work: Workspace, terms: Terms, target: int, candidate: int, n_strata: int,
    configurations: float,
) -> int:  # fmt: skip
    """Σ C(cell) − Σ P(configuration (z, b)) of a table whose cell (z, a, b) is at ``(z·kx + a)·ky + b``."""
    kx, ky = bits.arity[target], bits.arity[candidate]
    row = log_tables.regret_row[target]
    table, margin = work.table, work.by_level[TALLY]
    prior = terms.sample_prior / configurations
    prior_cell = terms.sample_prior / (configurations * kx)
    log2_gamma = math.lgamma(prior) / math.log(2)
    log2_gamma_cell = math.lgamma(prior_cell) / math.log(2)
    total = at = 0
    for _ in range(n_strata):
        for _ in range(kx):
            for b in range(ky):
                c = np.int64(table[at])  # the type of the margins: the terms are compiled for one type only
                at += 1
                if c > 0:
                    margin[b] += c
                    total += _cell_term(c, log_tables, terms, prior_cell, log2_gamma_cell)
        for b in range(ky):
            if margin[b] > 0:
                total -= _configuration_term(margin[b], log_tables, terms, row, kx, prior, log2_gamma)
                margin[b] = 0
    return total


@leaf
def _sum_runs(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, terms: Terms, target: int, candidate: int,
    configurations: float,
) -> int:  # fmt: skip
    """Σ C(cell) − Σ P(configuration) from the rows sorted by (given, target), stratum by stratum, without a table."""
    by_row, by_level = work.by_row, work.by_level
    k, n = bits.arity[target], by_row.shape[1]
    row = log_tables.regret_row[target]
    prior = terms.sample_prior / configurations
    prior_cell = terms.sample_prior / (configurations * k)
    log2_gamma = math.lgamma(prior) / math.log(2)
    log2_gamma_cell = math.lgamma(prior_cell) / math.log(2)
    total = begin = 0
    while begin < n:
        end = run_end(by_row, begin, n, np.int32(2))
        occurring = 0
        at = begin
        while at < end:
            stop = run_end(by_row, at, end, np.int32(1))
            met = tally_levels(codes, candidate, by_row, at, stop, by_level, np.int64(TALLY))
            for j in range(met):
                y = by_level[LEVELS, j]
                c = by_level[TALLY, y]
                by_level[TALLY, y] = 0
                total += _cell_term(c, log_tables, terms, prior_cell, log2_gamma_cell)
                if by_level[TALLY_Z, y] == 0:
                    by_level[LEVELS_Z, occurring] = y
                    occurring += 1
                by_level[TALLY_Z, y] += c
            at = stop
        for j in range(occurring):
            y = by_level[LEVELS_Z, j]
            total -= _configuration_term(by_level[TALLY_Z, y], log_tables, terms, row, k, prior, log2_gamma)
            by_level[TALLY_Z, y] = 0
        begin = end
    return total
