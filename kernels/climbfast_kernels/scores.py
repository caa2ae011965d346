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

from climbfast_kernels._jit import inlined, kernel, leaf
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.counts import count_table
from climbfast_kernels.counts_by_sorting import run_end, tally_levels
from climbfast_kernels.entropy import entropy_term
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.patterns import Sweeps
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
MOST_TALLIED = 2048


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


class Tally(NamedTuple):
    """How often each count occurs in a table: every term depends on a count alone, so that it is computed once.

    Attributes
    ----------
    cells, configurations : int64 arrays, shape (MOST_TALLIED,)
        Number of cells, and of configurations of the parents, by their count.
    of_cells, of_configurations : int64 arrays
        The counts that occur, in the order in which they were met; larger ones than MOST_TALLIED once for every cell.
    state : int64 array, shape (2,)
        The numbers of elements of these.
    """

    cells: Array
    configurations: Array
    of_cells: Array
    of_configurations: Array
    state: Array


class TermsOfScores(NamedTuple):
    """The terms of several scores, for which every table is counted once.

    Attributes
    ----------
    kind, sample_prior, units : int64, float64 and float64 arrays, shape (scores,)
        See ``Terms``.
    """

    kind: Array
    sample_prior: Array
    units: Array


def terms_of_scores(kinds: list[int], sample_priors: list[float], log_tables: LogTables) -> TermsOfScores:
    """Return the terms of scores in their units."""
    units = [log_tables.units / COARSER if kind == BDEU else log_tables.units for kind in kinds]
    return TermsOfScores(np.array(kinds, np.int64), np.array(sample_priors, np.float64), np.array(units, np.float64))


@kernel
def score_families(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, terms: TermsOfScores, strategy: int,
    sweeps: Sweeps,
) -> tuple[Array, Array]:  # fmt: skip
    """score(target | given ∪ {candidate}) in units for every candidate of every sweep, without penalties.

    Returns
    -------
    scores : int64 array, shape (scores, candidates)
    rows : int64 array, shape (candidates,)
        Number of rows of data in which no cell of the family is missing.
    """
    n = sweeps.candidates.shape[0]
    scores, rows = np.zeros((terms.kind.shape[0], n), np.int64), np.zeros(n, np.int64)
    tally = _empty_tally(work)
    for s in range(sweeps.target.shape[0]):
        target = sweeps.target[s]
        first, stop = sweeps.first_given[s], sweeps.first_given[s + 1]
        open_strata(work, sweeps.given[first:stop], stop - first)
        first, stop = sweeps.first[s], sweeps.first[s + 1]
        for i in range(first, stop):
            if work.stop[0] != 0:
                return scores, rows
            candidate = sweeps.candidates[i]
            n_strata = count_table(codes, bits, work, target, candidate, strategy, stop - first)
            if n_strata > 0:
                rows[i] = _tally_table(bits, work, tally, target, candidate, n_strata)
            else:
                rows[i] = _tally_runs(codes, bits, work, tally, candidate)
            configurations = product_of_given(bits, work) * bits.arity[candidate]
            for t in range(terms.kind.shape[0]):
                of_score = Terms(terms.kind[t], terms.sample_prior[t], terms.units[t])
                scores[t, i] = _sum_tally(bits, log_tables, of_score, tally, target, configurations)
            _clear_tally(tally)
    return scores, rows


