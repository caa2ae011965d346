"""Graphs of Tetrad: its text, which causal-learn also writes, its XML and its JSON."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any

from climbfast.errors import GraphError
from climbfast.graphs.edge_list import GraphBuilder, texts_of
from climbfast.graphs.graph import Graph
from climbfast.graphs.graphml import parsed_xml
from climbfast.graphs.marks import Marks, edge_type, mark_of

__all__ = ["from_tetrad_json", "from_tetrad_text", "from_tetrad_xml", "tetrad_text"]

_NOT_WRITTEN = re.compile(r"[\s,;]|\A[\[(].*[\])]\Z")
_ARROW = re.compile(r"(?<= )([<o-])-([>o-])(?= )")
_SECTIONS = ("graph nodes:", "graph edges:")


def tetrad_text(graph: Graph) -> str:
    """Return a graph as the text that Tetrad and causal-learn read.

    Raises
    ------
    GraphError
        For a name that would not be read as it is: blanks, commas and semicolons stand between names.
    """
    texts = texts_of(graph)
    for text in texts.values():
        if not text or _NOT_WRITTEN.search(text):
            raise GraphError(
                f"Tetrad cannot read the name {text!r}: it may not be empty, hold blanks, commas or semicolons, or "
                "stand in brackets"
            )
    edges = [f"{texts[x]} --> {texts[y]}" for x, y in graph.directed]
    edges += [f"{texts[x]} --- {texts[y]}" for x, y in graph.undirected]
    numbered = [f"{number}. {edge}" for number, edge in enumerate(edges, start=1)]
    return "\n".join(["Graph Nodes:", ";".join(texts.values()), "", "Graph Edges:", *numbered, ""])


def from_tetrad_text(text: str) -> Graph:
    """Read a graph that Tetrad or causal-learn wrote as text.

    Raises
    ------
    GraphError
        For another text, and for other marks than arrows and tails; the message names the line.
    """
    found = GraphBuilder()
    section = ""
    for number, written in enumerate(text.splitlines(), start=1):
        line = written.strip()
        if line.lower() in _SECTIONS:
            section = line.lower()
        elif not line:
            section = ""
        elif section == "graph nodes:":
            for name in re.split("[,;]", line) if ";" in line or "," in line else [line]:
                found.node(_without_brackets(name))
        elif section == "graph edges:":
            _add_edge(found, re.sub(r"\A\d+\. ?", "", line), f"line {number}")
    if not any(line.strip().lower() == _SECTIONS[0] for line in text.splitlines()):
        raise GraphError("it is not a graph of Tetrad, which begins with 'Graph Nodes:'")
    return found.graph()


def _without_brackets(name: str) -> str:
    """Return the name of a node; one in brackets is latent, or stands for the selection of rows."""
    plain = name.strip()
    return plain[1:-1] if plain[:1] + plain[-1:] in ("()", "[]") else plain


def _add_edge(found: GraphBuilder, text: str, place: str) -> None:
    """Add an edge such as ``a --> b``; what is known of it may follow."""
    for arrow in _ARROW.finditer(text):
        source, rest = text[: arrow.start() - 1], text[arrow.end() + 1 :]
        target = rest if rest in found.names else _first_name(rest, found.names)
        if source in found.names and target is not None:
            marks = Marks(mark_of(arrow[1]), mark_of(arrow[2]))
            found.edge(*edge_type(source, target, marks, place), place, {})
            return
    raise GraphError(f"{place}: {text!r:.60} is not an edge between two of the nodes, such as a --> b or a --- b")


def _first_name(text: str, known: Container[Any]) -> str | None:
    """Return the longest name with which a text begins, before a blank."""
    words = text.split(" ")
    beginnings = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((beginning for beginning in beginnings if beginning in known), None)


def from_tetrad_xml(content: bytes) -> Graph:
    """Read a graph that Tetrad wrote as XML.

    Raises
    ------
    GraphError
        For other XML, and for other marks than arrows and tails.
    """
    root = parsed_xml(content)
    variables = root.findall("variables/variable")
    if root.tag != "graph" or not variables:
        raise GraphError("it is not a graph of Tetrad, which has its nodes in <graph><variables>")
    found = GraphBuilder()
    for variable in variables:
        found.node((variable.text or "").strip())
    for number, edge in enumerate(root.findall("edges/edge"), start=1):
        _add_edge(found, (edge.text or "").strip(), f"edge {number}")
    return found.graph()


def from_tetrad_json(plain: dict[str, Any]) -> Graph:
    """Read a graph that Tetrad wrote as JSON.

    Raises
    ------
    GraphError
        For parts that are not there, and for other marks than arrows and tails.
    """
    found = GraphBuilder()
    try:
        for node in plain["nodes"]:
            found.node(str(node["name"]))
        for number, edge in enumerate(plain["edgesSet"], start=1):
            ends = [str(edge[node]["name"]) for node in ("node1", "node2")]
            marks = Marks(mark_of(str(edge["endpoint1"])), mark_of(str(edge["endpoint2"])))
            place = f"edge {number}"
            found.edge(*edge_type(ends[0], ends[1], marks, place), place, {})
    except (KeyError, TypeError):
        raise GraphError("it has edgesSet, but not all that a graph of Tetrad has") from None
    return found.graph()
