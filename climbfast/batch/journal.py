"""The journal of a run: an SQLite file with one row for every finished unit of work.

A unit is written in one transaction (write-ahead log): a run that is killed loses at most the units that were not
finished, and a reader sees complete units while the run continues. SQLite does not detect a cell that was changed on
the disk, so each row has a digest of its content: compiled kernels use the content without further checks.

A journal is a file that anybody may have written: its tables are compared with ours before anything is read, and its
text is escaped where it is shown.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import sqlite3
import stat
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from climbfast.batch.packed_results import PackedResult
from climbfast.errors import ClimbfastError, Option
from climbfast.names import excerpt, name_text

try:
    import fcntl
except ImportError:  # Windows, where nothing tells of another run
    fcntl = None  # type: ignore[assignment]

__all__ = ["Journal", "JournalError", "JournalStatus", "PassStatus", "journal_status"]

FORMAT = "climbfast journal 7"
RECENT = 60.0  # seconds over which the rate of a run is measured
_SCHEMA = """
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE unit (
    pass TEXT NOT NULL, number INTEGER NOT NULL, finished REAL NOT NULL, ints BLOB NOT NULL, floats BLOB NOT NULL,
    digest BLOB NOT NULL, PRIMARY KEY (pass, number)
);
"""
MOST_BYTES_CHECKED = 2**28  # of a journal whose status is asked for; to check a gigabyte takes seconds


class JournalError(ClimbfastError, OSError):
    """A journal that cannot be used; the message names the file, the reason and a remedy.

    Examples
    --------
    >>> import climbfast as cf
    >>> cf.journal_status("no.journal")
    Traceback (most recent call last):
        ...
    climbfast.batch.journal.JournalError: no.journal: no such file
    """

    __str__ = Exception.__str__


class PassStatus(NamedTuple):
    """The progress of one pass: units done, units in total as far as known, seconds from its first unit to its last."""

    name: str
    done: int
    units: int
    seconds: float

    @property
    def left(self) -> int:
        """Number of units that are not done."""
        return self.units - self.done


@dataclass(frozen=True, repr=False)
class JournalStatus:
    """The progress of a run.

    Attributes
    ----------
    run : mapping
        Data, options and version of the run; empty if the run has written nothing yet.
    passes : tuple of PassStatus
        In the order in which they run.
    rate : float
        Units of the running pass per second, in the minute before its last unit; 0 if unknown.
    idle : float or None
        Seconds since the last unit was finished; None if there is none.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Path(folder, "run.journal")
    ...     _ = cf.markov_blankets(data, journal=journal, progress=False)
    ...     status = cf.journal_status(journal)
    >>> status.running is None, [(each.name, each.done, each.units) for each in status.passes]
    (True, [('screen', 2, 2), ('neighbors', 15, 15), ('blankets', 15, 15)])
    """

    run: Mapping[str, Any]
    passes: tuple[PassStatus, ...]
    rate: float
    idle: float | None

    @property
    def running(self) -> PassStatus | None:
        """The first pass that is not complete; None if all are."""
        return next((each for each in self.passes if each.left), None)

    @property
    def complete(self) -> bool:
        """Whether all passes are complete."""
        return bool(self.passes) and self.running is None

    @property
    def seconds_left(self) -> float | None:
        """Expected seconds until the running pass is complete; None if unknown."""
        return self.running.left / self.rate if self.running and self.rate else None

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        from climbfast.notebook.single import journal_status_html

        return journal_status_html(self)

    def __repr__(self) -> str:
        passes = ", ".join(f"{each.name} {each.done:,} of {each.units:,} units" for each in self.passes)
        return f"<JournalStatus: {passes or 'nothing yet'}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the status as plain numbers, text and mappings."""
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
    run : mapping of str to JSON values
        Data, options and version. A journal with other ones is refused.
    resume : bool
        Whether to continue a run if the file exists.

    Attributes
    ----------
    is_continued : bool
        Whether the file has this run already.

    Raises
    ------
    JournalError
        If the file exists and ``resume`` is False, or if it is not a journal, or that of another run.
    """

    def __init__(self, path: str | Path, run: Mapping[str, Any], *, resume: bool) -> None:
        self.path = Path(path)
        exists = _exists(self.path)
        if not self.path.parent.is_dir():
            raise JournalError(f"{self.path}: there is no folder {self.path.parent}")
        self._lock = _Lock(self.path)
        try:
            self._open(run, exists=exists, resume=resume)
        except BaseException:
            self._lock.release()
            raise

    def _open(self, run: Mapping[str, Any], *, exists: bool, resume: bool) -> None:
        if exists and not resume:
            raise JournalError(
                f"{self.path}: exists already; continue it with ", Option("resume", value=True),
                ", or name another file",
            )  # fmt: skip
        with _errors(self.path):
            # An absolute path: SQLite does not take ":memory:" alone for a file.
            self._file = sqlite3.connect(self.path.absolute(), isolation_level=None)
            try:
                self._begin(json.loads(json.dumps(run)), exists=exists and not _is_empty(self._file))
            except BaseException:
                self._file.close()
                raise

    def _begin(self, run: Mapping[str, Any], *, exists: bool) -> None:
        self.is_continued = exists
        if exists:
            there = _run_of(self._file, self.path)
            _refuse_damaged(self._file, self.path)
            self._passes = _passes_of(self._file, self.path)
            _refuse_other(self.path, there, run)
            self._file.execute("PRAGMA synchronous = NORMAL")
            return
        self._passes = {}
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")
        # One transaction: a run that is killed here leaves a file without tables, which the next run takes as new.
        self._file.executescript("BEGIN;" + _SCHEMA)
        for key, value in (("format", FORMAT), ("run", json.dumps(run)), ("passes", "{}")):
            self._set(key, value)
        self._file.execute("COMMIT")

    def _set(self, key: str, value: str) -> None:
        self._file.execute("INSERT OR REPLACE INTO run VALUES (?, ?, ?)", (key, value, _digest(key, value.encode())))

    def open_pass(self, name: str, units: int) -> None:
        """Record a pass and the smallest number of its units; passes are recorded in the order in which they run."""
        self._passes[name] = max(units, self._passes.get(name, 0))
        with _errors(self.path):
            self._set("passes", json.dumps(self._passes))

    def done(self, name: str) -> dict[int, PackedResult]:
        """Return the packed results of a pass, by unit.

        Raises
        ------
        JournalError
            If a unit has changed since it was written.
        """
        with _errors(self.path):
            rows = self._file.execute(
                "SELECT number, ints, floats, digest FROM unit WHERE pass = ?", (name,)
            ).fetchall()
        for number, ints, floats, digest in rows:
            # In a damaged file a cell can have any type.
            is_binary = isinstance(ints, bytes) and isinstance(floats, bytes)
            if not is_binary or digest != _digest(f"{name} {number}", ints, floats):
                raise JournalError(f"{self.path}: unit {number!r} of the pass {name!r} is damaged: name another file")
        return {
            number: PackedResult(np.frombuffer(ints, dtype=np.int64), np.frombuffer(floats, dtype=np.float64))
            for number, ints, floats, _ in rows
        }

    def write(self, name: str, results: Iterable[tuple[int, PackedResult]]) -> None:
        """Write finished units: all of them or, after an error, none."""
        now = time.time()
        cells = [(unit, packed.ints.tobytes(), packed.floats.tobytes()) for unit, packed in results]
        rows = [
            (name, unit, now, ints, floats, _digest(f"{name} {unit}", ints, floats)) for unit, ints, floats in cells
        ]
        with _errors(self.path):
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
        self._lock.release()


def journal_status(path: str | Path) -> JournalStatus:
    """Return the progress of a run from its journal, also while the run continues.

    Parameters
    ----------
    path : path
        The file of the journal.

    Returns
    -------
    JournalStatus

    Raises
    ------
    JournalError
        If there is no such file, or it is not a journal.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Path(folder) / "run.journal"
    ...     blankets = cf.markov_blankets(data, journal=journal, progress=False)
    ...     status = cf.journal_status(journal)
    >>> status.complete
    True
    >>> [(each.name, each.done, each.units) for each in status.passes]
    [('screen', 2, 2), ('neighbors', 15, 15), ('blankets', 15, 15)]
    """
    path = Path(path)
    if not _exists(path):
        raise JournalError(f"{path}: no such file")
    with (
        _errors(path),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file,
    ):
        if _is_empty(file):
            return JournalStatus({}, (), 0.0, None)
        file.execute("BEGIN")  # so that all figures are of one moment
        run, passes = _run_of(file, path), _passes_of(file, path)
        if path.stat().st_size <= MOST_BYTES_CHECKED:
            _refuse_damaged(file, path)
        finished = {name: figures for name, *figures in file.execute(_FINISHED)}
        _refuse_false_figures(path, passes, finished)
        states = [PassStatus(name, *_done(finished.get(name), units)) for name, units in passes.items()]
        last = max((last for _, last, _ in finished.values()), default=None)
        status = JournalStatus(run, tuple(states), 0.0, None if last is None else max(time.time() - last, 0.0))
        if status.running is None:
            return status
        return replace(status, rate=_rate(file, status.running.name))


_FINISHED = "SELECT pass, COUNT(*), MAX(finished), MAX(finished) - MIN(finished) FROM unit GROUP BY pass"


def _done(finished: Sequence[Any] | None, units: int) -> tuple[int, int, float]:
    done, _, seconds = finished or (0, 0.0, 0.0)
    return done, units, seconds


def _refuse_false_figures(path: Path, passes: Mapping[str, int], finished: Mapping[str, Sequence[Any]]) -> None:
    for name, (done, *times) in finished.items():
        is_time = all(isinstance(time, float) and math.isfinite(time) for time in times)
        if name not in passes or done > passes[name] or not is_time:
            raise _damaged(path)


def _rate(file: sqlite3.Connection, name: str) -> float:
    """Units per second in the last minute of a pass: the number after its first unit, divided by their time."""
    last, first = file.execute(
        "WITH own AS (SELECT finished FROM unit WHERE pass = ?), newest AS (SELECT MAX(finished) AS at FROM own) "
        "SELECT newest.at, MIN(own.finished) FROM own, newest WHERE own.finished >= newest.at - ?",
        (name, RECENT),
    ).fetchone()
    if last is None or last <= first:
        return 0.0
    count = file.execute("SELECT COUNT(*) FROM unit WHERE pass = ? AND finished > ?", (name, first)).fetchone()[0]
    return float(count / (last - first))


def _digest(label: str, *content: bytes) -> bytes:
    digest = hashlib.blake2b(digest_size=8)
    for part in (label.encode(), *content):
        digest.update(b"%d " % len(part))
        digest.update(part)
    return digest.digest()


def _damaged(path: Path) -> JournalError:
    return JournalError(f"{path}: it is damaged: name another file")


def _refuse_damaged(file: sqlite3.Connection, path: Path) -> None:
    """Check the pages of the file; the digests check their content."""
    fault = str(file.execute("PRAGMA quick_check(1)").fetchone()[0])
    if fault != "ok":
        raise JournalError(f"{path}: it is damaged ({excerpt(fault)}): name another file")


def _exists(path: Path) -> bool:
    """Whether the file exists; anything but a regular file is refused, since SQLite would wait for it."""
    if "\0" in str(path):
        raise JournalError(f"{str(path)!r}: a path cannot contain a null character; name another file")
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    except OSError as error:  # such as a name too long
        raise JournalError(f"{path}: {error.strerror}; name another file") from None
    for is_kind, kind in ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a named pipe")):
        if is_kind(mode):
            raise JournalError(f"{path}: it is {kind}; name a file")
    if not stat.S_ISREG(mode):
        raise JournalError(f"{path}: it is a device or a socket; name a file")
    return True


class _Lock:
    """Takes a journal for one run, by the lock of a file beside it.

    The system gives the lock back when a process ends. Where the file system knows no locks, or the folder is
    read-only, there is none.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.with_name(f"{path.name}-lock")
        self._number: int | None = None
        while fcntl is not None and self._number is None:
            try:
                number = os.open(self._file, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
            except OSError:
                return
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(number)
                if isinstance(error, BlockingIOError):
                    raise JournalError(
                        f"{path}: it is in use by another run; wait for its end, or name another file"
                    ) from None
                return
            if _is_same(number, self._file):
                self._number = number
            else:  # the other run has just deleted it
                os.close(number)

    def release(self) -> None:
        """Give it back."""
        number, self._number = self._number, None
        if number is not None:
            with suppress(OSError):
                self._file.unlink()
            fcntl.flock(number, fcntl.LOCK_UN)  # a forked child has it too
            os.close(number)


def _is_same(number: int, file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(number), file.stat())
    except FileNotFoundError:
        return False


def _is_empty(file: sqlite3.Connection) -> bool:
    """Whether the file has no tables, as after a run that was killed before its first transaction."""
    try:
        return bool(file.execute("SELECT COUNT(*) = 0 FROM sqlite_master").fetchone()[0])
    except sqlite3.DatabaseError:
        return False


def _tables(file: sqlite3.Connection) -> set[tuple[str, ...]]:
    return set(file.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


def _has_our_tables(file: sqlite3.Connection) -> bool:
    """Whether the tables are ours and no others: a view or a trigger could run for ever."""
    try:
        with closing(sqlite3.connect(":memory:")) as ours:
            ours.executescript(_SCHEMA)
            return _tables(file) == _tables(ours)
    except sqlite3.DatabaseError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise
        return False


def _run_of(file: sqlite3.Connection, path: Path) -> Mapping[str, Any]:
    if not _has_our_tables(file) or _value(file, path, "format") != FORMAT:
        raise JournalError(f"{path}: not a journal of climbfast, or not of this format ({FORMAT}); name another file")
    run: Mapping[str, Any] = json.loads(_value(file, path, "run"))
    if not (isinstance(run, dict) and isinstance(run["options"], dict)):
        raise _damaged(path)
    if not (isinstance(run["data"], str) and isinstance(run["version"], str)):
        raise _damaged(path)
    return run


def _passes_of(file: sqlite3.Connection, path: Path) -> dict[str, int]:
    passes: dict[str, int] = json.loads(_value(file, path, "passes"))
    if not all(type(units) is int and 0 <= units < 2**63 for units in passes.values()):
        raise _damaged(path)
    return passes


def _value(file: sqlite3.Connection, path: Path, key: str) -> str:
    row = file.execute("SELECT value, digest FROM run WHERE key = ?", (key,)).fetchone()
    if row is None or not isinstance(row[0], str) or row[1] != _digest(key, row[0].encode()):
        raise _damaged(path)
    return str(row[0])


def _refuse_other(path: Path, there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    if there["data"] != here["data"]:
        raise JournalError(
            f"{path}: a journal of other data ({name_text(there['data'])}, not {here['data']}); name another file"
        )
    if there["version"] != here["version"]:
        raise JournalError(
            f"{path}: a journal of climbfast {name_text(there['version'])}, and this is {here['version']}; "
            "name another file"
        )
    names = sorted({*there["options"], *here["options"]})
    other = [name for name in names if there["options"].get(name) != here["options"].get(name)]
    if other:
        differences = ", ".join(
            f"{name_text(name)} was {excerpt(there['options'].get(name))} and is {excerpt(here['options'].get(name))}"
            for name in other
        )
        raise JournalError(f"{path}: a journal of other options ({differences}); use the same, or name another file")


@contextmanager
def _errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite, and of values of another kind than was written, into a JournalError with a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise JournalError(f"{path}: {name_text(error)}; ", *_advice(error)) from None
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError):
        raise _damaged(path) from None


def _advice(error: sqlite3.Error) -> Sequence[str | Option]:
    kind = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF  # the other bits only detail the kind
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ("another run writes to it: wait for its end, or name another file",)
    if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return ("it is damaged: name another file",)
    if kind in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return ("make it and its folder writable, or name another file",)
    return "finished work is saved in it: free some disk space, and continue with ", Option("resume", value=True)
