"""Incremental association: IAMB and its variants, which grow the whole Markov blanket by its strongest candidate.

- ``iamb``, ``inter_iamb``: Tsamardinos, Aliferis and Statnikov (2003), "Algorithms for large scale Markov blanket
  discovery"; the second shrinks after every addition.
- ``fast_iamb``: Yaramakala and Margaritis (2005), "Speculative Markov blanket discovery for optimal feature
  selection"; adds all dependent candidates of a round, as long as the table has five rows a cell.
- ``lambda_iamb``: Zhang, Zhang, Liu and Qian (2010), "An improved IAMB algorithm for Markov blanket discovery"; adds
  the runner-up together with the best when its strength is more than λ = 0.9 of it.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.tests import Test
from climbfast.local.compiled import SetOfTests
from climbfast.local.grow_shrink import dependent_given_others
from climbfast.local.rounds import MemberSearch, Steps

__all__ = ["fast_iamb", "iamb", "inter_iamb", "lambda_iamb"]

ROWS_PER_CELL = 5
LAMBDA = 0.9


@MemberSearch
def iamb(test: Test, target: int, candidates: Sequence[int], max_given: int | None = None) -> Steps:
    """Add the strongest candidate given the members while it is dependent; then shrink.

    Parameters
    ----------
    test : Test
    target : int
    candidates : sequence of int
        The columns to look among, ascending.
    max_given : int or None
        Largest set to condition on while the blanket grows, which so has at most one member more; None is unlimited.
    """
    blanket: list[int] = []
    while (best := (yield from _strongest(target, candidates, blanket, max_given))) is not None:
        blanket.append(best)
    return (yield from dependent_given_others(target, blanket))


@MemberSearch
def inter_iamb(test: Test, target: int, candidates: Sequence[int], max_given: int | None = None) -> Steps:
    """Shrink after every addition; a set that comes again ends it.

    Parameters
    ----------
    test, target, candidates, max_given
        See ``iamb``.
    """
    blanket: list[int] = []
    seen: set[frozenset[int]] = set()
    while frozenset(blanket) not in seen:
        seen.add(frozenset(blanket))
        if (best := (yield from _strongest(target, candidates, blanket, max_given))) is not None:
            blanket = list((yield from dependent_given_others(target, [*blanket, best])))
    return tuple(blanket)


@MemberSearch
def fast_iamb(test: Test, target: int, candidates: Sequence[int], max_given: int | None = None) -> Steps:
    """Add all dependent candidates, strongest first, while the table keeps enough rows; shrink; again.

    Parameters
    ----------
    test, target, candidates, max_given
        See ``iamb``.
    """
    rows_per_cell = getattr(test, "rows_per_cell", lambda *_: math.inf)  # a test without data has all it needs
    blanket: list[int] = []
    seen: set[frozenset[int]] = set()
    while frozenset(blanket) not in seen:
        seen.add(frozenset(blanket))
        grown = list(blanket)
        for _, x in (yield from _dependent(target, candidates, blanket, max_given)):
            if rows_per_cell(target, x, grown) < ROWS_PER_CELL or (max_given is not None and len(grown) > max_given):
                break
            grown.append(x)
        blanket = list((yield from dependent_given_others(target, grown)))
    return tuple(blanket)


@MemberSearch
def lambda_iamb(test: Test, target: int, candidates: Sequence[int], max_given: int | None = None) -> Steps:
    """Add the best candidate, and the runner-up if it is nearly as strong; then shrink.

    Parameters
    ----------
    test, target, candidates, max_given
        See ``iamb``.
    """
    blanket: list[int] = []
    while ranked := (yield from _dependent(target, candidates, blanket, max_given)):
        best, pair = ranked[0][0], ranked[:2]
        if max_given is not None and len(blanket) >= max_given:
            pair = pair[:1]  # shrinking would be given one too many
        blanket += [x for strength, x in pair if strength == best or strength > LAMBDA * best]
    return (yield from dependent_given_others(target, blanket))


def _strongest(
    target: int, candidates: Sequence[int], blanket: Sequence[int], max_given: int | None
) -> Generator[SetOfTests, NDArray[np.float64], int | None]:
    """Return the first of the strongest candidates given the members; None if none depends on the target."""
    if max_given is not None and len(blanket) > max_given:
        return None
    left = _outside(candidates, blanket)
    strengths = yield SetOfTests(target, left, tuple(blanket), only_strongest=True)
    if not left:
        return None
    place = int(np.where(strengths > 0, strengths, 0.0).argmax())  # the strength of a test of the user may be NaN
    return left[place] if strengths[place] > 0 else None


def _dependent(
    target: int, candidates: Sequence[int], blanket: Sequence[int], max_given: int | None
) -> Generator[SetOfTests, NDArray[np.float64], list[tuple[float, int]]]:
    """Return the candidates that depend on the target given the members, with their strengths, strongest first."""
    if max_given is not None and len(blanket) > max_given:
        return []
    left = _outside(candidates, blanket)
    strengths = yield SetOfTests(target, left, tuple(blanket))
    dependent = [(s, x) for s, x in zip(strengths.tolist(), left, strict=True) if s > 0]
    return sorted(dependent, key=lambda ranked: (-ranked[0], ranked[1]))


def _outside(candidates: Sequence[int], blanket: Sequence[int]) -> list[int]:
    left = list(candidates)
    for x in blanket:
        left.remove(x)
    return left
