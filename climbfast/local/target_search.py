"""What a search of one target finds, by column number, and the search itself as one object."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

from climbfast.independence.nearest import NearestSets
from climbfast.independence.tester import Tester
from climbfast.independence.tests import Separator, Test
from climbfast.knowledge import AllowedArcs
from climbfast.local.climb import climb
from climbfast.local.colliders import SeenSide, evidence_scale
from climbfast.local.known_neighbors import search_allowed
from climbfast.local.neighborhoods import Neighborhoods, Spouses, mutual_members
from climbfast.local.neighbors import Neighbors
from climbfast.local.partition import Partition, partition
from climbfast.local.plan import Plan
from climbfast.local.unexplained import (
    NOTHING,
    Unexplained,
    dependent_among,
    outside,
    unexplained_each,
    with_determining_set,
)

__all__ = ["TargetResult", "TargetSearch"]


@dataclass(frozen=True)
class TargetResult:
    """The blanket of one target, by column number.

    Attributes
    ----------
    parents, children, undecided : tuple of int
        Sorted.
    spouses : mapping of int to mapping of int to float
        For every spouse the common children by which it was found, with the strength of its dependence; none for
        methods that find the whole blanket at once.
    strengths : mapping of int to float
        For every neighbor its weakest strength over the sets that were tried.
    margins : mapping of int to float
        For every neighbor whose side was weighed the bits lost when it alone changes side.
    evidence : mapping of int to SeenSide
        What shows the sides of the other neighbors that were told apart.
    known : tuple of int
        The neighbors whose side knowledge gives, sorted; they have neither margin nor evidence.
    contradicted : mapping of int to SeenSide
        What the tests show against knowledge, see ``colliders.evidence_against``.
    separators : mapping of int to tuple of int
        Sets that separated columns from the target; marginally independent columns are omitted.
    exact, gap
        See ``Partition``.
    bounded : int
        Number of neighbors that the search around the target found without testing all sets, see ``Neighbors``.
    unexplained : Unexplained
        What the blanket leaves unexplained; ``TargetSearch.check`` finds it.
    whole_blanket : bool
        Whether the method finds the whole blanket at once, so that no set is known that separates other columns.
    """

    parents: tuple[int, ...] = ()
    children: tuple[int, ...] = ()
    undecided: tuple[int, ...] = ()
    spouses: Spouses = field(default_factory=dict)
    strengths: Mapping[int, float] = field(default_factory=dict)
    margins: Mapping[int, float] = field(default_factory=dict)
    evidence: Mapping[int, SeenSide] = field(default_factory=dict)
    known: tuple[int, ...] = ()
    contradicted: Mapping[int, SeenSide] = field(default_factory=dict)
    separators: Mapping[int, Separator] = field(default_factory=dict)
    exact: bool = True
    gap: float = 0.0
    whole_blanket: bool = False
    bounded: int = 0
    unexplained: Unexplained = NOTHING

    @property
    def neighbors(self) -> tuple[int, ...]:
        """Parents, children and undecided neighbors."""
        return tuple(sorted((*self.parents, *self.children, *self.undecided)))

    @property
    def members(self) -> tuple[int, ...]:
        """Neighbors and spouses."""
        return tuple(sorted({*self.neighbors, *self.spouses}))


class TargetSearch:
    """A planned search on one data set.

    Parameters
    ----------
    test : Test
    tester : Tester
        For telling parents from children, which takes the data whatever the test.
    columns : int
        Number of columns of the data.
    plan : Plan
    known : function of a column, optional
        The neighbors that the search of each column found, where that is known already.
    allowed : AllowedArcs or None
        The arcs that knowledge allows.

    Attributes
    ----------
    search : function of a column
        The search of neighbors around it.
    search_of : function of a column
        The same; what was found once, or is known, is not searched again.
    neighborhoods : Neighborhoods
    """

    def __init__(
        self,
        test: Test,
        tester: Tester,
        columns: int,
        plan: Plan,
        known: Callable[[int], Neighbors] | None = None,
        allowed: AllowedArcs | None = None,
    ) -> None:
        self._test, self._columns, self._plan = test, columns, plan
        # Neither refers to this object, so that it is freed at once, and with it the workspace of the tester.
        self.search = partial(_search, plan, test, columns, allowed)
        self._partition = partial(_partition, plan, tester)
        scale = evidence_scale(test, tester.data.rows) if plan.colliders else None
        self.search_of = cache(known or self.search)
        self.neighborhoods = Neighborhoods(
            test, self.search_of, self._partition, plan.symmetry, scale, allowed, plan.most_given, plan.max_pool
        )

    def find(self, target: int) -> TargetResult:
        """Find the blanket of one column."""
        if self._plan.method.finds == "causal blanket":
            found = self._climb(target)
        elif self._plan.of_neighbors:
            found = self._through_neighbors(target)
        else:
            return self.around(target, mutual_members(target, self._columns, self._members, self._plan.symmetry))
        return self._with_sides(target, found)

    def around(self, target: int, members: Sequence[int]) -> TargetResult:
        """Return the blanket of one column that has these members, found as a whole: which of them are neighbors."""
        return self._with_sides(target, self._whole_blanket(target, members))

    def _with_sides(self, target: int, found: TargetResult) -> TargetResult:
        if self._plan.directed and found.undecided:
            found = self._tell_apart(target, found)
        small = {x for x, margin in found.margins.items() if margin < self._plan.min_margin}
        if not small:
            return found
        return replace(
            found,
            parents=tuple(x for x in found.parents if x not in small),
            children=tuple(x for x in found.children if x not in small),
            undecided=tuple(sorted((*found.undecided, *small))),
        )

    def check(self, target: int, found: TargetResult) -> TargetResult:
        """Return the blanket of a column with what it leaves unexplained; these tests are no part of the search."""
        if self._plan.of_neighbors and self._plan.registered:
            own = self.search_of(target)
            separators, dependent = own.separators, [*own.members, *own.separators]
        else:
            separators, dependent = {}, dependent_among(self._test, target, _others(target, self._columns))
        left = unexplained_each(self._test, [outside(target, found.members, dependent)])[0]
        return replace(found, unexplained=with_determining_set(self._test, target, left, separators))

    def _climb(self, target: int) -> TargetResult:
        found = climb(self.neighborhoods, target)
        kept, split = {*found.parents, *found.children}, found.partition
        return TargetResult(
            parents=found.parents,
            children=found.children,
            spouses=found.spouses,
            strengths={x: found.strengths[x] for x in sorted(kept)},
            margins={x: margin for x, margin in split.margins.items() if x in kept},
            evidence=found.evidence,
            known=found.known,
            contradicted=found.contradicted,
            separators=found.separators,
            exact=split.exact,
            gap=split.gap,
            bounded=self.search_of(target).bounded,
        )

    def _through_neighbors(self, target: int) -> TargetResult:
        around = self.neighborhoods.neighbors_of(target)
        parents, children = self.neighborhoods.known_sides_of(target)
        known = tuple(sorted((*parents, *children)))
        return TargetResult(
            parents=parents,
            children=children,
            undecided=tuple(x for x in around.members if x not in known) if known else around.members,
            spouses=self.neighborhoods.spouses_of(target, lambda x: self.neighborhoods.neighbors_of(x).members),
            strengths={x: around.strengths[x] for x in around.members},
            known=known,
            contradicted=self.neighborhoods.contradicted_at(target) if known else {},
            separators=around.separators,
            bounded=around.bounded,
        )

    def _whole_blanket(self, target: int, members: Sequence[int]) -> TargetResult:
        # No set of other members separates a neighbor; a spouse some set does.
        limit, pool = self._plan.most_given, tuple(sorted(members))
        most = len(pool) - 1 if limit is None else min(limit, len(pool) - 1)
        search = NearestSets(self._test, self._plan.max_pool)
        strengths, sets = search.weakest(target, pool, pool, (), range(most + 1), [float("inf")] * len(pool))
        separators = {x: s for x, s in zip(pool, sets, strict=True) if s is not None}
        return TargetResult(
            undecided=tuple(x for x in pool if x not in separators),
            spouses={x: {} for x in separators},
            strengths={x: float(s) for x, s in zip(pool, strengths, strict=True) if x not in separators},
            separators=separators,
            whole_blanket=True,
            bounded=len(search.bounded),
        )

    def _members(self, x: int) -> tuple[int, ...]:
        search = self._plan.method.members
        assert search is not None
        return search(self._test, x, _others(x, self._columns), self._plan.most_given_while_growing)

    def _tell_apart(self, target: int, found: TargetResult) -> TargetResult:
        split = self._partition(target, found.neighbors, found.parents, found.children)
        return replace(
            found,
            parents=split.parents,
            children=split.children,
            undecided=(),
            margins=split.margins,
            exact=split.exact,
            gap=split.gap,
        )


def _search(plan: Plan, test: Test, columns: int, allowed: AllowedArcs | None, x: int) -> Neighbors:
    """Run the search of neighbors around one column."""
    if allowed is None:
        return plan.neighbors(test, x, _others(x, columns))
    return search_allowed(plan.neighbors, test, x, _others(x, columns), allowed)


def _others(x: int, columns: int) -> list[int]:
    return [y for y in range(columns) if y != x]


def _partition(
    plan: Plan,
    tester: Tester,
    x: int,
    members: Sequence[int],
    parents: Collection[int] = (),
    children: Collection[int] = (),
) -> Partition:
    return partition(tester, x, members, parents, children, node_budget=plan.node_budget)
