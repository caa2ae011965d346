"""What is already done: one row of an SQLite file for every finished unit of work.

A unit is written in one transaction (write-ahead log), so a run that is killed loses at most what it was working on,
and a reader sees whole units while the run goes on. SQLite does not notice a cell that has changed on the disk, so a
unit has a digest of its content: what is read goes unchecked into compiled kernels.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from climbfast.batch.packed_results import PackedResult
from climbfast.errors import ClimbfastError, Option

__all__ = ["Journal", "JournalError", "JournalStatus", "PassStatus", "journal_status"]

FORMAT = "climbfast journal 2"
RECENT = 60.0  # seconds over which the rate of a run is measured
_SCHEMA = """
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE pass (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, units INTEGER NOT NULL);
CREATE TABLE unit (
    pass TEXT NOT NULL, number INTEGER NOT NULL, ints BLOB NOT NULL, floats BLOB NOT NULL, digest BLOB NOT NULL,
    finished REAL NOT NULL, PRIMARY KEY (pass, number)
);
"""


class JournalError(ClimbfastError, OSError):
    """A journal that cannot be used; the message names the file, the reason, and what would be right."""

    __str__ = Exception.__str__


class PassStatus(NamedTuple):
    """How far one pass is: units done and in all, as far as is known; seconds between the first unit and the last."""

    name: str
    done: int
    units: int
    seconds: float

    @property
    def left(self) -> int:
        """Units that are not done."""
        return self.units - self.done


@dataclass(frozen=True)
class JournalStatus:
    """How far a run is.

    Attributes
    ----------
    run : mapping
        Data, options and version that the journal is for; empty for a run that has noted nothing yet.
    passes : tuple of PassStatus
        In the order in which they run.
    rate : float
        Units of the running pass finished per second, in the minute before the last of them; 0 if not known.
    idle : float or None
        Seconds since the last unit.
    """

    run: Mapping[str, Any]
    passes: tuple[PassStatus, ...]
    rate: float
    idle: float | None

    @property
    def running(self) -> PassStatus | None:
        """The first pass that is not done."""
        return next((each for each in self.passes if each.left), None)

    @property
    def complete(self) -> bool:
        """Whether all is done."""
        return bool(self.passes) and self.running is None

    @property
    def seconds_left(self) -> float | None:
        """Seconds that the running pass takes at this rate; None if that is not known."""
        return self.running.left / self.rate if self.running and self.rate else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and mappings."""
        return {
            "run": dict(self.run),
            "passes": [{**each._asdict(), "left": each.left} for each in self.passes],
            "complete": self.complete,
            "running": self.running.name if self.running else None,
            "rate": self.rate,
            "seconds_left": self.seconds_left,
            "idle": self.idle,
        }


class Journal:
    """The journal of one run, new or continued.

    Parameters
    ----------
    path : path
    run : mapping of str to anything JSON knows
        Data, options and version. A journal that was begun with others is refused.
    resume : bool
        Whether to go on if the file exists.

    Raises
    ------
    JournalError
        If the file is there and should not be, is no journal, or is that of another run.
    """

    def __init__(self, path: str | Path, run: Mapping[str, Any], *, resume: bool) -> None:
        self.path = Path(path)
        exists = _is_there(self.path)
        if exists and not resume:
            raise JournalError(
                f"{self.path}: there already; go on with it by ", Option("resume", value=True), ", or name another file"
            )
        if not self.path.parent.is_dir():
            raise JournalError(f"{self.path}: there is no folder {self.path.parent}")
        with _named(self.path):
            # Absolute: ":memory:" alone is no file to SQLite.
            self._file = sqlite3.connect(self.path.absolute(), isolation_level=None)
            try:
                self._begin(json.loads(json.dumps(run)), exists=exists and not _is_empty(self._file))
            except BaseException:
                self._file.close()
                raise

    def _begin(self, run: Mapping[str, Any], *, exists: bool) -> None:
        if exists:
            there = _run_of(self._file, self.path)
            _refuse_damaged(self._file, self.path)
            with _readable(self.path):
                _refuse_other(self.path, there, run)
            self._file.execute("PRAGMA synchronous = NORMAL")
            return
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        rows = [("format", FORMAT), ("run", json.dumps(run))]
        # One transaction: a run killed here leaves a file without tables, which is a new journal to the next.
        self._file.executescript("BEGIN;" + _SCHEMA)
        self._file.executemany("INSERT INTO run VALUES (?, ?)", rows)
        self._file.execute("COMMIT")

    def open_pass(self, name: str, units: int) -> None:
        """Note how many units a pass has at least; passes are noted in the order in which they run."""
        with _named(self.path):
            self._file.execute(
                "INSERT INTO pass (name, units) VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET units = MAX(units, excluded.units)",
                (name, units),
            )

    def done(self, name: str) -> dict[int, PackedResult]:
        """Return what is there of a pass, by unit.

        Raises
        ------
        JournalError
            If a unit is not what was written.
        """
        with _named(self.path):
            rows = self._file.execute(
                "SELECT number, ints, floats, digest FROM unit WHERE pass = ?", (name,)
            ).fetchall()
        for number, ints, floats, digest in rows:
            # In a damaged file a cell may be of any type.
            whole = isinstance(ints, bytes) and isinstance(floats, bytes)
            if not whole or digest != _digest(name, number, ints, floats):
                raise JournalError(f"{self.path}: unit {number} of the pass {name!r} is damaged: name another file")
        return {
            number: PackedResult(np.frombuffer(ints, dtype=np.int64), np.frombuffer(floats, dtype=np.float64))
            for number, ints, floats, _ in rows
        }

    def write(self, name: str, records: Iterable[tuple[int, PackedResult]]) -> None:
        """Keep finished units, all of them or, if that fails, none."""
        now = time.time()
        cells = [(name, unit, record.ints.tobytes(), record.floats.tobytes()) for unit, record in records]
        rows = [(*unit, _digest(*unit), now) for unit in cells]
        with _named(self.path):
            self._file.execute("BEGIN")
            try:
                self._file.executemany("INSERT OR IGNORE INTO unit VALUES (?, ?, ?, ?, ?, ?)", rows)
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def journal_status(path: str | Path) -> JournalStatus:
    """Say how far the run of a journal is, also while it goes on.

    Raises
    ------
    JournalError
        If there is no such file, or it is no journal.
    """
    path = Path(path)
    if not _is_there(path) or path.is_dir():
        raise JournalError(f"{path}: no such file")
    with (
        _named(path),
        _readable(path),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file,
    ):
        if _is_empty(file):
            return JournalStatus({}, (), 0.0, None)
        file.execute("BEGIN")  # all figures of one moment
        run = _run_of(file, path)
        passes = file.execute("SELECT name, units FROM pass ORDER BY place").fetchall()
        finished = {name: (count, seconds) for name, count, seconds in file.execute(_FINISHED)}
        states = tuple(PassStatus(name, *_done(finished.get(name), units)) for name, units in passes)
        last = file.execute("SELECT MAX(finished) FROM unit").fetchone()[0]
        status = JournalStatus(run, states, 0.0, None if last is None else max(time.time() - last, 0.0))
        if status.running is None:
            return status
        return replace(status, rate=_rate(file, status.running.name))


