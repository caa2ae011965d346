"""IAMB with control of the false discovery rate.

Peña (2008), "Learning Gaussian graphical models of gene networks with false discovery rate control" (IAMBFDR): members
come and go by the threshold of Benjamini and Yekutieli (2001) over the p-values of all candidates. For SCI, which has
no p-value, its bound by no-hypercompression is taken (``Tester.log10_p``).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.tester import Tester
from climbfast.independence.tests import Test
from climbfast.local.compiled import SetOfTests
from climbfast.local.rounds import MemberSearch, Steps

__all__ = ["iamb_fdr"]


@MemberSearch
def iamb_fdr(test: Test, target: int, candidates: Sequence[int], max_given: int | None = None) -> Steps:
    """Remove the least significant member that fails the threshold, or else add the best candidate that passes it.

    The member added last is not removed at once: its test was the one that brought it in.

    Parameters
    ----------
    test : Test
        With ``log10_p`` and ``log10_alpha`` if its strengths are those of data; any other is taken at its word.
    target, candidates, max_given
        See ``iamb``.
    """
    columns = list(candidates)
    blanket: tuple[int, ...] = ()
    seen: set[tuple[int, ...]] = set()
    added = -1
    while blanket not in seen:
        seen.add(blanket)
        full = max_given is not None and len(blanket) > max_given
        outside = () if full else [x for x in columns if x not in blanket]
        excess = yield from _excess(test, target, columns, blanket, outside)
        failing = [x for x in blanket if excess[x] > 0 and x != added]
        passing = [x for x in excess if excess[x] <= 0 and x not in blanket]
        added = -1
        if failing:
            removed = max(failing, key=lambda x: (excess[x], x))
            blanket = tuple(x for x in blanket if x != removed)
        elif passing:
            added = min(passing, key=lambda x: (excess[x], x))
            blanket = tuple(sorted((*blanket, added)))
    return blanket


def _excess(
    test: Test, target: int, columns: Sequence[int], blanket: Sequence[int], outside: Sequence[int]
) -> Generator[SetOfTests, NDArray[np.float64], dict[int, float]]:
    """Return log10 of p_(i)·(m/i)·Σ_j 1/j over α for the members and for ``outside``; ≤ 0 passes."""
    strengths: dict[int, float] = {}
    if outside:
        found = yield SetOfTests(target, outside, blanket)
        strengths = dict(zip(outside, found, strict=True))
    for x in blanket:
        strengths[x] = (yield SetOfTests(target, (x,), tuple(y for y in blanket if y != x)))[0]
    tested = sorted(strengths)
    values = np.array([strengths[x] for x in tested])
    if not hasattr(test, "log10_p"):
        return dict(zip(tested, np.where(values > 0, -values, 1 - values).tolist(), strict=True))
    tester = cast(Tester, test)
    log10_p = tester.log10_p(values)
    rank = np.empty(len(tested))
    rank[np.argsort(log10_p, kind="stable")] = np.arange(1, len(tested) + 1)
    m = len(columns)
    excess = log10_p + np.log10(m / rank * np.sum(1 / np.arange(1, m + 1))) - tester.log10_alpha
    return dict(zip(tested, excess.tolist(), strict=True))
