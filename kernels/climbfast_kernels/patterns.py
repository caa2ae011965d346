"""The two patterns of tests that every search consists of: ``sweep`` and ``weakest``; and ``examine`` for one test.

``sweep`` tests many candidates given one set. ``weakest`` finds for every candidate its weakest strength over many
sets. ``examine`` sets all figures of one test.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import inlined, kernel, leaf
from climbfast_kernels.bits import Array, Bits, Integer, prefetch_bitmaps
from climbfast_kernels.cost_model import AUTO, BITMAPS, NS_PER_ROW_HELD, cheapest_strategy
from climbfast_kernels.counts import count_and_measure
from climbfast_kernels.counts_by_blocks import are_counted_by_blocks, count_by_blocks
from climbfast_kernels.distinct import hold_distinct_rows, ns_to_hold_distinct_rows
from climbfast_kernels.independence import (
    EVERYTHING,
    G2,
    ROWS,
    SCI,
    STRATA,
    X2,
    Rule,
    chi2_units,
    configurations,
    measure,
    nominal_df,
    strength,
)
from climbfast_kernels.log_tables import LogTables
from climbfast_kernels.pair_bounds import FEWEST_BITMAPS, UNKNOWN, find_surely_above
from climbfast_kernels.pairs import sweep_pairs
from climbfast_kernels.set_sums import are_remembered, recall_each, remember_figures, remember_regrets
from climbfast_kernels.shared_strata import are_shared, sweep_in_strata
from climbfast_kernels.workspace import (
    MOST_HELD_COLUMNS,
    MOST_HELD_LEVELS,
    S_FEWEST,
    S_HELD,
    S_WEIGHTED,
    Workspace,
    open_strata,
)


class Sweeps(NamedTuple):
    """Many sweeps: for sweep s, tests of target[s] and candidates[first[s] : first[s + 1]] given its columns.

    Attributes
    ----------
    target : int64 array, shape (sweeps,)
    first, candidates : int64 arrays, shapes (sweeps + 1,) and (tests,)
        Where the candidates of each sweep begin, and the candidates.
    first_given, given : int64 arrays, shapes (sweeps + 1,) and (columns,)
        Where the given columns of each sweep begin, and these columns.
    """

    target: Array
    first: Array
    candidates: Array
    first_given: Array
    given: Array


class Queries(NamedTuple):
    """Many calls of ``weakest``: for query q, candidates[first[q] : first[q + 1]] of target[q] given sets of its pool.

    Attributes
    ----------
    target : int64 array, shape (queries,)
    first, candidates, pairs : int64 arrays, shapes (queries + 1,), (tests,) and (tests,)
        Where the candidates of each query begin, the candidates, and the number of each pair of target and candidate.
    first_pool, pool : int64 arrays, shapes (queries + 1,) and (columns,)
        Where the pool of each query begins, and the pools.
    """

    target: Array
    first: Array
    candidates: Array
    pairs: Array
    first_pool: Array
    pool: Array


# Distinct rows are held if all tests are expected to take this many times as long as holding them. More than 1, because
# candidates are separated on the way, and then fewer tests are made than expected.
HOLD_WHEN_LONGER = 3


@kernel
def weakest(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, strategy: int, target: int,
    candidates: Array, pool: Array, fixed: Array, smallest: Integer, largest: int, known: Array,
) -> tuple[Array, Array, Array, Array, int]:  # fmt: skip
    """min strength(target, candidate | fixed ∪ S) over S ⊆ pool, smallest ≤ |S| ≤ largest, for every candidate.

    Sizes ascend; subsets of one size are in lexicographic order of ``pool``; sets that contain the candidate are
    omitted. A candidate is separated at its first strength ≤ 0, and is not tested again.

    Parameters
    ----------
    known : float64 array, shape (candidates,)
        Minima over the sets of earlier calls; the new minima start from these.

    Returns
    -------
    strengths : float64 array, shape (candidates,)
        The minima.
    separated : bool array, shape (candidates,)
        Whether the candidate was separated.
    separators : int64 array, shape (candidates, largest)
        The S that separated the candidate; the rest is -1.
    tests : int64 array, shape (fixed + largest + 1,)
        Number of tests made, by the number of given columns.
    skipped : int
        Number of tests skipped for too few rows per degree of freedom, or for none.
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
    values = np.empty(n_candidates, np.float64)
    buffer = np.empty((5, n_candidates), np.int64)  # one, since each array that is made takes as long as a small test
    places, columns, made, rows, strata = buffer[0], buffer[1], buffer[2], buffer[3], buffer[4]
    may_hold = strategy == AUTO and work.state[S_HELD] == 0 and work.state[S_WEIGHTED] == 0
    has_bounds = strategy == AUTO and rule.kind != X2 and n_fixed == 0
    is_above, information = np.zeros(n_candidates, np.bool_), np.full(n_candidates, UNKNOWN, np.int64)
    for size in range(smallest, largest + 1):
        subset = np.empty(size, np.int64)
        for j in range(size):
            subset[j] = j
        sets_done, counted = 0, np.int64(0)
        while left > 0:
            for j in range(size):
                given[n_fixed + j] = pool[subset[j]]
            n_given = n_fixed + size
            open_strata(work, given, n_given)
            if has_bounds and size == 1 and bits.arity[target] * bits.arity[given[0]] >= FEWEST_BITMAPS:
                find_surely_above(
                    bits, log_tables, work.table, rule, target, candidates, given[0], strengths, separated, information,
                    is_above,
                )  # fmt: skip
            n_open = 0
            for i in range(n_candidates):
                if separated[i] or _contains(given, n_given, candidates[i]):
                    continue
                if is_above[i]:
                    tests[n_given] += 1
                    is_above[i] = False
                    continue
                places[n_open], columns[n_open], values[n_open], made[n_open] = i, candidates[i], strengths[i], -1
                n_open += 1
            has_sums = are_remembered(bits, rule, strategy, target, given, n_given)
            begin: Integer = np.int64(0)
            while begin < n_open:
                end: Integer = n_open
                if has_sums:
                    begin, lacks_regrets = recall_each(
                        work.sums, bits.arity, bits.n_rows, log_tables.units, rule, target, given, n_given, begin,
                        n_open, places, columns, values, made, work.figures,
                    )  # fmt: skip
                    end = begin + 1 if lacks_regrets else n_open
                by_blocks = are_counted_by_blocks(bits, work, strategy, target, columns, begin, end)
                _test_each(
                    codes, bits, log_tables, work, rule, strategy, target, columns, begin, end, given, n_given, left,
                    by_blocks, has_sums, values, made, rows, strata,
                )  # fmt: skip
                counted += end - begin
                begin = end
            if work.stop[0] != 0:  # then some tests are not made
                left = 0
                break
            for j in range(n_open):
                i = places[j]
                tests[n_given] += made[j]
                skipped += 1 - made[j]
                strengths[i] = min(strengths[i], values[j])
                if values[j] <= 0:
                    separated[i] = True
                    left -= 1
                    for d in range(size):
                        separators[i, d] = pool[subset[d]]
            sets_done += 1
            # After 1, 2, 4, … sets, so that asking takes little of the time.
            if may_hold and size > 0 and left > 0 and sets_done & (sets_done - 1) == 0:
                tests_to_come = (_number_of_sets(pool.shape[0], size) - sets_done) * counted / sets_done
                may_hold = not _hold_if_faster(
                    codes, bits, work, target, candidates, separated, pool, fixed, size, left, tests_to_come
                )
            if not next_subset(subset, pool.shape[0]):
                break
    work.state[S_HELD] = 0
    return strengths, separated, separators, tests, skipped


