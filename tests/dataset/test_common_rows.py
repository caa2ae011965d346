"""Copies with blanks: pairs of columns that are one to one where both are observed, against dictionaries."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.dataset import common_rows
from climbfast.dataset.common_rows import one_to_one_in_common_rows
from climbfast.errors import ClimbfastWarning
from tests.factories import quiet

ROWS = 600


def draw(levels: int, seed: int, rows: int = ROWS) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).permutation(np.resize(np.arange(levels), rows))


def blank(cells: np.ndarray[Any, Any], share: float, seed: int) -> list[Any]:
    gone = np.random.default_rng(seed).random(cells.size) < share
    return [None if gap else cell for gap, cell in zip(gone.tolist(), cells.tolist(), strict=True)]


def agree(x: list[Any], y: list[Any], counts: list[int]) -> bool:
    """Whether x and y, which have many rows to each level, determine each other in half of the rows, and in as many."""
    pairs = [pair for *pair, n in zip(x, y, counts, strict=True) for _ in range(n) if None not in pair]
    of_x, of_y = [a for a, _ in pairs], [b for _, b in pairs]
    levels = set(of_x)
    for cells in (x, y):
        observed = [cell for cell, n in zip(cells, counts, strict=True) for _ in range(n) if cell is not None]
        if 5 * len(set(observed)) > len(observed):
            return False
    return (
        len(levels) == len(set(of_y)) == len(set(map(tuple, pairs)))
        and 2 * len(pairs) >= sum(counts)
        and len(levels) > 1
        and len(pairs) - max(map(of_x.count, levels)) >= 10
        and 5 * len(levels) <= len(pairs)
    )


def test_reading_warns_of_a_copy_with_blanks() -> None:
    x = draw(3, 0)
    frame = {"x": x, "copy": blank(x, 0.01, 1), "other": draw(3, 2), "renamed": blank(2 - x, 0.05, 3)}
    with pytest.warns(ClimbfastWarning) as caught:
        data = cf.Dataset.from_frame(frame, missing="test-wise")
    (message,) = [str(each.message) for each in caught if "one to one" in str(each.message)]
    assert message == (
        "columns that determine each other one to one in the rows where both are observed: 'copy' = 'renamed' = 'x'; "
        "given one of them, every test of the other finds independence: leave one of them out with leave_out=..."
    )
    assert data.one_to_one == ()
    found = {finding.columns for finding in cf.inspect(data).of_kind("one-to-one")}
    assert found == {("x", "copy"), ("x", "renamed"), ("copy", "renamed")}


@pytest.mark.parametrize("options", [{"missing": "level"}, {"missing": "drop-rows"}])
def test_only_where_missing_cells_stay(options: dict[str, Any]) -> None:
    x = draw(3, 0)
    assert quiet({"x": x, "copy": blank(x, 0.01, 1)}, **options).one_to_one_in_common_rows == ()


def test_copies_that_are_missing_in_the_same_rows_are_named_elsewhere() -> None:
    gaps = blank(draw(3, 0), 0.1, 1)
    data = quiet({"x": gaps, "y": gaps, "z": draw(3, 0)}, missing="test-wise")
    assert data.one_to_one == (("x", "y"),)
    assert data.one_to_one_in_common_rows == (("x", "z"),)


@given(st.integers(0, 1 << 30))
@settings(max_examples=60)
def test_pairs_against_dictionaries(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(12, 60))
    x, y = rng.integers(0, rng.integers(2, 5), rows), rng.integers(0, 300 // rows, rows)
    columns = [x, (x + 1) % 4, x // 2, y, 40 - y, np.where(rng.random(rows) < 0.05, 0, x)]
    cells = {f"c{i}": blank(columns[i % 6], float(rng.choice([0, 0.02, 0.3])), seed + i) for i in range(8)}
    counts = rng.integers(1, 3, rows).tolist()
    data = quiet({**cells, "n": counts, "z": [0, *[1] * (rows - 1)]}, weights="n", missing="test-wise")
    later = {name for group in data.one_to_one for name in group[1:]}
    expected = {
        pair
        for pair in combinations(sorted(cells.keys() - later), 2)
        if agree(*(cells[name] for name in pair), counts) and any(None in cells[name] for name in pair)
    }
    found = [
        (x, y)
        for x, y in combinations(sorted(data.canonical[i] for i in common_rows._candidates(data)), 2)
        if common_rows._are_one_to_one(data, data.index(x), data.index(y))
        and data.incomplete[[data.index(x), data.index(y)]].any()
    ]
    assert set(found) == expected
    linked = {name for group in data.one_to_one_in_common_rows for name in group}
    assert linked == {name for pair in expected for name in pair}


def test_columns_that_are_observed_in_no_varying_row_in_common() -> None:
    """Each is constant where both are observed, which says nothing."""
    x = [0] * 500 + [1] * 50 + [None] * 50
    y = ["a"] * 500 + [None] * 50 + ["b"] * 50
    assert quiet({"x": x, "y": y}, missing="test-wise").one_to_one_in_common_rows == ()


def test_a_regular_pattern_of_missing_cells() -> None:
    x = draw(3, 0, 20_000)
    gaps = x.astype(object)
    gaps[:: 20_000 // 1_024] = None
    assert quiet({"x": x, "y": gaps}, missing="test-wise").one_to_one_in_common_rows == (("x", "y"),)


def test_any_order_of_rows_and_columns_and_more_levels_than_a_byte_holds() -> None:
    x = draw(300, 0, 6_000)
    frame = {"a": blank(x, 0.1, 1), "b": blank(299 - x, 0.1, 2), "c": draw(300, 3, 6_000), "d": blank(x % 2, 0.1, 4)}
    expected = quiet(frame, missing="test-wise", numbers="levels").one_to_one_in_common_rows
    assert expected == (("a", "b"),)
    order = np.random.default_rng(0).permutation(6_000).tolist()
    turned = {name: [frame[name][i] for i in order] for name in reversed(frame)}
    assert quiet(turned, missing="test-wise", numbers="levels").one_to_one_in_common_rows == expected


def test_the_work_is_bounded() -> None:
    data = quiet({f"x{i}": blank(draw(3, 0), 0.1, i) for i in range(6)}, missing="test-wise")
    assert one_to_one_in_common_rows(data) == [[0, 1, 2, 3, 4, 5]]
    read = common_rows._pairs_in_a_sample(data, [*range(6)])
    first = next(read)[2]
    assert one_to_one_in_common_rows(data, budget=first + 1 + ROWS) == [[0, 1]]
    assert one_to_one_in_common_rows(data, budget=1) == []
