"""What a worker makes of the arrays it is sent: once for a job, the same data, and nothing after it."""

from __future__ import annotations

import gc
import os
import threading
import weakref
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


@pytest.mark.skipif(os.name == "nt", reason="a file that is kept cannot be deleted there")
@pytest.mark.parametrize("order", ["C", "F"])
def test_of_a_memory_map_only_the_memory_is_kept(data, tmp_path, order):
    def mapped(array: np.ndarray, file: int) -> np.ndarray:
        if array.size == 0:
            return array
        path = tmp_path / str(file)
        path.write_bytes(b"head" * 2 + array.tobytes(order))
        return np.memmap(path, array.dtype, "r", 8, array.shape, order)

    here = arrays_of(data)
    sent = tuple(mapped(array, file) for file, array in enumerate(here))
    maps = [weakref.ref(array) for array in sent if isinstance(array, np.memmap)]
    assert len(maps) >= 8
    tester = workers.tester_for(job_of(data), sent)
    del sent
    gc.collect()
    assert not any(each() is not None for each in maps), "joblib deletes the file when no map of it is left"
    for path in tmp_path.iterdir():
        path.unlink()
    kept = arrays_of(tester.data)
    assert all(np.array_equal(one, other) for one, other in zip(kept, here, strict=True))
    assert not any(array.flags.writeable for array in kept if array.size)
    expected = cf.Tester(data, "g2").sweep(0, (1, 2, 3), (4,))
    assert tester.sweep(0, (1, 2, 3), (4,)).tobytes() == expected.tobytes()


def test_a_job_is_forgotten_by_all_threads(data):
    job, other, arrays = job_of(data), job_of(data), arrays_of(data)
    kept, may_end, found = threading.Event(), threading.Event(), []

    def search():
        found.append(workers.tester_for(job, arrays))
        kept.set()
        may_end.wait()
        found.append(workers.tester_for(job, arrays))

    thread = threading.Thread(target=search)
    thread.start()
    kept.wait()
    here = workers.tester_for(other, arrays)
    workers.forget_job(job.token)
    may_end.set()
    thread.join()
    assert found[0] is not found[1]
    assert workers.tester_for(other, arrays) is here


def test_read_only_leaves_the_array_as_it_is():
    array = np.zeros(3)
    same = read_only(array)
    assert not same.flags.writeable and array.flags.writeable
    assert np.shares_memory(same, array)


def test_expected_seconds_grow_with_the_work():
    few, many = (quiet_codes(draw_codes([2] * columns, 300)) for columns in (4, 40))
    assert expected_seconds(many, 40) > expected_seconds(many, 4) > expected_seconds(few, 4) > 0
    assert expected_seconds(many, 40, pairs_once=False) > expected_seconds(many, 40)
