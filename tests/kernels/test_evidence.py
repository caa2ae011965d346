"""A table amounts to what the formulas say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from climbfast_kernels import evidence
from tests import reference
from tests.tables import EXAMPLES, arrays, draw_codes, random_arrays, small_codes


@given(small_codes())
@settings(max_examples=EXAMPLES)
def test_information_and_sci(drawn):
    codes, arities = drawn
    data = arrays(codes, arities)
    x, y, *given = codes.tolist()
    figures = np.array(data.figures(0, 1, range(2, len(codes))))
    expected = reference.sci(x, arities[0], y, arities[1], given)
    units = data.tables.units
    assert evidence.information(figures) / units == pytest.approx(expected.information, abs=1e-9)
    assert evidence.sci(figures) / units == pytest.approx(expected.sci, abs=1e-9)
    assert (figures[evidence.F_Z] - figures[evidence.F_X] + figures[evidence.R_X]) / units == pytest.approx(
        expected.sc_x, abs=1e-9
    )
    assert figures[evidence.STRATA] == len(set(reference.strata(given, len(x))))


@pytest.mark.parametrize("kind", [evidence.G2, evidence.X2])
@pytest.mark.parametrize("adjusted", [0, 1])
@given(drawn=small_codes())
@settings(max_examples=EXAMPLES)
def test_chi_squared(drawn, kind, adjusted):
    codes, arities = drawn
    data = arrays(codes, arities)
    x, y, *given = codes.tolist()
    figures = np.array(data.figures(0, 1, range(2, len(codes))))
    naive = reference.g2 if kind == evidence.G2 else reference.x2
    expected = naive(x, arities[0], y, arities[1], given, arities[2:], "adjusted" if adjusted else "nominal")
    unit = evidence.chi2_units(len(x), arities[0], arities[1])
    statistic = evidence.chi2_statistic(figures, kind, data.tables.units, unit, len(x))
    assert statistic == pytest.approx(expected.statistic, abs=1e-9)
    rule = evidence.Rule(kind, -2.0, 1e-6, adjusted, 0.0)
    nominal = float(math.prod([arities[0] - 1, arities[1] - 1, *arities[2:]]))
    strength, made = evidence.strength(figures, rule, nominal, data.tables.units, unit, len(x))
    assert made == 1
    # With one degree of freedom p falls from 1 as the root of the statistic: 1e-14 of rounding becomes 1e-7 of p.
    assert strength == pytest.approx(-2 - expected.log10_p, abs=1e-9 if expected.statistic > 1e-6 else 1e-5)
    if adjusted:
        assert figures[evidence.DF] == expected.df


def test_strengths_subtract_their_threshold():
    data = random_arrays([3, 2], 300)
    figures = np.array(data.figures(0, 1, []))
    units, n = data.tables.units, 300

    def strength(kind, threshold):
        return evidence.strength(figures, evidence.Rule(kind, threshold, 1e-6, 0, 0.0), 2.0, units, 1.0, n)[0]

    information = evidence.information(figures) / units
    assert strength(evidence.SCI, 1.5) == evidence.sci(figures) / units - 1.5
    assert strength(evidence.CMI, 0.25) == information / n - 0.25
    p = reference.log10_chi2_sf(2 * math.log(2) * information, 2)
    assert strength(evidence.G2, -3.0) == pytest.approx(-3 - p)


def test_rounding_is_no_information():
    figures = np.zeros(evidence.FIGURES, np.int64)
    figures[evidence.F_XY] = 3
    rule = evidence.Rule(evidence.CMI, 0.0, 1e-6, 0, 0.0)
    assert evidence.strength(figures, rule, 1.0, 2.0**40, 1.0, 10) == (0.0, 1)


@pytest.mark.parametrize(("min_rows_per_df", "made"), [(0.0, 1), (50.0, 1), (50.1, 0)])
@pytest.mark.parametrize("adjusted", [0, 1])
def test_too_few_rows_for_the_degrees_of_freedom(min_rows_per_df, made, adjusted):
    data = random_arrays([3, 2], 100)
    rule = evidence.Rule(evidence.G2, -2.0, 1e-6, adjusted, min_rows_per_df)
    figures = np.array(data.figures(0, 1, []))
    strength = evidence.strength(figures, rule, 2.0, data.tables.units, 1.0, 100)
    assert strength[1] == made
    if not made:
        assert strength[0] == -2.0


def test_empty_strata_contribute_nothing():
    """The same table with and without strata in which no row is."""
    data = random_arrays([2, 3], 50)
    table = np.zeros((4, 2, 3), np.int32)
    np.add.at(table, (np.full(50, 2), data.codes[0], data.codes[1]), 1)
    sums = []
    for strata, cells in [(4, table), (1, table[2:3])]:
        figures = np.full(evidence.FIGURES, -1, np.int64)
        evidence.measure(
            np.ascontiguousarray(cells).reshape(-1), strata, 2, 3, 0, 1, data.tables.clog, data.tables.log_regret,
            data.tables.units, evidence.EVERYTHING, 2.0**40, np.zeros((1, 3), np.int64), figures,
        )  # fmt: skip
        sums.append(figures.tolist())
    assert sums[0] == sums[1]


def test_columns_of_many_levels_have_no_row_of_regrets():
    arity = np.array([2, 128, 129, 2, 5])
    tables = evidence.tabulate(100, arity)
    assert tables.regret_row.tolist() == [0, 2, -1, 0, 1]
    assert tables.log_regret.shape == (3, 101)
    assert not any(a.flags.writeable for a in (tables.clog, tables.log_regret, tables.regret_row))


@pytest.mark.parametrize("most_entries", [8, 40, 200])
def test_tables_that_end_early_change_nothing(monkeypatch, most_entries):
    codes = draw_codes([3, 2, 4], 120)
    whole = arrays(codes, [3, 2, 4])
    monkeypatch.setattr(evidence, "MOST_ENTRIES", most_entries)
    short = arrays(codes, [3, 2, 4])
    assert len(short.tables.clog) < 120
    assert short.figures(0, 1, [2]) == whole.figures(0, 1, [2])
    assert short.figures(0, 1, []) == whole.figures(0, 1, [])


@pytest.mark.parametrize("kind", [evidence.SCI, evidence.G2, evidence.CMI])
@pytest.mark.parametrize("entries", [100, 5])  # of the tables of logarithms; for larger counts they are worked out
def test_two_binary_columns_have_the_figures_that_any_two_have(kind, entries):
    tables = evidence.tabulate(99, np.array([2, 3]))
    clog, log_regret = tables.clog[:entries], tables.log_regret[:, :entries]
    table = np.random.default_rng(1).permutation(np.repeat([0, 0, 0, 1, 2, 30], 40)).astype(np.int32)
    scratch = np.zeros((1, 2), np.int64)
    found = {}
    for each in (kind, evidence.EVERYTHING):
        figures = np.full(evidence.FIGURES, -1, np.int64)
        evidence.measure(table, 60, 2, 2, 0, 0, clog, log_regret, tables.units, each, 1.0, scratch, figures)
        found[each] = figures.tolist()
    wanted = [evidence.F_Z, evidence.F_X, evidence.F_Y, evidence.F_XY, evidence.DF, evidence.STRATA]
    if kind == evidence.SCI:
        wanted += [evidence.R_X, evidence.R_X_GIVEN_Y, evidence.R_Y, evidence.R_Y_GIVEN_X]
    assert [found[kind][f] for f in wanted] == [found[evidence.EVERYTHING][f] for f in wanted]
    assert 0 < found[kind][evidence.DF] < found[kind][evidence.STRATA]
