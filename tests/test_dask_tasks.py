"""A cluster of dask whose workers are really killed."""

from __future__ import annotations

import logging
import os
import signal
import time
import warnings
from concurrent.futures import CancelledError
from contextlib import nullcontext
from types import SimpleNamespace

import joblib
import pytest

import climbfast as cf
from climbfast.dask_tasks import DaskTasks, WorkerLost
from climbfast.task_pool import TaskPool, WorkerError
from climbfast_kernels._jit import INTERPRETED
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


def wait_until_settled(client):
    """Wait for the workers, of which the cluster may still learn that the last test has killed one."""
    before = None
    while before is None or set(client.ncores()) != before:
        client.wait_for_workers(2, timeout=120)
        before = set(client.ncores())
        time.sleep(1.5)


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


def test_the_work_of_a_lost_worker_is_done_again(pool, tmp_path):
    with pytest.warns(cf.ClimbfastWarning, match=LOST):
        assert do_all(pool, tmp_path) == EXPECTED


def test_a_unit_that_ends_every_worker_is_named(pool, tmp_path):
    (tmp_path / "always").touch()
    with (
        pytest.warns(cf.ClimbfastWarning, match=LOST),
        pytest.raises(WorkerError, match=r"^the unit 23 ended its worker 3 times"),
    ):
        do_all(pool, tmp_path)


@pytest.mark.parametrize("kills", [1, 2])
def test_a_batch_outlives_workers(client, kills):
    """One of two workers, or both at once: then no copy of the data is left on the cluster."""
    wait_until_settled(client)
    data = quiet_codes(draw_codes([2, 3, 2, 4, 2, 12, 3, 2] * 5, 500, seed=2, lean=0.6))
    killer = Killer(client, kills)
    with joblib.parallel_config(backend="dask"), pytest.warns(cf.ClimbfastWarning, match=LOST):
        found = cf.markov_blankets(data, progress=killer)
    assert dict(found) == dict(cf.markov_blankets(data, progress=False, n_jobs=1))


class Killer:
    """Kills workers when ten tasks are done."""

    def __init__(self, client, kills):
        self.client, self.kills, self.tasks = client, kills, 0

    def begin(self, name, done, units):
        pass

    def advance(self, units, tests):
        self.tasks += 1
        if self.tasks == 10:
            for pid in [each["pid"] for each in self.client.run(identity).values()][: self.kills]:
                os.kill(pid, signal.SIGKILL)

    def end(self):
        pass


def identity():
    return {"pid": os.getpid()}


def test_a_cluster_without_workers_is_named():
    class Client:
        def wait_for_workers(self, count, timeout):
            raise TimeoutError

    with pytest.raises(cf.ClimbfastError, match="the dask cluster has no worker left"):
        DaskTasks(Client(), None).wait_for_workers()


def test_a_loss_is_told_when_no_cancelled_task_runs_any_more():
    """A worker that a cancelled task ends later would be blamed on the next task."""

    class Client:
        def ncores(self):
            return {"a": 1, "b": 1}

        def submit(self, *arguments, **options):
            return Future()

        def cancel(self, futures):
            assert len(futures) <= 1

        def run(self, *arguments, on_error):
            return answers.pop(0)

    class Future:
        key = "one"

        def add_done_callback(self, callback):
            callback(self)

        def result(self, timeout):
            raise CancelledError

    answers = [{"a": False, "b": True}, {"a": False, "b": OSError("lost, and not yet noticed")}, {"a": False}]
    backend = SimpleNamespace(submit_kwargs={}, retrieval_context=nullcontext)
    with pytest.raises(WorkerLost):
        list(DaskTasks(Client(), backend).results(iter([(None, (), {})]), 2))
    assert answers == []
