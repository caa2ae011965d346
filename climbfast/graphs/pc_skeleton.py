"""The skeleton of stable PC: which columns are adjacent, and which sets separate the others.

Spirtes, Glymour and Scheines (2000), "Causation, Prediction, and Search", for PC; Colombo and Maathuis (2014),
"Order-independent constraint-based causal structure learning", JMLR 15, for the adjacencies that do not change while
conditioning sets of one size are tested.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from climbfast.errors import ClimbfastWarning, Option
from climbfast.graphs.pdag import Pair, pair
from climbfast.graphs.runner import TestRunner, WeakestQuery
from climbfast.independence.tests import Separator
from climbfast.names import listing, sorted_by_name

__all__ = ["Skeleton", "find_skeleton"]


class Skeleton(NamedTuple):
    """Adjacencies by column number.

    Attributes
    ----------
    order : sequence of int
        The columns in the order in which they were tested.
    adjacent : list of list of int
        Neighbors of each column, in that order.
    separators : dict of pair to tuple of int
        The separating set of each pair that is not adjacent; pairs and sets are sorted.
    strengths : dict of pair to float
        The weakest strength among all tests of each pair that is adjacent.
    """

    order: Sequence[int]
    adjacent: list[list[int]]
    separators: dict[Pair, Separator]
    strengths: dict[Pair, float]

    def remove(self, x: int, y: int, separator: Separator) -> None:
        """Remove the edge between two columns, which a set separates."""
        self.adjacent[x].remove(y)
        self.adjacent[y].remove(x)
        self.separators[pair(x, y)] = separator
        del self.strengths[pair(x, y)]


MANY_TESTS = 30_000_000  # some 20 seconds


def find_skeleton(
    runner: TestRunner, order: Sequence[int], max_given: int | None, names: Sequence[Hashable]
) -> Skeleton:
    """Find which columns are adjacent.

    Parameters
    ----------
    runner : TestRunner
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
    while (max_given is None or size <= max_given) and any(len(others) > size for others in found.adjacent):
        if not warned and (tests := _most_tests(found, size)) > MANY_TESTS:
            _warn_of_dense_part(found, names, tests, size)
            warned = True
        _test_given(runner, found, size)
        size += 1
    return found


def _most_tests(found: Skeleton, size: int) -> int:
    """Return the number of tests given sets of one size if none of them separates its pair."""
    return sum(len(others) * comb(len(others) - 1, size) for others in found.adjacent if len(others) > size)


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
    adjacent: list[list[int]] = [[] for _ in order]
    for x, y in strengths:
        adjacent[x].append(y)
        adjacent[y].append(x)
    place = {x: i for i, x in enumerate(order)}
    for others in adjacent:
        others.sort(key=place.__getitem__)
    separators: dict[Pair, Separator] = {xy: () for xy in combinations(range(len(order)), 2) if xy not in strengths}
    return Skeleton(order, adjacent, separators, strengths)


def _test_given(runner: TestRunner, found: Skeleton, size: int) -> None:
    """Test adjacent columns given sets of one size, out of the neighbors that they have at the start."""
    frozen = [tuple(others) for others in found.adjacent]
    for targets in _rounds(runner.workers, found.order, frozen):
        queries: list[WeakestQuery] = []
        for x, candidates in targets:
            left = [y for y in candidates if pair(x, y) in found.strengths]
            if left and len(frozen[x]) > size:
                known = [found.strengths[pair(x, y)] for y in left]
                queries.append(WeakestQuery(x, left, frozen[x], range(size, size + 1), known))
        for query, (strengths, separators) in zip(queries, runner.run(queries), strict=True):
            x = query.target
            for y, strength, separator in zip(query.candidates, strengths.tolist(), separators, strict=True):
                found.strengths[pair(x, y)] = strength
                if separator is not None:
                    found.remove(x, y, tuple(sorted(separator)))


def _rounds(
    workers: int, order: Sequence[int], adjacent: Sequence[Sequence[int]]
) -> Iterator[list[tuple[int, Sequence[int]]]]:
    """Yield the targets of each round with their candidates; pairs that one round separates are not tested again.

    One worker takes one column after the other. Several workers take all columns at once, first with later candidates,
    then with earlier ones. Either way the neighbors of the second column of a pair are used only if those of the first
    did not separate the two.
    """
    if workers == 1:
        yield from ([(x, adjacent[x])] for x in order)
        return
    place = {x: i for i, x in enumerate(order)}
    yield [(x, [y for y in adjacent[x] if place[y] > place[x]]) for x in order]
    yield [(x, [y for y in adjacent[x] if place[y] < place[x]]) for x in order]
