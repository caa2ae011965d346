"""What many machines would gain, on paper: ``python -m bench.reports.machines`` (a minute; needs dask).

It measures here, by the clock of the processor, what the work of a run takes and what cannot be divided among workers,
counts the bytes that dask would send, and measures what client and scheduler take for a call on a local cluster. From
these rates it writes ``machines.csv`` and the table of docs/howto/clusters.md; ``--page`` makes the table of the file
as it is. A run of more columns is scaled from the measured one: the screen grows with the square of the columns,
everything else with the columns.
"""

from __future__ import annotations

import argparse
import csv
import logging
import math
import pickle
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

import climbfast as cf
from bench.shared.factories import genes
from bench.shared.marked_text import fill
from climbfast import dask_tasks
from climbfast.batch import pool as batch_pool
from climbfast.dask_tasks import CALLS_PER_THREAD, SECONDS_OF_CLIENT, CallSize, DaskTasks
from climbfast.independence.screen import units_of_screen
from climbfast.task_pool import TaskPool

FILE = Path(__file__).with_suffix(".csv")
PAGE = Path(__file__).parents[2] / "docs" / "howto" / "clusters.md"
COLUMNS, ROWS, MANY_COLUMNS, REPLICATES, MEASURED_REPLICATES = 5_716, 2_577, 50_000, 1_000, 2
MACHINES, THREADS, BITS_PER_SECOND = (1, 10, 100), 16, 1e9
ROUNDS, TASKS = 1, 100


@dataclass(frozen=True)
class Pass:
    """One pass of a run: seconds of its work and of what the client does for it, and bytes."""

    tasks: int
    work: float
    sent: float  # to each worker
    returned: float
    is_quadratic: bool = False

    def scaled(self, times: float, tasks: int) -> Pass:
        """Return the same pass for so many times the columns."""
        work = self.work * times ** (2 if self.is_quadratic else 1)
        return replace(self, tasks=tasks, work=work, sent=self.sent * times, returned=self.returned * times)


@dataclass(frozen=True)
class Run:
    """A run: its passes, and the seconds of the client besides."""

    name: str
    passes: tuple[Pass, ...]
    serial: float


@dataclass(frozen=True)
class Estimate:
    """What a run takes on a number of machines."""

    calls: int
    sent: float
    returned: float
    serial: float
    seconds: float


def estimate(run: Run, machines: int, seconds_per_call: float) -> Estimate:
    """Estimate a run: what goes to all is passed on from machine to machine, then the longer of work and client counts.

    The data go from the client to the scheduler, to one machine, and from each machine that has them to another one.
    Results take the same way back, through the scheduler.
    """
    threads, bytes_per_second = machines * THREADS, BITS_PER_SECOND / 8
    hops = 2 + math.ceil(math.log2(machines))
    calls, seconds, serial = 0, run.serial, run.serial
    for each in run.passes:
        seconds_per_task = each.work / each.tasks
        sizes = sizes_of_calls(each.tasks, threads, seconds_per_task)
        # The first units of a screen have twice the pairs of the mean.
        longest = max(sizes) * seconds_per_task * (2 if each.is_quadratic else 1)
        work = max(each.work / threads, longest)
        client = len(sizes) * seconds_per_call + 2 * each.returned / bytes_per_second
        seconds += hops * each.sent / bytes_per_second + max(work, client)
        serial += client
        calls += len(sizes)
    sent, returned = (sum(getattr(each, name) for each in run.passes) for name in ("sent", "returned"))
    return Estimate(calls, sent, returned, serial, seconds)


def sizes_of_calls(tasks: int, threads: int, seconds: float) -> list[int]:
    """Return how many tasks are sent together, each of which takes so many seconds."""
    size, sizes = CallSize(tasks), list[int]()
    # Single ones are sent until the first of them is back.
    single = min(CALLS_PER_THREAD * threads, 1 + math.ceil(seconds / SECONDS_OF_CLIENT))
    while sum(sizes) < tasks:
        if len(sizes) == single:
            size.note(1, seconds)
        sizes.append(size.next(threads))
    return sizes


