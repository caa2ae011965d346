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
from climbfast_kernels.workspace import (
    LEVELS,
    LEVELS_Z,
    S_SORTED,
    TALLY,
    TALLY_Z,
    Workspace,
    open_strata,
    product_of_given,
)

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
) -> tuple[Array, Array]:  # fmt: skip
    """score(target | given ∪ {candidate}) in units for every candidate, without penalties.

    Returns
    -------
    scores : int64 array, shape (candidates,)
    rows : int64 array, shape (candidates,)
        Number of rows of data in which no cell of the family is missing.
    """
    scores, rows = np.zeros(candidates.shape[0], np.int64), np.zeros(candidates.shape[0], np.int64)
    open_strata(work, given, given.shape[0])
    k = bits.arity[target]
    for i in range(candidates.shape[0]):
        if work.stop[0] != 0:
            break
        candidate = candidates[i]
        configurations = min(product_of_given(bits, work) * bits.arity[candidate], MOST_CELLS / k)
        n_strata = count_table(codes, bits, work, target, candidate, strategy, candidates.shape[0])
        if n_strata > 0:
            scores[i], rows[i] = _sum_table(bits, log_tables, work, terms, target, candidate, n_strata, configurations)
        else:
            scores[i], rows[i] = _sum_runs(codes, bits, log_tables, work, terms, target, candidate, configurations)
    return scores, rows


