"""Work on the columns of a table in several threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from numpy.typing import NDArray

__all__ = ["in_shares", "in_threads", "threads"]

T = TypeVar("T")

MOST_THREADS = 8
CELLS_FOR_THREADS = 1 << 22  # with fewer, starting threads takes longer than it saves
CELLS_OF_A_TASK = 1 << 15  # with fewer, threads wait for each other: 10,000 columns of 500 rows took thrice as long


def threads() -> int:
    """Return the number of threads that read a file."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, MOST_THREADS)


def in_threads(work: Callable[..., T], *columns: Sequence[Any] | NDArray[Any], cells: int) -> list[T]:
    """Return what ``work`` makes of each element, as ``map`` does, in several threads if there are many cells in each.

    Of several errors that of the first element is raised.
    """
    if cells < max(CELLS_FOR_THREADS, CELLS_OF_A_TASK * len(columns[0])) or threads() == 1:
        return list(map(work, *columns))
    with ThreadPoolExecutor(threads(), "climbfast-reading") as pool:
        return list(pool.map(work, *columns))


def in_shares(work: Callable[[int, int], T], size: int, *, cells: int) -> list[T]:
    """Return what ``work`` makes of shares of 0, 1, ..., ``size`` - 1: of all, or one for each thread.

    ``work`` gets where a share begins and ends.
    """
    number = threads() if cells >= CELLS_FOR_THREADS else 1
    bounds = [size * i // number for i in range(number + 1)]
    return in_threads(work, bounds[:-1], bounds[1:], cells=cells)
