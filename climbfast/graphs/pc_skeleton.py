"""The skeleton of stable PC: which columns are adjacent, and which sets separate the others.

Spirtes, Glymour and Scheines (2000), "Causation, Prediction, and Search", for PC; Colombo and Maathuis (2014),
"Order-independent constraint-based causal structure learning", JMLR 15, for the adjacencies that do not change while
conditioning sets of one size are tested.

With knowledge, pairs that it forbids both ways are not tested and not adjacent; a set that is tested around a column
has only neighbors that may be its parents, which is enough: of two columns that are not adjacent, one is no ancestor
of the other, and its parents separate the two. Required edges stay, whatever the tests say.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain, combinations, compress
from math import comb
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from climbfast.errors import ClimbfastWarning, Option
from climbfast.graphs.pdag import Pair, pair
from climbfast.graphs.runner import TestRunner
from climbfast.independence.nearest import BoundedPools, columns_given
from climbfast.independence.tester import Tester, column_array, list_bounds
from climbfast.independence.tests import Separator, Test
from climbfast.knowledge import AllowedArcs
from climbfast.names import listing, sorted_by_name

__all__ = ["Skeleton", "find_skeleton", "some_at_once"]


class Skeleton(NamedTuple):
    """Adjacencies by column number.

    Attributes
    ----------
    order : sequence of int
        The columns in the order in which they were tested.
    adjacent : list of list of int
        Neighbors of each column, in that order.
    separators : dict of pair to tuple of int
        The separating set of each pair that is not adjacent, if it was tested; pairs and sets are sorted.
    strengths : dict of pair to float
        The weakest strength among all tests of each pair that is adjacent.
    refuted : set of pair
        Required edges that a test separates, so that their strength is not above 0; no further tests are made of them.
    bounded : set of pair
        Pairs that no set of some size separated, though not all sets of that size were tested.
    """

    order: Sequence[int]
    adjacent: list[list[int]]
    separators: dict[Pair, Separator]
    strengths: dict[Pair, float]
    refuted: set[Pair]
    bounded: set[Pair]

    def leave_out(self, x: int, y: int) -> None:
        """Remove the edge between two columns, which nothing separates."""
        self.adjacent[x].remove(y)
        self.adjacent[y].remove(x)
        del self.strengths[pair(x, y)]

    def remove(self, x: int, y: int, separator: Separator) -> None:
        """Remove the edge between two columns, which a set separates."""
        self.leave_out(x, y)
        self.separators[pair(x, y)] = separator

    def pool(self, x: int, allowed: AllowedArcs | None) -> tuple[int, ...]:
        """Return the neighbors of a column that may be its parents, in order."""
        others = self.adjacent[x]
        return tuple(others if allowed is None else [z for z in others if allowed.allows(z, x)])

    def is_tested(self, x: int, y: int) -> bool:
        """Whether two columns are adjacent, and would not stay so if a test separated them."""
        ends = pair(x, y)
        return ends in self.strengths and ends not in self.refuted


MANY_TESTS = 30_000_000  # some 20 seconds
TESTS_AT_ONCE = 20_000  # by one call
T = TypeVar("T")


def find_skeleton(
    runner: TestRunner, order: Sequence[int], max_given: int | None, names: Sequence[Hashable]
) -> Skeleton:
    """Find which columns are adjacent.

    Parameters
    ----------
    runner : TestRunner
        Has what knowledge allows as well.
    order : sequence of int
        The columns. Sets of neighbors of the first column of a pair are tested before those of the second; subsets
        come in this order.
    max_given : int or None
        Largest conditioning set.
    names : sequence of names
        By column number, for the warning about columns that are adjacent to many.
    """
    found = _marginal(runner, order)
    size, warned = 1, False
    while (max_given is None or size <= max_given) and (tests := _most_tests(found, size, runner)):
        if not warned and tests > MANY_TESTS:
            _warn_of_dense_part(found, names, tests, size)
            warned = True
        _test_given(runner, found, size)
        size += 1
    return found


def _most_tests(found: Skeleton, size: int, runner: TestRunner) -> int:
    """Return the number of tests given sets of one size if none of them separates its pair."""
    allowed = runner.allowed

    def sets(columns: int) -> int:
        given = columns_given(runner.max_pool, columns, size)
        # Sets are first left out at these sizes; it is noted also where nothing is left to test.
        is_noted = size in (2, 4) and size <= columns and given < columns
        return max(comb(given, size), int(is_noted))

    if allowed is None:
        return sum(len(others) * sets(len(others) - 1) for others in found.adjacent if len(others) > size)
    tests = 0
    for x, others in enumerate(found.adjacent):
        pool = set(found.pool(x, allowed))
        tests += sum(sets(len(pool) - (y in pool)) for y in others if found.is_tested(x, y))
    return tests


def _warn_of_dense_part(found: Skeleton, names: Sequence[Hashable], tests: int, size: int) -> None:
    most = max(map(len, found.adjacent))
    dense = sorted_by_name(names[x] for x, others in enumerate(found.adjacent) if 2 * len(others) >= most)
    warnings.warn(
        ClimbfastWarning(
            f"{len(dense):,} columns still have up to {most:,} neighbors each, so up to {tests:,} tests given {size} "
            f"column{'s' if size > 1 else ''} follow: {listing(dense, limit=5)}; ", Option("max_given", size - 1),
            " leaves them out",
        ),
        stacklevel=2,
    )  # fmt: skip


def _marginal(runner: TestRunner, order: Sequence[int]) -> Skeleton:
    """Test all pairs marginally, with an empty conditioning set."""
    strengths = runner.dependent_pairs(order)
    place = {x: i for i, x in enumerate(order)}
    required = set() if runner.allowed is None else {pair(*arc) for arc in runner.allowed.required}
    refuted = required - strengths.keys()
    for x, y in refuted:
        strengths[x, y] = runner.marginal_strength(*sorted((x, y), key=place.__getitem__))
    adjacent: list[list[int]] = [[] for _ in order]
    for x, y in strengths:
        adjacent[x].append(y)
        adjacent[y].append(x)
    for others in adjacent:
        others.sort(key=place.__getitem__)
    separators: dict[Pair, Separator] = dict.fromkeys(_tested_pairs(len(order), runner.allowed), ())
    for xy in strengths:
        separators.pop(xy, None)
    return Skeleton(order, adjacent, separators, strengths, refuted, set())


def _tested_pairs(columns: int, allowed: AllowedArcs | None) -> Iterator[Pair]:
    """Yield all pairs of columns, but not those that are forbidden both ways."""
    if allowed is None:
        return combinations(range(columns), 2)
    return ((x, y) for x in range(columns) for y in (x + 1 + np.flatnonzero(allowed.neighbors_of(x)[x + 1 :])).tolist())


class _Part(NamedTuple):
    """One column, those that are tested against it, and the pool out of which sets are given."""

    target: int
    candidates: Sequence[int]
    pool: Sequence[int]


class _LevelQuery(NamedTuple):
    """Tests given sets of one size, part by part; a pair that is separated is not tested by later parts.

    Attributes
    ----------
    parts : sequence of _Part
    size : int
    known : dict of pair to float
        All pairs of the parts, with the weakest strength so far of each.
    """

    parts: Sequence[_Part]
    size: int
    known: dict[Pair, float]

    @property
    def target(self) -> int:
        """The first target."""
        return self.parts[0].target

    def run(self, test: Test) -> tuple[NDArray[np.float64], dict[Pair, Separator]]:
        """Return the weakest strengths of the pairs, and the sets that separate some of them."""
        if not isinstance(test, Tester) or test.counts_copies_once:
            return self._run_one_by_one(test)
        from climbfast_kernels.patterns import Queries

        targets, candidates, pools = zip(*self.parts, strict=True)
        number = dict(zip(self.known, range(len(self.known)), strict=True))
        pairs = [number[pair(x, y)] for x, others, _ in self.parts for y in others]
        queries = Queries(
            column_array(targets),
            list_bounds(candidates),
            column_array(list(chain.from_iterable(candidates))),
            column_array(pairs),
            list_bounds(pools),
            column_array(list(chain.from_iterable(pools))),
        )
        strengths = np.fromiter(self.known.values(), np.float64, len(number))
        separated, separators = np.zeros(len(number), np.bool_), np.empty((len(number), self.size), np.int64)
        test.weakest_each(queries, self.size, strengths, separated, separators)
        ends = compress(self.known, separated.tolist())
        return strengths, dict(zip(ends, map(tuple, np.sort(separators[separated]).tolist()), strict=True))

    def _run_one_by_one(self, test: Test) -> tuple[NDArray[np.float64], dict[Pair, Separator]]:
        found, separators = dict(self.known), dict[Pair, Separator]()
        for x, candidates, pool in self.parts:
            left = [y for y in candidates if pair(x, y) not in separators]
            known = [found[pair(x, y)] for y in left]
            strengths, sets = test.weakest(x, left, pool, (), range(self.size, self.size + 1), known)
            for y, strength, separator in zip(left, np.asarray(strengths).tolist(), sets, strict=True):
                found[pair(x, y)] = strength
                if separator is not None:
                    separators[pair(x, y)] = tuple(sorted(separator))
        return np.fromiter(found.values(), np.float64, len(found)), separators


def _test_given(runner: TestRunner, found: Skeleton, size: int) -> None:
    """Test adjacent columns given sets of one size, out of the neighbors that they have at the start.

    Of many neighbors, sets of two and more are those of the ones nearest to the other column.
    """
    frozen = [tuple(others) for others in found.adjacent]
    pools = frozen if runner.allowed is None else [found.pool(x, runner.allowed) for x in range(len(frozen))]
    required = set() if runner.allowed is None else {pair(*arc) for arc in runner.allowed.required}
    bounded = BoundedPools(runner.test, dict(enumerate(pools)), runner.max_pool)
    for targets in _rounds(runner.workers, found.order, frozen):
        parts = _parts(found, bounded, pools, targets, size)
        groups = some_at_once(parts, lambda part: comb(len(part.pool), size) * len(part.candidates))
        for some in ([group] for group in groups) if runner.workers == 1 else (list(groups),):
            queries = [_LevelQuery(group, size, _known(found, group)) for group in some]
            for query, (strengths, separators) in zip(queries, runner.run(queries), strict=True):
                found.strengths.update(zip(query.known, strengths.tolist(), strict=True))
                for ends, separator in separators.items():
                    if ends in required:
                        found.refuted.add(ends)
                    else:
                        found.remove(ends[0], ends[1], separator)
                for x, candidates, pool in query.parts:
                    if bounded.is_bounded(x, pool):
                        found.bounded.update(pair(x, y) for y in candidates if found.is_tested(x, y))


def _parts(
    found: Skeleton,
    bounded: BoundedPools,
    pools: Sequence[Sequence[int]],
    targets: Sequence[tuple[int, Sequence[int]]],
    size: int,
) -> Iterator[_Part]:
    """Yield what is left to test around each target when it comes."""
    for x, candidates in targets:
        if len(pools[x]) >= size:
            left = [y for y in candidates if found.is_tested(x, y) and _has_sets(pools[x], y, size)]
            drawn = bounded.of(x, left, size)
            for others, pool in drawn:
                # Between two parts of one target others may be separated from it.
                yield _Part(x, others if len(drawn) == 1 else [y for y in others if found.is_tested(x, y)], pool)


def _known(found: Skeleton, parts: Sequence[_Part]) -> dict[Pair, float]:
    return {ends: found.strengths[ends] for x, others, _ in parts for y in others for ends in (pair(x, y),)}


def some_at_once(parts: Iterable[T], most_tests: Callable[[T], int]) -> Iterator[list[T]]:
    """Yield parts of a search, as many at once as have some ``TESTS_AT_ONCE`` tests."""
    some: list[T] = []
    tests = 0
    for part in parts:
        some.append(part)
        tests += most_tests(part)
        if tests >= TESTS_AT_ONCE:
            yield some
            some, tests = [], 0
    if some:
        yield some


def _has_sets(pool: Sequence[int], y: int, size: int) -> bool:
    """Whether a pool without y has sets of a size."""
    return len(pool) > size or (len(pool) == size and y not in pool)


def _rounds(
    workers: int, order: Sequence[int], adjacent: Sequence[Sequence[int]]
) -> Iterator[list[tuple[int, Sequence[int]]]]:
    """Yield the targets of each round with their candidates; pairs that one round separates are not tested again.

    One worker takes one column after the other. Several workers take all columns at once, first with later candidates,
    then with earlier ones. Either way the neighbors of the second column of a pair are used only if those of the first
    did not separate the two.
    """
    if workers == 1:
        yield [(x, adjacent[x]) for x in order]
        return
    place = {x: i for i, x in enumerate(order)}
    yield [(x, [y for y in adjacent[x] if place[y] > place[x]]) for x in order]
    yield [(x, [y for y in adjacent[x] if place[y] < place[x]]) for x in order]
