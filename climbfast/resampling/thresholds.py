"""From which frequency on an edge counts: by the frequencies alone, or by a bound on the edges that chance finds."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["automatic_threshold", "bounds_of_false_edges"]


def automatic_threshold(replicates: int) -> float:
    """Return the threshold of Scutari and Nagarajan (2013), "Identifying significant edges in graphical models".

    In a network without doubt every frequency is 0 or 1. The share t of zeros of such a network is chosen so that its
    distribution is nearest, in L1, to the distribution F of the frequencies found, and the edges with a frequency above
    the quantile F⁻¹(t) count::

        minimize over t: ∫ |F(u) − t| du,    0 ≤ u < 1

    The minimum is at the median of F(u) over u, and since F rises that is F(1/2), whatever the frequencies are: the
    edges that count are those of more than half of the replicates. At a frequency of just 1/2 all t from F(1/2 − 0) to
    F(1/2) are minima; such an edge does not count.
    """
    return (replicates // 2 + 1) / replicates


def bounds_of_false_edges(edges: float, pairs: int, replicates: int, *, complementary: bool) -> NDArray[np.float64]:
    """Return for each threshold k / replicates, k = 1, 2, …, a bound on the expected number of edges found by chance.

    Parameters
    ----------
    edges : float
        q, the mean number of edges in a replicate.
    pairs : int
        p, the number of possible edges.
    replicates : int
        Of complementary halves an even number, 2B.
    complementary : bool
        Whether each two replicates are halves without a common row.

    Returns
    -------
    float64 array, shape (replicates,)
        Infinite where there is no bound.

    Notes
    -----
    Meinshausen and Bühlmann (2010), "Stability selection", Theorem 1, for a threshold τ above 1/2::

        E[V] ≤ q² / ((2τ − 1) p)

    Shah and Samworth (2013), "Variable selection with error control: another look at stability selection", Theorem 2,
    for distributions with one mode, with θ = q/p of at most 1/√3, and τ of at least 1/2 + 1/B::

        E[V] ≤ C(τ, B) θ q,    C = 1 / (2 (2τ − 1 − 1/(2B)))         for min{1/2 + θ², 1/2 + 1/(2B) + 3θ²/4} < τ ≤ 3/4
                               C = 4 (1 − τ + 1/(2B)) / (1 + 1/B)     for τ > 3/4

    Both are about the columns that chance selects no more often than at random, q of p.
    """
    numbers = np.arange(1, replicates + 1)
    threshold = numbers / replicates
    share = edges / max(pairs, 1)
    if complementary:
        factor = _factor_of_halves(numbers, threshold, share, replicates // 2)
    else:
        with np.errstate(divide="ignore"):
            factor = np.where(2 * numbers > replicates, 1 / np.abs(2 * threshold - 1), math.inf)
    bounds: NDArray[np.float64] = factor * (share * edges) if edges else np.where(np.isinf(factor), math.inf, 0.0)
    return bounds


def _factor_of_halves(
    numbers: NDArray[np.int64], threshold: NDArray[np.float64], share: float, halves: int
) -> NDArray[np.float64]:
    """Return C(τ, B), infinite outside its range."""
    if halves == 0 or 3 * share**2 > 1:
        return np.full(len(numbers), math.inf)
    least = min(0.5 + share**2, 0.5 + 0.5 / halves + 0.75 * share**2)
    low = (threshold > least) & (numbers >= halves + 2) & (4 * numbers <= 6 * halves)
    high = 4 * numbers > 6 * halves
    factor = np.full(len(numbers), math.inf)
    factor[low] = 0.5 / (2 * threshold[low] - 1 - 0.5 / halves)
    factor[high & (numbers >= halves + 2)] = (4 * (1 - threshold + 0.5 / halves) / (1 + 1 / halves))[
        high & (numbers >= halves + 2)
    ]
    return factor
