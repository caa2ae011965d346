"""``climbfast compare``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from climbfast.cli.graph_files import GRAPH_ARGUMENT, GraphFormat, read_graph_file
from climbfast.cli.output import AsJson
from climbfast.cli.render import MOST_SHOWN, edge_in, new_table, note_of_rest, render_table, texts
from climbfast.cli.result_files import ResultOut, check_result_file, give_result
from climbfast.errors import GraphError, OptionError
from climbfast.graphs.compare import Comparison, Rates
from climbfast.graphs.compare import compare as compare_graphs
from climbfast.graphs.graph import Graph

__all__ = ["compare"]


def compare(
    truth: Annotated[
        Path,
        typer.Argument(metavar="TRUTH", help=f"The true graph: {GRAPH_ARGUMENT}", show_default=False),
    ],
    found: Annotated[
        Path,
        typer.Argument(metavar="FOUND", help="The graph that was found, in any of these formats.", show_default=False),
    ],
    *,
    graph_format: GraphFormat = None,
    out: ResultOut = None,
    as_json: AsJson = False,
) -> None:
    """Compare a graph with the true graph: distances, precision, recall, and the edges that differ."""
    if str(truth) == str(found) == "-":
        raise OptionError("TRUTH and FOUND cannot both be standard input; name a file for one of them")
    check_result_file(out, {"TRUTH": truth, "FOUND": found})
    graphs = read_graph_file(truth, graph_format), read_graph_file(found, graph_format)
    try:
        comparison = compare_graphs(*graphs)
    except GraphError as error:
        raise GraphError(f"{truth} and {found}: {error}") from None
    give_result(lambda: _page(comparison, *graphs), comparison.to_json, out, as_json=as_json)


def _page(comparison: Comparison, truth: Graph, found: Graph) -> str:
    figures = new_table(["distance", ">value"])
    for name, value in _distances(comparison):
        figures.add_row(*texts([name, value]))
    rates = new_table(["edges", ">correct", ">found", ">true", ">precision", ">recall", ">F1"])
    for name, rate in (
        ("skeleton (without directions)", comparison.skeleton),
        ("directed edges", comparison.arrows),
        ("directed, undirected counted as wrong", comparison.arrows_paper),
    ):
        rates.add_row(*texts([name, *_cells_of_rates(rate)]))
    edges = f"{len(truth.skeleton):,} edges in the true graph, {len(found.skeleton):,} in the graph found"
    heading = f"{comparison.nodes:,} nodes; {edges}"
    return f"{heading}\n\n{render_table(figures)}\n\n{render_table(rates)}\n\n{_differences(comparison, found, truth)}"


def _distances(comparison: Comparison) -> Iterable[tuple[str, str]]:
    yield "SHD", f"{comparison.shd:,}"
    yield "SHD of the skeletons", f"{comparison.shd_skeleton:,}"
    if comparison.sid_lower is None or comparison.sid_upper is None:
        yield "SID", "not defined: TRUTH must be a DAG, and FOUND must have an extension to a DAG"
    elif comparison.sid is not None:
        yield "SID", f"{comparison.sid:,}"
    else:
        bounds = "" if comparison.sid_exact else " (bounds)"
        yield (
            "SID of the best and the worst DAG in the class",
            f"{comparison.sid_lower:,} to {comparison.sid_upper:,}{bounds}",
        )


def _cells_of_rates(rates: Rates) -> list[str]:
    counts = [f"{count:,}" for count in (rates.right, rates.found, rates.true)]
    return [*counts, *(f"{share:.3f}" for share in (rates.precision, rates.recall, rates.f1))]


def _differences(comparison: Comparison, found: Graph, truth: Graph) -> str:
    kinds = ("missing", "extra", "reversed", "undecided", "overdecided")
    differences = [(kind, x, y) for kind in kinds for x, y in getattr(comparison, kind)]
    if not differences:
        return "The graphs have the same edges."
    table = new_table(["difference", "true graph", "graph found"])
    for kind, x, y in differences[:MOST_SHOWN]:
        table.add_row(*texts([kind, edge_in(truth, x, y), edge_in(found, x, y)]))
    return render_table(table) + note_of_rest(len(differences), "--json")
