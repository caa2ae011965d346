"""Run tests one by one or in parallel; the results are the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from climbfast.counting import COUNTING
from climbfast.dataset import Dataset
from climbfast.errors import Option, OptionError
from climbfast.graphs.pdag import Pair, pair
from climbfast.independence.screen import DependentPairs, ScreenWorker, units_of_screen
from climbfast.independence.tester import Tester, as_tester
from climbfast.independence.tests import (
    Separator,
    Test,
    TestCounts,
    TestOptions,
    is_custom,
    options_of_test,
    test_name,
)
from climbfast.knowledge import AllowedArcs
from climbfast.options import workers_asked_for
from climbfast.task_pool import TaskPool
from climbfast.workers import Job, arrays_of, expected_seconds, forget, screen_worker_for, tester_for

__all__ = ["SweepQuery", "TestRunner", "WeakestQuery"]

SWEEPS_PER_CALL = 64  # Ctrl-C is noticed between calls
TASKS_PER_WORKER = 4  # columns differ in how long they take
SECONDS_FOR_THREADS = 0.5  # a shorter job is slower with a pool; a number of workers that was asked for is taken anyway


class SweepQuery(NamedTuple):
    """The arguments of ``Test.sweep``."""

    target: int
    candidates: Sequence[int]
    given: Sequence[int]

    def run(self, test: Test) -> NDArray[np.float64]:
        """Return the strengths."""
        return np.asarray(test.sweep(*self))


class WeakestQuery(NamedTuple):
    """The arguments of ``Test.weakest``; nothing is fixed."""

    target: int
    candidates: Sequence[int]
    pool: Sequence[int]
    sizes: range
    known: Sequence[float]

    def run(self, test: Test) -> tuple[NDArray[np.float64], list[Separator | None]]:
        """Return the weakest strengths and the separating sets."""
        target, candidates, pool, sizes, known = self
        strengths, separators = test.weakest(target, candidates, pool, (), sizes, known)
        return np.asarray(strengths), separators


class _Query(Protocol):
    """Tests around one column, or several of which ``target`` is the first."""

    @property
    def target(self) -> int: ...

    def run(self, test: Test) -> Any:
        """Return the results of the tests."""


class _Results(NamedTuple):
    """The results of some queries, and the tests that were made for them."""

    results: list[Any]
    counts: TestCounts


class TestRunner:
    """Run one test on one data set, with several workers if asked for.

    Parameters
    ----------
    data : Dataset
    test : str, SCI, G2, X2, CMI, or an object with ``sweep`` and ``weakest``
    counting : str
        See ``Tester``.
    min_bits : float, "auto" or None
        Short for ``test=SCI(min_bits=...)``.
    n_jobs : int or None
        Workers, as joblib counts them. -1 and None are one for every core if the job is large enough, and one worker
        for a custom test.
    allowed : AllowedArcs or None
        What knowledge allows, by column number.
    max_pool : int or None
        Most columns of which all sets are to be tested, see ``climbfast.independence.nearest``.

    Attributes
    ----------
    test : Test
    allowed : AllowedArcs or None
    max_pool : int or None
    workers : int
    counts : TestCounts
        The tests made so far.

    Raises
    ------
    OptionError
        For an option outside its legal values, and for several workers with a custom test.
    """

    __test__ = False  # pytest collects classes whose names begin with Test

    def __init__(
        self,
        data: Dataset,
        test: str | TestOptions | Test,
        *,
        counting: str = "auto",
        min_bits: float | str | None = None,
        n_jobs: int | None = -1,
        allowed: AllowedArcs | None = None,
        max_pool: int | None = None,
    ) -> None:
        self.allowed, self.max_pool = allowed, max_pool
        self.workers = _workers(n_jobs, data, custom=is_custom(test))
        self.test = as_tester(data, test, counting=counting, min_bits=min_bits)
        self.counts = TestCounts()
        self._pool: TaskPool[_Results] | None = None

    def __enter__(self) -> TestRunner:
        if self.workers > 1:
            tester = cast(Tester, self.test)
            # Done here, else one thread makes bitmaps and log tables while all others wait.
            self._arrays = arrays_of(tester.data)
            self._job = Job(
                test=tester.test, counting=COUNTING[tester.strategy], rows=tester.data.rows,
                units=tester.data.log_tables.units, stops=True, allowed=self.allowed,
            )  # fmt: skip
            # joblib.parallel_config can ask for processes.
            self._pool = TaskPool[_Results](self.workers, "threads")
            self._pool.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        if self._pool is not None:
            self._pool.__exit__(*raised)
            self._pool = None
            forget()

    def dependent_pairs(self, order: Sequence[int]) -> dict[Pair, float]:
        """Return the strength of every pair of columns, smaller number first, that is marginally dependent.

        By the screen of all pairs; for a custom test, or another strategy of counting, by sweeps, in which the first
        of two columns in ``order`` is the target. Pairs that knowledge forbids both ways are not tested.
        """
        if isinstance(self.test, Tester) and COUNTING[self.test.strategy] in ("auto", "bitmaps"):
            return self._screened(self.test)
        return self._swept(order)

    def _screened(self, tester: Tester) -> dict[Pair, float]:
        data = tester.data
        units = range(len(units_of_screen(data, self.allowed)))
        if self._pool is None:
            parts = [_screen(tester, ScreenWorker(tester, self.allowed), units)]
        else:
            count = min(TASKS_PER_WORKER * self.workers, len(units))
            tasks = [units[task::count] for task in range(count)]
            parts = [part for _, part in self._results(_screen_of_worker, tasks, "block {} of the screen".format)]
        # The screen does not count the tests of constant columns, which are independent of all; sweeps do.
        if constant := _pairs_with_constants(data, self.allowed):
            parts.append(_Results([], TestCounts((constant,))))
        return {
            (x, y): strength
            for part in self._counted(parts)
            for x, y, strength in zip(part.x.tolist(), part.y.tolist(), part.strengths.tolist(), strict=True)
        }

    def _swept(self, order: Sequence[int]) -> dict[Pair, float]:
        queries = [SweepQuery(x, order[place + 1 :], ()) for place, x in enumerate(order[:-1])]
        if self.allowed is not None:
            partners = [self.allowed.pairs([x], others)[0] for x, others, _ in queries]
            queries = [
                SweepQuery(x, np.array(others)[of_x].tolist(), ())
                for (x, others, _), of_x in zip(queries, partners, strict=True)
                if of_x.any()
            ]
        return {
            pair(query.target, y): strength
            for query, strengths in zip(queries, self.run(queries), strict=True)
            for y, strength in zip(query.candidates, strengths.tolist(), strict=True)
            if strength > 0
        }

    def marginal_strength(self, x: int, y: int) -> float:
        """Return the strength of one pair by the marginal test, which is not counted again."""
        return float(self.test.sweep(x, [y], ())[0])

    def run(self, queries: Sequence[_Query]) -> list[Any]:
        """Return the results in the order of the queries."""
        if not queries:
            return []
        if self._pool is None or len(queries) < self.workers:
            return self._counted([_run(self.test, queries)])
        size = -(-len(queries) // (TASKS_PER_WORKER * self.workers))
        numbered = list(enumerate(queries))
        tasks = [numbered[start : start + size] for start in range(0, len(queries), size)]
        done = sorted(self._results(_run_of_worker, tasks, self._describe), key=lambda each: each[0][0][0])
        return self._counted([part for _, part in done])

    def _results(
        self, work: Callable[..., _Results], tasks: Sequence[Sequence[Any]], describe: Callable[[Any], str]
    ) -> list[tuple[Sequence[Any], _Results]]:
        assert self._pool is not None
        return list(self._pool.results(work, tasks, self._job, self._arrays, describe))

    def _describe(self, query: tuple[int, _Query]) -> str:
        data = cast(Tester, self.test).data
        return f"the tests of the column {data.canonical[query[1].target]!r}"

    def _counted(self, parts: Sequence[_Results]) -> list[Any]:
        for part in parts:
            self.counts = self.counts.plus(part.counts)
        return list(chain.from_iterable(part.results for part in parts))

    @property
    def name(self) -> str:
        """The name of the test."""
        return test_name(self.test)

    @property
    def options(self) -> dict[str, Any]:
        """The options of the test."""
        return options_of_test(self.test)


def _workers(n_jobs: int | None, data: Dataset, *, custom: bool) -> int:
    n_jobs = workers_asked_for(n_jobs)
    automatic = n_jobs in (-1, None)
    if n_jobs == 1 or (automatic and custom):
        return 1
    if custom:
        raise OptionError(Option("n_jobs"), f" is {n_jobs}, but a custom test has one worker; take 1")
    if automatic and expected_seconds(data, data.columns) < SECONDS_FOR_THREADS:
        return 1
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def _pairs_with_constants(data: Dataset, allowed: AllowedArcs | None) -> int:
    """Return the number of pairs of which a column, or both, is constant; without those forbidden both ways."""
    constants = np.flatnonzero(data.arity <= 1)
    if allowed is None:
        return math.comb(data.columns, 2) - math.comb(data.columns - len(constants), 2)
    near = [allowed.neighbors_of(x) for x in constants.tolist()]
    twice = sum(int(others[constants].sum()) for others in near) // 2
    return sum(int(others.sum()) for others in near) - twice


def _run(test: Test, queries: Sequence[_Query]) -> _Results:
    before = TestCounts.start(test)
    sweeps = [query for query in queries if isinstance(query, SweepQuery) and query.given]
    results: list[Any]
    if isinstance(test, Tester) and len(sweeps) == len(queries):
        calls = (sweeps[start : start + SWEEPS_PER_CALL] for start in range(0, len(sweeps), SWEEPS_PER_CALL))
        results = [strengths for call in calls for strengths in test.sweep_each(call)]
    else:
        results = [query.run(test) for query in queries]
    return _Results(results, TestCounts.of(test).since(before))


def _run_of_worker(job: Job, queries: Sequence[tuple[int, _Query]], *arrays: NDArray[Any]) -> _Results:
    return _run(tester_for(job, arrays), [query for _, query in queries])


def _screen(tester: Tester, worker: ScreenWorker, units: Sequence[int]) -> _Results:
    before = TestCounts.start(tester)
    results: list[DependentPairs] = [worker.unit(unit) for unit in units]
    return _Results(results, TestCounts.of(tester).since(before))


def _screen_of_worker(job: Job, units: Sequence[int], *arrays: NDArray[Any]) -> _Results:
    return _screen(tester_for(job, arrays), screen_worker_for(job, arrays), units)
