"""A graph from one of NetworkX, in which the marks of an edge may be stated by its attributes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from climbfast.errors import GraphError
from climbfast.graphs.graph import Edge, Graph, edge_figures
from climbfast.graphs.marks import EdgeType, edge_type, marks_at, marks_in

if TYPE_CHECKING:
    import networkx

__all__ = ["from_networkx"]

_PLAIN = "plain"  # of an edge that states no marks: two of them, both ways, are one undirected edge


def from_networkx(graph: networkx.Graph, attributes: Mapping[str, Any]) -> Graph:
    """Read a graph, see ``Graph.from_networkx``."""
    names = tuple(graph.nodes)
    by_pair: dict[frozenset[Hashable], list[EdgeType]] = {}
    data_of: dict[Edge, dict[Any, Any]] = {}
    for edge, data in _edges(graph):
        by_pair.setdefault(frozenset(edge[:2]), []).append(edge)
        data_of.setdefault((edge.source, edge.target), {}).update(data)
    edges: dict[str, list[Edge]] = {"directed": [], "undirected": []}
    found: dict[str, dict[Edge, Any]] = {}
    for same_pair in by_pair.values():
        x, y, kind = _one_of(same_pair)
        edges[kind].append((x, y))
        data = data_of.get((y, x), {}) | data_of.get((x, y), {})
        for figure, value in edge_figures(data, is_directed=kind == "directed").items():
            found.setdefault(figure, {})[x, y] = value
    return Graph(names, **edges, **{**found, **attributes})  # type: ignore[arg-type]  # which makes tuples of lists


def _edges(graph: networkx.Graph) -> Iterator[tuple[EdgeType, dict[Any, Any]]]:
    """Yield the edges with their attributes; the kind is that of the marks, or ``_PLAIN``."""
    for x, y, data in graph.edges(data=True):
        place = f"the edge of {x!r} and {y!r}"
        marks = marks_at(data, x, y, place)  # pgmpy's, which say which node each belongs to
        has_order = graph.is_directed() or marks is not None
        marks = marks or marks_in(data, place)
        if marks is None:
            yield EdgeType(x, y, _PLAIN if graph.is_directed() else "undirected"), data
            continue
        edge = edge_type(x, y, marks, place)
        if edge.kind == "directed" and not has_order:
            raise GraphError(f"{place} is directed, but an undirected graph of NetworkX has no order; take a DiGraph")
        yield edge, data


def _one_of(edges: list[EdgeType]) -> EdgeType:
    """Return the edge that all edges between two nodes are together."""
    first = edges[0]
    plain = {(x, y) for x, y, kind in edges if kind == _PLAIN}
    stated = {frozenset((x, y)) if kind == "undirected" else (x, y) for x, y, kind in edges if kind != _PLAIN}
    if not stated:
        return first._replace(kind="undirected" if len(plain) == 2 else "directed")
    undirected = frozenset(first[:2]) in stated
    if len(stated) > 1 or not (undirected or plain <= stated):
        raise GraphError(f"{first.source!r} and {first.target!r} have edges that differ; write one of them")
    return next(edge for edge in edges if edge.kind != _PLAIN)
