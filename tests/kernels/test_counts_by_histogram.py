"""The strategy of the histogram: the table of the joint codes, and no table where it does not fit."""

from __future__ import annotations

import numpy as np

from climbfast_kernels import counts_by_histogram, workspace
from tests.factories import random_arrays


def test_the_table_has_a_cell_for_each_configuration(monkeypatch):
    data = random_arrays([3, 2, 2, 4], 100)
    work = data.workspace()
    workspace.open_strata(work, np.array([2, 3]), 2)
    assert counts_by_histogram.count_by_histogram(data.codes, data.bits, work, 0, 1) == 8
    x, y, a, b = data.codes
    table = np.zeros((2, 4, 3, 2), int)
    np.add.at(table, (a, b, x, y), 1)
    assert work.table[: table.size].tolist() == table.ravel().tolist()
    joint = ((a.astype(int) * 4 + b) * 3 + x).tolist()
    assert work.by_row[workspace.JOINT].tolist() == joint
    monkeypatch.setattr(workspace, "MOST_CELLS", table.size - 1)
    small = data.workspace()
    workspace.open_strata(small, np.array([2, 3]), 2)
    assert counts_by_histogram.count_by_histogram(data.codes, data.bits, small, 0, 1) == 0
