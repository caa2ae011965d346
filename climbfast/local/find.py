"""From names to a search and back: one target's Markov blanket, or its neighbors, by a search around it."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, Unpack

import numpy as np

from climbfast.compiling import seconds_of_work
from climbfast.dataset import Dataset, ReadingOptions, Representative, as_dataset
from climbfast.dataset.treatment import Treatment
from climbfast.errors import KnowledgeError, Option
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tester import Tester, as_tester, without_copies
from climbfast.independence.tests import Test, TestCounts, TestOptions
from climbfast.interrupts import interruptible
from climbfast.knowledge import AllowedArcs, Knowledge, KnowledgeOption, as_knowledge
from climbfast.local.blanket import Blanket, ColliderEvidence, Forbidden, NeighborSet, SeparatingSets
from climbfast.local.colliders import SeenSide
from climbfast.local.neighborhoods import Symmetry
from climbfast.local.neighbors import Neighbors
from climbfast.local.plan import Plan, plan_neighbors
from climbfast.local.target_search import TargetResult, TargetSearch
from climbfast.names import canonical_key, listing, sorted_by_name

__all__ = ["ColumnNames", "find_blanket", "name_blanket", "neighbors", "searched_columns"]

Names = tuple[Hashable, ...]


@interruptible
def find_blanket(
    data: Dataset,
    target: Hashable,
    plan: Plan,
    test: str | TestOptions | Test,
    *,
    counting: str = "auto",
    min_bits: float | str | None = None,
    known: Knowledge | None = None,
) -> Blanket:
    """Find the blanket of one column by a planned search around it.

    Parameters
    ----------
    data : Dataset
    target : Hashable
        Name of the column.
    plan : Plan
    test, counting, min_bits
        See ``climbfast.markov_blanket``.
    known : Knowledge or None
        What is known beforehand, checked.
    """
    if known is not None:
        plan.refuse_knowledge()
    begun = seconds_of_work()
    target = data.canonical[data.index(target)]
    searched, names, test = searched_columns(data, test, known, [target])
    search = _Search(searched, plan, test, counting, min_bits, names.allowed)
    column = names.column(target)
    result = search.of_target.find(column)
    how = search.how(begun)  # before the check, whose tests are no part of the search
    result = search.of_target.check(column, result)
    how = {
        **how,
        "columns": data.columns,
        "data": data,
        "bounded": result.bounded,
        "seconds": seconds_of_work() - begun,
    }
    return name_blanket(names, target, result, how)


@interruptible
def neighbors(
    data: Dataset | Any,
    target: Hashable,
    method: str = "getpc",
    test: str | TestOptions | Test = "sci",
    *,
    max_given: int | str | None = "default",
    max_pool: int | None = MAX_POOL,
    symmetry: Symmetry | None = None,
    knowledge: KnowledgeOption = None,
    representative: Representative = None,
    min_bits: float | str | None = None,
    counting: str = "auto",
    **reading: Unpack[ReadingOptions],
) -> NeighborSet:
    """Find the parents and children of one column, not told apart.

    Parameters
    ----------
    data, target, test, max_given, max_pool, representative, min_bits, counting, **reading
        See ``markov_blanket``.
    method : str
        One that finds neighbors; ``climbfast methods`` lists them.
    symmetry : {"and", "or", "none"} or None
        Which columns have to find each other; None is the method's default.
    knowledge : Knowledge, path of a file, or None
        What is known beforehand: tiers, required and forbidden edges. The result obeys it.

    Returns
    -------
    NeighborSet

    Raises
    ------
    UnknownColumnError, KnowledgeError, OptionError, DataError
        See ``markov_blanket``.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> cf.neighbors(data, "heart_disease", method="hiton-pc").members
    ('blood_pressure', 'breathlessness', 'chest_pain', 'cholesterol', 'ecg', 'fatigue')
    """
    begun = seconds_of_work()
    plan = plan_neighbors(method, max_given=max_given, max_pool=max_pool, symmetry=symmetry)
    data = as_dataset(data, **reading).represented_by(representative)
    known = as_knowledge(knowledge, data.names)
    target = data.canonical[data.index(target)]
    searched, names, test = searched_columns(data, test, known, [target])
    search = _Search(searched, plan, test, counting, min_bits, names.allowed)
    found = search.of_target.neighborhoods.neighbors_of(names.column(target))
    members = _named(names, found.members)
    return NeighborSet(
        target=target,
        members=members,
        strengths=_figures(names, {x: found.strengths[x] for x in found.members}),
        separating_sets=_separating_sets(names, names.column(target), found),
        copies=names.copies_among((target, *members)),
        bounded=min(found.bounded, len(members)),  # the check of symmetry may have dropped some
        **names.with_treatment({**search.how(begun), "columns": data.columns, "data": data}, (target, *members)),
    )


class _Search:
    """The search of one target, and what it cost."""

    def __init__(
        self,
        data: Dataset,
        plan: Plan,
        test: str | TestOptions | Test,
        counting: str,
        min_bits: float | str | None,
        allowed: AllowedArcs | None,
    ) -> None:
        self._data, self._plan = data, plan
        self._test = as_tester(data, test, counting=counting, min_bits=min_bits)
        self._before = TestCounts.start(self._test)
        # The score of the partition needs the log tables, whatever the test.
        self._tester = self._test if isinstance(self._test, Tester) else Tester(data, counting=counting)
        self.of_target = TargetSearch(self._test, self._tester, data.columns, plan, allowed=allowed)

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
            "seconds": seconds_of_work() - begun,
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
    known : Knowledge or None
        What is known of the columns.
    allowed : AllowedArcs or None
        The arcs that it allows.
    """

    canonical: Names
    positions: Mapping[Hashable, int]
    copies: Mapping[Hashable, Names]
    treatment: Treatment = Treatment()
    known: Knowledge | None = None
    allowed: AllowedArcs | None = None

    def column(self, name: Hashable) -> int:
        """Return the number of a column, or of the copy that stands for it."""
        if name in self.positions:
            return self.positions[name]
        return next(self.positions[x] for x in self.copies[name] if x in self.positions)

    def copies_among(self, names: Iterable[Hashable]) -> dict[Hashable, Names]:
        """Return the copies of those names that have any."""
        return {name: self.copies[name] for name in sorted_by_name(names) if name in self.copies}

    def with_treatment(self, how: Mapping[str, Any], names: Iterable[Hashable]) -> dict[str, Any]:
        """Return the fields that say how a result was found, with what was done to the data among the options.

        So is what is known about the names, and about any edge of the first, which is the target.
        """
        names = tuple(names)
        options = {**how["options"], **self.treatment.options(names)}
        if self.known is not None and (about := self.known.about(names, at=names[:1])):
            options["knowledge"] = about.to_dict()
        return {**how, "options": options}


