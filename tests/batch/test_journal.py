"""A journal keeps what is finished: nothing is lost, done again, or another run's; and it says how far the run is."""

from __future__ import annotations

import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

import climbfast as cf
from climbfast.batch import journal as journals
from climbfast.batch.journal import Journal, JournalError, journal_status
from climbfast.batch.packed_results import PackedResult
from climbfast_kernels._jit import INTERPRETED
from tests.batch.runs import CountingReporter, interrupt, run, run_serially, units_in
from tests.factories import draw_codes, quiet, quiet_codes

RUN = {"data": "abc", "version": "1", "options": {"method": "climb", "targets": "all"}}
PASSES = ("screen", "neighbors", "blankets")


@pytest.fixture(scope="module")
def health():
    return cf.load_example().sample(2_000, seed=3)


@pytest.fixture(scope="module")
def wide():
    return quiet_codes(draw_codes([2, 3, 2, 4, 2, 12, 3, 2] * 3, 500, seed=2, lean=0.6))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.journal"


def packed(number):
    return PackedResult(np.arange(number, dtype=np.int64), np.full(number, 1 / 3))


class TestUnits:
    def test_they_come_back_as_they_were(self, path):
        journal = Journal(path, RUN, resume=False)
        journal.open_pass("screen", 3)
        journal.write("screen", [(2, packed(5)), (0, packed(0))])
        journal.close()
        back = Journal(path, RUN, resume=True).done("screen")
        assert list(back) == [0, 2]
        for unit, size in ((2, 5), (0, 0)):
            assert back[unit].ints.tolist() == packed(size).ints.tolist()
            assert back[unit].floats.tolist() == packed(size).floats.tolist()
            assert (back[unit].ints.dtype, back[unit].floats.dtype) == (np.int64, np.float64)

    def test_those_of_one_call_are_kept_together_or_not_at_all(self, path):
        journal = Journal(path, RUN, resume=False)

        def breaking():
            yield 1, packed(1)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            journal.write("screen", breaking())
        assert journal.done("screen") == {}
        journal.write("screen", [(1, packed(1))])
        assert list(journal.done("screen")) == [1]


def test_a_unit_is_written_once(path):
    journal = Journal(path, {"data": "x", "version": "1", "options": {}}, resume=False)
    first, other = (PackedResult(*np.array([[i], [i]])) for i in (1, 2))
    journal.write("screen", [(0, first)])
    journal.write("screen", [(0, other), (1, other)])
    assert {unit: int(each.ints[0]) for unit, each in journal.done("screen").items()} == {0: 1, 1: 2}
    journal.close()


def test_knowledge_is_a_part_of_the_run(health, path):
    known, other = (cf.Knowledge(tiers=[["smoking"], [x]]) for x in ("heart_disease", "fatigue"))
    expected = run_serially(health, path, knowledge=known)
    assert expected.how["knowledge"] == known.to_dict()
    assert run_serially(health, path, knowledge=known) == expected
    with pytest.raises(JournalError, match=r"other options .knowledge was .*heart_disease.* and is .*fatigue"):
        run_serially(health, path, knowledge=other)


def test_it_is_not_taken_for_another_run(health, path, monkeypatch):
    run_serially(health, path)
    with pytest.raises(JournalError, match=r"run.journal: exists already; .*resume=True"):
        run_serially(health, path, resume=False)
    with pytest.raises(JournalError, match=r"of other options .max_given was 'default' and is 2."):
        run_serially(health, path, max_given=2)
    with pytest.raises(JournalError, match=r"test was .*sci.* and is .*g2"):
        run_serially(health, path, test="g2")
    with pytest.raises(JournalError, match="targets was 'all' and is"):
        run_serially(health, path, targets=["smoking"])
    known = cf.Knowledge(tiers=[["smoking"], ["heart_disease"]])
    with pytest.raises(JournalError, match=r"other options .knowledge was None and is .*tiers.*smoking"):
        run_serially(health, path, knowledge=known)
    frame = {name: health.codes[health.index(name)].copy() for name in health.names}
    middle = frame["smoking"][1_000:1_001]
    middle[:] = 1 - (middle > 0)
    with pytest.raises(JournalError, match="of other data"):
        run_serially(quiet(frame), path)
    monkeypatch.setattr("climbfast.batch.run.__version__", "9.9")
    with pytest.raises(JournalError, match=rf"of climbfast {re.escape(cf.__version__)}, and this is 9\.9"):
        run_serially(health, path)


