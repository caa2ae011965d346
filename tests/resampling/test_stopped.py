"""Runs in processes of their own that are killed at any time, and go on: the result is the same."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

import climbfast as cf
from climbfast_kernels._jit import INTERPRETED
from tests.batch.runs import units_in
from tests.resampling.replicates import bootstrap, content

pytestmark = [
    pytest.mark.skipif(INTERPRETED, reason="each process takes its time"),
    pytest.mark.skipif(os.name == "nt", reason="signals of POSIX"),
]
KILLS = 10
# It waits before it keeps a replicate: else the run is over before it can be killed so often.
CODE = """
import sys
import time
import climbfast as cf
from climbfast.batch.journal import Journal

write = Journal.write

def wait_and_write(*arguments):
    time.sleep(0.05)
    write(*arguments)

Journal.write = wait_and_write
data = cf.load_example().sample(300, seed=1)

def run(journal):
    cf.bootstrap(data, "pc", replicates=120, seed=3, n_jobs=2, journal=journal, progress=False)

"""
# A run in a child for each line read: to start Python, import all and load kernels would take longer than the runs.
IN_CHILDREN = """
import os

cf.bootstrap(data, "pc", replicates=1, seed=3, n_jobs=1, progress=False)
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        os.setsid()
        run(line.strip())
        os._exit(0)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def start(journal):
    return subprocess.Popen(
        [sys.executable, "-c", f"{CODE}run(sys.argv[1])", str(journal)], stderr=subprocess.PIPE, start_new_session=True
    )


class Runs:
    """Runs one after the other, each in a process of its own, children of a process that has imported all."""

    def __init__(self):
        self.parent = subprocess.Popen(
            [sys.executable, "-c", CODE + IN_CHILDREN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def start(self, journal):
        """Begin a run, and return the number of its process."""
        self.parent.stdin.write(f"{journal}\n")
        self.parent.stdin.flush()
        return int(self.parent.stdout.readline())

    def exit_code(self):
        """Wait for the end of the run begun last."""
        return int(self.parent.stdout.readline())


@pytest.fixture
def runs():
    runs = Runs()
    with runs.parent:
        yield runs


def lives(process):
    """Whether a process has not ended, or nobody has been told yet."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def done(journal):
    try:
        return units_in(journal).get("replicates", 0)
    except cf.JournalError:
        return 0


def test_killed_ten_times(tmp_path, runs):
    journal, times, kept = tmp_path / "journal", random.Random(0), 0
    for _ in range(KILLS):
        process, end = runs.start(journal), time.monotonic() + 120
        while done(journal) == kept and lives(process) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(times.uniform(0, 0.1))
        if lives(process):
            os.killpg(process, signal.SIGKILL)
        assert runs.exit_code() in (0, -signal.SIGKILL)
        kept = done(journal)
        if kept == 120:
            break
    assert kept > KILLS / 2
    runs.start(journal)
    assert runs.exit_code() == 0
    assert units_in(journal) == {"replicates": 120}
    data = cf.load_example().sample(300, seed=1)
    expected = content(bootstrap(data, "pc", replicates=120, seed=3))
    assert content(bootstrap(data, "pc", replicates=120, seed=3, journal=journal)) == expected


def test_interrupted_from_the_keyboard(tmp_path):
    journal = tmp_path / "journal"
    with start(journal) as process:
        end = time.monotonic() + 120
        while done(journal) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        message = process.communicate(timeout=120)[1].decode()
    assert f"finished replicates are saved in {journal}: repeat the run with resume=True to continue" in message
    assert 3 <= done(journal) < 120
