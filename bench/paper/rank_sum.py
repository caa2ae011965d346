"""The exact one-sided rank-sum test of Wilcoxon, with ties."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

__all__ = ["rank_sum_p"]


def rank_sum_p(larger: Sequence[float], smaller: Sequence[float]) -> float:
    """Return the probability of a rank sum of `larger` as large as this one if nothing but chance divided the values.

    Tied values share the mean of their ranks. All divisions of the values are equally likely; the number of them
    with each rank sum is counted value by value.

    Parameters
    ----------
    larger, smaller : sequence of float
        The two samples; the alternative is that values of the first are larger.
    """
    together = sorted((*larger, *smaller))
    # Twice a mean rank is whole: first rank + last rank of the tied values.
    doubled = {value: together.index(value) + 1 + len(together) - together[::-1].index(value) for value in together}
    subsets: list[dict[int, int]] = [{0: 1}, *({} for _ in larger)]
    for value in together:
        for taken in range(len(larger), 0, -1):
            for total, count in subsets[taken - 1].items():
                subsets[taken][total + doubled[value]] = subsets[taken].get(total + doubled[value], 0) + count
    observed = sum(doubled[value] for value in larger)
    return sum(count for total, count in subsets[-1].items() if total >= observed) / comb(len(together), len(larger))
