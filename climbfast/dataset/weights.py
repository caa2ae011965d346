"""The column that says how often each row occurs, as tables of counts have it."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.column_encoding import Column, cells_as_places, keep_rows
from climbfast.dataset.levels import MISSING
from climbfast.errors import DataError

__all__ = ["split_weights"]

LARGEST_SUM = 10**12  # scores in fixed point then have more than a millionth of a bit left


def split_weights(
    names: Sequence[Hashable], columns: Sequence[Column], weights: Hashable | None
) -> tuple[list[Hashable], list[Column], NDArray[np.int64] | None]:
    """Return the names and columns without that of the weights, and the weights; None if there is no such column.

    Rows of count 0 are left out: they do not occur.

    Raises
    ------
    DataError
        Unless the weights are whole numbers, 0 or more, none of them missing, and not all 0.
    """
    if weights is None:
        return list(names), list(columns), None
    at = list(names).index(weights)
    others = [i for i in range(len(names)) if i != at]
    counts = _counts(weights, columns[at])
    occurs = counts > 0
    kept = [columns[i] if occurs.all() else keep_rows(columns[i], occurs) for i in others]
    return [names[i] for i in others], kept, counts[occurs]


def _counts(name: Hashable, column: Column) -> NDArray[np.int64]:
    places = cells_as_places(column)
    gaps = int(np.count_nonzero(places == MISSING))
    if gaps:
        raise DataError(f"the weights in column {name!r} have {gaps} missing cells; every row needs its count")
    wrong = [level for level in column.levels if type(level) is not int]
    if wrong:
        # In a column with a word all numbers are text: the word is what is wrong.
        first = next((level for level in wrong if not str(level).strip().isdecimal()), wrong[0])
        raise DataError(f"the weights in column {name!r} have to be whole numbers, 0 or more; {first!r} is none")
    counts = [level for level in column.levels if isinstance(level, int)]
    if min(counts) < 0:
        raise DataError(
            f"the weights in column {name!r} have to be whole numbers, 0 or more; {min(counts)} is negative"
        )
    if max(counts) > LARGEST_SUM or sum(map(operator.mul, counts, np.bincount(places).tolist())) > LARGEST_SUM:
        raise DataError(f"the weights in column {name!r} stand for more than {LARGEST_SUM:,} rows")
    weights: NDArray[np.int64] = np.array(counts, dtype=np.int64)[places]
    if not weights.any():
        raise DataError(f"the weights in column {name!r} are all 0: the table has no rows")
    return weights