@dataclass
class Record:
    """What the passes of a run that is done here would send, and how long their work takes."""

    passes: list[Pass] = field(default_factory=list)
    seconds: float = 0.0  # of work, and of packing what would be sent
    is_inside: bool = False  # of a task, whose own runs are part of its work

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Let pools do their tasks here as if a worker did."""
        known: set[int] = set()
        really = TaskPool.results

        def results(
            pool: Any, work: Callable[..., Any], tasks: Sequence[Any], job: Any, arrays: Sequence[Any], describe: Any
        ) -> Generator[tuple[Any, Any], None, None]:
            if self.is_inside:
                yield from really(pool, work, tasks, job, arrays, describe)
                return
            begun = time.thread_time()
            new = [each for each in (job, *arrays) if id(each) not in known]
            known.update(map(id, new))
            sent, seconds, returned = len(pickle.dumps(new, protocol=5)), 0.0, 0
            self.seconds += time.thread_time() - begun
            for units in tasks:
                begun, self.is_inside = time.thread_time(), True
                packed = pickle.dumps(work(job, units, *arrays), protocol=5)
                self.is_inside = False
                seconds += time.thread_time() - begun
                self.seconds += time.thread_time() - begun
                returned += len(packed)
                yield units, pickle.loads(packed)
            self.passes.append(Pass(len(tasks), seconds, sent, returned, is_quadratic=work.__name__ == "screen_pairs"))

        with mock.patch.object(TaskPool, "results", results):
            yield


def measure(name: str, run: Callable[[], object]) -> Run:
    """Return the run of several with the least time."""
    best: Run | None = None
    for _ in range(1 + ROUNDS):  # the first loads kernels
        record, begun = Record(), time.thread_time()
        with record.kept():
            run()
        total = time.thread_time() - begun
        found = Run(name, tuple(record.passes), total - record.seconds)
        if best is None or seconds_of(found) < seconds_of(best):
            best = found
    assert best is not None
    return best


def seconds_of(run: Run) -> float:
    """Return the seconds of a run on one core."""
    return run.serial + sum(each.work for each in run.passes)


def wider(run: Run, columns: int, rows: int, threads: int) -> Run:
    """Return the run of a table with more columns, whose tasks are those of so many threads."""
    names = tuple(range(columns))
    units = units_of_screen(cf.Dataset(names, {}, np.zeros((columns, rows), np.uint8), names, np.full(columns, 3)))
    times = columns / COLUMNS
    passes = [
        each.scaled(times, len(units) if each.is_quadratic else tasks_of(columns, threads)) for each in run.passes
    ]
    return Run(name_of(columns, rows), tuple(passes), run.serial * times)


def tasks_of(units: int, threads: int) -> int:
    """Return the number of tasks of a pass."""
    fewest = max(batch_pool.FEWEST_TASKS, batch_pool.TASKS_PER_WORKER * threads)
    return math.ceil(units / max(1, min(batch_pool.MOST_COLUMNS_PER_TASK, units // fewest)))


def name_of(columns: int, rows: int) -> str:
    return f"{columns:,} × {rows:,}"


def repeated(few: Run, replicates: int) -> Run:
    """Return the bootstrap of so many replicates from one of few; two replicates are always searched by the client."""
    each = few.passes[-1]  # those before are of the first two replicates
    times, alone = replicates / MEASURED_REPLICATES, 2 * each.work / MEASURED_REPLICATES
    counting = max(0.0, seconds_of(few) - each.work - alone)
    passes = (replace(each, tasks=replicates, work=each.work * times, returned=each.returned * times),)
    return Run(f"{replicates:,} replicates of the first", passes, alone + counting * times)


def seconds_per_call() -> float:
    """Return the processor seconds that client and scheduler, one process here, take for a call."""
    from distributed import Client, LocalCluster
    from joblib import parallel_config
    from joblib.parallel import get_active_backend

    found = []
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR) as cluster,
        Client(cluster) as client,
        parallel_config(backend="dask"),
    ):
        tasks = DaskTasks(client, get_active_backend()[0])
        for _ in range(1 + ROUNDS):
            with mock.patch.object(client, "submit", wraps=client.submit) as submit:
                begun = time.process_time()
                list(tasks.results(wait, [[None]] * TASKS, iter(range(TASKS)), [None]))
                found.append((time.process_time() - begun) / submit.call_count)
        tasks.release()
    return median(found)


def wait(_: None, units: Sequence[None]) -> None:
    """Take as long as a call, without the processor."""
    time.sleep(dask_tasks.SECONDS_PER_CALL / 4)


class Line(NamedTuple):
    """A run on a number of machines, in megabytes and seconds; and the milliseconds of a call."""

    run: str
    machines: int
    sent: float
    returned: float
    calls: int
    work: float
    serial: float
    seconds: float
    ms_of_a_call: float


def lines_of(runs: Sequence[Callable[[int], Run]], per_call: float) -> list[Line]:
    """Return a line for each run and number of machines; a run is a function of the number of threads."""
    lines = []
    for run_for in runs:
        for machines in MACHINES:
            run = run_for(machines * THREADS)
            found = estimate(run, machines, per_call)
            megabytes = (round(found.sent / 1e6), round(found.returned / 1e6))
            seconds = (sum(each.work for each in run.passes), found.serial, found.seconds)
            lines.append(
                Line(run.name, machines, *megabytes, found.calls, *(round(each, 1) for each in seconds), 1e3 * per_call)
            )
    return lines


def read() -> list[Line]:
    """Return the lines that are kept."""
    with FILE.open(newline="", encoding="utf-8") as rows:
        return [
            Line(
                row["run"], int(row["machines"]), float(row["sent"]), float(row["returned"]), int(row["calls"]),
                float(row["work"]), float(row["serial"]), float(row["seconds"]), float(row["ms_of_a_call"]),
            )
            for row in csv.DictReader(rows)
        ]  # fmt: skip


def page(lines: Sequence[Line]) -> str:
    """Return what is written in the documentation."""
    rows = [
        f"| {of.run} | {of.machines} | {of.sent:,.0f} MB | {of.returned:,.0f} MB | {of.calls:,} | {of.work:,.1f} s "
        f"| {of.serial:,.1f} s | {of.seconds:,.1f} |"
        for of in lines
    ]
    return "\n".join([
        "| run | machines | sent to each | returned | calls | work | serial | seconds |",
        "|---|---|---|---|---|---|---|---|",
        *rows,
        "",
        f"Machines of {THREADS} threads, a network of {BITS_PER_SECOND / 1e9:.0f} Gbit/s, "
        f"{lines[0].ms_of_a_call:.1f} ms of client and scheduler for a call, and {CALLS_PER_THREAD} calls for a thread "
        "at once.",
    ])  # fmt: skip


def measured() -> list[Line]:
    """Measure the runs here, and estimate them on more machines."""
    data = genes(COLUMNS, ROWS)
    narrow = measure(name_of(COLUMNS, ROWS), lambda: cf.markov_blankets(data, n_jobs=1, progress=False))

    few = measure(
        "", lambda: cf.bootstrap(data, "blankets", replicates=2 + MEASURED_REPLICATES, n_jobs=1, progress=False)
    )
    runs: list[Callable[[int], Run]] = [
        lambda threads: wider(narrow, COLUMNS, ROWS, threads),
        lambda threads: wider(narrow, MANY_COLUMNS, ROWS, threads),
        lambda _: repeated(few, REPLICATES),
    ]
    return lines_of(runs, seconds_per_call())


def main() -> None:
    """Measure, write the file, and fill the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--page", action="store_true", help="make the table of what there is, and measure nothing")
    if not parser.parse_args().page:
        lines = measured()
        with FILE.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out, lineterminator="\n").writerows([Line._fields, *lines])
    fill("machines", page(read()), PAGE)


if __name__ == "__main__":
    main()
