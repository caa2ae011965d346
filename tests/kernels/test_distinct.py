"""Distinct rows against numpy, by histogram and by sorting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels import counts
from climbfast_kernels.distinct import distinct_rows
from tests.tables import EXAMPLES, arrays, small_codes

WAYS = (counts.AUTO, counts.SPARSE)


@pytest.mark.parametrize("way", WAYS)
@given(small_codes(least=1), st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_distinct_rows(way, drawn, draw):
    codes, arities = drawn
    data = arrays(codes, arities)
    target, *columns = draw.draw(st.permutations(range(len(codes))))
    room = data.room(len(columns))
    values, weight = distinct_rows(data.codes, data.bits, room, way, target, np.array(columns, np.int64))
    expected, count = np.unique(data.codes[[*columns[::-1], target]], axis=1, return_counts=True)
    assert np.array_equal(values, expected[[*range(len(columns))[::-1], len(columns)]])
    assert np.array_equal(weight, count)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("arity", [255, 256, 257, 65_536, 70_000])
def test_at_the_edges_of_storage_types(arity, way):
    codes = np.array([[0, 1, 0, 1, 1], [arity - 1, 0, arity - 1, arity - 1, 0]], np.min_scalar_type(arity - 1))
    data = arrays(codes, [2, arity])
    values, weight = distinct_rows(data.codes, data.bits, data.room(1), way, 0, np.array([1]))
    assert values.tolist() == [[0, arity - 1, arity - 1], [1, 0, 1]]
    assert weight.tolist() == [2, 2, 1]
