"""How many sets of neighbors separate two columns, and how many of these have a third one: votes on v-structures.

Colombo and Maathuis (2014), JMLR 15, ask all sets of neighbors of either column.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.graphs.pc_skeleton import Skeleton, some_at_once
from climbfast.graphs.pdag import Pair, pair
from climbfast.graphs.runner import SweepQuery, TestRunner
from climbfast.independence.nearest import BoundedPools
from climbfast.independence.tester import Tester, column_array, list_bounds
from climbfast.independence.tests import Separator, Test

__all__ = ["SeparatingVotes", "count_separating_sets"]


class SeparatingVotes:
    """The sets that separate pairs of columns.

    Parameters
    ----------
    columns : int
        Number of columns of the data.
    """

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._sets, self._having = Counter[int](), Counter[int]()  # by the numbers of two and three columns, joined
        self._kept: dict[Pair, list[Separator]] = defaultdict(list)

    def add(self, found: _Found) -> None:
        """Count the sets of one query."""
        self._sets.update(found.sets)
        self._having.update(found.having)
        for ends, given in found.kept:
            self._kept[ends].append(given)

    def of(self, x: int, y: int, z: int) -> tuple[int, int]:
        """Return how many of the sets that separate x and z have y, and how many sets separate them."""
        ends = _joined(*pair(x, z), self._columns)
        return self._having.get(_joined(ends, y, self._columns), 0), self._sets.get(ends, 0)

    def smallest_without(self, x: int, z: int, y: int) -> Separator:
        """Return the first of the smallest sets without a column; the empty one if the sets were not kept."""
        if not self._kept:
            return ()
        without_y = (tuple(sorted(given)) for given in self._kept.get(pair(x, z), ()) if y not in given)
        return min(without_y, key=lambda given: (len(given), given), default=())


def _joined(x: Any, y: Any, columns: int) -> Any:
    """Return one number for two columns, or for such a number and a third one; also of arrays."""
    return x * columns + y


class _Found(NamedTuple):
    """What the tests of one query found, see ``SeparatingVotes``."""

    sets: Mapping[int, int]
    having: Mapping[int, int]
    kept: Sequence[tuple[Pair, Separator]]


class _Sets(NamedTuple):
    """All sets of a size out of a pool, given to a column and each of its candidates.

    ``others`` has for every candidate a pool of its own, the sets of which are left out.
    """

    target: int
    size: int
    pool: Sequence[int]
    candidates: Sequence[int]
    others: Sequence[Sequence[int]]


class _SetsQuery(NamedTuple):
    """The votes of some sets.

    Attributes
    ----------
    parts : sequence of _Sets
    columns : int
        Number of columns of the data.
    keeps : bool
        Whether to return the sets as well as their numbers.
    """

    parts: Sequence[_Sets]
    columns: int
    keeps: bool

    @property
    def target(self) -> int:
        """The first column of which sets are given."""
        return self.parts[0].target

    def run(self, test: Test) -> _Found:
        """Test every pair given every set."""
        from climbfast_kernels.set_sweeps import sweeps_of_sets

        targets, sizes, pools, candidates, others = zip(*self.parts, strict=True)
        sweeps = sweeps_of_sets(
            column_array(targets),
            column_array(sizes),
            *_joined_lists(pools),
            *_joined_lists(candidates),
            *_joined_lists([*chain(*others)]),
        )
        if isinstance(test, Tester):
            strengths = test.sweep_all(sweeps)
        else:
            asked = zip(
                sweeps.target.tolist(),
                _lists(sweeps.candidates, sweeps.first),
                _lists(sweeps.given, sweeps.first_given),
                strict=True,
            )
            strengths = np.concatenate([np.empty(0), *(np.asarray(test.sweep(*each)) for each in asked)])
        separating = np.flatnonzero(strengths <= 0)
        sweep = np.searchsorted(sweeps.first, separating, side="right") - 1
        x, z = sweeps.target[sweep], sweeps.candidates[separating]
        ends = _joined(np.minimum(x, z), np.maximum(x, z), self.columns)
        size = np.diff(sweeps.first_given)[sweep]
        # The places of the given columns of all these sets, one set after the other.
        begin = np.repeat(sweeps.first_given[sweep] - np.cumsum(size) + size, size)
        given = sweeps.given[begin + np.arange(len(begin))]
        kept: list[tuple[Pair, Separator]] = []
        if self.keeps:
            sets = map(tuple, _lists(given, np.concatenate([[0], np.cumsum(size)])))
            kept = [(divmod(key, self.columns), columns) for key, columns in zip(ends.tolist(), sets, strict=True)]
        return _Found(_counted(ends), _counted(_joined(np.repeat(ends, size), given, self.columns)), kept)


def _counted(keys: NDArray[np.int64]) -> Mapping[int, int]:
    values, counts = np.unique(keys, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _joined_lists(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each list begins, and all of them one after the other."""
    return list_bounds(lists), column_array(list(chain.from_iterable(lists)))


