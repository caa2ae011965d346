"""The check after every search: which columns outside a blanket still depend on the target given all its members.

A Markov blanket makes the target independent of all other columns, so each of these shows that the blanket found is not
one. Only columns that depend on the target marginally are tested, and only if the members leave ``FEWEST_ROWS`` rows in
a stratum: with fewer the table is nearly empty, and tests given all of it take longest and show little.

Of many tests some are positive by chance: under independence SCI reaches b bits with a probability of at most 2^−b in
each direction, so a column counts above log2(k/0.01) bits, where k columns were tested; for G² and X² above log2(k),
which is Bonferroni's correction of their α.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.tester import CHANCE, Tester
from climbfast.independence.tests import G2, X2, Separator, Test
from climbfast.local.colliders import bits_per_strength
from climbfast.local.compiled import SetOfTests, entropy_given, sweep_filled_tables

__all__ = [
    "FEWEST_ROWS",
    "NOTHING",
    "Unexplained",
    "dependent_among",
    "outside",
    "unexplained_each",
    "with_determining_set",
]

FEWEST_ROWS = 10.0  # rows per stratum
NEARLY = 0.1  # share of the entropy of a target that columns leave of which it is nearly a function


class Unexplained(NamedTuple):
    """What a blanket leaves unexplained.

    Attributes
    ----------
    bits : mapping of int to float
        The columns that depend on the target given the members, the largest first.
    rows_per_stratum : float
        Rows for each configuration of the members that occurs; 0 if that is not known.
    determined_by : tuple of int
        The set that separated most of these columns, if the target is nearly a function of it.
    """

    bits: Mapping[int, float]
    rows_per_stratum: float = 0.0
    determined_by: Separator = ()


NOTHING = Unexplained(MappingProxyType({}))


def outside(target: int, members: Iterable[int], dependent: Iterable[int]) -> SetOfTests:
    """Return the tests of the columns that depend on a target marginally and are no members, given the members."""
    given = tuple(sorted(members))
    return SetOfTests(target, sorted({*dependent}.difference(given, (target,))), given)


def unexplained_each(test: Test, sets: Sequence[SetOfTests]) -> list[Unexplained]:
    """Make the tests of ``outside`` for many targets; those without a column to test have nothing unexplained."""
    if not isinstance(test, Tester):
        return [_beyond(0.0, 1.0, each, test.sweep(*each[:3])) if each.candidates else NOTHING for each in sets]
    found = {}
    factor = bits_per_strength(test, test.data.rows) or 1.0
    conditional = [each for each in sets if each.candidates and each.given]
    tested = sweep_filled_tables(test, conditional, FEWEST_ROWS) if conditional else []
    for each, (strengths, rows) in zip(conditional, tested, strict=True):
        found[each.target] = _beyond(_least(test, each), factor, each, strengths)._replace(rows_per_stratum=rows)
    for each in sets:
        if each.candidates and not each.given:
            strengths = test.sweep_uncounted(each.target, each.candidates)
            found[each.target] = _beyond(_least(test, each), factor, each, strengths)
    return [found.get(each.target, NOTHING) for each in sets]


def _least(test: Tester, tests: SetOfTests) -> float:
    """Return the bits that chance does not reach."""
    by_alpha = isinstance(test.test, (G2, X2))
    return math.log2(len(tests.candidates)) if by_alpha else math.log2(len(tests.candidates) / CHANCE)


def _beyond(least: float, factor: float, tests: SetOfTests, strengths: NDArray[np.float64] | None) -> Unexplained:
    """Return the candidates that depend by more than ``least`` bits; none if they were not tested."""
    if strengths is None:
        return NOTHING
    bits = factor * np.asarray(strengths)
    places = np.flatnonzero(bits > least).tolist()
    ordered = sorted(places, key=lambda place: (-bits[place], place))
    return Unexplained({tests.candidates[place]: float(bits[place]) for place in ordered})


def with_determining_set(
    test: Test, target: int, found: Unexplained, separators: Mapping[int, Separator]
) -> Unexplained:
    """Return the same with the set that separated most columns, if the target is nearly a function of it.

    A target that is a function of a set is independent of all other columns given it, whatever its neighbors are.
    """
    sets = Counter(tuple(separators[x]) for x in found.bits if separators.get(x))
    if not sets or not isinstance(test, Tester):
        return found
    often = min(sets, key=lambda given: (-sets[given], given))
    other = next(x for x in found.bits if separators.get(x) and tuple(separators[x]) == often)
    left, entropy = (entropy_given(test, target, other, given) for given in (often, ()))
    return found._replace(determined_by=often) if left <= NEARLY * entropy else found


def dependent_among(test: Test, target: int, columns: Sequence[int]) -> list[int]:
    """Return the columns that depend on the target marginally."""
    if not columns:
        return []
    strengths = test.sweep_uncounted(target, columns) if isinstance(test, Tester) else test.sweep(target, columns, ())
    return [x for x, strength in zip(columns, strengths, strict=True) if strength > 0]
