"""Runs that stop anywhere, on any disk, and go on: no unit is lost or repeated; and what a journal says meanwhile."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import climbfast as cf
from climbfast.batch import journal as journals
from climbfast.batch.journal import Journal, JournalError, journal_status
from climbfast.batch.packed_results import PackedResult
from climbfast_kernels._jit import INTERPRETED
from tests.batch.runs import Counting, Stopping
from tests.factories import draw_codes, quiet_codes

RUN = {"data": "abc", "version": "1", "options": {"method": "climb", "targets": "all"}}
PASSES = ("screen", "neighbors", "blankets")


@pytest.fixture(scope="module")
def data():
    return quiet_codes(draw_codes([2, 3, 2, 4, 2, 12, 3, 2] * 3, 500, seed=2, lean=0.6))


@pytest.fixture(scope="module")
def expected(data):
    return dict(cf.markov_blankets(data, progress=False, n_jobs=1))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.journal"


def run(data, path, progress=False, **options):
    return cf.markov_blankets(data, journal=path, progress=progress, n_jobs=1, **options)


def interrupt(data, path, tasks=20, **options):
    with pytest.raises(cf.Interrupted):
        run(data, path, Stopping(tasks), **options)


def units_in(path):
    return {each.name: each.done for each in journal_status(path).passes}


def record(number):
    return PackedResult(np.arange(number, dtype=np.int64), np.full(number, 1 / 3))


class TestUnits:
    def test_they_come_back_as_they_were(self, path):
        journal = Journal(path, RUN, resume=False)
        journal.open_pass("screen", 3)
        journal.write("screen", [(2, record(5)), (0, record(0))])
        journal.close()
        back = Journal(path, RUN, resume=True).done("screen")
        assert list(back) == [0, 2]
        for unit, size in ((2, 5), (0, 0)):
            assert back[unit].ints.tolist() == record(size).ints.tolist()
            assert back[unit].floats.tolist() == record(size).floats.tolist()
            assert (back[unit].ints.dtype, back[unit].floats.dtype) == (np.int64, np.float64)

    def test_those_of_one_call_are_kept_together_or_not_at_all(self, path):
        journal = Journal(path, RUN, resume=False)

        def breaking():
            yield 1, record(1)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            journal.write("screen", breaking())
        assert journal.done("screen") == {}
        journal.write("screen", [(1, record(1))])
        assert list(journal.done("screen")) == [1]


class TestGoingOn:
    @pytest.mark.parametrize("tasks", [1, 2, 5, 20, 40, 51])
    def test_nothing_is_lost_or_repeated(self, data, expected, path, tasks):
        first, second, third = Stopping(tasks), Counting(), Counting()
        with pytest.raises(cf.Interrupted):
            run(data, path, first)
        kept = units_in(path)
        assert sum(kept.values()) == sum(first.units.values()) >= tasks
        assert dict(run(data, path, second)) == expected
        assert {name: kept[name] + second.units[name] for name in PASSES} == units_in(path)
        assert second.known == kept
        assert dict(run(data, path, third)) == expected
        assert third.units == dict.fromkeys(PASSES, 0)

    def test_by_steps(self, data, expected, path):
        done = 0
        for _ in range(100):
            stopping = Stopping(4)
            try:
                blankets = run(data, path, stopping)
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
    def test_other_ways_through_the_passes(self, data, path, options, passes):
        interrupt(data, path, 2, **options)
        blankets = run(data, path, **options)
        assert dict(blankets) == dict(cf.markov_blankets(data, progress=False, **options))
        status = journal_status(path)
        assert status.complete
        assert tuple(each.name for each in status.passes) == passes

    def test_with_other_workers(self, data, expected, path):
        interrupt(data, path)
        assert dict(cf.markov_blankets(data, journal=path, progress=False, n_jobs=3)) == expected


class TestRefusals:
    def refused(self, says, data, path, **options):
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(JournalError, match=says) as caught:
            run(data, path, **options)
        assert str(path) in str(caught.value)
        assert (path.read_bytes() if path.is_file() else None) == before

    @pytest.fixture
    def begun(self, data, path):
        interrupt(data, path)
        return path

    def test_one_that_is_there_without_resume(self, data, begun):
        self.refused("exists already; continue it with resume=True", data, begun, resume=False)

    def test_other_data(self, data, begun):
        codes = data.codes.copy()
        codes[7, 250] = 1 - codes[7, 250]
        self.refused("other data", quiet_codes(codes), begun)

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            ({"test": cf.SCI(min_bits=1)}, r"test was .*'min_bits': 0.0.* and is .*'min_bits': 1"),
            ({"test": "g2"}, r"test was .*sci.* and is .*g2"),
            ({"method": "pcmb"}, "method was 'climb' and is 'pcmb'"),
            ({"max_given": 2}, "max_given was 'default' and is 2"),
            ({"symmetry": "and"}, "symmetry was 'children' and is 'and'"),
            ({"neighbors": "mmpc"}, "search was 'getpcd' and is 'mmpc'"),
            ({"min_margin": 1.0}, "min_margin was 0.0 and is 1.0"),
            ({"node_budget": 5}, "node_budget was 200000 and is 5"),
            ({"targets": ["c01", "c02"]}, r"targets was 'all' and is \['c01', 'c02'\]"),
        ],
    )
    def test_other_options(self, data, begun, options, says):
        self.refused(f"other options .*{says}", data, begun, **options)

    @pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"SQLite format 3\0" + b"x" * 4000], ids=["text", "damaged"])
    def test_a_file_that_is_no_journal(self, data, path, content):
        path.write_bytes(content)
        self.refused("not a journal of climbfast|damaged", data, path)
        assert path.read_bytes() == content

    def test_a_folder(self, data, tmp_path):
        self.refused("unable to open", data, tmp_path)

    def test_a_folder_that_is_none(self, data, tmp_path):
        self.refused("there is no folder", data, tmp_path / "none" / "run.journal")

    @pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder that nobody can write to")
    def test_a_read_only_folder(self, data):
        self.refused("make it and its folder writable", data, Path("/proc/self/run.journal"))

    def test_while_another_run_writes(self, data, begun, monkeypatch):
        other = sqlite3.connect(begun, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        connect = sqlite3.connect
        monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, timeout=0.05, **options))
        self.refused("another run writes to it", data, begun)
        other.close()

    def test_the_error_is_of_climbfast(self):
        assert issubclass(JournalError, cf.ClimbfastError)
        assert cf.JournalError is JournalError


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
            counting = Counting()
            with pytest.raises(
                JournalError, match=r"full.* free some disk space, and continue with resume=True"
            ) as caught:
                run(data, path, counting)
            assert str(path) in str(caught.value)
        kept = units_in(path)
        assert 5 < sum(kept.values()) == sum(counting.units.values())
        second = Counting()
        assert dict(run(data, path, second)) == expected
        assert {name: kept[name] + second.units[name] for name in PASSES} == units_in(path)

    def test_from_the_beginning(self, data, expected, path, monkeypatch):
        connect = sqlite3.connect
        with monkeypatch.context() as patched:
            patched.setattr(Full, "pages", 2)
            patched.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, factory=Full, **options))
            with pytest.raises(JournalError, match="full"):
                run(data, path)
        assert dict(run(data, path)) == expected


class TestStatus:
    def test_of_a_run_that_was_stopped(self, data, path):
        interrupt(data, path, 12)
        status = journal_status(path)
        assert [each.name for each in status.passes] == list(PASSES)
        assert not status.complete
        assert status.running.name == "neighbors"
        assert status.running.left == status.running.units - status.running.done > 0
        assert status.passes[0].left == 0
        assert status.passes[2].left == data.columns
        assert status.rate > 0
        assert status.seconds_left == status.running.left / status.rate
        assert 0 <= status.idle < 3600
        assert status.run["data"] == data.fingerprint
        assert json.loads(json.dumps(status.to_dict()))["running"] == "neighbors"

    def test_of_a_run_that_is_complete(self, data, path):
        run(data, path)
        status = journal_status(path)
        assert status.complete
        assert (status.running, status.rate, status.seconds_left) == (None, 0.0, None)
        assert all(each.left == 0 for each in status.passes)
        assert status.to_dict()["complete"] is True

    def test_the_rate_is_that_of_the_last_minute(self, path, monkeypatch):
        journal = Journal(path, RUN, resume=False)
        journal.open_pass("neighbors", 1000)
        for unit in range(100):
            at = 1000 + unit if unit < 50 else 5000 + unit / 2
            monkeypatch.setattr(time, "time", lambda at=at: at)
            journal.write("neighbors", [(unit, record(1))])
        monkeypatch.setattr(time, "time", lambda: 6000.0)
        status = journal_status(path)
        assert status.rate == 2.0
        assert status.seconds_left == 450.0
        assert status.idle == 6000 - (5000 + 99 / 2)

    def test_before_anything_is_finished(self, path):
        journal = Journal(path, RUN, resume=False)
        assert journal_status(path).running is None
        journal.open_pass("screen", 3)
        status = journal_status(path)
        assert (status.running.left, status.rate, status.idle, status.seconds_left) == (3, 0.0, None, None)
        assert not status.complete
        journal.close()

    def test_while_the_run_goes_on(self, data, path):
        """From a connection of its own, between the units, and without holding up the run."""
        seen = []

        class Asking(Counting):
            def advance(self, units, tests):
                super().advance(units, tests)
                seen.append(sum(units_in(path).values()))
                assert seen[-1] == sum(self.units.values())

        run(data, path, Asking())
        assert seen == sorted(seen)
        assert len(seen) > 40

    @pytest.mark.skipif(INTERPRETED, reason="a process of its own")
    def test_from_another_process(self, data, path):
        interrupt(data, path)
        journal = Journal(path, journal_status(path).run, resume=True)
        code = "import sys, climbfast as cf; print(sum(each.done for each in cf.journal_status(sys.argv[1]).passes))"
        ran = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, timeout=120)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert int(ran.stdout) == sum(units_in(path).values())
        journal.close()

    def test_of_no_journal(self, tmp_path):
        with pytest.raises(JournalError, match="no such file"):
            journal_status(tmp_path / "none")
        (tmp_path / "text").write_text("text, and more of it, and more")
        with pytest.raises(JournalError, match="not a journal"):
            journal_status(tmp_path / "text")
        with pytest.raises(JournalError, match="no such file"):
            journal_status(tmp_path)

    @pytest.mark.parametrize("name", ["a b.journal", "50%.journal", "a#b?c.journal", ":memory:", "é"])
    def test_any_name_of_a_file(self, data, tmp_path, name, monkeypatch):
        monkeypatch.chdir(tmp_path)
        run(data, name)
        assert (tmp_path / name).is_file()
        assert journal_status(name).complete

    def test_the_format_is_named(self, path):
        Journal(path, RUN, resume=False).close()
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("UPDATE run SET value = 'climbfast journal 99' WHERE key = 'format'")
        other.close()
        with pytest.raises(JournalError, match=journals.FORMAT):
            Journal(path, RUN, resume=True)
