"""The tasks of a run, done by joblib's workers, and done again if a worker is lost.

A process is lost when the kernel ends it because memory is short, and a machine of a cluster at any time. joblib then
fails as a whole. Here the tasks that were sent and not finished are done again, one at a time: if one of them ends its
worker, it is known which. It is divided until one unit is left, and a unit that ends its worker every time ends the
run.
"""

from __future__ import annotations

import errno
import math
import multiprocessing
import os
import signal
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import wait
from pickle import PicklingError
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from numpy.typing import NDArray

from climbfast.dask_tasks import DaskTasks, WorkerLost
from climbfast.errors import ClimbfastError, ClimbfastWarning, Option
from climbfast.interrupts import call_ignoring_interrupts, end_with_parent

if TYPE_CHECKING:
    from joblib import Parallel

__all__ = ["BYTES_IN_MEMORY_MAPS", "TaskPool", "WorkerError", "end_processes"]

Result = TypeVar("Result")
MOST_LOSSES = 3  # workers that one unit may end
PIECES = 8  # of a task that ended a worker alone
TASKS_PER_ROUND = 4  # per worker, for backends that return results only at the end of a round
# Smaller arrays are sent with every task. joblib's own limit of 1 MiB would send the log tables with every task.
BYTES_IN_MEMORY_MAPS = 10_000
JOBLIB_BYTES_IN_MEMORY_MAPS = 2**20
SECONDS_TO_END = 3.0  # that processes have, which wait for more work; most take some 50 ms


class WorkerError(ClimbfastError, RuntimeError):
    """Work that ends every worker that does it, or cannot be sent to one; the message names it."""


