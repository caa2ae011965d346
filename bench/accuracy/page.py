"""The tables of docs/evidence/accuracy.md."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bench.accuracy.methods import METHODS
from bench.accuracy.peers import PEERS
from bench.accuracy.report import table, table_by_network
from bench.accuracy.samples import FOR_REPORTING
from bench.accuracy.store import Cell
from bench.shared.marked_text import EVIDENCE, fill

__all__ = ["PAGE", "fill_page"]

PAGE = EVIDENCE / "accuracy.md"
OF_GRAPHS = ("skeleton", "directed", "compelled", "open", "SHD", "SHD of classes", "seconds")
OF_BLANKETS = ("members", "precision", "roles", "seconds")


def fill_page(cells: Iterable[Cell], page: Path = PAGE) -> None:
    """Write what the cells say of the networks for reporting, under drawn names, between the markers of the page."""
    shown = [cell for cell in cells if cell["network"] in FOR_REPORTING and cell["order"] == "random"]
    of_graphs = [cell for cell in shown if not _is_of_blankets(cell["method"])]
    graphs = [*(name for name in METHODS if not _is_of_blankets(name)), *PEERS]
    blankets = [*filter(_is_of_blankets, METHODS), "best", "fges+global", "pc+climb"]
    fill("graphs", table(of_graphs, graphs, OF_GRAPHS), page)
    fill("directed by network", table_by_network(of_graphs, graphs[: -len(PEERS)], "directed"), page)
    fill("blankets", table(shown, blankets, OF_BLANKETS), page)


def _is_of_blankets(method: str) -> bool:
    return method.startswith("blankets ")
