"""Faults that happen to runs, each of which has to leave the right result and no process.

Every kind of fault is a function of the folder to work in, the case and a random generator. It returns the number of
faults that happened, and fails by an AssertionError.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import climbfast as cf
from tests.factories import draw_codes, quiet_codes

__all__ = ["FAULTS", "Case", "make_case"]

SECONDS_TO_END = 10.0
SECONDS_OF_A_RUN = 120.0
THREADS = 16

# The command, which waits before it keeps what is finished: else a small run is over before anything can happen to it.
SLOW_JOURNAL = """
import sys
import time
from climbfast.batch import pool
from climbfast.batch.journal import Journal
from climbfast.cli import main

write = Journal.write

def wait_and_write(*arguments):
    time.sleep(0.005)
    write(*arguments)

Journal.write = wait_and_write
"""
COMMAND = (
    SLOW_JOURNAL
    + """
if __name__ == "__main__":
    pool.SECONDS_FOR_THREADS, pool.SECONDS_FOR_PROCESSES = {limits}
    sys.exit(main())
"""
)
# The same with dask, whose cluster is made and closed by the command itself.
DASK_COMMAND = (
    SLOW_JOURNAL
    + """
if __name__ == "__main__":
    import logging
    import joblib
    from distributed import Client, LocalCluster

    options = dict(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL)
    with LocalCluster(**options) as cluster, Client(cluster), joblib.parallel_config(backend="dask"):
        code = main()
    sys.exit(code)
"""
)
COMMANDS = {
    "serial": COMMAND.format(limits="float('inf'), 0"),
    "threads": COMMAND.format(limits="0, float('inf')"),
    "processes": COMMAND.format(limits="0, 0"),
    "dask": DASK_COMMAND,
}
# Commands that take a moment, without what they read and write.
SHORT_COMMANDS = {
    "blankets": ["--quiet"],
    "graph": ["--method", "pc"],
    "graph ": ["--method", "fges"],
}


@dataclass(frozen=True)
class Case:
    """A table, as a file and as data, and what an undisturbed run finds in it."""

    table: Path
    data: cf.Dataset
    expected: Mapping[Any, cf.Blanket]


def make_case(folder: Path, columns: int = 160) -> Case:
    """Write a table and find its blankets."""
    data = quiet_codes(draw_codes([2, 3] * (columns // 2), 400, seed=4, lean=0.8))
    table = folder / "table.csv"
    with table.open("w") as file:
        file.write(",".join(map(str, data.names)) + "\n")
        file.writelines(",".join(map(str, row)) + "\n" for row in data.codes.T)
    data = cf.read(table)
    return Case(table, data, dict(cf.markov_blankets(data, progress=False, n_jobs=1)))


def start(case: Case, folder: Path, kind: str) -> subprocess.Popen[str]:
    """Start or continue the run of a folder."""
    return start_process(
        [sys.executable, "-c", COMMANDS[kind], "blankets", case.table, "--out", folder / "out.jsonl",
         "--journal", folder / "journal", "--resume", "--jobs", "2", "--quiet"]
    )  # fmt: skip


def start_process(arguments: Sequence[Any]) -> subprocess.Popen[str]:
    """Start a process with a session of its own, in which its children can be found."""
    return subprocess.Popen(
        list(map(str, arguments)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def processes_of(session: int) -> set[int]:
    """Return the processes of a session that have not ended."""
    found = set()
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of = each.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(of) == session and state != "Z":
            found.add(int(each.parent.name))
    return found


def assert_none_left(process: subprocess.Popen[str]) -> None:
    """Check that the processes of a session are gone in time."""
    until = time.monotonic() + SECONDS_TO_END
    while left := processes_of(process.pid):
        assert time.monotonic() < until, f"processes are left: {[_command_line(pid) for pid in left]}"
        time.sleep(0.05)


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")[-300:]
    except OSError:
        return ""


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for the end of a process and all its children; return the exit code and standard error."""
    try:
        _, err = process.communicate(timeout=SECONDS_OF_A_RUN)
    except subprocess.TimeoutExpired:
        left = [_command_line(pid) for pid in processes_of(process.pid)]
        os.killpg(process.pid, signal.SIGKILL)
        raise AssertionError(f"it hangs: {left}") from None
    assert_none_left(process)
    assert_no_data_left(process)
    return process.returncode, err


