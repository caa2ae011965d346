"""Hashes of rows against a naive reference, and what they must not depend on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels.row_hashes import (
    BITS,
    CELL_BITS,
    CELLS_OF_A_TABLE,
    FACTORS,
    ROW_BITS,
    mix_each,
    mixed,
    sum_row_hashes,
    times,
)
from tests.factories import EXAMPLES, draw_codes

HALF = 1 << (BITS // 2)
NOTHING = np.empty(0, np.int64)
numbers = st.integers(0, (1 << BITS) - 1)


def naive_mixed(value: int) -> int:
    """Four rounds in which one half changes the other."""
    left, right = divmod(value, HALF)
    for factor in FACTORS:
        product = (left + factor) * factor
        left, right = right ^ ((product ^ (product >> 29)) % HALF), left
    return left * HALF + right


def naive_sums(codes, cells, row_hash, weights, wanted):
    """Sums by column and code."""
    sums = {}
    for i in range(codes.shape[1]):
        total = (row_hash[i] + sum(cells[c][code] for c, code in enumerate(codes[:, i].tolist()))) % 2**BITS
        for c in wanted:
            key = c, int(codes[c, i])
            row = naive_mixed(total) // 2 ** (BITS - ROW_BITS)
            sums[key] = (sums.get(key, 0) + weights[i] * row) % 2**BITS
    return sums


@given(numbers)
def test_mixed(value):
    assert mixed(np.int64(value)) == naive_mixed(value)


def test_mixed_is_one_to_one_and_changes_half_of_the_bits():
    values = np.arange(20_000)
    mix_each(values)
    assert np.unique(values).size == values.size
    assert ((values >= 0) & (values < 1 << BITS)).all()
    changed = np.mean([int(a ^ b).bit_count() for a, b in zip(values[:-1].tolist(), values[1:].tolist(), strict=True)])
    assert BITS / 2 - 1 < changed < BITS / 2 + 1


@given(numbers, numbers)
def test_times(weight, value):
    assert times(np.int64(weight), np.int64(value)) == weight * value % 2**BITS


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("colored", [False, True])
@given(seed=st.integers(0, 1_000))
@settings(max_examples=EXAMPLES // 5)
def test_sums(weighted, colored, seed):
    draw = np.random.default_rng(seed)
    arities = draw.integers(1, 7, 5)
    arities[draw.integers(5)] = draw.choice([2, 100, 256, 300])  # codes of one byte and of two
    rows = int(draw.integers(1, 70))
    codes = draw_codes(arities, rows, seed)
    cells = [draw.integers(0, 1 << CELL_BITS, k).tolist() for k in arities]
    first = np.cumsum(arities) - arities
    weights = draw.integers(1, 1 << 40, rows) if weighted else NOTHING
    row_hash = draw.integers(0, 1 << BITS, rows) if colored else NOTHING
    wanted = np.flatnonzero(draw.random(5) < 0.6)
    sums = np.zeros(int(arities.sum()), np.int64)
    scratch = np.empty(16, np.int64), np.empty(16, np.uint8), np.empty(CELLS_OF_A_TABLE, np.int64)
    middle = int(draw.integers(rows + 1))
    for share in ((0, middle), (middle, rows)):
        sum_row_hashes(codes, first, arities, np.concatenate(cells), row_hash, weights, wanted, *share, *scratch, sums)
    expected = naive_sums(
        codes,
        cells,
        row_hash.tolist() if colored else [0] * rows,
        weights.tolist() if weighted else [1] * rows,
        wanted.tolist(),
    )
    got = {(c, code): int(sums[first[c] + code]) for c, k in enumerate(arities.tolist()) for code in range(k)}
    assert {key: value for key, value in got.items() if value} == {
        key: value for key, value in expected.items() if value
    }
