"""The strategy of bitmaps counts the cells of a pair."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast_kernels import counts_by_bitmaps, independence, workspace
from climbfast_kernels.cost_model import DENSE
from tests.factories import arrays, draw_codes, random_arrays


def test_a_pair_is_counted_from_its_free_cells():
    data = random_arrays([3, 4], 100)
    table = np.full(12, -1, np.int64)
    counts_by_bitmaps.count_pair(data.bits.words, data.bits.count, 0, 3, 3, 4, table)
    for a in range(3):
        for b in range(4):
            assert table[4 * a + b] == np.sum((data.codes[0] == a) & (data.codes[1] == b))


def measured(data, target, candidate, given, work=None):
    """The figures by bitmaps alone; None if they cannot be used."""
    work = work or data.workspace()
    workspace.open_strata(work, np.array(given, np.int64), len(given))
    tables, rows = data.log_tables, data.log_tables.regret_row
    work.figures[:] = -1
    done = counts_by_bitmaps.measure_by_bitmaps(
        data.bits,
        work,
        target,
        candidate,
        rows[target],
        rows[candidate],
        tables.clog,
        tables.log_regret,
        independence.SCI,
    )
    return list(map(int, work.figures)) if done else None


NOT_SET = [independence.CHI2, independence.DF]


@pytest.mark.parametrize("rows", [5, 60, 700, 3000])
@pytest.mark.parametrize("given", [[2], [3, 2], [2, 3, 4]])
def test_the_figures_are_those_of_the_whole_table(rows, given):
    """Most strata of few rows, and most levels of the target in them, are empty."""
    codes = draw_codes([4, 3, 5, 2, 9], rows, seed=rows)
    codes[0, codes[2] == 1] = 0
    data = arrays(codes, [4, 3, 5, 2, 9])
    for target, candidate in ((0, 1), (1, 0)):
        expected = data.figures(target, candidate, given, DENSE)
        found = measured(data, target, candidate, given)
        for figure in NOT_SET:
            expected[figure] = 0
        assert found == expected


def test_the_candidates_of_one_set_share_its_bitmaps_and_sums():
    data = random_arrays([2, 3, 4, 5, 3], 200)
    work = data.workspace()
    measured(data, 0, 1, [3], work)
    before = work.bitmaps.copy()
    for candidate in (1, 2, 4):
        tables, rows = data.log_tables, data.log_tables.regret_row
        assert counts_by_bitmaps.measure_by_bitmaps(
            data.bits, work, 0, candidate, rows[0], rows[candidate], tables.clog, tables.log_regret, independence.SCI
        )
        expected = data.figures(0, candidate, [3])
        for figure in NOT_SET:
            expected[figure] = 0
        assert work.figures.tolist() == expected
    assert np.array_equal(work.bitmaps[:10], before[:10])
    assert measured(data, 4, 1, [2], work) == measured(data, 4, 1, [2]), "another target and set"


def test_no_figures_without_bitmaps():
    codes = draw_codes([2, 3, 2, 70], 300)
    assert measured(arrays(codes, [2, 3, 2, 70]), 0, 1, []) is None, "nothing is given"
    assert measured(arrays(codes, [2, 3, 2, 70]), 0, 1, [3]) is None, "too many levels for bitmaps"
    codes[1, 0] = 3  # a missing cell
    assert measured(arrays(codes, [2, 3, 2, 70]), 0, 1, [2]) is None
    assert measured(arrays(codes, [2, 3, 2, 70]), 1, 0, [2]) is None
    assert measured(arrays(codes, [2, 3, 2, 70]), 0, 2, [1]) is not None
