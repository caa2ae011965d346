"""The search of one target by column number: what is known already is not searched again."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.local.neighbors import Neighbors
from climbfast.local.plan import plan_blanket
from climbfast.local.target_search import TargetResult, TargetSearch
from tests.factories import draw_net, quiet_codes


@pytest.fixture(scope="module")
def tester() -> cf.Tester:
    return cf.Tester(quiet_codes(draw_net(17)))


def search(tester: cf.Tester, method: str = "climb", known=None, **options) -> TargetSearch:
    return TargetSearch(tester, tester, tester.data.columns, plan_blanket(method, **options), known)


@pytest.mark.parametrize("method", ["climb", "pcmb", "iamb"])
def test_it_is_the_blanket_by_number(tester, method):
    data = tester.data
    for x, name in enumerate(data.canonical):
        found, blanket = search(tester, method).find(x), cf.markov_blanket(data, name, method)
        for side in ("parents", "children", "undecided", "spouses"):
            assert tuple(data.canonical[y] for y in getattr(found, side)) == getattr(blanket, side)
        assert found.neighbors == tuple(sorted((*found.parents, *found.children, *found.undecided)))
        assert found.whole_blanket == (method == "iamb")


def test_known_neighbors_are_taken(tester):
    told = {x: Neighbors((), {}, {}) for x in range(tester.data.columns)}
    told[0], told[1] = Neighbors((1,), {1: 9.0}, {}), Neighbors((0,), {0: 9.0}, {})
    made = sum(tester.tests_by_size)
    found = search(tester, known=told.__getitem__).find(0)
    assert (found.neighbors, found.strengths) == ((1,), {1: 9.0})
    assert sum(tester.tests_by_size) == made


def test_neighbors_of_a_small_margin_are_undecided(tester):
    results = [search(tester, directions="all", colliders=False).find(x) for x in range(tester.data.columns)]
    target, found = next((x, found) for x, found in enumerate(results) if len(found.margins) > 1)
    bar = max(found.margins.values())
    barred = search(tester, min_margin=bar, colliders=False).find(target)
    assert barred.undecided == tuple(sorted(x for x, margin in found.margins.items() if margin < bar))
    assert (barred.neighbors, barred.margins) == (found.neighbors, found.margins)


def test_nothing_found():
    assert TargetResult().neighbors == ()
    lone = search(cf.Tester(quiet_codes(draw_net(1, columns=1)))).find(0)
    assert (lone.neighbors, lone.spouses, lone.exact, lone.gap) == ((), {}, True, 0.0)
