"""GetPCD, the parents, children and some descendants of a target.

Peña, Nilsson, Björkegren and Tegnér (2007), "Towards scalable and data efficient learning of Markov boundaries",
Table 3. It departs from the paper in one point that leaves the sets unchanged: the minimum over the subsets of PCD
is kept from round to round, so only subsets with the newest member are tested.

With the evidence of data the same loop runs compiled, for one target or many.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from climbfast.evidence import Evidence, Separator, Test
from climbfast.local.candidates import Candidates
from climbfast.local.neighbors import Neighbors

__all__ = ["getpcd", "getpcd_each"]


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
    if isinstance(test, Evidence):
        strengths, columns = test.sweep(target, candidates, ()), np.array(candidates, dtype=np.int64)
        kept = strengths > 0
        return getpcd_each(test, (target,), np.array([0, kept.sum()]), columns[kept], strengths[kept], max_given)[0][0]
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


def getpcd_each(
    evidence: Evidence,
    targets: Sequence[int],
    first: NDArray[np.int64],
    candidates: NDArray[np.int64],
    strengths: NDArray[np.float64],
    max_given: int | None = 3,
) -> list[tuple[Neighbors, tuple[int, ...], int]]:
    """Run the search of many targets compiled.

    Parameters
    ----------
    evidence : Evidence
    targets : sequence of int
    first : int64 array, shape (targets + 1,)
        Where the candidates of each target begin.
    candidates, strengths : arrays
        For each target the columns, ascending, that depend on it with nothing given, and how strongly.
    max_given : int or None
        Largest conditioning set; None is unlimited.

    Returns
    -------
    list of (Neighbors, tuple of int, int)
        For each target what was found, the tests made by the number of given columns, and those skipped.
    """
    if max_given is None and len(targets) > 1:  # room for separating sets as large as each target has candidates
        pieces = [slice(first[t], first[t + 1]) for t in range(len(targets))]
        return [
            getpcd_each(evidence, (x,), np.array([0, p.stop - p.start]), candidates[p], strengths[p], None)[0]
            for x, p in zip(targets, pieces, strict=True)
        ]
    most_given = len(candidates) if max_given is None else max_given
    found = evidence.getpcd(targets, first, candidates, strengths, most_given)
    tests, skipped = found.tests.tolist(), found.skipped.tolist()
    results = []
    for t in range(len(targets)):
        here = slice(first[t], first[t + 1])
        columns, weakest = candidates[here].tolist(), found.strengths[here].tolist()
        strengths_of: dict[int, float] = {}
        separators: dict[int, Separator] = {}
        for x, strength, member, separator in zip(
            columns, weakest, found.members[here].tolist(), found.separators[here].tolist(), strict=True
        ):
            if member:
                strengths_of[x] = strength
            else:
                separators[x] = tuple(sorted(z for z in separator if z >= 0))
        made = tests[t][: max((size + 1 for size, many in enumerate(tests[t]) if many), default=0)]
        results.append((Neighbors(tuple(strengths_of), strengths_of, separators), tuple(made), skipped[t]))
    return results
