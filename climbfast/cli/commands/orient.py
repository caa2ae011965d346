"""``climbfast orient``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
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
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.knowledge import KnowledgeArguments
from climbfast.cli.options.pictures import NeighborhoodPictureArguments
from climbfast.cli.options.reading import Data, ReadingArguments, files_of
from climbfast.cli.output import AsJson, QuoteFormulas
from climbfast.errors import OptionError
from climbfast.graphs.orient import DIRECTIONS, EDGES, METHODS
from climbfast.graphs.orient import orient as orient_graph

__all__ = ["orient"]


@dataclass(frozen=True, kw_only=True)
class Orientation:
    """The options of `climbfast.orient`, by the names it has for them."""

    method: Annotated[
        str,
        typer.Option(
            metavar="|".join(METHODS),
            help="climb directs one edge after another, the most decisive first; global searches the directions that "
            "are best for the whole graph.",
        ),
    ] = "climb"
    edges: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(EDGES),
            help="Edges to direct: those without a direction, or all.",
            show_default="undirected for climb, all for global",
        ),
    ] = None
    directions: Annotated[
        str,
        typer.Option(
            metavar="|".join(DIRECTIONS),
            help="decided leaves an edge undirected where the data hardly prefer one direction: its reversal would "
            "cost less than one bit. all directs every edge.",
        ),
    ] = "decided"
    restarts: Annotated[int | None, typer.Option(help="global: number of random starts.", show_default="5")] = None
    seed: Annotated[int | None, typer.Option(help="global: random seed.", show_default="0")] = None
    min_gain: Annotated[
        float | None,
        typer.Option(help="global: bits by which other directions have to be better to replace one.", show_default="1"),
    ] = None


@with_groups
def orient(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help=f"The graph: {GRAPH_ARGUMENT}", show_default=False)],
    data: Data,
    *,
    orientation: Orientation,
    graph_format: GraphFormat = None,
    out: GraphOut = None,
    out_format: GraphOutFormat = None,
    quote_formulas: QuoteFormulas = False,
    known: KnowledgeArguments,
    picture: NeighborhoodPictureArguments,
    reading: ReadingArguments,
    as_json: AsJson = False,
) -> None:
    """Direct the edges of a graph by the stochastic complexity of the data."""
    form = check_graph_format(out, out_format, as_json=as_json)
    if str(graph) == str(data) == "-":
        raise OptionError("GRAPH and DATA cannot both be standard input; name a file for one of them")
    inputs = {"GRAPH": graph, "DATA": files_of(data), **known.files}
    check_graph_file(out, inputs)
    picture.check({**inputs, "--out": out})
    typed = known.choose()
    undirected = read_graph_file(graph, graph_format)
    drawn = picture.columns_among(undirected.names)
    table = reading.read(data)
    found = orient_graph(undirected, table, knowledge=typed.about(table.names), **asdict(orientation))
    give_graph(found, out, form, as_json=as_json, quote_formulas=quote_formulas)
    picture.draw(found, drawn)
