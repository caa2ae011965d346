"""GetPCD, the parents, children and some descendants of a target.

Peña, Nilsson, Björkegren and Tegnér (2007), "Towards scalable and data efficient learning of Markov boundaries",
Table 3. It departs from the paper in one point that leaves the sets unchanged: the minimum over the subsets of PCD
is kept from round to round, so only subsets with the newest member are tested.

With a ``Tester`` the same loop runs compiled until members are so many that not all their sets are tested
(``climbfast.independence.nearest``); from there on a call from Python makes many tests.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tester import Tester, column_array
from climbfast.independence.tests import Separator, Test
from climbfast.local.candidates import Candidates
from climbfast.local.compiled import PCDResult, getpcd_each
from climbfast.local.neighbors import Neighbors

__all__ = ["finish_getpcd", "getpcd"]


def getpcd(
    test: Test, target: int, candidates: Sequence[int], max_given: int | None = 3, max_pool: int | None = MAX_POOL
) -> Neighbors:
    """Find the columns that no set of the others found separates from the target.

    Parameters
    ----------
    test : Test
    target : int
    candidates : sequence of int
        The columns to look among, ascending; ties in strength go to the first.
    max_given : int or None
        Largest conditioning set; None is unlimited.
    max_pool : int or None
        Most columns of which all sets of up to three are tested; of more, sets of two and more columns are drawn from
        those nearest to a candidate, see ``climbfast.independence.nearest``. None is no bound.
    """
    if isinstance(test, Tester):
        return _compiled(test, target, candidates, max_given, max_pool)
    known = Candidates(test, target, candidates, max_given, max_pool)
    return _search(known, [], known.dependent())


def finish_getpcd(
    test: Test,
    target: int,
    candidates: NDArray[np.int64],
    found: PCDResult,
    max_given: int | None,
    max_pool: int | None,
) -> Neighbors:
    """Go on with a compiled search of one target, which ended because it is a hub.

    Parameters
    ----------
    test, target, candidates, max_given, max_pool
        See ``getpcd``; the candidates are those that are marginally dependent.
    found : PCDResult
        Of this target alone.
    """
    from climbfast_kernels.getpcd import CANDIDATE, MEMBER, SEPARATED

    known = Candidates(test, target, candidates.tolist(), max_given, max_pool)
    known.take_over(found.strengths, _separators(candidates, found, SEPARATED))
    return _search(known, candidates[found.state == MEMBER].tolist(), candidates[found.state == CANDIDATE].tolist())


def _search(known: Candidates, pcd: list[int], can_pcd: list[int]) -> Neighbors:
    """Search on from the members so far, and the candidates left."""
    while can_pcd:
        newest = known.strongest(can_pcd)
        can_pcd.remove(newest)
        pcd = known.keep_dependent(pcd, pcd, joined=(newest,))
        can_pcd = known.keep_dependent(can_pcd, pcd, joined=(newest,))
        pcd = sorted([*pcd, newest])
    return known.neighbors(pcd)


def _compiled(
    tester: Tester, target: int, candidates: Sequence[int], max_given: int | None, max_pool: int | None
) -> Neighbors:
    from climbfast_kernels.getpcd import MEMBER, SEPARATED

    strengths = tester.sweep(target, candidates, ())
    kept = strengths > 0
    columns, most_given = column_array(candidates)[kept], int(kept.sum()) if max_given is None else max_given
    found = getpcd_each(tester, (target,), np.array([0, len(columns)]), columns, strengths[kept], most_given, max_pool)
    if found.is_hub[0]:
        return finish_getpcd(tester, target, columns, found, max_given, max_pool)
    members = found.state == MEMBER
    strengths_of = dict(zip(columns[members].tolist(), found.strengths[members].tolist(), strict=True))
    return Neighbors(tuple(strengths_of), strengths_of, _separators(columns, found, SEPARATED))


def _separators(columns: NDArray[np.int64], found: PCDResult, separated: int) -> dict[int, Separator]:
    """Return the separating sets of the columns that are separated."""
    apart = found.state == separated
    return {
        x: tuple(sorted(z for z in separator if z >= 0))
        for x, separator in zip(columns[apart].tolist(), found.separators[apart].tolist(), strict=True)
    }
