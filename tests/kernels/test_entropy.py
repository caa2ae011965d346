"""c·log2 c in fixed point."""

from __future__ import annotations

import math

import numpy as np
import pytest

from climbfast_kernels import entropy


def test_terms_are_c_log_c_to_half_a_unit():
    units = entropy.units_per_bit(1000, 5)
    table = np.empty(1001, np.int64)
    entropy.tabulate_count_log_count(table, units)
    exact = [c * math.log2(c) if c else 0.0 for c in range(1001)]
    assert np.abs(table / units - exact).max() <= 0.51 / units
    assert table[:3].tolist() == [0, 0, 2 * units]


def test_a_count_past_the_table_is_computed():
    units = entropy.units_per_bit(1000, 5)
    short = np.empty(10, np.int64)
    entropy.tabulate_count_log_count(short, units)
    assert entropy.entropy_term(short, units, 1000) == entropy.count_log_count(1000, units)
    assert entropy.entropy_term(short, units, 9) == entropy.count_log_count(9, units)


@pytest.mark.parametrize("rows", [1, 2, 500, 20_000, 10**6, 2**31])
@pytest.mark.parametrize("levels", [1, 2, 70_000, 2**31])
def test_units_leave_room_for_the_differences_of_four_sums(rows, levels):
    units = entropy.units_per_bit(rows, levels)
    largest_score = rows * (math.log2(rows) + math.log2(levels))
    assert 4 * largest_score * units < 2**63
    assert units == 2.0 ** round(math.log2(units))
    if rows <= 10**6:
        assert units >= 2**30
