"""The results of a search around one target."""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from climbfast.errors import GraphError
from climbfast.knowledge import AllowedArcs
from climbfast.names import by_text, copies_text, listing, name_text, quoted_name, sorted_by_name
from climbfast.provenance import Provenance, bounded_text

if TYPE_CHECKING:
    import networkx
    from matplotlib.axes import Axes

__all__ = ["ROLES", "Blanket", "ColliderEvidence", "Forbidden", "NeighborSet", "SeparatingSets", "unexplained_text"]

ROLES = {"parents": "parent", "children": "child", "undecided": "undecided", "spouses": "spouse"}
"""The role of the members in each field of a blanket."""

Names = tuple[Hashable, ...]
MOST_UNEXPLAINED_SHOWN = 5


class Forbidden(NamedTuple):
    """The columns that knowledge says are no neighbors of a target.

    Attributes
    ----------
    allowed : AllowedArcs
    target : int
    """

    allowed: AllowedArcs
    target: int

    def __contains__(self, column: object) -> bool:
        return isinstance(column, int) and column != self.target and not self.allowed.allows_edge(column, self.target)


class SeparatingSets(Mapping[Hashable, Names]):
    """For every column outside a neighborhood the set that separated it from the target.

    Nearly all columns of wide data are marginally independent: their set is empty, and takes no memory. Names are
    looked up on access.

    Parameters
    ----------
    positions : mapping of name to int
        The number of every column, in canonical order.
    near : set of int
        The columns that have none: the target and its neighbors.
    separators : mapping of int to tuple of int
        The sets that are not empty.
    copies : mapping of name to name, optional
        For columns that were not searched the column that stood for each.
    forbidden : Forbidden, optional
        The columns that knowledge says are no neighbors: they have none either.
    """

    def __init__(
        self,
        positions: Mapping[Hashable, int],
        near: Collection[int],
        separators: Mapping[int, tuple[int, ...]],
        copies: Mapping[Hashable, Hashable] = MappingProxyType({}),
        forbidden: Forbidden | None = None,
    ) -> None:
        self._positions, self._near, self._separators = positions, frozenset(near), separators
        self._copies, self._forbidden = copies, forbidden

    def __getitem__(self, name: Hashable) -> Names:
        if name in self._copies:
            first = self._copies[name]
            return (first,) if self._positions[first] in self._near else self[first]
        column = self._positions[name]
        if not self._has(column):
            raise KeyError(name)
        separator = self._separators.get(column)
        if not separator:
            return ()
        names = tuple(self._positions)
        return sorted_by_name(names[z] for z in separator)

    def __iter__(self) -> Iterator[Hashable]:
        searched = (name for name, column in self._positions.items() if self._has(column))
        copies = (name for name, first in self._copies.items() if not self._is_forbidden(self._positions[first]))
        return iter(sorted_by_name(chain(searched, copies)))

    def __len__(self) -> int:
        if self._forbidden is None:
            return len(self._positions) - len(self._near) + len(self._copies)
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        """Compare two of the same columns by number, which takes no time for the many empty sets."""
        if (
            not isinstance(other, SeparatingSets)
            or self._forbidden is not other._forbidden
            or self._positions != other._positions
            or self._copies != other._copies
        ):
            return super().__eq__(other)
        return self._near == other._near and self._not_empty() == other._not_empty()

    def _not_empty(self) -> dict[int, list[int]]:
        return {x: sorted(separator) for x, separator in self._separators.items() if separator and self._has(x)}

    def _has(self, column: int) -> bool:
        return column not in self._near and not self._is_forbidden(column)

    def _is_forbidden(self, column: int) -> bool:
        return self._forbidden is not None and column in self._forbidden

    def __repr__(self) -> str:
        return f"<SeparatingSets: {len(self):,} columns>"


