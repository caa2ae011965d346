"""F1 beside time, drawn."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import NullFormatter

from bench.peers.summary import Line, data_of, family

TITLES = {"pc": "PC: F1 of the skeleton", "blankets": "blankets: F1 of members", "bdeu": "BDeu: F1 of the skeleton"}
# The colors of Okabe and Ito, which the color-blind tell apart; markers tell as much again.
LOOKS = {
    "climbfast": ("#000000", "*"),
    "pyagrum": ("#E69F00", "o"),
    "pgmpy": ("#56B4E9", "s"),
    "causal-learn": ("#009E73", "D"),
    "pybnesian": ("#D55E00", "^"),
    "bnlearn-port": ("#CC79A7", "v"),
    "andrey-core": ("#0072B2", "P"),
}


def draw(lines: Iterable[Line], out: Path) -> None:
    """Draw one panel for each task and data set; replicates have none."""
    lines = [line for line in lines if line["status"] == "done" and family(line) in TITLES]
    data = list(dict.fromkeys(map(data_of, lines)))
    figure, panels = plt.subplots(
        len(TITLES), len(data), figsize=(3.6 * len(data), 8), sharex=True, sharey="row", squeeze=False
    )
    for row, (task, title) in zip(panels, TITLES.items(), strict=True):
        for panel, key in zip(row, data, strict=True):
            points(panel, [line for line in lines if data_of(line) == key and family(line) == task])
        row[0].set_ylabel(title)
    for panel, (network, rows) in zip(panels[0], data, strict=True):
        panel.set_title(f"{network.capitalize()}, {rows:,} rows", fontsize=10)
    for panel in panels[-1]:
        panel.set_xlabel("seconds on one core")
    handles = [
        plt.Line2D([], [], color=color, marker=marker, linestyle="", markersize=10 if marker == "*" else 7, label=peer)
        for peer, (color, marker) in LOOKS.items()
    ]
    figure.legend(handles=handles, loc="lower center", ncols=len(handles), frameon=False, fontsize=9)
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    figure.savefig(out, dpi=110)


def points(panel: Any, lines: Iterable[Line]) -> None:
    """Put a marker for each search into a panel."""
    for line in lines:
        color, marker = LOOKS[line["peer"]]
        size = 130 if marker == "*" else 45
        panel.scatter(line["seconds"], line["f1"], s=size, c=color, marker=marker, alpha=0.85, linewidths=0)
    panel.set_xscale("log")
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.grid(alpha=0.3, linewidth=0.5)
    panel.spines[["top", "right"]].set_visible(False)
