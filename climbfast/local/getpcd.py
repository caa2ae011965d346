"""GetPCD, the parents, children and some descendants of a target.

Peña, Nilsson, Björkegren and Tegnér (2007), "Towards scalable and data efficient learning of Markov boundaries",
Table 3. It departs from the paper in one point that leaves the sets unchanged: the minimum over the subsets of PCD
is kept from round to round, so only subsets with the newest member are tested.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from climbfast.evidence import Separator, Test
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
    separators: dict[int, Separator] = {}
    weakest = dict(zip(candidates, np.full(len(candidates), np.inf), strict=True))
    pcd: list[int] = []
    can_pcd = _keep_dependent(test.sweep(target, candidates, ()), candidates, weakest, separators)
    while can_pcd:
        newest = max(can_pcd, key=lambda x: (weakest[x], -x))
        can_pcd.remove(newest)
        # Sets of members alone that hold the newest; its own have all been tried while it was a candidate.
        pcd = _retest(test, target, pcd, pcd, newest, max_given, weakest, separators)
        can_pcd = _retest(test, target, can_pcd, pcd, newest, max_given, weakest, separators)
        pcd = sorted([*pcd, newest])
    return Neighbors(tuple(pcd), {x: weakest[x] for x in pcd}, separators)


def _keep_dependent(
    strengths: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    candidates: Sequence[int],
    weakest: dict[int, float],
    separators: dict[int, Separator],
) -> list[int]:
    """Note the marginal strengths; drop the independent."""
    for x, strength in zip(candidates, strengths, strict=True):
        weakest[x] = float(strength)
        if strength <= 0:
            separators[x] = ()
    return [x for x in candidates if x not in separators]


def _retest(
    test: Test,
    target: int,
    columns: list[int],
    pool: list[int],
    newest: int,
    max_given: int | None,
    weakest: dict[int, float],
    separators: dict[int, Separator],
) -> list[int]:
    """Weaken the columns by the subsets of the pool joined with the newest member; return those still dependent."""
    largest = len(pool) if max_given is None else min(len(pool), max_given - 1)
    if not columns or largest < 0:
        return columns
    strengths, found = test.weakest(target, columns, pool, (newest,), range(largest + 1), [weakest[x] for x in columns])
    for x, strength, separator in zip(columns, strengths, found, strict=True):
        weakest[x] = float(strength)
        if separator is not None:
            separators[x] = separator
    return [x for x, separator in zip(columns, found, strict=True) if separator is None]
