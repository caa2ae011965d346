"""Graphs of pgmpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from climbfast.errors import GraphError
from climbfast.extras import require
from climbfast.graphs.graph import Graph

if TYPE_CHECKING:
    from pgmpy.base import DAG, PDAG

__all__ = ["from_pgmpy", "to_pgmpy"]

_WHAT = "a graph of pgmpy"


def to_pgmpy(graph: Graph) -> DAG | PDAG:
    """Return a graph for pgmpy, see ``Graph.to_pgmpy``."""
    require("pgmpy", "exchange", _WHAT)
    from pgmpy.base import DAG, PDAG

    found = DAG() if graph.is_dag else PDAG()
    found.add_nodes_from(graph.names)  # before the edges, which a PDAG would take from a set: the order of names stays
    found.add_edges_from([*graph.directed, *graph.undirected, *((y, x) for x, y in graph.undirected)])
    if not graph.is_dag:
        found.directed_edges, found.undirected_edges = set(graph.directed), set(graph.undirected)
    return found


def from_pgmpy(model: Any) -> Graph:
    """Return the graph of a model of pgmpy, see ``Graph.from_pgmpy``."""
    require("pgmpy", "exchange", _WHAT)
    from pgmpy.base import PDAG

    if isinstance(model, PDAG):
        return Graph(tuple(model.nodes), tuple(model.directed_edges), tuple(model.undirected_edges))
    if not (hasattr(model, "is_directed") and hasattr(model, "edges")):
        raise GraphError(f"{type(model).__name__} is not a graph of pgmpy; pass a DAG, a PDAG or a Bayesian network")
    return Graph.from_networkx(model)
