"""The work of the passes, as functions that a worker of any kind can be sent: a thread, a process, another machine.

What all units share travels as plain arrays, each an argument of its own: joblib gives large ones to processes once,
as a memory map, and to dask once for each worker; threads see the arrays themselves. Everything else is small.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.batch.records import Cost, Record, Records, neighbors_of, record_of_findings, record_of_neighbors
from climbfast.dataset import Dataset
from climbfast.evidence import Evidence, TestOptions
from climbfast.local.findings import Finder
from climbfast.local.getpcd import getpcd
from climbfast.local.neighbors import Neighbors
from climbfast.local.plan import Plan
from climbfast.screen import Dependent, Screen, Screened, Screening

__all__ = ["Done", "Job", "arrays_of", "find_blankets", "find_neighbors", "forget", "screen_pairs"]

Arrays = tuple[NDArray[Any], ...]


@dataclass(frozen=True)
class Job:
    """What every unit of a run has in common, besides the arrays.

    Attributes
    ----------
    token : str
        Names the run, so that a worker keeps what it prepared for it.
    plan : Plan
    test : SCI or G2 or X2 or CMI
    counting : str
    rows : int
    units : float
        Units per bit of the tables.
    """

    token: str
    plan: Plan
    test: TestOptions
    counting: str
    rows: int
    units: float


class Done(NamedTuple):
    """Finished units with what was found, and the tests that it took."""

    records: tuple[tuple[int, Record], ...]
    tests: int


def arrays_of(data: Dataset) -> Arrays:
    """Return the arrays of a data set that travel."""
    bits, tables = data.bits, data.tables
    return (
        data.codes, data.arity, bits.words, bits.offset, bits.count, tables.clog, tables.log_regret, tables.regret_row,
    )  # fmt: skip


_OF_DATA = 8


class _Prepared(threading.local):
    """What one thread of a worker keeps for a run."""

    token: str = ""
    evidence: Evidence | None = None
    screening: Screening | None = None


_prepared = _Prepared()


def forget() -> None:
    """Let go of what this thread keeps for a run."""
    _prepared.token, _prepared.evidence, _prepared.screening = "", None, None


def _evidence(job: Job, arrays: Arrays) -> Evidence:
    if _prepared.token != job.token or _prepared.evidence is None:
        forget()
        _prepared.token, _prepared.evidence = job.token, Evidence(_data(job, arrays), job.test, counting=job.counting)
    return _prepared.evidence


def _data(job: Job, arrays: Arrays) -> Dataset:
    from climbfast_kernels.bits import Bits
    from climbfast_kernels.evidence import Tables

    codes, arity, words, offset, count, clog, log_regret, regret_row = map(_frozen, arrays)
    names = tuple(range(len(arity)))
    data = Dataset(names, {}, codes, names, arity)
    # What the sender has worked out already.
    data.__dict__["bits"] = Bits(words, offset, arity, count, job.rows)
    data.__dict__["tables"] = Tables(clog, log_regret, regret_row, job.units)
    return data


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only array: kernels are compiled for these alone, neither for memory maps nor for writable ones."""
    plain = np.asarray(array).view()
    plain.flags.writeable = False
    return plain


def screen_pairs(job: Job, units: Sequence[int], *arrays: NDArray[Any]) -> Done:
    """Test pairs of columns with nothing given; a record holds the pairs x, y, x, y, …, and last tests and skipped."""
    evidence = _evidence(job, arrays)
    if _prepared.screening is None:
        _prepared.screening = Screening(evidence)
    found = [_prepared.screening.unit(unit) for unit in units]
    return Done(tuple(zip(units, map(_record_of, found), strict=True)), sum(each.tests for each in found))


def _record_of(found: Dependent) -> Record:
    return Record(np.concatenate([found.x, found.y, [found.tests, found.skipped]]).astype(np.int64), found.strengths)


def dependent_of(record: Record) -> Dependent:
    """Read what ``screen_pairs`` wrote."""
    pairs = len(record.floats)
    tests, skipped = record.ints[2 * pairs :].tolist()
    return Dependent(record.ints[:pairs], record.ints[pairs : 2 * pairs], record.floats, tests, skipped)


