"""All pairs, and all targets: the screen against the bare loop, whole runs by workers."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from joblib import parallel_config

from bench.shared.factories import genes, uniform
from bench.shared.pair_counts import PairCountingTest
from bench.shared.roofline import bare_loop, least_seconds
from climbfast import CMI, G2, SCI, X2, Dataset, Tester, markov_blanket, markov_blankets
from climbfast.independence.screen import ScreenWorker, units_of_screen

TESTS = {"sci": SCI(), "g2": G2(df="nominal"), "x2": X2(df="nominal"), "cmi": CMI()}
WIDE = {"binary": (10_000, 2_000, 2), "ternary": (2_577, 5_716, 3)}


def screen_loop(data: Dataset) -> float:
    """Return the seconds of the bare loop over the free cells of all pairs, one pair of bitmaps at a time."""
    free = int((data.arity - 1).sum()), int(((data.arity - 1) ** 2).sum())
    return bare_loop(data, (free[0] ** 2 - free[1]) / 2)


def run_screen(benchmark: Any, report: Any, data: Dataset, test: SCI | G2 | X2 | CMI) -> None:
    worker, units = ScreenWorker(Tester(data, test)), range(len(units_of_screen(data)))
    benchmark.pedantic(lambda: [worker.unit(unit) for unit in units], rounds=5, warmup_rounds=1)
    report(data.columns * (data.columns - 1) / 2, "pairs", roofline=screen_loop(data))


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("columns", WIDE)
def test_screen(benchmark: Any, report: Any, columns: str, test: str) -> None:
    """One core; the yardstick scores nothing."""
    run_screen(benchmark, report, uniform(*WIDE[columns]), TESTS[test])


@pytest.mark.parametrize("rows", [1_000, 20_000])
@pytest.mark.parametrize("columns", [100, 400])
@pytest.mark.parametrize("arity", [2, 3, 6, 16])
def test_screen_shapes(benchmark: Any, report: Any, arity: int, columns: int, rows: int) -> None:
    """Columns of 10 levels and more are swept."""
    run_screen(benchmark, report, uniform(rows, columns, arity), SCI())


@pytest.mark.parametrize("sample", ["example", "alarm"])
def test_small(benchmark: Any, report: Any, request: pytest.FixtureRequest, sample: str) -> None:
    """All 15 or 37 targets, no processes."""
    data: Dataset = request.getfixturevalue(sample)
    benchmark.pedantic(markov_blankets, (data,), {"n_jobs": 1, "progress": False}, rounds=15, warmup_rounds=1)
    report(data.columns, "targets", roofline=bare_loop(data, pairs_of_all(data)))


def pairs_of_all(data: Dataset) -> int:
    """Return the pairs of bitmaps that the searches of all targets need, one target after the other."""
    test = PairCountingTest(data)
    for x in data.canonical:
        markov_blanket(data, x, test=test)
    return test.pairs


@pytest.mark.filterwarnings("ignore:.*dependent by chance:climbfast.ClimbfastWarning")
@pytest.mark.parametrize("concentration", [0.5, 0.15], ids=["sparse", "dense"])
@pytest.mark.parametrize(("columns", "rows"), [(150, 1_000), (5_716, 2_577)])
@pytest.mark.parametrize("workers", [1, 2])
def test_genes(benchmark: Any, report: Any, workers: int, columns: int, rows: int, concentration: float) -> None:
    """Three levels; two workers against one, the pool of workers being up. The bare loop goes over the screen alone."""
    data = genes(columns, rows, concentration)

    def run(n_jobs: int) -> object:
        return markov_blankets(data, n_jobs=n_jobs, progress=False)

    benchmark.pedantic(run, (workers,), rounds=3, warmup_rounds=1)
    yardsticks = {"roofline_of_the_screen": screen_loop(data)}
    if workers > 1:
        yardsticks["one_worker"] = least_seconds(lambda: run(1), rounds=2)
    report(data.columns, "targets", **yardsticks)


@pytest.mark.parametrize("columns", [5_000, 20_000])
def test_wide(benchmark: Any, report: Any, columns: int) -> None:
    """500 rows of sparse data with ``min_bits="auto"``; 100,000 columns take 25 times as long as 20,000."""
    data = genes(columns, 500, 0.5)
    run = partial(markov_blankets, data, min_bits="auto", n_jobs=1, progress=False)
    benchmark.pedantic(run, rounds=3, warmup_rounds=1)
    report(data.columns, "targets", roofline_of_the_screen=screen_loop(data))


def test_saving_as_parquet(benchmark: Any, report: Any, tmp_path: Path) -> None:
    """The blankets of 2,000 columns, whose separating sets are not written; against writing them as JSON Lines."""
    found = markov_blankets(genes(2_000, 500, 0.5), min_bits="auto", n_jobs=1, progress=False)
    assert found.found  # made before the clock runs
    benchmark.pedantic(found.save, (tmp_path / "found.parquet",), rounds=5, warmup_rounds=1)
    report(len(found), "blankets", json_lines=least_seconds(lambda: found.save(tmp_path / "found.jsonl"), rounds=3))


@pytest.fixture
def cluster() -> Iterator[None]:
    """Two worker processes of dask, in place of two machines."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
        ) as workers,
        distributed.Client(workers) as client,
    ):
        client.wait_for_workers(2)
        yield


@pytest.mark.usefixtures("cluster")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_genes_by_dask(benchmark: Any, report: Any) -> None:
    """Warm workers, against two threads. By processor time it is what client and scheduler take."""
    data = genes(5_716, 2_577)

    def run(backend: str) -> object:
        with parallel_config(backend=backend, **({} if backend == "dask" else {"n_jobs": 2})):
            return markov_blankets(data, progress=False)

    benchmark.pedantic(run, ("dask",), rounds=5, warmup_rounds=2)
    report(data.columns, "targets", two_threads=least_seconds(lambda: run("threading"), rounds=5))
