"""A score is asked once for each family, whatever the order of the parents."""

from __future__ import annotations

import numpy as np

from climbfast.graphs.family_cache import FamilyCache


class CountingScore:
    """The sum of the parents' numbers less that of the column; it keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, tuple[int, ...]]] = []

    def score(self, x, parents):
        self.asked.append((x, parents))
        return float(sum(parents) - x)


def test_each_family_is_scored_once():
    score = CountingScore()
    cache = FamilyCache(score)
    assert cache.score(1, [3, 2]) == cache.score(1, (2, 3)) == 4
    assert cache.gains(1, {2}, np.array([3, 5])).tolist() == [3, 5]
    assert score.asked == [(1, (2, 3)), (1, (2,)), (1, (2, 5))]
    assert cache.families == 3
