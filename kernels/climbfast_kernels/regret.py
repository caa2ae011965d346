"""log2 R(k, n), the regret of the multinomial normalized maximum likelihood code.

R(k, n) = Σ_{h1+…+hk=n} n!/Πh_v! · Π (h_v/n)^{h_v}, with R(1, n) = 1, R(k, 0) = 1, R(k, 1) = k.
Kontkanen and Myllymäki (2007) for the recurrence in k, Mononen and Myllymäki (2008) for the sum over n.
"""

from __future__ import annotations

import math

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array, Integer

EXACT_BELOW = 128  # number of rows from which the expansion of Ramanujan's Q is accurate to 3e-13 bits
RESCALE = 1e250


@leaf
def binomial_regret(n: float) -> float:
    """R(2, n) = 1 + Q(n), where Q is Ramanujan's function: summed for small n, by its expansion in 1/n for large n."""
    if n < EXACT_BELOW:
        total = 1.0
        term = 1.0
        j = 0
        while j < n:  # Q(n) = Σ_{j≥1} n!/((n−j)!·n^j)
            term *= (n - j) / n
            total += term
            j += 1
        return total
    s = math.sqrt(math.pi * n / 2)
    return (
        s
        + 2 / 3
        + s / (12 * n)
        - 4 / (135 * n)
        + s / (288 * n**2)
        + 8 / (2835 * n**2)
        - 139 * s / (51840 * n**3)
        + 16 / (8505 * n**3)
        - 571 * s / (2488320 * n**4)
    )


@leaf
def log2_regret(k: int, n: Integer) -> float:
    """log2 R(k, n) in at most min(k, n) + 128 steps."""
    if k <= 1 or n <= 0:
        return 0.0
    if n == 1:
        return math.log2(k)
    if k > n:
        return _by_rows(float(k), float(n))
    return _by_levels(k, float(n))


@leaf
def _by_levels(k: int, n: float) -> float:
    """log2 R(2, n) + Σ_{j=3..k} log2 r_j, r_j = R(j, n)/R(j−1, n) = 1 + n/((j−2)·r_{j−1})."""
    ratio = binomial_regret(n)
    bits = 0.0
    product = ratio
    for j in range(3, k + 1):
        ratio = 1 + n / ((j - 2) * ratio)
        product *= ratio
        if product > RESCALE:
            bits += math.log2(product)
            product = 1.0
    return bits + math.log2(product)


@leaf
def _by_rows(k: float, n: float) -> float:
    """log2 Σ_j m(j), m(0) = 1, m(j) = m(j−1)·(n−j+1)(k+j−2)/(n·j): for more levels than rows."""
    bits = 0.0
    term = 1.0
    total = 1.0
    j = 1.0
    while j <= n:
        term *= (n - j + 1) * (k + j - 2) / (n * j)
        total += term
        if total > RESCALE:
            bits += math.log2(RESCALE)
            term /= RESCALE
            total /= RESCALE
        j += 1
    return bits + math.log2(total)


@leaf
def tabulate_log2_regret(table: Array, arities: Array, units: float) -> None:
    """table[i, n] = log2 R(arities[i], n) in units, set in place; ``arities`` are ascending.

    For each n, one pass of the recurrence over k gives the values of all arities.
    """
    for n in range(table.shape[1]):
        bits = 0.0
        ratio = binomial_regret(float(n)) if n > 0 else 1.0
        product = ratio
        k = 2
        for i in range(arities.shape[0]):
            if n == 0 or arities[i] <= 1:
                table[i, n] = 0
                continue
            while k < arities[i]:
                k += 1
                ratio = 1 + n / ((k - 2) * ratio)
                product *= ratio
                if product > RESCALE:
                    bits += math.log2(product)
                    product = 1.0
            table[i, n] = round((bits + math.log2(product)) * units)


@leaf
def regret_term(table: Array, units: float, row: int, k: int, c: Integer) -> int:
    """log2 R(k, c) in units: from row ``row`` of the table; computed if ``row`` is -1 or c is beyond the table."""
    if row >= 0 and c < table.shape[1]:
        return table[row, c]
    return round(log2_regret(k, c) * units)
