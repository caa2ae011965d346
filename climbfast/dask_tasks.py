"""Tasks on a cluster of dask.

joblib's own backend waits forever, or fails, when a worker is lost: the data that only this worker had are gone with
it. Here every worker has the data, and the loss of a worker is noticed.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from climbfast.errors import ClimbfastError

__all__ = ["DaskTasks", "WorkerLost"]

SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_FOR_RESULT = 5.0  # to arrive; it is lost if its worker is
SECONDS_FOR_WORKERS = 60.0
SMALL_BYTES = 1_000  # smaller arrays are sent with each task


class WorkerLost(Exception):  # noqa: N818  # the tasks are done again
    """A worker was lost, and with it the tasks that it was doing."""


class DaskTasks:
    """Sends tasks to the workers of a dask client.

    Parameters
    ----------
    client : distributed.Client
    backend : joblib's backend of dask
        Its options of ``submit`` are used.
    """

    def __init__(self, client: Any, backend: Any) -> None:
        self._client, self._backend = client, backend
        self._copies: dict[int, tuple[Any, Any]] = {}

    def wait_for_workers(self) -> None:
        """Wait until there is a worker.

        Raises
        ------
        ClimbfastError
            If there is none in time.
        """
        self._copies.clear()
        try:
            self._client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
        except (OSError, TimeoutError):
            raise ClimbfastError(
                "the dask cluster has no worker left: start one, and run again (a journal keeps what is finished)"
            ) from None

    def results(self, calls: Iterator[Any], at_once: int) -> Generator[Any, None, None]:
        """Yield the results of calls in any order; so many of them are with the cluster at once.

        Raises
        ------
        WorkerLost
        """
        finished: SimpleQueue[Any] = SimpleQueue()
        running: set[Any] = set()
        workers = set(self._client.ncores())
        try:
            with self._backend.retrieval_context():
                running.update(self._submit(call, finished) for call in islice(calls, at_once))
                while running:
                    future = self._next(finished, workers)
                    running.remove(future)
                    result = self._result(future, workers)
                    running.update(self._submit(call, finished) for call in islice(calls, 1))
                    yield result
            self._refuse_loss(workers)  # dask may have done the tasks again by itself
        except WorkerLost:
            self._client.cancel(list(running))
            self._wait_until_ended({future.key for future in running})
            raise
        finally:
            if running:
                self._client.cancel(list(running))

    def _submit(self, call: Any, finished: SimpleQueue[Any]) -> Any:
        function, arguments, _ = call
        future = self._client.submit(
            function, *map(self._copy, arguments), pure=False, **self._backend.submit_kwargs
        )  # fmt: skip
        future.add_done_callback(finished.put)
        return future

    def _copy(self, argument: Any) -> Any:
        """Return the future of a large array, of which every worker has a copy; anything else as it is."""
        if not isinstance(argument, np.ndarray) or argument.nbytes < SMALL_BYTES:
            return argument
        if id(argument) not in self._copies:
            try:
                copy = self._client.scatter(argument, broadcast=True, hash=False)
            except ValueError as error:  # "Can not use replicate to delete data": there is no worker at the moment
                raise WorkerLost from error
            self._copies[id(argument)] = argument, copy
        return self._copies[id(argument)][1]

    def _wait_until_ended(self, keys: set[str]) -> None:
        """Wait until no worker does these cancelled tasks, or is lost by one: the next loss has another cause."""
        while any(self._client.run(_does_any, keys, on_error="return").values()):
            time.sleep(SECONDS_BETWEEN_LOOKS)

    def _next(self, finished: SimpleQueue[Any], workers: set[str]) -> Any:
        while True:
            try:
                return finished.get(timeout=SECONDS_BETWEEN_LOOKS)
            except Empty:
                self._refuse_loss(workers)

    def _result(self, future: Any, workers: set[str]) -> Any:
        from distributed import KilledWorker

        while True:
            try:
                return future.result(timeout=SECONDS_FOR_RESULT)
            except (KilledWorker, CancelledError) as error:
                raise WorkerLost from error
            except TimeoutError:
                if future.done() and future.status == "error":  # of the task itself
                    raise
                self._refuse_loss(workers)

    def _refuse_loss(self, workers: set[str]) -> None:
        if not workers <= set(self._client.ncores()):
            raise WorkerLost


def _does_any(keys: set[str], dask_worker: Any) -> bool:
    return not keys.isdisjoint(dask_worker.active_threads.values())
