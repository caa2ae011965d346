"""The compiled Climb writes, to the bit, what the one that is written to be read finds."""

from __future__ import annotations

import random
from functools import cache

import pytest

from climbfast.batch.packed_results import (
    Cost,
    PackedResults,
    pack_neighbors,
    pack_result,
    unpack_cost,
    unpack_result,
    with_unexplained,
)
from climbfast.independence.tester import Tester
from climbfast.independence.tests import CMI, G2, SCI, TestCounts
from climbfast.local.colliders import evidence_scale
from climbfast.local.compiled import climb_each
from climbfast.local.known_neighbors import KnownAround
from climbfast.local.plan import plan_blanket
from climbfast.local.target_search import TargetSearch
from climbfast.local.unexplained import NOTHING
from tests import incomplete
from tests.factories import draw_net, quiet_codes
from tests.graphs.knowledge_of_dags import random_knowledge

TESTS = [SCI(), G2(), G2(df="nominal", min_rows_per_df=12), CMI(0.03)]
OPTIONS = [
    {},
    {"colliders": False},
    {"directions": "all"},
    {"colliders": False, "symmetry": "none"},
    {"symmetry": "none"},
    {"max_given": 1},
    {"max_given": None},
    {"min_margin": 4.0},
    {"node_budget": 2},
    {"neighbors": "mmpc"},
]


@cache
def drawn(gaps):
    return incomplete.encoded(incomplete.net_with_gaps(17, columns=9, rows=200)) if gaps else quiet_codes(draw_net(17))


def cost_since(tester, before):
    counts = TestCounts.of(tester).since(before)
    return Cost(counts.by_size, counts.skipped, tester.fewest_rows, 0.0)


def by_python(data, test, plan, allowed=None):
    """Neighbors and results of every column by the searches in Python, with their costs."""
    tester = Tester(data, test)
    target_search = TargetSearch(tester, tester, data.columns, plan, allowed=allowed)
    neighbors = {x: target_search.search(x) for x in range(data.columns)}
    results = {}
    for x in range(data.columns):
        before = TestCounts.start(tester)
        found = TargetSearch(tester, tester, data.columns, plan, neighbors.__getitem__, allowed).find(x)
        results[x] = found, cost_since(tester, before)
    return neighbors, results


def by_kernels(data, test, plan, neighbors, allowed=None):
    tester = Tester(data, test)
    around = None if allowed is None else KnownAround(tester, neighbors.__getitem__, allowed, plan.most_given)
    cost = Cost((), 0, data.rows, 0.0)
    known = PackedResults.gather({x: pack_neighbors(n, cost) for x, n in neighbors.items()}, data.columns).arrays
    for array in known:
        array.flags.writeable = False
    columns = range(data.columns)
    written = climb_each(
        tester, columns, known, [neighbors[x].members for x in columns], mutual=plan.symmetry == "children",
        scale=evidence_scale(test, data.rows) if plan.colliders else None, min_margin=plan.min_margin,
        node_budget=plan.node_budget, most_given=plan.most_given, around=around,
    )  # fmt: skip
    # The check of a blanket comes after the kernels.
    found = {x: with_unexplained(packed, NOTHING) for x, packed in enumerate(PackedResults(*written))}
    return found, tester


@pytest.mark.parametrize("test", TESTS, ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("known", [False, True], ids=["free", "known"])
@pytest.mark.parametrize("gaps", [False, True])
def test_climb(options, test, gaps, known):
    """Without knowledge, and with some that is mostly false: of four draws, each meets every option and every test."""
    seed = (OPTIONS.index(options) + TESTS.index(test) + 2 * gaps) % 4 if known else None
    plan = plan_blanket("climb", **options)
    data = drawn(gaps)
    assert plan.compiled
    allowed = None if seed is None else random_knowledge(data.names, random.Random(seed)).allowed_arcs(data.canonical)
    neighbors, expected = by_python(data, test, plan, allowed)
    found, tester = by_kernels(data, test, plan, neighbors, allowed)
    assert {x: unpack_result(packed)[0] for x, packed in found.items()} == {
        x: each for x, (each, _) in expected.items()
    }
    for x, packed in found.items():
        assert [len(array) for array in packed] == [len(array) for array in pack_result(*expected[x])]
    costs = [cost for _, cost in expected.values()]
    for x, cost in zip(expected, costs, strict=True):
        written = unpack_cost(found[x])
        assert written._replace(fewest_rows=0) == cost._replace(fewest_rows=0)
        # Python searches the partitions of the neighbors anew, and counts their rows.
        assert data.rows >= written.fewest_rows >= cost.fewest_rows > 0
    assert sum(tester.tests_by_size) == sum(sum(cost.tests_by_size) for cost in costs)
    assert tester.skipped == sum(cost.skipped for cost in costs)


def test_what_these_data_have():
    """Without spouses, sides seen, children dropped and partitions cut short, the test above would show little."""
    spouses = seen = dropped = skipped = inexact = 0
    for test in TESTS:
        for options in OPTIONS:
            plan = plan_blanket("climb", **options)
            neighbors, results = by_python(drawn(gaps=False), test, plan)
            spouses += sum(len(found.spouses) for found, _ in results.values())
            seen += sum(len(found.evidence) for found, _ in results.values())
            dropped += sum(len(neighbors[x].members) - len(found.neighbors) for x, (found, _) in results.items())
            skipped += sum(cost.skipped for _, cost in results.values())
            inexact += sum(not found.exact for found, _ in results.values())
    assert min(spouses, seen, dropped, skipped, inexact) > 0
