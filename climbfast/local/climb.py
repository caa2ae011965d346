"""Climb: parents, children and spouses of a target.

Marx and Vreeken (2018), Algorithm 1. Neighbors first, then the partition, then the spouses: the neighbors of a
child that become dependent on the target once the child is given. By the paper's rule only children are checked
for symmetry, since only their neighbors are needed anyway. It departs from the paper in two points: a spouse is
tested by every child, so that the result can say by which it was found; and a neighbor that the check of symmetry
drops may come back as a spouse, by the set that separated the two in its own search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from climbfast.evidence import Separator, Test
from climbfast.local.neighbors import Neighbors
from climbfast.local.partition import Partition, PartitionRule

__all__ = ["Climbed", "Symmetry", "climb"]

Symmetry = Literal["children", "and"]


@dataclass(frozen=True)
class Climbed:
    """What Climb finds, by column number.

    Attributes
    ----------
    parents, children : tuple of int
        Sorted.
    spouses : mapping of int to mapping of int to float
        For every spouse the children by which it was found, with the strength of its dependence on the target.
    partition : Partition
        Of the neighbors, children that the check of symmetry dropped afterwards included.
    separators : mapping of int to tuple of int
        For every column that is no neighbor the set that separated it from the target.
    """

    parents: tuple[int, ...]
    children: tuple[int, ...]
    spouses: Mapping[int, Mapping[int, float]]
    partition: Partition
    separators: Mapping[int, Separator]


def climb(
    test: Test,
    target: int,
    neighbors_of: Callable[[int], Neighbors],
    partition: PartitionRule,
    symmetry: Symmetry = "children",
) -> Climbed:
    """Find the causal Markov blanket of a target.

    Parameters
    ----------
    test : Test
    target : int
    neighbors_of : function of a column
        The search of parents and children; called for the target and for each of its children.
    partition : PartitionRule
        Tells the parents among the neighbors from the children.
    symmetry : {"children", "and"}
        Whose neighbors have to hold the target: the children's (the paper's rule), or also the parents'.
    """
    neighbors = neighbors_of(target)
    separators = dict(neighbors.separators)
    members: tuple[int, ...] = neighbors.members
    if symmetry == "and":
        members = _mutual(target, members, neighbors_of, separators)
    sides = partition(target, members)
    children = _mutual(target, sides.children, neighbors_of, separators)
    spouses: dict[int, dict[int, float]] = {}
    for child in children:
        for y in neighbors_of(child).members:
            if y == target or y not in separators:
                continue
            strength = _strength_by_child(test, target, y, child, separators[y])
            if strength > 0:
                spouses.setdefault(y, {})[child] = strength
    return Climbed(sides.parents, children, dict(sorted(spouses.items())), sides, separators)


def _mutual(
    target: int,
    members: Iterable[int],
    neighbors_of: Callable[[int], Neighbors],
    separators: dict[int, Separator],
) -> tuple[int, ...]:
    """Return the members whose neighbors hold the target; note what separated the others, in place."""
    kept = []
    for x in members:
        of_x = neighbors_of(x)
        if target in of_x.members:
            kept.append(x)
        else:
            separators[x] = of_x.separators[target]
    return tuple(kept)


def _strength_by_child(test: Test, target: int, y: int, child: int, separator: Separator) -> float:
    """strength(target, y | the set that separated them, and the child that may join them)."""
    given = tuple(sorted({*separator, child}))
    return float(test.sweep(target, (y,), given)[0])
