"""The two loops that every search is made of: ``sweep`` and ``weakest``; and ``examine``, one test in full.

One test in full is a sweep of one candidate that leaves its figures behind.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import inlined, kernel, leaf
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.counts import AUTO, BITMAPS, NS_PER_ROW_HELD, cheapest, count_and_measure
from climbfast_kernels.distinct import hold_distinct_rows, ns_to_hold
from climbfast_kernels.independence import EVERYTHING, G2, X2, Rule, chi2_units, strength
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.pairs import sweep_pairs
from climbfast_kernels.workspace import MOST_HELD_COLUMNS, MOST_HELD_LEVELS, S_HELD, Workspace, open_strata


class Sweeps(NamedTuple):
    """Sweeps to make, one after the other.

    Attributes
    ----------
    target : int64 array, shape (sweeps,)
    first, candidates : int64 arrays, shapes (sweeps + 1,) and (tests,)
        Where the candidates of each begin.
    first_given, given : int64 arrays, shapes (sweeps + 1,) and (columns,)
        Where the given columns of each begin.
    """

    target: Array
    first: Array
    candidates: Array
    first_given: Array
    given: Array


# Distinct rows are held when the tests are expected to take so many times longer than that: candidates leave, and then
# fewer tests are made than expected.
HOLD_WHEN_LONGER = 3


@kernel
def weakest(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, strategy: int, target: int,
    candidates: Array, pool: Array, fixed: Array, smallest: Integer, largest: int, known: Array,
) -> tuple[Array, Array, Array, Array, int]:  # fmt: skip
    """min strength(target, candidate | fixed ∪ S) over S ⊆ pool, smallest ≤ |S| ≤ largest, for every candidate.

    Sizes ascend, subsets of a size come in lexicographic order of ``pool``, sets that hold the candidate are
    passed over. A candidate leaves at its first strength ≤ 0.

    Parameters
    ----------
    known : float64 array, shape (candidates,)
        Minima over sets tested before, with which the minima begin.

    Returns
    -------
    strengths : float64 array, shape (candidates,)
        The minima.
    separated : bool array, shape (candidates,)
        Whether the candidate left.
    separators : int64 array, shape (candidates, largest)
        For a candidate that left, the S at which it did, filled up with -1.
    tests : int64 array, shape (fixed + largest + 1,)
        Tests made, by the number of given columns.
    skipped : int
        Tests skipped for too few rows per degree of freedom.
    """
    n_fixed, n_candidates = fixed.shape[0], candidates.shape[0]
    largest = min(largest, pool.shape[0])
    strengths = np.empty(n_candidates, np.float64)
    for i in range(n_candidates):
        strengths[i] = known[i]
    separated = np.zeros(n_candidates, np.bool_)
    separators = np.full((n_candidates, max(largest, 0)), -1, np.int64)
    tests = np.zeros(n_fixed + max(largest, 0) + 1, np.int64)
    skipped = 0
    given = np.empty(n_fixed + max(largest, 0), np.int64)
    for j in range(n_fixed):
        given[j] = fixed[j]
    left = n_candidates
    for size in range(smallest, largest + 1):
        subset = np.empty(size, np.int64)
        for j in range(size):
            subset[j] = j
        if left > 0 and size > 0 and strategy == AUTO and work.state[S_HELD] == 0:
            for j in range(size):
                given[n_fixed + j] = pool[j]
            open_strata(work, given, n_fixed + size)
            _hold_if_it_pays(codes, bits, work, target, candidates, separated, pool, fixed, size, left)
        while left > 0:
            for j in range(size):
                given[n_fixed + j] = pool[subset[j]]
            n_given = n_fixed + size
            open_strata(work, given, n_given)
            for i in range(n_candidates):
                if separated[i] or _holds(given, n_given, candidates[i]):
                    continue
                value, made = _test(
                    codes, bits, log_tables, work, rule, strategy, target, candidates[i], given, n_given, left
                )
                tests[n_given] += made
                skipped += 1 - made
                strengths[i] = min(strengths[i], value)
                if value <= 0:
                    separated[i] = True
                    left -= 1
                    for j in range(size):
                        separators[i, j] = pool[subset[j]]
            if not _next_subset(subset, pool.shape[0]):
                break
    work.state[S_HELD] = 0
    return strengths, separated, separators, tests, skipped


@kernel
def _hold_if_it_pays(
    codes: Array, bits: Bits, work: Workspace, target: int, candidates: Array, separated: Array, pool: Array,
    fixed: Array, size: int, left: int,
) -> None:  # fmt: skip
    """Hold the distinct rows of all columns when the tests given sets of one size may well take far longer.

    The strata of the first set are open.
    """
    first = 0
    while separated[first]:
        first += 1
    sets = 1.0
    for j in range(size):
        sets *= (pool.shape[0] - j) / (j + 1)
    ns_each = cheapest(bits, work, target, candidates[first], left)[1]
    ns = sets * left * ns_each
    if ns < HOLD_WHEN_LONGER * ns_to_hold(bits, size + 2):
        return
    columns = np.empty(MOST_HELD_COLUMNS, np.int64)
    columns[0] = target
    many = _gather(columns, np.int64(1), fixed)
    many = _gather(columns, many, pool)
    many = _gather(columns, many, candidates)
    if many > MOST_HELD_COLUMNS or ns < HOLD_WHEN_LONGER * ns_to_hold(bits, many):
        return
    for j in range(many):
        if bits.arity[columns[j]] > MOST_HELD_LEVELS:
            return
    # More of them than that, and one more pass over them takes longer than a table did.
    most = min(int(ns_each / NS_PER_ROW_HELD), work.weight.shape[0])
    hold_distinct_rows(codes, bits, work, columns[:many], most)


@leaf
def _gather(columns: Array, many: Integer, more: Array) -> Integer:
    """Put those of ``more`` that are new behind the first ``many`` columns; return how many they are, or want to be."""
    for j in range(more.shape[0]):
        if many > columns.shape[0]:  # too many
            return many
        if not _holds(columns, many, more[j]):
            if many < columns.shape[0]:
                columns[many] = more[j]
            many += 1
    return many


@kernel
def sweep_each(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, strategy: int, sweeps: Sweeps
) -> tuple[Array, Array]:
    """strength(target, candidate | given) for every candidate of every sweep.

    Returns
    -------
    strengths : float64 array, shape (tests,)
    made : int64 array, shape (tests,)
        1, or 0 for a test skipped for too few rows per degree of freedom.
    """
    n = sweeps.candidates.shape[0]
    strengths, made = np.empty(n, np.float64), np.empty(n, np.int64)
    for s in range(sweeps.target.shape[0]):
        given = sweeps.given[sweeps.first_given[s] : sweeps.first_given[s + 1]]
        n_given, begin, end = given.shape[0], sweeps.first[s], sweeps.first[s + 1]
        open_strata(work, given, n_given)
        for i in range(begin, end):
            strengths[i], made[i] = _test(
                codes, bits, log_tables, work, rule, strategy, sweeps.target[s], sweeps.candidates[i], given, n_given,
                end - begin,
            )  # fmt: skip
    return strengths, made


@inlined
def _test(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, strategy: int, target: int,
    candidate: int, given: Array, n_given: int, sharing: Integer,
) -> tuple[float, int]:  # fmt: skip
    """Return the strength of one test in the open strata, and 1, or 0 when it was skipped for too few rows."""
    kx, ky = bits.arity[target], bits.arity[candidate]
    nominal_df = float(kx - 1) * float(ky - 1)
    for d in range(n_given):
        nominal_df *= float(bits.arity[given[d]])
    counted_by_df = rule.kind == G2 or rule.kind == X2
    if counted_by_df and rule.adjusted == 0 and bits.n_rows < rule.min_rows_per_df * nominal_df:
        return rule.threshold, 0
    chi2_unit = chi2_units(bits.n_rows, kx, ky) if rule.kind == X2 or rule.kind == EVERYTHING else 1.0
    count_and_measure(codes, bits, log_tables, work, target, candidate, rule.kind, chi2_unit, strategy, sharing)
    return strength(work.figures, rule, nominal_df, log_tables.units, chi2_unit, bits.n_rows)


@leaf
def _holds(columns: Array, n: Integer, column: int) -> bool:
    """Whether ``column`` is among the first n of ``columns``."""
    for j in range(n):  # noqa: SIM110 - any() over a generator does not compile
        if columns[j] == column:
            return True
    return False


@leaf
def _next_subset(subset: Array, n: int) -> bool:
    """Step to the next subset of 0..n−1 of the same size in lexicographic order, in place; False after the last."""
    size = subset.shape[0]
    j = size - 1
    while j >= 0 and subset[j] == n - size + j:
        j -= 1
    if j < 0:
        return False
    subset[j] += 1
    for i in range(j + 1, size):
        subset[i] = subset[i - 1] + 1
    return True


def sweep(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, strategy: int, target: int,
    candidates: Array, given: Array,
) -> tuple[Array, int]:  # fmt: skip
    """strength(target, candidate | given) for every candidate.

    Returns
    -------
    strengths : float64 array, shape (candidates,)
    skipped : int
        Tests skipped for too few rows per degree of freedom.
    """
    strengths = np.full(len(candidates), np.nan)
    skipped = 0
    if not len(given) and strategy in (AUTO, BITMAPS) and rule.kind != EVERYTHING and bits.offset[target] >= 0:
        skipped = sweep_pairs(
            bits.words, bits.offset, bits.arity, bits.count, bits.n_rows, log_tables.regret_row, log_tables.clog,
            log_tables.log_regret, log_tables.units, rule, target, candidates, work.table, work.figures, strengths,
        )  # fmt: skip
    left = np.flatnonzero(np.isnan(strengths))
    if len(left):
        ends = np.array([[0, len(left)], [0, len(given)]], np.int64)
        one = Sweeps(np.array([target], np.int64), ends[0], candidates[left], ends[1], given)
        strengths[left], made = sweep_each(codes, bits, log_tables, work, rule, strategy, one)
        skipped += len(left) - int(made.sum())
    return strengths, skipped


def examine(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, strategy: int, x: int, y: int, given: Array
) -> float:
    """Set ``work.figures``, all of them, for the table of x and y given others; return the unit of its χ² sum."""
    everything = Rule(EVERYTHING, 0.0, 0.0, 0, 0.0)
    sweep(codes, bits, log_tables, work, everything, strategy, x, np.array([y], np.int64), given)
    return chi2_units(bits.n_rows, bits.arity[x], bits.arity[y])
