"""What tests of several commands expect: keys of JSON, names that break things, and the edges of a graph."""

from __future__ import annotations

BLANKET_KEYS = {
    "target",
    "parents",
    "children",
    "spouses",
    "method",
    "test",
    "margins",
    "tests",
    "rows",
    "columns",
    "seconds",
    "version",
}


ODD_NAMES = ["[red]t[/red]", "a,b", "n" * 300, "é中", "--x", "sp ace", 'q"q', "line\nbreak", "\x1b[31mred", "3"]


SUFFIXES = ("csv", "json", "graphml", "dot")


def edges(graph):
    return set(graph.directed), {frozenset(edge) for edge in graph.undirected}, set(graph.names)
