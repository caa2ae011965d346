"""Memory of which only the pages that are used are taken."""

from __future__ import annotations

import mmap

import joblib
import numpy as np
import pytest

from climbfast.dataset import pages
from climbfast.dataset.pages import take_pages, zero_pages


@pytest.mark.parametrize("shape", [(0, 3), (3, 5), (1 << 11, 1 << 11)])
@pytest.mark.parametrize("dtype", [np.uint8, np.int64])
def test_they_are_zeros_of_their_own(shape: tuple[int, int], dtype: type) -> None:
    one, other = zero_pages(shape, dtype), zero_pages(shape, dtype)
    assert (one.shape, one.dtype, one.flags.c_contiguous) == (shape, np.dtype(dtype), True)
    one[:] = 1
    assert not other.any()


def test_a_system_without_such_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(mmap, "MAP_PRIVATE", raising=False)
    monkeypatch.setattr(pages, "_LARGE", 0)
    assert zero_pages((2, 2), np.uint8).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("shape", [(1 << 30, 1 << 30), (1 << 40, 1 << 40)])
def test_too_much_is_said_as_numpy_says_it(shape: tuple[int, int]) -> None:
    with pytest.raises(MemoryError, match=r"Unable to allocate [\d,]+\.\d GiB"):
        zero_pages(shape, np.uint8)


def test_they_go_to_other_processes() -> None:
    array = zero_pages((1 << 11, 1 << 11), np.uint8)
    array[-1, -1] = 3
    with joblib.parallel_config("loky"):
        (total,) = joblib.Parallel(n_jobs=2)([joblib.delayed(np.sum)(array)])
    assert total == 3


@pytest.mark.parametrize("begin", [0, 1, mmap.PAGESIZE])
@pytest.mark.parametrize("size", [0, 1, mmap.PAGESIZE, 3 * mmap.PAGESIZE + 5])
def test_pages_that_are_taken_keep_their_cells(begin: int, size: int) -> None:
    array = zero_pages((1 << 23,), np.uint8)
    array[begin : begin + 7] = range(1, 8)
    before = array.copy()
    take_pages(array[begin : begin + size])
    assert (array == before).all()
