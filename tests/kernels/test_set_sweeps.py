"""The sweeps are all sets of the pools, each with the candidates that are to be tested given it."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from climbfast_kernels.set_sweeps import sweeps_of_sets


def joined(lists):
    ends = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return ends, np.array([x for each in lists for x in each], np.int64)


def sweeps(entries):
    """Target, given columns and candidates of each sweep; entries are (target, size, pool, {candidate: others})."""
    targets, sizes, pools, candidates = zip(*entries, strict=True)
    others = [pool for of_entry in candidates for pool in of_entry.values()]
    found = sweeps_of_sets(
        np.array(targets), np.array(sizes), *joined(pools), *joined([list(each) for each in candidates]),
        *joined(others),
    )  # fmt: skip
    given = [tuple(found.given[a:b].tolist()) for a, b in pairwise(found.first_given.tolist())]
    tested = [found.candidates[a:b].tolist() for a, b in pairwise(found.first.tolist())]
    return list(zip(found.target.tolist(), given, tested, strict=True))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_all_sets_in_order(size):
    pool = [7, 2, 9, 4]
    expected = [(0, given, [5, 6]) for given in combinations(pool, size)]
    assert sweeps([(0, size, pool, {5: [], 6: []})]) == expected


def test_sets_within_the_other_pool_are_left_out():
    assert sweeps([(0, 2, [1, 2, 3], {5: [3, 1, 8], 6: [2]})]) == [
        (0, (1, 2), [5, 6]),
        (0, (1, 3), [6]),
        (0, (2, 3), [5, 6]),
    ]


def test_sets_that_nobody_is_tested_given_are_no_sweeps():
    entries = [(0, 1, [1, 2], {5: [1, 2]}), (3, 2, [4], {5: []}), (6, 1, [4], {}), (7, 1, [4, 8], {5: [8]})]
    assert sweeps(entries) == [(7, (4,), [5])]
