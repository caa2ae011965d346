"""Serial, threads or processes, however joblib is told to: the same blankets, and the result says which and why."""

from __future__ import annotations

import joblib
import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor

import climbfast as cf
from climbfast.batch import pool as batch_pool
from climbfast.batch.packed_results import PackedResult
from climbfast.batch.passes import UnitResults
from climbfast.batch.pool import PassRunner
from climbfast.batch.progress import NoProgress
from climbfast.batch.run import _Run
from climbfast.local.plan import plan_blanket
from climbfast.task_pool import BYTES_IN_MEMORY_MAPS
from climbfast_kernels._jit import INTERPRETED
from tests.batch.runs import CountingReporter, run
from tests.factories import draw_codes, quiet_codes
from tests.pool_work import look_at


@pytest.fixture(scope="module")
def health():
    return cf.load_example().sample(1000, 1)


@pytest.fixture(scope="module")
def wide():
    """Columns of two to twelve levels, of which few lean on another."""
    return quiet_codes(draw_codes([2, 3, 2, 4, 2, 12, 3, 2] * 5, 500, seed=2, lean=0.6))


@pytest.fixture(scope="module")
def serial(health):
    return run(health, n_jobs=1)


@pytest.mark.parametrize(
    ("backend", "workers"),
    [*(("threading", workers) for workers in (1, 2, 3, 8)), *(("loky", workers) for workers in (1, 2))],
)
def test_any_workers(health, serial, backend, workers):
    with joblib.parallel_config(backend=backend):
        found = run(health, n_jobs=workers)
    assert dict(found) == dict(serial)
    assert (found.how["workers"], found.how["tests"]) == (workers, serial.how["tests"])


@pytest.mark.skipif(INTERPRETED, reason="each process takes its time")
@pytest.mark.parametrize("method", ["climb", "iamb"])
def test_processes_that_hand_over_lists_alone(health, method):
    """multiprocessing returns no generator; the journal gets its units nevertheless while the run goes on."""
    units = CountingReporter()
    with joblib.parallel_config(backend="multiprocessing", n_jobs=2):
        blankets = cf.markov_blankets(health, method=method, progress=units)
    assert dict(blankets) == dict(run(health, method=method, n_jobs=1))
    assert units.units["blankets"] == health.columns
    assert blankets.how["backend"] == "processes"


def size(columns, rows, method="climb"):
    codes = np.zeros((columns, rows), np.uint8)
    codes[:, 0] = 1
    return _Run(
        quiet_codes(codes) if columns < 90 else without_levels(codes),
        tuple(range(columns)),
        plan_blanket(method),
        cf.SCI(),
        "auto",
        None,
    )


def without_levels(codes):
    names = tuple(range(len(codes)))
    return cf.Dataset(names, {}, codes, names, np.full(len(codes), 2))


def test_workers_by_the_size_of_the_job():
    assert size(5_000, 100).choose_workers(1).why == "one worker"
    assert size(30, 1_000).choose_workers(4)[:2] == (1, "threads")
    assert size(2_000, 2_000).choose_workers(4)[:2] == (4, "threads")
    assert size(20_000, 1_000).choose_workers(4)[:2] == (4, "threads")
    assert size(60_000, 1_000).choose_workers(4)[:2] == (4, "processes")
    assert size(20_000, 1_000, "pcmb").choose_workers(4)[:2] == (4, "processes")


def test_workers_that_joblib_is_told():
    with joblib.parallel_config(n_jobs=3):
        assert size(20_000, 1_000).choose_workers(-1).n_jobs == 3
        assert size(20_000, 1_000).choose_workers(5).n_jobs == 5
    with joblib.parallel_config(backend="threading", n_jobs=2):
        workers = size(30, 1_000).choose_workers(-1)
    assert (workers.n_jobs, workers.why) == (2, "the backend that joblib.parallel_config names")


