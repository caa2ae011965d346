"""The cost model takes each strategy of counting where it is best."""

from __future__ import annotations

import numpy as np

from climbfast_kernels import cost_model, workspace
from climbfast_kernels.counts_by_bitmaps import prepare_bitmaps
from tests.factories import arrays, draw_codes, random_arrays


def test_the_cost_model_takes_each_strategy_where_it_is_best():
    data = random_arrays([2, 2, 40, 40, 300, 300], 400)
    work = data.workspace()

    def strategy(target, candidate, given):
        workspace.open_strata(work, np.array(given, np.int64), len(given))
        return cost_model.cheapest_strategy(data.bits, work, target, candidate, 1)[0]

    assert strategy(0, 1, []) == cost_model.BITMAPS
    assert strategy(2, 3, []) == cost_model.DENSE
    assert strategy(4, 5, [2]) == cost_model.SPARSE


def test_bitmaps_are_prepared_where_few_strata_may_have_rows_and_many_candidates_share_them():
    """The product of the levels says 20 · 20 rows of a table; the two columns that make them are equal."""
    codes = draw_codes([20, 8], 4000)
    data = arrays(np.array([codes[0], codes[0], codes[1]]), [20, 20, 8])
    work = data.workspace()
    workspace.open_strata(work, np.array([1], np.int64), 1)
    assert cost_model.cheapest_strategy(data.bits, work, 0, 2, 1)[::2] == (cost_model.DENSE, False)
    assert cost_model.cheapest_strategy(data.bits, work, 0, 2, 100)[::2] == (cost_model.DENSE, True)
    assert prepare_bitmaps(data.bits, work, 0)
    assert work.state[workspace.S_FILLED] == 20
    assert cost_model.cheapest_strategy(data.bits, work, 0, 2, 100)[::2] == (cost_model.BITMAPS, False)


def test_bitmaps_that_do_not_fit_are_prepared_once():
    data = random_arrays([2, 3, 100], 4000)
    work = data.workspace()
    workspace.open_strata(work, np.array([2], np.int64), 1)
    assert not prepare_bitmaps(data.bits, work, 0)
    assert not cost_model.cheapest_strategy(data.bits, work, 0, 1, 10**6)[2]