@kernel
def weakest_each(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, strategy: int, queries: Queries,
    fixed: Array, smallest: int, largest: int, strengths: Array, separated: Array, separators: Array,
) -> tuple[Array, int]:  # fmt: skip
    """``weakest`` for many targets, one after the other; a pair that one of them separates is not tested by later ones.

    Parameters
    ----------
    strengths : float64 array, shape (pairs,)
        Minima over the sets of earlier calls; set in place to the new minima.
    separated : bool array, shape (pairs,)
        Set in place for pairs that are separated; those that are so at first are not tested.
    separators : int64 array, shape (pairs, largest)
        The S that separated the pair, set in place from the first element on; the rest stays.

    Returns
    -------
    tests, skipped
        See ``weakest``.
    """
    tests, skipped = np.zeros(fixed.shape[0] + max(largest, 0) + 1, np.int64), 0
    for q in range(queries.target.shape[0]):
        begin, left = queries.first[q], 0
        candidates = np.empty(queries.first[q + 1] - begin, np.int64)
        pairs, known = np.empty(candidates.shape[0], np.int64), np.empty(candidates.shape[0], np.float64)
        for i in range(candidates.shape[0]):
            pair = queries.pairs[begin + i]
            if not separated[pair]:
                candidates[left], pairs[left], known[left] = queries.candidates[begin + i], pair, strengths[pair]
                left += 1
        if left == 0:
            continue
        pool = queries.pool[queries.first_pool[q] : queries.first_pool[q + 1]]
        weaker, independent, subsets, made, more = weakest(
            codes, bits, log_tables, work, rule, strategy, queries.target[q], candidates[:left], pool, fixed,
            np.int64(smallest), largest, known[:left],
        )  # fmt: skip
        skipped += more
        for size in range(made.shape[0]):
            tests[size] += made[size]
        for i in range(left):
            strengths[pairs[i]], separated[pairs[i]] = weaker[i], independent[i]
            if independent[i]:
                for j in range(subsets.shape[1]):
                    separators[pairs[i], j] = subsets[i, j]
    return tests, skipped


