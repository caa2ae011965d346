"""Has anything become slower? ``python -m bench.tools.check`` compares with ``bench/baseline.csv``; a minute or two.

The benchmarks that are lines of the baseline are measured in calibrated time (``bench/shared/calibrated_clock.py``).
One that is more than 25 % over its baseline is measured again, a while later, and is slower when it stays over every
time.
Exit code 1: something is slower, failed, or did not run.
"""

from __future__ import annotations

import argparse
import csv
import io
import statistics
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

import pytest
from llvmlite.binding import get_host_cpu_name

from bench.shared.calibrated_benchmark import CalibrationPlugin
from bench.shared.calibrated_clock import LOOPS, Window

ROOT = Path(__file__).parents[2]
BASELINE = ROOT / "bench" / "baseline.csv"
TOLERATED = 1.25
FURTHER_RUNS = 4  # of what looks slow
PAUSE = 3.0  # seconds before each, in which a disturbance may end
RUNS_OF_BASELINE = 3

Run = Callable[[Collection[str]], Mapping[str, Window]]


@dataclass(frozen=True)
class Line:
    """What the baseline says of one benchmark: time in multiples of a loop, and milliseconds where it was made."""

    benchmark: str
    loop: str
    times: float
    ms: float
    processor: str = field(default="", compare=False)  # the kind of it there


@dataclass(frozen=True)
class Comparison:
    """One benchmark now and in the baseline; ``now`` is None when it did not run."""

    line: Line
    now: float | None

    @property
    def ratio(self) -> float:
        """Calibrated time over that of the baseline."""
        return float("inf") if self.now is None else self.now / self.line.times

    @property
    def verdict(self) -> str:
        """What the table says of it: slower, faster, did not run, or nothing."""
        if self.now is None:
            return "did not run"
        return "slower" if self.ratio > TOLERATED else "faster" if self.ratio < 1 / TOLERATED else ""

    @property
    def fails(self) -> bool:
        """Whether it is slower, or did not run."""
        return self.ratio > TOLERATED


def compare(baseline: Iterable[Line], run: Run, pause: Callable[[], object] = lambda: None) -> list[Comparison]:
    """Run the benchmarks of the baseline, and what looks slow again; the least time counts."""
    lines = {line.benchmark: line for line in baseline}
    found = {name: Comparison(line, None) for name, line in lines.items()}
    left = list(lines)
    for further in range(1 + FURTHER_RUNS):
        if further and left:
            pause()
        for name, window in (run(left) if left else {}).items():
            times, before = window.times(lines[name].loop), found[name].now
            found[name] = Comparison(lines[name], times if before is None else min(before, times))
        left = [name for name in left if found[name].verdict == "slower"]
    return list(found.values())


def median_line(name: str, windows: Collection[Window], loop: str | None) -> Line:
    """Return the line of a baseline: the median of several runs, by the loop given or that they agree on best."""

    def spread(kind: str) -> float:
        times = [window.times(kind) for window in windows]
        return max(times) / min(times)

    kind = loop or min(LOOPS, key=spread)
    times = statistics.median(window.times(kind) for window in windows)
    least = float(f"{1e3 * min(w.seconds for w in windows):.3g}")
    return Line(name, kind, float(f"{times:.4g}"), least, get_host_cpu_name())


def renew(lines: Iterable[Line], runs: Collection[Mapping[str, Window]]) -> list[Line]:
    """Return the lines of all benchmarks that every run measured; known ones keep their loop."""
    loops = {line.benchmark: line.loop for line in lines}
    names = set.intersection(*(set(run) for run in runs))
    return [median_line(name, [run[name] for run in runs], loops.get(name)) for name in sorted(names)]


def read(file: Path) -> list[Line]:
    with file.open(newline="") as rows:
        return [
            Line(row["benchmark"], row["loop"], float(row["times"]), float(row["ms"]), row["processor"])
            for row in csv.DictReader(rows)
        ]