def assert_no_data_left(process: subprocess.Popen[str]) -> None:
    """Check that the files by which a run gave its data to worker processes are gone."""
    folders = [folder for folder in (Path("/dev/shm"), Path(tempfile.gettempdir())) if folder.is_dir()]
    left = [path for folder in folders for path in folder.glob(f"joblib_memmapping_folder_{process.pid}_*")]
    assert not left, f"data are left: {left}"


def wait_until_it_works(process: subprocess.Popen[str], folder: Path, rng: random.Random) -> None:
    """Wait some time after a run has started, most often until units are finished."""
    before, until = _done(folder), time.monotonic() + SECONDS_OF_A_RUN
    if rng.random() < 0.2:
        time.sleep(rng.uniform(0, 2))
        return
    while process.poll() is None and _done(folder) < before + rng.randint(1, 40) and time.monotonic() < until:
        time.sleep(0.005)
    time.sleep(rng.uniform(0, 0.05))


def _done(folder: Path) -> int:
    try:
        return sum(each.done for each in cf.journal_status(folder / "journal").passes)
    except cf.JournalError:
        return 0


def complete(case: Case, folder: Path, kind: str) -> None:
    """Finish the run of a folder, and compare its result."""
    code, err = finish(start(case, folder, kind))
    assert code == 0, err
    assert_right(case, folder)


def assert_right(case: Case, folder: Path) -> None:
    """Check the file that a run has written, what its journal has, and that nothing else is left."""
    written = cf.read_blankets(folder / "out.jsonl")
    assert {name: each.members for name, each in written.items()} == {
        name: each.members for name, each in case.expected.items()
    }
    assert dict(cf.markov_blankets(case.data, journal=folder / "journal", progress=False)) == case.expected
    assert sorted(path.name for path in folder.iterdir()) == ["journal", "out.jsonl"]


def kill_runs(folder: Path, case: Case, rng: random.Random, *, kind: str, times: int = 5) -> int:
    """Kill a run with all that it has finished, some times, and continue it."""
    faults = 0
    for _ in range(times):
        process = start(case, folder, kind)
        wait_until_it_works(process, folder, rng)
        faults += process.poll() is None
        process.kill()
        finish(process)
    complete(case, folder, kind)
    return faults


def stop_runs(folder: Path, case: Case, rng: random.Random, *, kind: str, times: int = 3) -> int:
    """Stop a run by SIGINT to all its processes or SIGTERM to it, some times, and continue it."""
    faults = 0
    for _ in range(times):
        process = start(case, folder, kind)
        wait_until_it_works(process, folder, rng)
        faults += process.poll() is None
        stop(process, rng)
        assert_stopped(*finish(process))
        assert not [path for path in folder.iterdir() if path.name.endswith(".part")]
    complete(case, folder, kind)
    return faults


def stop(process: subprocess.Popen[str], rng: random.Random) -> None:
    """Send the signal of Ctrl-C to a session, or SIGTERM to its first process."""
    try:
        if rng.random() < 0.5:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.terminate()
    except ProcessLookupError:
        pass


def assert_stopped(code: int, err: str) -> None:
    """Check the exit code: complete, stopped, or ended by the signal before the command began."""
    assert code in (0, 130, 143, -signal.SIGINT, -signal.SIGTERM) or "import" in err, (code, err)
    if code in (0, 130, 143):
        assert "Traceback" not in err, err


def kill_workers(folder: Path, case: Case, rng: random.Random, *, kind: str) -> int:
    """Kill one or two workers of a run, which ends well by itself."""
    process = start(case, folder, kind)
    faults = 0
    for _ in range(rng.randint(1, 2)):
        wait_until_it_works(process, folder, rng)
        workers = [pid for pid in processes_of(process.pid) - {process.pid} if _is_worker(pid)]
        if workers and process.poll() is None:
            os.kill(rng.choice(workers), signal.SIGKILL)
            faults += 1
    code, err = finish(process)
    assert code == 0, err
    assert kind == "dask" or len(err.splitlines()) <= 2, err  # dask tells more of a lost worker by itself
    assert_right(case, folder)
    return faults


