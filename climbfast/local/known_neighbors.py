"""What knowledge means around one target: who is looked among, who has to be a neighbor, and on which side.

Candidates of a column are only those that may be adjacent to it, and after the search the other ends of its required
edges are members too. An edge that knowledge allows in one direction has a known side. Two columns are parents of a
common child only if both arcs into it are allowed.

No search separates two columns that must not be adjacent, so that a set which does is searched when a common child is
asked about: among the neighbors of one of them, then of the other, that may be its parents. In a DAG that obeys the
parents of one of two such columns separate them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from climbfast.independence.nearest import MAX_POOL, NearestSets
from climbfast.independence.tests import Separator, Test
from climbfast.knowledge import AllowedArcs
from climbfast.local.neighbors import Neighbors

__all__ = ["KnownAround", "KnownSides", "known_sides", "search_allowed", "separating_set", "with_required"]


def search_allowed(
    search: Callable[[Test, int, Sequence[int]], Neighbors],
    test: Test,
    x: int,
    candidates: Sequence[int],
    allowed: AllowedArcs,
) -> Neighbors:
    """Search the neighbors of a column among those that may be adjacent to it, and add those that have to be.

    Parameters
    ----------
    search : function of a test, a column and candidates
    test : Test
    x : int
    candidates : sequence of int
        Ascending.
    allowed : AllowedArcs
    """
    may_be = allowed.neighbors_of(x)
    found = search(test, x, [y for y in candidates if may_be[y]])
    return with_required(test, allowed, x, found)


def with_required(test: Test, allowed: AllowedArcs, x: int, found: Neighbors) -> Neighbors:
    """Return the neighbors with the other ends of required edges; the test of an added one is made with its set."""
    added = [y for y in allowed.required_at(x) if y not in found.strengths]
    if not added:
        return found
    sets = {y: tuple(found.separators.get(y, ())) for y in added}
    strengths = {y: float(test.sweep(x, (y,), given)[0]) for y, given in sets.items()}
    return Neighbors(
        tuple(sorted((*found.members, *added))),
        dict(sorted({**found.strengths, **strengths}.items())),
        {y: given for y, given in found.separators.items() if y not in sets},
        sets,
        found.bounded,
    )


class KnownSides(NamedTuple):
    """Neighbors that can only be parents, and those that can only be children; sorted."""

    parents: tuple[int, ...] = ()
    children: tuple[int, ...] = ()


def known_sides(allowed: AllowedArcs | None, x: int, members: Collection[int]) -> KnownSides:
    """Return the neighbors of a column whose side is known."""
    if allowed is None:
        return KnownSides()
    return KnownSides(
        tuple(y for y in sorted(members) if allowed.directs(y, x)),
        tuple(y for y in sorted(members) if allowed.directs(x, y)),
    )


def separating_set(
    test: Test,
    neighbors_of: Callable[[int], Neighbors],
    allowed: AllowedArcs,
    max_given: int | None,
    x: int,
    y: int,
    max_pool: int | None = MAX_POOL,
) -> Separator | None:
    """Return a set that separates two columns which must not be adjacent; None if none is found.

    Parameters
    ----------
    test : Test
    neighbors_of : function of a column
    allowed : AllowedArcs
    max_given : int or None
        Largest set.
    x, y : int
        The neighbors of x that may be its parents are tried first, then those of y; small sets first.
    max_pool : int or None
        Most columns of which all sets are tested.
    """
    for target, other in ((x, y), (y, x)):
        pool = [z for z in neighbors_of(target).members if allowed.allows(z, target)]
        most = len(pool) if max_given is None else min(max_given, len(pool))
        _, sets = NearestSets(test, max_pool).weakest(target, (other,), pool, (), range(most + 1), [float("inf")])
        if sets[0] is not None:
            return tuple(sets[0])
    return None


class KnownAround:
    """What knowledge means for the common children of columns in one search.

    Parameters
    ----------
    test : Test
    neighbors_of : function of a column
    allowed : AllowedArcs or None
        None knows nothing.
    max_given : int or None
        Largest separating set.
    max_pool : int or None
        Most columns of which all sets are tested.
    """

    def __init__(
        self,
        test: Test,
        neighbors_of: Callable[[int], Neighbors],
        allowed: AllowedArcs | None = None,
        max_given: int | None = None,
        max_pool: int | None = MAX_POOL,
    ) -> None:
        self.allowed = allowed
        if allowed is not None:
            self._neighbors_of = cache(neighbors_of)
            search = partial(separating_set, test, self._neighbors_of, allowed, max_given, max_pool=max_pool)
            self._separating_set = cache(search)

    def forget(self) -> None:
        """Forget the sets that were found, so that the tests of the next target do not depend on those of this one."""
        if self.allowed is not None:
            self._neighbors_of.cache_clear()
            self._separating_set.cache_clear()

    @property
    def arcs(self) -> AllowedArcs:
        """The arcs that are allowed, if something is known."""
        assert self.allowed is not None
        return self.allowed

    def may_join(self, x: int, child: int, y: int) -> bool:
        """Whether a column may be a common child of two others."""
        return self.allowed is None or (self.allowed.allows(x, child) and self.allowed.allows(y, child))

    def separator(self, x: int, y: int, separators: Mapping[int, Separator]) -> Separator | None:
        """Return the set that separated y from x, from the search of x unless they must not be adjacent."""
        if self.allowed is None or self.allowed.allows_edge(x, y):
            return separators.get(y, ())
        return self._separating_set(x, y)
