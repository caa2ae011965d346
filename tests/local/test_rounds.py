"""Searches of many targets in rounds: each finds, and counts, what it finds and counts alone."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import climbfast as cf
from climbfast.independence.tests import TestCounts
from climbfast.local import rounds
from climbfast.local.compiled import SetOfTests
from climbfast.local.methods import METHODS
from climbfast.local.rounds import MemberSearch, search_together
from climbfast.local.unexplained import dependent_among
from tests.factories import draw_net, quiet, quiet_codes

WHOLE = [name for name, method in METHODS.items() if method.members is not None]
TESTS = [cf.SCI(), cf.G2(), cf.G2(df="nominal", min_rows_per_df=5), cf.X2(), cf.CMI(0.01), cf.SCI("auto")]


@pytest.fixture(scope="module", params=["complete", "missing", "weighted"])
def data(request) -> cf.Dataset:
    complete = quiet_codes(draw_net(17, rows=600))
    if request.param == "complete":
        return complete
    frame = {name: complete.codes[x].tolist() for x, name in enumerate(complete.canonical)}
    if request.param == "weighted":
        return quiet(frame | {"w": [1 + row % 3 for row in range(600)]}, weights="w")
    for x in list(frame)[::3]:
        frame[x] = [None if row % 7 == 0 else value for row, value in enumerate(frame[x])]
    return quiet(frame, missing="test-wise")


def alone(data: cf.Dataset, test, method: str, x: int, max_given: int | None):
    tester = cf.Tester(data, test)
    before = TestCounts.start(tester)
    members = METHODS[method].members(tester, x, [y for y in range(data.columns) if y != x], max_given)
    return members, TestCounts.of(tester).since(before)


def together(data: cf.Dataset, test, method: str, targets, max_given: int | None, tester=None):
    tester = tester or cf.Tester(data, test)
    parts = [*search_together(tester, METHODS[method].members, targets, max_given)]
    assert [x for part, _ in parts for x in part] == list(targets)
    return [found for _, of_part in parts for found in of_part]


# Every test with sets of any size, and with one of the bounds.
TESTS_AND_MAX_GIVEN = [
    (test, most) for place, test in enumerate(TESTS) for most in (None, (0, 2)[(place + place // 2) % 2])
]


@pytest.mark.parametrize(("test", "max_given"), TESTS_AND_MAX_GIVEN, ids=str)
@pytest.mark.parametrize("method", WHOLE)
def test_the_same_as_alone(data, method, test, max_given):
    if method == "iamb-fdr" and (isinstance(test, cf.CMI) or test == cf.SCI("auto")):
        pytest.skip('iamb-fdr refuses CMI, which has no p-value, and min_bits="auto"')
    tester, targets = cf.Tester(data, test), range(data.columns)
    found = together(data, test, method, targets, max_given, tester)
    expected = [alone(data, test, method, x, max_given) for x in targets]
    assert [(each.members, each.tests) for each in found] == expected
    assert sum(tester.tests_by_size) == sum(counts.made for _, counts in expected)
    assert tester.skipped == sum(counts.skipped for _, counts in expected)
    assert tester.fewest_rows == min(counts.fewest_rows for _, counts in expected)


@pytest.mark.parametrize("method", WHOLE)
def test_a_single_column(method):
    single = quiet({"x": ["a", "b"] * 20})
    (found,) = together(single, "sci", method, [0], None)
    assert (found.members, found.tests) == alone(single, "sci", method, 0, None)
    copies = quiet({"x": ["a", "b"] * 20, "y": ["c", "d"] * 20})
    assert all(blanket.members == () for blanket in cf.markov_blankets(copies, method=method, n_jobs=1).values())


@pytest.mark.parametrize("method", WHOLE)
def test_what_was_seen_on_the_way(data, method):
    tester = cf.Tester(data)
    explaining = 0
    for x, found in enumerate(together(data, "sci", method, range(data.columns), None)):
        others = [y for y in range(data.columns) if y != x]
        if found.dependent is not None:
            assert found.dependent == dependent_among(tester, x, others)
        if found.explains_all:
            explaining += 1
            left = [y for y in others if y not in found.members]
            assert (tester.sweep(x, left, found.members) <= 0).all()
    if method not in ("gs", "iamb-fdr"):  # which test one candidate after the other, and decide by p-values of all
        assert explaining > 0


def test_part_by_part(monkeypatch):
    """Few targets a round."""
    data = quiet_codes(draw_net(17, rows=600))
    expected = together(data, "g2", "iamb", range(data.columns), None)
    monkeypatch.setattr(rounds, "MOST_TESTS_A_ROUND", 2 * data.columns)
    assert together(data, "g2", "iamb", range(data.columns), None) == expected
    sizes = [len(part) for part, _ in search_together(cf.Tester(data), METHODS["iamb"].members, range(7), None)]
    assert sizes == [2, 2, 2, 1]


@MemberSearch
def first_two(test, target, candidates, max_given=None):
    """Ask twice; the first two candidates are the members."""
    yield SetOfTests(target, list(candidates), ())
    yield SetOfTests(target, [], tuple(candidates))
    return tuple(candidates[:2])


def test_a_search_is_a_function():
    data = quiet_codes(draw_net(17, rows=100))
    asked = []

    class Asking:
        def sweep(self, target, candidates, given):
            asked.append((target, candidates, given))
            return np.zeros(len(candidates))

    assert first_two(Asking(), 4, [5, 6, 7]) == (5, 6)
    assert asked == [(4, [5, 6, 7], ()), (4, [], (5, 6, 7))]
    assert (first_two.__name__, first_two.__doc__) == (
        "first_two",
        "Ask twice; the first two candidates are the members.",
    )
    assert pickle.loads(pickle.dumps(first_two)) is first_two
    (_, (found,)), *none = search_together(cf.Tester(data), first_two, [0], None)
    assert not none
    assert found.members == (1, 2)
    assert found.tests.by_size == (data.columns - 1,)


@pytest.mark.parametrize("method", WHOLE)
def test_blankets_of_a_run_are_those_of_each_target(method):
    """With what they leave unexplained, for which the run does not repeat the tests of the search."""
    for data in (cf.load_example().sample(1500, seed=3), quiet_codes(draw_net(17, rows=300))):
        run = cf.markov_blankets(data, method=method, n_jobs=1, progress=False)
        for target in data.names:
            one, of_run = cf.markov_blanket(data, target, method).to_dict(), run[target].to_dict()
            assert {**one, "seconds": 0} == {**of_run, "seconds": 0}