@dataclass(frozen=True, kw_only=True)
class _TargetProvenance(Provenance):
    """How a result around one target was found.

    Attributes
    ----------
    search : str
        The search of neighbors that a method uses, or the method's own.
    symmetry : str
    max_given : int, None or "default"
    test : str
    options : mapping of str to value
        All further options of the search and of its test.
    bounded : int
        See ``Blanket``.
    """

    search: str = ""
    symmetry: str = ""
    max_given: int | str | None = None
    test: str = "sci"
    options: Mapping[str, Any] = field(default_factory=dict)
    bounded: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return how it was found."""
        return {
            "method": self.method,
            "search": self.search,
            "symmetry": self.symmetry,
            "max_given": self.max_given,
            "test": self.test,
            "options": dict(self.options),
            "bounded": self.bounded,
            **super().to_dict(),
        }


class ColliderEvidence(NamedTuple):
    """What shows that a neighbor is a parent or a child.

    Each column was separated from one end of the edge, and depends on it once the other end is given as well: so the
    other end is a common child.

    Attributes
    ----------
    columns : tuple
        Names.
    bits : float
        The largest of their dependences: bits for SCI, log2(α/p) for G² and X², bits of all rows beyond the cutoff for
        CMI, and the unit of a custom test.

    Examples
    --------
    >>> import climbfast as cf
    >>> blanket = cf.markov_blanket(cf.load_example().sample(2_000, seed=1), "heart_disease")
    >>> shown = blanket.evidence["fatigue"]
    >>> shown.columns, round(shown.bits)
    (('sleep',), 35)
    """

    columns: Names
    bits: float


@dataclass(frozen=True, repr=False)
class Blanket(_TargetProvenance):
    """The causal Markov blanket of one target. Names come sorted.

    Attributes
    ----------
    target : Hashable
    parents, children, spouses : tuple
    undecided : tuple
        Neighbors that are parents or children: those whose margin is below the ``min_margin`` asked for, and all
        neighbors that a method without directions finds.
    common_children : mapping of name to tuple of names
        For every spouse the children, or neighbors without directions, by which it was found; empty if the spouse was
        found only through a neighbor that is now a parent. Methods that find a blanket as a whole (gs, iamb) have none.
    margins : mapping of name to float
        For every neighbor whose side was weighed the bits lost when it alone changes between parent and child; empty
        without directions.
    evidence : mapping of name to ColliderEvidence
        For every neighbor whose side was seen, by collider evidence, what shows it.
    known : tuple
        Neighbors whose side was known beforehand: their edge is required, or its other direction is forbidden. They
        have neither margin nor evidence.
    contradicted : mapping of name to ColliderEvidence
        What the tests show against ``known``. For a neighbor on the other side of which collider evidence is, that
        evidence. For a neighbor that is one only because its edge is required, the set that separated it from the
        target as ``columns``, and as ``bits`` the strength given this set, which is not positive.
    spouse_strengths : mapping of name to float
        For every spouse its largest strength given a common child, in the units of ``strengths``; empty for gs and the
        iamb family.
    separating_sets : mapping of name to tuple of names
        For every column that a search of neighbors separated from the target the set that did it. Columns that
        knowledge says are no neighbors have none.
    strengths : mapping of name to float
        For every neighbor its weakest strength over the sets that were tried: bits for SCI, log10 α − log10 p for G²
        and X², bits per row minus the cutoff for CMI. It is not positive for one that is in ``contradicted`` because
        its edge is required.
    copies : mapping of name to tuple of names
        For the target and every member the columns that are equal to it up to the names of their levels. One column
        stands for all of them; data cannot tell which of them is the parent, child or spouse.
    frequencies : mapping of name to mapping of str to float
        From a bootstrap: for every column that was a member in some replicate, and every member, the share of the
        replicates in which it was one, as "found", and in which it was a "parent", a "child", "undecided" and a
        "spouse"; by name. Empty without one. A file in CSV has of these only "found" and the role of the members.
    unexplained : mapping of name to float
        Columns outside that depend on the target given all members, beyond chance: the bits by which they do, as in
        ``evidence``, the largest first. The blanket is incomplete by them. Columns that are independent of the target
        marginally, or that knowledge says are no neighbors, are not tested, and these tests do not count in ``tests``.
    rows_per_stratum : float
        Rows for each configuration of the members that occurs. With fewer than 10 the table is nearly empty, and what
        is unexplained was not looked for. 0 if that is not known, or no column was to be tested.
    determined_by : tuple
        The set that separated most of the unexplained columns from the target, if the target is nearly a function of
        it: the set leaves at most a tenth of its entropy. Given such a set nothing more can be seen.
    exact : bool
        Whether the partition into parents and children is proved to be the best one; True if no partition was made.
    gap : float
        Bits by which another partition could still be better; 0 when exact.
    method, search, symmetry, max_given, test, options
        How it was found. ``options`` has those without a field of their own: ``max_pool``, ``orient``, ``min_margin``,
        ``node_budget`` and the options of the test; none are known of a custom test. ``knowledge`` is what was known
        about the target and the members.
    bounded : int
        Number of neighbors for which the search around the target left out sets of given columns, see ``max_pool``;
        where a rule of symmetry has dropped neighbors, the most that it can be.
    tests, tests_by_size, skipped, rows, columns, fewest_rows, seconds, version
        Numbers of tests in all, by the number of given columns, and skipped for too few rows per degree of freedom, or
        for none; the size of the data; wall time, without that of loading kernels.
    data : Dataset or None
        The data that were searched, for ``report``; None for a result from a file or from another process. They are
        neither compared, nor written, nor pickled.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> blanket = cf.markov_blanket(data, "heart_disease")
    >>> blanket
    <Blanket of heart_disease: 2 parents, 4 children, 2 spouses; climb by sci>
    >>> blanket.children
    ('breathlessness', 'chest_pain', 'ecg', 'fatigue')
    >>> round(blanket.margins["ecg"], 1), round(blanket.strengths["ecg"], 1)
    (153.6, 166.9)
    >>> blanket.evidence["fatigue"].columns, round(blanket.evidence["fatigue"].bits, 1)
    (('sleep',), 34.6)
    """

    target: Hashable
    parents: Names = ()
    children: Names = ()
    spouses: Names = ()
    undecided: Names = ()
    common_children: Mapping[Hashable, Names] = field(default_factory=dict)
    margins: Mapping[Hashable, float] = field(default_factory=dict)
    evidence: Mapping[Hashable, ColliderEvidence] = field(default_factory=dict)
    known: Names = ()
    contradicted: Mapping[Hashable, ColliderEvidence] = field(default_factory=dict)
    spouse_strengths: Mapping[Hashable, float] = field(default_factory=dict)
    separating_sets: Mapping[Hashable, Names] = field(default_factory=dict)
    exact: bool = True
    gap: float = 0.0
    unexplained: Mapping[Hashable, float] = field(default_factory=dict)
    rows_per_stratum: float = 0.0
    determined_by: Names = ()
    strengths: Mapping[Hashable, float] = field(default_factory=dict)
    copies: Mapping[Hashable, Names] = field(default_factory=dict)
    frequencies: Mapping[Hashable, Mapping[str, float]] = field(default_factory=dict)

    @property
    def neighbors(self) -> Names:
        """Parents, children and undecided neighbors."""
        return sorted_by_name({*self.parents, *self.children, *self.undecided})

    @property
    def members(self) -> Names:
        """All that is in the blanket: neighbors and spouses."""
        return sorted_by_name({*self.neighbors, *self.spouses})

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists, numbers and mappings keyed by the text of a name, as they are written to JSON.

        Where two names have the same text, as 1 and "1", the keys are as Python writes them.
        The separating sets stay out: they name nearly every column outside the neighbors.
        """
        return {
            "target": self.target,
            "parents": list(self.parents),
            "children": list(self.children),
            "spouses": list(self.spouses),
            "undecided": list(self.undecided),
            "neighbors": list(self.neighbors),
            "common_children": {name: list(by) for name, by in by_text(self.common_children).items()},
            "margins": by_text(self.margins),
            "evidence": _plain(self.evidence),
            "known": list(self.known),
            "contradicted": _plain(self.contradicted),
            "strengths": by_text(self.strengths),
            "spouse_strengths": by_text(self.spouse_strengths),
            "copies": {name: list(others) for name, others in by_text(self.copies).items()},
            "frequencies": {name: dict(shares) for name, shares in by_text(self.frequencies).items()},
            "unexplained": by_text(self.unexplained),
            "rows_per_stratum": self.rows_per_stratum,
            "determined_by": list(self.determined_by),
            "exact": self.exact,
            "gap": self.gap,
            **super().to_dict(),
        }

    def to_networkx(self) -> networkx.DiGraph:
        """Return the directed graph of the blanket; an undecided neighbor has an edge in each direction.

        Raises
        ------
        GraphError
            If a column is named None, which no node of networkx is.
        """
        import networkx as nx

        _refuse_none((self.target, *self.members))
        graph = nx.DiGraph()
        graph.add_nodes_from((self.target, *self.members))
        graph.add_edges_from((parent, self.target) for parent in (*self.parents, *self.undecided))
        graph.add_edges_from((self.target, child) for child in (*self.children, *self.undecided))
        graph.add_edges_from(
            (spouse, child) for spouse in self.spouses for child in self.common_children.get(spouse, ())
        )
        return graph

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the blanket: parents to the left of the target, children to its right, spouses above and below it.

        The width of a line is the strength of the member, its shade the frequency, or else the margin. A filled head is
        a direction that is known, compelled or seen by a collider, an open one that a score chose; a line without a
        head leads to a neighbor that is a parent or a child. Of more than 60 columns the strongest are drawn.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            What is drawn on; by default the axes of a new figure of fitting size.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        MissingPackageError
            If the extra ``plots`` is not installed.

        Examples
        --------
        >>> import climbfast as cf
        >>> blanket = cf.markov_blanket(cf.load_example().sample(2000, seed=1), "heart_disease")
        >>> ax = blanket.plot()
        """
        from climbfast.plots import plot

        return plot(self, None, ax)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the blanket to a file.

        Parameters
        ----------
        path : str or path-like
            ``.svg``, ``.png`` and ``.pdf``: the picture that ``plot`` draws. ``.json``: what ``climbfast blanket
            --json`` prints. The file is replaced in one step. ``Blankets.save`` has formats that can be read again.

        Raises
        ------
        OptionError
            For another suffix, or a file that cannot be written.
        MissingPackageError
            For a picture, if the extra ``plots`` is not installed.

        Examples
        --------
        >>> import climbfast as cf
        >>> blanket = cf.markov_blanket(cf.load_example().sample(2000, seed=1), "heart_disease")
        >>> blanket.save("heart_disease.svg")
        """
        from climbfast.local.saving import save_blanket

        save_blanket(self, path)

    def report(self, path: str | os.PathLike[str], data: Any = None, *, title: str | None = None) -> None:
        """Write a page in HTML for readers who know the subject: one file, which loads nothing from elsewhere.

        It has the picture, the members in words with what speaks for each and their tables of counts as bars, why every
        other column is not a member, what was done to the data, and how to make the page again. It needs the extra
        ``report``.

        Parameters
        ----------
        path : str or path-like
            A file with the suffix ``.html`` or ``.htm``. It is replaced in one step.
        data : Dataset or frame, optional
            The data of the search. They are only needed for a result from a file or from another process.
        title : str, optional
            The heading of the page; by default it says what the page is about.

        Raises
        ------
        OptionError
            For another suffix, a file that cannot be written, a result without data, and data that are not those of
            the search.
        MissingPackageError
            If the extra ``report`` is not installed.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> import climbfast as cf
        >>> data = cf.load_example().sample(2000, seed=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = Path(folder) / "disease.html"
        ...     cf.markov_blanket(data, "heart_disease").report(page)
        ...     "What acts on heart_disease" in page.read_text()
        True
        """
        from climbfast.report.page import check_page, write_page
        from climbfast.report.target_page import target_page

        check_page(path)
        write_page(path, target_page(self, data, title=title))

    def __str__(self) -> str:
        roles = {"parents": self.parents, "children": self.children, "spouses": self.spouses}
        if self.undecided:
            roles["undecided"] = self.undecided
        members = (f"{role}: {self._listed(names, ROLES[role])}" for role, names in roles.items())
        text = f"{name_text(self.target)}: {'; '.join(members)}"
        if self.frequencies:
            text += " [share of the replicates with the member, and with it in this role]"
        if self.copies:
            text += f"; copies: {copies_text(self.copies)}"
        if self.unexplained:
            text += f"; unexplained: {unexplained_text(self)}"
        return f"{text}; {bounded_text(self.bounded, 'neighbor')}" if self.bounded else text

    def _listed(self, names: Names, role: str) -> str:
        """Return members of one role, with their frequencies."""

        def text(name: Hashable) -> str:
            shares = self.frequencies.get(name)
            if shares is None:
                return quoted_name(name)
            return f"{quoted_name(name)} [{shares['found']:.2f}, {shares.get(role, 0.0):.2f}]"

        return listing(names, each=text) or "none"

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.targets import blanket_html

        return blanket_html(self)

    def __repr__(self) -> str:
        counts = {"parent": self.parents, "child": self.children, "undecided": self.undecided, "spouse": self.spouses}
        found = ", ".join(_counted(len(names), role) for role, names in counts.items() if names) or "empty"
        return f"<Blanket of {name_text(self.target)}: {found}; {self.method} by {self.test}>"


