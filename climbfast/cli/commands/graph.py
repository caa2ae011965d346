"""``climbfast graph``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from climbfast.cli.graph_files import GraphOut, check_graph_file, give_graph
from climbfast.cli.options.blanket_searches import SEARCH_PANEL
from climbfast.cli.options.graph_searches import GRAPH_METHODS, GraphScore, GraphSearch, GraphTest, search_with
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.reading import Data, ReadOptions
from climbfast.cli.output import AsJson, QuoteFormulas
from climbfast.graphs.orient import METHODS as ORIENTATIONS
from climbfast.graphs.orient import orient
from climbfast.options import choice

__all__ = ["graph"]


@with_groups
def graph(
    data: Data,
    *,
    method: Annotated[
        str,
        typer.Option(
            metavar="|".join(GRAPH_METHODS),
            help="Search method: best searches all DAGs by a score, pc uses tests of independence, fges searches "
            "equivalence classes by a score.",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = "best",
    search: GraphSearch,
    out: GraphOut = None,
    quote_formulas: QuoteFormulas = False,
    score: GraphScore,
    test: GraphTest,
    reading: ReadOptions,
    as_json: AsJson = False,
) -> None:
    """Find the causal graph of all columns.

    Some options are for one method, score or test alone: their help begins with its name.
    """
    choice("method", method, GRAPH_METHODS)
    choice("orient", search.orient, ("none", *ORIENTATIONS))
    check_graph_file(out, DATA=data)
    find = search_with(method, search, score, test)
    table = reading.read(data)
    found = find(table)
    if search.orient != "none":
        orientation: Any = search.orient
        found = orient(found, table, orientation)
    give_graph(found, out, as_json=as_json, quote_formulas=quote_formulas)
