"""Sums over sets that are remembered: tests that take them have the strengths of tests that are counted."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from climbfast_kernels import cost_model, independence, patterns, set_sums, workspace
from climbfast_kernels._jit import INTERPRETED
from tests.factories import arrays, draw_codes, random_arrays, random_gaps
from tests.kernels.naive import rules

ARITIES = [3, 2, 3, 2, 4, 3, 1, 2]
ROWS = 60 if INTERPRETED else 4_000  # of these, sums are remembered given two columns and more
HAS_SUMS = [rule for rule in rules(2.0) if rule.kind != independence.X2 and not rule.adjusted]
DATA = {
    "complete": lambda: random_arrays(ARITIES, ROWS),
    "gaps": lambda: arrays(random_gaps(ARITIES, ROWS), ARITIES),
    "weights": lambda: arrays(draw_codes(ARITIES, ROWS), ARITIES, np.arange(1, ROWS + 1)),
}


@pytest.fixture(autouse=True)
def few_words(monkeypatch):
    if INTERPRETED:  # with few rows, sums are then remembered, too
        monkeypatch.setattr(set_sums, "FEWEST_WORDS", 0)


def never_independent(rule):
    """A rule by which no candidate leaves, so that all sets are tested."""
    return rule._replace(threshold=1e9 if rule.kind in (independence.G2, independence.X2) else -1e9)


def weakest(data, work, rule, target, strategy=cost_model.AUTO, *, fixed=(), known=np.inf):
    columns = np.array([x for x in range(len(ARITIES)) if x != target and x not in fixed])
    return patterns.weakest_around(
        data.codes, data.bits, data.log_tables, work, rule, strategy, target, columns, columns,
        np.array(fixed, np.int64), 1, 3 - len(fixed), np.full(len(columns), known),
    )  # fmt: skip


def assert_same(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("of", DATA)
def test_searches_that_remember_find_what_others_find(of):
    """Of several targets and kinds of tests, one after another, in one workspace."""
    data = DATA[of]()
    work = data.workspace(3)
    for rule in [*rules(2.0), *map(never_independent, rules(2.0))]:
        for target in (0, 1):
            for fixed in ((), (2,), (5,)):
                found = weakest(data, work, rule, target, fixed=fixed)
                assert_same(found, weakest(data, data.workspace(3), rule, target, cost_model.DENSE, fixed=fixed))


@pytest.mark.parametrize("rule", HAS_SUMS, ids=str)
def test_every_set_is_counted_once(rule):
    """After a search of one column all figures of later tests around its target are sums that are known."""
    data = random_arrays(ARITIES, ROWS)
    rule = never_independent(rule)._replace(min_rows_per_df=0.0)
    work = data.workspace(3)
    weakest(data, work, rule, 0)
    before = work.sums.copy()
    weakest(data, work, rule, 0, fixed=(2,))
    assert np.array_equal(work.sums, before)
    work.sums[:, workspace.OF_CELLS] += 1 << 40
    assert not np.array_equal(weakest(data, work, rule, 0, fixed=(2,))[0], weakest(data, data.workspace(3), rule, 0)[0])


def test_figures_are_those_of_a_count():
    data, rule = random_arrays(ARITIES, ROWS), HAS_SUMS[0]
    work, given = data.workspace(2), np.array([5, 2])
    for y, other in ((1, 2), (4, 2), (1, 5)):  # the last one is a test of 2 given 1 and 5 as well
        patterns.examine(data.codes, data.bits, data.log_tables, work, cost_model.AUTO, 0, y, given)
        set_sums.remember_figures(work.sums, rule.kind, 0, given, 2, y, data.arity, work.figures)
        assert other in given
    patterns.examine(data.codes, data.bits, data.log_tables, work, cost_model.AUTO, 0, 1, given)
    expected = work.figures.copy()
    work.figures[:] = -1
    places, candidates = np.array([0, 1, 2]), np.array([7, 3, 1])
    strengths, made = np.full(3, np.inf), np.full(3, -1)
    begin, lacks_regrets = set_sums.recall_each(
        work.sums, data.arity, ROWS, data.log_tables.units, rule, 0, given, 2, 0, 3, places,
        candidates, strengths, made, work.figures,
    )  # fmt: skip
    assert (begin, lacks_regrets) == (1, False)
    assert candidates.tolist() == [1, 3, 7]
    assert places.tolist() == [2, 1, 0]
    assert made.tolist() == [1, -1, -1]
    assert strengths[0] == data.sweep(rule, 0, [1], given)[0][0]
    known = [figure for figure in range(independence.STRATA) if figure not in (independence.CHI2, independence.DF)]
    assert work.figures[known].tolist() == expected[known].tolist()


def test_regrets_are_those_of_later_tests():
    """From the table of 1 given 5: what a test of 4, or of another column of as many levels, given both sums up."""
    data = random_arrays(ARITIES, ROWS)
    work, given, logs = data.workspace(2), np.array([5]), data.log_tables
    figures = data.figures(0, 4, [5, 1])
    n_strata, size = 3, 3 * 3 * 2
    cells = np.ravel_multi_index((data.codes[5], data.codes[0], data.codes[1]), (3, 3, 2))
    set_sums.remember_regrets(
        work.sums, 0, given, 1, 1, data.arity, logs.regret_row, logs.log_regret, logs.units, np.array([4, 4]),
        np.bincount(cells, minlength=size), n_strata,
    )  # fmt: skip
    kept = work.sums[work.sums[:, workspace.OWNER] > 0]
    assert kept[:, workspace.OWNER].tolist() == [set_sums._owner(independence.SCI, 0, data.arity, 4)]
    assert kept[:, [workspace.OF_CELLS, workspace.OF_STRATA]].tolist() == [
        [figures[independence.R_Y_GIVEN_X], figures[independence.R_Y]]
    ]


def test_sets_are_spread_over_the_places():
    """Many sets of four columns out of 40, in a third of the places, and hardly one too many for its places."""
    data = random_arrays([2] * 40, 30)
    sums, rule = np.zeros((1 << 16, workspace.SUMS), np.int64), HAS_SUMS[1]
    figures = np.zeros(independence.FIGURES, np.int64)
    sets = np.array(list(combinations(range(1, 40), 4))[::7])
    for columns in sets:
        set_sums.remember_figures(sums, rule.kind, 0, columns[:3], 3, columns[3], data.arity, figures)
    kept = np.unique(sums[:, workspace.KEY]).size - 1
    all_sets = len(sets) + len({tuple(columns[:3]) for columns in sets.tolist()})
    assert kept > 0.99 * all_sets


def test_places_that_are_taken_are_overwritten():
    """With four places for all sums the results are the same, also where others' are of the same set."""
    data = random_arrays(ARITIES, ROWS)
    work = data.workspace(3)
    work = work._replace(sums=np.zeros((set_sums.PLACES, workspace.SUMS), np.int64))
    for rule in HAS_SUMS:
        for target in (5, 4):
            found = weakest(data, work, rule, target)
            assert_same(found, weakest(data, data.workspace(3), rule, target, cost_model.DENSE))