def _plain(seen: Mapping[Hashable, ColliderEvidence]) -> dict[str, Any]:
    return {name: {"columns": list(each.columns), "bits": each.bits} for name, each in by_text(seen).items()}


_PLURALS = {"child": "children", "undecided": "undecided"}


def _counted(number: int, role: str) -> str:
    return f"{number:,} {role if number == 1 else _PLURALS.get(role, f'{role}s')}"


def unexplained_text(blanket: Blanket) -> str:
    """Return the first columns that the blanket leaves unexplained, with their bits, and how many more there are."""
    shown = [f"{quoted_name(name)} ({bits:,.1f} bits)" for name, bits in blanket.unexplained.items()]
    return listing(shown, limit=MOST_UNEXPLAINED_SHOWN, each=str)


def _some(names: Names) -> str:
    return listing(names, each=quoted_name) or "none"


def _refuse_none(names: Names) -> None:
    if None in names:
        raise GraphError("no node of networkx is None; give that column another name")


@dataclass(frozen=True, repr=False)
class NeighborSet(_TargetProvenance):
    """The parents and children of one target, not told apart. Names come sorted.

    Attributes
    ----------
    target : Hashable
    members : tuple
    strengths : mapping of name to float
        For every member its weakest strength over the sets that were tried: bits for SCI, log10 α − log10 p for G² and
        X², bits per row minus the cutoff for CMI. It is not positive for one that is a member only because knowledge
        requires its edge.
    separating_sets : mapping of name to tuple of names
        For every column that was separated from the target the set that did it. Columns that knowledge says are no
        neighbors have none.
    copies : mapping of name to tuple of names
        See ``Blanket``.
    method, search, symmetry, max_given, test, options, bounded
    tests, tests_by_size, skipped, rows, columns, fewest_rows, seconds, version, data
        How it was found, see ``Blanket``.

    Examples
    --------
    >>> import climbfast as cf
    >>> found = cf.neighbors(cf.load_example().sample(2_000, seed=1), "fatigue")
    >>> found.members
    ('heart_disease', 'sleep')
    >>> {name: round(bits) for name, bits in found.strengths.items()}
    {'heart_disease': 269, 'sleep': 191}
    >>> found.separating_sets["smoking"]
    ('heart_disease',)
    """

    target: Hashable
    members: Names = ()
    strengths: Mapping[Hashable, float] = field(default_factory=dict)
    separating_sets: Mapping[Hashable, Names] = field(default_factory=dict)
    copies: Mapping[Hashable, Names] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists, numbers and mappings keyed by the text of a name; the separating sets stay out."""
        return {
            "target": self.target,
            "neighbors": list(self.members),
            "strengths": by_text(self.strengths),
            "copies": {name: list(others) for name, others in by_text(self.copies).items()},
            **super().to_dict(),
        }

    def to_networkx(self) -> networkx.Graph:
        """Return the undirected star of the target and its neighbors, weighted by strength.

        Raises
        ------
        GraphError
            If a column is named None, which no node of networkx is.
        """
        import networkx as nx

        _refuse_none((self.target, *self.members))
        graph = nx.Graph()
        graph.add_node(self.target)
        graph.add_weighted_edges_from((self.target, x, strength) for x, strength in self.strengths.items())
        return graph

    def __str__(self) -> str:
        text = f"{name_text(self.target)}: neighbors: {_some(self.members)}"
        if self.copies:
            text += f"; copies: {copies_text(self.copies)}"
        return f"{text}; {bounded_text(self.bounded, 'neighbor')}" if self.bounded else text

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.targets import neighbor_set_html

        return neighbor_set_html(self)

    def __repr__(self) -> str:
        found = _counted(len(self.members), "neighbor")
        return f"<NeighborSet of {name_text(self.target)}: {found}; {self.method} by {self.test}>"
