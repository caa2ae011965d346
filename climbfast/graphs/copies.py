"""Copies in graphs: columns that are equal up to the names of their levels, of which one stands for all in a search.

No data can tell a column from its copy, nor the direction of an edge between the two. So a search sees one column of
each class, which has the edges to other columns; each other copy then gets one edge, to that column.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from climbfast.dataset import Dataset

__all__ = ["edges_between_copies", "with_copies"]

Edge = tuple[Hashable, Hashable]


def with_copies(
    found: Mapping[str, Any],
    data: Dataset,
    *,
    strength_of: Callable[[Hashable], float] | None = None,
    directed: bool = False,
) -> dict[str, Any]:
    """Add the copies to the graph of ``data.without_copies``.

    Parameters
    ----------
    found : mapping
        Fields of the graph by name: ``directed`` and ``undirected``, and any of ``separating_sets``, ``strengths``,
        ``margins`` and further ones, which stay as they are.
    data : Dataset
        All columns.
    strength_of : function of a name, optional
        The strength of the edge between the column of this name and its copy; without it no strength is added. If it is
        not above 0, the two have no edge: an empty set separates them.
    directed : bool
        Whether edges are directed to the copies, by convention; by default they are undirected.

    Returns
    -------
    dict
        The fields for ``Graph``, with ``names``, sorted, and ``copies``.
    """
    fields = {**found, "names": data.sorted_names, "copies": data.copies}
    kind = "directed" if directed else "undirected"
    fields[kind] = [*found.get(kind, ())]
    # Copies separate each other from the neighbors of the class; most pairs of many columns are not worth a line.
    separating = dict(found.get("separating_sets", {}))
    strengths = dict(found.get("strengths", {}))
    neighbors = _neighbors(found) if separating else {}
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
    return {**fields, "separating_sets": separating, "strengths": strengths}


def edges_between_copies(edges: Iterable[Edge], data: Dataset) -> list[Edge]:
    """Return the edges whose ends are copies of each other."""
    return [(x, y) for x, y in edges if y in data.copies.get(x, ())]


def _neighbors(found: Mapping[str, Any]) -> dict[Hashable, list[Hashable]]:
    neighbors: dict[Hashable, list[Hashable]] = {}
    for x, y in (*found.get("directed", ()), *found.get("undirected", ())):
        neighbors.setdefault(x, []).append(y)
        neighbors.setdefault(y, []).append(x)
    return neighbors
