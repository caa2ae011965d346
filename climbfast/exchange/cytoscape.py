"""Graphs as JSON of Cytoscape and cytoscape.js, with what is known of the edges as data."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any

from climbfast.errors import GraphError
from climbfast.graphs.edge_list import JSON_NAME, GraphBuilder, encoded, name_of, texts_of
from climbfast.graphs.graph import Edge, Graph
from climbfast.graphs.marks import edge_type, marks_in

__all__ = ["cytoscape_text", "from_cytoscape", "is_cytoscape", "to_cytoscape"]


def to_cytoscape(graph: Graph) -> dict[str, Any]:
    """Return a graph as the JSON of Cytoscape, see ``Graph.to_cytoscape``."""
    texts = texts_of(graph)
    if "" in texts.values():
        raise GraphError("Cytoscape cannot have the empty name; rename the node")
    taken = set(texts.values())
    nodes = [{"data": _node_data(name, text)} for name, text in texts.items()]
    edges = []
    for number, edge in enumerate(graph.to_dict()["edges"]):
        identity = f"edge {number}"
        while identity in taken:  # ids of nodes and edges are of one kind
            identity += "'"
        ends = {"source": texts[edge["source"]], "target": texts[edge["target"]], "interaction": edge["type"]}
        edges.append({"data": {"id": identity, **edge, **ends}})
    return {"data": {"name": "climbfast"}, "elements": {"nodes": nodes, "edges": edges}}


def _node_data(name: Hashable, text: str) -> dict[str, str]:
    data = {"id": text, "name": text}
    return data if isinstance(name, str) else {**data, JSON_NAME: json.dumps(encoded(name))}


def cytoscape_text(graph: Graph) -> str:
    """Return a graph as a file of Cytoscape."""
    return json.dumps(to_cytoscape(graph), ensure_ascii=False, indent=1) + "\n"


def is_cytoscape(plain: Any) -> bool:
    """Whether what was read from JSON is a graph of Cytoscape: it has elements, or is a list of them."""
    if isinstance(plain, Mapping):
        return "elements" in plain
    return isinstance(plain, list) and all(isinstance(item, Mapping) and "data" in item for item in plain)


def from_cytoscape(graph: Mapping[str, Any] | list[Any] | str) -> Graph:
    """Read JSON of Cytoscape, see ``Graph.from_cytoscape``."""
    plain = _parsed(graph) if isinstance(graph, str) else graph
    if not is_cytoscape(plain):
        raise GraphError('a graph of Cytoscape is JSON with "elements", which are nodes and edges with "data"')
    elements = plain["elements"] if isinstance(plain, Mapping) else plain
    nodes, edges = _nodes_and_edges(elements)
    names: dict[str, Hashable] = {}
    found = GraphBuilder()
    for data in nodes:
        identity, name = _node(data)
        if identity in names or name in found.names:
            raise GraphError(f"the node {identity!r} occurs twice")
        names[identity] = name
        found.node(name)
    directed = plain.get("directed") if isinstance(plain, Mapping) else None
    _add_edges(found, edges, names, directed)
    return found.graph()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise GraphError(f"line {error.lineno}: {error.msg}") from None


def _nodes_and_edges(elements: Any) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    if isinstance(elements, Mapping):
        nodes, edges = elements.get("nodes", []), elements.get("edges", [])
        listed = [*nodes, *edges] if isinstance(nodes, list) and isinstance(edges, list) else [None]
    else:
        listed = elements if isinstance(elements, list) else [None]
    data = [item["data"] for item in listed if isinstance(item, Mapping) and isinstance(item.get("data"), Mapping)]
    if len(data) < len(listed):
        raise GraphError('"elements" are nodes and edges, each an object with "data"')
    return [part for part in data if "source" not in part], [part for part in data if "source" in part]


def _node(data: Mapping[str, Any]) -> tuple[str, Hashable]:
    identity = data.get("id")
    if not isinstance(identity, (str, int)):
        raise GraphError("a node has no id")
    if data.get("parent") not in (None, ""):
        raise GraphError(f"the node {str(identity)!r} is in the group {str(data['parent'])!r}; a graph has no groups")
    label = data.get("name")
    text = label if isinstance(label, str) and label else str(identity)
    return str(identity), name_of(text, data.get(JSON_NAME))


def _add_edges(
    found: GraphBuilder, edges: list[Mapping[str, Any]], names: Mapping[str, Hashable], directed: Any
) -> None:
    """Add the edges by their marks; those without marks are directed, or not, as the file says of all of them."""
    plain: dict[Edge, tuple[str, Mapping[str, Any]]] = {}
    order = {name: number for number, name in enumerate(names.values())}
    for number, data in enumerate(edges, start=1):
        ends = [names.get(str(data.get(end))) for end in ("source", "target")]
        place = f"edge {number}, from {str(data.get('source'))!r} to {str(data.get('target'))!r}"
        if None in ends:
            raise GraphError(f"{place}: an end is not among the nodes")
        marks = marks_in(data, place)
        if marks is not None:
            found.edge(*edge_type(ends[0], ends[1], marks, place), place, data)
        elif not isinstance(directed, bool):
            raise GraphError(f'{place}: nothing says whether it is directed; write "interaction": "directed"')
        elif (ends[0], ends[1]) in plain:
            raise GraphError(f"{place}: it occurs twice")
        else:
            plain[ends[0], ends[1]] = place, data
    for (x, y), (place, data) in plain.items():
        both_ways = bool(directed) and (y, x) in plain
        if both_ways and order[x] > order[y]:  # the other way round it was added, or will be
            continue
        found.edge(x, y, "directed" if directed and not both_ways else "undirected", place, data)
