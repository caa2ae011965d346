"""The work of the passes, as functions that run in any worker: a thread, a process or another machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.batch.packed_results import (
    Cost,
    PackedResult,
    PackedResults,
    dependent_in,
    members_in,
    pack_neighbors,
    pack_result,
    unpack_cost,
    unpack_neighbors,
    with_unexplained,
)
from climbfast.independence.screen import DependentPairs, ScreenLookupTester, ScreenResult
from climbfast.independence.tester import Tester
from climbfast.independence.tests import TestCounts
from climbfast.knowledge import AllowedArcs
from climbfast.local.colliders import evidence_scale
from climbfast.local.compiled import climb_each, getpcd_each
from climbfast.local.getpcd import finish_getpcd, getpcd
from climbfast.local.known_neighbors import KnownAround, with_required
from climbfast.local.neighbors import Neighbors
from climbfast.local.plan import Plan
from climbfast.local.rounds import FoundMembers, MemberSearch, search_together
from climbfast.local.target_search import TargetSearch
from climbfast.local.unexplained import (
    NOTHING,
    Unexplained,
    dependent_among,
    outside,
    unexplained_each,
    with_determining_set,
)
from climbfast.workers import DATA_ARRAYS, Job, read_only, screen_worker_for, tester_for

__all__ = ["SearchJob", "UnitResults", "find_blankets", "find_neighbors", "screen_pairs", "unpack_pairs"]


@dataclass(frozen=True, kw_only=True)
class SearchJob(Job):
    """A job that searches around columns by a plan.

    Attributes
    ----------
    checked : bool
        Whether to check what each blanket leaves unexplained.
    """

    plan: Plan
    checked: bool = True


class UnitResults(NamedTuple):
    """The packed results of finished units, each with its unit, and the number of tests that they took."""

    results: tuple[tuple[int, PackedResult], ...]
    tests: int

    def __reduce__(self) -> tuple[Any, ...]:
        """Send few large arrays instead of many small ones."""
        units, packed = [unit for unit, _ in self.results], [each for _, each in self.results]
        return _unit_results, (units, PackedResults.gather(dict(enumerate(packed)), len(packed)).arrays, self.tests)


def _unit_results(units: Sequence[int], arrays: tuple[NDArray[Any], ...], tests: int) -> UnitResults:
    return UnitResults(tuple(zip(units, PackedResults(*arrays), strict=True)), tests)


def screen_pairs(job: SearchJob, units: Sequence[int], *arrays: NDArray[Any]) -> UnitResults:
    """Test pairs of columns marginally.

    The integers of a packed result are all x, then all y, then the numbers of tests made and skipped.
    """
    worker = screen_worker_for(job, arrays)
    pairs = [worker.unit(unit) for unit in units]
    return UnitResults(tuple(zip(units, map(_pack_pairs, pairs), strict=True)), sum(each.tests for each in pairs))


def _pack_pairs(pairs: DependentPairs) -> PackedResult:
    return PackedResult(
        np.concatenate([pairs.x, pairs.y, [pairs.tests, pairs.skipped]]).astype(np.int64), pairs.strengths
    )


def unpack_pairs(packed: PackedResult) -> DependentPairs:
    """Unpack a result of ``screen_pairs``."""
    pairs = len(packed.floats)
    tests, skipped = packed.ints[2 * pairs :].tolist()
    return DependentPairs(packed.ints[:pairs], packed.ints[pairs : 2 * pairs], packed.floats, tests, skipped)


def find_neighbors(job: SearchJob, columns: Sequence[int], *arrays: NDArray[Any]) -> UnitResults:
    """Search the neighbors of columns; if the arrays of a screen follow those of the data, only among its partners."""
    tester, allowed = tester_for(job, arrays[:DATA_ARRAYS]), job.allowed
    if len(arrays) == DATA_ARRAYS:
        around = TargetSearch(tester, tester, len(arrays[1]), job.plan, allowed=allowed)
        return _each(tester, columns, around.search, pack_neighbors)
    screen = ScreenResult(*arrays[DATA_ARRAYS:])
    if job.plan.search is getpcd:
        found = _by_getpcd(tester, columns, screen, job.plan)
        return found if allowed is None else _with_required(tester, allowed, found)
    test, plan = ScreenLookupTester(tester, screen), job.plan

    def search(x: int) -> Neighbors:
        found = plan.neighbors(test, x, screen.of(x)[0])
        return found if allowed is None else with_required(tester, allowed, x, found)

    return _each(tester, columns, search, pack_neighbors)


def _with_required(tester: Tester, allowed: AllowedArcs, found: UnitResults) -> UnitResults:
    """Add the other ends of required edges."""
    results, tests = dict(found.results), found.tests
    for x, packed in found.results:
        if allowed.required_at(x):
            before, begun = TestCounts.start(tester), time.perf_counter()
            own, cost = unpack_neighbors(packed)
            results[x], more = _pack_with_more(with_required(tester, allowed, x, own), cost, tester, before, begun)
            tests += more
    return UnitResults(tuple(results.items()), tests)


def _pack_with_more(
    own: Neighbors, cost: Cost, tester: Tester, before: TestCounts, begun: float
) -> tuple[PackedResult, int]:
    """Pack neighbors with their cost and that of the tests since ``before``; return the number of these, too."""
    more = TestCounts.of(tester).since(before)
    by_size = tuple(map(sum, zip_longest(cost.tests_by_size, more.by_size, fillvalue=0)))
    fewest, seconds = min(cost.fewest_rows, tester.fewest_rows), cost.seconds + time.perf_counter() - begun
    return pack_neighbors(own, Cost(by_size, cost.skipped + more.skipped, fewest, seconds, own.bounded)), more.made


def _by_getpcd(tester: Tester, columns: Sequence[int], screen: ScreenResult, plan: Plan) -> UnitResults:
    from climbfast_kernels.packed_results import pack_getpcd

    most_given = plan.most_given
    if most_given is None and len(columns) > 1:  # one by one: a separating set can have all candidates of its column
        parts = [_by_getpcd(tester, (x,), screen, plan) for x in columns]
        return UnitResults(
            tuple(result for part in parts for result in part.results), sum(part.tests for part in parts)
        )
    begun = time.perf_counter()
    first, candidates, strengths = screen.of_each(columns)
    pcd = getpcd_each(
        tester, columns, first, candidates, strengths, len(candidates) if most_given is None else most_given,
        plan.max_pool,
    )  # fmt: skip
    arrays = pack_getpcd(
        first, candidates, pcd.state, pcd.strengths, pcd.separators, pcd.tests, pcd.skipped, pcd.fewest_rows
    )
    packed = PackedResults.with_seconds(arrays, time.perf_counter() - begun)
    found = dict(zip(columns, packed, strict=True))
    test, tests = ScreenLookupTester(tester, screen), int(pcd.tests.sum())
    for place in np.flatnonzero(pcd.is_hub).tolist():
        x, of_hub = columns[place], pcd.of(place, first)
        before, begun = TestCounts.start(tester), time.perf_counter()
        own = finish_getpcd(test, x, candidates[first[place] : first[place + 1]], of_hub, most_given, plan.max_pool)
        cost = unpack_cost(packed[place])
        found[x], more = _pack_with_more(own, cost, tester, before, begun)
        tests += more
    return UnitResults(tuple(found.items()), tests)


def find_blankets(job: SearchJob, columns: Sequence[int], *arrays: NDArray[Any]) -> UnitResults:
    """Search the blankets of columns; packed neighbors are used if their arrays follow those of the data."""
    tester = tester_for(job, arrays[:DATA_ARRAYS])
    target_search = TargetSearch(tester, tester, len(arrays[1]), job.plan, allowed=job.allowed)
    search = job.plan.method.members
    if search is not None and job.plan.symmetry == "none":
        return _by_rounds(tester, columns, job, search, target_search)
    if len(arrays) == DATA_ARRAYS:
        check = target_search.check if job.checked else None
        return _each(tester, columns, target_search.find, pack_result, check)
    packed = PackedResults(*map(read_only, arrays[DATA_ARRAYS:]))

    def neighbors(x: int) -> Neighbors:
        return unpack_neighbors(packed[x])[0] if x in packed else target_search.search(x)

    if job.plan.compiled:
        known = (
            None
            if job.allowed is None
            else KnownAround(tester, neighbors, job.allowed, job.plan.most_given, job.plan.max_pool)
        )
        return _by_climb(tester, columns, job, packed, known)
    # Each column by a search of its own, or its number of tests would depend on the columns that share its task.
    parts = []
    for x in columns:
        around = TargetSearch(tester, tester, len(arrays[1]), job.plan, neighbors, job.allowed)
        parts.append(_each(tester, (x,), around.find, pack_result, around.check if job.checked else None))
    return UnitResults(tuple(result for part in parts for result in part.results), sum(part.tests for part in parts))


def _by_rounds(
    tester: Tester, columns: Sequence[int], job: SearchJob, search: MemberSearch, target_search: TargetSearch
) -> UnitResults:
    """Search whole blankets together, and then the neighbors among the members of each; pack them with their costs."""
    results, tests, begun = [], 0, time.perf_counter()
    for part, grown in search_together(tester, search, columns, job.plan.most_given_while_growing):
        found, costs = [], []
        for x, whole in zip(part, grown, strict=True):
            before = TestCounts.start(tester)
            result = target_search.around(x, whole.members)
            costs.append(TestCounts.of(tester).since(before).plus(whole.tests))
            found.append(result)
        left = _unexplained_by_wholes(tester, part, grown) if job.checked else [NOTHING] * len(part)
        now = time.perf_counter()
        seconds, begun = (now - begun) / len(part), now
        for x, result, unexplained, cost in zip(part, found, left, costs, strict=True):
            tests += cost.made
            of_search = Cost(cost.by_size, cost.skipped, cost.fewest_rows or 0, seconds, result.bounded)
            results.append((x, pack_result(replace(result, unexplained=unexplained), of_search)))
    return UnitResults(tuple(results), tests)


def _unexplained_by_wholes(tester: Tester, columns: Sequence[int], grown: Sequence[FoundMembers]) -> list[Unexplained]:
    """Return what blankets leave unexplained; what their searches have tested is not tested again."""
    sets = []
    for x, whole in zip(columns, grown, strict=True):
        dependent = whole.dependent
        if dependent is None:
            dependent = dependent_among(tester, x, [y for y in range(tester.data.columns) if y != x])
        tests = outside(x, whole.members, dependent)
        # Where nothing is left unexplained, the first test says how many rows a stratum has.
        sets.append(tests._replace(candidates=tests.candidates[:1]) if whole.explains_all else tests)
    return unexplained_each(tester, sets)


def _by_climb(
    tester: Tester, columns: Sequence[int], job: SearchJob, packed: PackedResults, known: KnownAround | None
) -> UnitResults:
    begun, before, plan = time.perf_counter(), TestCounts.of(tester), job.plan
    arrays = climb_each(
        tester, columns, packed.arrays, [packed.members_of(x) for x in columns], mutual=plan.symmetry == "children",
        scale=evidence_scale(tester, tester.data.rows) if plan.colliders else None, min_margin=plan.min_margin,
        node_budget=plan.node_budget, most_given=plan.most_given, around=known,
    )  # fmt: skip
    tests = TestCounts.of(tester).since(before).made
    blankets = PackedResults.with_seconds(arrays, time.perf_counter() - begun)
    found = _checked(tester, columns, blankets, packed) if job.checked else blankets.with_nothing_unexplained()
    return UnitResults(tuple(zip(columns, found, strict=True)), tests)


def _checked(
    tester: Tester, columns: Sequence[int], blankets: PackedResults, packed: PackedResults
) -> Iterator[PackedResult]:
    """Yield the blankets of columns with what they leave unexplained, from the packed neighbors of all columns."""
    found = list(blankets)
    tests_outside = [
        outside(x, members_in(each), dependent_in(packed[x])) for x, each in zip(columns, found, strict=True)
    ]
    for x, blanket, left in zip(columns, found, unexplained_each(tester, tests_outside), strict=True):
        yield with_unexplained(blanket, _with_determining_set(tester, x, left, packed))


def _with_determining_set(tester: Tester, x: int, left: Unexplained, packed: PackedResults) -> Unexplained:
    if not left.bits:
        return left
    return with_determining_set(tester, x, left, unpack_neighbors(packed[x])[0].separators)


def _each(
    tester: Tester,
    columns: Sequence[int],
    search: Callable[[int], Any],
    pack: Callable[[Any, Cost], PackedResult],
    check: Callable[[int, Any], Any] | None = None,
) -> UnitResults:
    """Search around every column, check the result if asked to, and pack it with its cost."""
    results, tests = [], 0
    for x in columns:
        before, begun = TestCounts.start(tester), time.perf_counter()
        result = search(x)
        counts = TestCounts.of(tester).since(before)
        tests += counts.made
        fewest_rows = tester.fewest_rows
        if check is not None:
            result = check(x, result)
        seconds = time.perf_counter() - begun
        results.append((x, pack(result, Cost(counts.by_size, counts.skipped, fewest_rows, seconds, result.bounded))))
    return UnitResults(tuple(results), tests)
