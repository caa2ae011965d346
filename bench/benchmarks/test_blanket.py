"""The main job: one target's blanket, data loaded."""

from __future__ import annotations

import statistics
from functools import partial
from typing import Any

import pytest

from bench.shared.factories import genes
from bench.shared.pair_counts import PairCountingTest
from bench.shared.roofline import bare_loop, least_seconds
from climbfast import Dataset, markov_blanket
from climbfast.networks.examples import EXAMPLE_TARGET


def run(benchmark: Any, report: Any, data: Dataset, target: Any) -> None:
    benchmark(markov_blanket, data, target)
    test = PairCountingTest(data)
    found = markov_blanket(data, target, test=test)
    report(found.tests, "tests", roofline=bare_loop(data, test.pairs))


def test_blanket_of_example(benchmark: Any, report: Any, example: Dataset) -> None:
    run(benchmark, report, example, EXAMPLE_TARGET)


@pytest.mark.parametrize("columns", [300, 3_000])
def test_blanket_of_genes(benchmark: Any, report: Any, columns: int) -> None:
    """2,000 rows; the column in the middle."""
    data = genes(columns, 2_000)
    run(benchmark, report, data, data.canonical[columns // 2])


@pytest.mark.parametrize("rank", ["fastest", "median", "slowest"])
def test_blanket_of_alarm(benchmark: Any, report: Any, alarm: Dataset, rank: str) -> None:
    """Of all 37 targets the fastest, the median and the slowest one, found by a first round over all."""
    seconds = {x: least_seconds(partial(markov_blanket, alarm, x), rounds=3) for x in alarm.canonical}
    benchmark.extra_info["median over all targets"] = statistics.median(seconds.values())
    ranked = sorted(seconds, key=lambda x: seconds[x])
    target = ranked[{"fastest": 0, "median": len(ranked) // 2, "slowest": -1}[rank]]
    benchmark.extra_info["target"] = target
    run(benchmark, report, alarm, target)
