"""Results of andrey as JSON: for each node its neighbors, and the marks that edges to them have at the node."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from climbfast.errors import GraphError
from climbfast.graphs.edge_list import GraphBuilder
from climbfast.graphs.graph import Graph
from climbfast.graphs.marks import CODES, Marks, edge_type

__all__ = ["from_andrey"]


def from_andrey(plain: dict[str, Any]) -> Graph:
    """Read a result that andrey saved.

    Raises
    ------
    GraphError
        For graphs over time, for parts that are not there, and for other marks than arrows and tails.
    """
    if plain.get("structure_type") != "graph":
        raise GraphError(f"it is a result of andrey of the type {plain.get('structure_type')!r:.60}, not a graph")
    try:
        names = plain["labels"] or list(range(plain["n_nodes"]))
        rows = list(pairwise(plain["indptr"]))
        mark_at = {
            (x, plain["indices"][i]): CODES[plain["marks"][i]]
            for x, (first, end) in enumerate(rows)
            for i in range(first, end)
        }
        found = GraphBuilder()
        for name in names:
            found.node(name)
        for x, y in sorted({(min(pair), max(pair)) for pair in mark_at}):
            place = f"the edge of {names[x]!r} and {names[y]!r}"
            found.edge(*edge_type(names[x], names[y], Marks(mark_at[x, y], mark_at[y, x]), place), place, {})
    except (KeyError, IndexError, TypeError):
        raise GraphError("it has structure_type, but not all that a result of andrey has") from None
    return found.graph()
