"""Why a column is not in a blanket: what separates it from the target, and how that shows in the counts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from climbfast.dataset import Dataset
from climbfast.independence.tester import Tester
from climbfast.local.blanket import Blanket
from climbfast.local.find import searched_columns
from climbfast.names import sorted_by_name
from climbfast.report.labels import Labels
from climbfast.report.shares import Bar, Shares, Stratum, shares, strata_of
from climbfast.report.strengths import bits_text, strength_text, test_of

__all__ = ["MOST_EXPLAINED", "Absent", "Explained", "absent_columns"]

MOST_EXPLAINED = 50  # columns with a paragraph of their own; of wide data most that depend on a target
MOST_WITH_BARS = 20


class Explained(NamedTuple):
    """A column that depends on the target, but not directly.

    Attributes
    ----------
    name : str
    alone, given, conditional : str
        Its dependence by itself; the set that separates it; what is left given this set.
    sentence : str
    often : str
        From a bootstrap, the share of the replicates in which it was a member.
    overall : Shares or None
        Its bars in all rows, if it also has some in strata.
    strata : tuple of Stratum
    """

    name: str
    alone: str
    given: str
    conditional: str
    sentence: str = ""
    often: str = ""
    overall: Shares | None = None
    strata: tuple[Stratum, ...] = ()

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of the target."""
        return () if self.overall is None else self.overall.levels

    @property
    def bars(self) -> tuple[Bar, ...]:
        """Its bars in all rows."""
        return () if self.overall is None else self.overall.bars


@dataclass(frozen=True)
class Absent:
    """All columns that are not in a blanket, by the reason.

    Attributes
    ----------
    unexplained : list of Explained
        Columns that still depend on the target given all members, the strongest first; at most ``MOST_EXPLAINED``.
    more_unexplained : list of str
        The names of further ones.
    explained : list of Explained
        Columns that depend on the target only through others, the strongest first; at most ``MOST_EXPLAINED``.
    more_explained : list of str
        The names of further ones.
    independent : list of str
        Columns that are independent of the target by themselves.
    alike : list of str
        Columns with one level in all rows, and identifiers, which nothing can depend on.
    forbidden : list of str
        Columns that knowledge says are no neighbors, and that are not among the others.
    copies : list of tuple of str
        Columns that are copies of others, and the one that was searched in their place.
    by_members : bool
        Whether the search keeps no separating sets, so that the members stand in their place.
    is_own_test : bool
        Whether the figures are by the test of the result; for a custom test they are by SCI.
    """

    unexplained: list[Explained]
    more_unexplained: list[str]
    explained: list[Explained]
    more_explained: list[str]
    independent: list[str]
    alike: list[str]
    forbidden: list[str]
    copies: list[tuple[str, str]]
    by_members: bool
    is_own_test: bool

    @property
    def total(self) -> int:
        """The number of columns."""
        unexplained = len(self.unexplained) + len(self.more_unexplained)
        explained = len(self.explained) + len(self.more_explained)
        return (
            unexplained + explained + len(self.independent) + len(self.alike) + len(self.forbidden) + len(self.copies)
        )


def absent_columns(blanket: Blanket, data: Dataset, labels: Labels) -> Absent:
    """Return why each column is not in a blanket.

    All are tested against the target at once; only columns with a paragraph of their own are tested again.
    """
    options, is_own_test = test_of(blanket.test, blanket.options)
    searched, names, _ = searched_columns(data, options)
    seen = _Search(blanket, data, Tester(searched, options), labels, names.column(blanket.target))
    members = {*blanket.members, *(x for name in blanket.members for x in blanket.copies.get(name, ()))}
    copies = [x for x in data.sorted_names if x not in searched.positions and x not in members]
    others = [x for x in data.sorted_names if x in searched.positions and x not in members]
    others = [x for x in others if searched.index(x) != seen.target]
    alone = dict(zip(others, seen.marginal(others), strict=True))
    alike = [x for x in others if int(searched.arity[searched.index(x)]) < 2]
    left = [x for x in others if x not in set(alike) and x not in blanket.unexplained]
    has_set = {x: _separator(blanket, x) for x in left}
    forbidden = [x for x in left if seen.knows_sets and has_set[x] is None]
    dependent = [x for x in left if x not in set(forbidden) and (alone[x] > 0 or has_set[x])]
    place = {x: i for i, x in enumerate(dependent)}
    dependent.sort(key=lambda x: (-alone[x], place[x]))
    unexplained = list(blanket.unexplained)
    shown, more = dependent[:MOST_EXPLAINED], sorted_by_name(dependent[MOST_EXPLAINED:])
    near = {*dependent, *forbidden}
    return Absent(
        unexplained=[seen.unexplained(x, alone.get(x)) for x in unexplained[:MOST_EXPLAINED]],
        more_unexplained=[labels.name(x) for x in sorted_by_name(unexplained[MOST_EXPLAINED:])],
        explained=[seen.explained(x, alone[x], has_set[x], with_bars=i < MOST_WITH_BARS) for i, x in enumerate(shown)],
        more_explained=[labels.name(x) for x in more],
        independent=[labels.name(x) for x in left if x not in near],
        alike=[labels.name(x) for x in alike],
        forbidden=[labels.name(x) for x in forbidden],
        copies=[(labels.name(x), labels.name(data.represented[x])) for x in copies if x != blanket.target],
        by_members=not seen.knows_sets,
        is_own_test=is_own_test,
    )


