"""The short table of the README, out of results that other scripts keep: ``python -m bench.reports.highlights``.

Each line has climbfast's figure beside that of the best of all other packages measured: in time the fastest search for
the same, in accuracy the method with the largest F1, on the samples on which both were measured.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.accuracy.__main__ import RESULTS as ACCURACY_RESULTS
from bench.accuracy.methods import METHODS
from bench.accuracy.report import figures_of
from bench.accuracy.store import Cell, Store
from bench.peers.__main__ import RESULTS as PEERS_RESULTS
from bench.peers.summary import OURS, Line, data_of, duration, family, fastest_peer, two_digits
from bench.shared.marked_text import fill

__all__ = ["README", "accuracy_line", "highlights", "time_line"]

TIMES = (
    ("stable PC", "pc", ("andes", 5_000)),
    ("greedy search by BDeu", "bdeu", ("andes", 5_000)),
    ("the blankets of all columns", "blankets", ("andes", 5_000)),
    ("PC, 20 replicates", "bootstrap_pc", ("alarm", 20_000)),
)
README = Path(__file__).parents[2] / "README.md"
ROWS, FEWEST_NETWORKS = 2_000, 5
ACCURACY = (("edges found", "skeleton"), ("edges found with their direction", "directed"))


def highlights(cells: Sequence[Cell], lines: Sequence[Line]) -> str:
    """Return the table in Markdown."""
    heads = ["", "climbfast", "best of the others", "who that is"]
    rows = [heads, ["---", "---:", "---:", "---"]]
    rows += [accuracy_line(what, figure, cells) for what, figure in ACCURACY]
    rows += [time_line(what, task, data, lines) for what, task, data in TIMES]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def accuracy_line(what: str, figure: str, cells: Iterable[Cell]) -> list[str]:
    """Return a line with F1 in percent of ``best`` and of the method that comes nearest to it, on the same samples."""
    of_rows = [cell for cell in cells if cell["rows"] == ROWS and "failed" not in cell]
    ours = {_sample(cell): cell for cell in of_rows if cell["method"] == "best"}
    compared: list[tuple[float, float, str]] = []
    for method in sorted({cell["method"] for cell in of_rows}.difference(METHODS)):
        theirs = {_sample(cell): cell for cell in of_rows if cell["method"] == method and _sample(cell) in ours}
        if len({network for network, _ in theirs}) >= FEWEST_NETWORKS:
            other, own = (figures_of(of[sample] for sample in theirs)[figure] or 0.0 for of in (theirs, ours))
            compared.append((other, own, method))
    other, own, method = max(compared, key=lambda each: each[0] - each[1])
    return [f"{what}: F1 at {ROWS:,} rows", f"{own:.0f} %", f"{other:.0f} %", method]


def _sample(cell: Cell) -> tuple[str, int]:
    return cell["network"], cell["seed"]


def time_line(what: str, task: str, data: tuple[str, int], lines: Sequence[Line]) -> list[str]:
    """Return a line with the time of climbfast's defaults and that of the fastest other search for the same."""
    other = fastest_peer(lines, task, data)
    own = next(
        line
        for line in lines
        if line["peer"] == OURS and line["task"] == family(line) == task and data_of(line) == data
    )
    if other is None:
        raise ValueError(f"no other package has finished {task} on {data[0]}")
    network, rows = data
    times = two_digits(other["seconds"] / own["seconds"])
    where = f"{what}, {network.capitalize()}, {rows:,} rows"
    return [where, duration(own["seconds"]), f"{duration(other['seconds'])} ({times} ×)", other["peer"]]


if __name__ == "__main__":
    lines = [json.loads(line) for line in PEERS_RESULTS.read_text("utf-8").splitlines()]
    fill("highlights", highlights(list(Store(ACCURACY_RESULTS / "accuracy.jsonl")), lines), README)
