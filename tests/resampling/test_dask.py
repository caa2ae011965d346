"""Replicates on a cluster of dask."""

from __future__ import annotations

import logging
import warnings

import joblib
import pytest

import climbfast as cf
from climbfast_kernels._jit import INTERPRETED
from tests.resampling.replicates import bootstrap, content

pytestmark = pytest.mark.skipif(INTERPRETED, reason="each process takes its time")


def test_identical():
    distributed = pytest.importorskip("distributed", reason="dask is not installed: pip install 'climbfast[cluster]'")
    data = cf.load_example().sample(500, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # of sockets that are closed later than pytest looks
        with (
            distributed.LocalCluster(
                n_workers=1, threads_per_worker=2, processes=True, dashboard_address=None, silence_logs=logging.ERROR
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            client.wait_for_workers(1, timeout=120)
            with joblib.parallel_config(backend="dask"):
                found = bootstrap(data, "blankets", n_jobs=-1)
    assert found.how["backend"] == "dask"
    assert content(found) == content(bootstrap(data, "blankets"))
