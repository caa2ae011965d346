"""From names to a search and back: one target's Markov blanket, or its neighbors, by any method."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple, Unpack

from climbfast.dataset import Dataset, ReadingOptions, as_dataset
from climbfast.dataset.treatment import Treatment
from climbfast.independence.tester import Tester, as_tester, without_copies
from climbfast.independence.tests import Test, TestCounts, TestOptions
from climbfast.interrupts import interruptible
from climbfast.local.blanket import Blanket, NeighborSet, SeparatingSets
from climbfast.local.neighborhoods import Symmetry
from climbfast.local.neighbors import Neighbors, Search
from climbfast.local.partition import NODE_BUDGET
from climbfast.local.plan import Plan, plan_blanket, plan_neighbors
from climbfast.local.target_search import TargetResult, TargetSearch

__all__ = ["ColumnNames", "markov_blanket", "name_blanket", "neighbors", "searched_columns"]

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
    min_bits: float | str | None = None,
    counting: str = "auto",
    **reading: Unpack[ReadingOptions],
) -> Blanket:
    """Find the parents, children and spouses of one column.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    target : Hashable
        Name of the column.
    method : str
        One that finds blankets; ``climbfast methods`` lists them.
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI, or an object with ``sweep`` and ``weakest``
    max_given : int, None or "default"
        Largest conditioning set; None is no limit. The default is 3. gs and the iamb methods condition on the whole
        blanket while it grows; there the default is no limit. The test for a spouse is given one column more, the
        common child.
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
    min_bits : float, "auto" or None
        Short for ``test=SCI(min_bits=...)``.
    counting : {"auto", "bitmaps", "dense", "sparse"}
        The strategy of counting; the result is the same. Not for a custom test.
    **reading
        Options of ``Dataset.from_frame`` for a frame: ``missing``, ``missing_markers``, ``declared_levels``,
        ``numbers``, ``weights``, ``keep_ids``, ``columns``, ``leave_out``.

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

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> blanket = cf.markov_blanket(data, "heart_disease")
    >>> blanket.parents
    ('blood_pressure', 'cholesterol')
    >>> blanket.spouses
    ('reflux', 'sleep')
    >>> blanket.common_children["reflux"]
    ('chest_pain',)
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
    data = as_dataset(data, **reading)
    target = data.canonical[data.index(target)]
    searched, names, test = searched_columns(data, test)
    search = _Search(searched, plan, test, counting, min_bits)
    result = search.of_target.find(names.column(target))
    return name_blanket(names, target, result, {**search.how(begun), "columns": data.columns})


@interruptible
def neighbors(
    data: Dataset | Any,
    target: Hashable,
    method: str = "getpc",
    test: str | TestOptions | Test = "sci",
    *,
    max_given: int | str | None = "default",
    symmetry: Symmetry | None = None,
    min_bits: float | str | None = None,
    counting: str = "auto",
    **reading: Unpack[ReadingOptions],
) -> NeighborSet:
    """Find the parents and children of one column, not told apart.

    Parameters
    ----------
    data, target, test, max_given, min_bits, counting, **reading
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

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> cf.neighbors(data, "heart_disease", method="hiton-pc").members
    ('blood_pressure', 'breathlessness', 'chest_pain', 'cholesterol', 'ecg', 'fatigue')
    """
    begun = time.perf_counter()
    plan = plan_neighbors(method, max_given=max_given, symmetry=symmetry)
    data = as_dataset(data, **reading)
    target = data.canonical[data.index(target)]
    searched, names, test = searched_columns(data, test)
    search = _Search(searched, plan, test, counting, min_bits)
    found = search.of_target.neighborhoods.neighbors_of(names.column(target))
    members = _named(names, found.members)
    return NeighborSet(
        target=target,
        members=members,
        strengths={names.canonical[x]: found.strengths[x] for x in found.members},
        separating_sets=_separating_sets(names, names.column(target), found),
        copies=names.copies_among((target, *members)),
        **names.with_treatment({**search.how(begun), "columns": data.columns}, (target, *members)),
    )