def _is_worker(pid: int) -> bool:
    line = _command_line(pid)
    return "resource_tracker" not in line and ("loky" in line or "spawn_main" in line)


def two_runs(folder: Path, case: Case, rng: random.Random, *, kind: str) -> int:
    """Start two runs on one new journal: one of them is refused, unless it comes when the other is over."""
    one = start(case, folder, kind)
    time.sleep(rng.uniform(0, 0.3))
    other = start(case, folder, kind)
    outcomes = [finish(one), finish(other)]
    for code, err in outcomes:
        assert code == 0 or (code == 2 and "in use by another run" in err), err
    assert 0 in [code for code, _ in outcomes], outcomes
    assert_right(case, folder)
    return 1


def stop_commands(folder: Path, case: Case, rng: random.Random, *, times: int = 4) -> int:
    """Stop a command at any moment: its output is complete or not there."""
    for number in range(times):
        name = rng.choice(list(SHORT_COMMANDS))
        out = folder / f"{number}{'.jsonl' if name == 'blankets' else '.json'}"
        process = start_process(
            [sys.executable, "-m", "climbfast", name.strip(), case.table, "--out", out, *SHORT_COMMANDS[name]]
        )
        time.sleep(rng.uniform(0.3, 1.5))
        stop(process, rng)
        code, err = finish(process)
        assert_stopped(code, err)
        assert {path.name for path in folder.iterdir()} <= {
            f"{i}.{kind}" for i in range(times) for kind in ("json", "jsonl")
        }
        if out.exists():
            _ = cf.read_blankets(out) if name == "blankets" else cf.read_graph(out)
    return times


def use_threads(folder: Path, case: Case, rng: random.Random) -> int:
    """Call the public functions from many threads at once."""
    few = list(case.data.names)[:20]
    calls: list[Callable[[], Any]] = [
        lambda: dict(cf.markov_blankets(case.data, progress=False, n_jobs=1)),
        lambda: dict(cf.markov_blankets(case.data, progress=False, n_jobs=2)),
        lambda: cf.markov_blanket(case.data, few[3]),
        lambda: cf.pc(case.data, max_given=1),
        lambda: cf.read(case.table).fingerprint,
    ]
    expected = [call() for call in calls]
    chosen = [rng.randrange(len(calls)) for _ in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(lambda number: calls[number](), chosen))
    assert found == [expected[number] for number in chosen]
    return 1


def fork(folder: Path, case: Case, rng: random.Random) -> int:
    """Search in a forked child, after the parent has."""
    method = rng.choice(["climb", "iamb"])
    workers = rng.choice([1, 2])
    targets = list(case.data.names)[:40]
    expected = dict(cf.markov_blankets(case.data, targets, method=method, progress=False, n_jobs=workers))
    child = multiprocessing.get_context("fork").Process(
        target=_write_whether_equal, args=(folder / "equal", case.data, targets, method, workers, expected)
    )
    child.start()
    child.join(SECONDS_OF_A_RUN)
    hangs = child.is_alive()
    child.kill()
    assert not hangs, "a forked child hangs"
    assert (folder / "equal").read_text() == "True"
    return 1


def _write_whether_equal(
    out: Path, data: cf.Dataset, targets: Sequence[Any], method: str, workers: int, expected: Mapping[Any, cf.Blanket]
) -> None:
    found = dict(cf.markov_blankets(data, targets, method=method, progress=False, n_jobs=workers))
    out.write_text(str(found == expected))


FAULTS: dict[str, Callable[[Path, Case, random.Random], int]] = {
    **{f"kill {kind}": partial(kill_runs, kind=kind) for kind in COMMANDS},
    "kill workers, processes": partial(kill_workers, kind="processes"),
    "kill workers, dask": partial(kill_workers, kind="dask"),
    **{f"stop {kind}": partial(stop_runs, kind=kind) for kind in ("serial", "threads", "processes")},
    "two runs, threads": partial(two_runs, kind="threads"),
    "two runs, processes": partial(two_runs, kind="processes"),
    "stop commands": stop_commands,
    "threads": use_threads,
    "fork": fork,
}
