"""Numbers of any size, such as a reader gives the texts of a column, as the small codes of its levels."""

from __future__ import annotations

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array


@leaf
def first_rows(numbers: Array, seen: Array, rows: Array) -> int:
    """Find the distinct numbers of a column: in ``rows`` the first row of each, ascending; return how many they are.

    Parameters
    ----------
    numbers : uint32 array, shape (rows,)
        One number a cell.
    seen : bool array, longer than the largest number
        All False, before and after.
    rows : int64 array, as long as there may be distinct numbers
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