_FINISHED = "SELECT pass, COUNT(*), MAX(finished) - MIN(finished) FROM unit GROUP BY pass"


def _done(finished: tuple[int, float] | None, units: int) -> tuple[int, int, float]:
    done, seconds = finished or (0, 0.0)
    return done, units, seconds


def _rate(file: sqlite3.Connection, name: str) -> float:
    """Units per second: those that came after the first of the last minute, over the time that they took."""
    last, first = file.execute(
        "WITH own AS (SELECT finished FROM unit WHERE pass = ?), newest AS (SELECT MAX(finished) AS at FROM own) "
        "SELECT newest.at, MIN(own.finished) FROM own, newest WHERE own.finished >= newest.at - ?",
        (name, RECENT),
    ).fetchone()
    if last is None or last <= first:
        return 0.0
    many = file.execute("SELECT COUNT(*) FROM unit WHERE pass = ? AND finished > ?", (name, first)).fetchone()[0]
    return float(many / (last - first))


def _digest(name: str, number: int, ints: bytes, floats: bytes) -> bytes:
    digest = hashlib.blake2b(f"{name} {number} {len(ints)} ".encode(), digest_size=8)
    digest.update(ints)
    digest.update(floats)
    return digest.digest()


def _refuse_damaged(file: sqlite3.Connection, path: Path) -> None:
    """Look at the pages of a file; what they hold is for the digests."""
    fault = file.execute("PRAGMA quick_check(1)").fetchone()[0]
    if fault != "ok":
        raise JournalError(f"{path}: it is damaged ({fault}): name another file")


def _is_there(path: Path) -> bool:
    if "\0" in str(path):
        raise JournalError(f"{path}: a null character is in no path; name another file")
    try:
        return path.exists()
    except OSError as error:  # such as a name too long
        raise JournalError(f"{path}: {error.strerror}; name another file") from None


def _is_empty(file: sqlite3.Connection) -> bool:
    """Whether it is what a run leaves that is killed before the first transaction."""
    try:
        return bool(file.execute("SELECT COUNT(*) = 0 FROM sqlite_master").fetchone()[0])
    except sqlite3.DatabaseError:
        return False


def _run_of(file: sqlite3.Connection, path: Path) -> Mapping[str, Any]:
    try:
        rows = dict(file.execute("SELECT key, value FROM run").fetchall())
    except sqlite3.DatabaseError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise
        rows = {}
    if rows.get("format") != FORMAT:
        raise JournalError(f"{path}: not a journal of climbfast, or not of this format ({FORMAT}); name another file")
    with _readable(path):
        run: Mapping[str, Any] = json.loads(rows["run"])
    return run


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Say that a file is damaged in which something is of another kind than was written."""
    try:
        yield
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError):
        raise JournalError(f"{path}: it is damaged: name another file") from None


def _refuse_other(path: Path, there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    if there["data"] != here["data"]:
        raise JournalError(f"{path}: a journal of other data ({there['data']}, not {here['data']}); name another file")
    if there["version"] != here["version"]:
        raise JournalError(
            f"{path}: a journal of climbfast {there['version']}, and this is {here['version']}; name another file"
        )
    names = sorted({*there["options"], *here["options"]})
    other = [name for name in names if there["options"].get(name) != here["options"].get(name)]
    if other:
        differences = ", ".join(
            f"{name} was {_short(there['options'].get(name))} and is {_short(here['options'].get(name))}"
            for name in other
        )
        raise JournalError(
            f"{path}: a journal of other options ({differences}); ask for the same, or name another file"
        )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name the file in what SQLite has to say, and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise JournalError(f"{path}: {error}; ", *_advice(error)) from None


def _advice(error: sqlite3.Error) -> Sequence[str | Option]:
    kind = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF  # the rest says more about the same
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ("another run writes to it: wait for its end, or name another file",)
    if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return ("it is damaged: name another file",)
    if kind in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return ("make it and its folder writable, or name another file",)
    return "what was finished before is safe in it: make room, and go on with ", Option("resume", value=True)
