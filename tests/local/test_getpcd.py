"""GetPCD where candidates tie, and where they are copies."""

from __future__ import annotations

import numpy as np

from climbfast.independence.tester import Tester
from climbfast.local.getpcd import getpcd
from tests.factories import quiet_codes
from tests.reference import NaiveTester


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
