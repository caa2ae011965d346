"""Measure, fit, and write the report; what is not measured stays as it is in growth.csv."""

from __future__ import annotations

import argparse
import sys

from bench.growth.fit import fit
from bench.growth.report import FOLDER, merge, plot, read_points, results, table, write_points
from bench.growth.tasks import TASKS, Point, points, sizes_of
from bench.shared.marked_text import EVIDENCE, fill


def measure(chosen: set[tuple[str, str]], *, least: int, up_to: int) -> list[Point]:
    for task in TASKS:
        for axis in task.axes:
            if (task.name, axis) in chosen:
                sizes = ", ".join(f"{size:,}" for size in sizes_of(task, axis, least=least, up_to=up_to))
                print(f"to measure: {task.name}, {axis}: {sizes}", file=sys.stderr)
    found = []
    for point in points(chosen, least=least, up_to=up_to):
        print(f"{point.task} {point.axis} {point.size}: {point.ms:.3g} ms", file=sys.stderr, flush=True)
        found.append(point)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--again", action="store_true", help="from growth.csv as it is")
    parser.add_argument("--axis", action="append", choices=sorted({axis for task in TASKS for axis in task.axes}))
    parser.add_argument("--task", action="append", choices=[task.name for task in TASKS])
    parser.add_argument("--from", type=int, default=0, metavar="SIZE", dest="least", help="leave out smaller sizes")
    parser.add_argument(
        "--up-to", type=int, default=0, metavar="SIZE",
        help="measure the large sizes up to this one as well: 600 and 1,000 children of a hub, 25,000 and 100,000 "
        "columns, a million and ten million rows",
    )  # fmt: skip
    asked = parser.parse_args()
    file = FOLDER / "growth.csv"
    if not asked.again:
        chosen = {
            (task.name, axis)
            for task in TASKS
            for axis in task.axes
            if task.name in (asked.task or [task.name]) and axis in (asked.axis or [axis])
        }
        write_points(merge(read_points(file), measure(chosen, least=asked.least, up_to=asked.up_to)), file)
    found = read_points(file)
    growths = fit(found)
    plot(found, growths, FOLDER / "growth.png")
    (FOLDER / "RESULTS.md").write_text(results(growths), encoding="utf-8")
    fill("growth", table(growths), EVIDENCE / "growth.md")
    print(table(growths))


if __name__ == "__main__":
    main()
