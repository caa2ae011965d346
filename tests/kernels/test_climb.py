"""Compiled searches write, to the bit, what those that are written to be read find."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.batch.packed_results import (
    Cost,
    PackedResults,
    pack_neighbors,
    pack_result,
    unpack_neighbors,
    unpack_result,
)
from climbfast.independence.tester import Tester
from climbfast.independence.tests import CMI, G2, SCI, TestCounts
from climbfast.local.compiled import climb_each, getpcd_each, partition_each
from climbfast.local.getpcd import getpcd
from climbfast.local.methods import METHODS
from climbfast.local.plan import plan_blanket
from climbfast.local.target_search import TargetSearch
from climbfast_kernels import packed_results
from climbfast_kernels.getpcd import SEPARATED
from tests.factories import quiet_codes

COLUMNS, ROWS = 9, 200
TESTS = [SCI(), G2(), G2(min_rows_per_df=12), CMI(0.03)]
OPTIONS = [
    {},
    {"symmetry": "none"},
    {"max_given": 1},
    {"max_given": None},
    {"min_margin": 4.0},
    {"node_budget": 2},
    {"neighbors": "mmpc"},
]


def net(seed):
    """Columns that lean on two or three earlier ones, so that there are spouses, and children that are not mutual."""
    rng = np.random.default_rng(seed)
    arity = rng.integers(2, 4, COLUMNS)
    columns = []
    for x in range(COLUMNS):
        parents = rng.choice(x, min(x, rng.integers(1, 4)), replace=False)
        told = sum((columns[p] for p in parents), np.zeros(ROWS, int)) % arity[x]
        columns.append(np.where(rng.random(ROWS) < 0.7, told, rng.integers(0, arity[x], ROWS)))
    return quiet_codes(np.array(columns, np.uint8))


def read_to_be(data, test, plan):
    """Neighbors and findings of every column by the searches in Python, with their costs."""
    tester = Tester(data, test)
    target_search = TargetSearch(tester, tester, data.columns, plan)
    neighbors = {x: target_search.search(x) for x in range(data.columns)}
    results = {}
    for x in range(data.columns):
        before = TestCounts.of(tester)
        found = TargetSearch(tester, tester, data.columns, plan, neighbors.__getitem__).find(x)
        results[x] = found, Cost(*TestCounts.of(tester).since(before), 0.0)
    return neighbors, results


def compiled(data, test, plan, neighbors):
    tester = Tester(data, test)
    cost = Cost((), 0, 0.0)
    known = PackedResults.gather({x: pack_neighbors(n, cost) for x, n in neighbors.items()}, data.columns).arrays
    for array in known:
        array.flags.writeable = False
    columns = range(data.columns)
    partitions = partition_each(tester, columns, [neighbors[x].members for x in columns], plan.node_budget)
    written = climb_each(
        tester, range(data.columns), known, partitions, mutual=plan.symmetry == "children", min_margin=plan.min_margin,
        most_given=plan.most_given,
    )  # fmt: skip
    found = dict(enumerate(PackedResults(*written)))
    return found, tester


@pytest.mark.parametrize("test", TESTS, ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_climb(options, test):
    data, plan = net(17), plan_blanket("climb", **options)
    assert plan.compiled
    neighbors, expected = read_to_be(data, test, plan)
    found, tester = compiled(data, test, plan, neighbors)
    assert {x: unpack_result(record) for x, record in found.items()} == expected
    for x, record in found.items():
        assert [len(array) for array in record] == [len(array) for array in pack_result(*expected[x])]
    costs = [cost for _, cost in expected.values()]
    assert sum(tester.tests_by_size) == sum(sum(cost.tests_by_size) for cost in costs)
    assert tester.skipped == sum(cost.skipped for cost in costs)


def test_what_these_data_have():
    """Without spouses, children dropped, skipped tests and partitions cut short, the test above would show little."""
    spouses = dropped = skipped = inexact = 0
    for test in TESTS:
        for options in OPTIONS:
            plan = plan_blanket("climb", **options)
            neighbors, results = read_to_be(net(17), test, plan)
            spouses += sum(len(found.spouses) for found, _ in results.values())
            dropped += sum(len(neighbors[x].members) - len(found.neighbors) for x, (found, _) in results.items())
            skipped += sum(cost.skipped for _, cost in results.values())
            inexact += sum(not found.exact for found, _ in results.values())
    assert min(spouses, dropped, skipped, inexact) > 0


@pytest.mark.parametrize("most_given", [0, 1, 3])
def test_getpcd(most_given):
    data = net(5)
    tester, alone = Tester(data, "g2"), Tester(data, "g2")
    first, candidates, strengths = [0], [], []
    for x in range(data.columns):
        others = [y for y in range(data.columns) if y != x]
        for y, strength in zip(others, alone.sweep(x, others, ()), strict=True):
            if strength > 0:
                candidates.append(y)
                strengths.append(strength)
        first.append(len(candidates))
    lists = np.array(first), np.array(candidates), np.array(strengths)
    grown = getpcd_each(tester, range(data.columns), *lists, most_given)
    written = packed_results.pack_getpcd(
        *lists[:2], grown.state, grown.strengths, grown.separators, grown.tests, grown.skipped
    )
    for x, record in enumerate(PackedResults.with_seconds(written, data.columns * 0.5)):
        others = [y for y in range(data.columns) if y != x]
        expected = getpcd(alone, x, others, most_given)
        found, cost = unpack_neighbors(record)
        nonempty = {y: s for y, s in expected.separators.items() if s}
        assert (found.members, found.strengths) == (expected.members, expected.strengths)
        assert {y: s for y, s in found.separators.items() if s} == nonempty
        assert cost.seconds == 0.5
        rewritten = pack_neighbors(found, cost)
        assert [array.tolist() for array in rewritten] == [array.tolist() for array in record]
    assert SEPARATED in grown.state or most_given == 0


@pytest.mark.parametrize("name", [m.name for m in METHODS.values() if m.finds == "neighbors"])
@pytest.mark.parametrize("max_given", [1, 2])
def test_no_search_separates_by_more_than_it_may(name, max_given):
    """The compiled Climb has room for so many."""
    data = net(17)
    tester = Tester(data)
    search = METHODS[name].neighbors
    sets = [
        s
        for x in range(data.columns)
        for s in search(tester, x, [*{*range(data.columns)} - {x}], max_given).separators.values()
    ]
    assert max(map(len, sets)) == max_given


def test_a_search_of_ones_own_is_not_compiled():
    def search(test, target, candidates, max_given):
        return getpcd(test, target, candidates, max_given)

    assert not plan_blanket("climb", neighbors=search).compiled
    assert not plan_blanket("climb", symmetry="and").compiled
    assert not plan_blanket("pcmb").compiled
