"""Tables that are filled and measured by one strategy of counting, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from climbfast import Dataset, Tester
from climbfast.counting import COUNTING
from climbfast_kernels.workspace import Workspace


def count_tables(
    data: Dataset, strategy: str, n_given: int, n_tables: int, work: Workspace | None = None
) -> Callable[[], object]:
    """Return a call that counts tables of column 0 with the column after the given ones, 1 to ``n_given``.

    They are the same table, so that they share strata; each is counted and measured anew. ``work`` may hold distinct
    rows.
    """
    from climbfast_kernels.patterns import weakest_around
    from climbfast_kernels.set_sums import PLACES
    from climbfast_kernels.workspace import SUMS

    tester = Tester(data, counting=strategy)
    fixed, candidates = np.arange(1, n_given + 1), np.full(n_tables, n_given + 1)
    minima, pool = np.full(n_tables, np.inf), np.arange(0)
    sums = np.zeros((PLACES, SUMS), np.int64)  # few, since they are forgotten before each call, which is timed
    workspace, number = (work or tester.workspace(n_given))._replace(sums=sums), COUNTING.index(strategy)

    def count() -> object:
        sums[:] = 0
        return weakest_around(
            data.codes, data.bits, data.log_tables, workspace, tester.rule, number, 0, candidates, pool, fixed,
            0, 0, minima,
        )  # fmt: skip

    return count
