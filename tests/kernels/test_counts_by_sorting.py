"""The strategy of sorting: rows in the order of (given, target), the borders of strata and levels, and their counts."""

from __future__ import annotations

import numpy as np

from climbfast_kernels import counts_by_sorting, workspace
from tests.factories import random_arrays


def test_rows_are_sorted_by_the_given_columns_and_the_target():
    data = random_arrays([3, 2, 2, 4], 100)
    work = data.workspace()
    workspace.open_strata(work, np.array([2, 3]), 2)
    counts_by_sorting.sort_rows(data.codes, data.bits, work, 0)
    x, _, a, b = (column.tolist() for column in data.codes)
    rows = sorted(range(100), key=lambda row: (a[row], b[row], x[row]))
    assert work.by_row[workspace.ORDER].tolist() == rows
    border, before = [], (None, None)
    for row in rows:
        stratum = a[row], b[row]
        border.append(2 if stratum != before[0] else 1 if x[row] != before[1] else 0)
        before = stratum, x[row]
    assert work.by_row[workspace.BORDER].tolist() == border
    end = counts_by_sorting.run_end(work.by_row, 0, 100, np.int32(2))
    assert end == border.index(2, 1)
    tally = np.int64(workspace.TALLY)
    met, found = counts_by_sorting.tally_levels(data.codes, 1, 2, work, 0, end, tally)
    assert found == end
    counts = np.bincount(data.codes[1, rows[:end]], minlength=2)
    assert work.by_level[workspace.TALLY, :2].tolist() == counts.tolist()
    assert sorted(work.by_level[tally + 2, :met].tolist()) == np.flatnonzero(counts).tolist()
