"""Measure, fit, and write the report; with ``--again`` from growth.csv, without measuring."""

from __future__ import annotations

import argparse
import sys

from bench.growth.fit import fit
from bench.growth.report import FOLDER, plot, read_points, results, table, write_points
from bench.growth.tasks import Point, points
from bench.shared.readme import fill


def measure() -> list[Point]:
    found = []
    for point in points():
        print(f"{point.task} {point.axis} {point.size}: {point.ms:.3g} ms", file=sys.stderr, flush=True)
        found.append(point)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--again", action="store_true", help="from growth.csv as it is")
    file = FOLDER / "growth.csv"
    if not parser.parse_args().again:
        write_points(measure(), file)
    found = read_points(file)
    growths = fit(found)
    plot(found, growths, FOLDER / "growth.png")
    (FOLDER / "RESULTS.md").write_text(results(growths), encoding="utf-8")
    fill("growth", table(growths))
    print(table(growths))


if __name__ == "__main__":
    main()
