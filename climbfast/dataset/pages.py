"""Memory of which the system gives only the pages that are used, each at its first use.

numpy asks the system for pages of 2 MB (transparent huge pages of Linux). For a matrix of which a part of each row is
used it takes that much more, and for one that is written once the system needs up to seven times as long.
"""

from __future__ import annotations

import ctypes
import functools
import math
import mmap
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

__all__ = ["take_pages", "zero_pages"]

_POPULATE_WRITE = 23  # MADV_POPULATE_WRITE of Linux from 5.14 on, which the module mmap does not know
_LARGE = 1 << 22  # bytes, from which on numpy asks for large pages


def zero_pages(shape: Sequence[int], dtype: DTypeLike) -> NDArray[Any]:
    """Return an array of zeros, as ``numpy.zeros`` does.

    Raises
    ------
    MemoryError
        If the system has not so much memory.
    """
    size = math.prod(shape) * np.dtype(dtype).itemsize
    if size < _LARGE or not hasattr(mmap, "MAP_PRIVATE"):  # Windows has no such pages
        return np.zeros(shape, dtype)
    try:
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError):  # the first would be taken for an error of the file that is read
        raise MemoryError(f"Unable to allocate {size / 2**30:,.1f} GiB") from None
    # A memoryview between them: joblib takes an array on a memory map for one of a file.
    return np.frombuffer(memoryview(pages), dtype).reshape(shape)


def take_pages(array: NDArray[Any]) -> None:
    """Take all pages of a contiguous array from the system at once, which is faster than each at its first use.

    Only of Linux; elsewhere, and by older ones, nothing is done.
    """
    if array.nbytes < mmap.PAGESIZE:
        return
    first = -(-array.ctypes.data // mmap.PAGESIZE) * mmap.PAGESIZE
    size = array.ctypes.data + array.nbytes - first
    if sys.platform == "linux" and size > 0:
        _c_library().madvise(ctypes.c_void_p(first), ctypes.c_size_t(size), _POPULATE_WRITE)


@functools.cache  # a new one takes 0.05 ms
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(None)
