"""Tables of logarithms: what has no entry in them is computed."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast_kernels import log_tables
from tests.factories import arrays, draw_codes


def test_columns_of_many_levels_have_no_row_of_regrets():
    arity = np.array([2, 128, 129, 2, 5])
    logs = log_tables.tabulate(100, arity)
    assert logs.regret_row.tolist() == [0, 2, -1, 0, 1]
    assert logs.log_regret.shape == (3, 101)
    assert not any(a.flags.writeable for a in (logs.clog, logs.log_regret, logs.regret_row))


@pytest.mark.parametrize("most_entries", [8, 40, 200])
def test_tables_that_end_early_change_nothing(monkeypatch, most_entries):
    codes = draw_codes([3, 2, 4], 120)
    whole = arrays(codes, [3, 2, 4])
    monkeypatch.setattr(log_tables, "MOST_ENTRIES", most_entries)
    short = arrays(codes, [3, 2, 4])
    assert len(short.log_tables.clog) < 120
    assert short.figures(0, 1, [2]) == whole.figures(0, 1, [2])
    assert short.figures(0, 1, []) == whole.figures(0, 1, [])


def test_a_table_of_one_function_ends_early_too():
    assert log_tables.tabulate_clog(4, 8.0).tolist() == [0, 0, 16, 38, 64]  # 8·c·log2 c
    assert log_tables.tabulate_clog(4, 8.0, most=3).tolist() == [0, 0, 16]
