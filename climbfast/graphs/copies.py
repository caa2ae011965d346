"""Copies in graphs: columns that are equal up to the names of their levels, of which one stands for all in a search.

No data can tell a column from its copy, nor the direction of an edge between the two. So a search sees one column of
each class, which has the edges to other columns; each other copy then gets one edge, to that column.

With knowledge that edge has the direction that is allowed, and a copy also has the edges that are required.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from climbfast.dataset import Dataset
from climbfast.graphs.graph import edges_by_name
from climbfast.graphs.pdag import PDAG, Arc
from climbfast.graphs.separating_sets import SeparatingSets
from climbfast.knowledge import AllowedArcs, Knowledge

__all__ = ["edges_between_copies", "with_copies"]

Edge = tuple[Hashable, Hashable]


def with_copies(
    found: Mapping[str, Any],
    data: Dataset,
    *,
    strength_of: Callable[[Hashable], float] | None = None,
    directed: bool = False,
    known: Knowledge | None = None,
) -> dict[str, Any]:
    """Add the copies to the graph of ``data.without_copies``.

    Parameters
    ----------
    found : mapping
        Fields of the graph by name: ``directed`` and ``undirected``, and any of ``separating_sets``, ``strengths``,
        ``margins`` and further ones, which stay as they are. With knowledge it obeys that of the columns searched.
    data : Dataset
        All columns.
    strength_of : function of a name, optional
        The strength of the edge between the column of this name and its copy; without it no strength is added. If it is
        not above 0, the two have no edge: an empty set separates them.
    directed : bool
        Whether edges are directed to the copies, by convention; by default they are undirected.
    known : Knowledge or None
        The edge between two copies has the direction that knowledge allows, if it is one, and is omitted if both are
        forbidden. Required edges of copies are added. Where they form a cycle with edges that are not required, the
        weakest of these is left out, and is among ``contradicted``.

    Returns
    -------
    dict
        The fields for ``Graph``, with ``names``, sorted, and ``copies``.
    """
    if known is not None:
        return _with_known_copies(found, data, known, strength_of, directed=directed)
    fields = {**found, "names": data.sorted_names, "copies": data.copies}
    kind = "directed" if directed else "undirected"
    fields[kind] = [*found.get(kind, ())]
    # Copies separate each other from the neighbors of the class; most pairs of many columns are not worth a line.
    before, separating = found.get("separating_sets", {}), dict[Edge, tuple[Hashable, ...]]()
    strengths = dict(found.get("strengths", {}))
    neighbors = _neighbors(found) if before else {}
    for copy, name in data.represented.items():
        if copy == name:
            continue
        separating |= {(copy, y): (name,) for y in neighbors.get(name, ())}
        strength = None if strength_of is None else strength_of(name)
        if strength is not None and strength <= 0:
            separating[name, copy] = ()
            continue
        fields[kind].append((name, copy))
        if strength is not None:
            strengths[name, copy] = strength
    is_lazy = isinstance(before, SeparatingSets)
    both = before.extended(fields["names"], separating) if is_lazy else {**before, **separating}
    return {**fields, "separating_sets": both, "strengths": strengths}


def edges_between_copies(edges: Iterable[Edge], data: Dataset) -> list[Edge]:
    """Return the edges whose ends are copies of each other."""
    return [(x, y) for x, y in edges if y in data.copies.get(x, ())]


def _with_known_copies(
    found: Mapping[str, Any],
    data: Dataset,
    known: Knowledge,
    strength_of: Callable[[Hashable], float] | None,
    *,
    directed: bool,
) -> dict[str, Any]:
    """Add the copies to a graph as knowledge allows."""
    name = data.sorted_names
    number = {x: i for i, x in enumerate(name)}
    drawn = _Drawn(found, number, known.allowed_arcs(name))
    searched = dict(sorted((number[copy], number[x]) for copy, x in data.represented.items() if copy != x))
    bits = {} if strength_of is None else {copy: strength_of(name[x]) for copy, x in searched.items()}
    drawn.add_required(searched, bits)
    for copy, x in searched.items():
        if bits.get(copy, 1.0) > 0:
            drawn.join(x, copy, bits.get(copy), directed=directed)
    separating = dict(found.get("separating_sets", {}))
    if separating:
        neighbors = _neighbors(found)
        for copy, x in searched.items():
            near = [y for y in neighbors.get(name[x], ()) if number[y] not in drawn.pdag.adjacent[copy]]
            separating |= {(name[copy], y): (name[x],) for y in near}
            if bits.get(copy, 1.0) <= 0 and x not in drawn.pdag.adjacent[copy]:
                separating[name[x], name[copy]] = ()
    return {**drawn.fields(name), "names": name, "copies": data.copies, "separating_sets": separating}


class _Drawn:
    """A graph of all columns by number, to which the edges of copies are added one by one."""

    def __init__(self, found: Mapping[str, Any], number: Mapping[Hashable, int], allowed: AllowedArcs) -> None:
        def numbered(edges: Iterable[Edge]) -> list[Arc]:
            return [(number[x], number[y]) for x, y in edges]

        self._found, self._number, self._allowed = found, number, allowed
        self.pdag = PDAG(len(number), numbered(found.get("directed", ())), numbered(found.get("undirected", ())))
        self._strengths: dict[Arc, float] = {}
        self._reasons: dict[Arc, str] = {}
        self._contradicted: dict[Arc, float] = {}
        self._with_required: set[int] = set()

    def add_required(self, searched: Mapping[int, int], bits: Mapping[int, float]) -> None:
        """Add the required edges of copies, and leave out what forms a cycle with them."""
        arcs = [arc for arc in sorted(self._allowed.required) if not searched.keys().isdisjoint(arc)]
        for x, y in arcs:
            self.pdag.add_arc(x, y)
            self._with_required |= {x, y}
            self._reasons[x, y] = "known"
            copies = [end for end in (x, y) if searched.get(end) == x + y - end and end in bits]
            if copies:
                self._strengths[x, y] = bits[copies[0]]
            if copies and bits[copies[0]] <= 0:
                self._contradicted[x, y] = bits[copies[0]]
        strengths = self._by_number("strengths") if arcs else {}
        while arcs and (on_cycles := self.pdag.arcs_on_cycles() - self._allowed.required):
            weakest = min(on_cycles, key=lambda arc: (strengths.get(arc, 0.0), arc))
            self.pdag.remove(*weakest)
            self._contradicted[weakest] = strengths.get(weakest, 0.0)

    def join(self, x: int, copy: int, strength: float | None, *, directed: bool) -> None:
        """Add the edge between a column and its copy."""
        possible = [arc for arc in ((x, copy), (copy, x)) if self._allowed.allows(*arc)]
        if not possible or copy in self.pdag.adjacent[x]:
            return
        # A copy without required edges has no other edge, so none of its own closes a cycle.
        open_ways = possible
        if copy in self._with_required:
            open_ways = [(a, b) for a, b in possible if not self.pdag.has_directed_path(b, a)]
        if not open_ways:
            self._contradicted[possible[0]] = strength or 0.0
            return
        if len(possible) == 2 and len(open_ways) == 2 and not directed:
            self.pdag.add_undirected_edge(x, copy)
        else:
            self.pdag.add_arc(*open_ways[0])
        if len(possible) == 1 or len(open_ways) == 1:
            self._reasons[open_ways[0]] = "known" if len(possible) == 1 else "compelled"
        if strength is not None:
            self._strengths[open_ways[0]] = strength

    def fields(self, name: Sequence[Hashable]) -> dict[str, Any]:
        """Return the fields of the graph by name."""
        edges = edges_by_name(name, self.pdag)
        fields: dict[str, Any] = {**self._found, **edges}
        added: dict[str, Mapping[Arc, Any]] = {
            "strengths": self._strengths,
            "reasons": self._reasons,
            "contradicted": self._contradicted,
        }
        left = {frozenset(edge) for each in edges.values() for edge in each}
        for field in ("strengths", "margins", "reasons", "votes"):
            given = self._found.get(field, {})
            kept = {edge: value for edge, value in given.items() if frozenset(edge) in left}
            if kept or field in self._found or added.get(field):
                fields[field] = kept
        for field, values in added.items():
            named = {(name[x], name[y]): value for (x, y), value in values.items()}
            if named:
                fields[field] = {**fields.get(field, {}), **named}
        return fields

    def _by_number(self, field: str) -> dict[Arc, Any]:
        """Return what the graph has for each edge, in both orders of its ends."""
        given = [((self._number[x], self._number[y]), value) for (x, y), value in self._found.get(field, {}).items()]
        return {**{(y, x): value for (x, y), value in given}, **dict(given)}


def _neighbors(found: Mapping[str, Any]) -> dict[Hashable, list[Hashable]]:
    neighbors: dict[Hashable, list[Hashable]] = {}
    for x, y in (*found.get("directed", ()), *found.get("undirected", ())):
        neighbors.setdefault(x, []).append(y)
        neighbors.setdefault(y, []).append(x)
    return neighbors
