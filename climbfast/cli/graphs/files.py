"""Files of graphs: checked before the work, read, written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from climbfast.atomic_write import check_writable
from climbfast.cli.files import refuse_the_same_file
from climbfast.cli.graphs.page import kind_of_graph, page_of_graph
from climbfast.cli.streams import say, write
from climbfast.errors import OptionError
from climbfast.graphs.graph import Graph

__all__ = ["GRAPH_FILE", "GraphOut", "check_graph_file", "give_graph"]

GRAPH_FILE = "CSV (source,target,type or parent,child), JSON, GraphML, DOT, or a network as BIF."
_SUFFIXES = (".csv", ".json", ".graphml", ".dot", ".gv")

GraphOut = Annotated[
    Path | None,
    typer.Option(help=f"File to write: {', '.join(_SUFFIXES)}.", show_default=False),
]


def check_graph_file(out: Path | None, **inputs: Path) -> None:
    """Refuse a file that could not be written, or is one of the inputs, before the work that is to go there."""
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
    """Write a graph to its file, and to standard output where it is asked for or there is no file."""
    if out is not None:
        found.save(out)
        say(f"{kind_of_graph(found)}; written to {out}")
    if as_json:
        write(found.to_json())
    elif out is None:
        write(page_of_graph(found))