@kernel
def compare_families(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, terms: TermsOfScores, strategy: int,
    sweeps: Sweeps,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """score(target | given ∪ {candidate}) and score(target | given) over the same rows, for all candidates and scores.

    Returns
    -------
    scores, without : int64 arrays, shape (scores, candidates)
        In units, without penalties, over the rows in which neither the target, a given column nor the candidate is
        missing.
    rows : int64 array, shape (candidates,)
        Number of these rows.
    """
    n, n_scores = sweeps.candidates.shape[0], terms.kind.shape[0]
    scores, without = np.zeros((n_scores, n), np.int64), np.zeros((n_scores, n), np.int64)
    rows = np.zeros(n, np.int64)
    tally = _empty_tally(work)
    for s in range(sweeps.target.shape[0]):
        target = sweeps.target[s]
        first, stop = sweeps.first_given[s], sweeps.first_given[s + 1]
        open_strata(work, sweeps.given[first:stop], stop - first)
        fewer = product_of_given(bits, work)
        first, stop = sweeps.first[s], sweeps.first[s + 1]
        for i in range(first, stop):
            if work.stop[0] != 0:
                return scores, without, rows
            candidate = sweeps.candidates[i]
            n_strata = count_table(codes, bits, work, target, candidate, strategy, stop - first)
            if n_strata > 0:
                rows[i] = _tally_table(bits, work, tally, target, candidate, n_strata)
            else:
                rows[i] = _tally_runs(codes, bits, work, tally, candidate)
            for t in range(n_scores):
                of_score = Terms(terms.kind[t], terms.sample_prior[t], terms.units[t])
                configurations = fewer * bits.arity[candidate]
                scores[t, i] = _sum_tally(bits, log_tables, of_score, tally, target, configurations)
            _clear_tally(tally)
            if n_strata > 0:
                _tally_margins(bits, work, tally, target, candidate, n_strata)
            else:
                _tally_margins_of_runs(codes, bits, work, tally, candidate)
            for t in range(n_scores):
                of_score = Terms(terms.kind[t], terms.sample_prior[t], terms.units[t])
                without[t, i] = _sum_tally(bits, log_tables, of_score, tally, target, fewer)
            _clear_tally(tally)
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
    configurations = min(configurations, MOST_CELLS / k)
    prior = terms.sample_prior / configurations
    prior_cell = terms.sample_prior / (configurations * k)
    return prior, prior_cell, math.lgamma(prior) / math.log(2), math.lgamma(prior_cell) / math.log(2)


@kernel
def _empty_tally(work: Workspace) -> Tally:
    """Return a tally for the tables of the rows of a workspace: no row is in two cells of one."""
    most = MOST_TALLIED + work.by_row.shape[1]
    return Tally(
        np.zeros(MOST_TALLIED, np.int64), np.zeros(MOST_TALLIED, np.int64), np.empty(most, np.int64),
        np.empty(most, np.int64), np.zeros(2, np.int64),
    )  # fmt: skip


@inlined
def _tally_cell(tally: Tally, c: Integer) -> None:
    """Enter the count of a cell."""
    if c >= MOST_TALLIED or tally.cells[c] == 0:
        tally.of_cells[tally.state[0]] = c
        tally.state[0] += 1
    if c < MOST_TALLIED:
        tally.cells[c] += 1


@inlined
def _tally_configuration(tally: Tally, c: Integer) -> None:
    """Enter the count of a configuration of the parents."""
    if c >= MOST_TALLIED or tally.configurations[c] == 0:
        tally.of_configurations[tally.state[1]] = c
        tally.state[1] += 1
    if c < MOST_TALLIED:
        tally.configurations[c] += 1


@leaf
def _clear_tally(tally: Tally) -> None:
    """Make a tally empty again."""
    for j in range(tally.state[0]):
        if tally.of_cells[j] < MOST_TALLIED:
            tally.cells[tally.of_cells[j]] = 0
    for j in range(tally.state[1]):
        if tally.of_configurations[j] < MOST_TALLIED:
            tally.configurations[tally.of_configurations[j]] = 0
    tally.state[0] = tally.state[1] = 0


@leaf
def _sum_tally(
    bits: Bits, log_tables: LogTables, terms: Terms, tally: Tally, target: int, configurations: float
) -> int:
    """Return Σ C(n_zx) − Σ P(n_z) of the counts of a tally."""
    k, row = bits.arity[target], log_tables.regret_row[target]
    prior, prior_cell, log2_gamma, log2_gamma_cell = _priors(terms, configurations, k)
    total = 0
    for j in range(tally.state[0]):
        c = tally.of_cells[j]
        times = tally.cells[c] if c < MOST_TALLIED else 1
        total += times * _cell_term(c, log_tables, terms, prior_cell, log2_gamma_cell)
    for j in range(tally.state[1]):
        c = tally.of_configurations[j]
        times = tally.configurations[c] if c < MOST_TALLIED else 1
        total -= times * _configuration_term(c, log_tables, terms, row, k, prior, log2_gamma)
    return total


@leaf
def _tally_table(bits: Bits, work: Workspace, tally: Tally, target: int, candidate: int, n_strata: int) -> int:
    """Enter a table whose cell (z, a, b) is at ``(z·kx + a)·ky + b``; return the number of rows in it.

    The configurations are those of (z, b).
    """
    kx, ky = bits.arity[target], bits.arity[candidate]
    table, margin = work.table, work.by_level[TALLY]
    at = rows = 0
    for _ in range(n_strata):
        for _ in range(kx):
            for b in range(ky):
                c = table[at]
                at += 1
                if c > 0:
                    margin[b] += c
                    _tally_cell(tally, c)
        for b in range(ky):
            if margin[b] > 0:
                rows += margin[b]
                _tally_configuration(tally, margin[b])
                margin[b] = 0
    return rows


@leaf
def _tally_margins(bits: Bits, work: Workspace, tally: Tally, target: int, candidate: int, n_strata: int) -> None:
    """Enter the margins over the candidate of the table of ``_tally_table``: the counts of (z, a) and of z."""
    kx, ky = bits.arity[target], bits.arity[candidate]
    at = 0
    for _ in range(n_strata):
        rows = 0
        for _ in range(kx):
            rows_a = 0
            for _ in range(ky):
                rows_a += work.table[at]
                at += 1
            if rows_a > 0:
                rows += rows_a
                _tally_cell(tally, rows_a)
        if rows > 0:
            _tally_configuration(tally, rows)


@leaf
def _tally_margins_of_runs(codes: Array, bits: Bits, work: Workspace, tally: Tally, candidate: int) -> None:
    """``_tally_margins`` from the rows sorted by (given, target)."""
    by_row, n = work.by_row, work.state[S_SORTED]
    begin = 0
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
                _tally_cell(tally, rows_a)
            begin = stop
        if rows > 0:
            _tally_configuration(tally, rows)


@leaf
def _tally_runs(codes: Array, bits: Bits, work: Workspace, tally: Tally, candidate: int) -> int:
    """``_tally_table`` from the rows sorted by (given, target), stratum by stratum, without a table."""
    by_row, by_level = work.by_row, work.by_level
    n = work.state[S_SORTED]
    begin = rows = 0
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
                _tally_cell(tally, c)
                if by_level[TALLY_Z, y] == 0:
                    by_level[LEVELS_Z, occurring] = y
                    occurring += 1
                by_level[TALLY_Z, y] += c
            at = stop
        for j in range(occurring):
            y = by_level[LEVELS_Z, j]
            _tally_configuration(tally, by_level[TALLY_Z, y])
            by_level[TALLY_Z, y] = 0
        begin = end
    return rows