def test_a_file_that_is_no_journal(health, tmp_path):
    text, other = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("not a database, but something that somebody wants to keep" * 100)
    with sqlite3.connect(other) as theirs:
        theirs.execute("CREATE TABLE run (key, value)")
    theirs.close()
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(JournalError, match="not a journal of climbfast"):
            run_serially(health, path)
        with pytest.raises(JournalError, match="not a journal of climbfast"):
            journal_status(path)
        assert path.read_bytes() == before
    with pytest.raises(JournalError, match="there is no folder"):
        run_serially(health, tmp_path / "nowhere" / "run.journal")
    with pytest.raises(JournalError, match="no such file"):
        journal_status(tmp_path / "run.journal")


@pytest.mark.parametrize("seed", range(int(os.environ.get("CLIMBFAST_JOURNALS", "150"))))
def test_a_damaged_file_changes_no_result(health, whole, path, seed):
    """A bit, a byte or the end of it: status and run come out the same, or are refused in one line."""
    content, expected, status = whole
    rng = random.Random(seed)
    damaged = bytearray(content)
    if seed % 3 == 0:
        del damaged[rng.randrange(len(damaged)) :]
    else:
        place = rng.randrange(len(damaged))
        damaged[place] = damaged[place] ^ 1 << rng.randrange(8) if seed % 3 == 1 else rng.randrange(256)
    path.write_bytes(damaged)
    with suppress_one_line():
        found = journal_status(path)
        assert not found.run or (found.run, counts(found)) == (status.run, counts(status))
    with suppress_one_line():
        assert run_serially(health, path) == expected


def counts(status):
    return [(each.name, each.done, each.units) for each in status.passes]


@contextmanager
def suppress_one_line():
    try:
        yield
    except JournalError as error:
        assert str(error).isprintable(), str(error)


@pytest.fixture(scope="module")
def whole(health, tmp_path_factory):
    """The bytes of a complete journal, and its run."""
    path = tmp_path_factory.mktemp("whole") / "run.journal"
    found = run_serially(health, path)
    return path.read_bytes(), found, journal_status(path)


def test_a_damaged_unit_is_named(health, path):
    run_serially(health, path)
    with sqlite3.connect(path) as theirs:
        theirs.execute("UPDATE unit SET ints = 'text' WHERE pass = 'blankets' AND number = 3")
    theirs.close()
    with pytest.raises(
        JournalError, match=r"run\.journal: unit 3 of the pass 'blankets' is damaged: name another file"
    ):
        run_serially(health, path)


def test_targets_of_the_same_text_are_others(path):
    data = quiet({1: [0, 1, 1, 0], "1": [0, 0, 1, 1]})
    run_serially(data, path, targets=[1])
    with pytest.raises(JournalError, match="targets was"):
        run_serially(data, path, targets=["1"])


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_names_that_no_file_has(health, tmp_path, name):
    with pytest.raises(JournalError, match="name another file"):
        run_serially(health, tmp_path / name)
    with pytest.raises(JournalError, match="name another file"):
        journal_status(tmp_path / name)


def test_killed_before_the_first_transaction(health, path):
    with sqlite3.connect(path) as begun:
        begun.execute("PRAGMA journal_mode = WAL")
    begun.close()
    assert path.exists()
    assert (journal_status(path).run, journal_status(path).complete) == ({}, False)
    assert len(run_serially(health, path)) == 15


def test_a_full_disk(health, path, monkeypatch):
    """The pages of the file are limited as a disk would: what was finished before stays."""
    connect = sqlite3.connect

    def limited(*arguments, **options):
        connection = connect(*arguments, **options)
        connection.executescript("PRAGMA page_size = 512; PRAGMA max_page_count = 16")
        return connection

    monkeypatch.setattr(journals.sqlite3, "connect", limited)
    with pytest.raises(JournalError, match=r"run.journal: .*full; finished work is saved in it: .*resume=True"):
        run_serially(health, path)
    monkeypatch.undo()
    assert sum(each.done for each in journal_status(path).passes) > 0
    assert dict(run_serially(health, path)) == dict(run(health, n_jobs=1))


