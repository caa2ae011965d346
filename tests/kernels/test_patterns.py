"""The two loops of every search do what their naive twins do."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels import independence, patterns, workspace
from climbfast_kernels._jit import INTERPRETED
from tests import reference
from tests.factories import (
    EXAMPLES,
    STRATEGIES,
    arrays,
    codes_with_gaps,
    draw_codes,
    random_arrays,
    random_gaps,
    small_codes,
    weights_of,
)
from tests.kernels.naive import naive_strength, rows_of, rules

ROWS = 60 if INTERPRETED else 400


def weakest(data, rule, strategy, target, candidates, pool, fixed, sizes, known=None):
    """Minima, separating sets as the reference has them, tests by size, skipped."""
    minima = np.full(len(candidates), np.inf) if known is None else np.array(known)
    strengths, separated, separators, tests, skipped = patterns.weakest_around(
        data.codes, data.bits, data.log_tables, data.workspace(12), rule, strategy, target,
        np.array(candidates, np.int64), np.array(pool, np.int64), np.array(fixed, np.int64), sizes[0], sizes[-1],
        minima,
    )  # fmt: skip
    sets = [
        tuple(sorted([*fixed, *(s for s in row.tolist() if s >= 0)])) if left else None
        for left, row in zip(separated, separators, strict=True)
    ]
    return strengths, sets, Counter({size: n for size, n in enumerate(tests.tolist()) if n}), skipped


def test_a_pair_is_left_out_after_it_was_separated():
    data = random_arrays([3, 2, 4, 2, 2], ROWS)
    no, pool = np.empty(0, np.int64), [1, 2, 3, 4]
    for rule in rules():
        # The pairs 0-1 and 0-2 from both ends, then once more.
        queries = patterns.Queries(
            np.array([0, 1, 2, 0]), np.array([0, 2, 3, 4, 6]), np.array([1, 2, 0, 0, 2, 1]),
            np.array([0, 1, 0, 1, 1, 0]), np.array([0, 4, 5, 6, 7]), np.array([*pool, 3, 4, 4]),
        )  # fmt: skip
        strengths, separated, separators = np.full(2, np.inf), np.zeros(2, np.bool_), np.full((2, 1), -1)
        tests, skipped = patterns.weakest_each(
            data.codes, data.bits, data.log_tables, data.workspace(), rule, 0, queries, no, 1, 1, strengths, separated,
            separators,
        )  # fmt: skip
        expected, sets, made = {(0, 1): np.inf, (0, 2): np.inf}, {}, Counter()
        for target, candidates, of_query in ((0, [1, 2], pool), (1, [0], [3]), (2, [0], [4]), (0, [2, 1], [4])):
            pairs = [(min(target, y), max(target, y)) for y in candidates]
            left = [(y, xy) for y, xy in zip(candidates, pairs, strict=True) if xy not in sets]
            if not left:
                continue
            known = [expected[xy] for _, xy in left]
            minima, found, counts, _ = weakest(data, rule, 0, target, [y for y, _ in left], of_query, [], (1, 1), known)
            made += counts
            for (_, xy), value, given in zip(left, minima, found, strict=True):
                expected[xy] = value
                if given is not None:
                    sets[xy] = given
        assert strengths.tolist() == list(expected.values())
        assert [tuple(row) if left else None for row, left in zip(separators.tolist(), separated, strict=True)] == [
            sets.get(xy) for xy in expected
        ]
        assert (int(tests[1]), skipped) == (made[1], 0)


@pytest.mark.parametrize("given", [[3], [3, 4, 5, 6]], ids=str)
@pytest.mark.parametrize("n_candidates", [2, 4])
def test_a_stop_ends_many_sweeps(given, n_candidates):
    """Tests that share strata, and tests one by one; what was not made by then is not counted as made."""
    data = random_arrays([3, 2, 2, 3, 2, 2, 3, 2, 2], ROWS)
    candidates = [x for x in range(1, 9) if x not in given][:n_candidates]
    ends = np.array([[0, n_candidates], [0, len(given)]])
    one = patterns.Sweeps(np.array([0]), ends[0], np.array(candidates), ends[1], np.array(given))
    work = data.workspace()
    for rule in rules():
        results = []
        for stop in (0, 1, 0):
            work.stop[0] = stop
            found = patterns.sweep_each(data.codes, data.bits, data.log_tables, work, rule, 0, one, 0)
            results.append([array.tolist() for array in found])
        assert results[1][1] == [-1] * n_candidates
        assert results[0][1] == [1] * n_candidates
        assert results[2] == results[0]


def test_a_stop_ends_many_queries():
    data, pool = random_arrays([3, 2, 4, 2, 2], ROWS), np.array([3, 4])
    queries = patterns.Queries(
        np.array([0, 1]), np.array([0, 2, 3]), np.array([1, 2, 0]), np.array([0, 1, 2]), np.array([0, 2, 4]),
        np.tile(pool, 2),
    )  # fmt: skip
    work = data.workspace()
    for rule in rules():
        results = []
        for stop in (0, 1, 0):
            work.stop[0] = stop
            strengths, separated, separators = np.full(3, 9.0), np.zeros(3, np.bool_), np.full((3, 2), -1)
            tests, skipped = patterns.weakest_each(
                data.codes, data.bits, data.log_tables, work, rule, 0, queries, np.empty(0, np.int64), 1, 2, strengths,
                separated, separators,
            )  # fmt: skip
            results.append((strengths.tolist(), separated.tolist(), separators.tolist(), tests.tolist(), skipped))
        assert results[1] == ([9.0] * 3, [False] * 3, [[-1, -1]] * 3, [0, 0, 0], 0)
        assert sum(results[0][3]) > 0
        assert results[2] == results[0]


def never_independent(rule):
    """A rule by which no candidate leaves, so that all sets are tested."""
    return rule._replace(threshold=1e5 if rule.kind in (independence.G2, independence.X2) else -1e5)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("given", [[], [5], [5, 3]])
def test_sweep(strategy, given):
    data = random_arrays([3, 2, 4, 2, 1, 3, 70], ROWS)
    candidates = [c for c in (6, 4, 2, 1, 5, 3) if c not in given]
    for rule in rules():
        strengths, skipped = data.sweep(rule, 0, candidates, given, strategy)
        assert strengths == pytest.approx(reference.sweep(naive_strength(data, rule), 0, candidates, given), abs=1e-7)
        assert skipped == 0


@given(small_codes(), st.data())
@settings(max_examples=EXAMPLES)
def test_every_strategy_sweeps_to_the_same_bits(drawn, draw):
    data = arrays(*drawn)
    target, *others = draw.draw(st.permutations(range(len(data.codes))))
    cut = draw.draw(st.integers(1, len(others)))
    for rule in rules(min_rows_per_df=draw.draw(st.sampled_from([0.0, 5.0]))):
        results = [data.sweep(rule, target, others[:cut], others[cut:], strategy) for strategy in STRATEGIES]
        assert all(r[0].tobytes() == results[0][0].tobytes() and r[1] == results[0][1] for r in results)


def test_sweep_over_no_candidates():
    strengths, skipped = random_arrays([3, 2], 20).sweep(rules()[0], 0, [], [1])
    assert (strengths.tolist(), skipped) == ([], 0)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("pool", "fixed", "sizes"),
    [
        ([2, 3, 4], [], [0, 1, 2]),
        ([4, 2, 3], [5], [0, 1, 2, 3]),
        ([2, 3, 4, 5], [], [2, 3]),
        ([3], [4, 5], [1]),
        ([2, 3], [], [0, 1, 2, 3, 4]),
        ([], [3], [0]),
        ([], [], [0]),
    ],
)
def test_weakest(strategy, pool, fixed, sizes):
    data = random_arrays([3, 2, 4, 2, 3, 2], ROWS, seed=3)
    candidates = [1, 2, 5]
    for rule in rules():
        minima, sets, tests, skipped = weakest(data, rule, strategy, 0, candidates, pool, fixed, sizes)
        expected = reference.weakest(naive_strength(data, rule), 0, candidates, pool, fixed, sizes)
        assert minima == pytest.approx(expected.minima, abs=1e-7)
        assert sets == expected.separating_sets
        assert (tests, skipped) == (expected.tests_by_size, 0)


@given(small_codes(least=4, most=6), st.data())
@settings(max_examples=EXAMPLES)
def test_weakest_on_drawn_tables(drawn, draw):
    data = arrays(*drawn)
    target, *others = draw.draw(st.permutations(range(len(data.codes))))
    cut = draw.draw(st.integers(0, len(others)))
    pool, fixed = others[:cut], others[cut:][:2]
    rule = draw.draw(st.sampled_from(rules()))
    expected = reference.weakest(naive_strength(data, rule), target, others, pool, fixed, range(4))
    first = None
    for strategy in STRATEGIES:
        minima, *rest = weakest(data, rule, strategy, target, others, pool, fixed, range(4))
        assert minima == pytest.approx(expected.minima, abs=1e-7)
        assert rest == [expected.separating_sets, expected.tests_by_size, 0]
        first = minima if first is None else first
        assert minima.tobytes() == first.tobytes()


def test_the_separating_set_separates():
    arities = [2, 3, 2, 2, 3]
    data = arrays(draw_codes(arities, 200, seed=5, lean=0.8), arities)
    rule = rules()[0]
    _, sets, _, _ = weakest(data, rule, 0, 0, [2, 3, 4], [1, 2, 3], [], range(4))
    assert sets == [(1,), (1,), (1,)]
    assert (data.sweep(rule, 0, [2, 3, 4], [1])[0] <= 0).all()


def test_minima_begin_with_what_is_known():
    data = random_arrays([2, 2, 2], ROWS)
    minima, sets, tests, _ = weakest(data, rules()[0], 0, 0, [1], [2], [], [0], known=[0.5])
    assert (minima.tolist(), sets, tests) == ([0.5], [None], Counter({0: 1}))
    minima, sets, _, _ = weakest(data, rules()[0], 0, 0, [1], [2], [], [0], known=[1e9])
    assert minima == pytest.approx(reference.sweep(naive_strength(data, rules()[0]), 0, [1], []), abs=1e-7)
    minima, sets, tests, _ = weakest(data, rules()[0], 0, 0, [1], [2], [], [2], known=[-3.0])
    assert (minima.tolist(), sets, tests) == ([-3.0], [None], Counter()), "no set of that size"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("rule", rules(min_rows_per_df=20.0)[2:], ids=str)
def test_tests_skipped_for_want_of_rows_are_counted_apart(rule, strategy):
    data = random_arrays([3, 2, 4, 2, 3, 2], 60, seed=1)
    strengths, skipped = data.sweep(rule, 0, [1, 2, 3, 4, 5], [], strategy)
    assert strengths == pytest.approx(reference.sweep(naive_strength(data, rule), 0, [1, 2, 3, 4, 5], []), abs=1e-7)
    assert skipped == np.sum(strengths == -2.0)
    assert skipped == 2, "with 4 and 3 levels there are 6 and 4 degrees of freedom, more than 60 rows / 20"
    minima, sets, tests, skipped = weakest(data, rule, strategy, 0, [1, 3, 5], [2, 4], [], range(3))
    expected = reference.weakest(naive_strength(data, rule), 0, [1, 3, 5], [2, 4], [], range(3))
    assert minima == pytest.approx(expected.minima, abs=1e-7)
    assert sets == expected.separating_sets
    assert skipped + tests.total() == expected.tests_by_size.total()


@pytest.mark.parametrize("n", range(6))
@pytest.mark.parametrize("size", range(4))
def test_subsets_come_in_lexicographic_order(n, size):
    if size > n:
        return
    subset = np.arange(size)
    found = [tuple(subset.tolist())]
    while patterns.next_subset(subset, n):
        found.append(tuple(subset.tolist()))
    assert found == list(combinations(range(n), size))
    assert len(found) == comb(n, size)


def test_target_of_more_levels_than_bitmaps():
    data = random_arrays([90, 2, 3, 80], ROWS)
    for rule in rules():
        strengths, _ = data.sweep(rule, 0, [1, 2, 3], [])
        assert strengths == pytest.approx(reference.sweep(naive_strength(data, rule), 0, [1, 2, 3], []), abs=1e-6)


@pytest.mark.skipif(INTERPRETED, reason="many rows")
def test_held_rows_change_nothing():
    """Sets of up to five of ten columns of few distinct rows, by all strategies, against sorting."""
    few = draw_codes([2, 2, 3, 2, 2, 3, 2, 2, 2, 2, 2], 90, seed=3, lean=0.7)
    data = arrays(np.tile(few, 40), [2, 2, 3, 2, 2, 3, 2, 2, 2, 2, 2])
    others, work = list(range(1, 11)), data.workspace(12)
    for rule in rules(min_rows_per_df=20.0):
        rule = never_independent(rule)
        first, *found = (
            weakest(data, rule, strategy, 0, others, others[:8], [], range(1, 6)) for strategy in STRATEGIES
        )
        for each in found:
            assert each[0].tolist() == first[0].tolist()
            assert each[1:] == first[1:]
    patterns.weakest_around(
        data.codes, data.bits, data.log_tables, work, rules()[0], 0, 0, np.array(others), np.array(others),
        np.empty(0, np.int64), 1, 5, np.full(10, np.inf),
    )  # fmt: skip
    assert work.place.any()  # they were held
    assert work.state[workspace.S_HELD] == 0  # and are no longer


@given(codes_with_gaps(least=4, most=6), st.data())
@settings(max_examples=EXAMPLES)
def test_weakest_of_columns_with_missing_cells(drawn, draw):
    """Of repeated rows too, and with tests skipped."""
    codes, arities = drawn
    weights = draw.draw(st.none() | weights_of(codes.shape[1]))
    data = arrays(codes, arities, weights)
    target, *others = draw.draw(st.permutations(range(len(codes))))
    cut = draw.draw(st.integers(0, len(others)))
    pool, fixed = others[:cut], others[cut:][:2]
    rule = draw.draw(st.sampled_from(rules(min_rows_per_df=draw.draw(st.sampled_from([0.0, 5.0])))))
    expected = reference.weakest(naive_strength(data, rule), target, others, pool, fixed, range(4))
    first = None
    for strategy in STRATEGIES:
        found = weakest(data, rule, strategy, target, others, pool, fixed, range(4))
        assert found[0] == pytest.approx(expected.minima, abs=1e-6)
        assert found[1] == expected.separating_sets
        assert found[2].total() + found[3] == expected.tests_by_size.total()
        first = first or found
        assert (found[0].tobytes(), *found[1:]) == (first[0].tobytes(), *first[1:])


def test_the_smallest_number_of_rows_is_kept():
    codes, arities = random_gaps([2, 3, 2, 3], ROWS), [2, 3, 2, 3]
    data, work = arrays(codes, arities), None
    rows = [rows_of(data, columns).shape[1] for columns in ([0, 1], [0, 2], [0, 1, 2])]
    for pool, sizes, expected in [([2], (0, 0), rows[0]), ([2], (0, 1), rows[2]), ([3], (1, 1), rows[0])]:
        work = data.workspace()
        assert work.state[workspace.S_FEWEST] == codes.shape[1]
        patterns.weakest_around(
            data.codes, data.bits, data.log_tables, work, never_independent(rules()[0]), 0, 0, np.array([1]),
            np.array(pool), np.empty(0, np.int64), *sizes, np.array([np.inf]),
        )  # fmt: skip
        assert work.state[workspace.S_FEWEST] == expected
    given = np.empty(0, np.int64)
    sweeps = patterns.Sweeps(np.array([0]), np.array([0, 2]), np.array([1, 2]), np.array([0, 0]), given)
    found = patterns.sweep_each(data.codes, data.bits, data.log_tables, work, rules()[0], 0, sweeps, 0)
    assert [array.tolist() for array in found[1:3]] == [[1, 1], rows[:2]]


@pytest.mark.skipif(INTERPRETED, reason="many rows")
def test_held_rows_with_missing_cells_change_nothing():
    """Sets of up to four of ten columns of few distinct rows."""
    arities = [2, 2, 3, 2, 2, 3, 2, 2, 2, 2, 2]
    codes = np.tile(random_gaps(arities, 90, seed=3), 40)
    data, others = arrays(codes, arities), list(range(1, 11))
    for rule in rules(min_rows_per_df=20.0):
        rule = never_independent(rule)
        first, *found = (
            weakest(data, rule, strategy, 0, others, others[:8], [], range(1, 5)) for strategy in STRATEGIES
        )
        for each in found:
            assert each[0].tolist() == first[0].tolist()
            assert each[1:] == first[1:]
    work = data.workspace(12)
    patterns.weakest_around(
        data.codes, data.bits, data.log_tables, work, rule, 0, 0, np.array(others), np.array(others),
        np.empty(0, np.int64), 1, 4, np.full(10, np.inf),
    )  # fmt: skip
    assert work.place.any()  # they were held


@pytest.mark.skipif(INTERPRETED, reason="many given columns")
def test_weakest_given_seventeen_columns_with_missing_cells():
    arities = [3, 2, *[2, 3] * 8, 70, 2]
    data = arrays(random_gaps(arities, 900, share=0.03), arities)
    fixed = list(range(2, 19))
    for rule in rules():
        expected = naive_strength(data, rule)(0, 1, fixed)
        for strategy in STRATEGIES:
            strengths, *_ = patterns.weakest_around(
                data.codes, data.bits, data.log_tables, data.workspace(18), rule, strategy, 0, np.array([1]),
                np.array([19]), np.array(fixed), 0, 0, np.array([np.inf]),
            )  # fmt: skip
            assert strengths[0] == pytest.approx(expected, abs=1e-6)
