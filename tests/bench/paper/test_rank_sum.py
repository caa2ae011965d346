"""The exact rank-sum test against all divisions, and against scipy."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, rankdata

from bench.paper.rank_sum import rank_sum_p

samples = st.lists(st.integers(0, 4).map(float), min_size=1, max_size=6)


def by_all_divisions(larger, smaller):
    ranks = rankdata([*larger, *smaller])
    sums = [sum(chosen) for chosen in combinations(ranks, len(larger))]
    return sum(total >= sum(ranks[: len(larger)]) for total in sums) / len(sums)


@given(samples, samples)
def test_is_the_share_of_divisions_with_as_large_a_rank_sum(larger, smaller):
    assert rank_sum_p(larger, smaller) == pytest.approx(by_all_divisions(larger, smaller), abs=1e-12)


def test_agrees_with_scipy_without_ties():
    larger, smaller = (
        [3.1, 5.2, 1.0, 8.8, 7.7, 6.1, 9.3, 2.5, 4.4, 10.0],
        [2.0, 0.5, 3.3, 6.2, 1.7, 4.1, 0.9, 5.0, 2.2, 1.1],
    )
    expected = mannwhitneyu(larger, smaller, alternative="greater", method="exact").pvalue
    assert rank_sum_p(larger, smaller) == pytest.approx(expected, abs=1e-12)


def test_ten_that_are_all_larger_than_ten_are_one_division_of_all():
    assert rank_sum_p(range(10, 20), range(10)) == pytest.approx(1 / 184_756)


def test_equal_samples_decide_nothing():
    assert rank_sum_p([1.0] * 10, [1.0] * 10) == 1
