"""What a worker makes of the arrays it is sent: once for a job, the same data, and nothing after it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

import climbfast as cf
from climbfast import workers
from climbfast.workers import DATA_ARRAYS, Job, arrays_of, expected_seconds, read_only, screen_worker_for
from tests.factories import draw_codes, quiet_codes


@pytest.fixture(scope="module")
def data() -> cf.Dataset:
    return quiet_codes(draw_codes([2, 3, 70, 4, 2], 300))


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    workers.forget()
    yield
    workers.forget()


def job_of(data: cf.Dataset) -> Job:
    return Job(test=cf.G2(), counting="auto", rows=data.rows, units=data.log_tables.units)


def test_the_arrays_are_the_data(data):
    arrays = arrays_of(data)
    assert len(arrays) == DATA_ARRAYS
    tester, expected = workers.tester_for(job_of(data), arrays), cf.Tester(data, "g2")
    assert (tester.test, tester.data.rows, tester.data.columns) == (expected.test, data.rows, data.columns)
    for given in ((), (3,), (3, 4)):
        assert tester.sweep(0, (1, 2), given).tobytes() == expected.sweep(0, (1, 2), given).tobytes()
    for name in ("bits", "log_tables"):
        for sent, here in zip(getattr(tester.data, name), getattr(data, name), strict=True):
            assert np.array_equal(sent, here)


def test_a_tester_is_made_once_for_a_job(data):
    first, second, arrays = job_of(data), job_of(data), arrays_of(data)
    tester = workers.tester_for(first, arrays)
    assert workers.tester_for(first, arrays) is tester
    screen = screen_worker_for(first, arrays)
    assert screen_worker_for(first, arrays) is screen
    assert workers.tester_for(second, arrays) is not tester
    assert screen_worker_for(second, arrays) is not screen


def test_every_thread_has_a_tester(data):
    job, arrays, found = job_of(data), arrays_of(data), []
    thread = threading.Thread(target=lambda: found.append(workers.tester_for(job, arrays)))
    thread.start()
    thread.join()
    assert workers.tester_for(job, arrays) is not found[0]


def test_nothing_is_kept_when_told_to_forget(data):
    job, arrays = job_of(data), arrays_of(data)
    tester = workers.tester_for(job, arrays)
    workers.forget()
    assert workers.tester_for(job, arrays) is not tester


def test_read_only_leaves_the_array_as_it_is():
    array = np.zeros(3)
    same = read_only(array)
    assert not same.flags.writeable and array.flags.writeable
    assert np.shares_memory(same, array)


def test_expected_seconds_grow_with_the_work():
    few, many = (quiet_codes(draw_codes([2] * columns, 300)) for columns in (4, 40))
    assert expected_seconds(many, 40) > expected_seconds(many, 4) > expected_seconds(few, 4) > 0
    assert expected_seconds(many, 40, pairs_once=False) > expected_seconds(many, 40)
