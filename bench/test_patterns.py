"""The two loops that searches are made of, against the bare loop over the words that their tables need."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.conftest import chained, uniform
from bench.roofline import bare_loop, pairs_of_table
from climbfast import Dataset, Evidence

WIDE = {"binary": (10_000, 2_000, 2), "ternary": (2_577, 2_000, 3)}
TESTS = ("sci", "g2", "x2", "cmi")


def passing_levels(data: Dataset, candidates: Any) -> Any:
    """All levels but the last of every candidate."""
    return np.concatenate([data.bits.offset[y] + np.arange(data.arity[y] - 1) for y in candidates])


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("columns", WIDE)
def test_sweep(benchmark: Any, report: Any, columns: str, test: str) -> None:
    data = uniform(*WIDE[columns])
    evidence, candidates = Evidence(data, test), np.arange(1, data.columns)
    benchmark(evidence.sweep, 0, candidates, ())
    pairs = len(candidates) * pairs_of_table(data, 0, 1, strata=1)
    report(len(candidates), "tests", yardstick=bare_loop(data, pairs, passing_levels(data, candidates)))


@pytest.mark.parametrize("n_given", [1, 2, 3])
@pytest.mark.parametrize("columns", WIDE)
def test_sweep_given(benchmark: Any, report: Any, columns: str, n_given: int) -> None:
    data = uniform(*WIDE[columns])
    evidence, candidates = Evidence(data), np.arange(n_given + 1, data.columns)
    benchmark(evidence.sweep, 0, candidates, range(1, n_given + 1))
    pairs = len(candidates) * pairs_of_table(data, 0, 1, strata=int(data.arity[0]) ** n_given)
    report(len(candidates), "tests", yardstick=bare_loop(data, pairs, passing_levels(data, candidates)))


@pytest.mark.parametrize("candidates", [1, 6, 30])
@pytest.mark.parametrize("size", [0, 1, 2])
@pytest.mark.parametrize("arity", [2, 3])
def test_weakest(benchmark: Any, report: Any, arity: int, size: int, candidates: int) -> None:
    """One column fixed and all subsets of a size of a pool of 6; nobody leaves, the test being without mercy."""
    data = chained(20_000, 40, arity)
    evidence = Evidence(data)
    asked = list(range(9, 9 + candidates))
    known = np.full(candidates, np.inf)
    evidence.rule = evidence.rule._replace(threshold=-1e9)
    benchmark(evidence.weakest, 0, asked, range(2, 8), (1,), range(size, size + 1), known)
    evidence.tests_by_size.clear()
    evidence.weakest(0, asked, range(2, 8), (1,), range(size, size + 1), known)
    tests = sum(evidence.tests_by_size)
    pairs = tests * pairs_of_table(data, 0, 9, strata=arity ** (size + 1))
    report(tests, "tests", yardstick=bare_loop(data, pairs, passing_levels(data, asked)))
