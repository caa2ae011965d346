"""log10 of the upper tail of χ²: scipy where p is a float, the reference's closed sums where it underflows."""

from __future__ import annotations

import math

import pytest
from scipy.special import gammaincc
from scipy.stats import chi2

from climbfast_kernels.chi2 import chi2_log10_bound, chi2_log10_tail
from tests.reference import log10_chi2_sf

DEGREES = [1, 2, 3, 4, 9, 30, 101, 1000, 54_321]


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("share", [1e-9, 0.01, 0.5, 0.9, 0.99, 1.0, 1.01, 1.1, 2.0, 5.0])
def test_p_where_it_is_a_float(df, share):
    p = chi2.sf(share * df, df)
    if p > 1e-290:
        assert chi2_log10_tail(share * df, df) == pytest.approx(math.log10(p), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("statistic", [3e3, 6e4, 1e6, 1e8])
def test_log_p_where_p_underflows(df, statistic):
    if statistic > 2 * df:
        assert chi2_log10_tail(statistic, df) == pytest.approx(log10_chi2_sf(statistic, df), rel=1e-11)


@pytest.mark.parametrize("df", [1_999_998, 2_000_000, 2_000_002, 10**8, 10**10, 10**12])
@pytest.mark.parametrize("deviations", [-2, -1, -1e-3, 0, 1e-3, 1, 6, 15, 37])
def test_many_degrees_of_freedom(df, deviations):
    statistic = df + deviations * math.sqrt(2 * df)
    p = gammaincc(df / 2, statistic / 2)
    assert chi2_log10_tail(statistic, df) == pytest.approx(math.log10(p), rel=1e-8, abs=1e-14)


def test_log_p_of_many_degrees_where_p_underflows():
    for statistic in (2.15e6, 3e6, 1e8):
        assert chi2_log10_tail(statistic, 2_000_000) == pytest.approx(log10_chi2_sf(statistic, 2_000_000), rel=1e-9)


@pytest.mark.parametrize(("statistic", "df"), [(0.0, 3.0), (-1e-9, 3.0), (5.0, 0.0), (5.0, -1.0), (0.0, 0.0)])
def test_no_statistic_or_no_degree_of_freedom_is_p_1(statistic, df):
    assert chi2_log10_tail(statistic, df) == 0.0


@pytest.mark.parametrize("df", [1e6, 1e9, 1e18, 1e100, 1e306, math.inf])
def test_more_degrees_of_freedom_than_a_table_has_rows(df):
    """The product of many arities: p = 1, never NaN."""
    assert chi2_log10_tail(1000.0, df) == 0.0


def test_falls_with_the_statistic():
    values = [chi2_log10_tail(s / 4, 7.0) for s in range(1, 10_000)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


@pytest.mark.parametrize("df", [*DEGREES, 10**7])
@pytest.mark.parametrize("share", [0.5, 1.0, 1.001, 1.1, 2.0, 50.0, 1e4])
def test_no_tail_is_above_its_bound(df, share):
    tail, bound = chi2_log10_tail(share * df, df), chi2_log10_bound(share * df, df)
    assert tail <= bound <= 0
    assert bound < 0.99 * tail + 4 if tail < -4 else bound > -4  # and it is near
