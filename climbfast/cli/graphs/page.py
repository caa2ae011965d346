"""A graph as a page: its kind, its edges with their figures, what it took."""

from __future__ import annotations

from collections.abc import Hashable

from climbfast.cli.render.tables import new_table, rendered, texts
from climbfast.graphs.graph import Graph, node_text
from climbfast.names import listing, quoted

__all__ = ["edge_in", "kind_of_graph", "page_of_graph"]


def page_of_graph(found: Graph) -> str:
    """Return the page."""
    table = new_table(["edge", ">strength", ">margin bits"])
    for edge in (*found.directed, *found.undirected):
        figures = (f"{by[edge]:,.1f}" if edge in by else "" for by in (found.strengths, found.margins))
        table.add_row(*texts([edge_in(found, *edge), *figures]))
    alone = [name for name in found.names if not found.neighbors_of(name)]
    lonely = f"\nWithout edges: {listing(alone, limit=None, each=quoted)}" if alone else ""
    return f"{kind_of_graph(found)}\n\n{rendered(table).rstrip()}{lonely}\n\n{_cost_of_graph(found)}"


def kind_of_graph(found: Graph) -> str:
    """Return what the graph is, in one line."""
    return str(found).split("\n", 1)[0]


def edge_in(graph: Graph, x: Hashable, y: Hashable) -> str:
    """Show how two nodes are joined."""
    if y not in graph.neighbors_of(x):
        return "apart"
    if x in graph.children_of(y):
        x, y = y, x
    return f"{node_text(x)} {'->' if y in graph.children_of(x) else '--'} {node_text(y)}"


def _cost_of_graph(found: Graph) -> str:
    tests = f"{found.tests:,} tests by {found.test_or_score} for " if found.tests else ""
    skipped = f", {found.skipped:,} skipped for want of rows" if found.skipped else ""
    return f"{found.rows:,} rows, {found.columns:,} columns, {tests}{found.method}{skipped}, {found.seconds:.3f} s"
