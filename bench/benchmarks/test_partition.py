"""Telling parents from children around the widest nodes; the yardstick reads all distinct rows at every node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.shared.roofline import bare_words
from climbfast import Dataset, Network, Tester, load_example
from climbfast.local.partition import partition


def neighbors(truth: Network, data: Dataset, rank: int) -> tuple[int, list[int]]:
    """Return the node with the most neighbors, or the next ones, and its neighbors, by column number."""
    around = {x: {*truth.parents[x], *truth.children(x)} for x in truth.nodes}
    widest = sorted(truth.nodes, key=lambda x: (-len(around[x]), x))[rank]
    return data.index(widest), sorted(data.index(y) for y in around[widest])


def run(benchmark: Any, report: Any, data: Dataset, target: int, members: list[int]) -> None:
    tester = Tester(data)
    found = benchmark(partition, tester, target, members)
    benchmark.extra_info.update(neighbors=len(members), exact=found.exact, gap=found.gap, nodes=found.nodes)
    distinct = len(np.unique(data.codes[[target, *members]], axis=1).T)
    report(found.nodes, "nodes", roofline=bare_words(found.nodes * distinct / 2))


def test_partition_of_example(benchmark: Any, report: Any, example: Dataset) -> None:
    run(benchmark, report, example, *neighbors(load_example(), example, 0))


@pytest.mark.benchmark(max_time=1, min_rounds=3)
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_partition_of_hepar2(benchmark: Any, report: Any, published: Any, hepar2: Dataset, rank: int) -> None:
    run(benchmark, report, hepar2, *neighbors(published("hepar2"), hepar2, rank))
