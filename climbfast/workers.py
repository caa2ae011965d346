"""The state of a worker: a thread, a process or another machine makes the tester of a job once and keeps it.

The data are passed as plain arrays, each as its own argument: joblib passes a large array to processes once, as a
memory map, and dask passes all of it once to each worker; threads share the arrays. The rest of a job is small.
"""

from __future__ import annotations

import math
import mmap
import os
import threading
import uuid
import weakref
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.counting import WorkspaceCache
from climbfast.dataset import Dataset
from climbfast.independence.screen import ScreenWorker
from climbfast.independence.tester import Tester
from climbfast.independence.tests import TestOptions
from climbfast.knowledge import AllowedArcs

__all__ = [
    "DATA_ARRAYS",
    "Arrays",
    "Job",
    "arrays_of",
    "expected_seconds",
    "forget",
    "forget_job",
    "read_only",
    "screen_worker_for",
    "tester_for",
]

Arrays = tuple[NDArray[Any], ...]
DATA_ARRAYS = 10  # what ``arrays_of`` returns


@dataclass(frozen=True, kw_only=True)
class Job:
    """What all tasks of a job share, apart from the arrays of the data.

    Attributes
    ----------
    test : SCI or G2 or X2 or CMI
    counting : str
    rows : int
    units : float
        Units per bit of the data's log tables.
    stops : bool
        Whether an interrupt stops the kernels of its threads; not where their results are kept after an interrupt.
    allowed : AllowedArcs or None
        Which arcs knowledge allows, by column number: the screen leaves out pairs that it forbids both ways.
    token : str
        Identifies the job: a worker keeps its tester as long as the token stays the same.
    """

    test: TestOptions
    counting: str
    rows: int
    units: float
    stops: bool = False
    allowed: AllowedArcs | None = None
    token: str = field(default_factory=lambda: uuid.uuid4().hex)


def arrays_of(data: Dataset) -> Arrays:
    """Return the arrays of a data set that are passed to the workers."""
    bits, log_tables = data.bits, data.log_tables
    return (
        data.codes, data.arity, bits.words, bits.offset, bits.count, bits.incomplete, _weights_as_array(data),
        log_tables.clog, log_tables.log_regret, log_tables.regret_row,
    )  # fmt: skip


def _weights_as_array(data: Dataset) -> NDArray[np.int64]:
    """Return the weights of the rows; no element if each row occurs once."""
    return np.empty(0, dtype=np.int64) if data.weights is None else data.weights


def expected_seconds(data: Dataset, targets: int, *, pairs_once: bool = True) -> float:
    """Estimate how long one worker takes to search around columns, from the numbers of bitmap words and of searches.

    Parameters
    ----------
    data : Dataset
    targets : int
        Number of columns to search around.
    pairs_once : bool
        Whether each pair is tested marginally once, or twice, once from each column.
    """
    rows = int(data.codes.shape[1])
    cells, words = float(np.mean(data.arity - 1) ** 2), rows / 64
    pairs = targets * data.columns * (0.5 if pairs_once else 1)
    return pairs * (2e-8 + cells * words * 1.2e-10) + targets * 5e-4 * math.sqrt(1 + rows / 2_000)


class _WorkerState:
    """What one thread of a worker keeps."""

    token: str = ""
    tester: Tester | None = None
    screen_worker: ScreenWorker | None = None

    def clear(self) -> None:
        self.token, self.tester, self.screen_worker = "", None, None


_lock = threading.RLock()  # a finalizer may interrupt a thread that has it
_states: weakref.WeakSet[_WorkerState] = weakref.WeakSet()  # of all threads


class _ThreadState(threading.local):
    def __init__(self) -> None:
        self.own = _WorkerState()
        with _lock:
            _states.add(self.own)


_thread = _ThreadState()


def forget() -> None:
    """Delete the state of this thread, and with it the data."""
    _thread.own.clear()


def forget_job(token: str) -> None:
    """Delete the states of all threads that a job has left."""
    with _lock:
        for state in _states:
            if state.token == token:
                state.clear()


def tester_for(job: Job, arrays: Arrays) -> Tester:
    """Return the tester of a job, made at the first call in this thread."""
    state = _thread.own
    if state.token != job.token or state.tester is None:
        state.clear()
        data = _data(job, arrays)
        state.token, state.tester = job.token, Tester(data, job.test, counting=job.counting)
        state.tester.workspace = WorkspaceCache(data, stops=job.stops).for_given
    return state.tester


def screen_worker_for(job: Job, arrays: Arrays) -> ScreenWorker:
    """Return the screen worker of a job, made at the first call in this thread."""
    tester, state = tester_for(job, arrays), _thread.own
    if state.screen_worker is None:
        state.screen_worker = ScreenWorker(tester, job.allowed)
    return state.screen_worker


def _data(job: Job, arrays: Arrays) -> Dataset:
    from climbfast_kernels.bits import Bits
    from climbfast_kernels.log_tables import LogTables

    codes, arity, words, offset, count, incomplete, weights, clog, log_regret, regret_row = map(_kept, arrays)
    names = tuple(range(len(arity)))
    data = Dataset(names, {}, codes, names, arity, {}, incomplete, weights if weights.size else None)
    # The sender has computed these cached properties already.
    data.__dict__["bits"] = Bits(words, offset, arity, count, incomplete, job.rows)
    data.__dict__["log_tables"] = LogTables(clog, log_regret, regret_row, job.units)
    return data


def _kept(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array that a worker may keep, read-only: of a memory map its memory, without the object.

    joblib counts the memory maps of all tasks. It deletes a file when the count is 0, so not before a worker that keeps
    one ends; and if that worker is killed, joblib tells of a leaked file. The memory of a deleted file stays readable.
    """
    if not array.flags.c_contiguous:  # kernels read the words of a bitmap one behind the other
        return read_only(np.array(array, order="C", subok=False))
    memory = array.base
    # Windows cannot delete a file that is in use, so there the count has to tell that it is.
    if os.name == "nt" or not isinstance(array, np.memmap) or not isinstance(memory, mmap.mmap):
        return read_only(array)
    offset = array.ctypes.data - np.frombuffer(memory, np.uint8).ctypes.data
    return read_only(np.ndarray(array.shape, array.dtype, memory, offset, array.strides))


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view: kernels are compiled only for read-only arrays, not for writable ones or memory maps."""
    plain = np.asarray(array).view()
    plain.flags.writeable = False
    return plain