class TestWorkers:
    def how(self, data, **options):
        how = run(data, **options).how
        return how["workers"], how["backend"], how["why"]

    def test_by_the_size_of_the_job(self, health, monkeypatch):
        assert self.how(health, n_jobs=2) == (1, "serial", "a job too small for more than one worker")
        assert self.how(health, n_jobs=1) == (1, "serial", "one worker")
        assert self.how(health, targets=["sleep"], n_jobs=2) == (1, "serial", "one target")
        monkeypatch.setattr(batch_pool, "SECONDS_FOR_THREADS", 0.0)
        assert self.how(health, n_jobs=2) == (2, "threads", "every pass is compiled, so threads rarely wait")
        with joblib.parallel_config(n_jobs=3):
            assert self.how(health) == (3, "threads", "every pass is compiled, so threads rarely wait")
            assert self.how(health, n_jobs=2)[0] == 2
        if not INTERPRETED:
            monkeypatch.setattr(batch_pool, "SECONDS_FOR_PROCESSES", 0.0)
            assert self.how(health, n_jobs=2) == (2, "processes", "a job large enough for processes")

    @pytest.mark.parametrize(
        ("config", "workers", "backend"),
        [
            ({"backend": "threading", "n_jobs": 3}, 3, "threads"),
            ({"prefer": "threads", "n_jobs": 3}, 3, "threads"),
            ({"require": "sharedmem", "n_jobs": 3}, 3, "threads"),
            ({"backend": "threading", "n_jobs": 1}, 1, "serial"),
            ({"backend": "sequential"}, 1, "serial"),
            ({"backend": "loky", "n_jobs": 1}, 1, "serial"),
        ],
        ids=str,
    )
    def test_parallel_config_decides(self, health, serial, config, workers, backend):
        with joblib.parallel_config(**config):
            blankets = run(health)
        assert (blankets.how["workers"], blankets.how["backend"]) == (workers, backend)
        assert dict(blankets) == dict(serial)

    def test_a_run_inside_a_run_of_joblib(self, health, serial):
        with joblib.parallel_config(backend="threading"):
            inner = joblib.Parallel(n_jobs=2)(joblib.delayed(run)(health) for _ in range(2))
        assert [dict(blankets) for blankets in inner] == [dict(serial)] * 2

    @pytest.mark.parametrize("n_jobs", [0, True, 1.5, "all"])
    def test_a_number_of_workers_that_is_none(self, health, n_jobs):
        with pytest.raises(cf.OptionError, match="n_jobs is"):
            run(health, n_jobs=n_jobs)


@pytest.mark.skipif(INTERPRETED, reason="each process takes its time")
class TestMemoryMaps:
    def seen(self, monkeypatch, data, **config):
        """What the workers see of the arrays, task by task."""

        class EndOfRun(Exception):  # noqa: N818  # it is no error
            pass

        seen = []

        def spied(runner, name, work, units, arrays, most_per_task=1):
            tasks = [[unit] for unit in range(8)]
            seen.extend(result for _, result in runner._pool.results(look_at, tasks, None, arrays, str))
            raise EndOfRun

        monkeypatch.setattr(batch_pool.PassRunner, "run_pass", spied)
        with joblib.parallel_config(backend="loky", n_jobs=2, **config), pytest.raises(EndOfRun):
            run(data)
        return seen

    def test_large_arrays_are_written_once_and_mapped_read_only(self, wide, monkeypatch):
        tasks = self.seen(monkeypatch, wide)
        assert all(task == tasks[0] for task in tasks)
        files = [array.file for array in tasks[0] if array.file]
        assert len(files) == len({*files}) >= 2
        for array in tasks[0]:
            assert (array.file is not None) == (array.bytes > BYTES_IN_MEMORY_MAPS)
            assert not (array.file and array.is_writeable)

    def test_parallel_config_says_where_and_from_what_size(self, wide, monkeypatch, tmp_path):
        assert not any(array.file for array in self.seen(monkeypatch, wide, max_nbytes=None)[0])
        monkeypatch.undo()
        get_reusable_executor().shutdown()  # one that is there already keeps its folder
        for array in self.seen(monkeypatch, wide, temp_folder=str(tmp_path), max_nbytes=1)[0]:
            assert (array.file is not None) == (array.bytes > 1), "without weights their array is empty"
            assert array.file is None or array.file.startswith(str(tmp_path))


class OneWorker:
    """A pool that does every task at once, and counts the tasks."""

    workers = 1

    def __init__(self):
        self.tasks = []

    def results(self, work, tasks, job, arrays, describe):
        for task in tasks:
            self.tasks.append(task)
            yield task, work(job, task, *arrays)


def find_nothing(job, units, *arrays):
    nothing = PackedResult(np.zeros(0, np.int64), np.zeros(0))
    return UnitResults(tuple((unit, nothing) for unit in units), 0)


@pytest.mark.parametrize(("seconds", "sizes"), [(0.1, [64, 36]), (1.0, [1] * 100)])
def test_a_short_and_silent_run_has_few_tasks(seconds, sizes):
    one = OneWorker()
    runner = PassRunner(one, None, None, NoProgress(), lambda: False, str, seconds=seconds)
    assert list(runner.run_pass("any", find_nothing, range(100), ())) == list(range(100))
    assert [len(task) for task in one.tasks] == sizes


def test_what_is_known_is_not_done_again():
    one = OneWorker()
    known = dict(find_nothing(None, [1, 2]).results)
    runner = PassRunner(one, None, None, NoProgress(), lambda: False, str, seconds=0.1)
    assert list(runner.run_pass("any", find_nothing, range(4), (), known=known)) == [0, 1, 2, 3]
    assert one.tasks == [[0, 3]]


@pytest.mark.parametrize(("workers", "tasks"), [(2, 64), (100, 400)])
def test_many_workers_have_more_tasks(workers, tasks):
    many = OneWorker()
    many.workers = workers
    PassRunner(many, None, None, NoProgress(), lambda: False, str).run_pass("any", find_nothing, range(6_400), ())
    assert len(many.tasks) >= tasks
    assert max(map(len, many.tasks)) == min(64, 6_400 // tasks)
