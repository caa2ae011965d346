"""What every search for parents and children returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from climbfast.independence.tests import Separator

__all__ = ["Neighbors", "Search"]


@dataclass(frozen=True)
class Neighbors:
    """The parents and children of one target, by column number.

    Attributes
    ----------
    members : tuple of int
        Sorted.
    strengths : mapping of int to float
        For each member its weakest strength over the sets that were tried.
    separators : mapping of int to tuple of int
        The set that separated a candidate from the target, if it took one: every other candidate is independent of the
        target marginally, which in wide data are nearly all.
    separated : mapping of int to tuple of int
        For each member that is one only because knowledge requires its edge the set that separated it; its strength,
        given that set, is not positive.
    bounded : int
        Number of members for which sets were left out, since there were so many columns to give.
    """

    members: tuple[int, ...]
    strengths: Mapping[int, float]
    separators: Mapping[int, Separator]
    separated: Mapping[int, Separator] = field(default_factory=dict)
    bounded: int = 0


Search = Callable[..., Neighbors]
"""A search of parents and children: (test, target, candidates, max_given) -> Neighbors; ours take max_pool as well."""
