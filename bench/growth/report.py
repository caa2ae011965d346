"""The report: RESULTS.md, growth.csv, growth.png, and the table of docs/evidence/growth.md."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.growth.fit import Growth
from bench.growth.tasks import (
    CORE,
    GIVEN,
    OF_CHILDREN,
    OF_COLUMNS,
    OF_GIVEN,
    OF_PARENTS,
    OF_ROWS,
    PARENTS,
    TASKS,
    Point,
)

FOLDER = Path(__file__).parent

EXPECTED = {
    ("screen", "rows"): "1: m²/2 pairs of 4 free cells, n/64 words each; less while the bound of a pair, which rows do "
    "not make longer, outweighs the words.",
    ("screen", "columns"): "2: m² n/64 words.",
    ("neighbors", "rows"): "1: n/64 words a cell; more as rows let weaker dependences in.",
    ("neighbors", "columns"): "1, every column having as many neighbors, plus the pairs that depend by chance, which "
    "are a share of m².",
    ("neighbors", "given"): "below the arity, 3, by which strata grow, times c / size, by which the sets among "
    "c members do: candidates leave early.",
    ("batch", "rows"): "1, as the passes that it is made of; more with the neighbors, since their partition takes up "
    "to 2^c steps.",
    ("batch", "columns"): "1 while neighbors and partitions outweigh the screen, 2 once it is the screen.",
    ("batch", "given"): "no power law: small sets leave false neighbors, whose partition takes up to 2^c steps, large "
    "ones take more tests.",
    ("one target", "rows"): "1: n/64 words a cell; more as rows let weaker dependences in: of c neighbors c⁴/24 sets "
    "are counted.",
    ("one target", "columns"): "1 once it is the sweep of m tests; 0 while it is the search among the neighbors, which "
    "is the same for all m.",
    ("one target", "given"): "as neighbors; as batch where false neighbors are many.",
    (
        "neighbors",
        "parents",
    ): "no power law: a column with more parents has more children, too, and of c neighbors c³/6 "
    "sets are given; but what many parents do is weak, and candidates leave early.",
    ("batch", "parents"): "as neighbors, and the partition takes up to 2^c steps.",
    (
        "hub",
        "children",
    ): "up to 4 until there are 32 children, of all of which all sets of up to three are given; beyond, "
    "1 while sets of two and three out of the nearest are most of the tests, 2 once it is those of one column.",
    ("sweep", "given"): "3, the arity, while bitmaps are counted; near 1 once the rows are, that is from about n/70 "
    "cells.",
}
OF_AXIS = {
    "rows": "n (rows)",
    "columns": "m (columns)",
    "given": "given columns",
    "parents": "parents",
    "children": "children",
}
# Okabe and Ito's colors, which the color-blind tell apart; markers for print.
STYLE = {
    "screen": ("#0072B2", "o"),
    "neighbors": ("#D55E00", "s"),
    "batch": ("#009E73", "^"),
    "one target": ("#CC79A7", "D"),
    "sweep": ("#000000", "v"),
    "hub": ("#E69F00", "P"),
}
INTRODUCTION = f"""# How cost grows as work grows

Written by `python -m bench.growth`. Time is that of the processor, on one core, in multiples of the bare loop. The data
are independent copies of one network of {CORE} columns of three levels. Rows grow at {OF_ROWS} columns, columns at
{OF_COLUMNS:,} rows, given columns at {OF_GIVEN[0]} columns of {OF_GIVEN[1]:,} rows: `max_given`, or for a sweep the
columns that are given. Parents are those of each column of another network, at {OF_PARENTS[0]} columns of
{OF_PARENTS[1]:,} rows; children those of one hub, among 100 other columns of {OF_CHILDREN:,} rows. Sizes from a
million rows, 25,000 columns or 600 children up are measured once, by `python -m bench.growth --up-to SIZE`; the table
says which sizes were. Time ~ size^exponent; along given columns the figure is the factor of one more. The residual is
the root mean square of log(time / line).

![Times](growth.png)

| task | along | sizes | exponent | of the last three | residual | what it should be |
|---|---|---|---|---|---|---|"""


def write_points(points: Iterable[Point], file: Path) -> None:
    with file.open("w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(Point._fields)
        rows.writerows((*point[:3], f"{point.times:.4g}", f"{point.ms:.4g}") for point in points)


def merge(before: Iterable[Point], new: Iterable[Point]) -> list[Point]:
    """Return the new points and those of other sizes, in the order of the tasks, their axes and sizes."""
    of_size = {point[:3]: point for point in (*before, *new)}
    order = [(task.name, axis) for task in TASKS for axis in task.axes]
    known = [point for point in of_size.values() if point[:2] in order]
    return sorted(known, key=lambda point: (order.index(point[:2]), point.size))


def read_points(file: Path) -> list[Point]:
    with file.open(newline="") as rows:
        return [
            Point(row["task"], row["axis"], int(row["size"]), float(row["times"]), float(row["ms"]))
            for row in csv.DictReader(rows)
        ]


def table(growths: Iterable[Growth]) -> str:
    """Return the exponents as a Markdown table, a row a task."""
    found = {(growth.task, growth.axis): growth for growth in growths}
    lines = [
        "| task | n (rows) | m (columns) | one more given column | parents | children |",
        "|---|---|---|---|---|---|",
    ]
    for task in dict.fromkeys(task for task, _ in found):
        cells = []
        for axis in OF_AXIS:
            growth = found.get((task, axis))
            mark = "× {:.2f} ({:.2f})" if axis == "given" else "{:.2f} ({:.2f})"
            cells.append(mark.format(growth.exponent, growth.at_the_end) if growth else "")
        lines.append(f"| {task} | {' | '.join(cells)} |")
    return "\n".join(lines)


def results(growths: Sequence[Growth]) -> str:
    """Return RESULTS.md."""
    lines = [INTRODUCTION]
    for growth in growths:
        sizes = f"{growth.sizes[0]:,} to {growth.sizes[-1]:,}"
        mark = "× " if growth.axis == "given" else ""
        lines.append(
            f"| {growth.task} | {OF_AXIS[growth.axis]} | {sizes} | {mark}{growth.exponent:.2f} | "
            f"{mark}{growth.at_the_end:.2f} | {growth.residual:.0%} | {EXPECTED[growth.task, growth.axis]} |"
        )
    return "\n".join(lines) + "\n"


def plot(points: Sequence[Point], growths: Iterable[Growth], file: Path) -> None:
    """Draw the points of each axis, joined, with the exponents in the legend."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(18, 4.5), layout="constrained")
    panels = dict(zip(OF_AXIS, figure.subplots(1, len(OF_AXIS)), strict=True))
    for growth in growths:
        here = [point for point in points if (point.task, point.axis) == (growth.task, growth.axis)]
        color, marker = STYLE[growth.task]
        factor = "× " if growth.axis == "given" else ""
        panels[growth.axis].plot(
            [point.size for point in here], [point.ms for point in here], color=color, marker=marker,
            label=f"{growth.task}: {factor}{growth.exponent:.2f}",
        )  # fmt: skip
    for axis, panel in panels.items():
        panel.set_yscale("log")
        panel.set_xscale("linear" if axis in ("given", "parents") else "log")
        panel.set_xlabel(OF_AXIS[axis])
        panel.grid(alpha=0.3)
        panel.tick_params(which="minor", labelbottom=False)
        panel.legend(frameon=False, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    panels["given"].set_xticks(GIVEN)
    panels["parents"].set_xticks(PARENTS)
    panels["rows"].set_ylabel("milliseconds of one core")
    figure.savefig(file, dpi=120)
