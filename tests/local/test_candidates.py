"""What a search knows of its candidates while it runs: which sets are tested, and what comes of them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from climbfast.local.candidates import Candidates
from tests.reference import NaiveTester

Question = tuple[int, tuple[int, ...]]


class TabulatedTester(NaiveTester):
    """A test whose strengths come from a table by candidate and given columns, 1 for all others; it lists its tests."""

    def __init__(self, strengths: Mapping[Question, float]) -> None:
        self.questions: list[Question] = []

        def strength(target, candidate, given):
            question = candidate, tuple(given)
            self.questions.append(question)
            return strengths.get(question, 1.0)

        super().__init__(strength)


def candidates_of(test: TabulatedTester, columns: list[int], max_given: int | None = None) -> Candidates:
    """Candidates of target 0 that were tested marginally."""
    found = Candidates(test, 0, columns, max_given)
    found.dependent()
    test.questions.clear()
    return found


def test_the_dependent_ones_by_strength():
    test = TabulatedTester({(1, ()): 2.0, (2, ()): -1.0, (3, ()): 5.0, (4, ()): 2.0, (5, ()): 0.0})
    known = Candidates(test, 0, [1, 2, 3, 4, 5], None)
    assert known.dependent() == [1, 3, 4]
    assert known.by_strength([4, 3, 1]) == [3, 1, 4]
    assert known.strongest([4, 1]) == 1
    assert known.neighbors([4, 1]).strengths == {1: 2.0, 4: 2.0}


@pytest.mark.parametrize(
    ("options", "sets"),
    [
        ({}, [(2,), (3,), (2, 3)]),
        ({"max_given": 1}, [(2,), (3,)]),
        ({"joined": (4,)}, [(4,), (2, 4), (3, 4), (2, 3, 4)]),
        ({"joined": (4,), "max_given": 2}, [(4,), (2, 4), (3, 4)]),
        ({"joined": (4,), "max_given": 1}, [(4,)]),
        ({"joined": (4,), "max_given": 0}, []),
        ({"size": 2}, [(2, 3)]),
        ({"size": 2, "max_given": 1}, []),
        ({"size": 3}, []),
    ],
    ids=str,
)
def test_which_sets_are_tested(options, sets):
    test = TabulatedTester({})
    known = candidates_of(test, [1, 2, 3, 4], options.get("max_given"))
    options = {key: value for key, value in options.items() if key != "max_given"}
    assert known.keep_dependent([1], [2, 3], **options) == [1]
    assert [given for _, given in test.questions] == sets


def test_the_first_set_that_separates_and_the_weakest_strength():
    test = TabulatedTester({(1, (3,)): -1.0, (2, (1,)): 0.25, (2, (3,)): 0.5})
    known = candidates_of(test, [1, 2, 3], 1)
    assert known.keep_dependent([1, 2], [1, 2, 3]) == [2]
    found = known.neighbors([3, 2])
    assert (found.members, found.strengths, found.separators) == ((2, 3), {2: 0.25, 3: 1.0}, {1: (3,)})


def test_nothing_to_test():
    test = TabulatedTester({})
    known = candidates_of(test, [1, 2])
    assert known.keep_dependent([], [2]) == []
    assert known.keep_dependent([1, 2], []) == [1, 2]
    assert test.questions == []