def test_status_while_the_run_goes_on(health, path):
    seen = []

    class StatusReporter(CountingReporter):
        def advance(self, units, tests):
            super().advance(units, tests)
            seen.append(journal_status(path))

    run_serially(health, path, StatusReporter())
    assert not any(status.complete for status in seen[:-1])
    last = seen[-1]
    assert last.complete
    assert [each.name for each in last.passes][-1] == "blankets"
    assert last.passes[-1][1:3] == (15, 15)
    half = next(status for status in seen if status.running and status.rate > 0)
    assert half.to_dict()["rate"] == half.rate > 0
    assert half.to_dict()["seconds_left"] == pytest.approx(half.running.left / half.rate)
    assert last.run["data"] == health.fingerprint


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as theirs, theirs:
        theirs.execute(statement, values)


def forge(path, key, value):
    """Write a value with a digest that fits, as somebody does who knows how."""
    digest = journals._digest(key, value.encode())
    change(path, "UPDATE run SET value = ?, digest = ? WHERE key = ?", value, digest, key)


class TestForged:
    @pytest.fixture
    def path(self, path):
        journal = Journal(path, RUN, resume=False)
        journal.open_pass("screen", 3)
        journal.close()
        return path

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("run", "[" * 100_000),
            ("run", '{"a":' * 100_000),
            ("run", "[]"),
            ("run", "{}"),
            ("run", '{"data": 1, "version": "1", "options": {}}'),
            ("run", '{"data": "1", "version": "1", "options": []}'),
            ("run", "9" * 10_000),
            ("passes", "[]"),
            ("passes", '{"screen": -1}'),
            ("passes", '{"screen": 1e300}'),
        ],
    )
    def test_values_of_another_kind(self, path, key, value):
        forge(path, key, value)
        for refused in (journal_status, lambda path: Journal(path, RUN, resume=True)):
            with pytest.raises(JournalError, match=r"run\.journal: it is damaged: name another file"):
                refused(path)

    def test_a_value_without_its_digest(self, path):
        change(path, "UPDATE run SET value = '{\"screen\": 4}' WHERE key = 'passes'")
        with pytest.raises(JournalError, match="it is damaged"):
            journal_status(path)

    @pytest.mark.parametrize(
        ("name", "finished"), [("screen", "text"), ("screen", float("inf")), ("other", 1.0), ("screen", b"x")]
    )
    def test_units_of_no_pass_or_time(self, path, name, finished):
        change(path, "INSERT INTO unit VALUES (?, 0, ?, x'', x'', x'')", name, finished)
        with pytest.raises(JournalError, match="it is damaged"):
            journal_status(path)

    def test_a_view_that_never_ends(self, path):
        change(path, "DROP TABLE unit")
        change(
            path, "CREATE VIEW unit AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        )
        with pytest.raises(JournalError, match="not a journal of climbfast"):
            journal_status(path)

    def test_text_is_escaped_in_messages(self, path):
        forge(path, "run", json.dumps({**RUN, "data": "\x1b[31mred"}))
        with pytest.raises(JournalError, match=r"other data \('\\x1b\[31mred'") as caught:
            Journal(path, RUN, resume=True)
        assert str(caught.value).isprintable()


@pytest.mark.skipif(os.name == "nt", reason="files of POSIX")
class TestNoRegularFile:
    @pytest.mark.parametrize("refused", [journal_status, lambda path: Journal(path, RUN, resume=True)])
    def test_is_refused_at_once(self, tmp_path, refused):
        os.mkfifo(tmp_path / "pipe")
        for path, kind in (
            (tmp_path / "pipe", "a named pipe"),
            (tmp_path, "a folder"),
            (Path("/dev/null"), "a device"),
        ):
            with pytest.raises(JournalError, match=f"{path}: it is {kind}"):
                refused(path)

    def test_a_link_is_followed(self, health, path, tmp_path):
        (tmp_path / "link").symlink_to(path)
        run_serially(health, tmp_path / "link")
        assert journal_status(path).complete


@pytest.mark.skipif(os.name == "nt", reason="locks of POSIX")
class TestTwoRuns:
    @pytest.mark.parametrize("resume", [True, False])
    def test_the_second_is_refused(self, path, resume):
        first = Journal(path, RUN, resume=False)
        with pytest.raises(JournalError, match="in use by another run; wait for its end, or name another file"):
            Journal(path, RUN, resume=resume)
        first.close()
        Journal(path, RUN, resume=True).close()
        assert [each.name for each in path.parent.iterdir()] == [path.name]

    def test_a_lock_that_a_killed_run_has_left(self, path):
        path.with_name(f"{path.name}-lock").touch()
        Journal(path, RUN, resume=False).close()


class TestRefusals:
    def refused(self, says, wide, path, **options):
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(JournalError, match=says) as caught:
            run_serially(wide, path, **options)
        assert str(path) in str(caught.value)
        assert (path.read_bytes() if path.is_file() else None) == before

    @pytest.fixture
    def begun(self, wide, path):
        interrupt(wide, path)
        return path

    def test_one_that_is_there_without_resume(self, wide, begun):
        self.refused("exists already; continue it with resume=True", wide, begun, resume=False)

    def test_other_data(self, wide, begun):
        codes = wide.codes.copy()
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
            ({"min_margin": 2.0}, "min_margin was 1.0 and is 2.0"),
            ({"directions": "all"}, "directions was 'decided' and is 'all'"),
            ({"colliders": False}, "colliders was True and is False"),
            ({"node_budget": 5}, "node_budget was 200000 and is 5"),
            ({"targets": ["c01", "c02"]}, r"targets was 'all' and is \['c01', 'c02'\]"),
        ],
    )
    def test_other_options(self, wide, begun, options, says):
        self.refused(f"other options .*{says}", wide, begun, **options)

    @pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"SQLite format 3\0" + b"x" * 4000], ids=["text", "damaged"])
    def test_a_file_that_is_no_journal(self, wide, path, content):
        path.write_bytes(content)
        self.refused("not a journal of climbfast|damaged", wide, path)
        assert path.read_bytes() == content

    def test_a_folder(self, wide, tmp_path):
        self.refused("it is a folder; name a file", wide, tmp_path)

    def test_a_folder_that_is_none(self, wide, tmp_path):
        self.refused("there is no folder", wide, tmp_path / "none" / "run.journal")

    @pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder that nobody can write to")
    def test_a_read_only_folder(self, wide):
        self.refused("make it and its folder writable", wide, Path("/proc/self/run.journal"))

    def test_while_another_run_writes(self, wide, begun, monkeypatch):
        other = sqlite3.connect(begun, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        connect = sqlite3.connect
        monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, timeout=0.05, **options))
        self.refused("another run writes to it", wide, begun)
        other.close()

    def test_the_error_is_of_climbfast(self):
        assert issubclass(JournalError, cf.ClimbfastError)
        assert cf.JournalError is JournalError