@pytest.mark.skipif(INTERPRETED, reason="sums are remembered with any number of rows")
def test_small_tables_are_counted_again():
    data, given = random_arrays(ARITIES, ROWS), np.array([2, 4, 5])
    remembered = [
        set_sums.are_remembered(data.bits, HAS_SUMS[0], cost_model.AUTO, 0, given, n_given) for n_given in range(4)
    ]
    assert remembered == [False, False, True, True]
    assert not set_sums.are_remembered(data.bits, HAS_SUMS[0], cost_model.DENSE, 0, given, 3)


def test_only_complete_columns_are_remembered():
    """The rows of other tables are not those of the tables of fewer columns; every other column has gaps."""
    data = arrays(random_gaps([4] * 8, ROWS), [4] * 8)
    for target, given, expected in ((1, [3, 5], True), (0, [3, 5], False), (1, [3, 2], False)):
        assert set_sums.are_remembered(data.bits, HAS_SUMS[0], cost_model.AUTO, target, np.array(given), 2) == expected


def test_sets_of_too_many_columns_have_no_key():
    data = random_arrays([2] * 40, 30)
    for n_given, expected in ((0, False), (8, True), (9, True), (10, False)):
        assert (
            set_sums.are_remembered(data.bits, HAS_SUMS[0], cost_model.AUTO, 0, np.arange(1, 13), n_given) == expected
        )
