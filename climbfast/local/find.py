"""From names to a search and back: one target's Markov blanket, or its neighbors, by any method."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple, cast

from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import OptionError
from climbfast.evidence import Evidence, Test, TestOptions
from climbfast.interrupts import interruptible
from climbfast.local.blanket import Blanket, NeighborSet, SeparatingSets
from climbfast.local.findings import Finder, Findings
from climbfast.local.neighbors import Neighbors, Search
from climbfast.local.partition import NODE_BUDGET
from climbfast.local.plan import Plan, plan_blanket, plan_neighbors
from climbfast.local.vicinity import Symmetry

__all__ = ["ColumnNames", "markov_blanket", "named_blanket", "neighbors"]

Names = tuple[Hashable, ...]


@interruptible
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
    plan = plan_blanket(
        method,
        max_given=max_given,
        neighbors=neighbors,
        symmetry=symmetry,
        orient=orient,
        min_margin=min_margin,
        node_budget=node_budget,
    )
    data = as_dataset(data)
    search = _Search(data, plan, test, counting)
    findings = search.finder.find(data.index(target))
    return named_blanket(data, data.index(target), findings, search.how(begun))


@interruptible
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
    plan = plan_neighbors(method, max_given=max_given, symmetry=symmetry)
    data = as_dataset(data)
    search = _Search(data, plan, test, counting)
    found = search.finder.vicinity.neighbors_of(data.index(target))
    return NeighborSet(
        target=data.canonical[data.index(target)],
        members=_named(data, found.members),
        strengths={data.canonical[x]: found.strengths[x] for x in found.members},
        separating_sets=_separating_sets(data, data.index(target), found),
        **search.how(begun),
    )


class _Search:
    """The search of one target, and what it cost."""

    def __init__(self, data: Dataset, plan: Plan, test: str | TestOptions | Test, counting: str) -> None:
        self._data, self._plan = data, plan
        self._test = _as_test(data, test, counting)
        self._before = tuple(getattr(self._test, "tests_by_size", ())), getattr(self._test, "skipped", 0)
        # The score of the partition needs the tables, whatever the test.
        evidence = self._test if isinstance(self._test, Evidence) else Evidence(data, counting=counting)
        self.finder = Finder(self._test, evidence, data.columns, plan)

    def how(self, begun: float) -> dict[str, Any]:
        """Return the fields of a result that say how it was found."""
        tests, skipped = self._before
        after = getattr(self._test, "tests_by_size", ())
        return {
            "method": self._plan.method.name,
            "search": self._plan.search_name,
            "symmetry": self._plan.symmetry,
            "max_given": self._plan.max_given,
            "test": self._test.test.name if isinstance(self._test, Evidence) else type(self._test).__name__,
            "tests_by_size": tuple(a - b for a, b in zip_longest(after, tests, fillvalue=0)),
            "skipped": getattr(self._test, "skipped", 0) - skipped,
            "rows": self._data.rows,
            "columns": self._data.columns,
            "seconds": time.perf_counter() - begun,
        }


class ColumnNames(NamedTuple):
    """The names of the columns in canonical order, and the place of each, as a data set has them."""

    canonical: Names
    positions: Mapping[Hashable, int]


def named_blanket(names: Dataset | ColumnNames, target: int, found: Findings, how: Mapping[str, Any]) -> Blanket:
    """Give names to what was found.

    Parameters
    ----------
    names : Dataset or ColumnNames
    target : int
    found : Findings
    how : mapping
        The fields that say how it was found.
    """
    name = names.canonical
    return Blanket(
        target=name[target],
        parents=_named(names, found.parents),
        children=_named(names, found.children),
        undecided=_named(names, found.undecided),
        spouses=_named(names, found.spouses),
        # A neighbor that the partition takes for a parent shows a spouse, but is no child in common.
        common_children={
            name[y]: _named(names, (x for x in by if x not in found.parents)) for y, by in found.spouses.items() if by
        },
        margins={name[x]: margin for x, margin in found.margins.items()},
        strengths={name[x]: strength for x, strength in found.strengths.items()},
        spouse_strengths={name[y]: max(by.values()) for y, by in found.spouses.items() if by},
        separating_sets=_separating_sets(names, target, found),
        exact=found.exact,
        gap=found.gap,
        **how,
    )


def _named(names: Dataset | ColumnNames, columns: Iterable[int]) -> Names:
    return tuple(map(names.canonical.__getitem__, columns))


def _separating_sets(
    names: Dataset | ColumnNames, target: int, found: Findings | Neighbors
) -> Mapping[Hashable, Names]:
    if isinstance(found, Neighbors):
        near = {target, *found.members}
    elif found.as_a_whole:
        near = set(range(len(names.canonical))) - found.separators.keys()
    else:
        near = {target, *found.parents, *found.children, *found.undecided}
    return SeparatingSets(names.positions, near, found.separators)


def _as_test(data: Dataset, test: str | TestOptions | Test, counting: str) -> Test:
    if isinstance(test, Evidence) and test.data is not data and test.data.fingerprint != data.fingerprint:
        raise OptionError("the evidence given as test is of other data")
    if hasattr(test, "sweep") and hasattr(test, "weakest") and not isinstance(test, type):
        if counting != "auto":
            raise OptionError(f"counting is {counting!r}, but the test given counts in its own way; leave it out")
        return cast(Test, test)
    return Evidence(data, cast("str | TestOptions", test), counting=counting)