def weakest_around(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, strategy: int, target: int,
    candidates: Array, pool: Array, fixed: Array, smallest: int, largest: int, known: Array,
) -> tuple[Array, Array, Array, Array, int]:  # fmt: skip
    """``weakest`` for callers that are not compiled: by ``weakest_each``, so that the former is compiled only there."""
    n = len(candidates)
    largest = min(largest, len(pool))
    strengths, separated = known.copy(), np.zeros(n, np.bool_)
    separators = np.full((n, max(largest, 0)), -1, np.int64)
    ends = np.array([[0, n], [0, len(pool)]], np.int64)
    one = Queries(np.array([target], np.int64), ends[0], candidates, np.arange(n), ends[1], pool)
    tests, skipped = weakest_each(
        codes, bits, log_tables, work, rule, strategy, one, fixed, smallest, largest, strengths, separated, separators
    )
    return strengths, separated, separators, tests, skipped


@leaf
def _number_of_sets(n: int, size: int) -> float:
    """Return how many sets of a size there are out of n columns."""
    sets = 1.0
    for j in range(size):
        sets *= (n - j) / (j + 1)
    return sets


@kernel
def _hold_if_faster(
    codes: Array, bits: Bits, work: Workspace, target: int, candidates: Array, separated: Array, pool: Array,
    fixed: Array, size: int, left: int, tests: float,
) -> bool:  # fmt: skip
    """Hold the distinct rows of all columns if that many tests are expected to take far longer; return if it was tried.

    The open strata must be those of a set of the tests.
    """
    first = 0
    while separated[first]:
        first += 1
    ns_each = cheapest_strategy(bits, work, target, candidates[first], left)[1]
    ns = tests * ns_each
    if ns < HOLD_WHEN_LONGER * ns_to_hold_distinct_rows(bits, size + 2):
        return False
    columns = np.empty(MOST_HELD_COLUMNS, np.int64)
    columns[0] = target
    n = _append_new(columns, np.int64(1), fixed)
    n = _append_new(columns, n, pool)
    n = _append_new(columns, n, candidates)
    if n > MOST_HELD_COLUMNS or ns < HOLD_WHEN_LONGER * ns_to_hold_distinct_rows(bits, n):
        return False
    for j in range(n):
        if bits.arity[columns[j]] + int(bits.incomplete[columns[j]]) > MOST_HELD_LEVELS:
            return False
    # With more distinct rows, a pass over them would take longer than a table takes without them.
    most = min(int(ns_each / NS_PER_ROW_HELD), work.weight.shape[0])
    hold_distinct_rows(codes, bits, work, columns[:n], most)
    return True


