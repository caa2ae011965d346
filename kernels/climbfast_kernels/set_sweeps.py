"""All sets of columns out of pools, as sweeps: what a vote over separating sets tests.

Made in Python, the sets take longer than their tests.
"""

from __future__ import annotations

from math import comb

import numpy as np

from climbfast_kernels._jit import kernel, leaf
from climbfast_kernels.bits import Array
from climbfast_kernels.patterns import Sweeps, next_subset


def sweeps_of_sets(
    target: Array, size: Array, first_pool: Array, pool: Array, first: Array, candidates: Array, first_other: Array,
    others: Array,
) -> Sweeps:  # fmt: skip
    """Return a sweep for every set of size[e] columns out of the pool of every entry e that has a candidate to test.

    A candidate is not tested given a set that lies within its ``others``.

    Parameters
    ----------
    target, size : int64 arrays, shape (entries,)
    first_pool, pool : int64 arrays, shapes (entries + 1,) and (columns,)
        Where the pool of each entry begins, and the pools.
    first, candidates : int64 arrays, shapes (entries + 1,) and (candidates,)
        Where the candidates of each entry begin, and the candidates.
    first_other, others : int64 arrays, shapes (candidates + 1,) and (columns,)
        Where the columns begin that belong to each candidate, and these columns.
    """
    sets = [comb(n, k) for n, k in zip(np.diff(first_pool).tolist(), size.tolist(), strict=True)]
    many = sum(sets)
    given = sum(n * k for n, k in zip(sets, size.tolist(), strict=True))
    tests = sum(n * k for n, k in zip(sets, np.diff(first).tolist(), strict=True))
    sweeps = Sweeps(*(np.empty(n, np.int64) for n in (many, many + 1, tests, many + 1, given)))
    n_sweeps, n_tests, n_given = _fill(target, size, first_pool, pool, first, candidates, first_other, others, *sweeps)
    return Sweeps(
        sweeps.target[:n_sweeps],
        sweeps.first[: n_sweeps + 1],
        sweeps.candidates[:n_tests],
        sweeps.first_given[: n_sweeps + 1],
        sweeps.given[:n_given],
    )


@kernel
def _fill(
    target: Array, size: Array, first_pool: Array, pool: Array, first: Array, candidates: Array, first_other: Array,
    others: Array, out_target: Array, out_first: Array, out_candidates: Array, out_first_given: Array,
    out_given: Array,
) -> tuple[int, int, int]:  # fmt: skip
    """Set the sweeps from their starts on; return how many sweeps, tests and given columns there are."""
    sweeps = tests = columns = 0
    for e in range(target.shape[0]):
        here, begin, n = pool[first_pool[e] : first_pool[e + 1]], first[e], first[e + 1] - first[e]
        if here.shape[0] < size[e] or n == 0:
            continue
        is_other = np.empty((n, here.shape[0]), np.bool_)
        for c in range(n):
            for j in range(here.shape[0]):
                is_other[c, j] = _contains(others, first_other[begin + c], first_other[begin + c + 1], here[j])
        subset = np.empty(size[e], np.int64)
        for j in range(size[e]):
            subset[j] = j
        while True:
            out_target[sweeps], out_first[sweeps], out_first_given[sweeps] = target[e], tests, columns
            for c in range(n):
                if not _has_all(is_other[c], subset):
                    out_candidates[tests] = candidates[begin + c]
                    tests += 1
            if tests > out_first[sweeps]:
                for j in range(size[e]):
                    out_given[columns + j] = here[subset[j]]
                columns += size[e]
                sweeps += 1
            if not next_subset(subset, here.shape[0]):
                break
    out_first[sweeps], out_first_given[sweeps] = tests, columns
    return sweeps, tests, columns


@leaf
def _contains(columns: Array, begin: int, end: int, column: int) -> bool:
    """Whether a column is among those from ``begin`` to ``end``."""
    for j in range(begin, end):  # noqa: SIM110 - any() over a generator does not compile
        if columns[j] == column:
            return True
    return False


@leaf
def _has_all(marks: Array, places: Array) -> bool:
    """Whether all places are marked."""
    for j in range(places.shape[0]):  # noqa: SIM110 - as above
        if not marks[places[j]]:
            return False
    return True
