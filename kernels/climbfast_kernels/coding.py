"""Large text numbers of a column -> the small codes of its levels. A reader such as polars assigns the numbers."""

from __future__ import annotations

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array


@leaf
def first_rows(numbers: Array, seen: Array, rows: Array) -> int:
    """Set ``rows`` to the first row of each distinct number of a column, ascending; return how many there are.

    Parameters
    ----------
    numbers : uint32 array, shape (rows,)
        One number per cell.
    seen : bool array, shape (> largest number,)
        All False, before and after.
    rows : int64 array, shape (≥ distinct numbers,)
        Modified in place.
    """
    found = 0
    for i in range(numbers.shape[0]):
        if not seen[numbers[i]]:
            seen[numbers[i]] = True
            rows[found] = i
            found += 1
    for t in range(found):
        seen[numbers[rows[t]]] = False
    return found


@leaf
def recode(numbers: Array, code: Array, out: Array) -> None:
    """out[i] = code[numbers[i]], modified in place; ``out`` has the type of ``code``."""
    for i in range(numbers.shape[0]):
        out[i] = code[numbers[i]]
