"""``climbfast compare``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from climbfast.cli.graphs.files import GRAPH_FILE
from climbfast.cli.graphs.page import edge_in
from climbfast.cli.options.output import AsJson
from climbfast.cli.render.tables import new_table, rendered, texts
from climbfast.cli.streams import write
from climbfast.errors import GraphError
from climbfast.graphs.compare import Comparison, Rates
from climbfast.graphs.compare import compare as compare_graphs
from climbfast.graphs.formats import read_graph
from climbfast.graphs.graph import Graph

__all__ = ["compare"]


def compare(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH", help=GRAPH_FILE, show_default=False)],
    found: Annotated[Path, typer.Argument(metavar="FOUND", help="The same.", show_default=False)],
    *,
    as_json: AsJson = False,
) -> None:
    """Compare a graph with the true one: distances, precision and recall, and every edge that differs."""
    graphs = read_graph(truth), read_graph(found)
    try:
        comparison = compare_graphs(*graphs)
    except GraphError as error:
        raise GraphError(f"{truth} and {found}: {error}") from None
    write(comparison.to_json() if as_json else _page(comparison, *graphs))


def _page(comparison: Comparison, truth: Graph, found: Graph) -> str:
    figures = new_table(["distance", ">value"])
    for name, value in _distances(comparison):
        figures.add_row(*texts([name, value]))
    rates = new_table(["edges", ">right", ">found", ">in truth", ">precision", ">recall", ">F1"])
    for name, rate in (
        ("joined at all", comparison.skeleton),
        ("directed", comparison.arrows),
        ("directed, undirected found as wrong", comparison.arrows_paper),
    ):
        rates.add_row(*texts([name, *_cells_of_rates(rate)]))
    heading = f"{comparison.nodes:,} nodes, {len(truth.skeleton):,} edges in truth, {len(found.skeleton):,} found"
    return f"{heading}\n\n{rendered(figures)}\n{rendered(rates)}\n{_differences(comparison, found, truth)}"


def _distances(comparison: Comparison) -> Iterable[tuple[str, str]]:
    yield "SHD", f"{comparison.shd:,}"
    yield "SHD without direction", f"{comparison.shd_skeleton:,}"
    if comparison.sid_lower is None or comparison.sid_upper is None:
        yield "SID", "none: it takes a true DAG, and a graph with an extension to one"
    elif comparison.sid is not None:
        yield "SID", f"{comparison.sid:,}"
    else:
        bounds = "" if comparison.sid_exact else " (bounds, node by node)"
        yield "SID of the best and worst DAG", f"{comparison.sid_lower:,} to {comparison.sid_upper:,}{bounds}"


def _cells_of_rates(rates: Rates) -> list[str]:
    counts = [f"{count:,}" for count in (rates.right, rates.found, rates.true)]
    return [*counts, *(f"{share:.3f}" for share in (rates.precision, rates.recall, rates.f1))]


def _differences(comparison: Comparison, found: Graph, truth: Graph) -> str:
    if not comparison.shd:
        return "No edge differs."
    table = new_table(["difference", "in truth", "found"])
    for kind in ("missing", "extra", "reversed", "undecided", "overdecided"):
        for x, y in getattr(comparison, kind):
            table.add_row(*texts([kind, edge_in(truth, x, y), edge_in(found, x, y)]))
    return rendered(table).rstrip()
