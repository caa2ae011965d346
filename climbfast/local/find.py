"""From names to a search and back: one target's Markov blanket, or its neighbors, by any method."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, TypeVar, cast

from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import OptionError
from climbfast.evidence import Evidence, Separator, Test, TestOptions
from climbfast.local.blanket import Blanket, NeighborSet
from climbfast.local.climb import climb
from climbfast.local.methods import Method, method_named
from climbfast.local.neighbors import Neighbors, Search
from climbfast.local.partition import NODE_BUDGET, Partition, partition
from climbfast.local.vicinity import Spouses, Symmetry, Vicinity, mutual_members
from climbfast.options import number, whole_number

__all__ = ["markov_blanket", "neighbors"]

Names = tuple[Hashable, ...]
Result = TypeVar("Result", Blanket, NeighborSet)
SUBSETS = 3  # largest conditioning set by default; recall was better with 2 or 3 than without a limit
SYMMETRIES = ("and", "or", "none", "children")


def markov_blanket(
    data: Dataset | Any,
    target: Hashable,
    method: str = "climb",
    test: str | TestOptions | Test = "sci",
    *,
    max_given: int | str | None = "default",
    neighbors: str | Search | None = None,
    symmetry: Symmetry | None = None,
    orient: bool | None = None,
    min_margin: float = 0.0,
    node_budget: int = NODE_BUDGET,
    counting: str = "auto",
) -> Blanket:
    """Find the parents, children and spouses of one column.

    Parameters
    ----------
    data : Dataset or frame
        A frame goes through ``Dataset.from_frame``.
    target : Hashable
        Name of the column.
    method : str
        One that finds blankets; ``climbfast methods`` lists them.
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI, or an object with ``sweep`` and ``weakest``
    max_given : int, None or "default"
        Largest conditioning set; None is unlimited. The default is 3 for sets out of neighbors, and unlimited while
        gs and the iamb family grow a blanket, on all of which they condition. The test for a spouse is given one
        column more, the common child.
    neighbors : str, Search or None
        The search of parents and children inside Climb; None is getpcd, and getpc is getpcd with the symmetry "and".
        The other methods have their own.
    symmetry : {"and", "or", "none", "children"} or None
        Which columns have to find each other; None is the method's default. "children" is Climb's.
    orient : bool or None
        Whether to tell parents from children by the partition; None is yes for Climb and no for the others, whose
        neighbors then are ``undecided``.
    min_margin : float
        Bits below which a neighbor is reported as undecided, neither parent nor child.
    node_budget : int
        Nodes after which the partition returns its best so far with the proven gap.
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The way of counting; the result is the same. Not for a test that is an object of one's own.

    Returns
    -------
    Blanket

    Raises
    ------
    UnknownColumnError
        For a target that the data do not have.
    OptionError
        For an option outside its legal values.
    DataError
        For a frame that cannot be read as discrete data.

    References
    ----------
    Marx and Vreeken (2018), "Causal Discovery by Telling Apart Parents and Children", arXiv 1808.06356; for the other
    methods ``climbfast methods`` and the docstrings of their files.
    """
    begun = time.perf_counter()
    chosen = method_named(method, "blanket", "causal blanket")
    causal = chosen.finds == "causal blanket"
    if neighbors is not None and not causal:
        raise OptionError(f"neighbors is for the method climb; {chosen.name} has its own search")
    if orient is False and causal:
        raise OptionError("climb is the method that tells parents from children; pcmb is the same without")
    margin = number("min_margin", min_margin)
    if not causal and not orient and (margin > 0 or node_budget != NODE_BUDGET):
        raise OptionError(f"min_margin and node_budget are for directions, which {chosen.name} tells with orient alone")
    around = _Around(as_dataset(data), target, chosen, neighbors, test, max_given, symmetry, node_budget, counting)
    found = around.causal() if causal else around.blanket()
    if not causal and orient:
        found = around.oriented(found)
    return around.signed(around.undecided(found, margin), begun)


def neighbors(
    data: Dataset | Any,
    target: Hashable,
    method: str = "getpc",
    test: str | TestOptions | Test = "sci",
    *,
    max_given: int | str | None = "default",
    symmetry: Symmetry | None = None,
    counting: str = "auto",
) -> NeighborSet:
    """Find the parents and children of one column, not told apart.

    Parameters
    ----------
    data, target, test, max_given, counting
        See ``markov_blanket``.
    method : str
        One that finds neighbors; ``climbfast methods`` lists them.
    symmetry : {"and", "or", "none"} or None
        Which columns have to find each other; None is the method's default.

    Returns
    -------
    NeighborSet

    Raises
    ------
    UnknownColumnError, OptionError, DataError
        See ``markov_blanket``.
    """
    begun = time.perf_counter()
    chosen = method_named(method, "neighbors")
    around = _Around(as_dataset(data), target, chosen, None, test, max_given, symmetry, NODE_BUDGET, counting)
    found = around.vicinity.neighbors_of(around.target)
    return around.signed(
        NeighborSet(
            target=target,
            members=around.named(found.members),
            strengths={around.name(x): found.strengths[x] for x in found.members},
            separating_sets=around.separating_sets(found.separators),
        ),
        begun,
    )


class _Around:
    """One search around one target: checked options, counters, and names for what is found."""

    def __init__(
        self,
        data: Dataset,
        target: Hashable,
        method: Method,
        search: str | Search | None,
        test: str | TestOptions | Test,
        max_given: int | str | None,
        symmetry: Symmetry | None,
        node_budget: int,
        counting: str,
    ) -> None:
        self.data, self.method = data, method
        # GetPC is GetPCD with this rule; inside Climb, too, its name asks for it.
        rule = "and" if symmetry is None and search == "getpc" else symmetry
        self.symmetry = _symmetry(rule, method)
        self.limit = _limit(max_given)
        self.node_budget = whole_number("node_budget", node_budget, least=1)
        self._search = _search(search, method)
        self._search_name = getattr(self._search, "__name__", type(self._search).__name__).replace("_", "-")
        self.target = data.index(target)
        self.test = _test(data, test, counting)
        self._before = tuple(getattr(self.test, "tests_by_size", ())), getattr(self.test, "skipped", 0)
        # The score of the partition needs the tables, whatever the test.
        self._evidence = self.test if isinstance(self.test, Evidence) else Evidence(data, counting=counting)
        self.vicinity = Vicinity(self.test, self._neighbors, self.sides, self.symmetry)

    def _others(self, x: int) -> list[int]:
        return [y for y in range(self.data.columns) if y != x]

    def _neighbors(self, x: int) -> Neighbors:
        return self._search(self.test, x, self._others(x), SUBSETS if self.limit == "default" else self.limit)

    def sides(self, x: int, members: Sequence[int]) -> Partition:
        """Tell parents from children."""
        return partition(self._evidence, x, members, node_budget=self.node_budget)

    def causal(self) -> Blanket:
        """Climb."""
        found = climb(self.vicinity, self.target)
        shown = (*found.parents, *found.children)
        return Blanket(
            target=self.name(self.target),
            parents=self.named(found.parents),
            children=self.named(found.children),
            spouses=self.named(found.spouses),
            common_children=self._common(found.spouses, found.parents),
            spouse_strengths={self.name(y): max(by.values()) for y, by in found.spouses.items()},
            separating_sets=self.separating_sets(found.separators),
            **self._margins(found.partition, shown),
        )

    def blanket(self) -> Blanket:
        """Any other method: neighbors, all undecided, and spouses."""
        if self.method.members is None:
            apart = self.vicinity.neighbors_of(self.target)
            spouses = self.vicinity.spouses_of(self.target, lambda x: self.vicinity.neighbors_of(x).members)
            return Blanket(
                target=self.name(self.target),
                undecided=self.named(apart.members),
                spouses=self.named(spouses),
                common_children=self._common(spouses, ()),
                spouse_strengths={self.name(y): max(by.values()) for y, by in spouses.items()},
                separating_sets=self.separating_sets(apart.separators),
            )
        members = mutual_members(self.target, self.data.columns, self._members, self.symmetry)
        neighbors, separators = self._split(members)
        return Blanket(
            target=self.name(self.target),
            undecided=self.named(neighbors),
            spouses=self.named(sorted(separators)),
            separating_sets=self.separating_sets(separators),
        )

    def _members(self, x: int) -> tuple[int, ...]:
        search = self.method.members
        assert search is not None
        return search(self.test, x, self._others(x), None if self.limit == "default" else self.limit)

    def _split(self, members: tuple[int, ...]) -> tuple[list[int], dict[int, Separator]]:
        """Tell the neighbors in a blanket from the spouses: no set of other members separates a neighbor."""
        limit = SUBSETS if self.limit == "default" else self.limit
        most = len(members) - 1 if limit is None else min(limit, len(members) - 1)
        pool = tuple(sorted(members))
        _, separators = self.test.weakest(self.target, pool, pool, (), range(most + 1), [float("inf")] * len(pool))
        found = {x: s for x, s in zip(pool, separators, strict=True) if s is not None}
        return [x for x in pool if x not in found], found

    def oriented(self, found: Blanket) -> Blanket:
        """Apply the partition to the neighbors of a blanket without directions."""
        sides = self.sides(self.target, [self.data.index(x) for x in found.undecided])
        return replace(
            found,
            parents=self.named(sides.parents),
            children=self.named(sides.children),
            undecided=(),
            common_children={
                y: tuple(x for x in by if self.data.index(x) not in sides.parents)
                for y, by in found.common_children.items()
            },
            **self._margins(sides, (*sides.parents, *sides.children)),
        )

    def undecided(self, found: Blanket, min_margin: float) -> Blanket:
        """Move the neighbors of small margins out of parents and children."""
        small = {x for x, margin in found.margins.items() if margin < min_margin}
        return replace(
            found,
            parents=tuple(x for x in found.parents if x not in small),
            children=tuple(x for x in found.children if x not in small),
            undecided=(*found.undecided, *(x for x in found.margins if x in small)),
        )

    def signed(self, found: Result, begun: float) -> Result:
        """Say how it was found."""
        tests, skipped = self._before
        after = getattr(self.test, "tests_by_size", ())
        return replace(
            found,
            method=self.method.name,
            search=self._search_name,
            symmetry=self.symmetry,
            max_given=self.limit,
            test=self.test.test.name if isinstance(self.test, Evidence) else type(self.test).__name__,
            tests_by_size=tuple(a - b for a, b in zip_longest(after, tests, fillvalue=0)),
            skipped=getattr(self.test, "skipped", 0) - skipped,
            rows=self.data.rows,
            columns=self.data.columns,
            seconds=time.perf_counter() - begun,
        )

    def _common(self, spouses: Spouses, parents: Iterable[int]) -> dict[Hashable, Names]:
        """Return the common children by spouse, less those that the partition takes for parents."""
        return {self.name(y): self.named(x for x in by if x not in parents) for y, by in spouses.items()}

    def _margins(self, sides: Partition, shown: Iterable[int]) -> dict[str, Any]:
        margins = {self.name(x): margin for x, margin in sides.margins.items() if x in shown}
        return {"margins": margins, "exact": sides.exact, "gap": sides.gap}

    def name(self, column: int) -> Hashable:
        """Return the name of a column."""
        return self.data.canonical[column]

    def named(self, columns: Iterable[int]) -> Names:
        """Return the names of columns."""
        return tuple(self.name(x) for x in columns)

    def separating_sets(self, separators: Any) -> dict[Hashable, Names]:
        """Return separating sets by name."""
        return {self.name(x): self.named(s) for x, s in sorted(separators.items())}


def _symmetry(symmetry: str | None, method: Method) -> Symmetry:
    legal = SYMMETRIES if method.finds == "causal blanket" else SYMMETRIES[:3]
    if symmetry is not None and symmetry not in legal:
        raise OptionError(f"symmetry is {symmetry!r}; for {method.name} it is one of {', '.join(legal)}")
    return cast(Symmetry, symmetry or method.symmetry)


def _limit(max_given: int | str | None) -> Any:
    if max_given is None or max_given == "default":
        return max_given
    return whole_number("max_given", max_given, otherwise=", or None for no limit")


def _search(search: str | Search | None, method: Method) -> Search:
    if callable(search):
        return search
    if search is not None:
        method = method_named(search, "neighbors")
    return cast(Search, method.neighbors or method.members)


def _test(data: Dataset, test: str | TestOptions | Test, counting: str) -> Test:
    if isinstance(test, Evidence) and test.data is not data and test.data.fingerprint != data.fingerprint:
        raise OptionError("the evidence given as test is of other data")
    if hasattr(test, "sweep") and hasattr(test, "weakest") and not isinstance(test, type):
        if counting != "auto":
            raise OptionError(f"counting is {counting!r}, but the test given counts in its own way; leave it out")
        return cast(Test, test)
    return Evidence(data, cast("str | TestOptions", test), counting=counting)
