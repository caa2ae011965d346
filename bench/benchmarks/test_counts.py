"""One table by each strategy of counting; see bench/tools/fit_costs.py for the constants of the cost model."""

from __future__ import annotations

from typing import Any

import pytest

from bench.shared.count_tables import count_tables
from bench.shared.factories import uniform
from bench.shared.roofline import bare_tables
from climbfast.counting import COUNTING

TABLES = 8  # tables that share the preparation of their strata
MOST_CELLS = 4096
GRID = [
    (rows, arity, n_given, strategy)
    for rows in (1_000, 20_000, 1_000_000)
    for arity in (2, 4, 16, 64)
    for n_given in range(4)
    for strategy in COUNTING[1:]
    if arity ** (n_given + 2) <= MOST_CELLS or (strategy == "sparse" and arity <= 16)
]


@pytest.mark.benchmark(max_time=0.1, min_rounds=3)
@pytest.mark.parametrize(("rows", "arity", "n_given", "strategy"), GRID)
def test_count(benchmark: Any, report: Any, rows: int, arity: int, n_given: int, strategy: str) -> None:
    """Eight tables a call; the rate is in rows. With few rows the call from Python, about 8 µs, is most of it."""
    data = uniform(rows, 6, arity)
    benchmark(count_tables(data, strategy, n_given, TABLES))
    strata = min(rows, arity**n_given)
    report(TABLES * rows, "rows", roofline=bare_tables(data, 0, [n_given + 1] * TABLES, strata))
