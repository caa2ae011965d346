"""The tables and the picture of docs/evidence/confidence.md, from the cells of ``bench.reports.confidence``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bench.shared.marked_text import EVIDENCE, fill

__all__ = ["PAGE", "PICTURE", "calibration_error", "draw", "fill_page", "fill_samples", "pooled", "precision", "recall"]

PAGE = EVIDENCE / "confidence.md"
PICTURE = PAGE.with_suffix(".png")
SEARCHES, SCHEMES = ("pc", "blankets", "best"), ("bootstrap", "half", "complementary")
KINDS = ("edges", "directions")
FEWEST = 10  # of which a share is shown

Cell = dict[str, Any]
Tenths = list[list[int]]


def pooled(cells: Iterable[Cell], kind: str) -> Tenths:
    """Return the tenths of several cells together, with the mean frequency in 1/1000 in place of the sum of counts.

    Sums of counts are brought to 1,000 replicates, so that cells with other numbers of replicates can be added.
    """
    total = [[0, 0, 0] for _ in range(10)]
    for cell in cells:
        for row, (number, true, count) in zip(total, cell[kind], strict=True):
            row[0] += number
            row[1] += true
            row[2] += round(1000 * count / cell["replicates"])
    return total


def calibration_error(tenths: Tenths) -> float:
    """Return the expected calibration error in percent, over all frequencies of a tenth and more.

    It is the distance between the share that is true and the mean frequency, of each tenth, weighed by their number.
    """
    above = tenths[1:]
    number = sum(row[0] for row in above)
    return 100 * sum(abs(true - count / 1000) for _, true, count in above) / number if number else 0.0


def precision(of: Sequence[int]) -> float:
    """Return the share in percent of what was found that is right."""
    return 100 * of[0] / of[1] if of[1] else 100.0


def recall(of: Sequence[int]) -> float:
    """Return the share in percent of what is true that was found."""
    return 100 * of[0] / of[2]


def fill_page(cells: Sequence[Cell], page: Path = PAGE) -> None:
    """Write what the cells say between the markers of the page."""
    fill("reliability of edges", reliability_table(cells, "edges"), page)
    fill("reliability of directions", reliability_table(cells, "directions"), page)
    fill("calibration", calibration_table(cells), page)
    fill("consensus", consensus_table(cells), page)
    fill("consensus by network", network_table(cells), page)


def fill_samples(cells: Sequence[Cell], page: Path = PAGE) -> None:
    """Write what the cells of several samples say, between its markers."""
    fill("consensus over samples", samples_table(cells), page)


def _rows_of(cells: Iterable[Cell]) -> list[int]:
    return sorted({cell["rows"] for cell in cells})


def _chosen(cells: Iterable[Cell], **values: Any) -> list[Cell]:
    return [cell for cell in cells if all(cell[name] == value for name, value in values.items())]


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def reliability_table(cells: Sequence[Cell], kind: str) -> str:
    """Return for each search, number of rows and scheme the share that is true, by the tenth of the frequency."""
    lines = []
    for search in SEARCHES:
        for rows in _rows_of(cells):
            for scheme in SCHEMES:
                same = _chosen(cells, search=search, rows=rows, scheme=scheme)
                if same:
                    shares = [_share(number, true) for number, true, _ in pooled(same, kind)]
                    lines.append([search, f"{rows:,}", scheme, *shares])
    heads = [f"{10 * place}–{10 * place + 10} %" for place in range(10)]
    return _table(["search", "rows", "scheme", *heads], lines)


def _share(number: int, true: int) -> str:
    return f"{100 * true / number:.0f}" if number >= FEWEST else "–"


def calibration_table(cells: Sequence[Cell]) -> str:
    """Return the expected calibration errors of the schemes by search and number of rows, and their means."""
    lines, errors = [], []
    for search in SEARCHES:
        for rows in _rows_of(cells):
            same = [_chosen(cells, search=search, rows=rows, scheme=scheme) for scheme in SCHEMES]
            if all(same):
                errors.append([calibration_error(pooled(each, kind)) for kind in KINDS for each in same])
                lines.append([search, f"{rows:,}", *(f"{error:.1f}" for error in errors[-1])])
    if errors:
        means = [sum(column) / len(errors) for column in zip(*errors, strict=True)]
        lines.append(["mean", "", *(f"**{mean:.1f}**" for mean in means)])
    heads = [f"{kind}, {scheme}" for kind in KINDS for scheme in SCHEMES]
    return _table(["search", "rows", *heads], lines)


def _sums(cells: Sequence[Cell], graph: str, figure: str) -> list[int]:
    return [sum(column) for column in zip(*(cell[graph][figure] for cell in cells), strict=True)]


def _pair(of: Sequence[int]) -> str:
    return f"{precision(of):.1f} / {recall(of):.1f}"


def consensus_table(cells: Sequence[Cell]) -> str:
    """Return precision and recall of the single run and of the consensus, over all networks together."""
    lines = []
    for search in SEARCHES:
        for rows in _rows_of(cells):
            for scheme in SCHEMES:
                same = _chosen(cells, search=search, rows=rows, scheme=scheme)
                if same:
                    figures = [_pair(_sums(same, graph, figure)) for figure, graph in _FIGURES]
                    lines.append([search, f"{rows:,}", scheme, *figures])
    return _table(["search", "rows", "scheme", *(f"{figure}, {_NAMES[graph]}" for figure, graph in _FIGURES)], lines)


_NAMES = {"single": "one run", "auto": "consensus", "strict": "consensus at .7"}
_FIGURES = [(figure, graph) for figure in ("skeleton", "directed") for graph in _NAMES]


def network_table(cells: Sequence[Cell], scheme: str = "bootstrap") -> str:
    """Return precision and recall of the directed edges of one scheme, a line for each network and number of rows."""
    lines = []
    for network in dict.fromkeys(cell["network"] for cell in cells):
        for rows in _rows_of(cells):
            figures = []
            for search in SEARCHES:
                same = _chosen(cells, network=network, rows=rows, scheme=scheme, search=search)
                figures += [_pair(_sums(same, graph, "directed")) if same else "–" for graph in ("single", "auto")]
            if set(figures) != {"–"}:
                lines.append([network, f"{rows:,}", *figures])
    heads = [f"{search}, {name}" for search in SEARCHES for name in ("one run", "consensus")]
    return _table(["network", "rows", *heads], lines)


def samples_table(cells: Sequence[Cell]) -> str:
    """Return precision and recall of the directed edges over all samples of a network, with the number of samples."""
    lines = []
    for search in SEARCHES:
        for network in dict.fromkeys(cell["network"] for cell in cells):
            same = _chosen(cells, search=search, network=network)
            if same:
                figures = [_pair(_sums(same, graph, "directed")) for graph in ("single", "auto")]
                lines.append([search, network, str(len(same)), *figures])
    return _table(["search", "network", "samples", "one run", "consensus"], lines)


# The colors of Okabe and Ito, which the color-blind tell apart; markers for print.
_LOOKS = {"bootstrap": ("#0072B2", "o"), "half": ("#D55E00", "s"), "complementary": ("#009E73", "^")}


def draw(cells: Sequence[Cell], file: Path = PICTURE) -> None:
    """Draw the shares that are true by mean frequency: a row of panels for edges, one for directions."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 6.6), layout="constrained")
    panels = figure.subplots(len(KINDS), len(SEARCHES), sharex=True, sharey=True, squeeze=False)
    for row, kind in zip(panels, KINDS, strict=True):
        row[0].set_ylabel(f"share of {kind} that are true")
        for panel, search in zip(row, SEARCHES, strict=True):
            panel.plot((0, 1), (0, 1), color="0.7", linewidth=1)
            for scheme in SCHEMES:
                color, marker = _LOOKS[scheme]
                tenths = pooled(_chosen(cells, search=search, scheme=scheme), kind)
                points = [(count / 1000 / n, true / n) for n, true, count in tenths if n >= FEWEST]
                if points:
                    panel.plot(*zip(*points, strict=True), color=color, marker=marker, markersize=4, label=scheme)
            panel.grid(alpha=0.3)
            panel.set_aspect("equal")
    for panel, search in zip(panels[0], SEARCHES, strict=True):
        panel.set_title(search)
    for panel in panels[-1]:
        panel.set_xlabel("frequency")
    panels[0][0].legend(frameon=False)
    figure.savefig(file, dpi=110, metadata={"Software": None})
