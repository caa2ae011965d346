"""The numbers that a reader gives to texts, as codes, against dictionaries and lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels.coding import first_rows, recode
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
