"""A cluster of dask, of two worker processes, by way of the backend of joblib: its results, and its workers killed."""

from __future__ import annotations

import logging
import math
import os
import pickle
import signal
import threading
import time
import warnings
from concurrent.futures import CancelledError
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace

import joblib
import numpy as np
import pytest

import climbfast as cf
from climbfast import dask_tasks, task_pool, workers
from climbfast.dask_tasks import DaskTasks, WorkerLost
from climbfast.task_pool import TaskPool, WorkerError
from climbfast_kernels._jit import INTERPRETED
from tests.batch.runs import CountingReporter, StoppingReporter
from tests.factories import draw_codes, quiet_codes
from tests.test_task_pool import EXPECTED, LOST, do_all

pytestmark = [
    pytest.mark.skipif(INTERPRETED, reason="each process takes its time"),
    pytest.mark.skipif(os.name == "nt", reason="signals of POSIX"),
]


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    from dask import config

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Port 8787 is already in use", UserWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        with (
            # On a busy machine a new worker takes its time; after this time the cluster would do without.
            config.set({"distributed.deploy.lost-worker-timeout": "120s"}),
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=logging.CRITICAL
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            client.wait_for_workers(2, timeout=120)
            yield client


SETTLED: list[int] = []  # the processes of the workers when all was quiet


def wait_until_settled(client):
    """Wait for the workers, unless all live: the cluster may still learn that the last test has killed one."""
    if SETTLED and all(map(is_alive, SETTLED)):
        return
    before = None
    while before is None or set(client.ncores()) != before:
        client.wait_for_workers(2, timeout=120)
        before = set(client.ncores())
        time.sleep(1.5)
    SETTLED[:] = client.run(os.getpid).values()


def is_alive(pid):
    import psutil  # distributed needs it

    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


@pytest.fixture
def pool(client):
    wait_until_settled(client)
    with joblib.parallel_config(backend="dask"), TaskPool(-1, "processes") as pool:
        assert pool.backend == "dask"
        yield pool


def test_an_error_of_the_work_is_raised_as_it_is(pool):
    with pytest.raises(ZeroDivisionError):
        list(pool.results(divide, [[1], [0]], None, [], str))


def divide(job, units):
    return 1 / units[0]


@pytest.fixture(scope="module")
def data():
    return quiet_codes(draw_codes([2, 3, 2, 4, 2, 12, 3, 2] * 5, 500, seed=2, lean=0.6))


@pytest.fixture(scope="module")
def expected(data):
    return dict(cf.markov_blankets(data, progress=False, n_jobs=1))


def test_a_batch_is_identical_to_the_bit(client, data, expected):
    wait_until_settled(client)
    with joblib.parallel_config(backend="dask"):
        blankets = cf.markov_blankets(data, progress=False)
    assert dict(blankets) == expected
    assert (blankets.how["workers"], blankets.how["backend"]) == (2, "dask")
    tasks = client.run(lambda dask_worker: len(dask_worker.state.log))
    assert len(tasks) == 2
    assert all(tasks.values())


def test_a_method_of_whole_blankets(client, data):
    wait_until_settled(client)
    with joblib.parallel_config(backend="dask"):
        blankets = cf.markov_blankets(data, method="iamb", test="g2", progress=False)
    assert dict(blankets) == dict(cf.markov_blankets(data, method="iamb", test="g2", progress=False, n_jobs=1))


def test_a_batch_is_stopped_and_resumed(client, data, expected, tmp_path):
    wait_until_settled(client)
    first, second = StoppingReporter(30), CountingReporter()
    with joblib.parallel_config(backend="dask"):
        with pytest.raises(cf.Interrupted, match="finished work is saved"):
            cf.markov_blankets(data, journal=tmp_path / "journal", progress=first)
        assert dict(cf.markov_blankets(data, journal=tmp_path / "journal", progress=second)) == expected
    done = {name: first.units.get(name, 0) + second.units[name] for name in second.units}
    assert done["neighbors"] == done["blankets"] == data.columns


def test_pc_is_the_same(client):
    wait_until_settled(client)
    data = quiet_codes(draw_codes([2, 3, 2, 4, 2, 3] * 3, 300, seed=2, lean=0.6))
    with joblib.parallel_config(backend="dask"):
        assert cf.pc(data, n_jobs=2) == cf.pc(data, n_jobs=1)


def test_nothing_is_left_on_the_workers(client):
    wait_until_settled(client)
    data = quiet_codes(draw_codes([2, 3, 2, 4, 2, 3] * 5, 300, seed=2, lean=0.6))
    with joblib.parallel_config(backend="dask"):
        cf.markov_blankets(data, progress=False)
    assert any(client.run(has_searched).values())
    until = time.monotonic() + 60
    while any(map(any, client.run(left_on_worker).values())):
        assert time.monotonic() < until, client.run(left_on_worker)
        time.sleep(0.1)


