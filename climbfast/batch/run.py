"""All blankets of a data set in three passes: screen, neighbors, blankets. Each runs in parallel, with a journal.

The screen tests all pairs of columns once, marginally. The neighbors of every column are searched among the columns
that depend on it, and every blanket is assembled from these neighbors, so that no search runs twice. Methods that
search a blanket as a whole need neither pass, and run target by target.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from numpy.typing import NDArray

from climbfast._version import __version__
from climbfast.batch.journal import Journal
from climbfast.batch.lazy_blankets import LazyBlankets
from climbfast.batch.packed_results import PackedResult, PackedResults, unpack_neighbors
from climbfast.batch.passes import SearchJob, UnitResults, find_blankets, find_neighbors, screen_pairs, unpack_pairs
from climbfast.batch.pool import PassRunner, WorkerChoice, choose_workers
from climbfast.batch.progress import ProgressReporter, progress_reporter
from climbfast.blankets.blankets import Blankets
from climbfast.blankets.find import options_of_searches
from climbfast.blankets.from_graphs import best_blankets, refuse_other_options
from climbfast.compiling import announce_compilation, seconds_of_work
from climbfast.counting import check_counting
from climbfast.dataset import Dataset, ReadingOptions, Representative, as_dataset
from climbfast.errors import Option, OptionError, Parts
from climbfast.independence.chance import warn_of_chance_pairs
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.screen import ScreenResult, bitmaps_a_block, units_of_screen
from climbfast.independence.tests import TestOptions, as_test, is_custom
from climbfast.interrupts import defer_interrupts
from climbfast.knowledge import Knowledge, KnowledgeOption, as_knowledge
from climbfast.local.find import ColumnNames, searched_columns
from climbfast.local.getpcd import getpcd
from climbfast.local.methods import BEST
from climbfast.local.neighborhoods import Symmetry
from climbfast.local.neighbors import Search
from climbfast.local.partition import NODE_BUDGET
from climbfast.local.plan import Plan, plan_blanket
from climbfast.names import sorted_by_name
from climbfast.options import flag
from climbfast.task_pool import TaskPool, WorkerError
from climbfast.workers import arrays_of, expected_seconds, forget

__all__ = ["Interrupted", "markov_blankets", "without_checks"]

# By rule of symmetry, the largest distance from a target to a column whose neighbors its blanket depends on. With "or"
# it may be any column.
REACH = {"none": 1, "children": 1, "and": 4}


_checks = ContextVar("checks", default=True)


@contextmanager
def without_checks() -> Iterator[None]:
    """Find blankets of which only members and figures are wanted, as in replicates.

    What they leave unexplained is not looked for, no warning of chance comes before the work, and ``how`` does not have
    the fingerprint of the data.
    """
    before = _checks.set(False)
    try:
        yield
    finally:
        _checks.reset(before)


class Interrupted(Parts, KeyboardInterrupt):
    """A run that was stopped by Ctrl-C; the message says what is saved and how to continue.

    Examples
    --------
    >>> import climbfast as cf
    >>> def search(data, journal):
    ...     try:
    ...         return cf.markov_blankets(data, journal=journal, progress=False)
    ...     except cf.Interrupted as interruption:
    ...         print(interruption)  # the same call goes on later
    """


def markov_blankets(
    data: Dataset | Any,
    targets: Iterable[Hashable] | None = None,
    method: str = "climb",
    test: str | TestOptions = "sci",
    *,
    n_jobs: int | None = -1,
    journal: str | Path | None = None,
    resume: bool = True,
    progress: bool | ProgressReporter = True,
    min_bits: float | str | None = None,
    max_given: int | str | None = "default",
    max_pool: int | None = MAX_POOL,
    neighbors: str | Search | None = None,
    symmetry: Symmetry | None = None,
    orient: bool | None = None,
    colliders: bool | None = None,
    directions: str = "decided",
    min_margin: float | None = None,
    node_budget: int = NODE_BUDGET,
    knowledge: KnowledgeOption = None,
    representative: Representative = None,
    counting: str = "auto",
    **reading: Unpack[ReadingOptions],
) -> Blankets:
    """Find the parents, children and spouses of many columns.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    targets : iterable of Hashable, optional
        Names of columns. Default: all columns.
    method, max_given, max_pool, neighbors, symmetry, orient, colliders, directions, min_margin, node_budget
        See ``markov_blanket``, which returns the same blankets; only "best" reads all of them off the graph of all
        columns, however many there are.
    knowledge : Knowledge, path of a file, or None
        What is known beforehand: tiers, required and forbidden edges. The result obeys it.
    representative, counting
        See ``markov_blanket``.
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI
    n_jobs : int or None
        Number of workers, as joblib counts them: None and -1 are one worker per core, unless
        ``joblib.parallel_config`` sets a number. "best" has one, which searches the graph.
    journal : path, optional
        A file that stores finished work, so that a stopped run can be continued.
    resume : bool
        Whether to continue a run if its journal exists; False raises an error instead.
    progress : bool or object with ``begin``, ``advance`` and ``end``
        Whether to show the progress on standard error, in a notebook below the cell; or an object that is called with
        it (see ``climbfast.batch.progress.ProgressReporter``).
    min_bits : float, "auto" or None
        Short for ``test=SCI(min_bits=...)``. "auto" excludes pairs of wide data that are dependent only by chance.
    **reading
        Options of ``Dataset.from_frame`` for a frame, see ``markov_blanket``.

    Returns
    -------
    Blankets
        ``how`` contains the workers and the reason for their choice. The numbers of tests of a blanket are those of
        its own searches. Marginal tests are made once for all blankets, and are counted only in ``how``.

    Raises
    ------
    UnknownColumnError
        For a target, or a name in the knowledge, that is not a column of the data.
    KnowledgeError
        For knowledge that contradicts itself, and where it tells a target from a copy that is searched in its place.
    OptionError
        For an option outside its legal values, and for a journal together with a custom search.
    DataError
        For a frame that cannot be read as discrete data.
    JournalError
        For a journal of another run, or one that cannot be written.
    WorkerError
        For a column whose search ended three worker processes.
    Interrupted
        On Ctrl-C. It is a KeyboardInterrupt.

    Warns
    -----
    ClimbfastWarning
        Before the work, if 10 pairs and more for each of at least 100 columns will be dependent by chance alone; it
        says how many. Their number is the share of dependent pairs among some columns that are shuffled. A run over
        less than an eighth of the columns does not test all pairs, and does not warn.

    Notes
    -----
    ``joblib.parallel_config`` selects the backend: loky, threading, dask, ray, or another registered one. By default,
    small jobs run serially, medium jobs in threads and large jobs in processes. The result is identical in all cases.
    Workers of loky and dask may be lost, as when memory is short: their work is done again, with one warning.

    References
    ----------
    See ``markov_blanket``.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(500, seed=1)
    >>> blankets = cf.markov_blankets(data, progress=False)
    >>> len(blankets)
    15
    >>> blankets["heart_disease"].parents
    ('cholesterol', 'smoking')
    >>> blankets["heart_disease"].spouses
    ('sleep',)
    """
    if method == BEST:
        refuse_other_options(
            options_of_searches(
                max_given=max_given,
                max_pool=max_pool,
                neighbors=neighbors,
                symmetry=symmetry,
                orient=orient,
                colliders=colliders,
                min_margin=min_margin,
                node_budget=node_budget,
                counting=counting,
                journal=journal,
            )
        )
        data = as_dataset(data, **reading).represented_by(representative)
        progress_reporter(progress=progress)  # checks it: what shows that the search lasts is its line of activity
        known = as_knowledge(knowledge, data.names)
        return _read_off_graph(data, targets, _test(test, min_bits), directions, known, shown=progress is not False)
    plan = plan_blanket(
        method,
        max_given=max_given,
        max_pool=max_pool,
        neighbors=neighbors,
        symmetry=symmetry,
        orient=orient,
        colliders=colliders,
        directions=directions,
        min_margin=min_margin,
        node_budget=node_budget,
    )
    data, chosen = as_dataset(data, **reading).represented_by(representative), _test(test, min_bits)
    check_counting(counting)
    known = as_knowledge(knowledge, data.names)
    if known is not None:
        plan.refuse_knowledge()
    if journal is not None and not plan.registered:
        raise OptionError(
            "a journal cannot distinguish two custom searches; leave out ",
            Option("journal"),
            " or ",
            Option("neighbors"),
        )
    run = _Run(data, _columns(data, targets), plan, chosen, counting, known)
    workers, reporter = run.choose_workers(n_jobs), progress_reporter(progress=progress)
    opened = (
        Journal(journal, run.identity(all_columns=targets is None), resume=flag("resume", resume))
        if journal is not None
        else None
    )
    try:
        if opened is None or not opened.is_continued:  # else the run that was stopped has said it
            run.warn()
        return run.blankets(workers, opened, reporter)
    except KeyboardInterrupt:
        raise run.interrupted(opened) from None
    except WorkerError as error:
        if opened is None:
            raise
        raise WorkerError(*error.parts, f"; finished work is saved in {opened.path}") from error
    finally:
        reporter.end()
        forget()
        if opened is not None:
            opened.close()


def _read_off_graph(
    data: Dataset,
    targets: Iterable[Hashable] | None,
    test: TestOptions,
    directions: str,
    known: Knowledge | None,
    *,
    shown: bool,
) -> Blankets:
    """Find all blankets by the method "best"."""
    begun = seconds_of_work()
    names = [data.canonical[x] for x in _columns(data, targets)]
    found, how = best_blankets(
        data, names, test, directions=directions, known=known, shown=shown, checked=_checks.get()
    )
    how |= {"targets": len(found), "workers": 1, "backend": "serial", "why": "one graph for all"}
    return Blankets(found, {**how, "seconds": seconds_of_work() - begun}, data)


def _test(test: str | TestOptions, min_bits: float | str | None) -> TestOptions:
    if is_custom(test):
        raise OptionError(
            Option("test"), " is a custom test; a run over many columns needs a test by its name or options"
        )
    return as_test(test, min_bits=min_bits)


def _as_json(value: Any) -> Any:
    """Return the same in values of JSON, where names of other types are written with their type."""
    if isinstance(value, dict):
        return {key: _as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(each) for each in value]
    return value if isinstance(value, str | int) else f"{type(value).__name__} {value}"


def _columns(data: Dataset, targets: Iterable[Hashable] | None) -> tuple[int, ...]:
    if targets is None:
        return tuple(range(data.columns))
    names = [targets] if isinstance(targets, str) or not isinstance(targets, Iterable) else list(targets)
    if not names:
        raise OptionError("there are no targets; name some, or leave ", Option("targets"), " out for all columns")
    return tuple(sorted({data.index(name) for name in names}))


@dataclass
class _RunCost:
    """Seconds by pass, and the numbers of tests made and skipped."""

    seconds: dict[str, float]
    tests: int = 0
    skipped: int = 0

    def add(self, tests: int, skipped: int) -> None:
        self.tests += tests
        self.skipped += skipped


class _Run:
    """One run: its options, the pass that is running, and the cost so far."""

    def __init__(
        self,
        data: Dataset,
        targets: tuple[int, ...],
        plan: Plan,
        test: TestOptions,
        counting: str,
        known: Knowledge | None,
    ) -> None:
        self.data, self._plan, self._test, self._counting, self._known = data, plan, test, counting, known
        self.targets = sorted_by_name(data.canonical[x] for x in targets)
        self._cost = _RunCost({})
        # A few targets among many columns need few of the pairs; a custom search may use pairs that a screen drops.
        self._screens = plan.of_neighbors and plan.registered and 8 * len(targets) >= data.columns
        self._pass = ""

    @cached_property
    def _searched(self) -> Dataset:
        return searched_columns(self.data, self._test)[0]

    @cached_property
    def _names(self) -> ColumnNames:
        return searched_columns(self.data, self._test, self._known, self.targets)[1]

    @cached_property
    def _target_columns(self) -> tuple[int, ...]:
        """The columns to search around: those of the targets, or of the copies that stand for them."""
        return tuple(sorted({self._names.column(target) for target in self.targets}))

    def identity(self, *, all_columns: bool) -> dict[str, Any]:
        """Return the data, version and options by which a journal recognizes its run."""
        # JSON distinguishes 1 from "1"; names of other types are written with their type.
        names = [x if isinstance(x, (str, int)) else f"{type(x).__name__} {x}" for x in self.targets]
        treatment = self.data.treatment.options(())
        representative = {name: treatment[name] for name in ("representative",) if name in treatment}
        return {
            "data": self.data.fingerprint,
            "version": __version__,
            "options": {
                **self._plan.to_dict(),
                **representative,
                **self._knowledge(),
                "test": {"name": self._test.name, **asdict(self._test)},
                "targets": "all" if all_columns else names,
                "bitmaps_a_block": bitmaps_a_block(self._searched),
            },
        }

    def _knowledge(self) -> dict[str, Any]:
        """Return what is known, for the journal and ``how``; nothing without knowledge."""
        return {} if self._known is None else {"knowledge": _as_json(self._known.to_dict())}

    @cached_property
    def _seconds(self) -> float:
        """The expected time with one worker."""
        return expected_seconds(self.data, len(self.targets), pairs_once=self._screens)

    def choose_workers(self, n_jobs: int | None) -> WorkerChoice:
        """Choose the workers by the size of the run."""
        return choose_workers(
            n_jobs,
            seconds=self._seconds,
            targets=len(self.targets),
            compiled=self._plan.compiled and self._plan.search is getpcd and self._screens,
        )

    def interrupted(self, journal: Journal | None) -> Interrupted:
        """Return the exception for Ctrl-C, whose message says what is saved."""
        where = f"interrupted in the pass {self._pass!r}" if self._pass else "interrupted"
        if journal is None:
            return Interrupted(
                f"{where}; nothing is saved: only a run with ", Option("journal", ...), " can be continued"
            )
        saved = f"{where}; finished work is saved in {journal.path}: repeat the run with "
        return Interrupted(saved, Option("resume", value=True), " to continue")

    def warn(self) -> None:
        """Warn before the work of what the screen will find by chance; not in each replicate of a bootstrap."""
        if self._screens and _checks.get():
            warn_of_chance_pairs(self._searched, self._test, self._names.allowed)

    def blankets(self, workers: WorkerChoice, journal: Journal | None, reporter: ProgressReporter) -> Blankets:
        """Run the passes."""
        begun = time.perf_counter()
        announce_compilation()
        job = SearchJob(
            plan=self._plan, test=self._test, counting=self._counting, rows=self.data.rows,
            units=self._searched.log_tables.units, allowed=self._names.allowed, checked=_checks.get(),
        )  # fmt: skip
        arrays = arrays_of(self._searched)
        if journal is not None:
            for name, units in self._passes():
                journal.open_pass(name, units)
        with (
            defer_interrupts() as is_interrupted,
            TaskPool[UnitResults](workers.n_jobs, workers.prefer, is_interrupted) as pool,
        ):
            runner = PassRunner(pool, job, journal, reporter, is_interrupted, self._describe, seconds=self._seconds)
            neighbors = None
            if self._plan.of_neighbors:
                neighbors = self._neighbors(runner, arrays, self._screen(runner, arrays) if self._screens else ())
            with self._timed("blankets"):
                known = () if neighbors is None else neighbors.arrays
                done = runner.run_pass("blankets", find_blankets, self._target_columns, (*arrays, *known))
                blankets = PackedResults.gather(done, self._searched.columns)
            how = {"workers": pool.workers, "backend": pool.backend, "why": workers.why}
        for packed in (blankets, neighbors):
            if packed is not None:
                self._cost.add(*packed.cost())
        by_name = LazyBlankets(
            self._names, self.targets, blankets, neighbors, self._shared_fields(), self._fewest_screened()
        )
        seconds = time.perf_counter() - begun
        return Blankets.of_run(by_name, {**self._how(), **how, "seconds": seconds}, self.data)

    def _describe(self, name: str, unit: int) -> str:
        """Return the words for a unit of a pass in a message."""
        if name == "screen":
            return f"block {unit} of the screen"
        return f"the search around the column {self._names.canonical[unit]!r} (in the pass {name!r})"

    def _passes(self) -> Iterator[tuple[str, int]]:
        """Yield the name of each pass, and the smallest number of units that it can have."""
        if self._screens:
            yield "screen", len(units_of_screen(self._searched, self._names.allowed))
        if self._plan.of_neighbors:
            yield "neighbors", self._searched.columns if self._plan.symmetry == "or" else len(self._target_columns)
        yield "blankets", len(self._target_columns)

    def _screen(self, runner: PassRunner, arrays: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
        with self._timed("screen"):
            units = range(len(units_of_screen(self._searched, self._names.allowed)))
            done = runner.run_pass("screen", screen_pairs, units, arrays, most_per_task=1)
            parts = [unpack_pairs(done[unit]) for unit in units]
            self._cost.add(sum(part.tests for part in parts), sum(part.skipped for part in parts))
            return ScreenResult.gather(parts, self._searched.columns).arrays

    def _neighbors(
        self, runner: PassRunner, arrays: Sequence[NDArray[Any]], screen: Sequence[NDArray[Any]]
    ) -> PackedResults:
        """Search the neighbors of the targets, and of all columns that their blankets depend on (see ``REACH``)."""
        with self._timed("neighbors"):
            done: dict[int, PackedResult] = {}
            new: dict[int, PackedResult] = {}
            wanted = set(range(self._searched.columns)) if self._plan.symmetry == "or" else set(self._target_columns)
            for _ in range(1 + REACH.get(self._plan.symmetry, 0)):
                if not wanted:
                    break
                new = runner.run_pass("neighbors", find_neighbors, sorted(wanted), (*arrays, *screen))
                done.update(new)
                if len(done) == self._searched.columns:
                    break
                wanted = {y for packed in new.values() for y in unpack_neighbors(packed)[0].members} - set(done)
            new.clear()  # or it would hold what is joined
            return PackedResults.gather(done, self._searched.columns)

    @contextmanager
    def _timed(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        self._pass = name
        yield
        self._cost.seconds[name] = time.perf_counter() - begun

    def _fewest_screened(self) -> dict[int, int]:
        """Return the smallest number of rows of the marginal tests of columns, if these were screened with gaps."""
        if not self._screens or not self._searched.incomplete.any():
            return {}
        return dict(enumerate(self._searched.fewest_rows_of_pairs.tolist()))

    def _shared_fields(self) -> dict[str, Any]:
        """Return the fields that all blankets of the run have in common."""
        return {
            **self._plan.provenance(self._test),
            "rows": self.data.rows,
            "columns": self.data.columns,
            "data": self.data,
        }

    def _how(self) -> Mapping[str, Any]:
        return {
            **self._plan.to_dict(),
            **self._knowledge(),
            "test": self._test.name,
            "test_options": asdict(self._test),
            **({"data": self.data.fingerprint} if _checks.get() else {}),
            "rows": self.data.rows,
            "columns": self.data.columns,
            "targets": len(self.targets),
            "screened": self._screens,
            "tests": self._cost.tests,
            "skipped": self._cost.skipped,
            "seconds_by_pass": self._cost.seconds,
            "version": __version__,
        }