@leaf
def _append_new(columns: Array, n: Integer, more: Array) -> Integer:
    """Append the columns of ``more`` that are not among the first n; return the new n, too large if they do not fit."""
    for j in range(more.shape[0]):
        if n > columns.shape[0]:  # they do not fit
            return n
        if not _contains(columns, n, more[j]):
            if n < columns.shape[0]:
                columns[n] = more[j]
            n += 1
    return n


@kernel
def sweep_each(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, strategy: int, sweeps: Sweeps,
    only_strongest: int,
) -> tuple[Array, Array, Array, Array]:  # fmt: skip
    """strength(target, candidate | given) for every candidate of every sweep.

    Parameters
    ----------
    only_strongest : int
        1 if only the first of the strongest candidates of each sweep is asked for, and its strength if it is
        dependent: others may be -inf.

    Returns
    -------
    strengths : float64 array, shape (tests,)
    made : int64 array, shape (tests,)
        1 for a test made, 0 for a test skipped for too few rows per degree of freedom, or for none.
    rows, strata : int64 arrays, shape (tests,)
        Number of rows, and of strata that occur, of each test made; not set for others.
    """
    n = sweeps.candidates.shape[0]
    strengths, made = np.full(n, np.inf), np.full(n, -1, np.int64)
    rows, strata = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for s in range(sweeps.target.shape[0]):
        given = sweeps.given[sweeps.first_given[s] : sweeps.first_given[s + 1]]
        n_given, begin, end = given.shape[0], sweeps.first[s], sweeps.first[s + 1]
        open_strata(work, given, n_given)
        by_blocks = are_counted_by_blocks(bits, work, strategy, sweeps.target[s], sweeps.candidates, begin, end)
        if (
            strategy == AUTO
            and not by_blocks
            and are_shared(bits, log_tables, work, rule, sweeps.target[s], end - begin)
        ):
            sweep_in_strata(
                codes, bits, log_tables, work, rule, sweeps.target[s], sweeps.candidates[begin:end], given,
                only_strongest, strengths[begin:end], made[begin:end], rows[begin:end], strata[begin:end],
            )  # fmt: skip
        _test_each(
            codes, bits, log_tables, work, rule, strategy, sweeps.target[s], sweeps.candidates, begin, end, given,
            n_given, end - begin, by_blocks, False, strengths, made, rows, strata,
        )  # fmt: skip
        if work.stop[0] != 0:
            break
    return strengths, made, rows, strata


