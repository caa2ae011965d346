"""GetPCD where candidates tie, and where they are copies."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tester import Tester
from climbfast.local.getpcd import getpcd
from tests.factories import draw_hub, quiet_codes
from tests.reference import NaiveTester, strength_sci


def test_ties_go_to_the_first():
    asked = []

    class EqualStrengths(NaiveTester):
        def weakest(self, target, candidates, pool, fixed, sizes, known=None):
            asked.extend(fixed)
            return super().weakest(target, candidates, pool, fixed, sizes, known)

    assert getpcd(EqualStrengths(lambda x, y, given: 1.0), 0, [1, 2, 3]).members == (1, 2, 3)
    assert list(dict.fromkeys(asked)) == [1, 2, 3]


def test_copies_of_the_target():
    """Two copies make each other superfluous, and one of them stays."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, 300)
    noisy = np.where(rng.random(300) < 0.6, x, rng.integers(0, 3, 300))
    found = getpcd(Tester(quiet_codes(np.array([x, x, 2 - x, noisy], np.uint8))), 0, [1, 2, 3])
    assert found.members == (1,)
    assert found.separators == {2: (1,), 3: (1,)}


@pytest.mark.parametrize("max_pool", [1, 3, 5])
def test_a_hub_compiled_and_by_any_test(max_pool):
    codes = draw_hub(9)
    tester, naive = Tester(quiet_codes(codes)), NaiveTester(strength_sci(codes.tolist(), [2] * len(codes)))
    others = range(1, len(codes))
    found, expected = getpcd(tester, 0, others, 3, max_pool), getpcd(naive, 0, others, 3, max_pool)
    assert (found.members, found.separators, found.bounded) == (expected.members, expected.separators, expected.bounded)
    assert found.strengths == pytest.approx(expected.strengths, abs=1e-6)
    assert found.bounded == len(found.members) > 7
    # The naive test counts what it was asked to find the nearest, too.
    assert tester.tests_by_size[1:] == naive.tests_by_size[1:]
    full = Tester(quiet_codes(codes))
    assert getpcd(full, 0, others, 3, None).bounded == 0
    assert sum(full.tests_by_size) > sum(tester.tests_by_size)


@pytest.mark.parametrize(("children", "is_cut"), [(24, False), (33, False), (34, True)])
def test_up_to_32_columns_all_sets_are_tested(children, is_cut):
    """Of 33 members each is given 32."""
    data = quiet_codes(draw_hub(children, 2_000, 10, seed=1))
    testers = Tester(data), Tester(data)
    found, full = (
        getpcd(tester, 0, range(1, data.columns), max_pool=max_pool)
        for tester, max_pool in zip(testers, (MAX_POOL, None), strict=True)
    )
    assert len(full.members) == children
    assert (found.bounded > 0) == is_cut
    assert is_cut or (found == full and testers[0].tests_by_size == testers[1].tests_by_size)


@pytest.mark.parametrize(("children", "seed", "more"), [(40, 0, 0), (40, 1, 0), (80, 0, 2)])
def test_the_members_around_a_hub_are_those_of_the_full_search(children, seed, more):
    """Of 80 children, the many sets of the full search separate one or two more by chance."""
    data = quiet_codes(draw_hub(children, 2_000, 20, seed))
    found, full = (
        getpcd(Tester(data), 0, range(1, data.columns), max_pool=max_pool).members for max_pool in (MAX_POOL, None)
    )
    assert {*full} <= {*found}
    assert len(found) <= len(full) + more
