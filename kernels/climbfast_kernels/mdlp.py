"""Cuts of one column that tell the classes of a target apart, by minimum description length (Fayyad and Irani 1993).

With ``H(S) = N log2 N − Σ_c N_c log2 N_c``, which is N times the entropy of the classes in S, a segment S is cut where
H(S1) + H(S2) is least, and only if::

    H(S) − H(S1) − H(S2) > log2(N − 1) + log2(3^k − 2) − [k H(S)/N − k1 H(S1)/N1 − k2 H(S2)/N2]

where k, k1 and k2 are the numbers of classes that occur in S and its parts. H is an integer in fixed point, so that the
order of rows and of classes does not matter.
"""

from __future__ import annotations

import math

import numpy as np

from climbfast_kernels._jit import kernel, leaf
from climbfast_kernels.bits import Array, Integer
from climbfast_kernels.entropy import entropy_term

# Places in ``best``, the figures of a split.
AT, H_BEFORE, H_BEHIND, N_BEFORE, N_BEHIND, K_BEFORE, K_BEHIND = range(7)


@kernel
def find_cuts(
    first: Array, classes: Array, counts: Array, n_classes: int, clog: Array, units: float, is_cut: Array
) -> None:
    """Set ``is_cut[g]`` where a cut lies between the values g − 1 and g.

    Parameters
    ----------
    first : int64 array, shape (values + 1,)
        Where the classes of each distinct value begin; the values ascend.
    classes, counts : int64 arrays
        The classes that occur together with a value, and in how many rows.
    is_cut : bool array, shape (values,)
        All False; modified in place.
    """
    values = first.shape[0] - 1
    stack = np.empty((values + 1, 2), np.int64)
    before, behind = np.zeros(n_classes, np.int64), np.zeros(n_classes, np.int64)
    best = np.zeros(7, np.int64)
    stack[0, 0], stack[0, 1] = 0, values
    height = 1
    while height > 0:
        height -= 1
        low, high = stack[height, 0], stack[height, 1]
        h, n, k = _best_split(first, classes, counts, low, high, before, behind, clog, units, best)
        if best[AT] < 0 or not _is_worth(h, n, k, best, units):
            continue
        is_cut[best[AT]] = True
        stack[height, 0], stack[height, 1] = low, best[AT]
        stack[height + 1, 0], stack[height + 1, 1] = best[AT], high
        height += 2


@leaf
def _best_split(
    first: Array, classes: Array, counts: Array, low: Integer, high: Integer, before: Array, behind: Array,
    clog: Array, units: float, best: Array,
) -> tuple[int, int, int]:  # fmt: skip
    """Set ``best`` to the split of the values from low to high with the least sum of H, the lowest one of several.

    Only boundaries are tried: between two values that do not have one and the same class alone.

    Returns
    -------
    h, n, k
        H, rows and classes of the whole segment.
    """
    for c in range(before.shape[0]):
        before[c] = behind[c] = 0
    n = 0
    for t in range(first[low], first[high]):
        behind[classes[t]] += counts[t]
        n += counts[t]
    sum_behind, k = 0, 0
    for c in range(behind.shape[0]):
        sum_behind += entropy_term(clog, units, behind[c])
        k += 1 if behind[c] > 0 else 0
    h = entropy_term(clog, units, n) - sum_behind
    best[AT] = -1
    least: Integer = np.int64(0)
    sum_before, n_before, k_before, k_behind = 0, 0, 0, k
    for value in range(low, high - 1):
        for t in range(first[value], first[value + 1]):
            c, count = classes[t], counts[t]
            sum_before -= entropy_term(clog, units, before[c])
            sum_behind -= entropy_term(clog, units, behind[c])
            k_before += 1 if before[c] == 0 else 0
            before[c] += count
            behind[c] -= count
            k_behind -= 1 if behind[c] == 0 else 0
            sum_before += entropy_term(clog, units, before[c])
            sum_behind += entropy_term(clog, units, behind[c])
            n_before += count
        if _is_inside_class(first, classes, value):
            continue
        h_before = entropy_term(clog, units, n_before) - sum_before
        h_behind = entropy_term(clog, units, n - n_before) - sum_behind
        if best[AT] < 0 or h_before + h_behind < least:
            least = h_before + h_behind
            best[AT], best[H_BEFORE], best[H_BEHIND] = value + 1, h_before, h_behind
            best[N_BEFORE], best[N_BEHIND] = n_before, n - n_before
            best[K_BEFORE], best[K_BEHIND] = k_before, k_behind
    return h, n, k


@leaf
def _is_inside_class(first: Array, classes: Array, value: Integer) -> bool:
    """Whether this value and the next one have one class each, and the same."""
    begin, middle, end = first[value], first[value + 1], first[value + 2]
    return middle - begin == 1 and end - middle == 1 and classes[begin] == classes[middle]


@leaf
def _is_worth(h: Integer, n: Integer, k: Integer, best: Array, units: float) -> bool:
    """Whether the split shortens the description."""
    gain = (h - best[H_BEFORE] - best[H_BEHIND]) / units
    entropies = k * (h / n) - best[K_BEFORE] * (best[H_BEFORE] / best[N_BEFORE])
    entropies -= best[K_BEHIND] * (best[H_BEHIND] / best[N_BEHIND])
    # log2(3^k − 2), where 3^k may be past all floats
    classes = k * math.log2(3.0) + math.log2(1.0 - 2.0 * 3.0 ** (-k))
    return gain > math.log2(n - 1.0) + classes - entropies / units
