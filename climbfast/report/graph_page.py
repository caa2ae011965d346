"""The page of a graph: its picture, its edges with what speaks for each, and what is without edges."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from climbfast._version import __version__
from climbfast.dataset import Dataset
from climbfast.graphs.graph import REASONS, Edge, Graph, contradicted_lines
from climbfast.plots import MOST_NODES
from climbfast.report.labels import Labels, counted, sentence_list
from climbfast.report.page import rendered
from climbfast.report.pictures import picture_of
from climbfast.report.result_data import data_of
from climbfast.report.settings import DATA, facts_of, graph_again
from climbfast.report.strengths import bits_text, strength_text, unit_of_strengths
from climbfast.report.treatment import treatment_facts

__all__ = ["MOST_EDGES", "around_hubs", "edge_words", "graph_page"]

MOST_EDGES = 1000  # in the table
MOST_HUBS = 10
FEWEST_EDGES_OF_A_HUB = 3

_BY_TEST = ("sci", "g2", "x2", "cmi")


class EdgeWords(NamedTuple):
    """An edge as a row of the table."""

    source: str
    mark: str
    target: str
    strength: str
    why: str
    votes: tuple[str, str]
    found: tuple[str, str]


def graph_page(
    graph: Graph,
    data: Dataset | Any = None,
    *,
    title: str | None = None,
    command: str | None = None,
    source: str = DATA,
) -> str:
    """Return the page of a graph; the parameters are those of ``target_page``.

    Raises
    ------
    OptionError
        See ``Graph.report``.
    """
    table = data_of(graph, graph.names, data)
    labels = Labels(table.names)
    columns = around_hubs(graph)
    shown, directed = _strongest(graph), set(graph.directed)
    drawn = graph.options.get("bootstrap", {}).get("replicates") or graph.figures.get("replicates")
    return rendered(
        "graph.html.j2",
        version=graph.version or __version__,
        heading=title or f"A causal graph of {counted(len(graph.names), 'column')}",
        summary=_summary(graph),
        picture=None if columns == [] else picture_of(graph, columns),
        picture_columns=None if columns is None else labels.listed(columns, limit=MOST_HUBS),
        hubs=[(labels.name(name), degree) for name, degree in _hubs(graph)],
        unit=_unit(graph),
        edges=[edge_words(graph, edge, labels, is_directed=edge in directed) for edge in shown],
        more_edges=len(graph.edges) - len(shown),
        reasons=[(reason, REASONS[reason]) for reason in REASONS if reason in set(graph.reasons.values())],
        has_strengths=bool(graph.strengths),
        has_votes=bool(graph.votes),
        searches=int(graph.figures.get("searches", 0)),
        has_frequencies=bool(graph.frequencies),
        replicates=None if drawn is None else int(drawn),
        isolated=[labels.name(name) for name in graph.isolated],
        copies=_copies(graph, labels),
        contradicted=contradicted_lines(graph),
        treatment=treatment_facts(table, graph.names, labels),
        facts=facts_of(graph),
        again=graph_again(graph, table, title=title, command=command, source=source),
    )


def around_hubs(graph: Graph) -> list[Hashable] | None:
    """Return nodes with many edges whose neighborhoods can be drawn together; None if all nodes can be.

    It is empty if no node has an edge, or none has few enough.
    """
    if len(graph.names) <= MOST_NODES:
        return None
    adjacent = {name: frozenset(graph.neighbors_of(name)) for name in graph.names}
    chosen: list[Hashable] = []
    drawn: set[Hashable] = set()
    for name in sorted(graph.names, key=lambda name: (-len(adjacent[name]), graph.index(name))):
        more = drawn | {name} | adjacent[name]
        if adjacent[name] and name not in drawn and len(more) <= MOST_NODES:
            chosen.append(name)
            drawn = more
    return chosen


def _hubs(graph: Graph) -> list[tuple[Hashable, int]]:
    """Return the nodes with most edges, and how many they have."""
    degrees = [(name, len(adjacent)) for name, adjacent in zip(graph.names, graph.pdag.adjacent, strict=True)]
    hubs = [each for each in degrees if each[1] >= FEWEST_EDGES_OF_A_HUB]
    return sorted(hubs, key=lambda each: (-each[1], graph.index(each[0])))[:MOST_HUBS]


def _summary(graph: Graph) -> str:
    edges = counted(len(graph.edges), "edge")
    if graph.directed and graph.undirected:
        edges += f": {len(graph.directed):,} with a direction, and {len(graph.undirected):,} without"
    elif graph.edges:
        edges += ", all of them with a direction" if graph.directed else ", none of them with a direction"
    rows = f"In {counted(graph.rows, 'row')} of " if graph.rows else "Among "
    return f"{rows}{counted(len(graph.names), 'column')}, climbfast found {edges}."


def _strongest(graph: Graph) -> list[Edge]:
    """Return the edges from the strongest on, at most ``MOST_EDGES``; without strengths in their order."""
    place = {edge: i for i, edge in enumerate(graph.edges)}
    return sorted(graph.edges, key=lambda edge: (-graph.strengths.get(edge, 0.0), place[edge]))[:MOST_EDGES]


def _unit(graph: Graph) -> str:
    if not graph.strengths:
        return ""
    if graph.test_or_score in _BY_TEST:
        return unit_of_strengths(graph.test_or_score, "", graph.options)
    if graph.method == "merge":
        return "Strengths are those of the blankets; the smaller one of the two ends."
    return unit_of_strengths("sci", "best", graph.options)


def edge_words(graph: Graph, edge: Edge, labels: Labels, *, is_directed: bool) -> EdgeWords:
    """Return an edge as a row of a table."""
    strength = graph.strengths.get(edge)
    reason = graph.reasons.get(edge, "")
    bits = f", by {bits_text(graph.margins[edge])}" if edge in graph.margins and reason == "chosen" else ""
    votes, frequencies = graph.votes.get(edge), graph.frequencies.get(edge)
    unit = graph.test_or_score if graph.test_or_score in _BY_TEST else "sci"
    return EdgeWords(
        source=labels.name(edge[0]),
        mark="→" if is_directed else "–",
        target=labels.name(edge[1]),
        strength="" if strength is None else strength_text(unit, strength, float(graph.options.get("alpha", 0.01))),
        why=f"{reason}{bits}" if is_directed else "open",
        votes=("", "") if votes is None else (f"{votes[0]}", f"{votes[1]}"),
        found=("", "") if frequencies is None else (_percent(frequencies[0]), _percent(frequencies[1])),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\u00a0%"


def _copies(graph: Graph, labels: Labels) -> list[str]:
    """Return the groups of copies."""
    place = {name: i for i, name in enumerate(graph.names)}
    groups = {tuple(sorted((name, *others), key=lambda x: place[x])) for name, others in graph.copies.items()}
    return [
        sentence_list([labels.quoted(name) for name in group]) for group in sorted(groups, key=lambda g: place[g[0]])
    ]
