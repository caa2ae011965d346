"""Graphs of pyAgrum, whose nodes are numbers that may have names."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, cast

from climbfast.errors import GraphError
from climbfast.exchange.named import names_of_nodes
from climbfast.extras import import_pyagrum
from climbfast.graphs.edge_list import GraphBuilder, texts_of
from climbfast.graphs.graph import Graph
from climbfast.graphs.marks import Marks, edge_type

if TYPE_CHECKING:
    import pyagrum

__all__ = ["from_pyagrum", "to_pyagrum"]


def to_pyagrum(graph: Graph) -> pyagrum.DAG | pyagrum.PDAG | pyagrum.MixedGraph:
    """Return a graph for pyAgrum, see ``Graph.to_pyagrum``."""
    kinds = import_pyagrum("exchange", "a graph of pyAgrum")
    if graph.is_dag:
        return cast("pyagrum.DAG", _filled(kinds.DAG(), graph))
    try:
        return cast("pyagrum.PDAG", _filled(kinds.PDAG(), graph))
    except kinds.GumException:  # a cycle of directed and undirected edges, which only a mixed graph can have
        return cast("pyagrum.MixedGraph", _filled(kinds.MixedGraph(), graph))


def _filled(empty: Any, graph: Graph) -> Any:
    for number, text in enumerate(texts_of(graph).values()):
        empty.addNodeWithId(number)
        empty.setName(number, text)
    for x, y in graph.directed:
        empty.addArc(graph.index(x), graph.index(y))
    for x, y in graph.undirected:
        empty.addEdge(graph.index(x), graph.index(y))
    return empty


def from_pyagrum(model: Any, names: Sequence[Hashable] | None) -> Graph:
    """Return a graph of pyAgrum, see ``Graph.from_pyagrum``."""
    kinds = import_pyagrum("exchange", "a graph of pyAgrum")
    is_graph = hasattr(model, "nodes") and (hasattr(model, "arcs") or hasattr(model, "edges"))
    if not (is_graph and type(model).__module__.startswith("pyagrum")):
        raise GraphError(f"{type(model).__name__} is not a graph of pyAgrum; pass a DAG, a PDAG or a BayesNet")
    numbers = sorted(model.nodes())
    name_of = dict(zip(numbers, names_of_nodes([_own_name(model, x) for x in numbers], names), strict=True))
    if isinstance(model, kinds.PAG):
        return _from_marks(model, name_of)
    edges = {
        kind: [(name_of[x], name_of[y]) for x, y in getattr(model, of_kind)()] if hasattr(model, of_kind) else []
        for kind, of_kind in (("directed", "arcs"), ("undirected", "edges"))
    }
    return Graph(tuple(name_of.values()), tuple(edges["directed"]), tuple(edges["undirected"]))


def _own_name(model: Any, number: int) -> Hashable:
    """Return the name of a node; its number where it has none."""
    if hasattr(model, "variable"):
        return str(model.variable(number).name())
    has_name = model.hasName(number) if hasattr(model, "hasName") else hasattr(model, "nameFromId")
    return str(model.nameFromId(number)) if has_name else number


def _from_marks(model: Any, name_of: dict[int, Hashable]) -> Graph:
    """Return a PAG, if all its edges have arrows and tails."""
    found = GraphBuilder()
    for name in name_of.values():
        found.node(name)
    for x, y in sorted(map(tuple, model.edges())):
        place = f"the edge of {name_of[x]!r} and {name_of[y]!r}"
        # The mark at the second node of the two.
        marks = Marks(_mark(model, y, x), _mark(model, x, y))
        found.edge(*edge_type(name_of[x], name_of[y], marks, place), place, {})
    return found.graph()


def _mark(model: Any, x: int, y: int) -> str:
    if model.isArrowhead(x, y):
        return "arrow"
    return "tail" if model.isTail(x, y) else "circle"