class TestStatus:
    def test_of_a_run_that_was_stopped(self, wide, path):
        interrupt(wide, path, 12)
        status = journal_status(path)
        assert [each.name for each in status.passes] == list(PASSES)
        assert not status.complete
        assert status.running.name == "neighbors"
        assert status.running.left == status.running.units - status.running.done > 0
        assert status.passes[0].left == 0
        assert status.passes[2].left == wide.columns
        assert status.rate > 0
        assert status.seconds_left == status.running.left / status.rate
        assert 0 <= status.idle < 3600
        assert status.run["data"] == wide.fingerprint
        assert json.loads(json.dumps(status.to_dict()))["running"] == "neighbors"

    def test_of_a_run_that_is_complete(self, wide, path):
        run_serially(wide, path)
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
            journal.write("neighbors", [(unit, packed(1))])
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
        assert repr(status) == "<JournalStatus: screen 0 of 3 units>"
        journal.close()

    def test_while_the_run_goes_on(self, wide, path):
        """From another connection, between the units, and without holding up the run."""
        seen = []

        class UnitReporter(CountingReporter):
            def advance(self, units, tests):
                super().advance(units, tests)
                seen.append(sum(units_in(path).values()))
                assert seen[-1] == sum(self.units.values())

        run_serially(wide, path, UnitReporter())
        assert seen == sorted(seen)
        assert len(seen) > 40

    @pytest.mark.skipif(INTERPRETED, reason="a process of its own")
    def test_from_another_process(self, wide, path):
        interrupt(wide, path)
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
        with pytest.raises(JournalError, match="it is a folder"):
            journal_status(tmp_path)

    @pytest.mark.parametrize("name", ["a b.journal", "50%.journal", "a#b?c.journal", ":memory:", "é"])
    def test_any_name_of_a_file(self, wide, tmp_path, name, monkeypatch):
        monkeypatch.chdir(tmp_path)
        run_serially(wide, name)
        assert (tmp_path / name).is_file()
        assert journal_status(name).complete

    def test_the_format_is_named(self, path):
        Journal(path, RUN, resume=False).close()
        forge(path, "format", "climbfast journal 99")
        with pytest.raises(JournalError, match=journals.FORMAT):
            Journal(path, RUN, resume=True)
