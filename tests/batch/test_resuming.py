"""Runs that stop anywhere, on any disk, and go on: no unit is lost or repeated."""

from __future__ import annotations

import sqlite3

import joblib
import pytest

import climbfast as cf
from climbfast.batch.journal import JournalError, journal_status
from climbfast_kernels._jit import INTERPRETED
from tests import incomplete
from tests.batch.runs import CountingReporter, StoppingReporter, interrupt, run, run_serially, units_in
from tests.factories import draw_codes, quiet_codes

PASSES = ("screen", "neighbors", "blankets")


@pytest.fixture(scope="module")
def data():
    return quiet_codes(draw_codes([2, 3, 2, 4, 2, 12, 3, 2] * 3, 500, seed=2, lean=0.6))


@pytest.fixture(scope="module")
def expected(data):
    return dict(cf.markov_blankets(data, progress=False, n_jobs=1))


@pytest.fixture(scope="module")
def wide():
    """Columns of two to twelve levels, of which few lean on another."""
    return quiet_codes(draw_codes([2, 3, 2, 4, 2, 12, 3, 2] * 5, 500, seed=2, lean=0.6))


@pytest.fixture(scope="module")
def wide_serial(wide):
    return run(wide, n_jobs=1)


@pytest.fixture(scope="module")
def health():
    return cf.load_example().sample(1000, 1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.journal"


class TestGoingOn:
    @pytest.mark.parametrize("tasks", [1, 2, 5, 20, 40, 51])
    def test_nothing_is_lost_or_repeated(self, data, expected, path, tasks):
        first, second, third = StoppingReporter(tasks), CountingReporter(), CountingReporter()
        with pytest.raises(cf.Interrupted):
            run_serially(data, path, first)
        kept = units_in(path)
        assert sum(kept.values()) == sum(first.units.values()) >= tasks
        assert dict(run_serially(data, path, second)) == expected
        assert {name: kept[name] + second.units[name] for name in PASSES} == units_in(path)
        assert second.known == kept
        assert dict(run_serially(data, path, third)) == expected
        assert third.units == dict.fromkeys(PASSES, 0)

    def test_by_steps(self, data, expected, path):
        done = 0
        for _ in range(100):
            stopping = StoppingReporter(4)
            try:
                blankets = run_serially(data, path, stopping)
                break
            except cf.Interrupted:
                done += sum(stopping.units.values())
                assert sum(units_in(path).values()) == done
        assert dict(blankets) == expected
        assert done > 40

    @pytest.mark.parametrize(
        ("options", "passes"),
        [
            ({"method": "iamb"}, PASSES[2:]),
            ({"symmetry": "or"}, PASSES),
            ({"targets": ["c03"], "symmetry": "and"}, PASSES[1:]),
        ],
        ids=str,
    )
    def test_other_passes(self, data, path, options, passes):
        interrupt(data, path, 2, **options)
        blankets = run_serially(data, path, **options)
        assert dict(blankets) == dict(cf.markov_blankets(data, progress=False, **options))
        status = journal_status(path)
        assert status.complete
        assert tuple(each.name for each in status.passes) == passes

    def test_with_other_workers(self, data, expected, path):
        interrupt(data, path)
        assert dict(cf.markov_blankets(data, journal=path, progress=False, n_jobs=3)) == expected


@pytest.mark.parametrize("after", [1, 3, 12, 20, 30])
def test_a_run_goes_on_where_an_error_stopped_it(path, after):
    health = cf.load_example().sample(2_000, seed=3)
    expected = run(health, n_jobs=1)
    rest, again = CountingReporter(), CountingReporter()
    with pytest.raises(ZeroDivisionError):
        run_serially(health, path, StoppingReporter(after, ZeroDivisionError))
    assert sum(units_in(path).values()) == after
    found = run_serially(health, path, rest)
    assert dict(found) == dict(expected)
    assert found.how["tests"] == expected.how["tests"]
    assert dict(run_serially(health, path, again)) == dict(expected)
    assert again.tests == 0
    assert rest.tests < expected.how["tests"]


class Full(sqlite3.Connection):
    """A database on a disk with room for so many pages."""

    pages = 30

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.execute("PRAGMA page_size = 512")
        self.execute(f"PRAGMA max_page_count = {self.pages}")


class TestDiskFull:
    def test_what_was_finished_is_kept(self, data, expected, path, monkeypatch):
        connect = sqlite3.connect
        with monkeypatch.context() as patched:
            patched.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, factory=Full, **options))
            counting = CountingReporter()
            with pytest.raises(
                JournalError, match=r"full.* free some disk space, and continue with resume=True"
            ) as caught:
                run_serially(data, path, counting)
            assert str(path) in str(caught.value)
        kept = units_in(path)
        assert 5 < sum(kept.values()) == sum(counting.units.values())
        second = CountingReporter()
        assert dict(run_serially(data, path, second)) == expected
        assert {name: kept[name] + second.units[name] for name in PASSES} == units_in(path)

    def test_from_the_beginning(self, data, expected, path, monkeypatch):
        connect = sqlite3.connect
        with monkeypatch.context() as patched:
            patched.setattr(Full, "pages", 2)
            patched.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, factory=Full, **options))
            with pytest.raises(JournalError, match="full"):
                run_serially(data, path)
        assert dict(run_serially(data, path)) == expected


class TestInterrupted:
    @pytest.mark.parametrize("backend", ["sequential", "threading", "loky", "multiprocessing"])
    def test_it_says_how_to_go_on(self, wide, wide_serial, tmp_path, backend):
        if INTERPRETED and backend != "sequential":
            return
        journal = tmp_path / "run.journal"
        with joblib.parallel_config(backend=backend, n_jobs=2), pytest.raises(cf.Interrupted) as caught:
            cf.markov_blankets(wide, progress=StoppingReporter(20), journal=journal)
        assert isinstance(caught.value, KeyboardInterrupt)
        assert "interrupted in the pass 'neighbors'; finished work is saved in " in str(caught.value)
        assert str(journal) in str(caught.value)
        assert dict(run(wide, journal=journal)) == dict(wide_serial)

    def test_without_a_journal(self, health):
        with pytest.raises(cf.Interrupted, match=r"nothing is saved: only a run with journal=\.\.\. can be continued"):
            cf.markov_blankets(health, progress=StoppingReporter(1))

    @pytest.mark.parametrize("backend", ["sequential", "threading"])
    def test_an_exception_passes_through(self, health, backend):
        stopping = StoppingReporter(3, ZeroDivisionError)
        with joblib.parallel_config(backend=backend, n_jobs=2), pytest.raises(ZeroDivisionError):
            cf.markov_blankets(health, progress=stopping)
        assert stopping.ended == 1


@pytest.mark.parametrize("tasks", [1, 20])
def test_missing_cells_and_weights(path, tasks):
    cells = incomplete.net_with_gaps(6, columns=12, rows=200)
    one, other = (
        incomplete.encoded({**cells, "n": [(i + turn) % 4 for i in range(200)]}, weights="n") for turn in (0, 1)
    )
    interrupt(one, path, tasks)
    with pytest.raises(JournalError, match="data"):
        run_serially(other, path)
    assert dict(run_serially(one, path)) == dict(run(one, n_jobs=1))
