"""Tables of measured cells, in Markdown: means over networks of the means over their samples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from bench.accuracy.store import Cell

__all__ = ["FIGURES", "f1", "figures_of", "table", "table_by_network"]

FIGURES: Mapping[str, Callable[[Cell], float | None]] = {
    "skeleton": lambda cell: _f1_of(cell, "skeleton"),
    "directed": lambda cell: _f1_of(cell, "directed"),
    "compelled": lambda cell: _share_right(cell.get("compelled")),
    "open": lambda cell: _share_right(cell.get("open")),
    "SHD": lambda cell: cell.get("shd"),
    "SHD of classes": lambda cell: cell.get("shd_class"),
    "members": lambda cell: _f1_of(cell, "members"),
    "precision": lambda cell: _precision_of(cell, "members"),
    "roles": lambda cell: _f1_of(cell, "roles"),
    "seconds": lambda cell: cell.get("seconds"),
}
"""Each in percent, but for the distances and the seconds; None where a cell has no such figure."""


def f1(right: int, found: int, true: int) -> float:
    """Return F1 in percent; 100 if there is nothing to find and nothing was found."""
    return 200 * right / (found + true) if found + true else 100.0


def _f1_of(cell: Cell, name: str) -> float | None:
    return f1(*cell[name]) if name in cell else None


def _precision_of(cell: Cell, name: str) -> float | None:
    if name not in cell:
        return None
    right, found, _ = cell[name]
    return 100 * right / found if found else 100.0


def _share_right(fates: Mapping[str, int] | None) -> float | None:
    total = sum(fates.values()) if fates else 0
    return 100 * fates["right"] / total if fates and total else None


def figures_of(cells: Iterable[Cell]) -> dict[str, float | None]:
    """Return the mean of every figure: over the networks, of the mean over the samples of each."""
    by_network: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells:
        by_network[cell["network"]].append(cell)
    return {
        name: _mean([_mean([figure(cell) for cell in same]) for same in by_network.values()])
        for name, figure in FIGURES.items()
    }


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def table(cells: Iterable[Cell], methods: Sequence[str], figures: Sequence[str] | None = None) -> str:
    """Return a line for each number of rows and method, with the figures that some line has.

    A method that has not been measured on all samples of others has the share of them behind its name.
    """
    by_line: dict[tuple[int, str], list[Cell]] = defaultdict(list)
    for cell in cells:
        if "failed" not in cell:
            by_line[cell["rows"], cell["method"]].append(cell)
    means = {line: figures_of(same) for line, same in by_line.items()}
    shown = [name for name in figures or FIGURES if any(each[name] is not None for each in means.values())]
    lines = [f"| rows | method | {' | '.join(shown)} |", "|---|---|" + "---|" * len(shown)]
    for rows in sorted({rows for rows, _ in by_line}):
        most = max(len(same) for (of, _), same in by_line.items() if of == rows)
        for method in methods:
            same = by_line.get((rows, method))
            if same:
                part = "" if len(same) == most else f" ({len(same)} of {most} samples)"
                values = " | ".join(_text(name, means[rows, method][name]) for name in shown)
                lines.append(f"| {rows:,} | {method}{part} | {values} |")
    return "\n".join(lines)


def table_by_network(cells: Iterable[Cell], methods: Sequence[str], figure: str) -> str:
    """Return a line for each network and number of rows, with one figure of each method; the best is bold."""
    by_place: dict[tuple[str, int, str], list[Cell]] = defaultdict(list)
    for cell in cells:
        by_place[cell["network"], cell["rows"], cell["method"]].append(cell)
    shown = [method for method in methods if any(method == of for *_, of in by_place)]
    lines = [f"| {figure} | rows | {' | '.join(shown)} |", "|---|---|" + "---|" * len(shown)]
    for network, rows in dict.fromkeys((network, rows) for network, rows, _ in by_place):
        values = [_mean(FIGURES[figure](cell) for cell in by_place.get((network, rows, of), ())) for of in shown]
        known = [value for value in values if value is not None]
        best = (min if figure in ("SHD", "SHD of classes", "seconds") else max)(known, default=None)
        texts = (f"**{_text(figure, each)}**" if each == best else _text(figure, each) for each in values)
        lines.append(f"| {network} | {rows:,} | {' | '.join(texts)} |")
    return "\n".join(lines)


def _text(figure: str, value: Any) -> str:
    if value is None:
        return ""
    return (
        f"{value:.3g}"
        if figure == "seconds" and value < 100
        else f"{value:.1f}"
        if figure != "seconds"
        else f"{value:.0f}"
    )
