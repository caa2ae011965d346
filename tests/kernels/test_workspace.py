"""The scratch memory of counting: used again it mixes nothing up, and too small it changes no figure."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels import workspace
from tests.factories import EXAMPLES, STRATEGIES, arrays, random_arrays, small_codes
from tests.kernels.naive import naive_figures


@given(small_codes(most=6), st.data())
@settings(max_examples=EXAMPLES)
def test_one_workspace_for_many_tables(drawn, draw):
    """One workspace for tables of one search after the other, whose strata share their first columns."""
    data = arrays(*drawn)
    work = data.workspace()
    columns = range(len(data.codes))
    for _ in range(8):
        x, y, *others = draw.draw(st.permutations(columns))
        given = sorted(others[: draw.draw(st.integers(0, len(others)))])
        strategy = draw.draw(st.sampled_from(STRATEGIES))
        assert data.figures(x, y, given, strategy, work) == naive_figures(data, x, y, given)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("most_bitmaps", "most_cells"), [(1, 4096), (5, 4096), (12, 4096), (4096, 1), (20, 30)])
def test_a_workspace_too_small_for_a_strategy(monkeypatch, strategy, most_bitmaps, most_cells):
    monkeypatch.setattr(workspace, "MOST_BITMAPS", most_bitmaps)
    monkeypatch.setattr(workspace, "MOST_CELLS", most_cells)
    data = random_arrays([3, 2, 4, 3, 2], 60)
    work = data.workspace()
    for x, y, given in [(0, 1, [2, 3]), (1, 0, [2, 4]), (0, 1, []), (0, 4, [2]), (3, 1, [0, 2, 4]), (0, 1, [2])]:
        assert data.figures(x, y, given, strategy, work) == naive_figures(data, x, y, given)
