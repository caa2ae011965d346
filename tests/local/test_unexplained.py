"""The check of a blanket: it names the columns that still depend on the target, by their definition, and no others."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import climbfast as cf
from climbfast.independence.tester import Tester
from climbfast.local.compiled import SetOfTests
from climbfast.local.unexplained import (
    FEWEST_ROWS,
    Unexplained,
    dependent_among,
    outside,
    unexplained_each,
    with_determining_set,
)
from tests import incomplete
from tests.batch.runs import run, without_cost
from tests.factories import draw_net, quiet_codes
from tests.oracle import Oracle, all_dags, d_separated, shared

METHODS = ["climb", "pcmb", "mmmb", "gs", "iamb"]


@pytest.fixture(scope="module")
def tester() -> Tester:
    return Tester(quiet_codes(draw_net(17, rows=2_000)))


def naive(tester, target, members):
    """Every column that depends on the target marginally, tested given the members."""
    names = tester.data.canonical
    others = [x for x in range(len(names)) if x not in (target, *members)]
    dependent = [x for x in others if cf.test(tester.data, names[target], names[x]).strength > 0]
    given = [names[z] for z in members]
    strength = {x: cf.test(tester.data, names[target], names[x], given).strength for x in dependent}
    bar = math.log2(len(dependent) / 0.01) if dependent else 0.0
    return {x: bits for x, bits in strength.items() if bits > bar}


@pytest.mark.parametrize("members", [(), (1,), (2, 5), (0, 3, 4)])
def test_what_is_named_depends_given_the_members(tester, members):
    for target in range(tester.data.columns):
        if target in members:
            continue
        others = [x for x in range(tester.data.columns) if x != target]
        found = unexplained_each(tester, [outside(target, members, dependent_among(tester, target, others))])[0]
        if members:
            configurations = len(np.unique(tester.data.codes[list(members)], axis=1).T)
            expected = tester.data.rows / configurations if found.rows_per_stratum else 0.0
            assert found.rows_per_stratum == expected
        if not members or found.rows_per_stratum >= FEWEST_ROWS:
            assert found.bits == pytest.approx(naive(tester, target, members))
            assert list(found.bits.values()) == sorted(found.bits.values(), reverse=True)


def test_a_nearly_empty_table_is_not_tested():
    data = quiet_codes(draw_net(17, rows=60))
    found = unexplained_each(Tester(data), [SetOfTests(0, [1, 2], (3, 4, 5, 6, 7))])[0]
    assert 0 < found.rows_per_stratum < FEWEST_ROWS
    assert found.bits == {}


def test_the_set_that_determines_a_target():
    """t is a and b in turn but for one row in fifty; the other columns follow t."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 2_000))
    t = np.where(rng.random(2_000) < 0.005, rng.integers(0, 4, 2_000), 2 * a + b)
    others = {name: np.where(rng.random(2_000) < 0.5, rng.integers(0, 4, 2_000), t) for name in "uv"}
    tester = Tester(quiet_codes(np.array([a, b, t, *others.values()], np.uint8)))
    found = Unexplained({3: 5.0, 4: 4.0, 0: 1.0})
    assert with_determining_set(tester, 2, found, {3: (0, 1), 4: (0, 1), 0: (3,)}).determined_by == (0, 1)
    assert with_determining_set(tester, 2, found, {3: (0,), 4: (0,)}).determined_by == ()
    assert with_determining_set(tester, 2, found, {3: ()}) == found
    assert with_determining_set(Oracle(()), 2, found, {3: (0, 1)}) == found


def test_many_targets_at_once(tester):
    sets = [outside(x, ((x + 1) % 9, (x + 4) % 9)[: x % 3], range(9)) for x in range(9)]
    assert unexplained_each(tester, sets) == [unexplained_each(tester, [each])[0] for each in sets]


def test_the_check_counts_no_tests(tester):
    before = list(tester.tests_by_size), tester.skipped, tester.fewest_rows
    unexplained_each(tester, [outside(0, (1,), range(9))])
    dependent_among(tester, 0, range(1, 9))
    assert (list(tester.tests_by_size), tester.skipped, tester.fewest_rows) == before


def test_by_d_separation_nothing_false_is_said():
    """All that still depend, whichever columns a blanket is made of; the true blanket leaves nothing unexplained."""
    for dag in all_dags(4):
        test = shared(Oracle, dag)
        for target in range(4):
            others = [x for x in range(4) if x != target]
            dependent = dependent_among(test, target, others)
            for members in ((), (others[0],), tuple(others[:2])):
                found = unexplained_each(test, [outside(target, members, dependent)])[0].bits
                left = [x for x in dependent if x not in members]
                assert {*found} == {x for x in left if not d_separated(dag, target, x, members)}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("gaps", [False, True])
def test_a_run_says_what_single_searches_say(method, gaps):
    data = incomplete.encoded(incomplete.net_with_gaps(17, columns=9, rows=200)) if gaps else quiet_codes(draw_net(17))
    alone = without_cost({name: cf.markov_blanket(data, name, method, max_given=1) for name in data.names})
    together = without_cost(run(data, method=method, max_given=1, n_jobs=2))
    for name, blanket in alone.items():
        assert together[name].unexplained == blanket.unexplained
        assert together[name].rows_per_stratum == blanket.rows_per_stratum
        assert together[name].determined_by == blanket.determined_by
    if method == "climb":
        assert {name: replace(each, fewest_rows=0) for name, each in together.items()} == {
            name: replace(each, fewest_rows=0) for name, each in alone.items()
        }


def test_a_blanket_without_a_member_leaves_what_it_depends_on():
    """a, b and c are copies with little noise: each is separated from the others by one of them."""
    rng = np.random.default_rng(1)
    a = rng.integers(0, 3, 2_000)
    frame = {name: np.where(rng.random(2_000) < 0.2, rng.integers(0, 3, 2_000), a) for name in "bcd"} | {"a": a}
    found = cf.markov_blanket(frame, "b", neighbors=lambda test, target, candidates, most: _no_neighbors())
    assert found.members == ()
    assert {*found.unexplained} == {"a", "c", "d"}
    assert next(iter(found.unexplained)) == "a"
    assert found.unexplained["a"] == pytest.approx(cf.test(frame, "a", "b").strength)
    assert "unexplained: a (" in str(found)


def _no_neighbors():
    from climbfast.local.neighbors import Neighbors

    return Neighbors((), {}, {})


@pytest.mark.parametrize("test", ["g2", "x2"])
def test_other_tests_have_bits_of_their_p(test):
    data = quiet_codes(draw_net(17, rows=2_000))
    found = cf.markov_blanket(data, "c00", test=test, neighbors=lambda *_: _no_neighbors())
    figures = {name: cf.test(data, "c00", name, test=test) for name in data.names if name != "c00"}
    bar = math.log2(sum(not each.independent for each in figures.values()))
    bits = {name: math.log2(0.01) - each.log10_p * math.log2(10) for name, each in figures.items()}
    assert dict(found.unexplained) == pytest.approx({name: each for name, each in bits.items() if each > max(bar, 0)})
