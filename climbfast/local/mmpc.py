"""MMPC, max-min parents and children.

Tsamardinos, Aliferis and Statnikov (2003), "Time and sample efficient discovery of Markov blankets and direct causal
relations". The minima of the forward phase are kept from round to round, so only subsets with the newest member are
tested.
"""

from __future__ import annotations

from collections.abc import Sequence

from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import Test
from climbfast.local.candidates import Candidates
from climbfast.local.neighbors import Neighbors

__all__ = ["mmpc"]


def mmpc(
    test: Test, target: int, candidates: Sequence[int], max_given: int | None = 3, max_pool: int | None = MAX_POOL
) -> Neighbors:
    """Add the candidate whose weakest strength is largest; then drop what subsets of the others separate.

    Parameters
    ----------
    test, target, candidates, max_given, max_pool
        See ``getpcd``.
    """
    known = Candidates(test, target, candidates, max_given, max_pool)
    cpc: list[int] = []
    left = known.dependent()
    while left:
        newest = known.strongest(left)
        left.remove(newest)
        left = known.keep_dependent(left, cpc, joined=(newest,))
        cpc = sorted([*cpc, newest])
    return known.neighbors(known.keep_dependent(cpc, cpc))
