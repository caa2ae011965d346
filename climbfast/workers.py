"""What a worker keeps of one job: a thread, a process, or another machine makes its test on the data once.

Data travel as plain arrays, each an argument of its own: joblib gives large ones to processes once, as a memory map,
and to dask once for each worker; threads see the arrays themselves. Everything else of a job is small.
"""

from __future__ import annotations

import math
import threading
import uuid
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import Dataset
from climbfast.independence.screen import ScreenWorker
from climbfast.independence.tester import Tester
from climbfast.independence.tests import TestOptions

__all__ = [
    "DATA_ARRAYS",
    "Arrays",
    "Job",
    "arrays_of",
    "expected_seconds",
    "forget",
    "read_only",
    "screen_worker_for",
    "tester_for",
]

Arrays = tuple[NDArray[Any], ...]
DATA_ARRAYS = 8  # what ``arrays_of`` returns


@dataclass(frozen=True, kw_only=True)
class Job:
    """What all tasks of a job have in common, besides the arrays of the data.

    Attributes
    ----------
    test : SCI or G2 or X2 or CMI
    counting : str
    rows : int
    units : float
        Units per bit of the data's log tables.
    token : str
        Names the job, so that a worker keeps what it made for it.
    """

    test: TestOptions
    counting: str
    rows: int
    units: float
    token: str = field(default_factory=lambda: uuid.uuid4().hex)


def arrays_of(data: Dataset) -> Arrays:
    """Return the arrays of a data set that travel to the workers."""
    bits, log_tables = data.bits, data.log_tables
    return (
        data.codes, data.arity, bits.words, bits.offset, bits.count, log_tables.clog, log_tables.log_regret,
        log_tables.regret_row,
    )  # fmt: skip


def expected_seconds(data: Dataset, targets: int, *, pairs_once: bool = True) -> float:
    """Guess how long one worker takes to search around columns, from the words that are counted and the searches.

    Parameters
    ----------
    data : Dataset
    targets : int
        Columns that are searched around.
    pairs_once : bool
        Whether a pair is tested marginally once, or from both its ends.
    """
    cells, words = float(np.mean(data.arity - 1) ** 2), data.rows / 64
    pairs = targets * data.columns * (0.5 if pairs_once else 1)
    return pairs * (2e-8 + cells * words * 1.2e-10) + targets * 5e-4 * math.sqrt(1 + data.rows / 2_000)


class _Kept(threading.local):
    """What one thread of a worker keeps."""

    token: str = ""
    tester: Tester | None = None
    screen_worker: ScreenWorker | None = None


_kept = _Kept()


def forget() -> None:
    """Let go of what this thread keeps."""
    _kept.token, _kept.tester, _kept.screen_worker = "", None, None


def tester_for(job: Job, arrays: Arrays) -> Tester:
    """Return the test of a job on its data, made at the first call of this thread."""
    if _kept.token != job.token or _kept.tester is None:
        forget()
        _kept.token, _kept.tester = job.token, Tester(_data(job, arrays), job.test, counting=job.counting)
    return _kept.tester


def screen_worker_for(job: Job, arrays: Arrays) -> ScreenWorker:
    """Return the screen of a job's data, made at the first call of this thread."""
    tester = tester_for(job, arrays)
    if _kept.screen_worker is None:
        _kept.screen_worker = ScreenWorker(tester)
    return _kept.screen_worker


def _data(job: Job, arrays: Arrays) -> Dataset:
    from climbfast_kernels.bits import Bits
    from climbfast_kernels.log_tables import LogTables

    codes, arity, words, offset, count, clog, log_regret, regret_row = map(read_only, arrays)
    names = tuple(range(len(arity)))
    data = Dataset(names, {}, codes, names, arity)
    # What the sender has worked out already.
    data.__dict__["bits"] = Bits(words, offset, arity, count, job.rows)
    data.__dict__["log_tables"] = LogTables(clog, log_regret, regret_row, job.units)
    return data


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only array: kernels are compiled for these alone, neither for memory maps nor for writable ones."""
    plain = np.asarray(array).view()
    plain.flags.writeable = False
    return plain
