"""Strategies of counting by name, and the workspace that is kept between calls."""

from __future__ import annotations

import pytest

from climbfast.counting import COUNTING, FEWEST_GIVEN, WorkspaceCache, check_counting
from climbfast.errors import OptionError
from climbfast_kernels import cost_model
from tests.factories import draw_codes, quiet_codes


def test_a_strategy_has_the_number_of_the_kernels():
    assert [getattr(cost_model, name.upper()) for name in COUNTING] == [check_counting(name) for name in COUNTING]
    for other in ("fast", "AUTO", None, 0):
        with pytest.raises(OptionError, match=r"counting is .*; it is one of auto, bitmaps, dense, sparse"):
            check_counting(other)


def test_a_workspace_is_kept_until_one_needs_more_room():
    cache = WorkspaceCache(quiet_codes(draw_codes([2, 3], 50)))
    small = cache.for_given(2)
    assert cache.for_given(FEWEST_GIVEN) is small
    large = cache.for_given(FEWEST_GIVEN + 1)
    assert large.columns.shape[1] > small.columns.shape[1]
    assert cache.for_given(1) is large
