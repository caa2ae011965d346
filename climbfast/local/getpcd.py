"""GetPCD, the parents, children and some descendants of a target.

Peña, Nilsson, Björkegren and Tegnér (2007), "Towards scalable and data efficient learning of Markov boundaries",
Table 3. It departs from the paper in one point that leaves the sets unchanged: the minimum over the subsets of PCD
is kept from round to round, so only subsets with the newest member are tested.
"""

from __future__ import annotations

from collections.abc import Sequence

from climbfast.evidence import Test
from climbfast.local.candidates import Candidates
from climbfast.local.neighbors import Neighbors

__all__ = ["getpcd"]


def getpcd(test: Test, target: int, candidates: Sequence[int], max_given: int | None = 3) -> Neighbors:
    """Find the columns that no set of the others found separates from the target.

    Parameters
    ----------
    test : Test
    target : int
    candidates : sequence of int
        The columns to look among, ascending; ties in strength go to the first.
    max_given : int or None
        Largest conditioning set; None is unlimited.
    """
    known = Candidates(test, target, candidates, max_given)
    pcd: list[int] = []
    can_pcd = known.dependent()
    while can_pcd:
        newest = known.strongest(can_pcd)
        can_pcd.remove(newest)
        pcd = known.withstand(pcd, pcd, joined=(newest,))
        can_pcd = known.withstand(can_pcd, pcd, joined=(newest,))
        pcd = sorted([*pcd, newest])
    return known.found(pcd)
