"""Columns with so many neighbors that not all their sets are tested."""

from __future__ import annotations

from typing import Any

import pytest

from bench.growth.tasks import CORE, copies, typical
from bench.shared.factories import hub, many_parents, noisy_copies
from bench.shared.roofline import bare_loop
from climbfast import Dataset, markov_blanket, neighbors, pc


def tables(data: Dataset, tests_by_size: tuple[int, ...]) -> float:
    """Return the seconds of the bare loop over the tables of all tests, of columns that have the same levels."""
    arity = int(data.arity.max())
    return bare_loop(data, sum(tests * arity**size for size, tests in enumerate(tests_by_size)) * (arity - 1) ** 2)


@pytest.mark.parametrize("children", [80, 300])
def test_neighbors_of_hub(benchmark: Any, report: Any, children: int) -> None:
    """2,000 rows of three levels, and 100 other columns."""
    data = hub(children)
    found = benchmark.pedantic(neighbors, (data, "hub", "getpcd"), rounds=3)
    report(found.tests, "tests", roofline=tables(data, found.tests_by_size))


def test_blanket_with_60_parents(benchmark: Any, report: Any) -> None:
    data = many_parents(60)
    found = benchmark.pedantic(markov_blanket, (data, "target"), rounds=1)
    report(found.tests, "tests", roofline=tables(data, found.tests_by_size))


def test_blanket_among_500_noisy_copies(benchmark: Any, report: Any) -> None:
    """One target of 500 columns, each a copy of a hidden one with a tenth of its cells drawn anew."""
    data = noisy_copies(500, noise=0.1)
    found = benchmark(markov_blanket, data, data.canonical[0])
    report(found.tests, "tests", roofline=tables(data, found.tests_by_size))


def test_pc_of_200_columns_with_one_cause(benchmark: Any, report: Any) -> None:
    """One worker; nearly half of all pairs stay adjacent."""
    data = noisy_copies(200, noise=0.3)
    found = benchmark.pedantic(pc, (data,), {"n_jobs": 1}, rounds=1)
    report(found.tests, "tests", roofline=tables(data, found.tests_by_size))


def test_blanket_among_a_million_rows(benchmark: Any, report: Any) -> None:
    """One target of 50 columns; with so many rows weak dependences show, and sets of 19 columns are given."""
    data = copies(CORE, 1_000_000)
    found = benchmark.pedantic(markov_blanket, (data, typical()), rounds=1)
    report(found.tests, "tests", roofline=tables(data, found.tests_by_size))