def write(lines: Iterable[Line], file: Path) -> None:
    with file.open("w", newline="") as out:
        rows = csv.DictWriter(out, [each.name for each in fields(Line)], lineterminator="\n")
        rows.writeheader()
        rows.writerows(asdict(line) for line in lines)


class BenchmarkError(Exception):
    """A benchmark ended with an error; the message is what pytest said."""


def run_chosen(chosen: Callable[[str], bool]) -> dict[str, Window]:
    """Measure the benchmarks chosen by name.

    Raises
    ------
    BenchmarkError
    """
    plugin = CalibrationPlugin(chosen, _progress)
    said = io.StringIO()
    with redirect_stdout(said):
        where = [str(ROOT / "bench" / "benchmarks"), f"--rootdir={ROOT}", "--import-mode=importlib"]
        code = pytest.main([*where, "-p", "no:benchmark", "-q"], plugins=[plugin])
    _progress("")
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise BenchmarkError(said.getvalue())
    return plugin.windows


def _progress(name: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{name}", end="", file=sys.stderr, flush=True)


def show(comparisons: Iterable[Comparison]) -> None:
    """Print the table."""
    from rich.console import Console
    from rich.table import Table

    table = Table("benchmark", "loop", box=None)
    for heading in ("baseline", "now", "ratio"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for each in comparisons:
        now, ratio = ("", "") if each.now is None else (f"{each.now:.4g}", f"{each.ratio:.2f}")
        style = "red" if each.fails else "green" if each.verdict else ""
        # A name has brackets, which are rich's markup.
        name = each.line.benchmark.replace("[", "\\[")
        table.add_row(name, each.line.loop, f"{each.line.times:.4g}", now, ratio, each.verdict, style=style)
    width = None if sys.stdout.isatty() else 120
    Console(width=width).print(table)


def make_baseline(lines: list[Line], replaced: list[Line], chosen: Callable[[str], bool]) -> list[Line]:
    """Return the baseline with some lines replaced by what is measured now; those that did not run are dropped."""
    new = renew(lines, [run_chosen(chosen) for _ in range(RUNS_OF_BASELINE)])
    measured = {line.benchmark for line in new}
    others = [line for line in lines if line not in replaced and line.benchmark not in measured]
    print(f"{len(new)} lines are new, {len(others)} as before")
    return sorted([*others, *new], key=lambda line: line.benchmark)


def check(lines: list[Line]) -> int:
    """Compare, print the table, and return the exit code."""
    comparisons = compare(lines, lambda names: run_chosen(set(names).__contains__), lambda: time.sleep(PAUSE))
    show(comparisons)
    here = get_host_cpu_name()
    if others := sorted({line.processor for line in lines} - {here}):
        print(
            f"The baseline is of {', '.join(others)}, and this is {here}: make one here first, as bench/README.md says."
        )
    failing = sum(each.fails for each in comparisons)
    print(f"{failing} of {len(comparisons)} are more than {TOLERATED - 1:.0%} over the baseline, or did not run")
    return int(failing > 0)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.tools.check", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", metavar="PATTERN", default="", help="lines of the baseline with this in their name")
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--update", action="store_true", help="what is measured now is the new baseline")
    change.add_argument(
        "--add", metavar="PATTERN", nargs="+", help="take benchmarks with one of these in their name into the baseline"
    )
    parser.add_argument("--baseline", metavar="FILE", type=Path, default=BASELINE, help="another one than bench's own")
    options = parser.parse_args(arguments)
    if options.only and options.add:
        parser.error("--only chooses lines of the baseline; --add has its own patterns")
    lines = read(options.baseline) if options.baseline.exists() else []
    chosen = [line for line in lines if options.only in line.benchmark]
    if not (chosen or options.add):
        parser.error(f"no line of {options.baseline.name} has {options.only!r} in its name")
    try:
        if options.add:
            everything = make_baseline(lines, [], lambda name: any(pattern in name for pattern in options.add))
            write(everything, options.baseline)
        elif options.update:
            names = {line.benchmark for line in chosen}
            write(make_baseline(lines, chosen, names.__contains__), options.baseline)
        else:
            return check(chosen)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
