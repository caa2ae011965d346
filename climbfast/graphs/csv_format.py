"""Graphs as CSV: one line for each edge, and for each node without edges.

The standard library reads it, not polars: the files are small, and errors have to name the line.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

from climbfast.errors import GraphError
from climbfast.graphs.edge_list import TYPES, GraphBuilder, decoded, encoded
from climbfast.graphs.graph import Graph
from climbfast.graphs.marks import EdgeType, edge_type, marks_in
from climbfast.names import canonical_key, name_text, quote_formula, unquote_formula, would_be_formula

__all__ = ["csv_text", "from_csv"]


_WHOLE_NUMBER = re.compile("0|-?[1-9][0-9]*")
_COLUMNS = {
    "reasons": ("reason",),
    "votes": ("votes_edge", "votes_direction"),
    "frequencies": ("frequency_edge", "frequency_direction"),
}
_MARKS = ("endpoints", "edge_type", "interaction", "endpoint1")  # columns of other programs that stand for the type
_FIGURES = tuple(name for names in _COLUMNS.values() for name in names)
_SURROGATE = re.compile("[\ud800-\udfff]")


def csv_text(graph: Graph, *, quote_formulas: bool) -> str:
    """Return a graph as text, see ``Graph.save``.

    The columns for reasons, votes and frequencies are there if the graph has them. If names are
    not text, or formulas are quoted, a last column ``names`` has in every line how: integer, json or quoted.
    """
    kind = _kind_of(graph, quote_formulas=quote_formulas)
    write = _WRITERS[kind]
    columns = [name for figure, names in _COLUMNS.items() if getattr(graph, figure) for name in names]
    rows = [["source", "target", "type", *columns]]
    for edge in graph.to_dict()["edges"]:
        cells = [str(edge.get(column, "")) for column in columns]
        rows.append([write(edge["source"]), write(edge["target"]), edge["type"], *cells])
    rows += [[write(name), "", "node", *[""] * len(columns)] for name in graph.isolated]
    lines = [",".join(map(_cell, row)) for row in rows]
    if kind != "text":
        lines = [f"{line},{kind if number else 'names'}" for number, line in enumerate(lines)]
    return "".join(line + "\n" for line in lines)


def _kind_of(graph: Graph, *, quote_formulas: bool) -> str:
    names = graph.names
    if all(isinstance(name, str) and name and not _SURROGATE.search(name) for name in names):
        return "quoted" if quote_formulas and any(would_be_formula(str(name)) for name in names) else "text"
    return "integer" if all(type(name) is int for name in names) else "json"


def _as_json(name: Hashable) -> str:
    return json.dumps(encoded(name))


def _cell(text: str) -> str:
    # Not csv.writer: before Python 3.13 it leaves a carriage return without quotes, which its reader refuses.
    return (
        '"' + text.replace('"', '""') + '"' if text != text.strip() or re.search(r'[",;\t\r\n\ufeff]', text) else text
    )


def from_csv(text: str) -> Graph:
    """Read a graph, see ``read_graph``.

    Raises
    ------
    GraphError
        The message names the line.
    """
    layout, records = _layout(text)
    found = GraphBuilder()
    for line, record in records:
        if len(record) != len(layout.header):
            raise GraphError(f"line {line} has {len(record)} cells where the first line has {len(layout.header)}")
        _add_row(found, layout, record, f"line {line}")
    found.names = dict.fromkeys(sorted(found.names, key=canonical_key))
    return found.graph()


class _Layout(NamedTuple):
    """What is in which column; ``kind`` and ``names`` are None if there is no such column."""

    header: list[str]
    source: int
    target: int
    kind: int | None
    names: int | None

    @property
    def is_by_marks(self) -> bool:
        """Whether columns of marks say what the edges are: there is no type, and no parent and child."""
        return self.kind is None and self.header[self.source] == "source"

    @property
    def others(self) -> dict[str, int]:
        """The columns that are not among these."""
        known = (self.source, self.target, self.kind, self.names)
        return {name: i for i, name in enumerate(self.header) if i not in known}


def _layout(text: str) -> tuple[_Layout, Iterator[tuple[int, list[str]]]]:
    """Return the columns, and the records below the header."""
    first_line, separators = 1, [",", ";", "\t"]
    if found := re.match(r'"?sep=([,;\t])"?(?:\r\n|\r|\n)', text):  # of Excel
        text, first_line, separators = text[found.end() :], 2, [found[1]]
    for separator in separators:
        records = _records(text, separator, first_line)
        try:
            _, header = next(records, (1, []))
        except GraphError:  # a quoted name, and then another separator
            continue
        if layout := _columns(header):
            return layout, records
    raise GraphError(f"line {first_line}: the columns of a graph are source,target,type or parent,child")


def _records(text: str, separator: str, first_line: int) -> Iterator[tuple[int, list[str]]]:
    """Yield line numbers and cells; blank lines are skipped."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = first_line
    try:
        for record in reader:
            if record:
                yield line, record
            line = reader.line_num + first_line
    except csv.Error as error:
        raise GraphError(f"line {line}: {name_text(error)}") from None


