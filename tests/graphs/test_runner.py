"""Tests run by any workers and in any counting strategy give the same graph."""

from __future__ import annotations

import gc
import weakref

import joblib
import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs import runner
from climbfast.independence.tester import Tester
from tests.factories import draw_codes, quiet_codes
from tests.graphs.pc_searches import all_but_seconds, every_rule


@pytest.fixture(scope="module")
def health() -> cf.Dataset:
    return cf.load_example().sample(2000, seed=3)


@every_rule
def test_workers_and_the_counting_strategy_change_nothing(health, conflicts):
    found = cf.pc(health, conflicts=conflicts)
    for workers in (2, 3, 7):
        assert all_but_seconds(cf.pc(health, conflicts=conflicts, n_jobs=workers)) == all_but_seconds(found)
    for counting in ("bitmaps", "dense", "sparse"):
        assert all_but_seconds(cf.pc(health, conflicts=conflicts, counting=counting)) == all_but_seconds(found)


def test_processes_change_nothing(health):
    with joblib.parallel_config("loky"):
        assert all_but_seconds(cf.pc(health, n_jobs=2)) == all_but_seconds(cf.pc(health))


@pytest.fixture(scope="module")
def odd() -> cf.Dataset:
    """Two blocks of the screen, columns that are swept, without bitmaps, and constant."""
    codes = draw_codes([2] * 7 + [3] * 4 + [1, 12, 70, 1], 300, seed=8, lean=0.5)
    codes[4], codes[9] = codes[0] ^ (codes[7] > 0), codes[7]
    return quiet_codes(codes).without_copies


@pytest.mark.parametrize("test", [cf.SCI(), cf.SCI(min_bits="auto"), cf.G2(min_rows_per_df=2), cf.CMI()], ids=repr)
def test_the_screen_is_the_sweeps_of_all_columns(odd, test):
    found = cf.pc(odd, test, max_given=0)
    tester, columns = Tester(odd, test), range(odd.columns)
    strengths = {
        (x, y): strength
        for x in columns[:-1]
        for y, strength in zip(columns[x + 1 :], tester.sweep(x, columns[x + 1 :], ()).tolist(), strict=True)
    }
    name = odd.canonical
    assert {tuple(sorted((odd.index(x), odd.index(y)))): s for (x, y), s in found.strengths.items()} == {
        pair: strength for pair, strength in strengths.items() if strength > 0
    }
    assert set(found.separating_sets) == {(name[x], name[y]) for (x, y), s in strengths.items() if s <= 0}
    assert (found.tests_by_size, found.skipped) == (tuple(tester.tests_by_size), tester.skipped)
    assert sum(found.tests_by_size) + found.skipped == odd.columns * (odd.columns - 1) // 2
    for options in ({"counting": "sparse"}, {"n_jobs": 2}, {"n_jobs": 5}):
        assert all_but_seconds(cf.pc(odd, test, max_given=0, **options)) == all_but_seconds(found)


def test_more_blocks_than_workers():
    data = quiet_codes(draw_codes([2] * 140 + [3] * 66 + [11] * 9, 120, seed=4))
    found = cf.pc(data, max_given=1)
    assert all_but_seconds(cf.pc(data, max_given=1, n_jobs=2)) == all_but_seconds(found)
    assert all_but_seconds(cf.pc(data, Tester(data), max_given=1)) == all_but_seconds(found)


@pytest.mark.parametrize("arities", [[2], [1], [1, 1], [1, 2]], ids=str)
def test_nothing_to_screen(arities):
    data = quiet_codes(np.array([np.arange(8) % arity for arity in arities], dtype=np.uint8))
    found = cf.pc(data)
    assert not found.skeleton
    assert found.tests_by_size == cf.pc(data, counting="dense").tests_by_size


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_nothing_keeps_the_workspace(n_jobs, monkeypatch):
    kept = weakref.WeakSet()

    class RegisteredTester(Tester):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            kept.add(self)

    data = cf.load_example().sample(500, seed=1)
    monkeypatch.setattr(runner, "Tester", RegisteredTester)
    gc.disable()
    try:
        found = cf.pc(data, n_jobs=n_jobs)
        # Threads of joblib keep what they prepared for the next question of the same search.
        assert len(kept) <= n_jobs - 1
    finally:
        gc.enable()
    assert found.directed
