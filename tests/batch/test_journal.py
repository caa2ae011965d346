"""A journal keeps what is finished: nothing of it is lost, done again, or taken for another run's."""

from __future__ import annotations

import random
import sqlite3
from contextlib import suppress

import numpy as np
import pytest

import climbfast as cf
from climbfast.batch import journal as journals
from climbfast.batch.journal import Journal, JournalError, journal_status
from climbfast.batch.packed_results import PackedResult
from tests.batch.test_run import Heard
from tests.factories import quiet

OPTIONS = {"n_jobs": 1, "progress": False}


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(2_000, seed=3)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "run.journal"


class Stopped(Exception):  # noqa: N818 - it is no error
    pass


class StopAfter(Heard):
    """Somebody who loses patience after so many units."""

    def __init__(self, units):
        super().__init__()
        self.left = units

    def advance(self, units, tests):
        super().advance(units, tests)
        self.left -= units
        if self.left <= 0:
            raise Stopped


def units_of(heard):
    return {name: done for name, done, _ in heard.passes}


@pytest.mark.parametrize("after", [1, 3, 12, 20, 30])
def test_a_run_goes_on_where_it_stopped(data, file, after):
    expected = cf.markov_blankets(data, **OPTIONS)
    stopped, rest = StopAfter(after), Heard()
    with pytest.raises(Stopped):
        cf.markov_blankets(data, n_jobs=1, progress=stopped, journal=file)
    known = {each.name: each.done for each in journal_status(file).passes}
    assert sum(known.values()) == after
    found = cf.markov_blankets(data, n_jobs=1, progress=rest, journal=file)
    assert dict(found) == dict(expected)
    assert found.how["tests"] == expected.how["tests"]
    again = Heard()
    assert dict(cf.markov_blankets(data, n_jobs=1, progress=again, journal=file)) == dict(expected)
    assert again.tests == 0
    assert rest.tests < expected.how["tests"]


def test_it_is_not_taken_for_another_run(data, file, monkeypatch):
    cf.markov_blankets(data, **OPTIONS, journal=file)
    with pytest.raises(JournalError, match=r"run.journal: exists already; .*resume=True"):
        cf.markov_blankets(data, **OPTIONS, journal=file, resume=False)
    with pytest.raises(JournalError, match=r"of other options .max_given was 'default' and is 2."):
        cf.markov_blankets(data, **OPTIONS, journal=file, max_given=2)
    with pytest.raises(JournalError, match=r"test was .*sci.* and is .*g2"):
        cf.markov_blankets(data, **OPTIONS, journal=file, test="g2")
    with pytest.raises(JournalError, match="targets was 'all' and is"):
        cf.markov_blankets(data, **OPTIONS, journal=file, targets=["smoking"])
    frame = {name: data.codes[data.index(name)].copy() for name in data.names}
    middle = frame["smoking"][1_000:1_001]
    middle[:] = 1 - (middle > 0)
    with pytest.raises(JournalError, match="of other data"):
        cf.markov_blankets(quiet(frame), **OPTIONS, journal=file)
    monkeypatch.setattr("climbfast.batch.run.__version__", "9.9")
    with pytest.raises(JournalError, match=r"of climbfast 0\.1\.0, and this is 9\.9"):
        cf.markov_blankets(data, **OPTIONS, journal=file)


def test_a_file_that_is_no_journal(data, tmp_path):
    text, other = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("not a database, but something that somebody wants to keep" * 100)
    with sqlite3.connect(other) as theirs:
        theirs.execute("CREATE TABLE run (key, value)")
    theirs.close()
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(JournalError, match="not a journal of climbfast"):
            cf.markov_blankets(data, **OPTIONS, journal=path)
        with pytest.raises(JournalError, match="not a journal of climbfast"):
            journal_status(path)
        assert path.read_bytes() == before
    with pytest.raises(JournalError, match="there is no folder"):
        cf.markov_blankets(data, **OPTIONS, journal=tmp_path / "nowhere" / "run.journal")
    with pytest.raises(JournalError, match="no such file"):
        journal_status(tmp_path / "run.journal")


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_file_changes_no_result(data, whole, file, seed):
    """A bit or the end of it: the run comes out the same, or is refused."""
    content, expected = whole
    rng = random.Random(seed)
    damaged = bytearray(content)
    if seed % 3 == 0:
        del damaged[rng.randrange(len(damaged)) :]
    else:
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    file.write_bytes(damaged)
    with suppress(JournalError):
        journal_status(file)
    with suppress(JournalError):
        assert cf.markov_blankets(data, **OPTIONS, journal=file) == expected


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    """The bytes of a complete journal, and its run."""
    file = tmp_path_factory.mktemp("whole") / "run.journal"
    found = cf.markov_blankets(data, **OPTIONS, journal=file)
    return file.read_bytes(), found


