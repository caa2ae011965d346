"""``climbfast graph``."""

from __future__ import annotations

from typing import Annotated

import typer

from climbfast.cli.graph_files import GraphOut, check_graph_file, give_graph
from climbfast.cli.options.blanket_searches import SEARCH_PANEL
from climbfast.cli.options.graph_searches import GraphScore, GraphSearch, GraphTest, search_with
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.reading import Data, ReadOptions
from climbfast.cli.output import AsJson

__all__ = ["graph"]


@with_groups
def graph(
    data: Data,
    *,
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Search method: best searches all DAGs by a score, pc uses tests of independence, fges searches "
            "equivalence classes by a score. pc+climb, pc+global, fges+climb and fges+global also direct edges after "
            "the search, as --orient does.",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = "best",
    search: GraphSearch,
    out: GraphOut = None,
    score: GraphScore,
    test: GraphTest,
    reading: ReadOptions,
    as_json: AsJson = False,
) -> None:
    """Find the causal graph of all columns.

    Some options are for one method, score or test alone: their help begins with its name.
    """
    check_graph_file(out, DATA=data)
    find = search_with(method, search, score, test)
    give_graph(find(reading.read(data)), out, as_json=as_json)
