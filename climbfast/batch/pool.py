"""The workers of a run: their choice by the size of the job, and the passes that they run.

joblib provides the workers (see ``climbfast.task_pool``). ``joblib.parallel_config`` overrides the choice: any backend
that is registered can be used, because serial runs, threads, processes and machines call the same functions, those of
``passes``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from numpy.typing import NDArray

from climbfast.batch.journal import Journal
from climbfast.batch.packed_results import PackedResult
from climbfast.batch.passes import UnitResults
from climbfast.batch.progress import NoProgress, ProgressReporter
from climbfast.options import workers_asked_for
from climbfast.task_pool import TaskPool

__all__ = ["PassRunner", "WorkerChoice", "choose_workers"]

# For some hundred rows a task then takes about 30 ms: short enough to stop a run between tasks.
MOST_COLUMNS_PER_TASK = 64
FEWEST_TASKS = 64
TASKS_PER_WORKER = 4  # at least, so that none of many workers is idle at the end
# For shorter jobs a pool costs more than it saves: threads start in some milliseconds, processes in two seconds.
SECONDS_FOR_THREADS, SECONDS_FOR_PROCESSES = 0.5, 8.0
# Compiled searches use threads for jobs that are this many times longer, since their threads rarely wait for each
# other: 18,373 × 5,102 took two threads 7 seconds and two processes 12.
TIMES_LONGER_COMPILED = 5


class WorkerChoice(NamedTuple):
    """The number and kind of workers of a run, and the reason."""

    n_jobs: int
    prefer: str
    why: str


def choose_workers(n_jobs: int | None, *, seconds: float, targets: int, compiled: bool) -> WorkerChoice:
    """Choose one worker, threads or processes by the size of the job, unless ``joblib.parallel_config`` chooses.

    Parameters
    ----------
    n_jobs : int or None
        Workers, as joblib counts them.
    seconds : float
        Expected time of the job with one worker.
    targets : int
        Number of targets.
    compiled : bool
        Whether every pass is one compiled call per task.
    """
    from joblib.parallel import get_active_backend

    n_jobs = workers_asked_for(n_jobs)
    active = get_active_backend()[0]
    # With a preference for threads, joblib would return 1 whatever is configured.
    configured = get_active_backend(prefer=None, require=None)[1]
    requested = int(configured or -1) if n_jobs in (-1, None) else n_jobs
    effective = active.effective_n_jobs(requested)
    if getattr(active, "supports_sharedmem", False):
        return WorkerChoice(requested, "threads", "the backend that joblib.parallel_config names")
    if type(get_active_backend(prefer="threads")[0]) is type(active):
        return WorkerChoice(requested, "processes", "the backend that joblib.parallel_config names")
    if effective == 1 or targets == 1:
        return WorkerChoice(1, "threads", "one worker" if effective == 1 else "one target")
    if seconds < SECONDS_FOR_THREADS:
        return WorkerChoice(1, "threads", "a job too small for more than one worker")
    if seconds < SECONDS_FOR_PROCESSES * (TIMES_LONGER_COMPILED if compiled else 1):
        why = "every pass is compiled, so threads rarely wait" if compiled else "a job too small for processes"
        return WorkerChoice(effective, "threads", why)
    return WorkerChoice(effective, "processes", "a job large enough for processes")


class PassRunner:
    """Runs the passes of a job on a pool; units that the journal has are not done again.

    Parameters
    ----------
    pool : TaskPool
    job : object
        What all tasks of the run have in common.
    journal : Journal or None
    reporter : ProgressReporter
    is_interrupted : function
        Whether Ctrl-C was pressed; then no more tasks are started.
    describe : function
        Returns the words for a unit, from the name of its pass and its number.
    seconds : float
        Expected time of the job with one worker. A short job of one worker that shows and keeps nothing, as in a
        replicate of a bootstrap, has few tasks: 64 of them would take as long as their work.
    """

    def __init__(
        self,
        pool: TaskPool[UnitResults],
        job: object,
        journal: Journal | None,
        reporter: ProgressReporter,
        is_interrupted: Callable[[], bool],
        describe: Callable[[str, int], str],
        *,
        seconds: float = math.inf,
    ) -> None:
        self._pool, self._job, self._journal = pool, job, journal
        self._reporter, self._is_interrupted, self._describe = reporter, is_interrupted, describe
        is_silent = journal is None and isinstance(reporter, NoProgress)
        is_short = pool.workers == 1 and seconds < SECONDS_FOR_THREADS
        self._fewest_tasks = 1 if is_silent and is_short else max(FEWEST_TASKS, TASKS_PER_WORKER * pool.workers)

    def run_pass(
        self, name: str, work: Callable[..., UnitResults], units: Sequence[int], arrays: Sequence[NDArray[Any]],
        most_per_task: int = MOST_COLUMNS_PER_TASK, known: Mapping[int, PackedResult] = MappingProxyType({}),
    ) -> dict[int, PackedResult]:  # fmt: skip
        """Do the units of a pass that are neither known nor in the journal; return the packed results of all units."""
        done = dict(known)
        if self._journal is not None:
            done |= self._journal.done(name)
            # A pass can grow: the neighbors of the targets are searched in a second round, and a third.
            self._journal.open_pass(name, len({*done, *units}))
        left = [unit for unit in units if unit not in done]
        self._reporter.begin(name, len(units) - len(left), len(units))
        size = max(1, min(most_per_task, len(units) // self._fewest_tasks))
        tasks = [left[start : start + size] for start in range(0, len(left), size)]
        results = self._pool.results(work, tasks, self._job, arrays, partial(self._describe, name))
        try:
            for _, finished in results:
                if self._journal is not None:
                    self._journal.write(name, finished.results)
                done.update(finished.results)
                self._reporter.advance(len(finished.results), finished.tests)
        except BaseException as error:
            results.throw(error)  # the pool then stops its workers
            raise
        if self._is_interrupted():
            raise KeyboardInterrupt
        return {unit: done[unit] for unit in units}
