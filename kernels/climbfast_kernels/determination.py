"""Which columns determine others: y is a function of x if rows that are equal in x are equal in y.

Nearly all pairs contradict each other within a few rows, and are left there. The work is counted in rows read, so that
a caller can bound it.
"""

from __future__ import annotations

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array

UNKNOWN = -1


@leaf
def determined_by(
    x: Array, x_gap: int, codes: Array, gaps: Array, wanted: Array, image: Array, common: Array, budget: int
) -> int:
    """Find the columns that are functions of x in the rows where both are observed; return the number of rows read.

    Parameters
    ----------
    x : int64 array, shape (rows,)
    x_gap : int
        The code of a missing cell of x.
    codes : unsigned integer array, shape (columns, rows)
    gaps : int64 array, shape (columns,)
        The code of a missing cell of each column.
    wanted : int64 array
        The columns to look at.
    image : int64 array, shape (> largest code of x,)
        All UNKNOWN, before and after.
    common : int64 array, shape (columns,)
        Modified in place: for each wanted column the number of rows where both are observed, 0 if it is no function
        of x or was not reached.
    budget : int
        No column is begun after so many rows were read.
    """
    read = 0
    for t in range(wanted.shape[0]):
        if read >= budget:
            return read
        j = wanted[t]
        observed, end = 0, x.shape[0]
        for i in range(x.shape[0]):
            y = codes[j, i]
            if x[i] == x_gap or y == gaps[j]:
                continue
            if image[x[i]] == UNKNOWN:
                image[x[i]] = y
            elif image[x[i]] != y:
                observed, end = 0, i + 1
                break
            observed += 1
        common[j] = observed
        for i in range(end):
            image[x[i]] = UNKNOWN
        read += end
    return read


@leaf
def near_copies(
    codes: Array, sizes: Array, largest: Array, most: int, counts: Array, best: Array, pairs: Array, budget: int
) -> tuple[int, int, int]:
    """Find the pairs of columns of which at most ``most`` rows keep each from being a function of the other.

    Parameters
    ----------
    codes : unsigned integer array, shape (columns, rows)
        The columns in the order of ``largest``; a missing cell is a code like others.
    sizes : int64 array, shape (columns,)
        The number of codes of each column.
    largest : int64 array, shape (columns,)
        The number of rows of the most frequent code of each column, ascending: it differs by at most ``most`` in a
        pair that is sought.
    most : int
    counts : int64 array, shape (≥ product of any two sizes,)
        All 0, before and after.
    best : int64 array, shape (2, ≥ largest size)
        All 0, before and after.
    pairs : int64 array, shape (any, 2)
        Modified in place: the pairs found; further ones are only counted.
    budget : int
        No pair is begun after so many rows were read.

    Returns
    -------
    found, compared, read : int
        The pairs found, the pairs compared, and the rows read.
    """
    found = compared = read = 0
    for a in range(codes.shape[0]):
        for b in range(a + 1, codes.shape[0]):
            if largest[b] - largest[a] > most:
                break
            if read >= budget:
                return found, compared, read
            compared += 1
            end, alike = _exceptions_within(codes[a], codes[b], sizes[b], most, counts, best)
            for i in range(end):
                x, y = codes[a, i], codes[b, i]
                counts[x * sizes[b] + y] = 0
                best[0, x] = 0
                best[1, y] = 0
            read += end
            if alike:
                if found < pairs.shape[0]:
                    pairs[found, 0], pairs[found, 1] = a, b
                found += 1
    return found, compared, read


@leaf
def _exceptions_within(x: Array, y: Array, y_size: int, most: int, counts: Array, best: Array) -> tuple[int, bool]:
    """Return the rows read, and whether at most ``most`` of all rows are exceptions from x -> y and from y -> x.

    The exceptions from x -> y are the rows outside the most frequent y of their x.
    """
    of_x = of_y = 0
    for i in range(x.shape[0]):
        cell = x[i] * y_size + y[i]
        counts[cell] += 1
        if counts[cell] > best[0, x[i]]:
            best[0, x[i]] = counts[cell]
        else:
            of_x += 1
        if counts[cell] > best[1, y[i]]:
            best[1, y[i]] = counts[cell]
        else:
            of_y += 1
        if of_x > most or of_y > most:
            return i + 1, False
    return x.shape[0], True
