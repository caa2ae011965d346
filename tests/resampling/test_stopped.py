"""Runs in processes of their own that are killed at any time, and go on: the result is the same."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

import climbfast as cf
from climbfast_kernels._jit import INTERPRETED
from tests.batch.runs import units_in
from tests.forked_processes import Forks
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
from climbfast.batch.journal import Journal

write = Journal.write

def wait_and_write(*arguments):
    time.sleep(0.05)
    write(*arguments)

Journal.write = wait_and_write
cf.bootstrap(data, "pc", replicates=60, seed=3, n_jobs=2, journal=sys.argv[1], progress=False)
"""
PREPARE = """
data = cf.load_example().sample(300, seed=1)
cf.bootstrap(data, "pc", replicates=1, seed=3, n_jobs=1, progress=False)
"""


@pytest.fixture(scope="module")
def forks():
    with Forks(PREPARE) as forks:
        yield forks


def done(journal):
    try:
        return units_in(journal).get("replicates", 0)
    except cf.JournalError:
        return 0


def test_killed_ten_times(tmp_path, forks):
    journal, times, kept = tmp_path / "journal", random.Random(0), 0
    for _ in range(KILLS):
        process, end = forks.start(CODE, journal), time.monotonic() + 120
        while done(journal) == kept and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(times.uniform(0, 0.1))
        process.kill()
        process.communicate(120)
        assert process.returncode in (0, -signal.SIGKILL)
        kept = done(journal)
        if kept == 60:
            break
    assert kept > KILLS / 2
    process = forks.start(CODE, journal)
    process.communicate(120)
    assert process.returncode == 0
    assert units_in(journal) == {"replicates": 60}
    data = cf.load_example().sample(300, seed=1)
    expected = content(bootstrap(data, "pc", replicates=60, seed=3))
    assert content(bootstrap(data, "pc", replicates=60, seed=3, journal=journal)) == expected


def test_interrupted_from_the_keyboard(tmp_path, forks):
    journal = tmp_path / "journal"
    process, end = forks.start(CODE, journal), time.monotonic() + 120
    while done(journal) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(120)
    assert f"finished replicates are saved in {journal}: repeat the run with resume=True to continue" in message
    assert 3 <= done(journal) < 60
