"""GetPCD, the parents, children and some descendants of a target.

Peña, Nilsson, Björkegren and Tegnér (2007), "Towards scalable and data efficient learning of Markov boundaries",
Table 3. It departs from the paper in one point that leaves the sets unchanged: the minimum over the subsets of PCD
is kept from round to round, so only subsets with the newest member are tested.

With a ``Tester`` the same loop runs compiled.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from climbfast.independence.tester import Tester
from climbfast.independence.tests import Test
from climbfast.local.candidates import Candidates
from climbfast.local.compiled import getpcd_each
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
    if isinstance(test, Tester):
        return _compiled(test, target, candidates, max_given)
    known = Candidates(test, target, candidates, max_given)
    pcd: list[int] = []
    can_pcd = known.dependent()
    while can_pcd:
        newest = known.strongest(can_pcd)
        can_pcd.remove(newest)
        pcd = known.keep_dependent(pcd, pcd, joined=(newest,))
        can_pcd = known.keep_dependent(can_pcd, pcd, joined=(newest,))
        pcd = sorted([*pcd, newest])
    return known.neighbors(pcd)


def _compiled(tester: Tester, target: int, candidates: Sequence[int], max_given: int | None) -> Neighbors:
    from climbfast_kernels.getpcd import MEMBER

    strengths, columns = tester.sweep(target, candidates, ()), np.array(candidates, dtype=np.int64)
    kept = strengths > 0
    columns, most_given = columns[kept], int(kept.sum()) if max_given is None else max_given
    found = getpcd_each(tester, (target,), np.array([0, len(columns)]), columns, strengths[kept], most_given)
    members = found.state == MEMBER
    strengths_of = dict(zip(columns[members].tolist(), found.strengths[members].tolist(), strict=True))
    separators = {
        x: tuple(sorted(z for z in separator if z >= 0))
        for x, separator in zip(columns[~members].tolist(), found.separators[~members].tolist(), strict=True)
    }
    return Neighbors(tuple(strengths_of), strengths_of, separators)
