"""The work of each pass on the arrays that a worker is sent is what the searches find by themselves."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import climbfast as cf
from climbfast import workers
from climbfast.batch.packed_results import PackedResults, unpack_cost, unpack_neighbors, unpack_result
from climbfast.batch.passes import SearchJob, find_blankets, find_neighbors, screen_pairs, unpack_pairs
from climbfast.independence.screen import ScreenResult, ScreenWorker, units_of_screen
from climbfast.local.plan import plan_blanket
from climbfast.local.target_search import TargetSearch
from climbfast.local.unexplained import NOTHING
from climbfast.workers import arrays_of
from tests.factories import draw_net, quiet_codes

COLUMNS = range(9)


@pytest.fixture(scope="module")
def data() -> cf.Dataset:
    return quiet_codes(draw_net(17))


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    yield
    workers.forget()


def job_of(data: cf.Dataset, **options) -> SearchJob:
    plan = plan_blanket(options.pop("method", "climb"), **options)
    return SearchJob(plan=plan, test=cf.SCI(), counting="auto", rows=data.rows, units=data.log_tables.units)


def screened(data: cf.Dataset) -> ScreenResult:
    worker = ScreenWorker(cf.Tester(data))
    return ScreenResult.gather([worker.unit(unit) for unit in range(len(units_of_screen(data)))], data.columns)


def test_the_pairs_of_a_screen(data):
    units = range(len(units_of_screen(data)))
    done = screen_pairs(job_of(data), units, *arrays_of(data))
    parts = [unpack_pairs(packed) for _, packed in done.results]
    assert [unit for unit, _ in done.results] == list(units)
    assert done.tests == sum(part.tests for part in parts) == 9 * 8 // 2
    found, expected = ScreenResult.gather(parts, data.columns), screened(data)
    assert [array.tolist() for array in found.arrays] == [array.tolist() for array in expected.arrays]


@pytest.mark.parametrize("options", [{}, {"neighbors": "mmpc"}, {"max_given": None}], ids=str)
@pytest.mark.parametrize("with_screen", [False, True])
def test_neighbors_with_and_without_a_screen(data, options, with_screen):
    job, tester = job_of(data, **options), cf.Tester(data)
    expected = TargetSearch(tester, tester, data.columns, job.plan)
    more = screened(data).arrays if with_screen else ()
    done = find_neighbors(job, COLUMNS, *arrays_of(data), *more)
    tests = 0
    for x, packed in done.results:
        found, cost = unpack_neighbors(packed)
        alone = expected.search(x)
        assert (found.members, found.strengths, found.separators) == (alone.members, alone.strengths, alone.separators)
        tests += sum(cost.tests_by_size)
        assert not with_screen or cost.tests_by_size[:1] in ((), (0,)), "the marginal tests are those of the screen"
    assert done.tests == tests


@pytest.mark.parametrize("with_neighbors", [False, True])
@pytest.mark.parametrize("options", [{}, {"symmetry": "and"}, {"method": "pcmb"}], ids=str)
def test_blankets_with_and_without_known_neighbors(data, options, with_neighbors):
    job, known = job_of(data, **options), ()
    if with_neighbors:
        done = find_neighbors(job, COLUMNS, *arrays_of(data))
        known = PackedResults.gather(dict(done.results), data.columns).arrays
    assert_blankets(data, job, *known)


def test_results_are_sent_as_they_are(data):
    found = find_neighbors(job_of(data), range(2, data.columns), *arrays_of(data))
    sent = pickle.loads(pickle.dumps(found))
    assert (type(sent), sent.tests) == (type(found), found.tests)
    for (unit, packed), (same_unit, same) in zip(found.results, sent.results, strict=True):
        assert unit == same_unit
        assert (packed.ints.tobytes(), packed.floats.tobytes()) == (same.ints.tobytes(), same.floats.tobytes())
        assert (same.ints.dtype, same.floats.dtype) == (np.int64, np.float64)


def test_whole_blankets(data):
    assert_blankets(data, job_of(data, method="iamb"))


@pytest.mark.parametrize("options", [{}, {"symmetry": "and"}, {"method": "iamb"}], ids=str)
def test_blankets_that_are_not_checked(data, options):
    job = job_of(data, **options)
    neighbors = find_neighbors(job, COLUMNS, *arrays_of(data)) if job.plan.of_neighbors else None
    more = () if neighbors is None else PackedResults.gather(dict(neighbors.results), data.columns).arrays
    checked, alone = (
        [unpack_result(packed)[0] for _, packed in find_blankets(each, COLUMNS, *arrays_of(data), *more).results]
        for each in (job, replace(job, checked=False))
    )
    assert any(each.unexplained != NOTHING for each in checked)
    assert alone == [replace(each, unexplained=NOTHING) for each in checked]


def assert_blankets(data: cf.Dataset, job: SearchJob, *known) -> None:
    """They are those that the search of every column finds by itself, checked."""
    done, tester = find_blankets(job, COLUMNS, *arrays_of(data), *known), cf.Tester(data)
    assert [x for x, _ in done.results] == list(COLUMNS)
    for x, packed in done.results:
        alone = TargetSearch(tester, tester, data.columns, job.plan)
        assert unpack_result(packed)[0] == alone.check(x, alone.find(x))
    assert done.tests == sum(sum(unpack_cost(packed).tests_by_size) for _, packed in done.results)
