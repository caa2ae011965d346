"""Searches around many targets that run compiled are those of one target after the other."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast.local.compiled import getpcd_each, partition_each
from climbfast.local.getpcd import getpcd
from climbfast.local.partition import partition
from climbfast_kernels.getpcd import MEMBER
from tests.factories import draw_net, quiet_codes

COLUMNS = range(9)


@pytest.fixture(scope="module")
def data() -> cf.Dataset:
    return quiet_codes(draw_net(17))


def others(x: int) -> list[int]:
    return [y for y in COLUMNS if y != x]


@pytest.mark.parametrize("test", [cf.SCI(), cf.G2(df="nominal", min_rows_per_df=12)], ids=repr)
def test_getpcd(data, test):
    tester, one_by_one = cf.Tester(data, test), cf.Tester(data, test)
    first = np.array([0, *np.cumsum([len(others(x)) for x in COLUMNS])])
    candidates = np.concatenate([others(x) for x in COLUMNS])
    strengths = np.concatenate([cf.Tester(data, test).sweep(x, others(x), ()) for x in COLUMNS])
    dependent = strengths > 0
    first = np.array([0, *np.cumsum(dependent)])[first]
    candidates, strengths = candidates[dependent], strengths[dependent]
    before = strengths.copy()
    found = getpcd_each(tester, COLUMNS, first, candidates, strengths, 3, None)
    for x in COLUMNS:
        here = slice(first[x], first[x + 1])
        members = candidates[here][found.state[here] == MEMBER]
        assert tuple(members.tolist()) == getpcd(one_by_one, x, others(x), 3).members
    assert strengths.tolist() == before.tolist()
    assert tester.tests_by_size[1:] == one_by_one.tests_by_size[1:]
    assert tester.tests_by_size[0] == 0


def test_partition(data):
    tester = cf.Tester(data)
    neighbors = [others(x)[x % 3 : x % 3 + 4] for x in COLUMNS]
    found = partition_each(tester, COLUMNS, neighbors, 10**6)
    expected = [partition(tester, x, members) for x, members in zip(COLUMNS, neighbors, strict=True)]
    taken = [y for members in neighbors for y in members]
    assert [y for y, is_parent in zip(taken, found.is_parent, strict=True) if is_parent] == [
        y for each in expected for y in each.parents
    ]
    assert (found.scores / data.log_tables.units).tolist() == [each.score for each in expected]