def has_searched(dask_worker):
    return bool(list(workers._states))


def left_on_worker(dask_worker):
    """Return the numbers of objects of dask, and of testers."""
    return len(dask_worker.data), sum(state.tester is not None for state in list(workers._states))


def test_a_batch_outlives_all_workers(client, data, expected):
    """Both at once: then no copy of the data is left on the cluster."""
    wait_until_settled(client)
    with joblib.parallel_config(backend="dask"), pytest.warns(cf.ClimbfastWarning, match=LOST):
        found = cf.markov_blankets(data, progress=Killer(client))
    assert dict(found) == expected


class Killer:
    """Kills all workers when ten tasks are done."""

    def __init__(self, client):
        self.client, self.tasks = client, 0

    def begin(self, name, done, units):
        pass

    def advance(self, units, tests):
        self.tasks += 1
        if self.tasks == 10:
            for pid in self.client.run(os.getpid).values():
                os.kill(pid, signal.SIGKILL)

    def end(self):
        pass


def test_the_work_of_a_lost_worker_is_done_again(pool, tmp_path):
    with pytest.warns(cf.ClimbfastWarning, match=LOST):
        assert do_all(pool, tmp_path) == EXPECTED


def test_a_unit_that_ends_every_worker_is_named(pool, tmp_path, monkeypatch):
    monkeypatch.setattr(task_pool, "MOST_LOSSES", 2)
    (tmp_path / "always").touch()
    (tmp_path / "once").touch()
    with (
        pytest.warns(cf.ClimbfastWarning, match=LOST),
        pytest.raises(WorkerError, match=r"^the unit 23 ended its worker 2 times"),
    ):
        do_all(pool, tmp_path)


def test_data_that_never_arrive_are_sent_again(monkeypatch):
    """dask may never answer, though all workers that were there still are."""
    monkeypatch.setattr(dask_tasks, "SECONDS_TO_SEND", 0.1)
    answer = threading.Event()
    silent = SimpleNamespace(ncores=lambda: {"tcp://a": 1}, scatter=lambda *_, **__: answer.wait())
    try:
        with pytest.raises(WorkerLost):
            DaskTasks(silent, None)._send([np.zeros(3)])
    finally:
        answer.set()


def test_a_cluster_without_workers_is_named():
    class Client:
        def wait_for_workers(self, count, timeout):
            raise TimeoutError

    with pytest.raises(cf.ClimbfastError, match="the dask cluster has no worker left"):
        DaskTasks(Client(), None).wait_for_workers()


def test_a_loss_is_told_when_no_cancelled_call_runs_any_more():
    """A worker that a cancelled call ends later would be blamed on the next task."""

    class Client(FakeClient):
        def run(self, *arguments, on_error):
            return answers.pop(0)

    answers = [{"a": False, "b": True}, {"a": False, "b": OSError("lost, and not yet noticed")}, {"a": False}]
    with pytest.raises(WorkerLost):
        list(tasks_of(Client([CancelledError()])).results(divide, [[1], [2]], iter([0, 1]), [None]))
    assert answers == []


class FakeClient:
    """A cluster of two threads, whose calls end with these outcomes: seconds of a task, or errors.

    They end when so many are there, all of them.
    """

    def __init__(self, outcomes, *, at_once=1):
        self.outcomes, self.at_once, self.threads = list(outcomes), at_once, {"a": 1, "b": 1}
        self.calls, self.unfinished, self.scattered = [], [], []

    def ncores(self):
        return dict(self.threads)

    def scatter(self, objects, **options):
        assert options == {"hash": False}  # to all at once, a lost worker would block the scheduler for ever
        self.scattered.append(objects[0].content)
        return [FakeFuture(self)]

    def submit(self, function, work, tasks, home, places, *shared, pure):
        self.calls.append([number for number, _ in pickle.loads(tasks)])
        return FakeFuture(self)

    def cancel(self, futures):
        pass

    def run(self, *arguments, on_error):
        return {}


class FakeFuture:
    key, status = "one", "finished"

    def __init__(self, client):
        self.client, self.is_released = client, False

    def add_done_callback(self, callback):
        self.numbers = self.client.calls[-1]
        self.client.unfinished.append(partial(callback, self))
        if len(self.client.unfinished) == self.client.at_once:
            while self.client.unfinished:
                self.client.unfinished.pop(0)()

    def result(self, timeout):
        outcome = self.client.outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return pickle.dumps((outcome * len(self.numbers), [(number, None) for number in self.numbers]))

    def release(self):
        self.is_released = True


def tasks_of(client, **options):
    return DaskTasks(client, SimpleNamespace(submit_kwargs={}, retrieval_context=nullcontext), **options)


