"""``climbfast graph``."""

from __future__ import annotations

from typing import Annotated

import typer

from climbfast.cli.graph_files import GraphOut, GraphOutFormat, check_graph_file, check_graph_format, give_graph
from climbfast.cli.options.blanket_searches import SEARCH_PANEL
from climbfast.cli.options.graph_searches import GraphScore, GraphSearch, GraphTest, search_with
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.knowledge import KnowledgeArguments
from climbfast.cli.options.reading import Data, ReadingArguments, files_of
from climbfast.cli.output import AsJson, QuoteFormulas

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
    out_format: GraphOutFormat = None,
    quote_formulas: QuoteFormulas = False,
    score: GraphScore,
    test: GraphTest,
    known: KnowledgeArguments,
    reading: ReadingArguments,
    as_json: AsJson = False,
) -> None:
    """Find the causal graph of all columns.

    Some options are for one method, score or test alone: their help begins with its name.
    """
    form = check_graph_format(out, out_format, as_json=as_json)
    check_graph_file(out, {"DATA": files_of(data), **known.files})
    find = search_with(method, search, score, test)
    typed = known.choose()
    table = reading.read(data)
    found = find(table, typed.about(table.names))
    give_graph(found, out, form, as_json=as_json, quote_formulas=quote_formulas)
