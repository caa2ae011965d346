"""How often each code occurs in a column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.compiling import announce_compilation

__all__ = ["MANY_ROWS", "count_cells"]

MANY_ROWS = 1 << 18  # with fewer, a kernel more to load takes longer than it saves


def count_cells(cells: NDArray[Any], size: int) -> NDArray[np.int64]:
    """Return the number of cells that are 0, 1, ..., ``size`` - 1, and of larger ones if there are any.

    Of bytes a kernel counts four times as fast as numpy, which first makes integers of 64 bits of them.
    """
    if cells.dtype != np.uint8 or cells.size < MANY_ROWS or size > 256 or not cells.flags.c_contiguous:
        return np.bincount(cells, minlength=size).astype(np.int64, copy=False)
    from climbfast_kernels.coding import count_values

    announce_compilation()
    counts = np.zeros((4, 1 << 8), dtype=np.int64)
    shared = cells.view()
    shared.flags.writeable = False  # like cells of frames: the kernel is compiled for one type
    count_values(shared, counts)
    total: NDArray[np.int64] = counts.sum(axis=0)
    return total[: max(size, 1 + int(np.flatnonzero(total)[-1]))]