def _columns(header: list[str]) -> _Layout | None:
    names = [name.strip().lower() for name in header]

    def place(name: str) -> int | None:
        return names.index(name) if names.count(name) == 1 else None

    kind = place("type")
    source, target = place("source"), place("target")
    if kind is None and not any(place(column) is not None for column in _MARKS):
        source, target = None, None  # nothing would say whether the edges are directed
    if source is None or target is None:
        source, target = place("parent"), place("child")
    return None if source is None or target is None else _Layout(names, source, target, kind, place("names"))


def _add_row(found: GraphBuilder, layout: _Layout, record: list[str], place: str) -> None:
    source, target = record[layout.source], record[layout.target]
    kind = "" if layout.kind is None else record[layout.kind].strip().lower()
    if layout.kind is not None and kind not in (*TYPES, "node") and marks_in({"type": kind}, place) is None:
        raise GraphError(f"{place}: the type is {kind!r:.60}; it has to be directed, undirected or node")
    is_node = not target and (kind == "node" or layout.kind is None)
    if not source or not (target or is_node):
        raise GraphError(f"{place}: the edge from {source!r} to {target!r} has an empty name")
    if target and kind == "node":
        raise GraphError(f"{place}: a line of type node has one name, not {source!r} and {target!r}")
    read = _READERS["text" if layout.names is None else _names_kind(record[layout.names], place)]
    try:
        names = {cell: read(cell) for cell in (source, target) if cell}
    except (GraphError, ValueError, RecursionError):
        raise GraphError(
            f"{place}: {source!r:.60} or {target!r:.60} is not written as its cell in names says"
        ) from None
    if is_node:
        found.node(names[source])
        return
    edge = _edge(layout, record, kind, place)
    known = {name: record[i] for name, i in layout.others.items() if name in _FIGURES}
    found.edge(names[str(edge.source)], names[str(edge.target)], edge.kind, place, known)


def _edge(layout: _Layout, record: list[str], kind: str, place: str) -> EdgeType:
    """Return the edge of a line as its type says it, and the columns with marks."""
    source, target = record[layout.source], record[layout.target]
    typed = marks_in({"type": kind or ("" if layout.is_by_marks else "directed")}, place)
    stated = marks_in({name: record[i] for name, i in layout.others.items()}, place)
    edges = [edge_type(source, target, marks, place) for marks in (typed, stated) if marks is not None]
    if not edges:
        raise GraphError(f"{place}: nothing says whether the edge from {source!r} to {target!r} is directed")
    if edges[0] != edges[-1]:
        raise GraphError(f"{place}: the type is {edges[0].kind}, but another column has the marks of another edge")
    return edges[0]


def _names_kind(cell: str, place: str) -> str:
    kind = cell.strip().lower() or "text"
    if kind not in _READERS:
        raise GraphError(f"{place}: names is {cell!r:.60}; it is one of {', '.join(_READERS)}, or empty")
    return kind


def _whole_number(cell: str) -> int:
    if not _WHOLE_NUMBER.fullmatch(cell):
        raise ValueError
    return int(cell)


_WRITERS: dict[str, Callable[[Hashable], str]] = {
    "text": str,
    "quoted": lambda name: quote_formula(str(name)),
    "integer": str,
    "json": _as_json,
}
_READERS: dict[str, Callable[[str], Hashable]] = {
    "text": str,
    "quoted": unquote_formula,
    "integer": _whole_number,
    "json": lambda cell: decoded(json.loads(cell)),
}
