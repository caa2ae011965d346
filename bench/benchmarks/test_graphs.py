"""Whole graphs, data loaded."""

from __future__ import annotations

from typing import Any

import pytest

from bench.shared.pair_counts import PairCountingTest
from bench.shared.roofline import bare_loop
from climbfast import G2, SCI, Dataset, orient, pc

TESTS = {"g2": G2(alpha=0.01, df="nominal"), "sci": SCI()}


@pytest.mark.parametrize("conflicts", ["overwrite", "majority"])
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("sample", ["example", "alarm"])
def test_pc(
    benchmark: Any, report: Any, request: pytest.FixtureRequest, sample: str, test: str, conflicts: str
) -> None:
    run(benchmark, report, request.getfixturevalue(sample), test, conflicts=conflicts)


@pytest.mark.parametrize("workers", [1, 2])
def test_pc_by_workers(benchmark: Any, report: Any, alarm: Dataset, workers: int) -> None:
    run(benchmark, report, alarm, "sci", n_jobs=workers)


def run(benchmark: Any, report: Any, data: Dataset, test: str, **options: Any) -> None:
    benchmark(pc, data, TESTS[test], **options)
    counter = PairCountingTest(data, TESTS[test])
    found = pc(data, counter, **options | {"n_jobs": 1})
    report(found.tests, "tests", roofline=bare_loop(data, counter.pairs))


@pytest.mark.parametrize("method", ["climb", "global"])
@pytest.mark.parametrize("sample", ["example", "alarm"])
def test_directions(benchmark: Any, report: Any, request: pytest.FixtureRequest, sample: str, method: str) -> None:
    """No bitmaps, so no roofline."""
    data: Dataset = request.getfixturevalue(sample)
    graph = pc(data)
    found = benchmark(orient, graph, data, method)
    report(len(found.directed), "edges")
