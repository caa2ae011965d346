"""Questions to a test, asked one by one or spread over workers: the answers are the same."""

from __future__ import annotations

import math
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import Dataset
from climbfast.errors import OptionError
from climbfast.evidence import COUNTING, Evidence, Separator, Test, TestOptions
from climbfast.options import workers_asked_for
from climbfast.screen import Dependent, Screening, units_of_screen

__all__ = ["Asker", "Sweep", "Weakest"]

SWEEPS_A_CALL = 64  # Ctrl-C is heard between calls
TASKS_A_WORKER = 4  # columns differ in how long they take


class Sweep(NamedTuple):
    """See ``Test.sweep``."""

    target: int
    candidates: Sequence[int]
    given: Sequence[int]

    def of(self, test: Test) -> NDArray[np.float64]:
        """Return the answer of a test."""
        return np.asarray(test.sweep(*self))


class Weakest(NamedTuple):
    """See ``Test.weakest``."""

    target: int
    candidates: Sequence[int]
    pool: Sequence[int]
    sizes: range
    known: Sequence[float]

    def of(self, test: Test) -> tuple[NDArray[np.float64], list[Separator | None]]:
        """Return the answer of a test."""
        target, candidates, pool, sizes, known = self
        strengths, separators = test.weakest(target, candidates, pool, (), sizes, known)
        return np.asarray(strengths), separators


class _Units(NamedTuple):
    """Units of a screen, see ``Screening.unit``."""

    units: Sequence[int]

    def of(self, test: Test) -> list[Dependent]:
        """Return what a test finds in each."""
        screening = Screening(cast(Evidence, test))
        return [screening.unit(unit) for unit in self.units]


_Question = Sweep | Weakest | _Units


class _Answers(NamedTuple):
    """Answers, and the tests that they took."""

    answers: list[Any]
    tests_by_size: tuple[int, ...]
    skipped: int


@dataclass(frozen=True)
class _Job:
    """What a worker needs, and the name under which it keeps what it prepares."""

    token: str
    data: Dataset
    test: TestOptions
    counting: str


