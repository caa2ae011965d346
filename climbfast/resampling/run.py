"""Replicates of a search: drawn, searched in parallel, and counted.

A replicate is a table of drawn rows, with the levels of the data; it is searched by the same functions as the data. The
workers have the data once, and draw the rows themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast._version import __version__
from climbfast.batch.journal import Journal
from climbfast.batch.packed_results import PackedResult
from climbfast.batch.passes import UnitResults
from climbfast.batch.pool import PassRunner, choose_workers
from climbfast.batch.progress import ProgressReporter, progress_reporter
from climbfast.batch.run import Interrupted
from climbfast.compiling import announce_compilation, seconds_of_work
from climbfast.dataset import Dataset, ReadingOptions, Representative, as_dataset
from climbfast.errors import ClimbfastError, KnowledgeError, Option, OptionError, UnknownColumnError
from climbfast.interrupts import defer_interrupts
from climbfast.options import choice, flag, whole_number
from climbfast.resampling.option_values import options_for_replicates, plain_options, refuse_incomparable
from climbfast.resampling.records import Records, count_members, count_pairs
from climbfast.resampling.result import Bootstrap
from climbfast.resampling.schemes import SCHEMES, Scheme, draw_rows
from climbfast.resampling.searches import check_search, name_in_journal, name_of_search, records_of, search_named
from climbfast.task_pool import TaskPool, WorkerError
from climbfast.workers import read_only

__all__ = ["ReplicateError", "bootstrap"]

PASS = "replicates"


class ReplicateError(ClimbfastError, RuntimeError):
    """A search that failed in a replicate; the message names the replicate and the seed.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(100, seed=1)
    >>> cf.bootstrap(data, lambda table: 1 / 0, replicates=2, n_jobs=1, progress=False)
    Traceback (most recent call last):
        ...
    climbfast.resampling.run.ReplicateError: the search failed in replicate 0 of seed=0: ...
    """


def bootstrap(
    data: Dataset | Any,
    search: str | Callable[..., Any] = "best",
    *,
    replicates: int = 200,
    scheme: Scheme = "bootstrap",
    seed: int = 0,
    n_jobs: int | None = -1,
    journal: str | Path | None = None,
    resume: bool = True,
    progress: bool | ProgressReporter = True,
    representative: Representative = None,
    **options: Any,
) -> Bootstrap:
    """Search resampled tables, and count how often each edge, direction and member is found.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    search : {"best", "blankets", "blanket", "pc", "fges", ...} or function
        "best": ``causal_graph``, as "pc+climb" and its other methods; "blankets": ``markov_blankets``; "blanket":
        ``markov_blanket`` with its ``target``; "pc": ``pc``; "fges": ``fges``. A function gets a Dataset and the
        options, and returns a graph, also one of NetworkX, or blankets.
    replicates : int
        Number of tables, from 1 up.
    scheme : {"bootstrap", "half", "complementary"}
        "bootstrap": as many rows as there are, drawn with replacement. "half": half of them without replacement.
        "complementary": pairs of halves without a common row.
    seed : int
        Random seed. A replicate depends on it and on its own number alone.
    n_jobs : int or None
        Number of workers, as joblib counts them. The result is the same.
    journal : path, optional
        A file that stores finished replicates, so that a stopped run can be continued, and a finished one with more
        replicates. It recognizes a function by its module and name; whether its code has changed is for you to know.
    resume : bool
        Whether to continue a run if its journal exists; False raises an error instead.
    progress : bool or object with ``begin``, ``advance`` and ``end``
        See ``markov_blankets``.
    representative
        See ``markov_blanket``.
    **options
        Options of the search, such as ``test``, ``max_given`` or ``knowledge``, which can also be a mapping as that of
        ``Knowledge.to_dict``; and those of ``Dataset.from_frame`` for a frame, which is encoded once. Random numbers of
        the search itself are the same in all replicates.

    Returns
    -------
    Bootstrap

    Raises
    ------
    OptionError
        For an option outside its legal values, and for a journal together with a function or an object that it cannot
        recognize.
    UnknownColumnError, KnowledgeError
        For options that name columns.
    DataError
        For a frame that cannot be read as discrete data.
    ReplicateError
        For a search that failed in a replicate, and any error of a function. Finished replicates are in the journal.
    WorkerError
        For a replicate that ended three worker processes.
    JournalError
        For a journal of another run, or one that cannot be written.
    Interrupted
        On Ctrl-C. It is a KeyboardInterrupt.

    References
    ----------
    Efron (1979), "Bootstrap methods: another look at the jackknife", Annals of Statistics 7; Friedman, Goldszmidt and
    Wyner (1999), "Data analysis with Bayesian networks: a bootstrap approach", UAI; Steck and Jaakkola (2003), "Bias-
    corrected bootstrap and model uncertainty", NIPS; Meinshausen and Bühlmann (2010), "Stability selection", JRSS B 72;
    Shah and Samworth (2013), "Variable selection with error control", JRSS B 75.

    Examples
    --------
    >>> import climbfast as cf
    >>> data = cf.load_example().sample(2000, seed=1)
    >>> sure = cf.bootstrap(data, "pc", replicates=20, progress=False)
    >>> sure
    <Bootstrap: 20 replicates of pc, 20 pairs>
    """
    begun = seconds_of_work()
    reading: Any = {name: options.pop(name) for name in ReadingOptions.__annotations__ if name in options}
    check_search(search, options)
    whole_number("replicates", replicates, least=1)
    choice("scheme", scheme, SCHEMES)
    whole_number("seed", seed)
    reporter = progress_reporter(progress=progress)
    data = as_dataset(data, **reading).represented_by(representative)
    run = _Run(data, search, options_for_replicates(options, data.names), int(replicates), scheme, int(seed))
    opened = None if journal is None else Journal(journal, run.identity(), resume=flag("resume", resume))
    try:
        found, how = run.find(n_jobs, opened, reporter)
    except KeyboardInterrupt:
        raise _interrupted(opened) from None
    except (ReplicateError, WorkerError) as error:
        if opened is None:
            raise
        raise type(error)(*error.parts, f"; finished replicates are saved in {opened.path}") from error.__cause__
    finally:
        reporter.end()
        if opened is not None:
            opened.close()
    return run.counted(found, {**how, "seconds": seconds_of_work() - begun})


def _interrupted(journal: Journal | None) -> Interrupted:
    """Return the exception for Ctrl-C, whose message says what is saved."""
    if journal is None:
        return Interrupted(
            "interrupted; nothing is saved: only a run with ", Option("journal", ...), " can be continued"
        )
    saved = f"interrupted; finished replicates are saved in {journal.path}: repeat the run with "
    return Interrupted(saved, Option("resume", value=True), " to continue")


@dataclass(frozen=True)
class _ReplicateJob:
    """What all replicates have in common, apart from the arrays of the data, which workers get by themselves."""

    data: Dataset
    search: str | Callable[..., Any]
    options: Mapping[str, Any]
    scheme: str
    seed: int

    def data_with(self, arrays: Sequence[NDArray[Any]]) -> Dataset:
        """Return the data."""
        codes, arity, incomplete, weights = map(read_only, arrays)
        return replace(
            self.data, codes=codes, arity=arity, incomplete=incomplete, weights=weights if weights.size else None
        )


@dataclass(frozen=True)
class _Run:
    """One run: the data, and what is searched in its replicates."""

    data: Dataset
    search: str | Callable[..., Any]
    options: Mapping[str, Any]
    replicates: int
    scheme: str
    seed: int

    def identity(self) -> dict[str, Any]:
        """Return the data, version and options by which a journal recognizes its run; not the number of replicates."""
        refuse_incomparable(self.options)
        treatment = self.data.treatment.options(())
        return {
            "data": self.data.fingerprint,
            "version": __version__,
            "options": {
                "search": name_in_journal(self.search),
                **plain_options(self.options),
                **{name: treatment[name] for name in ("representative",) if name in treatment},
                "scheme": self.scheme,
                "seed": self.seed,
            },
        }

    def find(
        self, n_jobs: int | None, journal: Journal | None, reporter: ProgressReporter
    ) -> tuple[dict[int, PackedResult], dict[str, Any]]:
        """Search the replicates; return the packed rows of each, and the workers."""
        announce_compilation()
        job, arrays = self._job_and_arrays()
        units = range(self.replicates)
        with defer_interrupts() as is_interrupted:
            done = {} if journal is None else journal.done(PASS)
            left = [unit for unit in units if unit not in done]
            seconds = 0.0
            for unit in left[:2]:  # here: these show whether the options are legal, and how long the others take
                begun = time.perf_counter()
                done[unit] = self._search_here(job, unit, arrays, journal)
                seconds = (time.perf_counter() - begun) * (len(left) - 2)  # of the second, which loads no kernels
                if is_interrupted():
                    raise KeyboardInterrupt
            workers = choose_workers(n_jobs, seconds=seconds, targets=max(len(left) - 2, 1), compiled=False)
            with TaskPool[UnitResults](workers.n_jobs, workers.prefer, is_interrupted) as pool:
                runner = PassRunner(pool, job, journal, reporter, is_interrupted, "the replicate {1}".format)
                done = runner.run_pass(PASS, find_replicates, units, arrays, most_per_task=1, known=done)
                how = {"workers": pool.workers, "backend": pool.backend, "why": workers.why}
        return done, how

    def _job_and_arrays(self) -> tuple[_ReplicateJob, tuple[NDArray[Any], ...]]:
        data = self.data
        weights = np.zeros(0, np.int64) if data.weights is None else data.weights
        nothing: Any = {"codes": np.zeros((0, 0), np.uint8), "arity": np.zeros(0, np.int64), "incomplete": None}
        job = _ReplicateJob(replace(data, **nothing, weights=None), self.search, self.options, self.scheme, self.seed)
        return job, (data.codes, data.arity, data.incomplete, weights)

    def _search_here(
        self, job: _ReplicateJob, number: int, arrays: Sequence[NDArray[Any]], journal: Journal | None
    ) -> PackedResult:
        """Search one replicate, in which an error of our own searches tells of an option."""
        try:
            ((_, found),) = find_replicates(job, [number], *arrays).results
        except ReplicateError as error:
            cause = error.__cause__
            if isinstance(cause, (OptionError, UnknownColumnError, KnowledgeError)) and not callable(self.search):
                raise cause from None
            raise
        if journal is not None:
            journal.open_pass(PASS, self.replicates)
            journal.write(PASS, [(number, found)])
        return found

    def counted(self, found: Mapping[int, PackedResult], how: Mapping[str, Any]) -> Bootstrap:
        """Return the counts over all replicates."""
        records = [Records.unpack(*found[number]) for number in range(self.replicates)]
        targets = [each.targets for each in records if each.targets is not None]
        if targets and len(targets) < len(records):
            raise OptionError(Option("search"), " returned graphs in some replicates and blankets in others")
        columns, names = self.data.columns, self.data.sorted_names
        return Bootstrap(
            names=names,
            pairs=count_pairs(records, columns),
            members=count_members(records, columns) if targets else None,
            targets=tuple(names[x] for x in np.unique(np.concatenate(targets)).tolist()) if targets else (),
            replicates=self.replicates,
            search=name_of_search(self.search),
            scheme=self.scheme,
            seed=self.seed,
            options={**plain_options(self.options), **self.data.treatment.options(self.data.names)},
            rows=self.data.rows,
            data=self.data.fingerprint,
            how=how,
            table=self.data,
        )


def find_replicates(job: _ReplicateJob, numbers: Sequence[int], *arrays: NDArray[Any]) -> UnitResults:
    """Draw and search replicates: the work of a task.

    Raises
    ------
    ReplicateError
        For any error of a search, which is its cause.
    """
    data, search = job.data_with(arrays), search_named(job.search)
    place = {name: i for i, name in enumerate(data.sorted_names)}
    results = []
    for number in numbers:
        drawn = data.resampled(draw_rows(job.scheme, data.rows, job.seed, number))
        try:
            found = records_of(search(drawn, job.options), place)
        except Exception as error:
            raise ReplicateError(
                f"the search failed in replicate {number} of ", Option("seed", job.seed),
                f": {type(error).__name__}: {error}",
            ) from error  # fmt: skip
        results.append((number, PackedResult(*found.pack())))
    return UnitResults(tuple(results), 0)
