"""Which columns determine others, against dictionaries and tables of counts."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels.determination import UNKNOWN, determined_by, near_copies
from tests.factories import EXAMPLES

UNBOUNDED = 1 << 62
TABLES = st.integers(1, 25).flatmap(
    lambda rows: st.lists(st.lists(st.integers(0, 3), min_size=rows, max_size=rows), min_size=2, max_size=5)
)


def functions_of(table: list[list[int]], gap: int) -> list[int]:
    """Rows where both are observed for each column that is a function of the first one there; 0 for others."""
    found = []
    for column in table[1:]:
        images = defaultdict(set)
        observed = [(x, y) for x, y in zip(table[0], column, strict=True) if gap not in (x, y)]
        for x, y in observed:
            images[x].add(y)
        found.append(len(observed) if all(len(image) == 1 for image in images.values()) else 0)
    return found


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32])
@given(table=TABLES)
@settings(max_examples=EXAMPLES)
def test_functions(dtype, table):
    gap = 3
    codes, image = np.array(table, dtype), np.full(gap + 1, UNKNOWN)
    common = np.zeros(len(table), np.int64)
    wanted = np.arange(1, len(table))
    gaps = np.full(len(table), gap)
    determined_by(codes[0].astype(np.int64), gap, codes, gaps, wanted, image, common, UNBOUNDED)
    assert common[1:].tolist() == functions_of(table, gap)
    assert (image == UNKNOWN).all(), "clean for the next call"


def test_columns_that_are_not_wanted_are_left():
    codes = np.zeros((3, 4), np.uint8)
    common = np.zeros(3, np.int64)
    determined_by(
        codes[0].astype(np.int64), 1, codes, np.ones(3, np.int64), np.array([2]), np.full(2, UNKNOWN), common, 99
    )
    assert common.tolist() == [0, 0, 4]


def test_reading_ends_with_the_budget():
    codes = np.zeros((5, 10), np.uint8)
    common = np.zeros(5, np.int64)
    arguments = codes[0].astype(np.int64), 1, codes, np.ones(5, np.int64), np.arange(1, 5), np.full(2, UNKNOWN), common
    assert determined_by(*arguments, 15) == 20, "a column that is begun is read to its end"
    assert common.tolist() == [0, 10, 10, 0, 0]


def exceptions(x: list[int], y: list[int]) -> int:
    """Rows outside the most frequent y of their x."""
    cells = Counter(zip(x, y, strict=True))
    return len(x) - sum(max(count for (a, _), count in cells.items() if a == level) for level in set(x))


@given(table=TABLES, most=st.integers(0, 4))
@settings(max_examples=EXAMPLES)
def test_near_copies(table, most):
    largest = [max(Counter(column).values()) for column in table]
    order = sorted(range(len(table)), key=largest.__getitem__)
    columns, largest = [table[i] for i in order], sorted(largest)
    counts, best, pairs = np.zeros(16, np.int64), np.zeros((2, 4), np.int64), np.zeros((20, 2), np.int64)
    sizes = np.full(len(table), 4)
    found, compared, _ = near_copies(
        np.array(columns, np.uint8), sizes, np.array(largest), most, counts, best, pairs, UNBOUNDED
    )
    near = [
        [a, b]
        for a in range(len(columns))
        for b in range(a + 1, len(columns))
        if max(exceptions(columns[a], columns[b]), exceptions(columns[b], columns[a])) <= most
    ]
    assert pairs[:found].tolist() == near
    assert compared == sum(v - u <= most for i, u in enumerate(largest) for v in largest[i + 1 :])
    assert not counts.any()
    assert not best.any()


def test_pairs_beyond_the_array_are_counted():
    codes = np.tile(np.arange(10, dtype=np.uint8) % 2, (4, 1))
    pairs = np.zeros((2, 2), np.int64)
    arguments = codes, np.full(4, 2), np.full(4, 5), 0, np.zeros(4, np.int64), np.zeros((2, 2), np.int64), pairs
    assert near_copies(*arguments, UNBOUNDED) == (6, 6, 60)
    assert pairs.tolist() == [[0, 1], [0, 2]]
    assert near_copies(*arguments, 20) == (2, 2, 20)