def _separator(blanket: Blanket, name: Hashable) -> tuple[Hashable, ...] | None:
    return blanket.separating_sets.get(name)


class _Search:
    """What the data say about columns outside of one blanket."""

    def __init__(self, blanket: Blanket, table: Dataset, tester: Tester, labels: Labels, target: int) -> None:
        self._blanket, self._table, self._tester, self._labels = blanket, table, tester, labels
        self._data, self.target = tester.data, target  # the columns that are searched, and the place of the target
        self.knows_sets = len(blanket.separating_sets) > 0
        self._alpha = float(getattr(tester.test, "alpha", 0.01))

    def marginal(self, names: Sequence[Hashable]) -> list[float]:
        """Return the dependence of each column on the target."""
        if not names:
            return []
        strengths: list[float] = self._tester.sweep(self.target, [self._data.index(x) for x in names], ()).tolist()
        return strengths

    def unexplained(self, name: Hashable, alone: float | None) -> Explained:
        """Return a column that still depends on the target given all members."""
        by = self._blanket.separating_sets.get(name, ())
        return Explained(
            name=self._labels.name(name),
            alone="" if alone is None else self._text(alone),
            given=self._labels.listed(by) or "–",
            conditional=bits_text(self._blanket.unexplained[name]),
            often=self._often(name),
        )

    def explained(
        self, name: Hashable, alone: float, given: tuple[Hashable, ...] | None, *, with_bars: bool
    ) -> Explained:
        """Return a column that depends on the target only through others."""
        by = tuple(x for x in (given if self.knows_sets else self._blanket.members) or () if x in self._data.positions)
        x, columns = self._data.index(name), [self._data.index(z) for z in by]
        conditional = float(self._tester.sweep(self.target, [x], columns)[0]) if columns else alone
        table, target = self._table, self._table.index(self._blanket.target)
        here = table.index(name)
        strata = strata_of(table, here, target, [table.index(z) for z in by], self._labels) if with_bars else ()
        return Explained(
            name=self._labels.name(name),
            alone=self._text(alone),
            given=self._labels.listed(by) or "nothing",
            conditional=self._text(conditional),
            sentence=self._sentence(name, by, alone, conditional),
            often=self._often(name),
            overall=shares(table, here, target) if strata else None,
            strata=strata,
        )

    def _sentence(self, name: Hashable, by: tuple[Hashable, ...], alone: float, conditional: float) -> str:
        this, listed = self._labels.quoted(name), self._labels.listed(by)
        if not by:
            return f"{this} depends on {self._target}, but the search keeps no set that separates the two."
        known = "is" if len(by) == 1 else "are"
        what = f"By itself {this} depends on {self._target} ({self._text(alone)})."
        if conditional <= 0:
            return f"{what} Once {listed} {known} known, it says nothing more about it ({self._text(conditional)})."
        if self.knows_sets:
            return f"{what} Once {listed} {known} known, little is left ({self._text(conditional)})."
        return f"{what} When the members are known, what is left ({self._text(conditional)}) is no more than chance."

    def _often(self, name: Hashable) -> str:
        found = self._blanket.frequencies.get(name, {}).get("found", 0.0)
        return f"{100 * found:.0f}\u00a0%" if self._blanket.frequencies else ""

    @property
    def _target(self) -> str:
        return self._labels.quoted(self._blanket.target)

    def _text(self, strength: float) -> str:
        return strength_text(self._tester.test.name, strength, self._alpha)
