"""F1 beside time, ``python plot.py RESULTS.jsonl OUT.png``. Runs in an environment with matplotlib alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import NullFormatter

FAMILIES = {"pc": "PC: F1 of the skeleton", "blankets": "blankets: F1 of members", "bdeu": "BDeu: F1 of the skeleton"}
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


def main(results: Path, out: Path) -> None:
    """Draw one panel for each task and data set."""
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    lines = [line for line in lines if line["status"] == "done"]
    data = list(dict.fromkeys((line["network"], line["rows"]) for line in lines))
    figure, panels = plt.subplots(
        len(FAMILIES), len(data), figsize=(3.6 * len(data), 8), sharex=True, sharey="row", squeeze=False
    )
    for row, (family, title) in zip(panels, FAMILIES.items(), strict=True):
        for panel, (network, rows) in zip(row, data, strict=True):
            for line in lines:
                if (line["network"], line["rows"]) == (network, rows) and line["task"].partition("-")[0] == family:
                    color, marker = LOOKS[line["peer"]]
                    size = 130 if marker == "*" else 45
                    panel.scatter(line["seconds"], line["f1"], s=size, c=color, marker=marker, alpha=0.85, linewidths=0)
            panel.set_xscale("log")
            panel.xaxis.set_minor_formatter(NullFormatter())
            panel.grid(alpha=0.3, linewidth=0.5)
            panel.spines[["top", "right"]].set_visible(False)
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


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