class _Search:
    """The search of one target, and what it cost."""

    def __init__(
        self, data: Dataset, plan: Plan, test: str | TestOptions | Test, counting: str, min_bits: float | str | None
    ) -> None:
        self._data, self._plan = data, plan
        self._test = as_tester(data, test, counting=counting, min_bits=min_bits)
        self._before = TestCounts.start(self._test)
        # The score of the partition needs the log tables, whatever the test.
        self._tester = self._test if isinstance(self._test, Tester) else Tester(data, counting=counting)
        self.of_target = TargetSearch(self._test, self._tester, data.columns, plan)

    def how(self, begun: float) -> dict[str, Any]:
        """Return the fields of a result that say how it was found."""
        tests_by_size, skipped, fewest_rows = TestCounts.of(self._test).since(self._before)
        rows = self._tester.fewest_rows if fewest_rows is None else min(fewest_rows, self._tester.fewest_rows)
        return {
            **self._plan.provenance(self._test),
            "tests_by_size": tests_by_size,
            "skipped": skipped,
            "fewest_rows": rows,
            "rows": self._data.rows,
            "columns": self._data.columns,
            "seconds": time.perf_counter() - begun,
        }


class ColumnNames(NamedTuple):
    """The names of the columns that are searched.

    Attributes
    ----------
    canonical : tuple of names
        By column number.
    positions : mapping of name to int
        The column number of each.
    copies : mapping of name to tuple of names
        The copies of columns, of which one is searched.
    treatment : Treatment
        What was done to the data.
    """

    canonical: Names
    positions: Mapping[Hashable, int]
    copies: Mapping[Hashable, Names]
    treatment: Treatment = Treatment()

    def column(self, name: Hashable) -> int:
        """Return the number of a column, or of the copy that stands for it."""
        return next(self.positions[x] for x in (name, *self.copies.get(name, ())) if x in self.positions)

    def copies_among(self, names: Iterable[Hashable]) -> dict[Hashable, Names]:
        """Return the copies of those names that have any."""
        return {name: self.copies[name] for name in names if name in self.copies}

    def with_treatment(self, how: Mapping[str, Any], names: Iterable[Hashable]) -> dict[str, Any]:
        """Return the fields that say how a result was found, with what was done to the data among the options."""
        return {**how, "options": {**how["options"], **self.treatment.options(names)}}


def searched_columns(
    data: Dataset, test: str | TestOptions | Test
) -> tuple[Dataset, ColumnNames, str | TestOptions | Test]:
    """Return the data that are searched, the names of their columns, and the test on them; see ``without_copies``."""
    searched, test = without_copies(data, test)
    copies = {} if searched is data else data.copies
    return searched, ColumnNames(searched.canonical, searched.positions, copies, data.treatment), test


def name_blanket(names: ColumnNames, target: Hashable, found: TargetResult, how: Mapping[str, Any]) -> Blanket:
    """Give names to what was found.

    Parameters
    ----------
    names : ColumnNames
    target : Hashable
    found : TargetResult
        Of the column that stands for the target.
    how : mapping
        The fields that say how it was found.
    """
    name = names.canonical
    members = (*found.neighbors, *found.spouses)
    return Blanket(
        target=target,
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
        separating_sets=_separating_sets(names, names.column(target), found),
        copies=names.copies_among((target, *(name[x] for x in members))),
        exact=found.exact,
        gap=found.gap,
        **names.with_treatment(how, (target, *(name[x] for x in members))),
    )


def _named(names: ColumnNames, columns: Iterable[int]) -> Names:
    return tuple(map(names.canonical.__getitem__, columns))


def _separating_sets(names: ColumnNames, target: int, found: TargetResult | Neighbors) -> Mapping[Hashable, Names]:
    if isinstance(found, Neighbors):
        near = {target, *found.members}
    elif found.whole_blanket:
        near = set(range(len(names.canonical))) - found.separators.keys()
    else:
        near = {target, *found.parents, *found.children, *found.undecided}
    of_target = (names.canonical[target], *names.copies.get(names.canonical[target], ()))
    copies = {
        x: names.canonical[names.column(x)] for x in names.copies if x not in names.positions and x not in of_target
    }
    return SeparatingSets(names.positions, near, found.separators, copies)
