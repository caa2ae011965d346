"""What a picture of a graph shows, and that of the blankets of many targets, which are merged into one."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from climbfast.blankets.blankets import Blankets
from climbfast.blankets.merging import merge
from climbfast.graphs.graph import Edge, Graph
from climbfast.local.blanket import Blanket
from climbfast.names import listing, sorted_by_name
from climbfast.plots.neighborhood import named_columns, shown_of
from climbfast.plots.picture import (
    FULL_MARGIN,
    Head,
    Line,
    Node,
    Picture,
    any_of,
    scale_of,
    scale_of_frequency,
    shown_names,
    unit_of_strength,
)

__all__ = ["picture_of_blankets", "picture_of_graph"]

SURE = ("known", "compelled", "collider")
_OF_REASON = {
    "known": "known",
    "compelled": "compelled",
    "collider": "seen by a collider",
    "chosen": "chosen by a score",
    "arbitrary": "arbitrary",
}


def picture_of_graph(graph: Graph, columns: Hashable | Iterable[Hashable] | None = None) -> Picture:
    """Return what a picture of a graph shows, see ``Graph.plot``."""
    shown = shown_of(graph, columns)
    place = {name: i for i, name in enumerate(shown.names)}
    edges = [edge for edge in graph.edges if edge[0] in place and edge[1] in place]
    directed = set(graph.directed)
    shades = _Shades(graph, edges)
    lines = []
    for x, y in edges:
        head = _head(graph, (x, y)) if (x, y) in directed else "none"
        ends = (place[x], place[y]) if head != "none" else sorted((place[x], place[y]))
        lines.append(Line(ends[0], ends[1], head, graph.strengths.get((x, y)), shades.of((x, y), head)))
    lines.sort(key=lambda line: (line.source, line.target))
    return Picture(
        nodes=tuple(
            Node(text, "named" if name in shown.named else "node")
            for name, text in zip(shown.names, shown_names(shown.names), strict=True)
        ),
        lines=tuple(lines),
        heads=_heads(graph, edges, lines),
        width=scale_of("strength", unit_of_strength(graph.test_or_score), (line.width for line in lines)),
        shade=shades.scale,
        notes=shown.notes,
    )


def _head(graph: Graph, edge: Edge) -> Literal["filled", "open"]:
    """Return the head of a directed edge; where no edge has a reason, all are filled."""
    return "filled" if not graph.reasons or graph.reasons.get(edge) in SURE else "open"


def _heads(graph: Graph, edges: Iterable[Edge], lines: list[Line]) -> dict[Head, str]:
    """Return what each head that occurs says; nothing if all lines have the same and there is nothing to say."""
    occurring = {graph.reasons[edge] for edge in edges if edge in graph.reasons}
    sure = [text for reason, text in _OF_REASON.items() if reason in occurring and reason in SURE]
    unsure = [text for reason, text in _OF_REASON.items() if reason in occurring and reason not in SURE]
    texts: dict[Head, str] = {
        "filled": f"direction {any_of(sure)}" if sure else "directed",
        "open": f"direction {any_of(unsure) or 'without a reason'}",
        "none": "direction open",
    }
    heads = {line.head for line in lines}
    if not graph.reasons and heads == {"filled"}:
        return {}
    return {head: text for head, text in texts.items() if head in heads}


class _Shades:
    """The figure that is the shade of each line: the frequency of the edge, or else the margin of its direction."""

    def __init__(self, graph: Graph, edges: list[Edge]) -> None:
        self._frequencies = {edge: graph.frequencies[edge][0] for edge in edges if edge in graph.frequencies}
        self._margins = {edge: graph.margins[edge] for edge in edges if edge in graph.margins}
        if self._frequencies:
            self.scale = scale_of_frequency(self._frequencies.values())
        else:
            self.scale = scale_of("margin of the direction", "bits", self._margins.values(), FULL_MARGIN)

    def of(self, edge: Edge, head: Head) -> float | None:
        """Return the figure of an edge; a direction that needs no margin is as sure as the surest."""
        if self._frequencies:
            return self._frequencies.get(edge)
        if self.scale is not None and edge not in self._margins and head == "filled":
            return FULL_MARGIN
        return self._margins.get(edge)


def picture_of_blankets(blankets: Blankets, columns: Hashable | Iterable[Hashable] | None = None) -> Picture:
    """Return what a picture of many blankets shows, see ``Blankets.plot``."""
    named = named_columns(columns, blankets)
    around = {name for target in named or blankets for name in (target, *blankets[target].neighbors)}
    near = {target: blankets[target] for target in blankets if target in around}
    others = around - set(near)
    picture = picture_of_graph(_merged(near, others), named or None)
    if not others:
        return picture
    texts = listing(shown_names(sorted_by_name(others)), limit=3, each=str)
    what = "was no target: its edges are" if len(others) == 1 else "were no targets: their edges are"
    return replace(picture, notes=(*picture.notes, f"{texts} {what} those of one blanket"))


def _merged(near: Mapping[Hashable, Blanket], others: Collection[Hashable]) -> Graph:
    """Return the graph of the edges that both ends have, and of those to other columns, which have no blanket."""
    both = merge(near, "and", "agreement")
    if others:
        either = merge(near, "or", "margin")
        directed, undirected = set(either.directed), set(either.undirected)
        added = [edge for edge in either.edges if edge[0] in others or edge[1] in others]
        figures: dict[str, Any] = {
            name: {**getattr(both, name), **_of(getattr(either, name), added)} for name in _FIGURES
        }
        both = replace(
            both,
            directed=(*both.directed, *(edge for edge in added if edge in directed)),
            undirected=(*both.undirected, *(edge for edge in added if edge in undirected)),
            **figures,
        )
    tests = {blanket.test for blanket in near.values()}
    return replace(both, test_or_score=tests.pop() if len(tests) == 1 else "")


_FIGURES = ("strengths", "margins", "reasons")


def _of(figures: Mapping[Edge, Any], edges: Iterable[Edge]) -> dict[Edge, Any]:
    return {edge: figures[edge] for edge in edges if edge in figures}
