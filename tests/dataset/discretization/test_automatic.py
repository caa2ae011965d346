"""The number of levels grows with the rows."""

from __future__ import annotations

from climbfast.dataset.discretization.automatic import levels_for


def test_levels_by_rows() -> None:
    assert [levels_for(rows) for rows in (0, 2999, 3000, 9999, 10_000, 10**9)] == [3, 3, 4, 4, 5, 5]
