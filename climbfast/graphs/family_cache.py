"""A score that is computed once for each family."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from climbfast.scores import Score

__all__ = ["FamilyCache"]


class FamilyCache:
    """A score, and its value for each family so far, a column and its parents.

    Parameters
    ----------
    score : Score

    Attributes
    ----------
    families : int
        Families scored so far.
    """

    def __init__(self, score: Score) -> None:
        self._score = score
        self._known: dict[tuple[int, frozenset[int]], float] = {}

    @property
    def families(self) -> int:
        """Number of families scored so far."""
        return len(self._known)

    def score(self, x: int, parents: Iterable[int]) -> float:
        """Return score(x | parents) in bits."""
        family = x, frozenset(parents)  # made faster than a sorted tuple
        known = self._known.get(family)
        if known is None:
            known = self._known[family] = self._score.score(x, tuple(sorted(family[1])))
        return known

    def gains(self, x: int, parents: Iterable[int], candidates: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return score(x | parents ∪ {y}) − score(x | parents) in bits for every candidate y."""
        family = tuple(parents)
        before = self.score(x, family)
        return np.array([self.score(x, (*family, y)) - before for y in candidates.tolist()])