def test_a_damaged_unit_is_named(data, file):
    cf.markov_blankets(data, **OPTIONS, journal=file)
    with sqlite3.connect(file) as theirs:
        theirs.execute("UPDATE unit SET ints = 'text' WHERE pass = 'blankets' AND number = 3")
    theirs.close()
    with pytest.raises(
        JournalError, match=r"run\.journal: unit 3 of the pass 'blankets' is damaged: name another file"
    ):
        cf.markov_blankets(data, **OPTIONS, journal=file)


def test_targets_of_the_same_text_are_others(file):
    data = quiet({1: [0, 1, 1, 0], "1": [0, 0, 1, 1]})
    cf.markov_blankets(data, targets=[1], **OPTIONS, journal=file)
    with pytest.raises(JournalError, match="targets was"):
        cf.markov_blankets(data, targets=["1"], **OPTIONS, journal=file)


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_names_that_no_file_has(data, tmp_path, name):
    with pytest.raises(JournalError, match="name another file"):
        cf.markov_blankets(data, **OPTIONS, journal=tmp_path / name)
    with pytest.raises(JournalError, match="name another file"):
        journal_status(tmp_path / name)


def test_killed_before_the_first_transaction(data, file):
    with sqlite3.connect(file) as begun:
        begun.execute("PRAGMA journal_mode = WAL")
    begun.close()
    assert file.exists()
    assert (journal_status(file).run, journal_status(file).complete) == ({}, False)
    assert len(cf.markov_blankets(data, **OPTIONS, journal=file)) == 15


def test_a_full_disk(data, file, monkeypatch):
    """The pages of the file are limited as a disk would: what was finished before stays."""
    connect = sqlite3.connect

    def limited(*arguments, **options):
        connection = connect(*arguments, **options)
        connection.executescript("PRAGMA page_size = 512; PRAGMA max_page_count = 16")
        return connection

    monkeypatch.setattr(journals.sqlite3, "connect", limited)
    with pytest.raises(JournalError, match=r"run.journal: .*full; finished work is saved in it: .*resume=True"):
        cf.markov_blankets(data, **OPTIONS, journal=file)
    monkeypatch.undo()
    assert sum(each.done for each in journal_status(file).passes) > 0
    assert dict(cf.markov_blankets(data, **OPTIONS, journal=file)) == dict(cf.markov_blankets(data, **OPTIONS))


def test_status_while_the_run_goes_on(data, file):
    seen = []

    class Curious(Heard):
        def advance(self, units, tests):
            super().advance(units, tests)
            seen.append(journal_status(file))

    cf.markov_blankets(data, n_jobs=1, progress=Curious(), journal=file)
    assert not any(status.complete for status in seen[:-1])
    last = seen[-1]
    assert last.complete
    assert [each.name for each in last.passes][-1] == "blankets"
    assert last.passes[-1][1:3] == (15, 15)
    half = next(status for status in seen if status.running and status.rate > 0)
    assert half.to_dict()["rate"] == half.rate > 0
    assert half.to_dict()["seconds_left"] == pytest.approx(half.running.left / half.rate)
    assert last.run["data"] == data.fingerprint


def test_a_unit_is_written_once(file):
    journal = Journal(file, {"data": "x", "version": "1", "options": {}}, resume=False)
    first, other = (PackedResult(*np.array([[i], [i]])) for i in (1, 2))
    journal.write("screen", [(0, first)])
    journal.write("screen", [(0, other), (1, other)])
    assert {unit: int(record.ints[0]) for unit, record in journal.done("screen").items()} == {0: 1, 1: 2}
    journal.close()
