"""Screens of many blocks, of copies, of few rows and of nothing, against the same tests one by one."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

import climbfast as cf
from climbfast.independence.screen import DependentPairs, ScreenResult, ScreenWorker, units_of_screen
from climbfast.independence.tester import Tester
from climbfast_kernels._jit import INTERPRETED
from tests import incomplete
from tests.factories import as_codes, draw_codes, quiet_codes, random_gaps

TESTS = [
    cf.SCI(),
    cf.SCI(min_bits=4),
    cf.SCI(min_bits="auto"),
    cf.G2(df="nominal"),
    cf.G2(alpha=0.2, df="adjusted", min_rows_per_df=3),
    cf.G2(df="nominal", min_rows_per_df=5),
    cf.X2(df="nominal"),
    cf.X2(df="adjusted", min_rows_per_df=0.5),
    cf.CMI(),
    cf.CMI(cutoff=0.02),
]


def screened(data, test, allowed=None):
    """The screen of a dataset, and the tests that it made and skipped."""
    screening = ScreenWorker(Tester(data, test), allowed)
    parts = [screening.unit(unit) for unit in range(len(units_of_screen(data, allowed)))]
    whole = ScreenResult.gather(parts, data.columns)
    return whole, sum(part.tests for part in parts), sum(part.skipped for part in parts)


@cache
def marginal(data, test, x, y):
    """The test of two columns by itself, once for all that is compared with it."""
    return cf.test(data, data.canonical[x], data.canonical[y], (), test)


def pairs_of(screen, columns):
    return {(x, y): strength for x in range(columns) for y, strength in zip(*screen.of(x), strict=True)}


@pytest.mark.parametrize("a_part", [10, 100_000])
@pytest.mark.parametrize("pairs", [0, 1, 5, 400])
def test_pairs_are_joined_from_both_ends(pairs, a_part, monkeypatch):
    monkeypatch.setattr("climbfast.independence.screen.FEWEST_SORTED", a_part)
    rng = np.random.default_rng(pairs)
    every = np.array(list(combinations(range(40), 2)))
    every[every[:, 0] == 7] = 0, 1  # column 7 has few partners, and the last ones none
    x, y = rng.permutation(np.unique(every[every[:, 1] < 37], axis=0))[:pairs].T
    strengths = rng.random(len(x))
    cuts = np.sort(rng.integers(0, len(x) + 1, 5))
    parts = [
        DependentPairs(*part, 0, 0)
        for part in zip(np.split(x, cuts), np.split(y, cuts), np.split(strengths, cuts), strict=True)
    ]
    found = ScreenResult.gather(parts, 40)
    expected = {pair: strength for a, b, strength in zip(x, y, strengths, strict=True) for pair in ((a, b), (b, a))}
    assert pairs_of(found, 40) == expected
    assert all(found.of(column)[0] == sorted(found.of(column)[0]) for column in range(40))
    assert [array.dtype for array in found.arrays] == [np.int64, np.int64, np.float64]


@pytest.fixture(scope="module")
def mixed():
    """All kinds of columns at once: constant, of each arity that goes in blocks, swept, without bitmaps, copied."""
    arities = [2, 2, 3, 2, 4, 5, 1, 6, 7, 8, 9, 12, 70, 2, 300, 3, 3, 1, 4, 30, 5]
    codes = draw_codes(arities, 700, seed=3)
    rare = np.zeros(700, dtype=codes.dtype)
    rare[:2] = 1
    return quiet_codes(np.array([*codes, codes[0], 1 - codes[1] % 2, rare]))


@pytest.mark.parametrize("test", TESTS, ids=repr)
def test_it_is_every_marginal_test(mixed, test):
    screen, tests, skipped = screened(mixed, test)
    varying = [x for x in range(mixed.columns) if mixed.arity[x] > 1]
    expected, short = {}, 0
    for x, y in combinations(varying, 2):
        one = marginal(mixed, test, x, y)
        short += one.skipped
        if one.strength > 0:
            expected[x, y] = expected[y, x] = one.strength
    assert len(expected) > 50
    assert pairs_of(screen, mixed.columns) == expected
    assert (tests, skipped) == (len(varying) * (len(varying) - 1) // 2 - short, short)
    if getattr(test, "min_rows_per_df", 0):
        assert skipped > 0


@pytest.mark.skipif(INTERPRETED, reason="twenty thousand tests")
@pytest.mark.parametrize("test", [cf.SCI(), cf.SCI(min_bits="auto"), cf.G2(), cf.X2()], ids=repr)
def test_many_blocks(test):
    """More columns than a block holds, of two arities, and a last block of one column."""
    data = quiet_codes(draw_codes([2] * 129 + [3] * 65, 300, seed=5))
    screen, tests, _ = screened(data, test)
    tester = Tester(data, test)
    assert tests == data.columns * (data.columns - 1) // 2
    for x in range(data.columns):
        others = [y for y in range(data.columns) if y != x]
        strengths = tester.sweep(x, others, ())
        partners, found = screen.of(x)
        assert partners == [y for y, strength in zip(others, strengths, strict=True) if strength > 0]
        assert found.tolist() == strengths[strengths > 0].tolist()


@pytest.mark.parametrize("rows", [1, 2, 63, 64, 65, 511, 513])
def test_any_number_of_rows(rows):
    data = quiet_codes(draw_codes([2, 3, 2, 11, 4, 2], rows, seed=rows, lean=0.8))
    screen, _, _ = screened(data, cf.SCI())
    strengths = {
        (x, y): cf.test(data, data.names[x], data.names[y]).strength
        for x in range(6)
        for y in range(6)
        if x != y and min(data.arity[x], data.arity[y]) > 1
    }
    assert pairs_of(screen, 6) == {pair: strength for pair, strength in strengths.items() if strength > 0}


@pytest.mark.parametrize("columns", [[[0, 0, 0]], [[0, 1, 0]], [[0, 0, 0], [0, 1, 0]]], ids=str)
def test_nothing_to_test(columns):
    data = quiet_codes(as_codes(columns, 2))
    screen, tests, skipped = screened(data, cf.SCI())
    assert (pairs_of(screen, data.columns), tests, skipped) == ({}, 0, 0)


# Columns for blocks of each arity, for sweeps, and one that is constant.
MIXED = [2, 3, 2, 1, 3, 12, 2, 70, 4, 3, 2, 9, 300, 2, 5, 3]


@pytest.mark.parametrize(
    "test",
    [
        cf.SCI(),
        cf.SCI(min_bits=3),
        cf.SCI(min_bits="auto"),
        cf.G2(),
        cf.G2(df="nominal"),
        cf.G2(df="nominal", min_rows_per_df=20),
        cf.X2(df="adjusted", min_rows_per_df=20),
        cf.CMI(cutoff=0.01),
    ],
    ids=repr,
)
@pytest.mark.parametrize("rows", [40, 700])
def test_the_screen_is_every_test_by_itself(test, rows):
    data = quiet_codes(draw_codes(MIXED, rows, seed=rows))
    screen, *found_tests = screened(data, test)
    tests = skipped = 0
    for x, y in combinations(range(data.columns), 2):
        expected = cf.test(data, data.canonical[x], data.canonical[y], test=test)
        partners, strengths = screen.of(x)
        found = dict(zip(partners, strengths.tolist(), strict=True)).get(y, 0.0)
        assert found == max(expected.strength, 0.0)
        if 1 not in (data.arity[x], data.arity[y]):
            skipped += expected.skipped
            tests += not expected.skipped
    assert found_tests == [tests, skipped]
    for x in range(data.columns):
        assert all(x in screen.of(y)[0] for y in screen.of(x)[0])


def test_min_bits_auto_keeps_chance_out():
    """Of 20,000 independent pairs about forty pass SCI > 0 at this size, and hardly one the bar of log2(m/α)."""
    data = quiet_codes(np.random.default_rng(0).integers(0, 2, (200, 2_000)).astype(np.uint8))
    assert len(screened(data, cf.SCI())[0].partners) > 20
    assert len(screened(data, cf.SCI(min_bits="auto"))[0].partners) <= 2


@pytest.fixture(scope="module")
def gaps():
    """Complete and incomplete columns of every kind: in blocks of each arity, swept, without bitmaps, empty, copied."""
    arities = [2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 12, 12, 70, 70, 300, 2, 3, 2]
    columns = incomplete.cells_of(random_gaps(arities, 500, seed=3), arities)
    return incomplete.encoded({**columns, "copy": columns["c00"], "empty": [None] * 500, "one": [0] * 9 + [None] * 491})


@pytest.mark.parametrize("test", TESTS, ids=repr)
def test_columns_with_missing_cells(gaps, test):
    screen, tests, skipped = screened(gaps, test)
    varying = [x for x in range(gaps.columns) if gaps.arity[x] > 1]
    expected, short = {}, 0
    for x, y in combinations(varying, 2):
        one = marginal(gaps, test, x, y)
        short += one.skipped
        if one.strength > 0:
            expected[x, y] = expected[y, x] = one.strength
    assert len(expected) > 30
    assert pairs_of(screen, gaps.columns) == expected
    assert (tests, skipped) == (len(varying) * (len(varying) - 1) // 2 - short, short)


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 513])
def test_missing_cells_in_any_number_of_rows(rows):
    data = incomplete.encoded(incomplete.table("at random", rows, [2, 3, 2, 11, 4, 2], seed=rows))
    screen, _, _ = screened(data, cf.SCI())
    found = {
        (x, y): cf.test(data, data.canonical[x], data.canonical[y]).strength
        for x in range(6)
        for y in range(6)
        if x != y and min(data.arity[x], data.arity[y]) > 1
    }
    assert pairs_of(screen, 6) == {pair: strength for pair, strength in found.items() if strength > 0}


KNOWN = {
    "closed tiers": lambda names: cf.Knowledge(tiers=[names[::3], names[1::3], names[2::3]], closed=[0, 2]),
    "roots and leaves": lambda names: cf.Knowledge(roots=names[::2], leaves=names[1::5]),
    "one pair": lambda names: cf.Knowledge(forbidden=[(names[0], names[1]), (names[1], names[0])]),
    "one direction": lambda names: cf.Knowledge(tiers=[names[:9], names[9:]], forbidden=[(names[0], names[1])]),
    "patterns": lambda names: cf.Knowledge(forbidden=[("c0*", "c*"), ("c1*", "c0*"), ("c2*", names[20])]),
    "a single column in each tier": lambda names: cf.Knowledge(tiers=[[name] for name in names], closed=True),
    "every pair": lambda names: cf.Knowledge(roots=names),
}


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("test", [cf.SCI(), cf.G2(df="adjusted", min_rows_per_df=3)], ids=repr)
@pytest.mark.parametrize("table", ["mixed", "gaps"])
def test_pairs_that_are_forbidden_both_ways_are_not_tested(request, table, test, known):
    data = request.getfixturevalue(table)
    allowed = KNOWN[known](data.sorted_names).allowed_arcs(data.canonical)
    screen, tests, skipped = screened(data, test, allowed)
    expected, made, short = {}, 0, 0
    for x, y in combinations(range(data.columns), 2):
        if 1 in (data.arity[x], data.arity[y]) or not allowed.allows_edge(x, y):
            continue
        one = marginal(data, test, x, y)
        short, made = short + one.skipped, made + (not one.skipped)
        if one.strength > 0:
            expected[x, y] = expected[y, x] = one.strength
    assert pairs_of(screen, data.columns) == expected
    assert (tests, skipped) == (made, short)


def test_the_fewest_rows_are_those_of_allowed_pairs():
    """The two columns with few complete rows in common are not tested together."""
    half = np.arange(100) < 52
    draw = np.random.default_rng(0).integers(0, 2, (3, 100)).tolist()
    a = [level if here else None for level, here in zip(draw[0], half, strict=True)]
    b = [None if here else level for level, here in zip(draw[1], np.arange(100) < 48, strict=True)]
    data = incomplete.encoded({"a": a, "b": b, "c": draw[2]})
    tester = Tester(data)
    known = cf.Knowledge(roots=["a", "b"]).allowed_arcs(data.canonical)
    ScreenWorker(tester, known).unit(0)
    assert (sum(tester.tests_by_size), tester.fewest_rows) == (2, 52)


@pytest.fixture(scope="module")
def many_columns():
    return quiet_codes(draw_codes([2] * 400 + [3] * 90, 100, seed=5))


def test_closed_tiers_leave_out_whole_blocks(many_columns, monkeypatch):
    data, counted = many_columns, []
    names = data.sorted_names
    allowed = cf.Knowledge(tiers=[names[:200], names[200:]], closed=True).allowed_arcs(data.canonical)
    monkeypatch.setattr(ScreenWorker, "_two_blocks", lambda self, unit, other, wanted=None: counted.append(wanted))
    worker = ScreenWorker(Tester(data), allowed)
    units = units_of_screen(data, allowed)
    assert sorted(x for unit in units for x in unit.tolist()) == list(range(data.columns))
    for unit in range(len(units)):
        for other in range(unit, len(units)):
            if not allowed.pairs(units[unit], units[other]).any():
                assert worker._allowed_pairs(allowed, unit, other).tests == 0
            else:
                worker._allowed_pairs(allowed, unit, other)
    assert counted
    assert all(wanted is None for wanted in counted)


@pytest.mark.parametrize("closed", [False, True])
def test_blocks_are_cut_only_where_pairs_are_forbidden(many_columns, closed):
    """Open tiers forbid no pair both ways; few columns of a kind share a block with others."""
    data, names = many_columns, many_columns.sorted_names
    known = cf.Knowledge(tiers=[names[:4], names[4:8], names[8:200], names[200:]], closed=closed)
    units, plain = units_of_screen(data, known.allowed_arcs(data.canonical)), units_of_screen(data)
    if not closed:
        assert [unit.tolist() for unit in units] == [unit.tolist() for unit in plain]
    assert len(units) <= len(plain) + 3