def searched_columns(
    data: Dataset, test: str | TestOptions | Test, known: Knowledge | None = None, targets: Iterable[Hashable] = ()
) -> tuple[Dataset, ColumnNames, str | TestOptions | Test]:
    """Return the data that are searched, the names of their columns, and the test on them; see ``without_copies``.

    Raises
    ------
    KnowledgeError
        For knowledge about a target that its blanket cannot honor, since one of its copies is searched.
    """
    searched, test = without_copies(data, test)
    if known is not None and searched is not data:
        _refuse_copies(data, searched, known.allowed_arcs(data.canonical), targets)
    copies = {} if searched is data else data.copies
    allowed = None if known is None else known.allowed_arcs(searched.canonical)
    names = ColumnNames(searched.canonical, searched.positions, copies, data.treatment, known, allowed)
    return searched, names, test


def _refuse_copies(data: Dataset, searched: Dataset, allowed: AllowedArcs, targets: Iterable[Hashable]) -> None:
    """Refuse targets with required edges of columns that are not searched, and with edges that only a copy may have."""
    columns = np.array([data.index(name) for name in searched.canonical])
    found: set[Hashable] = set()
    for x in map(data.index, targets):
        ends = (x, *allowed.required_at(x)) if allowed.required_at(x) else ()
        refused = [y for y in ends if data.canonical[y] not in searched.positions]
        stands_for_it = data.index(data.represented.get(data.canonical[x], data.canonical[x]))
        if stands_for_it != x:
            others, both = columns[columns != stands_for_it], [stands_for_it, x]
            (out, out_of_x), (into, into_x) = allowed.matrix(both, others), allowed.matrix(others, both).T
            refused += [x] if (out & ~out_of_x).any() or (into & ~into_x).any() else []
        found.update(data.canonical[y] for y in refused)
    if found:
        names = sorted_by_name(found)
        pairs = listing(names, each=lambda name: f"{name!r} (a copy of {data.represented[name]!r})")
        raise KnowledgeError(
            f"what is known cannot be honored of columns in whose place a copy is searched: {pairs}; name them in ",
            Option("representative"),
            ", or leave out one of the two",
        )


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
    # The check of symmetry may have dropped neighbors for which sets were left out.
    how = {**how, "bounded": min(how.get("bounded", 0), len(found.neighbors))}
    return Blanket(
        target=target,
        parents=_named(names, found.parents),
        children=_named(names, found.children),
        undecided=_named(names, found.undecided),
        spouses=_named(names, found.spouses),
        # A neighbor that the partition takes for a parent shows a spouse, but is no child in common.
        common_children={
            name[y]: _named(names, (x for x in found.spouses[y] if x not in found.parents))
            for y in sorted(found.spouses, key=lambda y: canonical_key(name[y]))
            if found.spouses[y]
        },
        margins=_figures(names, found.margins),
        evidence=_sides(names, found.evidence),
        known=_named(names, found.known),
        contradicted=_sides(names, found.contradicted),
        strengths=_figures(names, found.strengths),
        spouse_strengths=_figures(names, {y: max(by.values()) for y, by in found.spouses.items() if by}),
        separating_sets=_separating_sets(names, names.column(target), found),
        copies=names.copies_among((target, *(name[x] for x in members))),
        exact=found.exact,
        gap=found.gap,
        unexplained={name[x]: bits for x, bits in found.unexplained.bits.items()},
        rows_per_stratum=found.unexplained.rows_per_stratum,
        determined_by=_named(names, found.unexplained.determined_by),
        **names.with_treatment(how, (target, *(name[x] for x in members))),
    )


