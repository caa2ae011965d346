"""The results of a search around one target."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from climbfast.errors import GraphError
from climbfast.names import by_text, canonical_key, listing, quoted, shown
from climbfast.provenance import Provenance

if TYPE_CHECKING:
    import networkx

__all__ = ["Blanket", "NeighborSet", "SeparatingSets"]

Names = tuple[Hashable, ...]


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
    """

    def __init__(
        self, positions: Mapping[Hashable, int], near: Collection[int], separators: Mapping[int, tuple[int, ...]]
    ) -> None:
        self._positions, self._near, self._separators = positions, frozenset(near), separators

    def __getitem__(self, name: Hashable) -> Names:
        column = self._positions[name]
        if column in self._near:
            raise KeyError(name)
        separator = self._separators.get(column)
        if not separator:
            return ()
        names = tuple(self._positions)
        return tuple(names[z] for z in separator)

    def __iter__(self) -> Iterator[Hashable]:
        return (name for name, column in self._positions.items() if column not in self._near)

    def __len__(self) -> int:
        return len(self._positions) - len(self._near)

    def __repr__(self) -> str:
        return f"<SeparatingSets: {len(self):,} columns>"


@dataclass(frozen=True, kw_only=True)
class _TargetProvenance(Provenance):
    """How a result around one target was found.

    Attributes
    ----------
    search : str
        The search of neighbors that a method stands on, or the method's own.
    symmetry : str
    max_given : int, None or "default"
    test : str
    options : mapping of str to value
        All further options of the search and of its test.
    """

    search: str = ""
    symmetry: str = ""
    max_given: int | str | None = None
    test: str = "sci"
    options: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return how it was found."""
        return {
            "method": self.method,
            "search": self.search,
            "symmetry": self.symmetry,
            "max_given": self.max_given,
            "test": self.test,
            "options": dict(self.options),
            **super().to_dict(),
        }


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
        For every spouse the children, or neighbors without directions, by which it was found; none for a spouse that
        only a neighbor on the side of the parents shows, and for methods that find a blanket as a whole (gs, iamb).
    margins : mapping of name to float
        For every neighbor the bits lost when it alone changes side; empty without directions.
    spouse_strengths : mapping of name to float
        For every spouse its largest strength given a common child; empty for gs and the iamb family.
    separating_sets : mapping of name to tuple of names
        For every column that a search of neighbors separated from the target the set that did it.
    strengths : mapping of name to float
        For every neighbor its weakest strength over the sets that were tried.
    exact : bool
        Whether the partition into parents and children is proved to be the best one; True where none was asked for.
    gap : float
        Bits by which another partition could still be better; 0 when exact.
    method, search, symmetry, max_given, test, options
        How it was found. ``options`` has those without a field of their own: ``orient``, ``min_margin``,
        ``node_budget`` and the options of the test; none are known of a custom test.
    tests, tests_by_size, skipped, rows, columns, seconds, version
        Numbers of tests in all, by the number of given columns, and skipped for too few rows per degree of freedom; the
        size of the data; wall time, in a first call with that of loading the kernels.
    """

    target: Hashable
    parents: Names = ()
    children: Names = ()
    spouses: Names = ()
    undecided: Names = ()
    common_children: Mapping[Hashable, Names] = field(default_factory=dict)
    margins: Mapping[Hashable, float] = field(default_factory=dict)
    spouse_strengths: Mapping[Hashable, float] = field(default_factory=dict)
    separating_sets: Mapping[Hashable, Names] = field(default_factory=dict)
    exact: bool = True
    gap: float = 0.0
    strengths: Mapping[Hashable, float] = field(default_factory=dict)

    @property
    def neighbors(self) -> Names:
        """Parents, children and undecided neighbors."""
        return _sorted({*self.parents, *self.children, *self.undecided})

    @property
    def members(self) -> Names:
        """All that is in the blanket: neighbors and spouses."""
        return _sorted({*self.neighbors, *self.spouses})

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
            "strengths": by_text(self.strengths),
            "spouse_strengths": by_text(self.spouse_strengths),
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

    def __str__(self) -> str:
        roles = {"parents": self.parents, "children": self.children, "spouses": self.spouses}
        if self.undecided:
            roles["undecided"] = self.undecided
        return f"{shown(self.target)}: " + "; ".join(f"{role}: {_some(names)}" for role, names in roles.items())

    def __repr__(self) -> str:
        counts = {"parent": self.parents, "child": self.children, "undecided": self.undecided, "spouse": self.spouses}
        found = ", ".join(_counted(len(names), role) for role, names in counts.items() if names) or "empty"
        return f"<Blanket of {shown(self.target)}: {found}; {self.method} by {self.test}>"


_PLURALS = {"child": "children", "undecided": "undecided"}


def _counted(number: int, role: str) -> str:
    return f"{number:,} {role if number == 1 else _PLURALS.get(role, f'{role}s')}"


def _some(names: Names) -> str:
    return listing(names, each=quoted) or "none"


def _refuse_none(names: Names) -> None:
    if None in names:
        raise GraphError("no node of networkx is None; give that column another name")


def _sorted(names: set[Hashable]) -> Names:
    return tuple(sorted(names, key=canonical_key))


@dataclass(frozen=True, repr=False)
class NeighborSet(_TargetProvenance):
    """The parents and children of one target, not told apart. Names come sorted.

    Attributes
    ----------
    target : Hashable
    members : tuple
    strengths : mapping of name to float
        For every member its weakest strength over the sets that were tried.
    separating_sets : mapping of name to tuple of names
        For every column that was separated from the target the set that did it.
    method, search, symmetry, max_given, test, options, tests, tests_by_size, skipped, rows, columns, seconds, version
        How it was found, see ``Blanket``.
    """

    target: Hashable
    members: Names = ()
    strengths: Mapping[Hashable, float] = field(default_factory=dict)
    separating_sets: Mapping[Hashable, Names] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists, numbers and mappings keyed by the text of a name; the separating sets stay out."""
        return {
            "target": self.target,
            "neighbors": list(self.members),
            "strengths": by_text(self.strengths),
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
        return f"{shown(self.target)}: neighbors: {_some(self.members)}"

    def __repr__(self) -> str:
        found = _counted(len(self.members), "neighbor")
        return f"<NeighborSet of {shown(self.target)}: {found}; {self.method} by {self.test}>"
