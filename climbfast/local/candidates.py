"""What a search of parents and children knows of its candidates while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.nearest import NearestSets
from climbfast.independence.tests import Separator, Test
from climbfast.local.neighbors import Neighbors

__all__ = ["Candidates"]


class Candidates:
    """The columns a search looks among: the weakest strength of each so far, or the set that separated it.

    Parameters
    ----------
    test : Test
    target : int
    columns : sequence of int
        Ascending.
    max_given : int or None
        Largest conditioning set; None is unlimited.
    max_pool : int or None
        Most columns of which all sets are tested, see ``climbfast.independence.nearest``; None is no bound.
    """

    def __init__(
        self, test: Test, target: int, columns: Sequence[int], max_given: int | None, max_pool: int | None = None
    ) -> None:
        self._test = test
        self._target = target
        self._columns = columns
        self._max_given = max_given
        self._sets = NearestSets(test, max_pool)
        self._weakest: dict[int, float] = {}
        self._separators: dict[int, Separator] = {}

    def dependent(self) -> list[int]:
        """Test all marginally; return those that are dependent."""
        strengths = np.asarray(self._test.sweep(self._target, self._columns, ()))
        places = np.flatnonzero(strengths > 0)
        kept = [self._columns[place] for place in places.tolist()]
        self._weakest = dict(zip(kept, strengths[places].tolist(), strict=True))
        return kept

    def take_over(self, strengths: NDArray[np.float64], separators: Mapping[int, Separator]) -> None:
        """Begin with what a search of the same columns found: their weakest strengths, and sets that separated some."""
        self._weakest = dict(zip(self._columns, strengths.tolist(), strict=True))
        self._separators = dict(separators)

    def strongest(self, columns: Iterable[int]) -> int:
        """Return the column whose weakest strength is largest; the first of equals."""
        return max(columns, key=lambda x: (self._weakest[x], -x))

    def by_strength(self, columns: Iterable[int]) -> list[int]:
        """Return the columns by decreasing weakest strength, equals in order."""
        return sorted(columns, key=lambda x: (-self._weakest[x], x))

    def keep_dependent(
        self, columns: Sequence[int], pool: Sequence[int], *, joined: Sequence[int] = (), size: int | None = None
    ) -> list[int]:
        """Test the columns given ``joined`` ∪ S for the subsets S of the pool; return those never independent.

        S has ``size`` columns, or else from one (none, if something is joined) to as many as ``max_given`` allows.
        """
        largest = len(pool) if self._max_given is None else min(len(pool), self._max_given - len(joined))
        sizes = range(0 if joined else 1, largest + 1) if size is None else range(size, min(size, largest) + 1)
        if not columns or not sizes:
            return list(columns)
        strengths, separators = self._sets.weakest(
            self._target, columns, pool, joined, sizes, [self._weakest[x] for x in columns]
        )
        for x, strength, separator in zip(columns, strengths, separators, strict=True):
            self._weakest[x] = float(strength)
            if separator is not None:
                self._separators[x] = separator
        return [x for x, separator in zip(columns, separators, strict=True) if separator is None]

    def neighbors(self, members: Iterable[int]) -> Neighbors:
        """Return the members, their weakest strengths, and the sets that separated other columns."""
        kept = tuple(sorted(members))
        bounded = len(self._sets.bounded.intersection(kept))
        return Neighbors(kept, {x: self._weakest[x] for x in kept}, dict(self._separators), bounded=bounded)
