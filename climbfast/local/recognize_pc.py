"""RecognizePC, which starts from all candidates, and its fast form.

Fu and Desmarais (2008), "Fast Markov blanket discovery algorithm via local learning within single pass" (IPC-MB);
Zhu and Yang (2014) for the fast form: candidates filtered and sorted by their marginal strength, the weakest tested
first and dropped at once, so that fewer subsets are left for the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import Test
from climbfast.local.candidates import Candidates
from climbfast.local.neighbors import Neighbors

__all__ = ["fast_recognize_pc", "recognize_pc"]


def recognize_pc(
    test: Test, target: int, candidates: Sequence[int], max_given: int | None = 3, max_pool: int | None = MAX_POOL
) -> Neighbors:
    """Drop what subsets of size 1, 2, … of the candidates separate; drops take effect after each size.

    Parameters
    ----------
    test, target, candidates, max_given, max_pool
        See ``getpcd``.
    """
    known = Candidates(test, target, candidates, max_given, max_pool)
    left = known.dependent()
    size = 1
    while len(left) > size and (max_given is None or size <= max_given):
        left = known.keep_dependent(left, left, size=size)
        size += 1
    return known.neighbors(left)


def fast_recognize_pc(
    test: Test, target: int, candidates: Sequence[int], max_given: int | None = 3, max_pool: int | None = MAX_POOL
) -> Neighbors:
    """Do the same weakest first, subsets of the strongest first, and drop at once.

    Parameters
    ----------
    test, target, candidates, max_given, max_pool
        See ``getpcd``.
    """
    known = Candidates(test, target, candidates, max_given, max_pool)
    left = known.by_strength(known.dependent())
    size = 1
    while len(left) > size and (max_given is None or size <= max_given):
        for x in reversed(left):
            if not known.keep_dependent([x], left, size=size):
                left = [y for y in left if y != x]
        size += 1
    return known.neighbors(left)
