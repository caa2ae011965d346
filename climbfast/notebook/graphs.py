"""Graphs in a notebook: those of searches, comparisons, networks, and the frequencies of replicates."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from climbfast.graphs.compare import Comparison, Rates
from climbfast.graphs.graph import Edge, Graph, contradicted_lines, node_text, reasons_text
from climbfast.names import copies_text, listing, name_text, quoted_name
from climbfast.networks.network import Network
from climbfast.notebook.elements import (
    MOST_NODES,
    MOST_ROWS,
    heading,
    line,
    lines_of,
    picture,
    seconds_text,
    shown,
    table,
)
from climbfast.provenance import bounded_text
from climbfast.report.graph_page import edge_words
from climbfast.report.labels import Labels, counted

if TYPE_CHECKING:
    from climbfast.resampling.result import Bootstrap

__all__ = ["bootstrap_html", "comparison_html", "graph_html", "network_html"]

_FEW_NODES = 2000  # of which it is seen in no time whether they are a CPDAG


@shown
def graph_html(graph: Graph) -> Iterator[str]:
    """Show the picture of a small graph, and its strongest edges."""
    yield heading(_kind(graph), _size(graph))
    alone = _without_edges(graph)
    if graph.edges and len(graph.names) - len(alone) <= MOST_NODES:
        yield picture(graph, f"A graph of {counted(len(graph.names), 'node')}")
    if graph.edges:
        yield _edges(graph)
    if graph.reasons:
        yield line(f"Directions: {reasons_text(graph)}.")
    if graph.edges and alone:
        yield line(f"Without edges: {listing(alone, each=quoted_name)}.")
    if graph.copies:
        yield line(f"Copies: {copies_text(graph.copies)}; of each the first was searched.")
    if graph.contradicted:
        yield line("The data contradict what is known, which may be wrong:")
        yield lines_of(contradicted_lines(graph))
    yield line(_how_found(graph))


def _without_edges(graph: Graph) -> list[Hashable]:
    """Return the nodes without edges; to number those of a large graph, as ``isolated`` does, takes longer."""
    ends = {name for edge in graph.edges for name in edge}
    return [name for name in graph.names if name not in ends]


def _kind(graph: Graph) -> str:
    if len(graph.names) > _FEW_NODES:
        return "Graph"
    return "DAG" if graph.is_dag else "CPDAG" if graph.is_cpdag else "Graph"


def _size(graph: Graph) -> str:
    nodes = counted(len(graph.names), "node")
    return f"{nodes}, {len(graph.directed):,} directed and {counted(len(graph.undirected), 'undirected edge')}"


def _edges(graph: Graph) -> str:
    edges = graph.edges
    strengths = [graph.strengths.get(edge, 0.0) for edge in edges] if graph.strengths else [0.0] * len(edges)
    strongest = heapq.nsmallest(MOST_ROWS, range(len(edges)), key=lambda place: -strengths[place])
    words = [
        edge_words(graph, edges[place], Labels(edges[place]), is_directed=place < len(graph.directed))
        for place in strongest
    ]
    rows = [
        (
            each.source,
            each.mark,
            each.target,
            each.strength,
            each.why if graph.reasons else "",
            *each.votes,
            *each.found,
        )
        for each in words
    ]
    head = ("from", "", "to", ">strength", "direction", *_SHARES)
    return table(head, rows, len(edges))


_SHARES = (">searches with it", ">with its direction", ">replicates with it", ">as it is")


def _how_found(graph: Graph) -> str:
    if not graph.method:
        return ""
    parts = [f"{graph.method} by {graph.test_or_score}" if graph.test_or_score else graph.method]
    if graph.rows:
        parts.append(counted(graph.rows, "row"))
    if graph.tests:
        parts.append(counted(graph.tests, "test"))
    parts += [
        seconds_text(graph.seconds),
        bounded_text(graph.figures.get("bounded", 0), "edge"),
        bounded_text(graph.figures.get("bounded_targets", 0), "target"),
    ]
    return "; ".join(filter(None, parts))


@shown
def comparison_html(found: Comparison) -> Iterator[str]:
    """Show the distances, the rates, and the first edges that differ."""
    yield heading("Comparison", f"{counted(found.nodes, 'node')}, {counted(found.shd, 'difference')}")
    yield table(("distance", ">"), _distances(found))
    rates = {"edges": found.skeleton, "directed edges": found.arrows}
    yield table(
        ("", ">precision", ">recall", ">F1", ">right", ">found", ">true"),
        [(what, *_rates(of_kind)) for what, of_kind in rates.items()],
    )
    differences = [(kind, edge) for kind in _DIFFERENCES for edge in getattr(found, kind)]
    if differences:
        rows = [(_DIFFERENCES[kind], node_text(x), node_text(y)) for kind, (x, y) in differences[:MOST_ROWS]]
        yield table(("difference", "node", "node"), rows, len(differences))


_DIFFERENCES = {
    "missing": "missing",
    "extra": "extra",
    "reversed": "reversed",
    "undecided": "undirected, directed in truth",
    "overdecided": "directed, undirected in truth",
}


def _distances(found: Comparison) -> list[tuple[str, str]]:
    rows = [("SHD", f"{found.shd:,}"), ("SHD without directions", f"{found.shd_skeleton:,}")]
    if found.sid_lower is not None and found.sid_upper is not None:
        same = found.sid_lower == found.sid_upper
        rows.append(("SID", f"{found.sid_lower:,}" if same else f"{found.sid_lower:,} to {found.sid_upper:,}"))
    return rows


def _rates(rates: Rates) -> tuple[str, ...]:
    shares = (f"{share:.3f}" for share in (rates.precision, rates.recall, rates.f1))
    return (*shares, f"{rates.right:,}", f"{rates.found:,}", f"{rates.true:,}")


@shown
def network_html(network: Network) -> Iterator[str]:
    """Show the picture of a small network, and its first nodes with their states and parents."""
    yield heading(f"Network {name_text(network.name)}", _network_size(network))
    if network.arcs and len(network.nodes) <= MOST_NODES:
        yield picture(Graph(network.nodes, network.arcs), f"The network {name_text(network.name)}")
    labels = Labels(network.nodes)
    rows = [
        (
            labels.name(node),
            listing(network.states[node], limit=_MOST_STATES, each=quoted_name),
            labels.listed(network.parents[node]),
            f"{network.tables[node].size:,}",
        )
        for node in network.nodes[:MOST_ROWS]
    ]
    if rows:
        yield table(("node", "states", "parents", ">probabilities"), rows, len(network.nodes))


_MOST_STATES = 6


def _network_size(network: Network) -> str:
    return f"{counted(len(network.nodes), 'node')}, {counted(len(network.arcs), 'arc')}"


@shown
def bootstrap_html(found: Bootstrap) -> Iterator[str]:
    """Show the most frequent edges, or members."""
    drawn = counted(found.replicates, "replicate")
    yield heading("Bootstrap", f"{drawn} of {name_text(found.search)} ({found.scheme}, seed {found.seed})")
    yield _pairs(found) if found.members is None else _replicated_members(found)


def _pairs(found: Bootstrap) -> str:
    counts = found.pairs.counts
    rows = []
    for row in _most_frequent(counts[:, 0]):
        edge: Edge = (found.names[found.pairs.x[row]], found.names[found.pairs.y[row]])
        joined, forward, backward = counts[row].tolist()
        shares = (_share(found, number) for number in (joined, forward, backward, joined - forward - backward))
        rows.append((*map(Labels(edge).name, edge), *shares))
    return table(("x", "y", ">edge", ">x → y", ">y → x", ">undirected"), rows, len(counts))


def _replicated_members(found: Bootstrap) -> str:
    members = found.members
    assert members is not None
    rows = []
    for row in _most_frequent(members.counts.sum(axis=1)):
        edge: Edge = (found.names[members.x[row]], found.names[members.y[row]])
        roles = members.counts[row].tolist()
        rows.append((*map(Labels(edge).name, edge), *(_share(found, number) for number in (sum(roles), *roles))))
    head = ("target", "member", ">found", ">as parent", ">as child", ">undecided", ">as spouse")
    return table(head, rows, len(members.x))


def _most_frequent(numbers: np.ndarray) -> list[int]:
    """Return the rows with the largest numbers; of equal ones the first."""
    first: list[int] = np.argsort(-numbers, kind="stable")[:MOST_ROWS].tolist()
    return first


def _share(found: Bootstrap, number: int) -> str:
    return f"{100 * number / found.replicates:.0f}\u00a0%"
