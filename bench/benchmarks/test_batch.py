"""All pairs, and all targets: the screen against the bare loop, whole runs by workers."""

from __future__ import annotations

from typing import Any

import pytest

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
