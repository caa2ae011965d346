"""How often each code occurs in a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.compiling import announce_compilation

__all__ = ["FEW_LEVELS", "MANY_ROWS", "CountedNumbers", "count_cells", "count_few", "write_as_bytes"]

MANY_ROWS = 1 << 18  # with fewer, a kernel more to load takes longer than it saves
FEW_LEVELS = 8  # so many passes over bytes, each of which is vectorized, take less than one that counts all levels


def count_cells(cells: NDArray[Any], size: int) -> NDArray[np.int64]:
    """Return the number of cells that are 0, 1, ..., ``size`` - 1, and of larger ones if there are any.

    Of bytes a kernel counts four times as fast as numpy, which first makes integers of 64 bits of them.
    """
    if not _is_for_kernel(cells) or size > 256:
        return np.bincount(cells, minlength=size).astype(np.int64, copy=False)
    from climbfast_kernels.coding import count_values

    announce_compilation()
    counts = np.zeros((4, 1 << 8), dtype=np.int64)
    count_values(_read_only(cells), counts)
    total: NDArray[np.int64] = counts.sum(axis=0)
    return total[: max(size, 1 + int(np.flatnonzero(total)[-1]))]


def count_few(cells: NDArray[Any], size: int, *, is_complete: bool) -> NDArray[np.int64]:
    """Return the number of cells that are 0, 1, ..., ``size`` - 1.

    If the column is complete, no cell is another number, and the last one has those that the others leave.
    """
    counts = np.zeros(size, dtype=np.int64)
    counted = counts[: size - is_complete]
    if _is_for_kernel(cells):
        from climbfast_kernels.coding import count_few_values

        announce_compilation()
        count_few_values(_read_only(cells), counted)
    else:
        for begin in range(0, cells.size, MANY_ROWS):  # which stay in the cache of a core
            block = cells[begin : begin + MANY_ROWS]
            for code in range(counted.size):
                counted[code] += np.count_nonzero(block == code)
    if is_complete and size:
        counts[-1] = cells.size - counted.sum()
    return counts


class CountedNumbers(NamedTuple):
    """How often each of some whole numbers occurs.

    Attributes
    ----------
    low : int
        The lowest number that occurs.
    counts : int64 array
        Of each number from there to the highest that occurs.
    """

    low: int
    counts: NDArray[np.int64]


def write_as_bytes(parts: Sequence[NDArray[Any]], out: NDArray[np.uint8]) -> CountedNumbers | None:
    """Write whole numbers as bytes, modulo 2^8, and count them.

    Parameters
    ----------
    parts : sequence of integer arrays
        Of one type, and not empty.
    out : uint8 array
        As long as all of them.

    Returns
    -------
    CountedNumbers or None
        None if two numbers are 2^8 or more apart; a part of `out` may then be written.
    """
    from climbfast_kernels.coding import write_bytes

    announce_compilation()
    counts = np.zeros((4, 1 << 8), dtype=np.int64)
    ends = np.repeat(parts[0][:1], 2)
    begin = 0
    for part in parts:
        if not write_bytes(_read_only(part), ends, out[begin : begin + part.size], counts):
            return None
        begin += part.size
    low, high = ends.tolist()
    total, first = counts.sum(axis=0), low % (1 << 8)
    return CountedNumbers(low, np.concatenate((total, total))[first : first + high - low + 1])


def _is_for_kernel(cells: NDArray[Any]) -> bool:
    return cells.dtype == np.uint8 and cells.size >= MANY_ROWS and cells.flags.c_contiguous


def _read_only(cells: NDArray[Any]) -> NDArray[Any]:
    """Return a view that cannot be written, as those of frames are: the kernels are compiled for one type."""
    view = cells.view()
    view.flags.writeable = False
    return view
