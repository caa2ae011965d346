"""The cost model takes each strategy of counting where it is best."""

from __future__ import annotations

import numpy as np

from climbfast_kernels import cost_model, workspace
from tests.factories import random_arrays


def test_the_cost_model_takes_each_strategy_where_it_is_best():
    data = random_arrays([2, 2, 40, 40, 300, 300], 400)
    work = data.workspace()

    def strategy(target, candidate, given):
        workspace.open_strata(work, np.array(given, np.int64), len(given))
        return cost_model.cheapest_strategy(data.bits, work, target, candidate, 1)[0]

    assert strategy(0, 1, []) == cost_model.BITMAPS
    assert strategy(2, 3, []) == cost_model.DENSE
    assert strategy(4, 5, [2]) == cost_model.SPARSE
