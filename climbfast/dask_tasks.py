"""Tasks on a cluster of dask.

joblib's own backend sends large arrays anew in each of its calls, and waits forever, or fails, when a worker is lost:
the data that only this worker had are gone with it. Here what all tasks use goes to one worker once for a run, from
which the others fetch it, and is released at the end. dask itself does the tasks of a lost worker again. It gives up a
task with which several workers were lost, and what was only on workers that are all lost.

Sending a task and fetching its result take the client and the scheduler some milliseconds, whatever the number of
workers. Therefore the tasks of a run are sent many together, by the time that the last ones took.
"""

from __future__ import annotations

import math
import os
import pickle
import sys
import threading
import time
import weakref
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from climbfast.errors import ClimbfastError
from climbfast.interrupts import call_ignoring_interrupts
from climbfast.workers import Job, forget_job

__all__ = ["CallSize", "DaskTasks", "WorkerLost"]

SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_FOR_RESULT = 5.0  # to arrive; it is lost if its worker is
SECONDS_FOR_WORKERS = 60.0
SECONDS_TO_SEND, SLOWEST_BYTES_PER_SECOND = 15.0, 1e6  # the longest that sending what all tasks use may take
CALLS_PER_THREAD = 2  # with the cluster at once: one is done, and one waits
SECONDS_PER_CALL = 0.1  # that a thread takes, and more if there are many threads:
SECONDS_OF_CLIENT = 0.005  # that client and scheduler take for a call
GONE = ("lost", "cancelled", "error")  # the states of what no worker has any more


class WorkerLost(Exception):  # noqa: N818  # the tasks are done again
    """A worker was lost, and dask cannot do its tasks again.

    Parameters
    ----------
    suspects : collection of int, optional
        The numbers of the tasks with which it was lost. Default: any of those that were sent.
    """

    def __init__(self, suspects: Sequence[int] | None = None) -> None:
        super().__init__(suspects)
        self.suspects = suspects


class DaskTasks:
    """Sends tasks to the workers of a dask client.

    Parameters
    ----------
    client : distributed.Client
    backend : joblib's backend of dask
        Its options of ``submit`` are used.
    most_threads : float
        How many threads of workers to use.
    tell_of_loss : function
        Called when a worker was lost, and its tasks are done again.
    """

    def __init__(
        self, client: Any, backend: Any, most_threads: float = math.inf, tell_of_loss: Callable[[], None] = lambda: None
    ) -> None:
        self._client, self._backend = client, backend
        self._most_threads, self._tell_of_loss = most_threads, tell_of_loss
        self._sent: list[tuple[Any, list[Any]]] = []  # futures, and what they stand for
        self._workers: dict[str, int] = {}
        self._looked = 0.0

    def wait_for_workers(self) -> None:
        """Wait until there is a worker.

        Raises
        ------
        ClimbfastError
            If there is none in time.
        """
        try:
            self._client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
        except (OSError, TimeoutError):
            raise ClimbfastError(
                "the dask cluster has no worker left: start one, and run again (a journal keeps what is finished)"
            ) from None

    def release(self) -> None:
        """Let the workers delete what was sent to all of them."""
        for future, _ in self._sent:
            future.release()
        self._sent.clear()

    def results(
        self, work: Callable[..., Any], tasks: Sequence[Sequence[Any]], numbers: Iterator[int], shared: Sequence[Any]
    ) -> Generator[tuple[int, Any], None, None]:
        """Yield the number and the result of tasks in any order.

        Parameters
        ----------
        work : function
            Called with the first of what is shared, the units of a task, and the rest of what is shared.
        tasks : sequence of sequences
            The units of each task.
        numbers : iterator of int
            The tasks to do; they are taken when they are sent.
        shared : sequence
            What all tasks use.

        Raises
        ------
        WorkerLost
        """
        finished: SimpleQueue[Any] = SimpleQueue()
        running: dict[Any, list[int]] = {}
        size, alone = CallSize(len(tasks)), len(tasks) == 1
        self._workers = self._client.ncores()
        try:
            with self._backend.retrieval_context():
                places, futures = self._send(shared)

                def submit() -> None:
                    # The first result tells how many tasks to send in the next calls.
                    while len(running) < CALLS_PER_THREAD * self._threads() and finished.empty():
                        some = list(islice(numbers, size.next(self._threads())))
                        if not some:
                            return
                        units = pickle.dumps([(number, tasks[number]) for number in some])
                        future = self._client.submit(
                            _do, work, units, os.getpid(), places, *futures, pure=False, **self._backend.submit_kwargs
                        )
                        running[future] = some
                        future.add_done_callback(finished.put)

                submit()
                while running:
                    future = self._next(finished, alone=alone)
                    seconds, done = self._result(future, running.pop(future), alone=alone)
                    size.note(len(done), seconds)
                    submit()
                    yield from done
            self._look(alone=False)
        except WorkerLost:
            self._client.cancel(list(running))
            self._wait_until_ended({future.key for future in running})
            raise
        finally:
            if running:
                self._client.cancel(list(running))

    def _threads(self) -> int:
        """Return the number of threads to use; workers can join at any time."""
        return int(max(1, min(self._most_threads, sum(self._workers.values()))))

    def _send(self, shared: Sequence[Any]) -> tuple[list[tuple[int, int]], list[Any]]:
        """Send what no earlier pass has sent, and release what this one does not use.

        Returns
        -------
        places : list of (int, int)
            For each element of ``shared``, the future that has it, and its place there.
        futures : list of Future
        """
        used = {id(each) for each in shared}
        self._sent = [(future, some) for future, some in self._sent if not used.isdisjoint(map(id, some))]
        known = {id(each) for _, some in self._sent for each in some}
        if new := [each for each in shared if id(each) not in known]:
            future = self._scatter(_Shared(new))
            self._sent.append((future, new))
        place = {id(each): (i, j) for i, (_, some) in enumerate(self._sent) for j, each in enumerate(some)}
        return [place[id(each)] for each in shared], [future for future, _ in self._sent]

    def _scatter(self, shared: _Shared) -> Any:
        """Send an object to a worker, from which others fetch it; look after them: dask may not answer if one is lost.

        Not to all at once: the scheduler would take a lock that it keeps for ever if a worker is lost meanwhile.
        """
        answers: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()

        def send() -> None:
            try:
                answers.put((self._client.scatter([shared], hash=False)[0], None))
            except Exception as error:
                answers.put((None, error))

        before = set(self._client.ncores())
        until = time.monotonic() + SECONDS_TO_SEND + sys.getsizeof(shared) / SLOWEST_BYTES_PER_SECOND
        threading.Thread(target=send, name="climbfast-scatter", daemon=True).start()
        while True:
            try:
                future, error = answers.get(timeout=SECONDS_BETWEEN_LOOKS)
            except Empty:
                if not before <= set(self._client.ncores()) or time.monotonic() > until:
                    raise WorkerLost from None
                continue
            if isinstance(error, (OSError, ValueError, TimeoutError)):  # one is lost just then, or there is none
                raise WorkerLost from error
            if error is not None:
                raise error
            return future

    def _wait_until_ended(self, keys: set[str]) -> None:
        """Wait until no worker does these cancelled calls, or is lost by one: the next loss has another cause."""
        while any(self._client.run(_does_any, keys, on_error="return").values()):
            time.sleep(SECONDS_BETWEEN_LOOKS)

    def _next(self, finished: SimpleQueue[Any], *, alone: bool) -> Any:
        if time.monotonic() > self._looked + SECONDS_BETWEEN_LOOKS:
            self._look(alone=alone)
        while True:
            try:
                return finished.get(timeout=SECONDS_BETWEEN_LOOKS)
            except Empty:
                self._look(alone=alone)

    def _result(self, future: Any, numbers: Sequence[int], *, alone: bool) -> Any:
        from distributed import KilledWorker

        while True:
            try:
                return pickle.loads(future.result(timeout=SECONDS_FOR_RESULT))
            except KilledWorker as error:
                raise WorkerLost(numbers) from error
            except CancelledError as error:  # with the data that it needs
                raise WorkerLost from error
            except TimeoutError:
                if future.done() and future.status == "error":  # of the task itself
                    raise
                self._look(alone=alone)

    def _look(self, *, alone: bool) -> None:
        """Look for workers that have joined or are lost; a loss is told, or raised if one task alone is to blame."""
        before, self._workers, self._looked = set(self._workers), self._client.ncores(), time.monotonic()
        is_lost = not before <= set(self._workers)
        if not self._workers or (alone and is_lost) or any(future.status in GONE for future, _ in self._sent):
            raise WorkerLost
        if is_lost:
            self._tell_of_loss()


