"""The canonical order: a rank from the data, whatever the names, and the order of rows, columns and levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import climbfast as cf
from climbfast.dataset import column_rank
from climbfast.dataset.column_rank import canonical_order
from climbfast.dataset.diagnostics import one_to_one
from tests.factories import draw_codes, quiet
from tests.invariance import draw_codes as draw_ties

Codes = NDArray[Any]


def ranked(codes: Codes, *, gaps: bool = False, weights: Any = None) -> list[int]:
    """The canonical order of columns; with gaps the largest code is a missing cell."""
    arity = codes.max(axis=1) + 1 - gaps
    stands_for = np.ones(codes.shape[1], np.int64) if weights is None else weights
    counts = [
        np.array([stands_for[column == code].sum() for code in range(size)])
        for column, size in zip(codes, arity, strict=True)
    ]
    found = canonical_order(codes, np.full(len(codes), gaps), counts, weights)
    assert found.copies == one_to_one(codes, counts)
    return found.columns


def shuffled(codes: Codes, seed: int, *, gaps: bool = False) -> tuple[Codes, NDArray[np.int64]]:
    """The same data with rows, columns and levels in another order, and the column that each is."""
    draw = np.random.default_rng(seed)
    columns = draw.permutation(len(codes))
    turned = codes[columns][:, draw.permutation(codes.shape[1])]
    for column in turned:
        arity = int(column.max()) + 1 - gaps
        column[:] = np.append(draw.permutation(arity), arity)[column]
    return turned, columns


def partitions(codes: Codes, order: Sequence[int]) -> list[bytes]:
    """The columns in an order, as they are up to the names of their levels; rows have to be in the same order."""
    found = []
    for x in order:
        _, first, inverse = np.unique(codes[x], return_index=True, return_inverse=True)
        found.append(np.argsort(np.argsort(first))[inverse].tobytes())
    return found


def assert_same_order(codes: Codes, seed: int, *, gaps: bool = False) -> None:
    turned, columns = shuffled(codes, seed, gaps=gaps)
    found = [int(columns[x]) for x in ranked(turned, gaps=gaps)]
    assert partitions(codes, found) == partitions(codes, ranked(codes, gaps=gaps))


@given(st.integers(0, 1 << 30))
@settings(max_examples=30)
@example(63)  # the joint counts of two and two columns are symmetrical here, but not the rows
@example(60_000_000)
def test_binary_columns_of_equal_counts(seed: int) -> None:
    draw = np.random.default_rng(seed)
    half = np.repeat([0, 1], 30)
    codes = np.array([draw.permutation(half) for _ in range(6)], np.uint8)
    assert_same_order(codes, seed)
    assert_same_order(np.vstack([codes, codes[:2], 1 - codes[1:3]]), seed)


@given(st.integers(0, 1 << 30))
@settings(max_examples=30)
def test_few_rows_of_any_columns(seed: int) -> None:
    draw = np.random.default_rng(seed)
    codes = draw_codes(draw.integers(3, 5, 8), int(draw.integers(20, 60)), seed)
    assert_same_order(codes, seed)
    assert_same_order(codes, seed, gaps=True)


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5, 6])  # 3 and 7 have missing cells
def test_generated_tables_with_ties(seed: int) -> None:
    codes = draw_ties(seed).astype(np.uint8)
    for turn in range(3):
        assert_same_order(codes, turn)


@pytest.mark.parametrize("levels", [2, 4])
def test_columns_cut_at_quantiles_of_fewer_rows_than_levels(levels: int) -> None:
    """All counts are equal, so that rows have to be compared with each other."""
    draw = np.random.default_rng(levels)
    cells = np.repeat(np.arange(levels), 6)
    codes = np.array([draw.permutation(cells) for _ in range(40)], np.uint8)
    for turn in range(3):
        assert_same_order(codes, turn)


def test_weighted_rows_are_ranked_as_the_repeated_ones() -> None:
    for seed in range(4):
        draw = np.random.default_rng(seed)
        cells = np.repeat([0, 1], 20)
        codes = np.array([draw.permutation(cells) for _ in range(30 if seed % 2 else 5)], np.uint8)
        weights = draw.integers(1, 4, 40) if seed < 2 else np.full(40, 2)
        repeated = np.repeat(codes, weights, axis=1)
        assert ranked(codes, weights=weights) == ranked(repeated)


def test_copies_are_side_by_side_in_the_order_given() -> None:
    codes = draw_ties(4).astype(np.uint8)
    codes = codes[[0, 1, 2, 3, 1, 2, 1]]
    order = ranked(codes)
    place = order.index(1)
    assert order[place : place + 3] == [1, 4, 6]
    assert order.index(5) == order.index(2) + 1


def test_a_table_of_all_combinations() -> None:
    """No column can be told from another: the first come first."""
    codes = np.array(list(product((0, 1), repeat=4)), np.uint8).T
    assert ranked(codes) == [0, 1, 2, 3]


def test_fewer_levels_come_first_and_constants_need_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_rank, "_Refinement", None)
    codes = np.array([[0, 1, 2, 0], [0, 0, 0, 0], [0, 1, 1, 1], [0, 0, 0, 0]], np.uint8)
    assert ranked(codes) == [1, 3, 2, 0]


def canonical_of(table: Mapping[str, Any], names: Sequence[str], **options: Any) -> list[str]:
    """The canonical order of a table under other names, by its own names."""
    own = dict(zip(names, table, strict=True))
    data = quiet(dict(zip(names, table.values(), strict=True)), **options)
    return [own[name] for name in data.canonical]


@pytest.mark.parametrize("missing", ["test-wise", "level", "drop-rows"])
def test_missing_cells(missing: str) -> None:
    draw = np.random.default_rng(1)
    table: dict[str, Any] = {}
    for name in "abcde":
        cells = draw.permutation(np.repeat([0, 1], 30)).astype(object)
        cells[draw.choice(60, 10, replace=False)] = None
        table[name] = cells
    names = list("abcde")
    expected = canonical_of(table, names, missing=missing)
    for _ in range(3):
        assert canonical_of(table, draw.permutation(names).tolist(), missing=missing) == expected


def test_the_fingerprint_knows_no_order_of_columns() -> None:
    codes = draw_ties(1)
    table = {f"c{x}": column for x, column in enumerate(codes)}
    turned = dict(reversed(table.items()))
    assert quiet(table).fingerprint == quiet(turned).fingerprint
    assert isinstance(quiet(table), cf.Dataset)
