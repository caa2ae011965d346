"""Model strings of bnlearn, an R package: ``[x][z][y|x:z]`` for x -> y and z -> y."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from climbfast.errors import GraphError
from climbfast.graphs.edge_list import GraphBuilder, texts_of
from climbfast.graphs.graph import Graph
from climbfast.names import listing

__all__ = ["bnlearn_text", "from_bnlearn"]

_NOT_WRITTEN = re.compile(r"[\[\]|:]")
_FAMILY = re.compile(r"\[([^\[\]|:]+)(?:\|([^\[\]|]+))?\]")


def bnlearn_text(graph: Graph) -> str:
    """Return a DAG as a model string, with parents before their children.

    Raises
    ------
    GraphError
        If the graph is not a DAG, and for a name that a model string cannot have.
    """
    if graph.undirected:
        raise GraphError(
            f"a model string has no undirected edges, and the graph has {listing(graph.undirected, limit=3)}"
        )
    texts = texts_of(graph)
    for text in texts.values():
        if not text or _NOT_WRITTEN.search(text):
            raise GraphError(f"a model string cannot have the name {text!r}, which is empty or has one of [ ] | :")
    families = []
    for name in _causes_first(graph):
        parents = ":".join(texts[parent] for parent in graph.parents_of(name))
        families.append(f"[{texts[name]}{'|' if parents else ''}{parents}]")
    return "".join(families)


def _causes_first(graph: Graph) -> Iterator[Hashable]:
    """Yield the nodes with parents before their children, else in the order of the names."""
    import networkx as nx

    if not graph.is_acyclic:
        raise GraphError("a model string is of a DAG; the directed edges of this graph form a cycle")
    for generation in nx.topological_generations(graph.to_networkx()):
        yield from sorted(generation, key=graph.index)


def from_bnlearn(text: str) -> Graph:
    """Read a model string, see ``Graph.from_bnlearn``."""
    plain = text.strip()
    families = _FAMILY.findall(plain)
    if not families or _FAMILY.sub("", plain):
        raise GraphError("it is not a model string of bnlearn, such as [x][y|x]")
    found = GraphBuilder()
    for name, _ in families:
        if name in found.names:
            raise GraphError(f"the node {name!r} occurs twice")
        found.node(name)
    for name, parents in families:
        for parent in parents.split(":") if parents else []:
            if parent not in found.names:
                raise GraphError(f"{parent!r} is a parent of {name!r}, and not among the nodes")
            found.edge(parent, name, "directed", f"[{name}|{parents}]", {})
    return found.graph()
