"""The graph that DoWhy takes: a directed graph of NetworkX with nothing but nodes and edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from climbfast.errors import GraphError
from climbfast.graphs.graph import Graph
from climbfast.names import listing

if TYPE_CHECKING:
    import networkx

__all__ = ["to_dowhy"]


def to_dowhy(graph: Graph) -> networkx.DiGraph:
    """Return a DAG for DoWhy, see ``Graph.to_dowhy``."""
    import networkx as nx

    if not graph.is_acyclic:
        raise GraphError("DoWhy takes a DAG; the directed edges of this graph form a cycle")
    if graph.undirected:
        raise GraphError(
            f"DoWhy takes a DAG, and {listing(graph.undirected, limit=3)} are undirected; direct them by the data with "
            "orient, or in any way with to_dag()"
        )
    found = nx.DiGraph()
    found.add_nodes_from(graph.names)
    found.add_edges_from(graph.directed)
    return found
