"""A graph built from the nodes and edges that a file lists, and names of nodes as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from climbfast.errors import GraphError
from climbfast.graphs.graph import Edge, Graph, edge_figures

__all__ = ["FIGURES", "JSON_NAME", "TYPES", "GraphBuilder", "decoded", "encoded", "name_of", "texts_of"]

JSON_NAME = "json_name"
FIGURES = (
    "strength",
    "margin",
    "reason",
    "votes_edge",
    "votes_direction",
    "frequency_edge",
    "frequency_direction",
)
TYPES = ("directed", "undirected")


class GraphBuilder:
    """Collects nodes and edges in the order of a file, and refuses an edge that cannot be added."""

    def __init__(self) -> None:
        self.names: dict[Hashable, None] = {}
        self.edges: dict[str, list[Edge]] = {kind: [] for kind in TYPES}
        self.figures: dict[str, Any] = {}
        self._places: dict[frozenset[Hashable], str] = {}

    def node(self, name: Hashable) -> None:
        """Add a node, unless it was added before."""
        self.names.setdefault(name)

    def edge(self, source: Hashable, target: Hashable, kind: str, place: str, figures: Mapping[str, Any]) -> None:
        """Add an edge and its nodes; refuse a second edge between two nodes, and one of a node with itself."""
        pair = frozenset((source, target))
        if source == target:
            raise GraphError(f"{place}: {source!r} has an edge to itself")
        if pair in self._places:
            raise GraphError(f"{place}: {source!r} and {target!r} have an edge already, in {self._places[pair]}")
        self._places[pair] = place
        self.node(source)
        self.node(target)
        self.edges[kind].append((source, target))
        known = edge_figures(_read(figures), is_directed=kind == "directed")
        for figure, value in known.items():
            self.figures.setdefault(figure, {})[source, target] = value

    def graph(self, **attributes: Any) -> Graph:
        """Return the graph, with the nodes in the order in which they were added."""
        directed, undirected = (tuple(self.edges[kind]) for kind in TYPES)
        return Graph(tuple(self.names), directed, undirected, **self.figures, **attributes)


def _read(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of an edge, whose numbers may be text in a file."""
    kinds: dict[str, Callable[[Any], Any]] = dict.fromkeys(FIGURES, float)
    kinds |= {"reason": _plain_text, "votes_edge": _whole_number, "votes_direction": _whole_number}
    found = {}
    for figure in FIGURES:
        try:
            found[figure] = kinds[figure](figures.get(figure))
        except (TypeError, ValueError, OverflowError):
            found[figure] = None
    return found


def _plain_text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _whole_number(value: Any) -> int:
    number = int(value)
    if number != float(value):
        raise ValueError
    return number


def texts_of(graph: Graph) -> dict[Hashable, str]:
    """Return every name as text; refuse two names with the same text."""
    texts: dict[str, Hashable] = {}
    for name in graph.names:
        other = texts.setdefault(str(name), name)
        if other is not name:
            raise GraphError(f"the names {other!r} and {name!r} are the same text; JSON tells them apart")
    return {name: text for text, name in texts.items()}


def encoded(name: Any) -> Any:
    """Return a name for JSON: text, numbers and tuples of these are read back as they were, others as text."""
    if isinstance(name, list):
        return [encoded(part) for part in name]
    if isinstance(name, tuple):
        return {"tuple": [encoded(part) for part in name]}
    return name if isinstance(name, (str, int, float)) else str(name)


def decoded(value: Any) -> Hashable:
    """Return the name from what ``encoded`` returned; refuse anything else."""
    if isinstance(value, dict) and isinstance(value.get("tuple"), list):
        return tuple(decoded(part) for part in value["tuple"])
    if value is None or isinstance(value, (list, dict)):
        raise GraphError(f"{json.dumps(value):.80} is not a name")
    name: Hashable = value
    return name


def name_of(text: str, json_name: object) -> Hashable:
    """Return the name that JSON beside a text stands for; the text itself without such JSON, or if they differ."""
    if not isinstance(json_name, str):
        return text
    try:
        name = decoded(json.loads(json_name))
    except json.JSONDecodeError:
        return text
    return name if str(name) == text else text
