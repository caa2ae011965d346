"""The partition of a dataset's columns: the least of all, and the same whatever the data are called."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast.local.partition import partition
from tests import reference
from tests.factories import draw_codes, quiet_codes


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("rows", [10, 200])
def test_the_least_of_all(rows, seed):
    arities = [2, 3, 4, 2, 3, 2]
    codes = draw_codes(arities, rows, seed, lean=0.6)
    neighbors = [0, 1, 3, 4, 5]
    found = partition(cf.Tester(quiet_codes(codes)), 2, neighbors)
    expected = reference.partition(2, neighbors, codes.tolist(), arities)
    assert found.parents == expected.parents
    assert found.children == tuple(x for x in neighbors if x not in expected.parents)
    assert found.score == pytest.approx(expected.score, abs=1e-8)
    assert [found.margins[x] for x in neighbors] == pytest.approx(expected.margins, abs=1e-8)
    assert (found.exact, found.gap) == (True, 0)
    assert list(found.margins) == neighbors


def test_the_order_of_the_neighbors_and_the_test_do_not_matter():
    tester = cf.Tester(quiet_codes(draw_codes([2, 3, 2, 3], 300)))
    found = partition(tester, 1, [0, 2, 3])
    assert partition(tester, 1, [3, 0, 2]) == found
    for test in ("g2", "x2", "cmi"):
        assert partition(cf.Tester(tester.data, test), 1, [0, 2, 3]) == found


def test_no_neighbors():
    codes = draw_codes([3, 2], 40)
    found = partition(cf.Tester(quiet_codes(codes)), 0, [])
    assert (found.parents, found.children, found.margins, found.exact) == ((), (), {}, True)
    assert found.score == pytest.approx(reference.stochastic_complexity(codes[0].tolist(), 3, []))


def test_a_single_neighbor_is_decided_by_the_regrets_alone():
    codes = draw_codes([3, 2], 200, lean=0.7)
    found = partition(cf.Tester(quiet_codes(codes)), 0, [1])
    x, y = codes.tolist()
    score = reference.partition_score
    sides = [score(0, [], [1], [x, y], [3, 2]), score(0, [1], [], [x, y], [3, 2])]
    assert found.margins[1] == pytest.approx(abs(sides[0] - sides[1]), abs=1e-9)


def test_out_of_budget():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, (9, 60))
    x[0] = x[1:].sum(axis=0) % 2
    tester = cf.Tester(quiet_codes(x.astype(np.uint8)))
    whole = partition(tester, 0, range(1, 9))
    cut = partition(tester, 0, range(1, 9), node_budget=2)
    assert whole.exact
    assert not cut.exact
    assert cut.gap > 0
    assert cut.nodes <= 2
    assert cut.score - cut.gap <= whole.score <= cut.score


@pytest.mark.parametrize("node_budget", [0, -5])
def test_a_budget_of_nothing(node_budget):
    with pytest.raises(cf.OptionError, match="node_budget"):
        partition(cf.Tester(quiet_codes(draw_codes([2, 2], 10))), 0, [1], node_budget=node_budget)
