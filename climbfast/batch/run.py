"""All blankets of a data set: screen, neighbors, blankets, each pass in parallel over joblib and kept in a journal.

The screen tests all pairs of columns once with nothing given. The neighbors of every column are searched among those
it left, and every blanket is put together from them, so that no search runs twice. Methods that find a blanket as a
whole need neither, and run target by target. Serial, threads, processes and machines run the same functions.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from climbfast._version import __version__
from climbfast.batch.journal import Journal
from climbfast.batch.lazy_blankets import LazyBlankets
from climbfast.batch.packed_results import PackedResult, PackedResults, unpack_neighbors
from climbfast.batch.passes import (
    SearchJob,
    UnitResults,
    find_blankets,
    find_neighbors,
    screen_pairs,
    unpack_pairs,
)
from climbfast.batch.progress import Reporter, reporter
from climbfast.blankets.blankets import Blankets
from climbfast.compiling import announce_compilation
from climbfast.counting import check_counting
from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import Option, OptionError, Parts
from climbfast.independence.screen import ScreenResult, bitmaps_a_block, units_of_screen
from climbfast.independence.tests import TestOptions, as_test
from climbfast.interrupts import hearing_interrupts, undisturbed
from climbfast.local.getpcd import getpcd
from climbfast.local.neighborhoods import Symmetry
from climbfast.local.neighbors import Search
from climbfast.local.partition import NODE_BUDGET
from climbfast.local.plan import Plan, plan_blanket
from climbfast.options import flag, workers_asked_for
from climbfast.workers import arrays_of, expected_seconds, forget

if TYPE_CHECKING:
    from joblib import Parallel

__all__ = ["Interrupted", "markov_blankets"]

MOST_COLUMNS_A_TASK = 64  # some 30 ms of work for each of a few hundred rows and more: short enough to stop by
FEWEST_TASKS = 64
TASKS_A_ROUND = 4  # for each worker, where joblib hands results over by rounds only
# Smaller arrays go along with every task; joblib's own limit of 1 MiB would send the tables again and again.
BYTES_IN_MEMORY_MAPS = 10_000
JOBLIB_BYTES_IN_MEMORY_MAPS = 2**20
# Columns away from a target whose neighbors its blanket asks for, by the rule of symmetry; "or" may ask for any.
REACH = {"none": 1, "children": 1, "and": 4}
# Below, a pool of workers costs more than it saves: threads some milliseconds, processes two seconds to come up.
SECONDS_FOR_THREADS, SECONDS_FOR_PROCESSES = 0.5, 8.0
# Searches that run compiled stay in threads for so much longer jobs, since these rarely wait for each other:
# 18,373 × 5,102 took two of them 7 seconds, two processes 12.
TIMES_LONGER_COMPILED = 5


class Interrupted(Parts, KeyboardInterrupt):
    """A run that was stopped by Ctrl-C; the message says what is kept and how to go on."""


def markov_blankets(
    data: Dataset | Any,
    targets: Iterable[Hashable] | None = None,
    method: str = "climb",
    test: str | TestOptions = "sci",
    *,
    n_jobs: int | None = -1,
    journal: str | Path | None = None,
    resume: bool = True,
    progress: bool | Reporter = True,
    min_bits: float | str | None = None,
    max_given: int | str | None = "default",
    neighbors: str | Search | None = None,
    symmetry: Symmetry | None = None,
    orient: bool | None = None,
    min_margin: float = 0.0,
    node_budget: int = NODE_BUDGET,
    counting: str = "auto",
) -> Blankets:
    """Find the parents, children and spouses of many columns.

    Parameters
    ----------
    data : Dataset or frame
        A frame goes through ``Dataset.from_frame``.
    targets : iterable of Hashable, optional
        Names of columns; None is all.
    method, max_given, neighbors, symmetry, orient, min_margin, node_budget, counting
        See ``markov_blanket``, whose blankets are the same.
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI
    n_jobs : int or None
        Workers, as joblib counts them: None and -1 are one for every core, unless ``joblib.parallel_config`` says
        otherwise.
    journal : path, optional
        A file that keeps what is finished, so that a run that was stopped goes on from there.
    resume : bool
        Whether to go on if the journal is there already; otherwise that is an error.
    progress : bool or Reporter
        Whether to tell on standard error how it goes on; or an object with ``begin``, ``advance`` and ``end``.
    min_bits : float, "auto" or None
        Short for ``test=SCI(min_bits=...)``. "auto" keeps pairs out of wide data that depend by chance alone.

    Returns
    -------
    Blankets
        ``how`` says which workers there were and why. The tests of a blanket are those of its own searches; those
        with nothing given are made once for all and counted there.

    Raises
    ------
    UnknownColumnError
        For a target that the data do not have.
    OptionError
        For an option outside its legal values, and for a journal of a search of one's own.
    DataError
        For a frame that cannot be read as discrete data.
    JournalError
        For a journal that is another run's, or cannot be written.
    Interrupted
        On Ctrl-C, which is a KeyboardInterrupt.

    Notes
    -----
    ``joblib.parallel_config`` chooses the backend: loky, threading, dask, ray, or another that is registered. Without,
    small jobs run serially, middling ones in threads, large ones in processes. The result is the same to the bit.

    References
    ----------
    See ``markov_blanket``.
    """
    plan = plan_blanket(
        method,
        max_given=max_given,
        neighbors=neighbors,
        symmetry=symmetry,
        orient=orient,
        min_margin=min_margin,
        node_budget=node_budget,
    )
    data, chosen = as_dataset(data), _test(test, min_bits)
    check_counting(counting)
    if journal is not None and not plan.registered:
        raise OptionError(
            "a journal cannot tell two custom searches apart; leave out ",
            Option("journal"),
            " or ",
            Option("neighbors"),
        )
    run = _Run(data, _columns(data, targets), plan, chosen, counting)
    workers, teller = _workers(n_jobs, run), reporter(wanted=progress)
    kept = (
        Journal(journal, run.identity(all_columns=targets is None), resume=flag("resume", resume))
        if journal is not None
        else None
    )
    try:
        return run.blankets(workers, kept, teller)
    except KeyboardInterrupt:
        raise run.interrupted(kept) from None
    finally:
        teller.end()
        forget()
        if kept is not None:
            kept.close()


def _test(test: str | TestOptions, min_bits: float | str | None) -> TestOptions:
    if hasattr(test, "sweep"):
        raise OptionError(
            Option("test"), " is a custom test; a run over many columns takes a test by its name or options"
        )
    return as_test(test, min_bits=min_bits)


def _columns(data: Dataset, targets: Iterable[Hashable] | None) -> tuple[int, ...]:
    if targets is None:
        return tuple(range(data.columns))
    named = [targets] if isinstance(targets, str) or not isinstance(targets, Iterable) else list(targets)
    if not named:
        raise OptionError("there are no targets; name some, or leave ", Option("targets"), " out for all columns")
    return tuple(sorted({data.index(name) for name in named}))


class _Workers(NamedTuple):
    """Workers that were chosen, and why."""

    n_jobs: int
    prefer: str
    why: str


def _workers(n_jobs: int | None, run: _Run) -> _Workers:
    """Choose serial, threads or processes by the size of the job, unless ``joblib.parallel_config`` did."""
    from joblib.parallel import get_active_backend

    n_jobs = workers_asked_for(n_jobs)
    active = get_active_backend()[0]
    # Where threads are preferred, joblib answers 1 whatever is configured.
    configured = get_active_backend(prefer=None, require=None)[1]
    asked = int(configured or -1) if n_jobs in (-1, None) else n_jobs
    many = active.effective_n_jobs(asked)
    if getattr(active, "supports_sharedmem", False):
        return _Workers(asked, "threads", "the backend that joblib.parallel_config names")
    if type(get_active_backend(prefer="threads")[0]) is type(active):
        return _Workers(asked, "processes", "the backend that joblib.parallel_config names")
    seconds = run.expected_seconds()
    if many == 1 or len(run.targets) == 1:
        return _Workers(1, "threads", "one worker" if many == 1 else "one target")
    if seconds < SECONDS_FOR_THREADS:
        return _Workers(1, "threads", "a job too small for more than one worker")
    if seconds < SECONDS_FOR_PROCESSES * (TIMES_LONGER_COMPILED if run.compiled else 1):
        why = "every pass is compiled, which threads share well" if run.compiled else "a job too small for processes"
        return _Workers(many, "threads", why)
    return _Workers(many, "processes", "a job large enough for processes")


def _pool_of(workers: _Workers) -> Parallel:
    from joblib import Parallel
    from joblib.parallel import get_active_backend

    backend = get_active_backend(prefer=workers.prefer)[0]
    settings: dict[str, Any] = {"n_jobs": workers.n_jobs, "prefer": workers.prefer, "batch_size": 1}
    # multiprocessing and ray return lists alone; loky, threads and dask each result as it comes.
    settings["return_as"] = "generator_unordered" if backend.supports_return_generator else "list"
    pool = Parallel(**settings)
    # An argument would overrule parallel_config, and nothing public tells what that says.
    if pool._backend_kwargs["max_nbytes"] == JOBLIB_BYTES_IN_MEMORY_MAPS:
        pool = Parallel(**settings, max_nbytes=BYTES_IN_MEMORY_MAPS)
    return pool


def _name_of(pool: Parallel) -> str:
    """Name the backend that came up, which may be another than was asked for: one worker is serial in loky."""
    from joblib.parallel import BACKENDS

    backend = type(pool._backend)
    if pool._effective_n_jobs() == 1 and backend.__name__ in ("SequentialBackend", "ThreadingBackend"):
        return "serial"
    known = next((name for name, kind in BACKENDS.items() if kind is backend), backend.__name__)
    return {"threading": "threads", "loky": "processes", "multiprocessing": "processes"}.get(known, known)


@dataclass
class _Spent:
    """What the passes of a run cost."""

    seconds: dict[str, float]
    tests: int = 0
    skipped: int = 0

    def add(self, tests: int, skipped: int) -> None:
        self.tests += tests
        self.skipped += skipped


class _Run:
    """One run: what is asked for, and how far it is."""

    def __init__(self, data: Dataset, targets: tuple[int, ...], plan: Plan, test: TestOptions, counting: str) -> None:
        self.data, self.targets, self._plan, self._test, self._counting = data, targets, plan, test, counting
        self._spent = _Spent({})
        # A few targets among many columns ask for few pairs; a search of the user's own may ask for others.
        self._screens = plan.of_neighbors and plan.registered and 8 * len(targets) >= data.columns
        self._pass = ""

    def identity(self, *, all_columns: bool) -> dict[str, Any]:
        """Return what a journal is keyed by."""
        targets = [self.data.canonical[x] for x in self.targets]
        # As JSON has them, so that 1 is not "1"; others with their type.
        names = [x if isinstance(x, (str, int)) else f"{type(x).__name__} {x}" for x in targets]
        return {
            "data": self.data.fingerprint,
            "version": __version__,
            "options": {
                **self._plan.to_dict(),
                "test": {"name": self._test.name, **asdict(self._test)},
                "targets": "all" if all_columns else names,
                "bitmaps_a_block": bitmaps_a_block(self.data),
            },
        }

    @property
    def compiled(self) -> bool:
        """Whether every pass runs compiled."""
        return self._plan.compiled and self._plan.search is getpcd and self._screens

    def expected_seconds(self) -> float:
        """Guess how long one worker takes."""
        return expected_seconds(self.data, len(self.targets), pairs_once=self._screens)

    def interrupted(self, journal: Journal | None) -> Interrupted:
        """Say what is kept of a run that was stopped."""
        where = f"interrupted in the pass {self._pass!r}" if self._pass else "interrupted"
        if journal is None:
            return Interrupted(
                f"{where}; nothing is kept of it: only a run with ", Option("journal", ...),
                " can go on where it was stopped",
            )  # fmt: skip
        kept = f"{where}; what is finished is kept in {journal.path}: the same with "
        return Interrupted(kept, Option("resume", value=True), " goes on from there")

    def blankets(self, workers: _Workers, journal: Journal | None, teller: Reporter) -> Blankets:
        """Run the passes."""
        begun = time.perf_counter()
        announce_compilation()
        job = SearchJob(
            plan=self._plan, test=self._test, counting=self._counting, rows=self.data.rows,
            units=self.data.log_tables.units,
        )  # fmt: skip
        arrays = arrays_of(self.data)
        if journal is not None:
            for name, units in self._passes():
                journal.open_pass(name, units)
        with hearing_interrupts() as stopping, _pool_of(workers) as pool:
            go = _Pool(pool, job, journal, teller, stopping)
            searches = None
            if self._plan.of_neighbors:
                searches = self._neighbors(go, arrays, self._screen(go, arrays) if self._screens else ())
            with self._timed("blankets"):
                known = () if searches is None else searches.arrays
                done = go.through("blankets", find_blankets, self.targets, (*arrays, *known))
                found = PackedResults.gathered(done, self.data.columns)
            came_up = {"workers": pool._effective_n_jobs(), "backend": _name_of(pool), "why": workers.why}
        for records in (found, searches):
            if records is not None:
                self._spent.add(*records.cost())
        named = LazyBlankets(self.data, self.targets, found, searches, self._in_common())
        return Blankets.of_run(named, {**self._how(), **came_up, "seconds": time.perf_counter() - begun})

    def _passes(self) -> Iterator[tuple[str, int]]:
        """Yield the passes and how many units each has at least."""
        if self._screens:
            yield "screen", len(units_of_screen(self.data))
        if self._plan.of_neighbors:
            yield "neighbors", self.data.columns if self._plan.symmetry == "or" else len(self.targets)
        yield "blankets", len(self.targets)

    def _screen(self, go: _Pool, arrays: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
        with self._timed("screen"):
            units = range(len(units_of_screen(self.data)))
            done = go.through("screen", screen_pairs, units, arrays, at_most=1)
            parts = [unpack_pairs(done[unit]) for unit in units]
            self._spent.add(sum(part.tests for part in parts), sum(part.skipped for part in parts))
            return ScreenResult.gathered(parts, self.data.columns).arrays

    def _neighbors(self, go: _Pool, arrays: Sequence[NDArray[Any]], screen: Sequence[NDArray[Any]]) -> PackedResults:
        """Search around the targets, and around what their blankets will ask for, as far as that reaches."""
        with self._timed("neighbors"):
            found: dict[int, PackedResult] = {}
            wanted = set(range(self.data.columns)) if self._plan.symmetry == "or" else set(self.targets)
            for _ in range(1 + REACH.get(self._plan.symmetry, 0)):
                if not wanted:
                    break
                new = go.through("neighbors", find_neighbors, sorted(wanted), (*arrays, *screen))
                found.update(new)
                if len(found) == self.data.columns:
                    break
                wanted = {y for record in new.values() for y in unpack_neighbors(record)[0].members} - set(found)
            return PackedResults.gathered(found, self.data.columns)

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        self._pass = name
        yield
        self._spent.seconds[name] = time.perf_counter() - begun

    def _in_common(self) -> dict[str, Any]:
        """What all blankets of the run say of how they were found."""
        return {
            **self._plan.provenance(self._test),
            "rows": self.data.rows,
            "columns": self.data.columns,
        }

    def _how(self) -> Mapping[str, Any]:
        return {
            **self._plan.to_dict(),
            "test": self._test.name,
            "test_options": asdict(self._test),
            "data": self.data.fingerprint,
            "rows": self.data.rows,
            "columns": self.data.columns,
            "targets": len(self.targets),
            "screened": self._screens,
            "tests": self._spent.tests,
            "skipped": self._spent.skipped,
            "seconds_by_pass": self._spent.seconds,
            "version": __version__,
        }


class _Pool:
    """The workers, and the way of every pass through them: what the journal has is not done again."""

    def __init__(
        self, pool: Parallel, job: SearchJob, journal: Journal | None, teller: Reporter, stopping: Callable[[], bool]
    ) -> None:
        self._pool, self._job, self._journal, self._teller, self._stopping = pool, job, journal, teller, stopping

    def through(
        self, name: str, work: Callable[..., UnitResults], units: Sequence[int], arrays: Sequence[NDArray[Any]],
        at_most: int = MOST_COLUMNS_A_TASK,
    ) -> dict[int, PackedResult]:  # fmt: skip
        """Do the units of a pass that are not done; return the records of all."""
        done: dict[int, PackedResult] = {}
        if self._journal is not None:
            done = self._journal.done(name)
            # Around the neighbors of targets there is a second round, and a third: the pass grows.
            self._journal.open_pass(name, len({*done, *units}))
        left = [unit for unit in units if unit not in done]
        self._teller.begin(name, len(units) - len(left), len(units))
        size = max(1, min(at_most, len(units) // FEWEST_TASKS))
        pieces = [left[start : start + size] for start in range(0, len(left), size)]
        results = self._results(work, pieces, arrays)
        try:
            for finished in results:
                if self._journal is not None:
                    self._journal.write(name, finished.results)
                done.update(finished.results)
                self._teller.advance(len(finished.results), finished.tests)
        except BaseException as error:
            # joblib learns of it and stops its workers; a generator that is merely dropped warns of unused results.
            results.throw(error)
            raise
        if self._stopping():
            raise KeyboardInterrupt
        return {unit: done[unit] for unit in units}

    def _results(
        self, work: Callable[..., UnitResults], pieces: Sequence[Sequence[int]], arrays: Sequence[NDArray[Any]]
    ) -> Generator[UnitResults, None, None]:
        together = TASKS_A_ROUND * self._pool._effective_n_jobs() if self._pool.return_as == "list" else len(pieces)
        for start in range(0, len(pieces), max(together, 1)):
            yield from self._pool(self._tasks(work, pieces[start : start + together], arrays))

    def _tasks(
        self, work: Callable[..., UnitResults], pieces: Sequence[Sequence[int]], arrays: Sequence[NDArray[Any]]
    ) -> Iterator[Any]:
        """Yield what joblib runs, until Ctrl-C."""
        from joblib import delayed

        for piece in pieces:
            if self._stopping():
                return
            yield delayed(undisturbed)(work, os.getpid(), self._job, piece, *arrays)
