"""Compiled searches write, to the bit, what those that are written to be read find."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
import pytest

from climbfast.batch.records import Cost, Records, findings_of, neighbors_of, record_of_findings, record_of_neighbors
from climbfast.evidence import CMI, G2, SCI, Evidence
from climbfast.local.findings import Finder
from climbfast.local.getpcd import getpcd
from climbfast.local.methods import METHODS
from climbfast.local.plan import plan_blanket
from climbfast_kernels import pcd, records
from tests.tables import quiet_codes

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


def made(evidence, before):
    sizes = [a - b for a, b in zip_longest(evidence.tests_by_size, before, fillvalue=0)]
    return tuple(sizes[: max((size + 1 for size, many in enumerate(sizes) if many), default=0)])


def read_to_be(data, test, plan):
    """Neighbors and findings of every column by the searches in Python, with their costs."""
    evidence = Evidence(data, test)
    finder = Finder(evidence, evidence, data.columns, plan)
    neighbors = {x: finder.search(x) for x in range(data.columns)}
    findings = {}
    for x in range(data.columns):
        before, skipped = tuple(evidence.tests_by_size), evidence.skipped
        found = Finder(evidence, evidence, data.columns, plan, neighbors.__getitem__).find(x)
        findings[x] = found, Cost(made(evidence, before), evidence.skipped - skipped, 0.0)
    return neighbors, findings


def compiled(data, test, plan, neighbors):
    evidence = Evidence(data, test)
    cost = Cost((), 0, 0.0)
    known = Records.gathered({x: record_of_neighbors(n, cost) for x, n in neighbors.items()}, data.columns).arrays
    for array in known:
        array.flags.writeable = False
    columns = range(data.columns)
    sides = evidence.tell_apart(columns, [neighbors[x].members for x in columns], plan.node_budget)
    written = evidence.climb(
        range(data.columns), known, sides, mutual=plan.symmetry == "children", min_margin=plan.min_margin,
        most_given=plan.most_given,
    )  # fmt: skip
    found = dict(enumerate(Records(*written)))
    return found, evidence


@pytest.mark.parametrize("test", TESTS, ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_climb(options, test):
    data, plan = net(17), plan_blanket("climb", **options)
    assert plan.compiled
    neighbors, expected = read_to_be(data, test, plan)
    found, evidence = compiled(data, test, plan, neighbors)
    assert {x: findings_of(record) for x, record in found.items()} == expected
    for x, record in found.items():
        assert [len(array) for array in record] == [len(array) for array in record_of_findings(*expected[x])]
    costs = [cost for _, cost in expected.values()]
    assert sum(evidence.tests_by_size) == sum(sum(cost.tests_by_size) for cost in costs)
    assert evidence.skipped == sum(cost.skipped for cost in costs)


def test_what_these_data_have():
    """Without spouses, children dropped, skipped tests and partitions cut short, the test above would show little."""
    spouses = dropped = skipped = inexact = 0
    for test in TESTS:
        for options in OPTIONS:
            plan = plan_blanket("climb", **options)
            neighbors, findings = read_to_be(net(17), test, plan)
            spouses += sum(len(found.spouses) for found, _ in findings.values())
            dropped += sum(len(neighbors[x].members) - len(found.neighbors) for x, (found, _) in findings.items())
            skipped += sum(cost.skipped for _, cost in findings.values())
            inexact += sum(not found.exact for found, _ in findings.values())
    assert min(spouses, dropped, skipped, inexact) > 0


@pytest.mark.parametrize("most_given", [0, 1, 3])
def test_getpcd(most_given):
    data = net(5)
    evidence, alone = Evidence(data, "g2"), Evidence(data, "g2")
    first, candidates, strengths = [0], [], []
    for x in range(data.columns):
        others = [y for y in range(data.columns) if y != x]
        for y, strength in zip(others, alone.sweep(x, others, ()), strict=True):
            if strength > 0:
                candidates.append(y)
                strengths.append(strength)
        first.append(len(candidates))
    lists = np.array(first), np.array(candidates), np.array(strengths)
    grown = evidence.getpcd(range(data.columns), *lists, most_given)
    written = records.records_of_getpcd(
        *lists[:2], grown.state, grown.strengths, grown.separators, grown.tests, grown.skipped
    )
    for x, record in enumerate(Records.timed(written, data.columns * 0.5)):
        others = [y for y in range(data.columns) if y != x]
        expected = getpcd(alone, x, others, most_given)
        found, cost = neighbors_of(record)
        nonempty = {y: s for y, s in expected.separators.items() if s}
        assert (found.members, found.strengths) == (expected.members, expected.strengths)
        assert {y: s for y, s in found.separators.items() if s} == nonempty
        assert cost.seconds == 0.5
        rewritten = record_of_neighbors(found, cost)
        assert [array.tolist() for array in rewritten] == [array.tolist() for array in record]
    assert pcd.SEPARATED in grown.state or most_given == 0


@pytest.mark.parametrize("name", [m.name for m in METHODS.values() if m.finds == "neighbors"])
@pytest.mark.parametrize("max_given", [1, 2])
def test_no_search_separates_by_more_than_it_may(name, max_given):
    """The compiled Climb has room for so many."""
    data = net(17)
    evidence = Evidence(data)
    search = METHODS[name].neighbors
    sets = [
        s
        for x in range(data.columns)
        for s in search(evidence, x, [*{*range(data.columns)} - {x}], max_given).separators.values()
    ]
    assert max(map(len, sets)) == max_given


def test_a_search_of_ones_own_is_not_compiled():
    def search(test, target, candidates, max_given):
        return getpcd(test, target, candidates, max_given)

    assert not plan_blanket("climb", neighbors=search).compiled
    assert not plan_blanket("climb", symmetry="and").compiled
    assert not plan_blanket("pcmb").compiled
