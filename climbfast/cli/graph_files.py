"""Graphs read from files and written to files, or to standard output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from climbfast.atomic_write import check_writable
from climbfast.cli.output import refuse_the_same_file, save_or_write, say, write
from climbfast.cli.pages import kind_of_graph, page_of_graph
from climbfast.errors import OptionError
from climbfast.graphs.graph import Graph

__all__ = ["GRAPH_FILE", "GraphOut", "check_graph_file", "give_graph"]

GRAPH_FILE = "CSV with the columns source,target,type or parent,child; JSON; GraphML; DOT; or a network in BIF."
_SUFFIXES = (".csv", ".json", ".graphml", ".dot", ".gv")

GraphOut = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help=f"File to write: {', '.join(_SUFFIXES)}.", show_default=False),
]


def check_graph_file(out: Path | None, **inputs: Path) -> None:
    """Check before the work that the result can be written, and that it replaces none of the inputs."""
    if out is None:
        return
    if out.suffix.lower() not in _SUFFIXES:
        raise OptionError(f"{out}: unknown suffix; known are {', '.join(_SUFFIXES)}")
    refuse_the_same_file(out, inputs)
    try:
        check_writable(out)
    except OSError as error:
        raise OptionError(f"{out} cannot be written: {error.strerror or error}") from None


def give_graph(found: Graph, out: Path | None, *, as_json: bool) -> None:
    """Write a graph to its file; to standard output as JSON if that is asked for, or as a page if there is no file."""
    if out is not None:
        save_or_write(lambda: found.save(out), found.to_json)
        say(f"{kind_of_graph(found)}; written to {out}")
    if as_json:
        write(found.to_json())
    elif out is None:
        write(page_of_graph(found))
