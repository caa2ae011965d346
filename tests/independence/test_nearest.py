"""Around a hub, the sets of the columns nearest to a candidate, as the naive reference has them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from climbfast.independence.nearest import BoundedPools, NearestSets, columns_given, most_in_full
from climbfast.independence.tester import Tester
from tests.factories import draw_hub, quiet_codes
from tests.oracle import remembered
from tests.reference import NaiveTester, given_around_a_hub, strength_sci, weakest_of_nearest

COLUMNS = range(1, 12)


@pytest.fixture(scope="module")
def strength():
    """Strengths of a hub with eight children, of which some are equally near to others."""
    codes = draw_hub(8, 80)
    codes[4] = codes[3]
    return remembered(strength_sci(codes.tolist(), [2] * len(codes)))


def random_call(rng: random.Random):
    """Candidates, a pool, what is fixed, and sizes; candidates may be in the pool."""
    columns = rng.sample(COLUMNS, rng.randint(2, 9))
    fixed = columns[: rng.randint(0, 1)]
    pool = sorted({*columns} - {*fixed})
    candidates = sorted(rng.sample([x for x in COLUMNS if x not in fixed], rng.randint(1, 5)))
    first = rng.randint(0 if fixed else 1, 2)
    return candidates, pool, fixed, range(first, rng.randint(first, 4) + 1)


@pytest.mark.parametrize(
    ("columns", "size", "given"),
    [(32, 2, 32), (32, 3, 32), (33, 1, 33), (33, 2, 32), (33, 3, 16), (16, 4, 16), (17, 4, 16), (900, 7, 16)],
)
def test_the_rule(columns, size, given):
    assert columns_given(32, columns, size) == given
    assert columns_given(None, columns, size) == columns
    assert (given == columns) == (size < 2 or columns <= most_in_full(32, size))


@pytest.mark.parametrize("max_pool", [1, 2, 3, 4, 7, 2**62 - 1])
@pytest.mark.parametrize("seed", range(4))
def test_strengths_sets_and_what_was_bounded(strength, seed, max_pool):
    """One object for all calls, so that what it keeps between them is in use."""
    rng = random.Random(seed)
    search = NearestSets(NaiveTester(strength), max_pool)
    for _ in range(25):
        candidates, pool, fixed, sizes = random_call(rng)
        search.bounded.clear()
        found, separators = search.weakest(0, candidates, pool, fixed, sizes, [np.inf] * len(candidates))
        expected = [weakest_of_nearest(strength, 0, x, pool, fixed, sizes, max_pool) for x in candidates]
        assert found.tolist() == [minimum for minimum, _, _ in expected]
        assert separators == [separator for _, separator, _ in expected]
        assert search.bounded <= {*candidates}
        assert search.bounded >= {x for x, (_, _, left_out) in zip(candidates, expected, strict=True) if left_out}


def test_a_smaller_pool_is_searched_as_without_a_bound(strength):
    bounded, full = NaiveTester(strength), NaiveTester(strength)
    call = 0, [1, 2, 9], [1, 2, 3, 4, 5], (), range(1, 4), [9.0, 9.0, 9.0]
    for test, max_pool in ((bounded, 5), (full, None)):
        search = NearestSets(test, max_pool)
        search.weakest(*call)
        assert not search.bounded
    assert bounded.tests_by_size == full.tests_by_size


@pytest.mark.parametrize("max_pool", [1, 2, 3, None])
def test_pools_of_pairs(strength, max_pool):
    pools = {0: (5, 3, 2, 1, 9), 4: (1,), 6: ()}
    bounded = BoundedPools(NaiveTester(strength), pools, max_pool)
    for size in (1, 2, 3, 4):
        for others, pool in bounded.of(0, [3, 7], size):
            for y in others:
                columns = [z for z in pools[0] if z != y]
                near = given_around_a_hub(strength, y, columns, size, max_pool)
                assert [z for z in pool if z != y] == [z for z in columns if z in near]
                assert bounded.is_bounded(0, pool) == bounded.leaves_out(0, y, size) == (len(near) < len(columns))
    assert bounded.of(4, [2], 2) == [([2], (1,))]
    assert bounded.of(6, [], 2) == []


def test_nearness_is_not_counted():
    tester = Tester(quiet_codes(draw_hub(8)))
    NearestSets(tester, 2).weakest(0, [1], [2, 3, 4, 5], (), range(2, 3), [np.inf])
    assert sum(tester.tests_by_size) == 1