def _named(names: ColumnNames, columns: Iterable[int]) -> Names:
    return sorted_by_name(map(names.canonical.__getitem__, columns))


def _sides(names: ColumnNames, seen: Mapping[int, SeenSide]) -> dict[Hashable, ColliderEvidence]:
    """Return what shows sides by name, sorted by it."""
    name = names.canonical
    return {
        name[x]: ColliderEvidence(_named(names, seen[x].columns), seen[x].bits)
        for x in sorted(seen, key=lambda x: canonical_key(name[x]))
    }


def _figures(names: ColumnNames, figures: Mapping[int, float]) -> dict[Hashable, float]:
    """Return figures by name, sorted by it."""
    by_name = {names.canonical[x]: figure for x, figure in figures.items()}
    return {name: by_name[name] for name in sorted_by_name(by_name)}


@lru_cache(maxsize=2)
def _every(columns: int) -> frozenset[int]:
    return frozenset(range(columns))


def _separating_sets(names: ColumnNames, target: int, found: TargetResult | Neighbors) -> Mapping[Hashable, Names]:
    near: Collection[int]
    if isinstance(found, Neighbors):
        near = {target, *found.members}
    elif found.whole_blanket:
        near = _every(len(names.canonical)).difference(found.separators)
    else:
        near = {target, *found.parents, *found.children, *found.undecided}
    of_target = (names.canonical[target], *names.copies.get(names.canonical[target], ()))
    copies = {
        x: names.canonical[names.column(x)] for x in names.copies if x not in names.positions and x not in of_target
    }
    forbidden = None if names.allowed is None else Forbidden(names.allowed, target)
    return SeparatingSets(names.positions, near, found.separators, copies, forbidden)
