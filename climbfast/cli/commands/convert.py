"""``climbfast convert``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from climbfast.cli.graph_files import (
    GRAPH_ARGUMENT,
    GraphFormat,
    GraphOut,
    GraphOutFormat,
    check_graph_file,
    check_graph_format,
    give_graph,
    read_graph_file,
)
from climbfast.cli.output import AsJson, QuoteFormulas, is_standard_output
from climbfast.graphs.formats import graph_content

__all__ = ["convert"]


def convert(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help=f"The graph: {GRAPH_ARGUMENT}", show_default=False)],
    *,
    graph_format: GraphFormat = None,
    out: GraphOut = None,
    out_format: GraphOutFormat = None,
    quote_formulas: QuoteFormulas = False,
    as_json: AsJson = False,
) -> None:
    """Write a graph in the format of another program; without --out, show it."""
    form = check_graph_format(out, out_format, as_json=as_json)
    check_graph_file(out, {"GRAPH": graph})
    found = read_graph_file(graph, graph_format)
    if out is not None and not is_standard_output(out):
        graph_content(found, out.suffix.lower(), quote_formulas=quote_formulas)  # nothing is lost if it is refused
    give_graph(found, out, form, as_json=as_json, quote_formulas=quote_formulas)
