"""``climbfast graph``."""

from __future__ import annotations

from typing import Annotated

import typer

from climbfast.cli.graph_files import GraphOut, GraphOutFormat, check_graph_file, check_graph_format, give_graph
from climbfast.cli.options.blanket_searches import SEARCH_PANEL
from climbfast.cli.options.graph_searches import GraphScore, GraphSearch, GraphTest, search_in_a_worker, search_with
from climbfast.cli.options.groups import with_groups
from climbfast.cli.options.knowledge import KnowledgeArguments
from climbfast.cli.options.pictures import NeighborhoodPictureArguments
from climbfast.cli.options.reading import Data, ReadingArguments, files_of
from climbfast.cli.options.replicates import FrequencyArguments
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
    frequencies: FrequencyArguments,
    picture: NeighborhoodPictureArguments,
    reading: ReadingArguments,
    as_json: AsJson = False,
) -> None:
    """Find the causal graph of all columns.

    Some options are for one method, score or test alone: their help begins with its name.
    """
    form = check_graph_format(out, out_format, as_json=as_json)
    check_graph_file(out, {"DATA": files_of(data), **known.files})
    frequencies.check()
    picture.check({"DATA": files_of(data), "--out": out, **known.files})
    has_workers = frequencies.bootstrap is None or method.startswith("pc")  # else --jobs is for the replicates alone
    find = (search_with if has_workers else search_in_a_worker)(method, search, score, test)
    typed = known.choose()
    table = reading.read(data)
    drawn = picture.columns_among(table.names)
    knowledge = typed.about(table.names)
    found = find(table, knowledge)
    if frequencies.bootstrap is not None:
        find = search_in_a_worker(method, search, score, test)
        workers = -1 if search.jobs is None else search.jobs
        found = frequencies.added_to(found, table, find, knowledge=knowledge, n_jobs=workers)
    give_graph(found, out, form, as_json=as_json, quote_formulas=quote_formulas)
    picture.draw(found, drawn)
