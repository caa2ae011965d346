"""What is missing together and on what it depends: by tests of the indicators as columns, and never by chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import climbfast as cf
from climbfast.dataset import missingness
from climbfast.dataset.missingness import FALSE_ALARMS, MOST_PATTERNS, Missingness
from tests import incomplete
from tests.factories import quiet

ROWS = 600
Cells = dict[str, list[Any]]


def with_gaps(**missing: np.ndarray[Any, Any]) -> Cells:
    """Columns a to f, some of them missing where it is said."""
    cells: Cells = incomplete.table("a whole column", ROWS, [3, 2, 4, 3, 2, 2, 2], seed=1)
    del cells["g"]
    for name, gaps in missing.items():
        cells[name] = [None if gap else v for gap, v in zip(gaps.tolist(), cells[name], strict=True)]
    return cells


def at_random(share: float, seed: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).random(ROWS) < share


def column(name: str) -> np.ndarray[Any, Any]:
    return np.array(with_gaps()[name])


def test_nothing_is_missing() -> None:
    assert incomplete.encoded(with_gaps()).missingness == Missingness()


def test_cells_missing_at_random_depend_on_nothing() -> None:
    found = incomplete.encoded(with_gaps(a=at_random(0.1, 1), c=at_random(0.5, 2), e=at_random(0.02, 3))).missingness
    assert found == Missingness()


def test_what_is_missing_depends_on_another_column() -> None:
    gaps = (column("a") == 2) & at_random(0.7, 4)
    found = incomplete.encoded(with_gaps(c=gaps)).missingness
    assert found.depends_on["c"][0] == "a"
    assert (list(found.depends_on), found.together, found.left_out) == (["c"], (), 0)


@pytest.mark.parametrize("seed", range(4))
def test_the_tests_of_the_indicators_as_columns(seed: int) -> None:
    cells = with_gaps(
        b=at_random(0.3, seed),
        c=(column("a") == 0) & at_random(0.4, seed + 10),
        e=(column("d") == 1) | at_random(0.1, seed),
    )
    data = incomplete.encoded(cells)
    indicators = {f"no {name}": [int(v is None) for v in cells[name]] for name in "bce"}
    both = incomplete.encoded({**cells, **indicators})
    bar = math.log2(3 * (3 + 6) / FALSE_ALARMS)
    for name in "bce":
        bits = {y: cf.test(both, f"no {name}", y).sci or 0.0 for y in "abcdef"}
        expected = sorted((y for y in bits if bits[y] > bar), key=lambda y: -bits[y])
        assert data.missingness.depends_on.get(name, ()) == tuple(expected)
    assert {"c", "e"} <= set(data.missingness.depends_on)


@pytest.mark.parametrize("at_once", [1, 2 * ROWS // 8, 6 * ROWS // 8])
def test_columns_are_tested_in_parts(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = with_gaps(
        a=at_random(0.3, 1), c=(column("a") == 0) & at_random(0.4, 10), e=(column("d") == 1) | at_random(0.1, 3)
    )
    whole = incomplete.encoded(cells).missingness
    assert whole.depends_on
    monkeypatch.setattr(missingness, "BYTES_AT_ONCE", at_once)
    parts = missingness._bitmap_parts(incomplete.encoded(cells), np.arange(6))
    assert len(parts) > 1
    assert np.concatenate(parts).tolist() == list(range(6))
    assert incomplete.encoded(cells).missingness == whole


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rows_at_once", [16, 1 << 16])
def test_levels_counted_with_several_indicators_at_once(
    rows_at_once: int, monkeypatch: pytest.MonkeyPatch, *, weighted: bool
) -> None:
    """The strengths are those of bitmaps, for columns of many levels and of few."""
    cells = with_gaps(
        a=at_random(0.3, 1), b=(column("f") == 1) & at_random(0.4, 2), c=(column("a") == 0) & at_random(0.4, 10),
        e=(column("d") == 1) | at_random(0.1, 3),
    )  # fmt: skip
    cells["many"] = [level % 40 if level % 3 else None for level in np.random.default_rng(4).integers(120, size=ROWS)]
    options: dict[str, Any] = {}
    if weighted:
        cells["rows"] = np.random.default_rng(5).integers(1, 5, ROWS).tolist()
        options = {"weights": "rows"}
    data = incomplete.encoded(cells, **options)
    present = np.array([~data.missing_cells(data.index(name)) for name in ("a", "b", "c", "e", "many")])
    expected = missingness._strengths(data, present)  # by bitmaps: there are few rows
    assert (expected > 0).sum() > 5
    monkeypatch.setattr(missingness, "MANY_ROWS", 0)
    monkeypatch.setattr(missingness, "_ROWS_AT_ONCE", rows_at_once)
    for many, at_once, columns in ((17, 3, 1), (2, 2, 7), (4, 3, 2)):
        monkeypatch.setattr(missingness, "MANY_LEVELS", many)
        monkeypatch.setattr(missingness, "_INDICATORS_AT_ONCE", at_once)
        assert missingness._has_many_levels(data).sum() == columns
        assert missingness._strengths(data, present).tolist() == expected.tolist()


def test_what_is_missing_together() -> None:
    one, other = at_random(0.2, 5), at_random(0.2, 6)
    found = incomplete.encoded(with_gaps(a=one, b=one, c=one | at_random(0.02, 7), d=other, e=other)).missingness
    assert found.together == (("a", "b", "c"), ("d", "e"))
    assert not found.depends_on


def test_what_is_missing_in_other_rows_is_not_missing_together() -> None:
    one = at_random(0.3, 5)
    assert incomplete.encoded(with_gaps(a=one, b=~one & at_random(0.5, 6))).missingness.together == ()


def test_counted_rows_and_any_order_of_rows_and_columns() -> None:
    cells = with_gaps(c=(column("a") == 2) & at_random(0.5, 4), d=at_random(0.3, 2), e=at_random(0.3, 2))
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 4, ROWS).tolist()
    repeated = {name: [v for v, n in zip(cells[name], counts, strict=True) for _ in range(n)] for name in cells}
    expected = incomplete.encoded(repeated).missingness
    assert expected.together == (("d", "e"),)
    assert expected.depends_on["c"][0] == "a"
    assert incomplete.encoded({**cells, "n": counts}, weights="n").missingness == expected
    rows, names = rng.permutation(len(repeated["a"])).tolist(), rng.permutation(list(cells)).tolist()
    shuffled = incomplete.encoded({name: [repeated[name][i] for i in rows] for name in names}).missingness
    assert (shuffled.together, dict(shuffled.depends_on)) == (expected.together, dict(expected.depends_on))


def test_a_column_without_any_value() -> None:
    found = incomplete.encoded({**with_gaps(a=at_random(0.2, 1)), "empty": [None] * ROWS}).missingness
    assert found == Missingness()


def test_too_many_patterns_to_look_at_all() -> None:
    rng = np.random.default_rng(0)
    missing = rng.random((MOST_PATTERNS + 5, 300)) < np.linspace(0.5, 0.1, MOST_PATTERNS + 5)[:, None]
    cells = {f"c{i:03}": np.where(gaps, None, rng.integers(0, 2, 300).astype(object)) for i, gaps in enumerate(missing)}
    assert quiet(cells, missing="test-wise").missingness.left_out == 5


@pytest.mark.parametrize("most", [1, 4])
@pytest.mark.parametrize("kind", incomplete.KINDS)
def test_the_fewest_rows_of_pairs(kind: str, most: int) -> None:
    """With any other column, but not none; also columns missing in the same rows. A constant decides nothing."""
    cells = incomplete.table(kind, 90, [2, 3, 2, 4, 2, 3], seed=2)
    cells["copy"] = cells["b"]
    counts = [i % most or most for i in range(90)]
    data = incomplete.encoded({**cells, "n": counts}, weights="n")
    for x in cells:
        rows = [
            sum(n for n, *pair in zip(counts, cells[x], cells[y], strict=True) if None not in pair)
            for y in cells
            if y != x and min(data.arity[data.index(x)], data.arity[data.index(y)]) > 1
        ]
        assert data.fewest_rows_of_pairs[data.index(x)] == min([n for n in rows if n] or [data.rows])


def test_columns_without_a_row_in_common_have_no_fewest_rows() -> None:
    data = quiet({"x": [0, 1, 1, None, None], "y": [None, None, None, 0, 1]}, missing="test-wise")
    assert data.fewest_rows_of_pairs.tolist() == [5, 5]
