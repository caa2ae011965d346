"""Has anything become slower? ``python -m bench.tools.check`` compares with ``bench/baseline.csv``; some six minutes.

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
from bench.shared.calibrated_clock import LEAST_ROUNDS, LONG, LOOPS, MOST_ROUNDS, Window
from climbfast.atomic_write import atomic_write

ROOT = Path(__file__).parents[2]
BASELINE = ROOT / "bench" / "baseline.csv"
TOLERATED = 1.25
FURTHER_RUNS = 4  # of what looks slow
PAUSE = 3.0  # seconds before each, in which a disturbance may end
RUNS_OF_BASELINE = 3
RUNS_OF_LONG = 2  # of a benchmark whose call takes more than LONG

RULES = (
    f"A benchmark has {LEAST_ROUNDS} to {MOST_ROUNDS} rounds, and its least time counts. One that takes more than "
    f"{LONG / LEAST_ROUNDS:g} s has as many rounds as fit into {LONG:g} s, after two calls, which count too. A line "
    f"is the median of {RUNS_OF_BASELINE} runs, of {RUNS_OF_LONG} where a call takes more than {LONG:g} s. It is in "
    "the file before the next benchmark begins, so that --add goes on where it was stopped when it is called again."
)

Run = Callable[[Collection[str]], Mapping[str, Window]]


@dataclass(frozen=True)
class Line:
    """What the baseline says of one benchmark on one kind of processor: time in multiples of a loop, and in ms."""

    benchmark: str
    loop: str
    times: float
    ms: float
    processor: str = field(default="", compare=False)


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


def lines_for(processor: str, lines: Iterable[Line]) -> list[Line]:
    """Return a line for each benchmark: that of this kind of processor, or where it has none that of another."""
    return list({line.benchmark: line for line in sorted(lines, key=lambda line: line.processor == processor)}.values())


def read(file: Path) -> list[Line]:
    with file.open(newline="") as rows:
        return [
            Line(row["benchmark"], row["loop"], float(row["times"]), float(row["ms"]), row["processor"])
            for row in csv.DictReader(rows)
        ]


def write(lines: Iterable[Line], file: Path) -> None:
    """Replace the file completely, or not at all."""
    text = io.StringIO()
    rows = csv.DictWriter(text, [each.name for each in fields(Line)], lineterminator="\n")
    rows.writeheader()
    rows.writerows(asdict(line) for line in lines)
    with atomic_write(file) as out:
        out.write(text.getvalue().encode())


class BenchmarkError(Exception):
    """A benchmark ended with an error; the message is what pytest said."""


def run_chosen(chosen: Callable[[str], bool]) -> dict[str, Window]:
    """Measure the benchmarks chosen by name.

    Raises
    ------
    BenchmarkError
    KeyboardInterrupt
    """
    plugin = CalibrationPlugin(chosen, _progress)
    said = io.StringIO()
    with redirect_stdout(said):
        where = [str(ROOT / "bench" / "benchmarks"), f"--rootdir={ROOT}", "--import-mode=importlib"]
        code = pytest.main([*where, "-p", "no:benchmark", "-q"], plugins=[plugin])
    _progress("")
    if plugin.is_interrupted:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise BenchmarkError(said.getvalue())
    return plugin.windows


def benchmark_names() -> list[str]:
    """Return the names of all benchmarks."""
    names: list[str] = []

    def choose_none(name: str) -> bool:
        names.append(name)
        return False

    run_chosen(choose_none)
    return names


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


def make_lines(names: Collection[str], lines: Iterable[Line], file: Path) -> int:
    """Measure benchmarks one after the other; the line of each is in the file before the next one begins.

    Lines of other kinds of processors stay, and so does that of a benchmark which ended with an error; those of one
    that did not run are dropped. Returns the exit code.
    """
    here = get_host_cpu_name()
    kept = {(line.benchmark, line.processor): line for line in lines}
    new = failed = 0
    for place, name in enumerate(names, start=1):
        print(f"{name} runs, {len(names) - place} left", file=sys.stderr, flush=True)
        try:
            runs = [run_chosen(name.__eq__)]
            is_long = any(window.seconds > LONG for window in runs[0].values())
            for _ in range(1, RUNS_OF_LONG if is_long else RUNS_OF_BASELINE):
                runs.append(run_chosen(name.__eq__))
        except BenchmarkError as error:
            print(error, file=sys.stderr)
            failed += 1
            continue
        measured = renew(lines_for(here, kept.values()), runs)
        if not measured:
            kept = {key: line for key, line in kept.items() if line.benchmark != name}
        kept |= {(line.benchmark, line.processor): line for line in measured}
        new += len(measured)
        write([kept[key] for key in sorted(kept)], file)
    print(f"{new} lines are new, {len(kept) - new} as before; {failed} benchmarks failed")
    return int(failed > 0)


def warn_of_other_processors(lines: Iterable[Line]) -> None:
    """Say that lines were made on another kind of processor, if some were."""
    here = get_host_cpu_name()
    if others := sorted({line.processor for line in lines} - {here}):
        print(f"Lines are of {', '.join(others)}, and this is {here}: make some here first, as bench/README.md says.")


def check(lines: list[Line]) -> int:
    """Compare, print the table, and return the exit code."""
    comparisons = compare(lines, lambda names: run_chosen(set(names).__contains__), lambda: time.sleep(PAUSE))
    show(comparisons)
    warn_of_other_processors(lines)
    failing = sum(each.fails for each in comparisons)
    print(f"{failing} of {len(comparisons)} are more than {TOLERATED - 1:.0%} over the baseline, or did not run")
    return int(failing > 0)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.tools.check",
        description=__doc__.partition("\n")[0],
        epilog=RULES,
    )
    parser.add_argument("--only", metavar="PATTERN", default="", help="lines of the baseline with this in their name")
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--update", action="store_true", help="what is measured now is the new baseline")
    change.add_argument(
        "--add",
        metavar="PATTERN",
        nargs="+",
        help="measure the benchmarks with one of these in their name that have no line yet, and add their lines",
    )
    parser.add_argument("--baseline", metavar="FILE", type=Path, default=BASELINE, help="another one than bench's own")
    options = parser.parse_args(arguments)
    if options.only and options.add:
        parser.error("--only chooses lines of the baseline; --add has its own patterns")
    lines = read(options.baseline) if options.baseline.exists() else []
    here = get_host_cpu_name()
    chosen = [line for line in lines_for(here, lines) if options.only in line.benchmark]
    if not (chosen or options.add):
        parser.error(f"no line of {options.baseline.name} has {options.only!r} in its name")
    try:
        if options.add:
            everything = benchmark_names()
            if unknown := [each for each in options.add if not any(each in name for name in everything)]:
                parser.error(f"no benchmark has {', '.join(map(repr, unknown))} in its name")
            asked = [name for name in everything if any(each in name for each in options.add)]
            known = {line.benchmark for line in lines if line.processor == here}
            added = [name for name in asked if name not in known]
            if len(added) < len(asked):
                print(f"{len(asked) - len(added)} of {len(asked)} have a line, which --update measures again")
            return make_lines(added, lines, options.baseline)
        if options.update:
            return make_lines([line.benchmark for line in chosen], lines, options.baseline)
        return check(chosen)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; the baseline keeps what was measured before.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