@inlined
def _test_each(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, rule: Rule, strategy: int, target: int,
    candidates: Array, begin: Integer, end: Integer, given: Array, n_given: int, sharing: Integer, by_blocks: int,
    has_sums: int, strengths: Array, made: Array, rows: Array, strata: Array,
) -> None:  # fmt: skip
    """Make the tests of candidates[begin:end] in the open strata that have made[i] = -1; set the arrays in place.

    strengths[i] is at first what ``strength`` calls ``known``. ``sharing`` is the number of candidates of the strata,
    ``by_blocks`` whether the tables of these are counted together, see ``counts_by_blocks``, and ``has_sums`` whether
    sums over sets are remembered, see ``set_sums``.
    """
    first = 0
    n_strata = count_by_blocks(bits, work, target, candidates[begin:end]) if by_blocks else 0
    for i in range(begin, end):
        if work.stop[0] != 0 or (by_blocks and n_strata == 0):
            return
        if made[i] >= 0:
            continue
        y = candidates[i]
        kx, ky = bits.arity[target], bits.arity[y]
        cells = n_strata * kx * ky
        first += cells
        nominal = nominal_df(kx, ky, configurations(bits.arity, given, n_given))
        counted_by_df = rule.kind == G2 or rule.kind == X2
        if counted_by_df and rule.adjusted == 0 and bits.n_rows < rule.min_rows_per_df * nominal:
            strengths[i], made[i] = rule.threshold, 0
            continue
        chi2_unit = chi2_units(bits.n_rows, kx, ky) if rule.kind == X2 or rule.kind == EVERYTHING else 1.0
        keeps_sums = has_sums and not bits.incomplete[y]
        if by_blocks:
            table = work.table[first - cells : first]
            measure(
                table, n_strata, kx, ky, log_tables.regret_row[target], log_tables.regret_row[y], log_tables.clog,
                log_tables.log_regret, log_tables.units, rule.kind, chi2_unit, work.by_level, work.figures,
            )  # fmt: skip
            if keeps_sums and rule.kind == SCI:
                remember_regrets(
                    work.sums, target, given, n_given, y, bits.arity, log_tables.regret_row, log_tables.log_regret,
                    log_tables.units, candidates[begin:end], table, n_strata,
                )  # fmt: skip
        else:
            if i + 1 < end:
                prefetch_bitmaps(bits, candidates[i + 1])
            count_and_measure(codes, bits, log_tables, work, target, y, rule, chi2_unit, strategy, sharing)
        if keeps_sums:
            remember_figures(work.sums, rule.kind, target, given, n_given, y, bits.arity, work.figures)
        strengths[i], made[i] = strength(work.figures, rule, nominal, log_tables.units, chi2_unit, strengths[i])
        rows[i], strata[i] = work.figures[ROWS], work.figures[STRATA]
        if made[i] == 1 and kx > 1 and ky > 1:  # a constant decides nothing
            work.state[S_FEWEST] = min(work.state[S_FEWEST], work.figures[ROWS])


@leaf
def _contains(columns: Array, n: Integer, column: int) -> bool:
    """Whether ``column`` is among the first n of ``columns``."""
    for j in range(n):  # noqa: SIM110 - any() over a generator does not compile
        if columns[j] == column:
            return True
    return False


@leaf
def next_subset(subset: Array, n: int) -> bool:
    """Replace a subset of 0..n−1 by the next one of its size in lexicographic order; return False after the last."""
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
        Number of tests skipped for too few rows per degree of freedom, or for none.
    """

    def one_by_one(of: Array) -> tuple[Array, int]:
        ends = np.array([[0, len(of)], [0, len(given)]], np.int64)
        one = Sweeps(np.array([target], np.int64), ends[0], of, ends[1], given)
        found, made, _, _ = sweep_each(codes, bits, log_tables, work, rule, strategy, one, 0)
        return found, len(of) - int(made.sum())

    by_pairs = not len(given) and strategy in (AUTO, BITMAPS) and rule.kind != EVERYTHING
    if not by_pairs or bits.offset[target] < 0 or bits.incomplete[target]:
        return one_by_one(candidates)
    strengths = np.full(len(candidates), np.nan)
    skipped = sweep_pairs(
        bits.words, bits.offset, bits.arity, bits.count, bits.incomplete, bits.n_rows, log_tables.regret_row,
        log_tables.clog, log_tables.log_regret, log_tables.units, rule, target, candidates, work.table,
        work.figures, work.stop, strengths,
    )  # fmt: skip
    left = np.flatnonzero(np.isnan(strengths))
    if len(left):
        strengths[left], more = one_by_one(candidates[left])
        skipped += more
    return strengths, skipped


def examine(
    codes: Array, bits: Bits, log_tables: LogTables, work: Workspace, strategy: int, x: int, y: int, given: Array
) -> float:
    """Set all ``work.figures`` for the table of x and y given other columns; return the units of its CHI2."""
    everything = Rule(EVERYTHING, 0.0, 0.0, 0, 0.0)
    sweep(codes, bits, log_tables, work, everything, strategy, x, np.array([y], np.int64), given)
    return chi2_units(bits.n_rows, bits.arity[x], bits.arity[y])
