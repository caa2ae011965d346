"""A table amounts to what the formulas say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from climbfast_kernels import independence, log_tables
from tests import reference
from tests.factories import EXAMPLES, arrays, random_arrays, small_codes


@given(small_codes())
@settings(max_examples=EXAMPLES)
def test_information_and_sci(drawn):
    codes, arities = drawn
    data = arrays(codes, arities)
    x, y, *given = codes.tolist()
    figures = np.array(data.figures(0, 1, range(2, len(codes))))
    expected = reference.sci(x, arities[0], y, arities[1], given)
    units = data.log_tables.units
    assert independence.information(figures) / units == pytest.approx(expected.information, abs=1e-9)
    assert independence.sci(figures) / units == pytest.approx(expected.sci, abs=1e-9)
    assert (figures[independence.F_Z] - figures[independence.F_X] + figures[independence.R_X]) / units == pytest.approx(
        expected.sc_x, abs=1e-9
    )
    assert figures[independence.STRATA] == len(set(reference.strata(given, len(x))))


@given(small_codes())
@settings(max_examples=EXAMPLES)
def test_chi_squared(drawn):
    codes, arities = drawn
    data = arrays(codes, arities)
    x, y, *given = codes.tolist()
    figures = np.array(data.figures(0, 1, range(2, len(codes))))
    others = np.arange(2, len(codes))
    nominal = independence.nominal_df(*arities[:2], independence.configurations(data.arity, others, len(others)))
    unit = independence.chi2_units(len(x), arities[0], arities[1])
    for kind, naive in ((independence.G2, reference.g2), (independence.X2, reference.x2)):
        statistic = independence.chi2_statistic(figures, kind, data.log_tables.units, unit)
        for adjusted, df in enumerate(("nominal", "adjusted")):
            expected = naive(x, arities[0], y, arities[1], given, arities[2:], df)
            assert statistic == pytest.approx(expected.statistic, abs=1e-9)
            rule = independence.Rule(kind, -2.0, 1e-6, adjusted, 0.0)
            strength, made = independence.strength(figures, rule, nominal, data.log_tables.units, unit, np.inf)
            assert made == 1
            # With one degree of freedom p falls from 1 as the root of the statistic: rounding of 1e-14 is 1e-7 of p.
            assert strength == pytest.approx(-2 - expected.log10_p, abs=1e-9 if expected.statistic > 1e-6 else 1e-5)
            if adjusted:
                assert figures[independence.DF] == expected.df


@given(st.lists(st.integers(1, 9), min_size=2, max_size=6))
@settings(max_examples=EXAMPLES)
def test_nominal_degrees_of_freedom(arities):
    given = np.arange(2, len(arities))
    strata = independence.configurations(np.array(arities), given, len(given))
    assert independence.nominal_df(arities[0], arities[1], strata) == reference.nominal_df(*arities[:2], arities[2:])


def test_nominal_degrees_of_freedom_of_the_first_given_columns_and_past_all_integers():
    arity, given = np.array([3, 2, 5, 1000]), np.array([2, *[3] * 100])
    assert independence.nominal_df(3, 2, independence.configurations(arity, given, 1)) == 10
    assert independence.nominal_df(3, 2, independence.configurations(arity, given, 101)) == pytest.approx(1e301)
    assert independence.nominal_df(3, 2, independence.configurations(arity, given, 0)) == 2


def test_strengths_subtract_their_threshold():
    data = random_arrays([3, 2], 300)
    figures = np.array(data.figures(0, 1, []))
    units, n = data.log_tables.units, 300

    def strength(kind, threshold):
        rule = independence.Rule(kind, threshold, threshold if kind == independence.SCI else 0.0, 0, 0.0)
        return independence.strength(figures, rule, 2.0, units, 1.0, np.inf)[0]

    information = independence.information(figures) / units
    assert strength(independence.SCI, 1.5) == independence.sci(figures) / units - 1.5
    assert strength(independence.CMI, 0.25) == information / n - 0.25
    p = reference.log10_chi2_sf(2 * math.log(2) * information, 2)
    assert strength(independence.G2, -3.0) == pytest.approx(-3 - p)


def test_a_strength_that_is_surely_above_a_known_one_is_not_computed():
    x = np.repeat([0, 1], 150)
    data = arrays(np.array([x, np.roll(x, 20)], np.uint8), [2, 2])
    figures, rule = np.array(data.figures(0, 1, [])), independence.Rule(independence.G2, -2.0, 0.0, 0, 0.0)

    def strength(known):
        return independence.strength(figures, rule, 1.0, data.log_tables.units, 1.0, float(known))[0]

    exact = strength(np.inf)
    assert exact > 20
    assert [strength(known) for known in (1.0, exact / 2)] == [1.0, exact / 2]
    assert {strength(known) for known in (exact, 2 * exact, 0.0, -1.0)} == {exact}


def test_rounding_is_no_information():
    figures = np.zeros(independence.FIGURES, np.int64)
    figures[independence.F_XY], figures[independence.ROWS] = 3, 10
    rule = independence.Rule(independence.CMI, 0.0, 1e-6, 0, 0.0)
    assert independence.strength(figures, rule, 1.0, 2.0**40, 1.0, np.inf) == (0.0, 1)


@pytest.mark.parametrize(("min_rows_per_df", "made"), [(0.0, 1), (50.0, 1), (50.1, 0)])
@pytest.mark.parametrize("adjusted", [0, 1])
def test_too_few_rows_for_the_degrees_of_freedom(min_rows_per_df, made, adjusted):
    data = random_arrays([3, 2], 100)
    rule = independence.Rule(independence.G2, -2.0, 1e-6, adjusted, min_rows_per_df)
    figures = np.array(data.figures(0, 1, []))
    strength = independence.strength(figures, rule, 2.0, data.log_tables.units, 1.0, np.inf)
    assert strength[1] == made
    if not made:
        assert strength[0] == -2.0


def test_empty_strata_contribute_nothing():
    """The same table with and without strata in which no row is."""
    data = random_arrays([2, 3], 50)
    table = np.zeros((4, 2, 3), np.int64)
    np.add.at(table, (np.full(50, 2), data.codes[0], data.codes[1]), 1)
    sums = []
    for strata, cells in [(4, table), (1, table[2:3])]:
        figures = np.full(independence.FIGURES, -1, np.int64)
        independence.measure(
            np.ascontiguousarray(cells).reshape(-1), strata, 2, 3, 0, 1, data.log_tables.clog,
            data.log_tables.log_regret, data.log_tables.units, independence.EVERYTHING, 2.0**40,
            np.zeros((1, 3), np.int64), figures,
        )  # fmt: skip
        sums.append(figures.tolist())
    assert sums[0] == sums[1]


@pytest.mark.parametrize("kind", [independence.SCI, independence.G2, independence.CMI])
@pytest.mark.parametrize("entries", [100, 5])  # of the tables of logarithms; for larger counts they are worked out
def test_two_binary_columns_have_the_figures_that_any_two_have(kind, entries):
    logs = log_tables.tabulate(99, np.array([2, 3]))
    clog, log_regret = logs.clog[:entries], np.ascontiguousarray(logs.log_regret[:, :entries])
    log_regret.flags.writeable = False
    table = np.random.default_rng(1).permutation(np.repeat([0, 0, 0, 1, 2, 30], 40)).astype(np.int64)
    scratch = np.zeros((1, 2), np.int64)
    found = {}
    for each in (kind, independence.EVERYTHING):
        figures = np.full(independence.FIGURES, -1, np.int64)
        independence.measure(table, 60, 2, 2, 0, 0, clog, log_regret, logs.units, each, 1.0, scratch, figures)
        found[each] = figures.tolist()
    wanted = [
        independence.F_Z,
        independence.F_X,
        independence.F_Y,
        independence.F_XY,
        independence.DF,
        independence.STRATA,
        independence.ROWS,
    ]
    if kind == independence.SCI:
        wanted += [independence.R_X, independence.R_X_GIVEN_Y, independence.R_Y, independence.R_Y_GIVEN_X]
    assert [found[kind][f] for f in wanted] == [found[independence.EVERYTHING][f] for f in wanted]
    assert 0 < found[kind][independence.DF] < found[kind][independence.STRATA]
