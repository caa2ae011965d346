"""The numbers and the memory of a reader's texts as codes, and counts of these, against dictionaries and lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels.coding import (
    CELLS_OF_A_BLOCK,
    SLOTS_OF_VIEWS,
    count_few_values,
    count_values,
    first_rows,
    number_views,
    recode,
    write_bytes,
)
from tests.factories import EXAMPLES


def column_of(numbers: list[int]) -> np.ndarray:
    """The column as a reader shares it."""
    column = np.array(numbers, np.uint32)
    column.flags.writeable = False
    return column


@given(st.lists(st.integers(0, 30)))
@settings(max_examples=EXAMPLES)
def test_first_rows(numbers):
    seen, rows = np.zeros(31, np.bool_), np.full(31, -1, np.int64)
    found = first_rows(column_of(numbers), seen, rows)
    assert rows[:found].tolist() == [numbers.index(number) for number in dict.fromkeys(numbers)]
    assert not seen.any(), "clean for the next column"


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@given(numbers=st.lists(st.integers(0, 30)), seed=st.integers(0, 10))
@settings(max_examples=EXAMPLES)
def test_recode(dtype, numbers, seed):
    code = np.random.default_rng(seed).permutation(31).astype(dtype)
    out = np.zeros(len(numbers), dtype)
    recode(column_of(numbers), code, out)
    assert out.tolist() == [code[number] for number in numbers]


@given(st.lists(st.integers(0, 255)))
@settings(max_examples=EXAMPLES)
def test_count_values(cells):
    counts = np.zeros((4, 256), np.int64)
    count_values(np.array(cells, np.uint8), counts)
    assert counts.sum(axis=0).tolist() == [cells.count(value) for value in range(256)]


@given(st.lists(st.integers(0, 5)), st.integers(0, 6), st.integers(1, 1_000))
@settings(max_examples=EXAMPLES)
def test_count_few_values(cells, values, times):
    counts = np.zeros(values, np.int64)
    count_few_values(np.array(cells * times, np.uint8), counts)
    assert counts.tolist() == [cells.count(value) * times for value in range(values)]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64])
@given(data=st.data(), spread=st.sampled_from([0, 1, 6, 7, 8, 254, 255, 256, 257, 2**63]))
@settings(max_examples=EXAMPLES // 2)
def test_write_bytes(dtype, data, spread):
    limits = np.iinfo(dtype)
    low = data.draw(st.sampled_from([limits.min, -1, 0, 7, 250, limits.max - spread]))
    low = min(max(low, limits.min), limits.max)
    high = min(low + spread, limits.max)
    cells = data.draw(st.lists(st.integers(low, high) | st.sampled_from([low, high]), min_size=1))
    if data.draw(st.booleans()):
        cells = cells[:1] * CELLS_OF_A_BLOCK + cells  # two blocks
    given = np.array(cells, dtype)
    given.flags.writeable = False
    ends, out, counts = np.repeat(given[:1], 2), np.zeros(len(cells), np.uint8), np.zeros((4, 256), np.int64)
    fits = write_bytes(given, ends, out, counts)
    assert ends.tolist() == [min(cells), max(cells)]
    assert fits == (max(cells) - min(cells) < 256)
    if fits:
        assert out.tolist() == [cell % 256 for cell in cells]
        assert counts.sum(axis=0).tolist() == np.bincount(out, minlength=256).tolist()


VIEWS = st.tuples(st.sampled_from([0, 1, 2**32, 2**64 - 1]), st.sampled_from([0, 1, 2**32, 2**63]))


@given(st.lists(VIEWS | st.none()), st.integers(0, 9), st.integers(0, 20))
@settings(max_examples=EXAMPLES)
def test_number_views(cells, first_bit, most):
    views = np.array([cell or (7, 7) for cell in cells], np.uint64).reshape(-1, 2)
    bits = np.array([0] * first_bit + [cell is not None for cell in cells], np.uint8)
    valid = np.packbits(bits, bitorder="little") if None in cells else np.empty(0, np.uint8)
    slot, known = np.zeros(SLOTS_OF_VIEWS, np.uint16), np.zeros((most, 2), np.uint64)
    numbers, rows = np.zeros(len(cells), np.uint8), np.full(most, -1, np.int64)
    found = number_views(views, valid, first_bit, slot, known, numbers, rows)
    different = list(dict.fromkeys(cells))
    if len(different) > most:
        assert found == -1
        return
    assert numbers.tolist() == [different.index(cell) for cell in cells]
    assert rows[:found].tolist() == [cells.index(cell) for cell in different]