class _Task(NamedTuple):
    """Units that a worker does together, and the number of workers that were lost meanwhile."""

    units: Sequence[Any]
    losses: int = 0

    def divided(self) -> list[_Task]:
        """Return the task after the loss of a worker that did nothing else."""
        size = -(-len(self.units) // PIECES)
        return [_Task(self.units[i : i + size], self.losses + 1) for i in range(0, len(self.units), size)]


class TaskPool(Generic[Result]):
    """Workers of joblib that do the tasks of one job.

    Parameters
    ----------
    n_jobs : int
        Number of workers, as joblib counts them.
    prefer : {"threads", "processes"}
    is_stopped : function, optional
        Whether to start no more tasks.

    Attributes
    ----------
    workers : int
        Number of workers.
    """

    def __init__(self, n_jobs: int, prefer: str, is_stopped: Callable[[], bool] = lambda: False) -> None:
        self._n_jobs, self._prefer, self._is_stopped = n_jobs, prefer, is_stopped
        self._one_by_one = False
        self._losses = 0
        self._is_loss_told = False
        self.workers = 0

    def __enter__(self) -> TaskPool[Result]:
        self._start()
        return self

    def __exit__(self, *raised: Any) -> None:
        executor = getattr(self._pool._backend, "_workers", None)
        if executor is not None and executor._flags.broken:
            # A worker was killed after all work was done, and joblib has not noticed. What it held of the data counts
            # as in use: without force their files would be left until the program ends.
            executor.terminate(kill_workers=True)
        self._stop(*raised)
        if self.backend == "processes" and multiprocessing.parent_process() is not None:
            # A process of multiprocessing waits for its own ones when it ends, and they would wait for more work.
            end_processes()

    def _start(self) -> None:
        self._pool = _parallel(self._n_jobs, self._prefer)
        self._pool._calling = False  # joblib before 1.6 sets it when the pool is entered, and asks for it in any case
        client = getattr(self._pool._backend, "client", None)
        most = math.inf if self._n_jobs < 1 else self._n_jobs
        self._dask = None if client is None else DaskTasks(client, self._pool._backend, most, self._tell_of_loss)
        if self._dask is not None:
            self._dask.wait_for_workers()
        self._pool.__enter__()
        self.workers = int(self._pool._effective_n_jobs())

    def _stop(self, *raised: Any) -> None:
        self._pool.__exit__(*raised)
        if self._dask is not None:
            self._dask.release()

    @property
    def backend(self) -> str:
        """Name of the backend in use. It can differ from the configured one: loky runs one worker serially."""
        from joblib.parallel import BACKENDS

        backend = type(self._pool._backend)
        if self.workers == 1 and backend.__name__ in ("SequentialBackend", "ThreadingBackend"):
            return "serial"
        name = next((name for name, kind in BACKENDS.items() if kind is backend), backend.__name__)
        return {"threading": "threads", "loky": "processes", "multiprocessing": "processes"}.get(name, name)

    def results(
        self,
        work: Callable[..., Result],
        tasks: Iterable[Sequence[Any]],
        job: Any,
        arrays: Sequence[NDArray[Any]],
        describe: Callable[[Any], str],
    ) -> Generator[tuple[Sequence[Any], Result], None, None]:
        """Yield the units and the result of every task as soon as it is done, in any order.

        Parameters
        ----------
        work : function
            Called with the job, the units of a task and the arrays.
        tasks : iterable of sequences
            The units of each task.
        job : object
            What all tasks have in common.
        arrays : sequence of array
            The data of the job.
        describe : function
            Returns the words for a unit in a message.

        Raises
        ------
        WorkerError
            For a unit that ended three workers, and for a full temporary folder.
        """
        waiting, suspects = deque(map(_Task, tasks)), deque[_Task]()
        while (waiting or suspects) and not self._is_stopped():
            batch = self._next_batch(waiting, suspects)
            sent, finished = set[int](), set[int]()
            try:
                yield from self._do(batch, work, job, arrays, sent, finished)
            except (BrokenExecutor, WorkerLost) as error:
                if self._is_stopped():
                    return
                left = {number for number in range(len(batch)) if number not in finished}
                suspected = left & sent
                if isinstance(error, WorkerLost) and error.suspects is not None:
                    suspected &= {*error.suspects}
                waiting.extendleft(batch[number] for number in sorted(left - suspected, reverse=True))
                if len(batch) > 1:
                    suspects.extend(
                        batch[number]._replace(losses=batch[number].losses + 1) for number in sorted(suspected)
                    )
                elif suspected:
                    suspects.extendleft(reversed(_after_loss(batch[0], describe, error)))
                self._restart(together=len(batch) > 1)
            except PicklingError as error:
                if os.strerror(errno.ENOSPC) in str(error.__cause__):
                    raise _full_folder(self._pool) from None
                raise

    def _next_batch(self, waiting: deque[_Task], suspects: deque[_Task]) -> list[_Task]:
        """Take the tasks to do next: one that may have ended a worker alone, else all."""
        if suspects:
            return [suspects.popleft()]
        if self._one_by_one:
            return [waiting.popleft()]
        batch = list(waiting)
        waiting.clear()
        return batch

    def _do(
        self, batch: Sequence[_Task], work: Callable[..., Result], job: Any, arrays: Sequence[NDArray[Any]],
        sent: set[int], finished: set[int],
    ) -> Generator[tuple[Sequence[Any], Result], None, None]:  # fmt: skip
        """Yield what the tasks return; note the numbers of those that were sent to a worker, and are finished."""

        def numbers() -> Iterator[int]:
            for number in range(len(batch)):
                if self._is_stopped():
                    return
                sent.add(number)
                yield number

        if self._dask is not None:
            outputs = self._dask.results(work, [task.units for task in batch], numbers(), (job, *arrays))
        else:
            from joblib import delayed

            home, call = os.getpid(), delayed(_numbered)
            outputs = self._outputs(call(i, home, work, job, batch[i].units, *arrays) for i in numbers())
        for number, result in outputs:
            finished.add(number)
            try:
                yield batch[number].units, result
            except BaseException as error:
                # joblib then stops its workers; a generator that is only dropped would warn of unused results.
                outputs.throw(error)
                raise

    def _outputs(self, calls: Iterator[Any]) -> Generator[tuple[int, Result], None, None]:
        if self._pool.return_as != "list":
            yield from self._pool(calls)
        else:
            while some := list(islice(calls, TASKS_PER_ROUND * self.workers)):
                yield from self._pool(some)

    def _restart(self, *, together: bool) -> None:
        """Start the workers again, and fewer of them if they are lost again: it may be that memory is short."""
        self._tell_of_loss()
        self._losses += 1
        self._stop(None, None, None)
        if together and self._losses > 1:
            self._one_by_one = self.workers <= 3
            # One worker would be this process, which must not be lost.
            self._n_jobs = max(self.workers // 2, 2)
        self._start()

    def _tell_of_loss(self) -> None:
        """Warn of the first loss."""
        if not self._is_loss_told:
            self._is_loss_told = True
            warnings.warn(
                ClimbfastWarning(
                    "a worker was lost, most likely because memory was short; its work is done again, and the results "
                    "are the same"
                ),
                stacklevel=2,
            )


def end_processes() -> None:
    """End the processes of joblib that wait for more work, at the end of a program.

    joblib would ask them to end, and wait. If one was killed while it waited for work, it may have held the lock of the
    queue; the others then wait five minutes for that lock, and joblib for them.
    """
    # Not multiprocessing.active_children alone: a cluster in this process has children of its own.
    workers = [child for child in multiprocessing.active_children() if child.name.startswith("LokyProcess")]
    if not workers:
        return
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(reuse=True).shutdown(wait=False)
    left = {worker.sentinel: worker for worker in workers}
    until = time.monotonic() + SECONDS_TO_END
    while left and (ended := wait(list(left), max(0.0, until - time.monotonic()))):
        left = {sentinel: worker for sentinel, worker in left.items() if sentinel not in ended}
    for pid in filter(None, (worker.pid for worker in left.values())):
        with suppress(OSError):
            os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _after_loss(task: _Task, describe: Callable[[Any], str], error: Exception) -> list[_Task]:
    if len(task.units) == 1 and task.losses + 1 >= MOST_LOSSES:
        raise WorkerError(
            f"{describe(task.units[0])} ended its worker {MOST_LOSSES} times, most likely because memory is short: "
            "free memory, or leave it out"
        ) from error
    return task.divided()


def _full_folder(pool: Parallel) -> WorkerError:
    folder = pool._backend_kwargs["temp_folder"] or os.environ.get("JOBLIB_TEMP_FOLDER") or "/dev/shm or the like"
    return WorkerError(
        f"the temporary folder ({folder}), which holds the data of worker processes, is full: free some space, name "
        "another one in the environment variable JOBLIB_TEMP_FOLDER, or use ",
        Option("n_jobs", 1),
    )


def _numbered(number: int, home: int, work: Callable[..., Result], *arguments: Any) -> tuple[int, Result]:
    return number, call_ignoring_interrupts(work, home, *arguments)


def _parallel(n_jobs: int, prefer: str) -> Parallel:
    from joblib import Parallel
    from joblib.parallel import get_active_backend

    backend = get_active_backend(prefer=prefer)[0]
    settings: dict[str, Any] = {"n_jobs": n_jobs, "prefer": prefer, "batch_size": 1}
    # multiprocessing and ray can only return lists; loky, threads and dask return each result when it is ready.
    settings["return_as"] = "generator_unordered" if backend.supports_return_generator else "list"
    if type(backend).__name__ == "LokyBackend" and "initializer" not in getattr(backend, "backend_kwargs", {}):
        settings["initializer"], settings["initargs"] = end_with_parent, (os.getpid(),)
    pool = Parallel(**settings)
    # An argument would override parallel_config, whose value has no public access.
    if pool._backend_kwargs["max_nbytes"] == JOBLIB_BYTES_IN_MEMORY_MAPS:
        pool = Parallel(**settings, max_nbytes=BYTES_IN_MEMORY_MAPS)
    return pool
