"""Results, stored by setting, method and code: a changed plot costs no search, a stopped run continues.

The key of a result holds the setting of the data set, all options of the method, the code that measures it, and a hash
of the sources of climbfast and its kernels: after a change of these nothing old is found. Changed pictures, claims and
pages leave all keys as they are. What a method calls elsewhere in ``bench`` is not in its key: after a change there
``--fresh`` measures anew.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import climbfast
import climbfast_kernels
from bench.paper.experiment import Experiment, Setting

__all__ = ["ResultStore", "Results", "key_of"]

Results = dict[str, dict[str, float]]
"""Measures by key."""


class ResultStore:
    """Results and run times in a file.

    Parameters
    ----------
    path : Path
        An SQLite file; it is made when there is none.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        with closing(self._open()) as file, file:
            file.execute("CREATE TABLE IF NOT EXISTS measured (key TEXT PRIMARY KEY, experiment TEXT, measures TEXT)")
            file.execute("CREATE TABLE IF NOT EXISTS spent (run TEXT, experiment TEXT, seconds REAL)")

    def find(self, experiment: str, keys: Iterable[str]) -> Results:
        """Return the stored results of these keys."""
        wanted = set(keys)
        with closing(self._open()) as file:
            rows = file.execute("SELECT key, measures FROM measured WHERE experiment = ?", (experiment,))
            return {key: json.loads(text) for key, text in rows if key in wanted}

    def add(self, experiment: str, measured: Results) -> None:
        """Store results; they are on the disk when this returns."""
        with closing(self._open()) as file, file:
            rows = [(key, experiment, json.dumps(measures)) for key, measures in measured.items()]
            file.executemany("INSERT OR REPLACE INTO measured VALUES (?, ?, ?)", rows)

    def add_seconds(self, experiment: str, seconds: float, *, quick: bool) -> None:
        """Add the wall time of a run, or of a part of one, that measured something."""
        with closing(self._open()) as file, file:
            file.execute("INSERT INTO spent VALUES (?, ?, ?)", (_run(quick=quick), experiment, seconds))

    def seconds(self, experiment: str, *, quick: bool) -> float:
        """Return the wall time of an experiment with this code, over all runs that it took."""
        with closing(self._open()) as file:
            key = (_run(quick=quick), experiment)
            found = file.execute("SELECT total(seconds) FROM spent WHERE run = ? AND experiment = ?", key)
            return float(found.fetchone()[0])

    def forget(self, experiment: str) -> None:
        """Drop the results of an experiment, so that they are measured again."""
        with closing(self._open()) as file, file:
            for table in ("measured", "spent"):
                file.execute(f"DELETE FROM {table} WHERE experiment = ?", (experiment,))

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=60)


def key_of(experiment: Experiment, setting: Setting, method: str) -> str:
    """Return the key of a result in the store."""
    chosen = experiment.METHODS[method]
    kind: Any = type(chosen)
    return json.dumps([code(), _source(experiment.draw), dict(setting), repr(chosen), _source(kind)])


def _run(*, quick: bool) -> str:
    return f"{code()} {'quick' if quick else 'full'}"


@cache
def code() -> str:
    """Return a hash of all sources of climbfast and of its kernels."""
    sources = hashlib.sha256()
    for package in (climbfast, climbfast_kernels):
        for path in sorted(Path(package.__path__[0]).rglob("*.py")):
            sources.update(path.read_bytes())
    return sources.hexdigest()[:16]


@cache
def _source(of: Any) -> str:
    return hashlib.sha256(inspect.getsource(of).encode()).hexdigest()[:16]
