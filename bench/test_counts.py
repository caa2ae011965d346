"""One table by each way of counting, forced; see fit_costs.py for the constants of the cost model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.conftest import uniform
from bench.roofline import bare_tables
from climbfast import Dataset, Tester
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


def tables(data: Dataset, strategy: str, n_given: int, n_tables: int = TABLES) -> Any:
    """Return a function that fills and measures tables of column 0 with others, and nothing else."""
    from climbfast_kernels.patterns import weakest

    tester = Tester(data, counting=strategy)
    given = np.arange(1, n_given + 1)
    candidates = np.full(n_tables, n_given + 1)
    known, nobody = np.full(n_tables, np.inf), np.arange(0)
    workspace, number = tester.workspace(n_given), COUNTING.index(strategy)
    return lambda: weakest(
        data.codes, data.bits, data.log_tables, workspace, tester.rule, number, 0, candidates, nobody, given,
        0, 0, known,
    )  # fmt: skip


@pytest.mark.benchmark(max_time=0.1, min_rounds=3)
@pytest.mark.parametrize(("rows", "arity", "n_given", "way"), GRID)
def test_count(benchmark: Any, report: Any, rows: int, arity: int, n_given: int, strategy: str) -> None:
    """Eight tables a call; the rate is in rows. With few rows the call from Python, about 8 µs, is most of it."""
    data = uniform(rows, 6, arity)
    benchmark(tables(data, strategy, n_given))
    strata = min(rows, arity**n_given)
    report(TABLES * rows, "rows", roofline=bare_tables(data, 0, [n_given + 1] * TABLES, strata))
