"""Graphs as GraphML.

It has its own reader, because that of NetworkX omits the graphs inside of nodes and reads no edge that differs from
``edgedefault``.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from climbfast.errors import GraphError
from climbfast.graphs.edge_list import JSON_NAME, GraphBuilder, encoded, name_of, texts_of
from climbfast.graphs.graph import Graph
from climbfast.graphs.marks import Marks, edge_type, marks_in
from climbfast.names import name_text

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["from_graphml", "graphml", "parsed_xml"]

_NUMBER = re.compile("n?[0-9]+")
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def graphml(graph: Graph) -> bytes:
    """Return a graph as GraphML, in which an undirected edge is two edges, both ways."""
    import networkx as nx

    texts = texts_of(graph)
    for text in texts.values():
        if _NOT_IN_XML.search(text):
            raise GraphError(f"the name {text!r} has characters that XML forbids; take .json, .csv or .dot")
    written = nx.relabel_nodes(graph.to_networkx(), texts)
    for name, text in texts.items():
        if not isinstance(name, str):
            written.nodes[text][JSON_NAME] = json.dumps(encoded(name))
    out = io.BytesIO()
    nx.write_graphml_xml(written, out)
    return out.getvalue()


def from_graphml(content: bytes) -> Graph:
    """Read a graph; edges both ways of a directed graph are one undirected edge.

    Raises
    ------
    GraphError
        For what is not GraphML, entities, several graphs or graphs inside of nodes, hyperedges, and edges with other
        marks than those of a directed or an undirected edge.
    """
    root = parsed_xml(content)
    outer = _graph_in(root)
    keys = _keys(root)
    names = _names(outer, keys)
    found = GraphBuilder()
    for name in names.values():
        found.node(name)
    if len(found.names) < len(names):
        raise GraphError(f"two nodes have the same {JSON_NAME}")
    for edge in _joined(_edges(outer, keys)):
        source, target = (names.setdefault(end, end) for end in (edge.source, edge.target))
        found.edge(source, target, edge.kind, edge.place, edge.data)
    return found.graph()


def parsed_xml(content: bytes) -> Element:
    """Return the root of an XML file; refuse entities before they are expanded.

    Raises
    ------
    GraphError
        The message names the line.
    """
    from xml.etree.ElementTree import ParseError, fromstring
    from xml.parsers.expat import ExpatError, ParserCreate

    # Declarations of entities come before their use: nothing is expanded before it is refused.
    check = ParserCreate()
    check.EntityDeclHandler = _refuse_entity
    try:
        check.Parse(content, True)
        return fromstring(content)
    except (ParseError, ExpatError) as error:
        line = error.position[0] if isinstance(error, ParseError) else error.lineno
        raise GraphError(f"line {line}: not XML ({name_text(error)})") from None
    except GraphError:
        raise
    except (LookupError, ValueError) as error:  # of an encoding that Python does not have
        raise GraphError(f"not XML: {name_text(error)}") from None


def _refuse_entity(name: str, *_: object) -> NoReturn:
    raise GraphError(f"it declares the entity {name!r:.60}; a graph needs none: write what it stands for")


def _local(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def _graph_in(root: Element) -> Element:
    """Return the only graph; refuse nodes and edges that are in another place."""
    if _local(root) != "graphml":
        raise GraphError(f"not GraphML: it begins with {_local(root)!r:.60}")
    graphs = root.findall("{*}graph")
    if len(graphs) != 1:
        raise GraphError(f"it has {len(graphs)} graphs; a file may have one")
    for node in graphs[0].iterfind(".//{*}node"):
        if node.find("{*}graph") is not None:
            raise GraphError(f"the node {node.get('id')!r} holds a graph; write its nodes and edges without groups")
    space = graphs[0].tag.removesuffix("graph")
    for kind in ("graph", "node", "edge", "hyperedge"):
        direct = 0 if kind == "hyperedge" else 1 if kind == "graph" else len(graphs[0].findall(space + kind))
        if sum(1 for _ in root.iter(space + kind)) > direct:
            raise GraphError(f"it has a {kind} in a place where none is read; nodes and edges are in one graph")
    return graphs[0]


class _Key(NamedTuple):
    name: str
    of_edges: bool
    default: str | None


def _keys(root: Element) -> dict[str | None, _Key]:
    found = {}
    for key in root.iterfind("{*}key"):
        name = key.get("attr.name") or key.get("yfiles.type") or key.get("id") or ""
        found[key.get("id")] = _Key(name, key.get("for") in ("edge", "all", None), key.findtext("{*}default"))
    return found


def _data(element: Element, keys: dict[str | None, _Key]) -> dict[str, str]:
    """Return the texts of an element by the names of their keys."""
    found = {}
    for data in element.iterfind("{*}data"):
        if data.get("key") not in keys:
            raise GraphError(f"data has the key {data.get('key')!r:.60}, which is not declared")
        found[keys[data.get("key")].name] = data.text or ""
    return found


def _names(outer: Element, keys: dict[str | None, _Key]) -> dict[str, Hashable]:
    """Return the name of each node by its id.

    It is the id, unless all ids are numbers, as those of igraph and yEd, and all nodes have names or labels, which all
    differ.
    """
    names: dict[str, Hashable] = {}
    labels: list[str | None] = []
    for node in outer.iterfind("{*}node"):
        text = node.get("id")
        if text is None:
            raise GraphError("a node has no id")
        if text in names:
            raise GraphError(f"the node {text!r} occurs twice")
        data = _data(node, keys)
        names[text] = name_of(text, data.get(JSON_NAME))
        labels.append(data.get("name") or data.get("label") or node.findtext("{*}data//{*}NodeLabel"))
    are_names = None not in labels and len(set(labels)) == len(labels) and all(map(_NUMBER.fullmatch, names))
    return dict(zip(names, labels, strict=True)) if are_names else names


class _FileEdge(NamedTuple):
    """An edge by the ids of its nodes; ``is_plain`` if nothing but its order says that it is directed."""

    source: str
    target: str
    kind: str
    is_plain: bool
    place: str
    data: dict[str, str]


def _edges(outer: Element, keys: dict[str | None, _Key]) -> Iterator[_FileEdge]:
    defaults = {key.name: key.default for key in keys.values() if key.of_edges and key.default is not None}
    for number, edge in enumerate(outer.iterfind("{*}edge"), start=1):
        source, target = edge.get("source"), edge.get("target")
        if source is None or target is None:
            raise GraphError("an edge has no source or no target")
        place = f"edge {number}, from {source!r} to {target!r}"
        data = defaults | _data(edge, keys)
        stated = _yed_marks(edge, place) or marks_in(data, place)
        if stated is not None:
            source, target, kind = map(str, edge_type(source, target, stated, place))
        else:
            kind = "directed" if _is_directed(outer, edge, place) else "undirected"
        yield _FileEdge(source, target, kind, stated is None and kind == "directed", place, data)


def _is_directed(outer: Element, edge: Element, place: str) -> bool:
    own, default = edge.get("directed"), outer.get("edgedefault")
    if own is not None:
        if own not in ("true", "false"):
            raise GraphError(f"{place}: directed is {own!r:.60}; it is true or false")
        return own == "true"
    if default not in ("directed", "undirected"):
        raise GraphError(f"edgedefault is {default!r:.60}; it is directed or undirected")
    return default == "directed"


def _yed_marks(edge: Element, place: str) -> Marks | None:
    """Return the marks that yEd draws."""
    arrows = edge.find("{*}data//{*}Arrows")
    if arrows is None:
        return None
    names = (arrows.get("source", "none"), arrows.get("target", "none"))
    plain = {
        "none": "tail",
        **dict.fromkeys(("standard", "delta", "white_delta", "plain", "short", "concave"), "arrow"),
    }
    return Marks(*(plain.get(name, name) for name in names))


def _joined(edges: Iterator[_FileEdge]) -> Iterator[_FileEdge]:
    """Yield each edge once: two that are opposite are one undirected edge, unless something says otherwise."""
    by_pair: dict[frozenset[str], _FileEdge] = {}
    joined: set[frozenset[str]] = set()
    for edge in edges:
        pair = frozenset((edge.source, edge.target))
        other = by_pair.get(pair)
        if other is None:
            by_pair[pair] = edge
            continue
        opposite = (other.source, other.target) == (edge.target, edge.source)
        same_kind = edge.is_plain == other.is_plain and edge.kind == other.kind
        stated_twice = edge.kind == "undirected" and marks_in(edge.data, edge.place) is not None
        if pair in joined or not (opposite and same_kind and (edge.is_plain or stated_twice)):
            raise GraphError(f"the edge from {edge.source!r} to {edge.target!r} occurs twice")
        joined.add(pair)
        by_pair[pair] = other._replace(kind="undirected", data={**other.data, **edge.data})
    yield from by_pair.values()
