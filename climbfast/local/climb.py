"""Climb: parents, children and spouses of a target.

Marx and Vreeken (2018), Algorithm 1. Neighbors first, then the partition, then the spouses: the neighbors of a
child that become dependent on the target once the child is given. By the paper's rule only children are checked
for symmetry, since only their neighbors are needed anyway. It departs from the paper in two points: a spouse is
tested by every child, so that the result can say by which it was found; and a neighbor that the check of symmetry
drops may come back as a spouse, by the set that separated the two in its own search.

Beyond the paper, sides that collider evidence shows are fixed before the partition (``climbfast.local.colliders``),
unless the neighborhoods do without; before it those that knowledge gives (``climbfast.local.known_neighbors``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from climbfast.independence.tests import Separator
from climbfast.local.colliders import SeenSide
from climbfast.local.neighborhoods import Neighborhoods, Spouses
from climbfast.local.neighbors import Neighbors
from climbfast.local.partition import Partition

__all__ = ["ClimbResult", "climb"]


@dataclass(frozen=True)
class ClimbResult:
    """What Climb finds, by column number.

    Attributes
    ----------
    parents, children : tuple of int
        Sorted.
    spouses : mapping of int to mapping of int to float
        For every spouse the children by which it was found, with the strength of its dependence on the target.
    partition : Partition
        Of the neighbors, children that the check of symmetry dropped afterwards included.
    strengths : mapping of int to float
        For every neighbor, dropped children included, its weakest strength.
    separators : mapping of int to tuple of int
        The set that separated a column from the target; marginally independent columns are omitted.
    evidence : mapping of int to SeenSide
        What shows the side of a neighbor; those of the others the partition weighed.
    known : tuple of int
        Neighbors whose side knowledge gives, sorted.
    contradicted : mapping of int to SeenSide
        See ``colliders.evidence_against``.
    """

    parents: tuple[int, ...]
    children: tuple[int, ...]
    spouses: Spouses
    partition: Partition
    strengths: Mapping[int, float]
    separators: Mapping[int, Separator]
    evidence: Mapping[int, SeenSide]
    known: tuple[int, ...] = ()
    contradicted: Mapping[int, SeenSide] = field(default_factory=dict)


def climb(neighborhoods: Neighborhoods, target: int) -> ClimbResult:
    """Find the causal Markov blanket of a target.

    Parameters
    ----------
    neighborhoods : Neighborhoods
    target : int

    Returns
    -------
    ClimbResult
    """
    around = neighborhoods.neighbors_of(target)
    seen_parents, seen_children = neighborhoods.evidence_of(target)
    if neighborhoods.scale is not None:
        neighborhoods.test_possible_spouses(target)
    split = neighborhoods.partition_of(target)
    children = children_of(neighborhoods, target)
    dropped = {x: neighborhoods.neighbors_of(x).separators.get(target, ()) for x in {*split.children} - {*children}}
    separators = {**around.separators, **dropped} if dropped else around.separators
    kept = Neighbors(tuple(sorted((*split.parents, *children))), around.strengths, separators)
    spouses = neighborhoods.spouses_of(target, lambda x: common_with(neighborhoods, x), kept)
    evidence = dict(sorted({**seen_parents, **seen_children}.items()))
    found = ClimbResult(split.parents, children, spouses, split, around.strengths, separators, evidence)
    sure = {x for side in neighborhoods.known_sides_of(target) for x in side}
    if not sure:
        return found
    known = tuple(x for x in kept.members if x in sure)
    return replace(found, known=known, contradicted=neighborhoods.contradicted_at(target))


def common_with(neighborhoods: Neighborhoods, x: int) -> tuple[int, ...]:
    """Return the neighbors of x that may be children in common with a spouse.

    Its children; under a rule of symmetry all its neighbors, since the other end may tell them apart differently.
    """
    if neighborhoods.symmetry in ("and", "or"):
        return neighborhoods.neighbors_of(x).members
    return children_of(neighborhoods, x)


def children_of(neighborhoods: Neighborhoods, x: int) -> tuple[int, ...]:
    """Return the children by the partition; unless symmetry is "none", those whose neighbors hold x."""
    children = neighborhoods.partition_of(x).children
    if neighborhoods.symmetry == "none":
        return children
    return tuple(y for y in children if x in neighborhoods.neighbors_of(y).members)