class Asker:
    """A test, and the workers that ask it.

    Parameters
    ----------
    data : Dataset
    test : str, SCI, G2, X2, CMI, or an object with ``sweep`` and ``weakest``
    counting : str
        See ``Evidence``.
    n_jobs : int or None
        Workers as joblib counts them.

    Attributes
    ----------
    test : Test
    workers : int
    tests_by_size, skipped
        What was asked so far.

    Raises
    ------
    OptionError
        For an option outside its legal values.
    """

    def __init__(
        self, data: Dataset, test: str | TestOptions | Test, *, counting: str = "auto", n_jobs: int | None = 1
    ) -> None:
        self.workers = _workers(n_jobs)
        own = hasattr(test, "sweep") and hasattr(test, "weakest") and not isinstance(test, type)
        if own and counting != "auto":
            raise OptionError(f"counting is {counting!r}, but the test given counts in its own way; leave it out")
        if own and self.workers > 1:
            raise OptionError(f"n_jobs is {n_jobs}, but the test given is one object, which serves one worker; take 1")
        if isinstance(test, Evidence) and test.data is not data and test.data.fingerprint != data.fingerprint:
            raise OptionError("the evidence given as test is of other data")
        self.test = cast(Test, test) if own else Evidence(data, cast("str | TestOptions", test), counting=counting)
        self.tests_by_size: tuple[int, ...] = ()
        self.skipped = 0
        self._pool: Any = None
        if self.workers > 1:
            self._job = _Job(uuid.uuid4().hex, data, cast(Evidence, self.test).test, counting)

    def __enter__(self) -> Asker:
        if self.workers > 1:
            from joblib import Parallel

            if isinstance(self.test, Evidence):  # else the first of the threads would make them, and all others wait
                _ = self.test.data.bits, self.test.data.tables
            # Processes, which parallel_config may ask for, share the codes as one memory map.
            self._pool = Parallel(n_jobs=self.workers, prefer="threads", max_nbytes=10_000, mmap_mode="r")
            self._pool.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        if self._pool is not None:
            self._pool.__exit__(*raised)
            self._pool = None

    def dependent_pairs(self, order: Sequence[int]) -> dict[tuple[int, int], float]:
        """Return the strength of every pair of columns, smaller number first, that is dependent with nothing given.

        By the screen, or, if a test has a way of its own, by sweeps; in ``order`` the first of two is the target.
        """
        if isinstance(self.test, Evidence) and COUNTING[self.test.way] in ("auto", "bitmaps"):
            return self._screened(self.test.data)
        return self._swept(order)

    def _screened(self, data: Dataset) -> dict[tuple[int, int], float]:
        units = range(len(units_of_screen(data)))
        pieces = 1 if self._pool is None else TASKS_A_WORKER * self.workers
        answers = self.ask([_Units(units[piece::pieces]) for piece in range(min(pieces, len(units)))])
        # The screen leaves out what is sure, and sweeps count: a constant column depends on nothing.
        varying = int(np.count_nonzero(data.arity > 1))
        if sure := math.comb(data.columns, 2) - math.comb(varying, 2):
            self._count((sure,), 0)
        return {
            (x, y): strength
            for part in chain(*answers)
            for x, y, strength in zip(part.x.tolist(), part.y.tolist(), part.strengths.tolist(), strict=True)
        }

    def _swept(self, order: Sequence[int]) -> dict[tuple[int, int], float]:
        answers = self.ask([Sweep(x, order[place + 1 :], ()) for place, x in enumerate(order[:-1])])
        return {
            (min(x, y), max(x, y)): strength
            for place, (x, strengths) in enumerate(zip(order[:-1], answers, strict=True))
            for y, strength in zip(order[place + 1 :], strengths.tolist(), strict=True)
            if strength > 0
        }

    def ask(self, questions: Sequence[_Question]) -> list[Any]:
        """Return the answers in the order of the questions."""
        if not questions:
            return []
        if self._pool is None or len(questions) < self.workers:
            parts = [_answer(self.test, questions)]
        else:
            from joblib import delayed

            size = -(-len(questions) // (TASKS_A_WORKER * self.workers))
            pieces = [questions[start : start + size] for start in range(0, len(questions), size)]
            parts = self._pool(delayed(_answer_of_worker)(self._job, piece) for piece in pieces)
        for part in parts:
            self._count(part.tests_by_size, part.skipped)
        return [answer for part in parts for answer in part.answers]

    def _count(self, tests_by_size: tuple[int, ...], skipped: int) -> None:
        pairs = zip_longest(self.tests_by_size, tests_by_size, fillvalue=0)
        self.tests_by_size = tuple(a + b for a, b in pairs)
        self.skipped += skipped

    @property
    def name(self) -> str:
        """The name of the test."""
        return self.test.test.name if isinstance(self.test, Evidence) else type(self.test).__name__

    @property
    def options(self) -> dict[str, Any]:
        """The options of the test."""
        return dict(vars(self.test.test)) if isinstance(self.test, Evidence) else {}


def _workers(n_jobs: int | None) -> int:
    n_jobs = workers_asked_for(n_jobs)
    if n_jobs == 1:
        return 1
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def _answer(test: Test, questions: Sequence[_Question]) -> _Answers:
    before, skipped = tuple(getattr(test, "tests_by_size", ())), getattr(test, "skipped", 0)
    sweeps = [question for question in questions if isinstance(question, Sweep) and question.given]
    answers: list[Any]
    if isinstance(test, Evidence) and len(sweeps) == len(questions):
        pieces = (sweeps[start : start + SWEEPS_A_CALL] for start in range(0, len(sweeps), SWEEPS_A_CALL))
        answers = [strengths for piece in pieces for strengths in test.sweep_each(piece)]
    else:
        answers = [question.of(test) for question in questions]
    pairs = zip_longest(getattr(test, "tests_by_size", ()), before, fillvalue=0)
    return _Answers(answers, tuple(a - b for a, b in pairs), getattr(test, "skipped", 0) - skipped)


class _Kept(threading.local):
    """What one thread of a worker keeps for a job."""

    token: str = ""
    evidence: Evidence | None = None


_kept = _Kept()


def _answer_of_worker(job: _Job, questions: Sequence[_Question]) -> _Answers:
    if _kept.token != job.token or _kept.evidence is None:
        data = job.data
        if isinstance(data.codes, np.memmap):  # kernels are compiled for plain arrays alone
            data = Dataset(data.names, data.levels, np.asarray(data.codes), data.canonical, np.asarray(data.arity))
        _kept.token, _kept.evidence = job.token, Evidence(data, job.test, counting=job.counting)
    return _answer(_kept.evidence, questions)
