"""Workers that are really killed, and tasks that are done again."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

import joblib
import numpy as np
import pytest

import climbfast as cf
from climbfast import task_pool
from climbfast.batch import run as batch_run
from climbfast.batch.passes import find_neighbors
from climbfast.graphs import pc_skeleton, runner
from climbfast.task_pool import TaskPool, WorkerError, end_processes
from climbfast_kernels._jit import INTERPRETED
from tests.factories import draw_codes, quiet_codes
from tests.pool_work import ending_at, ending_once, keep, lose_two_workers, squares

pytestmark = [
    pytest.mark.skipif(INTERPRETED, reason="each process takes its time"),
    pytest.mark.skipif(os.name == "nt", reason="signals of POSIX"),
]
ARRAY = np.arange(5_000)
UNITS = range(40)
LOST = "a worker was lost"


def do_all(pool, folder, size=5):
    tasks = [UNITS[start : start + size] for start in range(0, len(UNITS), size)]
    found = {}
    for units, result in pool.results(squares, tasks, folder, [ARRAY], "the unit {}".format):
        assert not found.keys() & set(units)
        found.update(zip(units, result, strict=True))
    return found


EXPECTED = {unit: unit**2 for unit in UNITS}


def test_the_work_of_a_lost_worker_is_done_again(tmp_path):
    with TaskPool(2, "processes") as pool, pytest.warns(cf.ClimbfastWarning, match=LOST) as warned:
        assert do_all(pool, tmp_path) == EXPECTED
        assert (pool.workers, pool.backend) == (2, "processes")
        assert do_all(pool, tmp_path) == EXPECTED
    assert len(warned) == 1


def test_a_unit_that_ends_every_worker_is_named(tmp_path):
    (tmp_path / "always").touch()
    found = {}
    tasks = [UNITS[start : start + 10] for start in range(0, len(UNITS), 10)]
    with (
        TaskPool(2, "processes") as pool,
        pytest.warns(cf.ClimbfastWarning, match=LOST),
        pytest.raises(WorkerError, match=r"^the unit 23 ended its worker 3 times, .*: free memory, or leave it out$"),
    ):
        for units, result in pool.results(squares, tasks, tmp_path, [ARRAY], "the unit {}".format):
            found.update(zip(units, result, strict=True))
    assert found.items() <= EXPECTED.items()


def test_the_data_are_deleted_if_a_worker_is_killed_after_its_work(tmp_path):
    end_processes()  # those that are there already keep their folder
    with joblib.parallel_config(backend="loky", temp_folder=str(tmp_path)), TaskPool(2, "processes") as pool:
        assert len(list(pool.results(keep, [[unit] for unit in UNITS], tmp_path, [ARRAY], str))) == len(UNITS)
        assert [path for path in tmp_path.rglob("*") if path.is_file()]
        executor = pool._pool._backend._workers
        os.kill(next(iter(executor._processes)), signal.SIGKILL)
        until = time.monotonic() + 30
        while not executor._flags.broken and time.monotonic() < until:
            time.sleep(0.01)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_processes_end_though_one_does_not_answer(tmp_path, monkeypatch):
    with TaskPool(2, "processes") as pool:
        assert do_all(pool, tmp_path / "nowhere") == EXPECTED
    workers = [child for child in multiprocessing.active_children() if child.name.startswith("LokyProcess")]
    assert len(workers) == 2
    os.kill(workers[0].pid, signal.SIGSTOP)
    monkeypatch.setattr(task_pool, "SECONDS_TO_END", 1.0)
    end_processes()
    until = time.monotonic() + 30
    # Asked again and again: while a thread of joblib learns that one has ended, it counts as alive here.
    while any(worker.is_alive() for worker in workers):
        assert time.monotonic() < until
        time.sleep(0.01)
    end_processes()
    with TaskPool(2, "processes") as pool:
        assert do_all(pool, tmp_path / "nowhere") == EXPECTED


def test_fewer_workers_after_a_second_loss(tmp_path):
    with TaskPool(2, "processes") as pool, pytest.warns(cf.ClimbfastWarning, match=LOST) as warned:
        results = pool.results(lose_two_workers, [[unit] for unit in UNITS], tmp_path, [], "the unit {}".format)
        assert Counter(result for _, result in results) == Counter(UNITS)
        assert pool._one_by_one
    assert len(warned) == 1


@pytest.fixture
def data():
    return quiet_codes(draw_codes([2, 3, 2, 4, 2, 3] * 5, 300, seed=2, lean=0.6))


def test_a_batch_outlives_a_worker(data, tmp_path, monkeypatch):
    expected = dict(cf.markov_blankets(data, progress=False, n_jobs=1))
    monkeypatch.setattr(batch_run, "find_neighbors", partial(ending_once, find_neighbors, tmp_path / "once"))
    with joblib.parallel_config(backend="loky", n_jobs=2), pytest.warns(cf.ClimbfastWarning, match=LOST):
        assert dict(cf.markov_blankets(data, progress=False, journal=tmp_path / "journal")) == expected


def test_pc_outlives_a_worker(data, tmp_path, monkeypatch):
    expected = cf.pc(data, n_jobs=1)
    ending = partial(ending_once, runner._run_of_worker, tmp_path / "once")
    monkeypatch.setattr(runner, "_run_of_worker", ending)
    monkeypatch.setattr(pc_skeleton, "TESTS_AT_ONCE", 100)  # else one call makes all tests
    with joblib.parallel_config(backend="loky"), pytest.warns(cf.ClimbfastWarning, match=LOST):
        found = cf.pc(data, n_jobs=2)
    assert (tmp_path / "once").exists()
    assert found == expected


def test_a_batch_names_the_column_that_ends_its_workers(data, tmp_path, monkeypatch):
    says = f"^the search around the column {data.canonical[7]!r} .* ended its worker 2 times.*finished work is saved in"
    monkeypatch.setattr(task_pool, "MOST_LOSSES", 2)
    monkeypatch.setattr(batch_run, "find_neighbors", partial(ending_at, 7, find_neighbors))
    with (
        joblib.parallel_config(backend="loky", n_jobs=2),
        pytest.warns(cf.ClimbfastWarning, match=LOST),
        pytest.raises(cf.ClimbfastError, match=says),
    ):
        cf.markov_blankets(data, progress=False, journal=tmp_path / "journal")
    monkeypatch.undo()
    reporter = {each.name: each.done for each in cf.journal_status(tmp_path / "journal").passes}
    assert reporter["neighbors"] > 0
    resumed = cf.markov_blankets(data, progress=False, journal=tmp_path / "journal")
    assert dict(resumed) == dict(cf.markov_blankets(data, progress=False, n_jobs=1))


def test_the_data_of_a_run_are_deleted_though_its_workers_live(data, tmp_path):
    with joblib.parallel_config(backend="loky", n_jobs=2, temp_folder=str(tmp_path), max_nbytes=1):
        cf.markov_blankets(data, progress=False)
    until = time.monotonic() + 30
    while left := [path for path in tmp_path.rglob("*") if path.is_file()]:
        assert time.monotonic() < until, f"these are left until the workers end, or for ever if one is killed: {left}"
        time.sleep(0.05)


def test_a_full_temporary_folder_is_named(data, tmp_path):
    """The size of files is limited in a process of its own: the error is that of a full disk to joblib."""
    code = FULL.format(folder=tmp_path)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ran.stdout.startswith(
        f"the temporary folder ({tmp_path}), which holds the data of worker processes, is full"
    )


FULL = """
import errno, os
import joblib
from joblib import numpy_pickle
import numpy as np
from climbfast import task_pool
from climbfast.task_pool import TaskPool, WorkerError, end_processes
from tests.pool_work import squares

