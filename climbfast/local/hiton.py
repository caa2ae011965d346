"""HITON-PC, interleaved and semi-interleaved.

Aliferis, Tsamardinos and Statnikov (2003), "HITON: a novel Markov blanket algorithm for optimal variable selection";
Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010), "Local causal and Markov blanket induction", Part I, as
instances of generalized local learning. Both take the candidates by decreasing marginal strength.
"""

from __future__ import annotations

from collections.abc import Sequence

from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import Test
from climbfast.local.candidates import Candidates
from climbfast.local.neighbors import Neighbors

__all__ = ["hiton_pc", "si_hiton_pc"]


def hiton_pc(
    test: Test, target: int, candidates: Sequence[int], max_given: int | None = 3, max_pool: int | None = MAX_POOL
) -> Neighbors:
    """After every candidate that stays, re-test all members.

    Parameters
    ----------
    test, target, candidates, max_given, max_pool
        See ``getpcd``.
    """
    known = Candidates(test, target, candidates, max_given, max_pool)
    tpc: list[int] = []
    for x in known.by_strength(known.dependent()):
        if known.keep_dependent([x], tpc):
            # Sets without x have been tried when these members came in, or in an earlier round.
            tpc = sorted([*known.keep_dependent(tpc, tpc, joined=(x,)), x])
    return known.neighbors(tpc)


def si_hiton_pc(
    test: Test, target: int, candidates: Sequence[int], max_given: int | None = 3, max_pool: int | None = MAX_POOL
) -> Neighbors:
    """Test only the candidate that comes in; re-test the members once, at the end.

    Parameters
    ----------
    test, target, candidates, max_given, max_pool
        See ``getpcd``.
    """
    known = Candidates(test, target, candidates, max_given, max_pool)
    tpc: list[int] = []
    for x in known.by_strength(known.dependent()):
        tpc = sorted([*tpc, *known.keep_dependent([x], tpc)])
    return known.neighbors(known.keep_dependent(tpc, tpc))