class CallSize:
    """How many tasks are sent in one call, by the seconds that the last ones took.

    As many as fill the time of a call, but at most a thread's share of what is left. For work of w seconds, and c
    seconds of the client for a call, calls of √(w c) seconds are done soonest by any number of threads: shorter ones
    would wait for the client.
    """

    def __init__(self, tasks: int) -> None:
        self._left = tasks
        self._seconds: float | None = None  # of a task

    def note(self, tasks: int, seconds: float) -> None:
        """Note how long the tasks of a call took."""
        self._seconds = max(seconds, 1e-6) / tasks

    def next(self, threads: int) -> int:
        """Return the number of tasks for the next call."""
        if self._seconds is None:
            return self._take(1)
        left = self._left * self._seconds
        most = min(max(SECONDS_PER_CALL, threads * SECONDS_OF_CLIENT), left / (CALLS_PER_THREAD * threads))
        return self._take(int(max(most, math.sqrt(left * SECONDS_OF_CLIENT)) / self._seconds))

    def _take(self, tasks: int) -> int:
        size = max(1, min(tasks, self._left))
        self._left = max(0, self._left - size)
        return size


class _Shared:
    """What all tasks use, as one object of dask's; what workers made of it is deleted with it."""

    def __init__(self, content: Sequence[Any]) -> None:
        self.content = [_aligned(each) if isinstance(each, np.ndarray) else each for each in content]
        for each in self.content:
            if isinstance(each, Job):
                weakref.finalize(self, forget_job, each.token).atexit = False

    def __reduce__(self) -> tuple[Any, ...]:
        return _Shared, (self.content,)

    def __sizeof__(self) -> int:
        return sum(each.nbytes for each in self.content if isinstance(each, np.ndarray))


def _aligned(array: Any) -> Any:
    """Return the array where its elements are at addresses as compilers want them, else a copy.

    An array that has arrived from the network is anywhere in memory, and kernels would be compiled again for it.
    """
    return array if array.flags.aligned else array.copy()


def _do(
    work: Callable[..., Any], tasks: bytes, home: int, places: Sequence[tuple[int, int]], *shared: _Shared
) -> bytes:
    """Do the tasks of a call; return the seconds that it took, and the number and the result of each task.

    Packed here, since dask would send each of the many small arrays of a result by itself.
    """
    begun = time.perf_counter()
    job, *arrays = (shared[i].content[j] for i, j in places)
    done = [
        (number, call_ignoring_interrupts(work, home, job, units, *arrays)) for number, units in pickle.loads(tasks)
    ]
    return pickle.dumps((time.perf_counter() - begun, done), protocol=pickle.HIGHEST_PROTOCOL)


def _does_any(keys: set[str], dask_worker: Any) -> bool:
    return not keys.isdisjoint(dask_worker.active_threads.values())
