"""Runs in separate processes that are killed, or interrupted from the keyboard, and go on."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing

import pytest

import climbfast as cf
from climbfast.cli import main
from climbfast_kernels._jit import INTERPRETED
from tests.factories import draw_codes, quiet_codes

pytestmark = [
    pytest.mark.skipif(INTERPRETED, reason="each process takes its time"),
    pytest.mark.skipif(os.name == "nt", reason="signals of POSIX"),
]
PASSES = ["screen", "neighbors", "blankets"]

# The command, which waits before it keeps what is finished: else a pass is over before a busy machine has noticed, and
# the signal comes too late. Small jobs are taken for large ones: those that a test has time for would run serially. It
# says what its workers are, since a command that is stopped does not.
COMMAND = """
import sys
import time
from climbfast.batch import pool
from climbfast.batch.journal import Journal
from climbfast.cli import main
from climbfast.task_pool import TaskPool

write, enter = Journal.write, TaskPool.__enter__

def wait_and_write(*arguments):
    time.sleep(0.02)
    write(*arguments)

def enter_and_say(pool):
    enter(pool)
    print("climbfast: workers:", pool.backend, file=sys.stderr)
    return pool

Journal.write, TaskPool.__enter__ = wait_and_write, enter_and_say
pool.SECONDS_FOR_THREADS, pool.SECONDS_FOR_PROCESSES = {}
sys.exit(main())
"""
KINDS = {"serial": "float('inf'), 0", "threads": "0, float('inf')", "processes": "0, 0"}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Columns for some hundred tasks, as a file."""
    path = tmp_path_factory.mktemp("stopped") / "table.csv"
    data = quiet_codes(draw_codes([2, 3] * 300, 1000, seed=4, lean=0.8))
    with path.open("w") as file:
        file.write(",".join(map(str, data.names)) + "\n")
        file.writelines(",".join(map(str, row)) + "\n" for row in data.codes.T)
    return path


@pytest.fixture(scope="module")
def data(table):
    return cf.read(table)


@pytest.fixture(scope="module")
def expected(data):
    return dict(cf.markov_blankets(data, progress=False, n_jobs=1))


def start(table, folder, kind="serial"):
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND.format(KINDS[kind]), "blankets", table, "--out", folder / "out.jsonl",
         "--journal", folder / "journal", "--resume", "--jobs", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def finished(folder):
    """How many units of each pass the journal has; none if there is no journal yet."""
    try:
        with closing(sqlite3.connect(f"{(folder / 'journal').as_uri()}?mode=ro", uri=True)) as file:
            return Counter(dict(file.execute("SELECT pass, COUNT(*) FROM unit GROUP BY pass").fetchall()))
    except sqlite3.OperationalError:
        return Counter()


def wait_for(process, folder, units):
    """Wait until so many units are finished, or the process is."""
    while finished(folder).total() < units and process.poll() is None:
        time.sleep(0.01)  # half of what a process waits before it keeps something


def outcome(process):
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def complete(table, data, folder, expected, capsys):
    """Repeat the command, in this process: what it goes on from is in files."""
    arguments = ["blankets", table, "--out", folder / "out.jsonl", "--journal", folder / "journal", "--resume"]
    exit_code, (out, err) = main(list(map(str, arguments))), capsys.readouterr()
    assert (exit_code, out) == (0, ""), err
    assert "of them done" in err
    assert dict(cf.read_blankets(folder / "out.jsonl")).keys() == expected.keys()
    status = cf.journal_status(folder / "journal")
    assert status.complete
    resumed = cf.markov_blankets(data, journal=folder / "journal", progress=False)
    assert dict(resumed) == expected


def test_killed_four_times(table, data, expected, tmp_path, capsys):
    """Once while it comes up, and once in each pass, a moment after some units more are done."""
    rng = random.Random(6)
    moments = moments_to_kill(data, tmp_path / "whole", rng)
    killed_in = Counter()
    for units in moments:
        process = start(table, tmp_path)
        if units is None:
            time.sleep(rng.uniform(0, 1))
        else:
            wait_for(process, tmp_path, units)
            time.sleep(rng.uniform(0, 0.005))
        process.kill()
        code, _, err = outcome(process)
        assert (code, "Traceback" in err) == (-signal.SIGKILL, False), err
        killed_in[next((name for name in PASSES if f" {name}: " in (err.splitlines() or [""])[-1]), "")] += 1
    assert all(killed_in[name] for name in PASSES), killed_in
    complete(table, data, tmp_path, expected, capsys)


def moments_to_kill(data, folder, rng):
    """Numbers of finished units, ascending, one in each pass; None is before there are any."""
    folder.mkdir()
    cf.markov_blankets(data, journal=folder / "journal", progress=False)
    moments, before = [None], 0
    for each in cf.journal_status(folder / "journal").passes:
        moments.append(before + rng.randrange(1, each.units * 4 // 5))
        before += each.units
    return moments


@pytest.mark.parametrize("kind", KINDS)
def test_interrupted_from_the_keyboard(table, data, expected, tmp_path, kind, capsys):
    """Ctrl-C reaches every process of the terminal, the workers too."""
    begun = time.monotonic()
    process = start(table, tmp_path, kind)
    wait_for(process, tmp_path, 40)
    interrupted = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    exit_code, out, err = outcome(process)
    # It comes up in two seconds and stops in one, or takes its time for both.
    assert time.monotonic() - interrupted < 10 + 5 * (interrupted - begun)
    assert (exit_code, out) == (130, ""), err
    assert f"climbfast: workers: {kind}\n" in err
    said = tuple(f"climbfast: {name}: " for name in (*PASSES, "workers"))
    lines = [line for line in err.splitlines() if not line.startswith(said)]
    assert len(lines) == 1, err
    assert lines[0].startswith("climbfast: interrupted in the pass ")
    assert lines[0].endswith(f"saved in {tmp_path / 'journal'}: repeat the run with --resume to continue")
    assert not (tmp_path / "out.jsonl").exists()
    kept = finished(tmp_path).total()
    assert kept >= 40
    complete(table, data, tmp_path, expected, capsys)


@pytest.mark.parametrize("kind", ["serial", "processes"])
def test_terminated(table, data, expected, tmp_path, kind, capsys):
    """SIGTERM, to the command alone: what is finished is saved for any kind of run, and nothing is left."""
    process = start(table, tmp_path, kind)
    wait_for(process, tmp_path, 40)
    process.terminate()
    exit_code, out, err = outcome(process)
    assert (exit_code, out) == (143, ""), err
    assert f"climbfast: workers: {kind}\n" in err
    assert err.splitlines()[-1].endswith("repeat the run with --resume to continue")
    assert [path.name for path in tmp_path.iterdir()] == ["journal"]
    complete(table, data, tmp_path, expected, capsys)
