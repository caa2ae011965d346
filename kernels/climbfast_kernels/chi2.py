"""log10 of the upper tail of the χ² distribution: p-values that would underflow to 0 can still be ranked."""

from __future__ import annotations

import math

from climbfast_kernels._jit import leaf

PRECISION = 1e-15
MOST_TERMS = 100_000
TINY = 1e-300
LARGE = 1e6  # value of df/2 from which the expansion is as exact as the series, which become long
MOST_DF = 1e100  # the nominal df of many given columns can pass it; no table of data does


@leaf
def chi2_log10_tail(statistic: float, df: float) -> float:
    """log10 P(χ²_df ≥ statistic) = log10 Q(df/2, statistic/2), Q the regularised upper incomplete gamma function.

    A series for P = 1 − Q below the mean, Lentz's continued fraction for Q above (Numerical Recipes, 6.2); for
    large df an expansion in 1/df. df = 0, a statistic ≤ 0, or a df above ``MOST_DF`` gives 0, that is p = 1.
    """
    if df <= 0 or statistic <= 0 or df > MOST_DF:
        return 0.0
    a = 0.5 * df
    x = 0.5 * statistic
    if a >= LARGE:
        return _log_tail_of_large(a, x) / math.log(10)
    log_front = a * math.log(x) - x - math.lgamma(a)
    if x < a + 1:
        return math.log1p(-min(math.exp(log_front) * _lower_series(a, x), 1.0)) / math.log(10)
    return (log_front + math.log(_upper_fraction(a, x))) / math.log(10)


@leaf
def chi2_log10_bound(statistic: float, df: float) -> float:
    """Return what log10 P(χ²_df ≥ statistic) does not exceed: Chernoff's bound, (df·ln(s/df) − (s − df)) / (2·ln 10).

    It is 0 for a statistic s up to df, and takes one logarithm.
    """
    if statistic <= df:
        return 0.0
    return (df * math.log(statistic / df) - (statistic - df)) / (2 * math.log(10))


@leaf
def _lower_series(a: float, x: float) -> float:
    """Σ_{i≥0} x^i / (a(a+1)…(a+i)): the lower incomplete gamma function divided by e^−x·x^a."""
    term = 1 / a
    total = term
    for i in range(1, MOST_TERMS):
        term *= x / (a + i)
        total += term
        if term < total * PRECISION:
            break
    return total


@leaf
def _upper_fraction(a: float, x: float) -> float:
    """1/(x+1−a− 1(1−a)/(x+3−a− …)): the upper incomplete gamma function divided by e^−x·x^a."""
    b = x + 1 - a
    c = 1 / TINY
    d = 1 / b
    value = d
    for i in range(1, MOST_TERMS):
        numerator = -i * (i - a)
        b += 2
        d = numerator * d + b
        d = 1 / (d if abs(d) > TINY else TINY)
        c = b + numerator / c
        c = c if abs(c) > TINY else TINY
        factor = c * d
        value *= factor
        if abs(factor - 1) < PRECISION:
            break
    return value


@leaf
def _log_tail_of_large(a: float, x: float) -> float:
    """ln Q(a, x) ≈ ln(½·erfc(y) + e^−y²·c/√(2πa)), y = η·√(a/2), η²/2 = μ − ln(1 + μ), μ = x/a − 1, c = 1/μ − 1/η.

    The first terms of Temme's uniform expansion (1979); the next term is smaller by a factor of 1/a.
    """
    mu = (x - a) / a
    if mu < -0.5:
        return 0.0
    eta = math.copysign(math.sqrt(2 * max(mu - math.log1p(mu), 0.0)), mu)
    # Near 0 the difference of the inverses cancels; a series replaces it.
    c = 1 / mu - 1 / eta if abs(mu) > 1e-3 else -1 / 3 + eta / 12 - 2 * eta * eta / 135
    y, c = eta * math.sqrt(a / 2), c / math.sqrt(2 * math.pi * a)
    if y < 0:
        return math.log1p(-max(0.5 * math.erfc(-y) - math.exp(-y * y) * c, 0.0))
    if y < 20:
        return math.log(0.5 * math.erfc(y) + math.exp(-y * y) * c)
    over = 1 / (y * y)  # erfc underflows for larger y: e^y²·erfc(y) by its asymptotic series
    scaled = (1 - over * (0.5 - over * (0.75 - over * 1.875))) / (y * math.sqrt(math.pi))
    return -y * y + math.log(0.5 * scaled + c)
