"""The neighborhoods that the search of one target asks for, by column number.

Every set is found once and kept for the rest of the search of this one target: neighbors by the rule of symmetry,
sides by collider evidence, parents and children by the partition, spouses through common children.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Literal

from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import Separator, Test
from climbfast.knowledge import AllowedArcs
from climbfast.local.colliders import EvidenceScale, SeenSide, collider_evidence, evidence_against
from climbfast.local.known_neighbors import KnownAround, known_sides
from climbfast.local.neighbors import Neighbors
from climbfast.local.partition import Partition

__all__ = ["Neighborhoods", "Spouses", "Symmetry", "mutual_members"]

Symmetry = Literal["and", "or", "none", "children"]
Spouses = dict[int, dict[int, float]]


class Neighborhoods:
    """The neighborhoods that one search of one target asks for.

    Parameters
    ----------
    test : Test
    search : function of a column
        The search of parents and children.
    partition : function of a column and its neighbors
        Tells parents from children; with a scale or with knowledge it also takes the parents and the children that are
        known.
    symmetry : {"and", "or", "none", "children"}
        When two columns are neighbors: if each is found by the other, if one of them is, or if the target finds it;
        "children", the rule of Climb's paper, asks the children of the target alone to find it in turn.
    scale : EvidenceScale or None
        Whether collider evidence shows sides to the partition, and how strong it must be.
    allowed : AllowedArcs or None
        The arcs that knowledge allows; the search is expected to obey it.
    max_given : int or None
        Largest set that is searched to separate columns that must not be adjacent.
    max_pool : int or None
        Most columns of which all sets are tested for that.
    """

    def __init__(
        self,
        test: Test,
        search: Callable[[int], Neighbors],
        partition: Callable[..., Partition],
        symmetry: Symmetry,
        scale: EvidenceScale | None = None,
        allowed: AllowedArcs | None = None,
        max_given: int | None = None,
        max_pool: int | None = MAX_POOL,
    ) -> None:
        self.symmetry = symmetry
        # None of these refers to this object: it is freed at once, without the search for reference cycles.
        found_by = cache(search)
        neighbors_of = cache(partial(_neighbors_by_rule, symmetry, found_by))
        strength_given = cache(partial(_strength_given, test))
        known = KnownAround(test, neighbors_of, allowed, max_given, max_pool)
        evidence_of: Callable[[int], Evidence]
        if scale is None:
            evidence_of = _no_evidence
        else:
            evidence_of = cache(partial(collider_evidence, neighbors_of, found_by, strength_given, scale, known))
        self.known_sides_of = known_sides_of = cache(lambda x: known_sides(allowed, x, neighbors_of(x).members))
        if scale is None and allowed is None:
            self.partition_of = cache(lambda x: partition(x, neighbors_of(x).members))
        else:
            self.partition_of = cache(
                lambda x: partition(
                    x,
                    neighbors_of(x).members,
                    *((*sure, *seen) for sure, seen in zip(known_sides_of(x), evidence_of(x), strict=True)),
                )
            )
        self.contradicted_at = partial(evidence_against, neighbors_of, found_by, strength_given, scale, known)
        self._known = known
        self.neighbors_of, self.evidence_of = neighbors_of, evidence_of
        self._found_by, self._strength_given, self.scale = found_by, strength_given, scale

    def spouses_of(self, x: int, through: Callable[[int], Iterable[int]], around: Neighbors | None = None) -> Spouses:
        """Find the other parents of common children, by the rule of symmetry.

        Parameters
        ----------
        x : int
        through : function of a column
            Its neighbors that may be common children.
        around : Neighbors, optional
            What are neighbors of x and what separated it from others, if more is known than its search found.

        Returns
        -------
        dict of int to dict of int to float
            For every spouse the common children by which it was found, with the strength of its dependence on x.
        """
        around = around or self.neighbors_of(x)
        near = {x, *around.members}
        found: Spouses = {}
        for child in through(x):
            for y in self.neighbors_of(child).members:
                if y in near or not self._known.may_join(x, child, y):
                    continue
                separator = self._known.separator(x, y, around.separators)
                # Given a set that already has the child, the two were found independent.
                if separator is not None and not (self.scale is not None and child in separator):
                    strength = self._strength_given(x, y, separator, child)
                    if strength > 0:
                        found.setdefault(y, {})[child] = strength
        if self.symmetry == "and":
            found = {y: by for y, by in found.items() if self._seen_from(y, x, through)}
        elif self.symmetry == "or":
            for y in {y for child in self.neighbors_of(x).members for y in self.neighbors_of(child).members}:
                if y not in near and y not in found and (by := self._seen_from(y, x, through)):
                    found[y] = by
        return dict(sorted(found.items()))

    def _seen_from(self, y: int, x: int, through: Callable[[int], Iterable[int]]) -> dict[int, float]:
        """Return the common children by which y finds x as its spouse, with the strengths."""
        if x in self.neighbors_of(y).members:
            return {}
        common = [
            child for child in through(y) if x in self.neighbors_of(child).members and self._known.may_join(y, child, x)
        ]
        separator = self._known.separator(y, x, self.neighbors_of(y).separators) if common else None
        if separator is None:
            return {}
        strengths = {child: self._strength_given(y, x, separator, child) for child in common}
        return {child: strength for child, strength in strengths.items() if strength > 0}

    def test_possible_spouses(self, x: int) -> None:
        """Make all tests for spouses that may be needed once the children are known.

        They are those of the compiled search, which makes them before the partition: a column that the check of
        symmetry may drop can be a spouse.
        """
        around = self.neighbors_of(x)
        doubtful = {y for y in around.members if self.symmetry == "children" and x not in self._found_by(y).members}
        separators = {**around.separators, **{y: self._found_by(y).separators.get(x, ()) for y in doubtful}}
        kept = {*around.members} - doubtful
        for child in kept:
            for y in self.neighbors_of(child).members:
                if y == x or y in kept or not self._known.may_join(x, child, y):
                    continue
                separator = self._known.separator(x, y, separators)
                if separator is not None and child not in separator:
                    self._strength_given(x, y, separator, child)


def _strength_given(test: Test, x: int, y: int, separator: Separator, child: int) -> float:
    """strength(x, y | the set that separated them, and the child that may join them)."""
    return float(test.sweep(x, (y,), tuple(sorted({*separator, child})))[0])


Evidence = tuple[Mapping[int, SeenSide], Mapping[int, SeenSide]]
_NONE: Evidence = ({}, {})


def _no_evidence(_: int) -> Evidence:
    return _NONE


def _neighbors_by_rule(symmetry: Symmetry, found_by: Callable[[int], Neighbors], x: int) -> Neighbors:
    own = found_by(x)
    if symmetry in ("none", "children"):
        return own
    if symmetry == "and":
        dropped = {y: found_by(y).separators.get(x, ()) for y in own.members if x not in found_by(y).members}
        kept = tuple(y for y in own.members if y not in dropped)
        return Neighbors(kept, own.strengths, {**own.separators, **dropped}, own.separated, own.bounded)
    added = [y for y in own.separators if x in found_by(y).members]
    members = tuple(sorted((*own.members, *added)))
    strengths = {**own.strengths, **{y: found_by(y).strengths[x] for y in added}}
    separators = {y: s for y, s in own.separators.items() if y not in added}
    return Neighbors(members, strengths, separators, own.separated, own.bounded)


def mutual_members(
    target: int, columns: int, members_of: Callable[[int], tuple[int, ...]], symmetry: Symmetry
) -> tuple[int, ...]:
    """Apply the rule of symmetry to a search of whole blankets.

    Parameters
    ----------
    target, columns : int
    members_of : function of a column
        Its blanket.
    symmetry : {"and", "or", "none", "children"}
        "children" belongs to Climb alone, and is "none" here.
    """
    own = members_of(target)
    if symmetry == "and":
        return tuple(x for x in own if target in members_of(x))
    if symmetry == "or":
        return tuple(x for x in range(columns) if x != target and (x in own or target in members_of(x)))
    return own
