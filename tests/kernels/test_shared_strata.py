"""Sweeps whose candidates share strata: strengths as by naive references, and to the bit as by every strategy."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast_kernels import cost_model, independence, patterns, shared_strata, workspace
from tests.factories import arrays, draw_codes, random_arrays, random_gaps
from tests.kernels.naive import joint, naive_strength, rules

ARITIES = [3, 2, 2, 3, 4, 2, 3, 2, 2, 5, 1]
ROWS = 150
SHARED = [rule for rule in rules(min_rows_per_df=3.0) if rule.kind != independence.X2]
GIVEN = [[1], [3], [1, 3], [3, 4, 5], [5, 4, 3, 6], [1, 2, 3, 4, 5, 6], [10, 1], [6, 5, 4, 3, 2, 1, 9]]


def sweep(data, rule, target, candidates, given, strategy=cost_model.AUTO, *, only_strongest=0, work=None):
    work = data.workspace() if work is None else work
    ends = np.array([[0, len(candidates)], [0, len(given)]])
    one = patterns.Sweeps(
        np.array([target]), ends[0], np.array(candidates, np.int64), ends[1], np.array(given, np.int64)
    )
    return patterns.sweep_each(
        data.codes, data.bits, data.log_tables, work, rule, strategy, one, only_strongest
    )  # fmt: skip


def others(target, given):
    return [x for x in range(len(ARITIES)) if x != target and x not in given]


@pytest.fixture(scope="module")
def data():
    """Columns that depend on their neighbors, so that strata are of all sizes."""
    return random_arrays(ARITIES, ROWS)


@pytest.mark.parametrize("given", GIVEN, ids=str)
@pytest.mark.parametrize("rule", SHARED, ids=str)
def test_strengths_and_counts(data, rule, given):
    candidates, naive = others(0, given), naive_strength(data, rule)
    strengths, made, rows, strata = sweep(data, rule, 0, candidates, given)
    for x, strength, is_made in zip(candidates, strengths, made, strict=True):
        if is_made:
            assert strength == pytest.approx(naive(0, x, given), abs=1e-6)
    counted = made == 1
    assert set(rows[counted].tolist()) <= {ROWS}
    assert set(strata[counted].tolist()) <= {int(joint(data.codes[given]).max()) + 1}
    for strategy in (cost_model.BITMAPS, cost_model.DENSE, cost_model.SPARSE):
        expected = sweep(data, rule, 0, candidates, given, strategy)
        assert strengths.tolist() == expected[0].tolist()
        assert made.tolist() == expected[1].tolist()


def test_both_ways_of_counting_and_all_sizes_of_strata_occur(data):
    """Given few columns by bitmaps, given many row by row; pairs that are apart, pairs that are alike, and more."""
    work = data.workspace()
    for given, by_bitmaps in ((GIVEN[0], True), (GIVEN[5], False)):
        workspace.open_strata(work, np.array(given), len(given))
        assert shared_strata.are_shared(data.bits, data.log_tables, work, SHARED[0], 0, 4)
        sweep(data, SHARED[0], 0, others(0, given), given, work=work)
        assert (work.state[workspace.S_BITMAPS] == 1) == by_bitmaps
    columns = data.codes, data.bits, work, 0
    workspace.open_strata(work, np.array(GIVEN[4]), len(GIVEN[4]))
    strata = joint(data.codes[GIVEN[4]])
    sizes = np.bincount(strata)
    levels = np.array([len(set(data.codes[0, strata == z].tolist())) for z in range(len(sizes))])
    found = shared_strata._divide_rows(*columns, np.int64(independence.SCI))
    many = sizes > 2
    assert found == (
        len(sizes), many.sum(), levels[many].sum(), ((sizes == 2) & (levels == 2)).sum(),
        ((sizes == 2) & (levels == 1)).sum(),
    )  # fmt: skip
    assert min(found) > 0
    without_constant = many & (levels > 1)
    found = shared_strata._divide_rows(*columns, np.int64(independence.G2))
    assert found == (
        len(sizes), without_constant.sum(), levels[without_constant].sum(), ((sizes == 2) & (levels == 2)).sum(), 0,
    )  # fmt: skip


def test_few_candidates_share_where_no_histogram_is_possible():
    """Given twelve columns; and none of no candidates."""
    data = random_arrays([2] * 16, 100)
    given = list(range(2, 15))
    for candidates in ([1], [1, 15], []):
        work = data.workspace(13)
        workspace.open_strata(work, np.array(given), 13)
        assert shared_strata.are_shared(data.bits, data.log_tables, work, SHARED[0], 0, len(candidates)) == any(
            candidates
        )
        found = sweep(data, SHARED[0], 0, candidates, given, work=work)
        expected = sweep(data, SHARED[0], 0, candidates, given, cost_model.SPARSE, work=data.workspace(13))
        assert [array.tolist() for array in found] == [array.tolist() for array in expected]


@pytest.mark.parametrize("rule", SHARED, ids=str)
def test_many_candidates_and_many_groups_are_counted_in_blocks(rule):
    """One candidate is skipped if degrees of freedom are nominal, and one has no bitmaps."""
    arities, rows, given = [3, 3, 3, 3, *[2, 3] * 10, 60, 70, 2], 3000, [1, 2, 3]
    data, candidates = random_arrays(arities, rows), list(range(4, len(arities)))
    work, min_rows = data.workspace(), rule.min_rows_per_df and 1.0
    rule = rule._replace(min_rows_per_df=min_rows)
    found = sweep(data, rule, 0, candidates, given, work=work)
    words = data.bits.words.shape[1]
    assert work.state[workspace.S_FILLED] * words > shared_strata.WORDS_AT_ONCE
    assert len(candidates) > shared_strata.CANDIDATES_AT_ONCE
    expected = sweep(data, rule, 0, candidates, given, cost_model.DENSE)
    assert [array.tolist() for array in found[:2]] == [array.tolist() for array in expected[:2]]
    is_skipped = rule.kind == independence.G2 and rule.adjusted == 0 and min_rows > 0
    assert found[1].tolist() == [int(not is_skipped or arities[x] < 60) for x in candidates]


def test_cells_of_a_skipped_candidate_need_no_place():
    """The cells of the others fill the table; interpreted, a cell beyond its end is an error."""
    arities, given, rule = [3, 3, 3, 3, *[3] * 15, 60], [1, 2, 3], SHARED[0]._replace(kind=independence.G2)
    rule = rule._replace(threshold=-2.0, adjusted=0, min_rows_per_df=1.0)
    data, candidates = random_arrays(arities, 3000), list(range(4, len(arities)))
    cells = shared_strata.CANDIDATES_AT_ONCE * 3 ** (len(given) + 2)
    work = data.workspace()._replace(table=np.empty(cells, np.int64))
    found = sweep(data, rule, 0, candidates, given, work=work)
    expected = sweep(data, rule, 0, candidates, given, cost_model.DENSE)
    assert work.state[workspace.S_FILLED] == 3 ** (len(given) + 1)
    assert [array.tolist() for array in found[:2]] == [array.tolist() for array in expected[:2]]
    assert found[1].tolist() == [1] * 15 + [0]


@pytest.mark.parametrize("given", GIVEN[:1] + GIVEN[5:6], ids=str)
def test_a_stop_ends_a_sweep(data, given):
    """By bitmaps and row by row: no test is made, and the next sweep is as any other."""
    work, candidates = data.workspace(), others(0, given)
    expected = sweep(data, SHARED[0], 0, candidates, given)
    work.stop[0] = 1
    strengths, made, _, _ = sweep(data, SHARED[0], 0, candidates, given, work=work)
    assert (strengths == np.inf).all()
    assert (made == -1).all()
    work.stop[0] = 0
    found = sweep(data, SHARED[0], 0, candidates, given, work=work)
    assert [array.tolist() for array in found] == [array.tolist() for array in expected]


@pytest.mark.parametrize("rule", SHARED, ids=str)
def test_a_small_table_is_filled_part_by_part(data, rule):
    given = GIVEN[5]
    few = data.workspace()
    few = few._replace(table=few.table[: max(ARITIES) * ARITIES[0] + ROWS])
    for each in (given, given[:3]):
        found = sweep(data, rule, 0, others(0, each), each, work=few)
        expected = sweep(data, rule, 0, others(0, each), each)
        assert [array.tolist() for array in found[:2]] == [array.tolist() for array in expected[:2]]


@pytest.mark.parametrize("rule", SHARED, ids=str)
def test_given_columns_of_more_levels_than_rows_in_a_stratum(rule):
    arities = [3, 2, 3, 2, 4, 2, 40, 70]
    data = random_arrays(arities, ROWS)
    candidates = [1, 2, 3, 4]
    for given in ([6, 7], [6, 5], [5, 7, 6]):
        found = sweep(data, rule, 0, candidates, given)
        expected = sweep(data, rule, 0, candidates, given, cost_model.SPARSE)
        assert [array.tolist() for array in found[:2]] == [array.tolist() for array in expected[:2]]
    segment, rows, place = np.array([0, 4, 9]), np.arange(9), np.zeros(90, np.int64)
    level = np.array([80, 3, 80, 80, 5, 6, 5, 6, 7], np.uint8)
    rows_out, segment_out = np.full(9, -1), np.full(9, -1)
    found = shared_strata._divide_segments(level, 90, rows, segment, 2, rows_out, segment_out, place)
    assert (found, segment_out[:4].tolist(), rows_out[:7].tolist()) == ((2, 3), [0, 3, 5, 7], [0, 2, 3, 4, 6, 5, 7])


@pytest.mark.parametrize("rule", SHARED, ids=str)
def test_candidates_and_given_columns_with_missing_cells(rule):
    arities = ARITIES[:-1]
    data = arrays(random_gaps(arities, ROWS), arities)
    naive = naive_strength(data, rule)
    for target, given in ((1, [3, 5]), (1, [3, 4]), (0, [3, 5])):
        candidates = [x for x in range(len(arities)) if x not in (target, *given)]
        strengths, made, rows, _ = sweep(data, rule, target, candidates, given)
        for x, strength, of_rows, is_made in zip(candidates, strengths, rows, made, strict=True):
            if is_made:
                assert strength == pytest.approx(naive(target, x, given), abs=1e-6)
                complete = (data.codes[[target, x, *given]] != data.arity[[target, x, *given], None]).all(axis=0)
                assert of_rows == complete.sum()


@pytest.mark.parametrize("rule", SHARED, ids=str)
def test_only_the_strongest_is_exact(rule):
    """Copies of the target with more and more of their cells drawn anew, in any order."""
    random, rows = np.random.default_rng(5), 400
    codes = draw_codes([2] * 14, rows, lean=0.0)
    for x in range(3, 14):
        codes[x] = np.where(random.random(rows) < random.random(), codes[0], codes[x])
    data = arrays(codes, [2] * 14)
    weaker = 0
    for given in ([1], [1, 2], [1, 2, 13]):
        candidates = [x for x in range(3, 14) if x not in given]
        exact = sweep(data, rule, 0, candidates, given)
        found = sweep(data, rule, 0, candidates, given, only_strongest=1)
        assert found[1].tolist() == exact[1].tolist()
        best = int(exact[0].argmax())
        assert exact[0][best] > 0
        assert (int(found[0].argmax()), found[0][best]) == (best, exact[0][best])
        assert set(found[0].tolist()) <= {*exact[0].tolist(), -np.inf}
        weaker += int((found[0] == -np.inf).sum())
    assert (weaker > 0) == (rule.kind == independence.G2)
