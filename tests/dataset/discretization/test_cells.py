"""Cells as places among the values and as floats: both forms say the same."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.dataset.column_encoding import Column, encode_array, encode_objects
from climbfast.dataset.discretization import cells as discretization_cells
from climbfast.dataset.discretization.cells import counts_of, is_missing_cell, levels_of, places_among_values
from climbfast.dataset.discretization.cuts import NumericValues
from climbfast.dataset.options import check_options

OPTIONS = check_options(
    missing="level", missing_markers=[-99], declared_levels=None, numbers="quantile:2", weights=None, keep_ids=False,
    columns=None, leave_out=None,
)  # fmt: skip


def both(numbers: list[float]) -> list[tuple[Column, NumericValues]]:
    """The same cells as floats, and as places."""
    columns = encode_array("x", np.array(numbers), OPTIONS), encode_objects("x", numbers, OPTIONS)
    assert columns[0].physical.dtype.kind == "f" and columns[1].physical.dtype.kind == "u"
    return [(column, column.numeric) for column in columns if column.numeric is not None]


@pytest.mark.parametrize("seed", range(5))
def test_both_forms_say_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = np.round(rng.normal(size=80), 1)
    numbers[rng.random(80) < 0.1] = np.nan
    numbers[3] = -99
    weights = rng.integers(0, 5, 80)
    floats, places = both(numbers.tolist())
    missing = np.isnan(numbers) | (numbers == -99)
    for column, numeric in (floats, places):
        assert column.has_gaps
        assert numeric.values.tolist() == np.unique(numbers[~missing]).tolist()
        assert is_missing_cell(column, numeric).tolist() == missing.tolist()
        found = places_among_values(column, numeric)
        assert numeric.values[found[~missing]].tolist() == numbers[~missing].tolist()
        assert (found[missing] == numeric.values.size).all()
        expected = [int((numbers == value).sum()) for value in numeric.values]
        assert counts_of(column, numeric, None).tolist() == expected
        expected = [int(weights[numbers == value].sum()) for value in numeric.values]
        assert counts_of(column, numeric, weights).tolist() == expected
        levels = levels_of(column, numeric, (-0.5, 0, 1.2))
        below = [3 - int((value < np.array([-0.5, 0, 1.2])).sum()) for value in numbers]
        assert levels.tolist() == [4 if gap else level for gap, level in zip(missing, below, strict=True)]


def test_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(1).normal(size=100).round(2)
    numbers[[4, 7]] = np.nan
    [(column, numeric), _] = both(numbers.tolist())
    searched = places_among_values(column, numeric)
    monkeypatch.setattr(discretization_cells, "_MOST_SEARCHED", 10)
    assert places_among_values(column, numeric).tolist() == searched.tolist()


def test_a_column_without_any_value() -> None:
    column = encode_array("x", np.array([np.nan, -99]), OPTIONS)
    assert column.numeric is None and column.levels == () and column.has_gaps
