"""Adjacency matrices of pcalg, an R package.

Its documentation (``amatType``) has two codings. amat.cpdag: [i, j] is 1 where the edge of i and j has an arrowhead at
i, or is undirected. amat.pag: [i, j] is the mark at j: 1 a circle, 2 an arrowhead, 3 a tail.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from climbfast.errors import GraphError, Option, OptionError
from climbfast.exchange.named import names_of_nodes
from climbfast.graphs.edge_list import GraphBuilder
from climbfast.graphs.graph import Graph
from climbfast.graphs.marks import Marks, edge_type

__all__ = ["CODINGS", "from_pcalg", "to_pcalg"]

CODINGS = ("cpdag", "pag")
_MARKS_OF_PAG = {1: "circle", 2: "arrow", 3: "tail"}


def to_pcalg(graph: Graph) -> NDArray[np.int64]:
    """Return the matrix of type amat.cpdag, see ``Graph.to_pcalg``."""
    return graph.pdag.to_adjacency().T.astype(np.int64)


def from_pcalg(matrix: ArrayLike, names: Sequence[Hashable] | None, coding: str) -> Graph:
    """Read a matrix of pcalg, see ``Graph.from_pcalg``."""
    if coding not in CODINGS:
        raise OptionError(Option("coding", coding), f" does not exist; use one of {', '.join(map(repr, CODINGS))}")
    if names is None:
        names = getattr(matrix, "columns", None)
    if names is None:
        raise GraphError("the matrix has no names of nodes; give them as ", Option("names", Ellipsis))
    array = np.asarray(matrix)
    if array.shape != (len(names), len(names)):
        raise GraphError(f"the matrix has shape {array.shape}; for {len(names):,} names it is {(len(names),) * 2}")
    if coding == "pag":
        return _from_pag(array, names_of_nodes(list(names), None))
    if np.isin(array, (0, 1, 2, 3)).all() and (array > 1).any():
        raise GraphError("the matrix has 2 or 3, which are marks of amat.pag; read it with ", Option("coding", "pag"))
    return Graph.from_adjacency(list(names), array.T)


def _from_pag(array: NDArray[np.generic], names: Sequence[Hashable]) -> Graph:
    if not np.isin(array, (0, *_MARKS_OF_PAG)).all():
        raise GraphError("the matrix has values other than 0, 1, 2 and 3; amat.pag has no others")
    found = GraphBuilder()
    for name in names:
        found.node(name)
    for i, j in np.argwhere((array != 0) | (array.T != 0)).tolist():
        if i > j:
            continue
        place = f"the edge of {names[i]!r} and {names[j]!r}"
        if array[i, j] == 0 or array[j, i] == 0:
            raise GraphError(f"{place} has a mark at one end only")
        marks = Marks(_MARKS_OF_PAG[int(array[j, i])], _MARKS_OF_PAG[int(array[i, j])])
        found.edge(*edge_type(names[i], names[j], marks, place), place, {})
    return found.graph()