def _lists(joined: NDArray[np.int64], first: NDArray[np.int64]) -> Iterator[list[int]]:
    """Yield the lists again."""
    columns = joined.tolist()
    return (columns[begin:end] for begin, end in pairwise(first.tolist()))


def count_separating_sets(
    runner: TestRunner, skeleton: Skeleton, pairs: Collection[Pair], max_given: int | None
) -> SeparatingVotes:
    """Test pairs of columns given all sets of neighbors of either column, each set once for a pair.

    Around a hub not all sets are given, see ``BoundedPools``.

    Parameters
    ----------
    runner : TestRunner
    skeleton : Skeleton
    pairs : collection of pair
    max_given : int or None
        Largest conditioning set.
    """
    # Only a v-structure that contradicts knowledge is told with a set.
    columns, keeps = len(skeleton.order), runner.allowed is not None
    votes = SeparatingVotes(columns)
    votes.add(_marginal(runner, skeleton, pairs))
    sets = _sets(runner, skeleton, pairs, max_given)
    groups = some_at_once(sets, lambda part: comb(len(part.pool), part.size) * len(part.candidates))
    for found in runner.run([_SetsQuery(group, columns, keeps) for group in groups]):
        votes.add(found)
    return votes


def _marginal(runner: TestRunner, skeleton: Skeleton, pairs: Collection[Pair]) -> _Found:
    """Count the empty set, by the tests of the skeleton; those that were not made are made here."""
    queries = [SweepQuery(x, [z], ()) for x, z in sorted(pairs) if (x, z) not in skeleton.separators]
    separated = [ends for ends in pairs if skeleton.separators.get(ends) == ()]
    kept = [
        (query.target, query.candidates[0])
        for query, strengths in zip(queries, runner.run(queries), strict=True)
        if strengths[0] <= 0
    ]
    sets = {_joined(x, z, len(skeleton.order)): 1 for x, z in chain(separated, kept)}
    return _Found(sets, {}, [(ends, ()) for ends in chain(separated, kept)])


def _sets(runner: TestRunner, skeleton: Skeleton, pairs: Collection[Pair], max_given: int | None) -> Iterator[_Sets]:
    """Yield the sets for all pairs: those that several pairs can share, then those of pairs that have their own."""
    partners: dict[int, list[int]] = {x: [] for x in skeleton.order}
    for x, z in sorted(pairs):
        partners[x].append(z)
        partners[z].append(x)
    pools = {x: skeleton.pool(x, runner.allowed) for x in skeleton.order if partners[x]}
    bounded = BoundedPools(runner.test, pools, runner.max_pool)
    largest = max(map(len, pools.values()), default=0)
    for size in range(1, 1 + (largest if max_given is None else min(max_given, largest))):
        having_sets = [x for x, pool in pools.items() if len(pool) >= size]
        nearest = {
            (x, z): pool
            for x in having_sets
            for among, pool in bounded.of(x, partners[x], size)
            if bounded.is_bounded(x, pool)
            for z in among
        }
        for x in having_sets:
            few = [z for z in partners[x] if (x, z) not in nearest and (z, x) not in nearest]
            if few:
                yield _Sets(x, size, pools[x], few, [pools[z] if z < x else () for z in few])
            for z in sorted({*partners[x]}.difference(few)):
                other = nearest.get((z, x), pools[z]) if z < x else ()
                yield _Sets(x, size, nearest.get((x, z), pools[x]), [z], [other])
