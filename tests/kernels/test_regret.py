"""log2 R(k, n) against its definition, mpmath's fifty digits, and its other formulas."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from climbfast_kernels import entropy, regret
from climbfast_kernels._jit import INTERPRETED
from tests.reference import log2_regret, regret_by_definition

with (Path(__file__).parents[1] / "golden" / "log2_regret.csv").open() as file:
    GOLDEN = [(int(r["k"]), int(r["n"]), float(r["log2_regret"])) for r in csv.DictReader(file)]


@pytest.mark.parametrize(("k", "n"), [(1, 6), (2, 1), (2, 7), (3, 2), (3, 6), (4, 5), (5, 4), (7, 3)])
def test_the_definition(k, n):
    assert regret.log2_regret(k, n) == pytest.approx(math.log2(regret_by_definition(k, n)), abs=1e-13)


def test_golden_values():
    assert len(GOLDEN) == 350
    for k, n, expected in GOLDEN:
        if k <= 101:
            assert regret.log2_regret(k, n) == pytest.approx(expected, abs=1e-9), (k, n)
        else:
            assert regret.log2_regret(k, n) == pytest.approx(expected, rel=1e-12, abs=1e-9), (k, n)


@pytest.mark.parametrize("n", [1, 2, 10, 126, 127, 128, 129, 500])
@pytest.mark.parametrize("k", [1, 2, 3, 10, 127, 128, 129, 501])
def test_agrees_with_fifty_digits_around_every_change_of_formula(k, n):
    assert regret.log2_regret(k, n) == pytest.approx(log2_regret(k, n), rel=1e-13, abs=1e-11)


@pytest.mark.parametrize(("k", "n"), [(1, 0), (1, 10), (5, 0), (70_000, 0), (1, 10**7)])
def test_one_level_or_no_row_costs_nothing(k, n):
    assert regret.log2_regret(k, n) == 0.0


def test_many_levels_do_not_overflow():
    """R(k, n) passes 1e308; both formulas meet where k = n."""
    assert regret.log2_regret(70_000, 1000) == pytest.approx(log2_regret(70_000, 1000), rel=1e-13)
    by_rows, by_levels = regret._by_rows(3000.0, 3000.0), regret._by_levels(3000, 3000.0)
    assert by_rows == pytest.approx(by_levels, rel=1e-13)
    assert by_rows > 1024


def test_the_regret_of_two_parts_is_no_less_than_that_of_the_whole():
    """R(k, a+b) ≤ R(k, a)·R(k, b): why Δ never falls as strata split."""
    for k in (2, 3, 7, 40):
        for a in range(1, 140, 13):
            for b in range(1, 140, 17):
                split = regret.log2_regret(k, a) + regret.log2_regret(k, b)
                assert regret.log2_regret(k, a + b) <= split + 1e-12


def test_the_table_agrees_with_the_function():
    rows = 200 if INTERPRETED else 5000
    arities = np.array([1, 2, 3, 5, 60, 128])
    units = entropy.units_per_bit(rows, 128)
    table = np.empty((6, rows + 1), np.int64)
    regret.tabulate_log2_regret(table, arities, units)
    for i, k in enumerate(arities):
        for n in [0, 1, 2, 59, 60, 61, 127, 128, 129, rows]:
            assert table[i, n] / units == pytest.approx(regret.log2_regret(k, n), abs=1e-10)
            assert regret.regret_term(table, units, i, k, n) == table[i, n]


def test_terms_outside_the_table_are_computed():
    units = 2.0**40
    table = np.empty((1, 10), np.int64)
    regret.tabulate_log2_regret(table, np.array([3]), units)
    assert regret.regret_term(table, units, 0, 3, 10) == round(regret.log2_regret(3, 10) * units)
    assert regret.regret_term(table, units, -1, 400, 7) == round(regret.log2_regret(400, 7) * units)
