"""Grow-Shrink: the whole Markov blanket by two passes over the candidates.

Margaritis and Thrun (1999), "Bayesian network induction via local neighborhoods". As in the paper the order of the
candidates is fixed; it is that of their names. IAMB is the same with the strongest candidate first.
"""

from __future__ import annotations

from collections.abc import Sequence

from climbfast.independence.tests import Test
from climbfast.local.compiled import SetOfTests
from climbfast.local.rounds import MemberSearch, Steps

__all__ = ["dependent_given_others", "grow_shrink"]


@MemberSearch
def grow_shrink(test: Test, target: int, candidates: Sequence[int], max_given: int | None = None) -> Steps:
    """Add columns that are dependent given the members; then remove members that are independent given the others.

    Parameters
    ----------
    test : Test
    target : int
    candidates : sequence of int
        The columns to look among, ascending.
    max_given : int or None
        Largest set to condition on while the blanket grows, which so has at most one member more; None is unlimited.
    """
    left = list(candidates)
    blanket: list[int] = []
    added = True
    while added and (max_given is None or len(blanket) <= max_given):
        added = False
        for x in left:
            if (yield SetOfTests(target, (x,), tuple(blanket)))[0] > 0:
                blanket.append(x)
                left.remove(x)
                added = True
                break
    return (yield from dependent_given_others(target, blanket))


def dependent_given_others(target: int, blanket: Sequence[int]) -> Steps:
    """Drop the members that are independent of the target given the others, one after the other, until none is."""
    left = list(blanket)
    dropped = True
    while dropped:
        dropped = False
        for x in left:
            if (yield SetOfTests(target, (x,), tuple(y for y in left if y != x)))[0] <= 0:
                left.remove(x)
                dropped = True
                break
    return tuple(left)
