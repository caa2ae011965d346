"""More than one machine: a cluster of dask, here of two worker processes, by way of joblib's own backend."""

from __future__ import annotations

import logging
import warnings

import joblib
import pytest

import climbfast as cf
from climbfast_kernels._jit import INTERPRETED
from tests.batch.runs import CountingReporter, StoppingReporter
from tests.factories import draw_codes, quiet_codes

pytestmark = pytest.mark.skipif(INTERPRETED, reason="each process takes its time")


@pytest.fixture(scope="module")
def cluster():
    """A client of two worker processes, which is the one that joblib finds."""
    distributed = pytest.importorskip("distributed", reason="dask is not installed: pip install 'climbfast[cluster]'")
    with warnings.catch_warnings():
        # Of a port that is taken, and of sockets that its event loop closes later than pytest looks.
        warnings.filterwarnings("ignore", "Port 8787 is already in use", UserWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=logging.ERROR
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            client.wait_for_workers(2, timeout=120)
            yield client


@pytest.fixture(scope="module")
def data():
    return quiet_codes(draw_codes([2, 3, 2, 4, 2, 12, 3, 2] * 5, 500, seed=2, lean=0.6))


@pytest.fixture(scope="module")
def expected(data):
    return dict(cf.markov_blankets(data, progress=False, n_jobs=1))


def test_identical_to_the_bit(cluster, data, expected):
    with joblib.parallel_config(backend="dask"):
        blankets = cf.markov_blankets(data, progress=False)
    assert dict(blankets) == expected
    assert (blankets.how["workers"], blankets.how["backend"]) == (2, "dask")


def test_a_method_of_whole_blankets(cluster, data):
    with joblib.parallel_config(backend="dask"):
        blankets = cf.markov_blankets(data, method="iamb", test="g2", progress=False)
    assert dict(blankets) == dict(cf.markov_blankets(data, method="iamb", test="g2", progress=False, n_jobs=1))


def test_both_workers_work(cluster, data):
    with joblib.parallel_config(backend="dask"):
        cf.markov_blankets(data, progress=False)
    tasks = cluster.run(lambda dask_worker: len(dask_worker.state.log))
    assert len(tasks) == 2
    assert all(tasks.values())


def test_stopped_and_resumed(cluster, data, expected, tmp_path):
    first, second = StoppingReporter(30), CountingReporter()
    with joblib.parallel_config(backend="dask"):
        with pytest.raises(cf.Interrupted, match="finished work is saved"):
            cf.markov_blankets(data, journal=tmp_path / "journal", progress=first)
        assert dict(cf.markov_blankets(data, journal=tmp_path / "journal", progress=second)) == expected
    done = {name: first.units.get(name, 0) + second.units[name] for name in second.units}
    assert done["neighbors"] == done["blankets"] == data.columns
