"""The two loops that searches are made of, against the bare loop over the words that their tables need."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.shared.factories import draw_chain, uniform
from bench.shared.roofline import bare_tables
from climbfast import CMI, G2, SCI, X2, Tester

WIDE = {
    "binary": (10_000, 2_000, 2),
    "ternary": (2_577, 2_000, 3),
    "senary": (20_000, 100, 6),
    "long": (500_000, 20, 2),
}
TESTS = {"sci": SCI(), "g2": G2(df="nominal"), "x2": X2(df="nominal"), "cmi": CMI()}


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("columns", WIDE)
def test_sweep(benchmark: Any, report: Any, columns: str, test: str) -> None:
    data = uniform(*WIDE[columns])
    tester, candidates = Tester(data, TESTS[test]), np.arange(1, data.columns)
    benchmark(tester.sweep, 0, candidates, ())
    report(len(candidates), "tests", roofline=bare_tables(data, 0, candidates, strata=1))


@pytest.mark.parametrize("n_given", [1, 2, 3])
@pytest.mark.parametrize("columns", WIDE)
def test_sweep_given(benchmark: Any, report: Any, columns: str, n_given: int) -> None:
    data = uniform(*WIDE[columns])
    tester, candidates = Tester(data), np.arange(n_given + 1, data.columns)
    benchmark(tester.sweep, 0, candidates, range(1, n_given + 1))
    report(len(candidates), "tests", roofline=bare_tables(data, 0, candidates, strata=int(data.arity[0]) ** n_given))


@pytest.mark.parametrize("candidates", [1, 6, 30])
@pytest.mark.parametrize("size", [0, 1, 2])
@pytest.mark.parametrize("arity", [2, 3])
def test_weakest(benchmark: Any, report: Any, arity: int, size: int, candidates: int) -> None:
    """One column fixed and all subsets of a size of a pool of 6; the threshold is so low that no candidate leaves."""
    data = draw_chain(20_000, 40, arity)
    tester = Tester(data)
    asked = list(range(9, 9 + candidates))
    known = np.full(candidates, np.inf)
    tester.rule = tester.rule._replace(threshold=-1e9)
    benchmark(tester.weakest, 0, asked, range(2, 8), (1,), range(size, size + 1), known)
    tester.tests_by_size.clear()
    tester.weakest(0, asked, range(2, 8), (1,), range(size, size + 1), known)
    tests = sum(tester.tests_by_size)
    sweeps = tests / candidates
    report(tests, "tests", roofline=sweeps * bare_tables(data, 0, asked, strata=arity ** (size + 1)))