def full(*arguments, **options):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

if __name__ == "__main__":
    joblib._memmapping_reducer.dump = full
    try:
        with joblib.parallel_config(backend="loky", temp_folder="{folder}"), TaskPool(2, "processes") as pool:
            list(pool.results(squares, [[1], [2]], None, [np.arange(10_000)], str))
    except WorkerError as error:
        print(error)
"""


def test_a_forked_child():
    """After the parent has used the same workers: the child has the right result, and ends."""
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], capture_output=True, text=True, timeout=200)
    assert ran.stdout.splitlines() == ["sequential True", "0", "threading True", "0", "loky True", "0"], ran.stderr


FORK = """
import multiprocessing
from pathlib import Path

import joblib
import numpy as np

import climbfast as cf
from climbfast.task_pool import TaskPool
from tests.pool_work import squares

def find(data, backend):
    with joblib.parallel_config(backend=backend, n_jobs=2):
        if backend != "loky":
            return dict(cf.markov_blankets(data, progress=False))
        # Kernels are loaded by new processes, whoever started them: any work will do.
        with TaskPool(2, "processes") as pool:
            return sorted(pool.results(squares, [[1], [2], [3]], Path("nowhere"), [np.arange(5_000)], str))

def compare(data, backend, expected):
    print(backend, find(data, backend) == expected, flush=True)

if __name__ == "__main__":
    data = cf.load_example().sample(500, seed=1)
    for backend in ("sequential", "threading", "loky"):
        expected = find(data, backend)
        child = multiprocessing.get_context("fork").Process(target=compare, args=(data, backend, expected))
        child.start()
        child.join(60)
        print(child.exitcode, flush=True)
        child.kill()
"""


RUN = """
import joblib, time
from climbfast.task_pool import TaskPool
from tests.pool_work import sleep

if __name__ == "__main__":
    with TaskPool(2, "processes") as pool:
        for units, pid in pool.results(sleep, [[0.1], [0.1], [0.1], [0.1], [60], [60]], None, [], str):
            print(pid, flush=True)
"""


def test_workers_end_soon_after_their_parent_is_killed(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", RUN], stdout=subprocess.PIPE, text=True, start_new_session=True)
    for _ in range(4):
        assert process.stdout.readline()
    assert processes_of(process.pid) > {process.pid}
    process.kill()
    process.wait()
    process.stdout.close()
    until = time.monotonic() + 10
    while left := processes_of(process.pid):
        assert time.monotonic() < until, left
        time.sleep(0.1)


def processes_of(session):
    """The processes of a session, those that have ended left out."""
    found = set()
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of = each.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(of) == session and state != "Z":
            found.add(int(each.parent.name))
    return found
