"""Tables that are filled and measured by one strategy of counting, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from climbfast import Dataset, Tester
from climbfast.counting import COUNTING


def count_tables(data: Dataset, strategy: str, n_given: int, n_tables: int) -> Callable[[], object]:
    """Return a call that counts tables of column 0 with the column after the given ones, 1 to ``n_given``.

    They are the same table, so that they share strata; each is counted and measured anew.
    """
    from climbfast_kernels.patterns import weakest_around

    tester = Tester(data, counting=strategy)
    fixed, candidates = np.arange(1, n_given + 1), np.full(n_tables, n_given + 1)
    minima, pool = np.full(n_tables, np.inf), np.arange(0)
    workspace, number = tester.workspace(n_given), COUNTING.index(strategy)
    return lambda: weakest_around(
        data.codes, data.bits, data.log_tables, workspace, tester.rule, number, 0, candidates, pool, fixed,
        0, 0, minima,
    )  # fmt: skip
