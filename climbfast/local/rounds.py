"""Searches that ask for their tests step by step, so that those of many targets are made together, in rounds.

A search of a whole blanket is a generator: it yields the tests that it needs next, is sent their strengths, and returns
the members. Alone it has each set of tests made by the test that it is given. Of many searches, one call of a kernel
makes the next sets of all: a call takes as long as some dozen small tests, and so does what Python does around it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import update_wrapper
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.tester import Tester
from climbfast.independence.tests import Test, TestCounts
from climbfast.local.compiled import SetOfTests, sweep_sets

__all__ = ["FoundMembers", "MemberSearch", "Steps", "search_together"]

Steps = Generator[SetOfTests, NDArray[np.float64], tuple[int, ...]]
"""The steps of a search: sets of tests, each answered with its strengths; at the end the members."""

MOST_TESTS_A_ROUND = 1 << 20  # so that their candidates and strengths take 16 MB as arrays


class MemberSearch:
    """A search of whole blankets, made of its steps: called with a test, it runs alone.

    Parameters
    ----------
    steps : function of a test, a target, candidates and ``max_given``
        What it returns is a generator, see ``Steps``. Of the test it may ask other things than strengths.
    """

    def __init__(self, steps: Callable[[Test, int, Sequence[int], int | None], Steps]) -> None:
        self.steps = steps
        update_wrapper(self, steps)

    def __call__(
        self, test: Test, target: int, candidates: Sequence[int], max_given: int | None = None
    ) -> tuple[int, ...]:
        """Return the members of the blanket; see the function of the search."""
        steps = self.steps(test, target, candidates, max_given)
        answer: NDArray[np.float64] | None = None
        while True:
            try:
                asked = steps.send(answer)  # type: ignore[arg-type]  # None begins it
            except StopIteration as end:
                members: tuple[int, ...] = end.value
                return members
            answer = np.asarray(test.sweep(asked.target, asked.candidates, asked.given))

    def __reduce__(self) -> str:
        """Pickle the name, as functions do."""
        return str(self.__name__)  # type: ignore[attr-defined]  # update_wrapper sets it


class FoundMembers(NamedTuple):
    """What a search of a whole blanket found.

    Attributes
    ----------
    members : tuple of int
    tests : TestCounts
        The tests made.
    dependent : list of int or None
        The columns that depend on the target marginally; None if the search did not test all.
    explains_all : bool
        Whether no other column depends on the target given the members, as the search has tested.
    """

    members: tuple[int, ...]
    tests: TestCounts
    dependent: list[int] | None
    explains_all: bool


def search_together(
    tester: Tester, search: MemberSearch, targets: Sequence[int], max_given: int | None
) -> Iterator[tuple[list[int], list[FoundMembers]]]:
    """Run the same search around many targets, among all other columns.

    Yields
    ------
    list of int, list of FoundMembers
        Some of the targets, and what was found for each.
    """
    columns = tester.data.columns
    most = max(1, MOST_TESTS_A_ROUND // columns)
    for begin in range(0, len(targets), most):
        part = list(targets[begin : begin + most])
        searches = [_Search(tester, search, x, columns, max_given) for x in part]
        waiting = [each for each in searches if each.asked is not None]
        while waiting:
            swept = sweep_sets(tester, [each.asked for each in waiting if each.asked is not None])
            for each, answer in zip(waiting, swept, strict=True):
                each.go_on(*answer)
            waiting = [each for each in waiting if each.asked is not None]
        yield part, [each.found() for each in searches]


class _Search:
    """The search around one target: the tests that it asks for next, None at its end, and what was seen on the way."""

    def __init__(self, tester: Tester, search: MemberSearch, target: int, columns: int, max_given: int | None) -> None:
        self._others = [x for x in range(columns) if x != target]
        self._steps = search.steps(tester, target, self._others, max_given)
        self._made: list[int] = []
        self._skipped, self._fewest_rows = 0, tester.data.rows
        self._dependent: list[int] | None = None
        self._explaining: frozenset[int] | None = None
        self._members: tuple[int, ...] = ()
        self.asked: SetOfTests | None = None
        self._step(None)  # without a candidate a search may end before its first test

    def go_on(self, strengths: NDArray[np.float64], made: int, fewest_rows: int) -> None:
        """Take the answer to what was asked."""
        asked = self.asked
        assert asked is not None
        size = len(asked.given)
        self._made.extend([0] * (size + 1 - len(self._made)))
        self._made[size] += made
        self._skipped += len(asked.candidates) - made
        self._fewest_rows = min(self._fewest_rows, fewest_rows)
        if size + len(asked.candidates) == len(self._others):
            if size == 0:
                self._dependent = [self._others[place] for place in np.flatnonzero(strengths > 0).tolist()]
            if not (strengths > 0).any():
                self._explaining = frozenset(asked.given)
        self._step(strengths)

    def _step(self, answer: NDArray[np.float64] | None) -> None:
        try:
            self.asked = self._steps.send(answer)  # type: ignore[arg-type]  # None begins it
        except StopIteration as end:
            self.asked, self._members = None, end.value

    def found(self) -> FoundMembers:
        while self._made and not self._made[-1]:
            self._made.pop()
        counts = TestCounts(tuple(self._made), self._skipped, self._fewest_rows)
        return FoundMembers(self._members, counts, self._dependent, self._explaining == frozenset(self._members))
