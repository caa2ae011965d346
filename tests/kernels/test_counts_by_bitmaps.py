"""The strategy of bitmaps counts the cells of a pair."""

from __future__ import annotations

import numpy as np

from climbfast_kernels import counts_by_bitmaps
from tests.factories import random_arrays


def test_a_pair_is_counted_from_its_free_cells():
    data = random_arrays([3, 4], 100)
    table = np.full(12, -1, np.int64)
    counts_by_bitmaps.count_pair(data.bits.words, data.bits.count, 0, 3, 3, 4, table)
    for a in range(3):
        for b in range(4):
            assert table[4 * a + b] == np.sum((data.codes[0] == a) & (data.codes[1] == b))
