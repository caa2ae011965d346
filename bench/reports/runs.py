"""What whole runs take: ``python -m bench.reports.runs`` (five minutes on an idle machine).

It writes ``runs.csv``, and from it a table in docs/evidence/speed.md and, with ``rates.csv``, two sentences in the
README. ``--page`` makes these of the file as it is; ``--only TEXT`` measures the runs with this text in their names.

Each run is a process of its own, which is given codes that another one has drawn. The time is that of the processor,
for the search with one worker and kernels loaded; the memory is the most that the process had.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import climbfast as cf
from bench.peers.summary import duration
from bench.reports.rates import Rate
from bench.reports.rates import read as read_rates
from bench.shared.marked_text import EVIDENCE, fill

__all__ = ["FILE", "README", "RUNS", "Result", "Run", "read", "sentences", "table"]

FILE = Path(__file__).with_suffix(".csv")
README = Path(__file__).parents[2] / "README.md"
ROUNDS, SECONDS_OF_ALL_ROUNDS = 3, 20.0
FOR_WARMING = 200  # rows, which load the kernels

Search = Callable[[cf.Dataset], object]


class Run(NamedTuple):
    """A run: the name of its data, a published network or "genes", and their size."""

    name: str
    data: str
    columns: int
    rows: int


class Result(NamedTuple):
    """What a run took."""

    run: Run
    seconds: float
    megabytes: float


def _blankets(data: cf.Dataset) -> object:
    return cf.markov_blankets(data, n_jobs=1, progress=False)


def _blankets_by_auto(data: cf.Dataset) -> object:
    return cf.markov_blankets(data, min_bits="auto", n_jobs=1, progress=False)


def _best(data: cf.Dataset) -> object:
    return cf.causal_graph(data)


def _bootstrap(search: str) -> Search:
    return lambda data: cf.bootstrap(data, search, replicates=200, n_jobs=1, progress=False)


SEARCHES: Mapping[str, Search] = {
    "all blankets": _blankets,
    'all blankets, min_bits="auto"': _blankets_by_auto,
    "causal_graph": _best,
    "200 replicates of all blankets": _bootstrap("blankets"),
    "200 replicates of pc": _bootstrap("pc"),
}
RUNS = (
    Run("all blankets", "genes", 5_716, 2_577),
    Run("all blankets", "genes", 18_373, 5_102),
    Run('all blankets, min_bits="auto"', "genes", 100_000, 500),
    Run("causal_graph", "andes", 223, 20_000),
    Run("causal_graph", "munin", 1_041, 5_000),
    Run("200 replicates of all blankets", "alarm", 37, 20_000),
    Run("200 replicates of pc", "alarm", 37, 20_000),
    Run("climbfast demo, nothing compiled", "example", 15, 20_000),
)
LARGEST, FIRST = RUNS[2], RUNS[-1]
PAIRS, OF_ALARM = "test_screen[ternary-sci]", "test_small[alarm]"


def draw(run: Run) -> np.ndarray[Any, Any]:
    """Return the codes of the data, a row for each row."""
    from bench.shared.networks import network
    from bench.shared.sparse_networks import simulate

    if run.data == "genes":
        codes = simulate(run.columns, run.rows, levels=3, seed=1)[1].codes.T
    else:
        codes = network(run.data).sample(run.rows, seed=1).codes.T
    return np.ascontiguousarray(codes)


def measure(run: Run, file: Path) -> tuple[float, float]:
    """Search in this process, and return the least seconds and the most megabytes."""
    import resource

    search, codes = SEARCHES[run.name], np.load(file)
    search(cf.Dataset.from_frame(codes[:FOR_WARMING, :FOR_WARMING]))
    data, seconds = cf.Dataset.from_frame(codes), list[float]()
    while len(seconds) < ROUNDS and sum(seconds) < SECONDS_OF_ALL_ROUNDS:
        begun = time.process_time()
        search(data)
        seconds.append(time.process_time() - begun)
    unit = 1 if sys.platform == "darwin" else 1024
    return min(seconds), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def first_run() -> tuple[float, float]:
    """Run the example with no kernel compiled; return its seconds, and its megabytes as it says them itself."""
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "climbfast", "demo", "--verbose"],
            capture_output=True, text=True, check=True,
            env=os.environ | {"CLIMBFAST_CACHE_DIR": folder, "CLIMBFAST_BACKGROUND": "0"},
        )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    found = re.findall(r"at most ([\d,]+) MB of memory", done.stderr)
    return seconds, float(found[-1].replace(",", ""))


def in_a_process(run: Run) -> Result:
    """Draw the data and search them, each in a process of its own: memory of this one would be counted as theirs."""
    if run == FIRST:
        return Result(run, *first_run())
    with tempfile.TemporaryDirectory() as folder:
        codes = str(Path(folder, "codes.npy"))
        for step in ("draw", "search"):
            command = [sys.executable, "-W", "ignore", "-m", "bench.reports.runs", "--step", step, "--codes", codes]
            done = subprocess.run([*command, "--run", json.dumps(run)], capture_output=True, text=True, check=True)
        seconds, megabytes = json.loads(done.stdout)
    return Result(run, seconds, megabytes)


def read() -> list[Result]:
    """Return the results that are kept, in the order of the runs."""
    if not FILE.exists():
        return []
    with FILE.open(newline="", encoding="utf-8") as lines:
        found = [
            Result(
                Run(row["name"], row["data"], int(row["columns"]), int(row["rows"])),
                float(row["seconds"]),
                float(row["megabytes"]),
            )
            for row in csv.DictReader(lines)
        ]  # fmt: skip
    return sorted((each for each in found if each.run in RUNS), key=lambda each: RUNS.index(each.run))


def keep(results: Iterable[Result]) -> None:
    """Write the results."""
    with FILE.open("w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow((*Run._fields, "seconds", "megabytes"))
        rows.writerows((*each.run, f"{each.seconds:.3g}", f"{each.megabytes:.0f}") for each in results)


def table(results: Iterable[Result]) -> str:
    """Return a Markdown table."""
    lines = ["| run | data | columns × rows | time | memory |", "|---|---|---:|---:|---:|"]
    for run, seconds, megabytes in results:
        size = f"{run.columns:,} × {run.rows:,}"
        lines.append(f"| {run.name} | {run.data} | {size} | {duration(seconds)} | {megabytes:,.0f} MB |")
    return "\n".join(lines)


def sentences(results: Iterable[Result], rates: Iterable[Rate]) -> str:
    """Return what the README says of small and of large runs."""
    run, seconds, megabytes = next(each for each in results if each.run == LARGEST)
    pairs, blankets = (next(of.ms for of in rates if of.benchmark == name) for name in (PAIRS, OF_ALARM))
    return (
        f"On one core all pairs of 5,716 columns of 2,577 rows take {pairs} ms, the blankets of all columns of Alarm\n"
        f"(37 columns, 20,000 rows) {blankets} ms, and those of {run.columns:,} columns of {run.rows} rows "
        f'(`min_bits="auto"`)\n{duration(seconds)} and {megabytes:,.0f} MB of memory.'
    )


def main() -> None:
    """Measure, write the file, and fill the pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--page", action="store_true", help="make the table of what there is, and measure nothing")
    parser.add_argument("--only", default="", metavar="TEXT", help="measure the runs with this text in their names")
    parser.add_argument("--step", choices=("draw", "search"), help=argparse.SUPPRESS)
    parser.add_argument("--codes", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--run", type=lambda text: Run(*json.loads(text)), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step == "draw":
        np.save(options.codes, draw(options.run))
        return
    if options.step == "search":
        print(json.dumps(measure(options.run, options.codes)))
        return
    for run in RUNS if not options.page else ():
        if options.only in run.name:
            result = in_a_process(run)
            print(f"{result.seconds:8.2f} s {result.megabytes:8,.0f} MB  {run}", file=sys.stderr, flush=True)
            keep([each for each in read() if each.run != run] + [result])
    results = read()
    keep(results)
    fill("runs", table(results), EVIDENCE / "speed.md")
    fill("limits", sentences(results, read_rates()), README)


if __name__ == "__main__":
    main()
