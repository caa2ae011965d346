"""Graphs of causal-learn."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from climbfast.errors import GraphError
from climbfast.exchange.named import names_of_nodes
from climbfast.extras import require
from climbfast.graphs.edge_list import GraphBuilder, texts_of
from climbfast.graphs.graph import Graph
from climbfast.graphs.marks import Marks, edge_type, mark_of

if TYPE_CHECKING:
    from causallearn.graph.GeneralGraph import GeneralGraph

__all__ = ["from_causal_learn", "to_causal_learn"]


def to_causal_learn(graph: Graph) -> GeneralGraph:
    """Return a graph for causal-learn, see ``Graph.to_causal_learn``."""
    require("causallearn", "exchange", "a graph of causal-learn")
    from causallearn.graph.Edge import Edge
    from causallearn.graph.Endpoint import Endpoint
    from causallearn.graph.GeneralGraph import GeneralGraph
    from causallearn.graph.GraphNode import GraphNode

    nodes = {name: GraphNode(text) for name, text in texts_of(graph).items()}
    found = GeneralGraph(list(nodes.values()))
    for x, y in graph.directed:
        found.add_edge(Edge(nodes[x], nodes[y], Endpoint.TAIL, Endpoint.ARROW))
    for x, y in graph.undirected:
        found.add_edge(Edge(nodes[x], nodes[y], Endpoint.TAIL, Endpoint.TAIL))
    return found


def _graph_of(result: Any) -> Any:
    """Return the graph of what a search of causal-learn returns: ges a mapping, fci a tuple, pc an object."""
    if isinstance(result, Mapping):
        return result.get("G")
    if isinstance(result, tuple) and result:
        return result[0]
    return getattr(result, "G", result)


def from_causal_learn(result: Any, names: Sequence[Hashable] | None) -> Graph:
    """Return the graph of a result of causal-learn, see ``Graph.from_causal_learn``."""
    graph = _graph_of(result)
    if not hasattr(graph, "get_graph_edges"):
        raise GraphError(f"{type(result).__name__} is not a graph of causal-learn; pass a GeneralGraph, or a result")
    nodes = graph.get_nodes()
    name_of = dict(zip(nodes, names_of_nodes([node.get_name() for node in nodes], names), strict=True))
    found = GraphBuilder()
    for name in name_of.values():
        found.node(name)
    for edge in graph.get_graph_edges():
        x, y = name_of[edge.get_node1()], name_of[edge.get_node2()]
        place = f"the edge of {x!r} and {y!r}"
        marks = Marks(mark_of(edge.get_endpoint1().name), mark_of(edge.get_endpoint2().name))
        found.edge(*edge_type(x, y, marks, place), place, {})
    return found.graph()
