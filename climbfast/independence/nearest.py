"""The bound on the sets of columns that are given around a hub.

The sets of up to three of k columns are k³/6 and more. A set that separates a candidate from the target tells more of
the candidate than the target does. So all sets of up to three are given of at most ``max_pool`` columns; of more, sets
of two are drawn from the ``max_pool`` columns nearest to the candidate and sets of three from half as many, as larger
sets always are. Near are the columns on which the candidate depends most strongly, marginally; the first of ties. Sets
of one column are drawn from all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.tests import Separator, Test

__all__ = ["MAX_POOL", "BoundedPools", "NearestSets", "columns_given", "most_in_full"]

MAX_POOL = 32


def columns_given(max_pool: int | None, columns: int, size: int) -> int:
    """Return how many columns the sets of a size are drawn from, if so many could be given.

    Parameters
    ----------
    max_pool : int or None
        Most columns of which all sets of up to three are given; None is no bound.
    columns, size : int
    """
    in_full = most_in_full(max_pool, size)
    if max_pool is None or in_full is None or columns <= in_full:
        return columns
    return max_pool if size == 2 else _half(max_pool)


def most_in_full(max_pool: int | None, size: int) -> int | None:
    """Return the most columns of which all sets of up to a size are given; None if there is no bound."""
    if max_pool is None or size < 2:
        return None
    return max_pool if size < 4 else _half(max_pool)


def _half(max_pool: int) -> int:
    return (max_pool + 1) // 2


class NearestSets:
    """The weakest strengths around one target, over the sets that the bound leaves.

    Parameters
    ----------
    test : Test
        The marginal strength of two columns is expected to be the same whichever of them is the target.
    max_pool : int or None
        Most columns of which all sets of up to three are tested; None is no bound.

    Attributes
    ----------
    bounded : set of int
        The candidates that no set separated, though not all sets were tested.
    """

    def __init__(self, test: Test, max_pool: int | None) -> None:
        self._test, self._max_pool = test, max_pool
        self._nearest: _NearestLists | None = None
        self.bounded: set[int] = set()

    def weakest(
        self,
        target: int,
        candidates: Sequence[int],
        pool: Sequence[int],
        fixed: Sequence[int],
        sizes: range,
        known: Sequence[float] | NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], list[Separator | None]]:
        """See ``Test.weakest``; the bound is on the columns of a set with the fixed ones."""
        columns, stop = frozenset(pool).union(fixed), min(sizes.stop, len(pool) + 1)
        in_full = most_in_full(self._max_pool, len(fixed) + stop - 1)
        if in_full is None or len(columns) <= in_full:
            return self._test.weakest(target, candidates, pool, fixed, sizes, known)
        strengths = np.array(known, dtype=np.float64)
        separators: list[Separator | None] = [None] * len(candidates)

        def search(places: Sequence[int], among: Sequence[int], of_sizes: range) -> None:
            asked = [candidates[i] for i in places]
            found, sets = self._test.weakest(target, asked, among, fixed, of_sizes, strengths[places])
            strengths[places] = found
            for i, separator in zip(places, sets, strict=True):
                separators[i] = separator

        have_left_out: set[int] = set()
        for part in _parts(range(sizes.start, stop), len(fixed)):
            left = [i for i, separator in enumerate(separators) if separator is None]
            size, among = len(fixed) + part[0], len(columns)
            many = [i for i in left if self._is_many(among - (candidates[i] in columns), size)]
            have_left_out.update(many)
            if few := sorted({*left}.difference(many)):
                search(few, pool, part)
            for i, near in self._near_to(many, [candidates[i] for i in many], columns, fixed, size):
                search([i], [z for z in pool if z in near], part)
        self.bounded.update(candidates[i] for i in have_left_out if separators[i] is None)
        return strengths, separators

    def _is_many(self, columns: int, size: int) -> bool:
        return columns_given(self._max_pool, columns, size) < columns

    def _near_to(
        self,
        places: Sequence[int],
        candidates: Sequence[int],
        columns: frozenset[int],
        fixed: Sequence[int],
        size: int,
    ) -> list[tuple[int, frozenset[int]]]:
        """Return the places of the candidates to which all fixed columns are near, and what is near to each.

        Near are as many columns as sets of the size are drawn from.
        """
        if self._max_pool is None or not candidates:
            return []
        if self._nearest is None:
            self._nearest = _NearestLists(self._test, self._max_pool)
        near = self._nearest.of(candidates, columns)[:, : columns_given(self._max_pool, len(columns), size)]
        are_near = np.ones(len(candidates), dtype=bool)
        for z in fixed:
            are_near &= (near == z).any(axis=1)
        return [(places[i], frozenset(near[i].tolist())) for i in np.flatnonzero(are_near).tolist()]


def _parts(sizes: range, fixed: int) -> list[range]:
    """Divide the sizes, with the fixed columns, into up to one, two, three, and larger ones."""
    ends = [max(sizes.start, min(sizes.stop, end - fixed)) for end in (0, 2, 3, 4, sizes.stop + fixed)]
    return [range(begin, end) for begin, end in pairwise(ends) if begin < end]


class _NearestLists:
    """The columns of a pool that are nearest to each candidate, kept from call to call.

    The next pool often has one column more than the last one, and then only this one is compared.

    Parameters
    ----------
    test : Test
    most : int
        How many columns are near.
    """

    def __init__(self, test: Test, most: int) -> None:
        self._test, self._most = test, most
        self._row: dict[int, int] = {}
        self._pools: list[frozenset[int]] = []
        # By row and candidate, the nearest first; -1 where there are no more.
        self._columns, self._strengths = np.empty((0, most), np.int64), np.empty((0, most))

    def of(self, candidates: Sequence[int], pool: frozenset[int]) -> NDArray[np.int64]:
        """Return the nearest columns of every candidate besides itself, in one row each, filled up with -1."""
        rows_of_pool: dict[int, list[int]] = {}
        for x in candidates:
            if x in self._row:
                rows_of_pool.setdefault(id(self._pools[self._row[x]]), []).append(x)
        new = [x for x in candidates if x not in self._row]
        self._append_rows(new)
        for columns in rows_of_pool.values():
            new += self._update(columns, self._pools[self._row[columns[0]]], pool)
        for x in new:
            self._list_anew(x, pool)
        for x in candidates:
            self._pools[self._row[x]] = pool
        return self._columns[[self._row[x] for x in candidates]]

    def _append_rows(self, candidates: Sequence[int]) -> None:
        self._row |= {x: len(self._row) + i for i, x in enumerate(candidates)}
        self._pools += [frozenset()] * len(candidates)
        more = len(candidates), self._most
        self._columns = np.concatenate([self._columns, np.empty(more, np.int64)])
        self._strengths = np.concatenate([self._strengths, np.empty(more)])

    def _update(self, candidates: Sequence[int], before: frozenset[int], pool: frozenset[int]) -> list[int]:
        """List what is new in the pool; return the candidates whose lists have to be made anew."""
        joined, left = sorted(pool - before), sorted(before - pool)
        if len(joined) > 1:
            return list(candidates)
        rows = np.array([self._row[x] for x in candidates])
        have_lost = np.isin(self._columns[rows], left).any(axis=1) if left else np.zeros(len(rows), dtype=bool)
        if joined:
            others = [i for i in np.flatnonzero(~have_lost).tolist() if candidates[i] != joined[0]]
            self._list_one_more(rows[others], [candidates[i] for i in others], joined[0])
        return [candidates[i] for i in np.flatnonzero(have_lost).tolist()]

    def _list_one_more(self, rows: NDArray[np.int64], candidates: Sequence[int], column: int) -> None:
        strengths = _marginal_strengths(self._test, column, candidates)
        last, its_column = self._strengths[rows, -1], self._columns[rows, -1]
        is_near = (strengths > last) | ((strengths == last) & (column < its_column))
        rows = rows[is_near]
        self._strengths[rows, -1], self._columns[rows, -1] = strengths[is_near], column
        order = np.lexsort((self._columns[rows], -self._strengths[rows]))
        self._strengths[rows] = np.take_along_axis(self._strengths[rows], order, axis=1)
        self._columns[rows] = np.take_along_axis(self._columns[rows], order, axis=1)

    def _list_anew(self, x: int, pool: frozenset[int]) -> None:
        columns = np.array(sorted(pool - {x}))
        strengths = _marginal_strengths(self._test, x, columns.tolist())
        order, row = np.lexsort((columns, -strengths))[: self._most], self._row[x]
        self._columns[row], self._strengths[row] = -1, -1.0
        self._columns[row, : len(order)], self._strengths[row, : len(order)] = columns[order], strengths[order]


class BoundedPools:
    """The columns out of which sets are given to pairs, for many first columns of pairs, each with its pool.

    Parameters
    ----------
    test : Test
    pools : mapping of int to sequence of int
        For a column those that are given to it and another.
    max_pool : int or None
        Most columns of which all sets of up to three are given; None is no bound.
    """

    def __init__(self, test: Test, pools: Mapping[int, Sequence[int]], max_pool: int | None) -> None:
        self._pools, self._max_pool = pools, max_pool
        large = [] if max_pool is None else [pool for pool in pools.values() if len(pool) > _half(max_pool)]
        self._nearness = _Nearness(test, chain.from_iterable(large))

    def of(self, x: int, others: Sequence[int], size: int) -> list[tuple[Sequence[int], Sequence[int]]]:
        """Return others with the columns out of which sets of a size are given to x and them.

        The first are those to which all are given, together, if there are any.
        """
        pool = self._pools[x]
        if columns_given(self._max_pool, len(pool), size) == len(pool):
            return [(others, pool)] if others else []
        many = [y for y in others if self.leaves_out(x, y, size)]
        few = [y for y in others if not self.leaves_out(x, y, size)] if len(many) < len(others) else []
        drawn: list[tuple[Sequence[int], Sequence[int]]] = [(few, pool)] if few else []
        if many:  # sets of one size are drawn from as many columns for all of them
            nearest = self._nearness.nearest(many, pool, self._given(x, many[0], size))
            drawn += [([y], columns) for y, columns in zip(many, nearest, strict=True)]
        return drawn

    def leaves_out(self, x: int, y: int, size: int) -> bool:
        """Whether not all sets of a size are given to x and y out of the pool of x."""
        pool = self._pools[x]
        if columns_given(self._max_pool, len(pool), size) == len(pool):
            return False
        return self._given(x, y, size) < len(pool) - (y in pool)

    def _given(self, x: int, y: int, size: int) -> int:
        pool = self._pools[x]
        return columns_given(self._max_pool, len(pool) - (y in pool), size)

    def is_bounded(self, x: int, pool: Sequence[int]) -> bool:
        """Whether ``of`` returned a part of the pool of a column."""
        return pool is not self._pools[x]


class _Nearness:
    """How near columns are to each other, each compared with all others once.

    Parameters
    ----------
    test : Test
    columns : iterable of int
    """

    def __init__(self, test: Test, columns: Iterable[int]) -> None:
        self._test = test
        self._columns = sorted({*columns})
        self._place = {x: i for i, x in enumerate(self._columns)}
        self._strengths: dict[int, NDArray[np.float64]] = {}

    def nearest(self, others: Sequence[int], pool: Sequence[int], most: int) -> list[tuple[int, ...]]:
        """Return for every other column those of a pool that are nearest to it, in the order of the pool."""
        columns = np.array(pool)
        places = [self._place[z] for z in pool]
        strengths = np.array([self._of(x)[places] for x in others])
        strengths[np.array(others)[:, None] == columns] = -np.inf  # a column is not near to itself
        order = np.lexsort((np.broadcast_to(columns, strengths.shape), -strengths))[:, :most]
        return [tuple(near) for near in columns[np.sort(order)].tolist()]

    def _of(self, x: int) -> NDArray[np.float64]:
        """Return the strengths of a column with all of ``columns``."""
        if x not in self._strengths:
            others = [z for z in self._columns if z != x]
            strengths = np.zeros(len(self._columns))
            strengths[[self._place[z] for z in others]] = _marginal_strengths(self._test, x, others)
            self._strengths[x] = strengths
        return self._strengths[x]


def _marginal_strengths(test: Test, x: int, columns: Sequence[int]) -> NDArray[np.float64]:
    """Return the marginal strengths of a column with others; 0 if independent, as a screen of all pairs has it."""
    if not columns:
        return np.empty(0)
    strengths = test.sweep_uncounted(x, columns) if hasattr(test, "sweep_uncounted") else test.sweep(x, columns, ())
    return np.maximum(np.asarray(strengths, dtype=np.float64), 0.0)