@kernel
def compare_families(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, terms: Terms, strategy: int, target: int,
    candidates: Array, given: Array,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """score(target | given ∪ {candidate}) and score(target | given) over the same rows, for every candidate.

    Returns
    -------
    scores, without : int64 arrays, shape (candidates,)
        In units, without penalties, over the rows in which neither the target, a given column nor the candidate is
        missing.
    rows : int64 array, shape (candidates,)
        Number of these rows.
    """
    n = candidates.shape[0]
    scores, without, rows = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    open_strata(work, given, given.shape[0])
    k = bits.arity[target]
    for i in range(n):
        if work.stop[0] != 0:
            break
        candidate = candidates[i]
        fewer = min(product_of_given(bits, work), MOST_CELLS / k)
        configurations = min(product_of_given(bits, work) * bits.arity[candidate], MOST_CELLS / k)
        n_strata = count_table(codes, bits, work, target, candidate, strategy, n)
        if n_strata > 0:
            scores[i], rows[i] = _sum_table(bits, log_tables, work, terms, target, candidate, n_strata, configurations)
            without[i] = _sum_margins(bits, log_tables, work, terms, target, candidate, n_strata, fewer)
        else:
            scores[i], rows[i] = _sum_runs(codes, bits, log_tables, work, terms, target, candidate, configurations)
            without[i] = _sum_margins_of_runs(codes, bits, log_tables, work, terms, target, candidate, fewer)
    return scores, without, rows


def score_alone(counts: list[int], arity: Array, log_tables: LogTables, terms: Terms, target: int) -> int:
    """score(target | ∅) in units from the counts of the levels that occur: the configuration of no parents is one."""
    k, row = int(arity[target]), int(log_tables.regret_row[target])
    prior, prior_cell = terms.sample_prior, terms.sample_prior / k
    log2_gamma, log2_gamma_cell = (math.lgamma(a) / math.log(2) for a in (prior, prior_cell))
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
def _priors(terms: Terms, configurations: float, k: int) -> tuple[float, float, float, float]:
    """Return the prior counts a of a configuration and of a cell, and log2 Γ(a) of both."""
    prior = terms.sample_prior / configurations
    prior_cell = terms.sample_prior / (configurations * k)
    return prior, prior_cell, math.lgamma(prior) / math.log(2), math.lgamma(prior_cell) / math.log(2)


@leaf
def _sum_table(
    bits: Bits, log_tables: LogTables, work: Workspace, terms: Terms, target: int, candidate: int, n_strata: int,
    configurations: float,
) -> tuple[int, int]:  # fmt: skip
    """Return Σ C(cell) − Σ P(configuration (z, b)) of a table whose cell (z, a, b) is at ``(z·kx + a)·ky + b``.

    The second is the number of rows in the table.
    """
    kx, ky = bits.arity[target], bits.arity[candidate]
    row = log_tables.regret_row[target]
    table, margin = work.table, work.by_level[TALLY]
    prior, prior_cell, log2_gamma, log2_gamma_cell = _priors(terms, configurations, kx)
    total = at = rows = 0
    for _ in range(n_strata):
        for _ in range(kx):
            for b in range(ky):
                c = table[at]
                at += 1
                if c > 0:
                    margin[b] += c
                    total += _cell_term(c, log_tables, terms, prior_cell, log2_gamma_cell)
        for b in range(ky):
            if margin[b] > 0:
                rows += margin[b]
                total -= _configuration_term(margin[b], log_tables, terms, row, kx, prior, log2_gamma)
                margin[b] = 0
    return total, rows


@leaf
def _sum_margins(
    bits: Bits, log_tables: LogTables, work: Workspace, terms: Terms, target: int, candidate: int, n_strata: int,
    configurations: float,
) -> int:  # fmt: skip
    """Σ C(n_za) − Σ P(n_z) of the margins over the candidate of the table of ``_sum_table``."""
    kx, ky = bits.arity[target], bits.arity[candidate]
    row = log_tables.regret_row[target]
    prior, prior_cell, log2_gamma, log2_gamma_cell = _priors(terms, configurations, kx)
    total = at = 0
    for _ in range(n_strata):
        rows = 0
        for _ in range(kx):
            rows_a = 0
            for _ in range(ky):
                rows_a += work.table[at]
                at += 1
            if rows_a > 0:
                rows += rows_a
                total += _cell_term(rows_a, log_tables, terms, prior_cell, log2_gamma_cell)
        if rows > 0:
            total -= _configuration_term(rows, log_tables, terms, row, kx, prior, log2_gamma)
    return total


@leaf
def _sum_margins_of_runs(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, terms: Terms, target: int, candidate: int,
    configurations: float,
) -> int:  # fmt: skip
    """``_sum_margins`` from the rows sorted by (given, target)."""
    by_row, k, n = work.by_row, bits.arity[target], work.state[S_SORTED]
    row = log_tables.regret_row[target]
    prior, prior_cell, log2_gamma, log2_gamma_cell = _priors(terms, configurations, k)
    total = begin = 0
    while begin < n:
        end = run_end(by_row, begin, n, np.int32(2))
        rows = 0
        while begin < end:
            stop = run_end(by_row, begin, end, np.int32(1))
            met, rows_a = tally_levels(codes, candidate, bits.arity[candidate], work, begin, stop, np.int64(TALLY))
            for j in range(met):
                work.by_level[TALLY, work.by_level[LEVELS, j]] = 0
            if rows_a > 0:
                rows += rows_a
                total += _cell_term(rows_a, log_tables, terms, prior_cell, log2_gamma_cell)
            begin = stop
        if rows > 0:
            total -= _configuration_term(rows, log_tables, terms, row, k, prior, log2_gamma)
    return total


@leaf
def _sum_runs(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, terms: Terms, target: int, candidate: int,
    configurations: float,
) -> tuple[int, int]:  # fmt: skip
    """Return what ``_sum_table`` does, from the rows sorted by (given, target), stratum by stratum, without a table."""
    by_row, by_level = work.by_row, work.by_level
    k, n = bits.arity[target], work.state[S_SORTED]
    row = log_tables.regret_row[target]
    prior, prior_cell, log2_gamma, log2_gamma_cell = _priors(terms, configurations, k)
    total = begin = rows = 0
    while begin < n:
        end = run_end(by_row, begin, n, np.int32(2))
        occurring = 0
        at = begin
        while at < end:
            stop = run_end(by_row, at, end, np.int32(1))
            met, rows_x = tally_levels(codes, candidate, bits.arity[candidate], work, at, stop, np.int64(TALLY))
            rows += rows_x
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
    return total, rows