def find_neighbors(job: Job, columns: Sequence[int], *arrays: NDArray[Any]) -> Done:
    """Search the neighbors of columns, among those that a screen left if its arrays come after those of the data."""
    evidence = _evidence(job, arrays[:_OF_DATA])
    if len(arrays) == _OF_DATA:
        return _each(
            evidence, columns, Finder(evidence, evidence, len(arrays[1]), job.plan).search, record_of_neighbors
        )
    screen = Screen(*arrays[_OF_DATA:])
    if job.plan.search is getpcd:
        return _by_getpcd(evidence, columns, screen, job.plan.most_given)
    test, plan = Screened(evidence, screen), job.plan

    def search(x: int) -> Neighbors:
        return plan.search(test, x, screen.of(x)[0], plan.most_given)

    return _each(evidence, columns, search, record_of_neighbors)


def _by_getpcd(evidence: Evidence, columns: Sequence[int], screen: Screen, most_given: int | None) -> Done:
    from climbfast_kernels.records import records_of_getpcd

    if most_given is None and len(columns) > 1:  # room for separating sets as large as each column has candidates
        parts = [_by_getpcd(evidence, (x,), screen, None) for x in columns]
        return Done(tuple(record for part in parts for record in part.records), sum(part.tests for part in parts))
    begun = time.perf_counter()
    first, candidates, strengths = screen.of_each(columns)
    found = evidence.getpcd(
        columns, first, candidates, strengths, len(candidates) if most_given is None else most_given
    )
    written = records_of_getpcd(
        first, candidates, found.state, found.strengths, found.separators, found.tests, found.skipped
    )
    records = Records.timed(written, time.perf_counter() - begun)
    return Done(tuple(zip(columns, records, strict=True)), int(found.tests.sum()))


def find_blankets(job: Job, columns: Sequence[int], *arrays: NDArray[Any]) -> Done:
    """Search the blankets of columns, from known neighbors if their records come after the arrays of the data."""
    evidence = _evidence(job, arrays[:_OF_DATA])
    finder = Finder(evidence, evidence, len(arrays[1]), job.plan)
    if len(arrays) == _OF_DATA:
        return _each(evidence, columns, finder.find, record_of_findings)
    records = Records(*map(_frozen, arrays[_OF_DATA:]))
    if job.plan.compiled:
        return _by_climb(evidence, columns, job.plan, records)

    def known(x: int) -> Neighbors:
        return neighbors_of(records[x])[0] if x in records else finder.search(x)

    return _each(
        evidence, columns, Finder(evidence, evidence, len(arrays[1]), job.plan, known).find, record_of_findings
    )


def _by_climb(evidence: Evidence, columns: Sequence[int], plan: Plan, records: Records) -> Done:
    begun, before = time.perf_counter(), sum(evidence.tests_by_size)
    sides = evidence.tell_apart(columns, [records.members_of(x) for x in columns], plan.node_budget)
    written = evidence.climb(
        columns, records.arrays, sides, mutual=plan.symmetry == "children", min_margin=plan.min_margin,
        most_given=plan.most_given,
    )  # fmt: skip
    found = Records.timed(written, time.perf_counter() - begun)
    return Done(tuple(zip(columns, found, strict=True)), sum(evidence.tests_by_size) - before)


def _each(
    evidence: Evidence, columns: Sequence[int], search: Callable[[int], Any], record: Callable[[Any, Cost], Record]
) -> Done:
    """Search around every column and say what each cost."""
    records, tests = [], 0
    for x in columns:
        before, skipped, begun = tuple(evidence.tests_by_size), evidence.skipped, time.perf_counter()
        found = search(x)
        made = tuple(a - b for a, b in zip_longest(evidence.tests_by_size, before, fillvalue=0))
        made = made[: max((size + 1 for size, many in enumerate(made) if many), default=0)]
        tests += sum(made)
        records.append((x, record(found, Cost(made, evidence.skipped - skipped, time.perf_counter() - begun))))
    return Done(tuple(records), tests)
