"""Graphs read from files and written to files, or to standard output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from climbfast.atomic_write import check_writable
from climbfast.cli.output import (
    format_of_output,
    is_standard_output,
    refuse_the_same_file,
    save_or_write,
    say,
    write,
    write_bytes,
)
from climbfast.cli.render import kind_of_graph, render_graph
from climbfast.cli.standard_input import standard_input
from climbfast.errors import Legal, Option, OptionError
from climbfast.graphs.formats import WRITTEN, graph_content, read_graph
from climbfast.graphs.graph import Graph
from climbfast.local.saving import PICTURES

__all__ = [
    "FORMATS",
    "GRAPH_ARGUMENT",
    "GraphFormat",
    "GraphOut",
    "GraphOutFormat",
    "check_graph_file",
    "check_graph_format",
    "give_graph",
    "read_graph_file",
]

GRAPH_ARGUMENT = (
    "CSV with the columns source,target,type or parent,child; JSON; GraphML; DOT; GML; cyjs (Cytoscape); dagitty; "
    "lavaan; txt or xml of Tetrad; or a network (bif, net, dsl, xdsl, bifxml, uai). - is standard input."
)
FORMATS = tuple(suffix[1:] for suffix in WRITTEN)

GraphOut = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help=f"File to write: {', '.join(WRITTEN)}; - is standard output.", show_default=False
    ),
]
GraphOutFormat = Annotated[
    str | None,
    typer.Option(metavar="NAME", help=f"Format for --out -: {', '.join(FORMATS)}.", show_default=FORMATS[0]),
]
GraphFormat = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What the graph on standard input is: csv, json, graphml, dot, gml, cyjs, dagitty, lavaan, txt, xml, bif, "
        "net, dsl, xdsl, bifxml or uai.",
        show_default="csv",
    ),
]


def read_graph_file(path: Path, form: str | None) -> Graph:
    """Return the graph in a file, or on standard input if the path is -."""
    if str(path) == "-":
        with standard_input() as content:
            return read_graph(content, format=form or "csv")
    return read_graph(path)


def check_graph_file(out: Path | None, inputs: Mapping[str, Path | Sequence[Path] | None], option: str = "out") -> None:
    """Check before the work that the result can be written, and that it replaces none of the inputs."""
    if out is None or is_standard_output(out):
        return
    if out.suffix.lower() in PICTURES:
        raise OptionError(
            f"{out}: ", Option(option), " is for a graph that can be read again; name the file of a picture with --plot"
        )
    if out.suffix.lower() not in WRITTEN:
        raise OptionError(Option(option), f": {out}: unknown suffix; known are ", Legal(tuple(WRITTEN)))
    refuse_the_same_file(out, inputs, option)
    try:
        check_writable(out)
    except OSError as error:
        raise OptionError(Option(option), f": {out} cannot be written: {error.strerror or error}") from None


def check_graph_format(out: Path | None, typed: str | None, *, as_json: bool) -> str:
    """Return the format of a graph on standard output."""
    return format_of_output(out, typed, FORMATS, as_json=as_json)


def give_graph(found: Graph, out: Path | None, form: str, *, as_json: bool, quote_formulas: bool) -> None:
    """Write a graph to its file; to standard output as JSON if that is asked for, or as a page if there is no file."""
    if is_standard_output(out):
        write_bytes(graph_content(found, f".{form}", quote_formulas=quote_formulas))
        say(_in_one_line(found))
        return
    if out is not None:
        save_or_write(lambda: found.save(out, quote_formulas=quote_formulas), found.to_json)
        say(f"{_in_one_line(found)}; written to {out}")
    if as_json:
        write(found.to_json())
    elif out is None:
        write(render_graph(found))


def _in_one_line(found: Graph) -> str:
    """Return what the graph is, and for how many edges sets of given columns were left out."""
    bounded = found.figures.get("bounded", 0)
    left_out = f"; for {bounded:,} edge{'s' if bounded > 1 else ''} not all sets were tried (--max-pool)"
    return f"{kind_of_graph(found)}{left_out if bounded else ''}"