def sizes_of_calls(client, tasks, **options):
    """Return the numbers of tasks sent together, each of which takes the same time."""
    found = list(tasks_of(client, **options).results(divide, [[1]] * tasks, iter(range(tasks)), [None]))
    assert sorted(number for number, _ in found) == list(range(tasks))
    return list(map(len, client.calls))


def test_calls_are_sized_by_the_seconds_that_tasks_take():
    assert sizes_of_calls(FakeClient([1.0] * 40), 40) == [1] * 40
    long = sizes_of_calls(FakeClient([0.01] * 90), 200)
    assert long[:3] == [1, 10, 10]  # for 0.1 s
    assert long[-1] < 5  # at the end by what is left
    assert sizes_of_calls(FakeClient([1e-6] * 40), 200) == [1, 199]  # less than a call costs


def test_nothing_is_left_to_size():
    size = dask_tasks.CallSize(1)
    assert size.next(2) == 1
    size.note(1, 1.0)
    assert [size.next(2), size.next(2)] == [1, 1]


def test_calls_are_larger_for_many_threads():
    """Client and scheduler have to send them and to fetch their results."""
    client = FakeClient([0.01] * 5_000)
    client.threads = {"a": 100}
    assert max(sizes_of_calls(client, 40_000)) == 141  # √(400 · 0.005) seconds
    client = FakeClient([0.01] * 5_000)
    client.threads = {"a": 10_000}
    assert len(sizes_of_calls(client, 100)) < 40  # one second of work: most threads have nothing to do


@pytest.mark.parametrize(("most", "at_once"), [(math.inf, 4), (1, 2)])
def test_a_thread_does_one_call_while_another_waits(most, at_once):
    """If fewer were sent, none would end."""
    client = FakeClient([1.0] * 10, at_once=at_once)
    next(tasks_of(client, most_threads=most).results(divide, [[1]] * 10, iter(range(10)), [None]))
    assert len(client.calls) == at_once


def test_workers_that_join_are_used(monkeypatch):
    monkeypatch.setattr(dask_tasks, "SECONDS_BETWEEN_LOOKS", 0.0)
    client = FakeClient([1.0] * 90, at_once=4)
    results = tasks_of(client).results(divide, [[1]] * 90, iter(range(90)), [None])
    next(results)
    client.threads, client.at_once = {"a": 1, "b": 1, "c": 8}, 20
    for _ in range(3):
        next(results)
    assert len(client.calls) == 4 + 20


def test_what_is_shared_is_sent_once_and_released_when_unused():
    client, job, first, second = FakeClient([1.0] * 9), "job", np.arange(3), np.arange(4)
    tasks = tasks_of(client)
    for shared in ([job, first], [job, first, second], [job, first], [job]):
        list(tasks.results(divide, [[1]], iter([0]), shared))
    assert [len(content) for content in client.scattered] == [2, 1]
    left = [future for future, _ in tasks._sent]
    assert len(left) == 1
    tasks.release()
    assert left[0].is_released
    assert tasks._sent == []


def test_one_loss_of_several_workers_is_told_and_no_error(monkeypatch):
    monkeypatch.setattr(dask_tasks, "SECONDS_BETWEEN_LOOKS", 0.0)
    client, told = FakeClient([1.0] * 9), []
    results = tasks_of(client, tell_of_loss=lambda: told.append(1)).results(divide, [[1]] * 9, iter(range(9)), [None])
    next(results)
    client.threads = {"b": 1}
    assert len(list(results)) == 8
    assert told == [1]


def test_a_task_alone_is_to_blame_for_a_loss(monkeypatch):
    monkeypatch.setattr(dask_tasks, "SECONDS_BETWEEN_LOOKS", 0.0)

    class Client(FakeClient):
        def submit(self, *arguments, **options):
            self.threads.pop("a")
            return super().submit(*arguments, **options)

    with pytest.raises(WorkerLost):
        list(tasks_of(Client([1.0])).results(divide, [[1]], iter([0]), [None]))


def test_only_the_tasks_of_a_call_that_dask_gives_up_are_suspects():
    killed = pytest.importorskip("distributed").KilledWorker("one", None, 4)
    with pytest.raises(WorkerLost) as caught:
        list(tasks_of(FakeClient([1.0, killed])).results(divide, [[1]] * 9, iter(range(9)), [None]))
    assert caught.value.suspects == [1]


def test_arrays_arrive_aligned():
    """Where they are not, kernels would be compiled again for them."""
    buffer = np.zeros(8 * 5 + 1, np.uint8)
    unaligned = buffer[1:].view(np.int64)
    assert not unaligned.flags.aligned
    sent = dask_tasks._Shared([unaligned, "other"])
    assert sent.content[0].flags.aligned
    assert np.array_equal(sent.content[0], unaligned)
    aligned = np.arange(5)
    assert dask_tasks._Shared([aligned]).content[0] is aligned
