"""Columns that determine each other one to one in the rows where both are observed.

Columns that are missing in the same rows are compared by digests (``diagnostics.one_to_one``). Of all others the rows
in common have to be read: those of a sample, in which nearly all pairs contradict each other, and all rows of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.diagnostics import count_codes
from climbfast.dataset.groups import linked_groups

if TYPE_CHECKING:
    from climbfast.dataset.dataset import Dataset

__all__ = ["FEWEST_OTHER_ROWS", "LEAST_ROWS_TO_A_LEVEL", "one_to_one_in_common_rows"]

MOST_CELLS_READ = 400_000_000  # in about a second
FEWEST_OTHER_ROWS = 10  # outside the most frequent level: fewer may agree by chance
LEAST_ROWS_TO_A_LEVEL = 5
_ROWS_OF_A_SAMPLE = 1_024
_LARGEST_COUNTS = 3  # by which columns are compared first
_COUNTS_AS_A_CELL = 10  # a cell takes the time of comparing so many counts of columns
_CELLS_AS_A_PAIR = 4  # beginning with a pair takes the time of so many cells


def one_to_one_in_common_rows(data: Dataset, budget: int = MOST_CELLS_READ) -> list[list[int]]:
    """Return the groups of columns of which two and two determine each other in the rows where both are observed.

    These are half of all rows at least. Of the columns of a group in ``data.one_to_one`` the first is looked at. A
    column needs 10 rows outside its most frequent level, and 5 to each of its levels.

    Parameters
    ----------
    data : Dataset
    budget : int
        No pair is begun after so many cells were read; those of a wide table may not be looked at all.
    """
    columns = _candidates(data)
    pairs = []
    for x, y, read in _pairs_in_a_sample(data, columns):
        budget -= read
        if budget <= 0:
            break
        if y is not None:
            budget -= 2 * data.codes.shape[1]
            if _are_one_to_one(data, x, y):
                pairs.append((x, y))
    return [group for group in linked_groups(data.columns, pairs) if len(group) > 1]


def _candidates(data: Dataset) -> list[int]:
    """Return the columns that may be in a pair; none if no cell is missing."""
    if not data.incomplete.any():
        return []
    later = {data.index(name) for group in data.one_to_one for name in group[1:]}
    return [
        i
        for i, counts in enumerate(data.level_counts)
        if i not in later and _tells_enough(counts) and 2 * int(counts.sum()) >= data.rows
    ]


def _tells_enough(counts: NDArray[np.int64]) -> bool:
    """Whether a column with these counts of its levels hardly agrees with another by chance."""
    rows, levels = int(counts.sum()), int(np.count_nonzero(counts))
    return (
        levels > 1 and rows - int(counts.max()) >= FEWEST_OTHER_ROWS and levels * LEAST_ROWS_TO_A_LEVEL <= rows
    )  # fmt: skip


def _pairs_in_a_sample(data: Dataset, columns: list[int]) -> Iterator[tuple[int, int | None, int]]:
    """Yield x, a column y that is one to one with it in a sample of the rows, or None, and the cells read for that.

    The order of the rows does not matter: all rows decide about a pair, and a sample contradicts only what they do.
    """
    from climbfast_kernels.determination import UNKNOWN, determined_by

    if not columns:
        return
    rows = np.random.default_rng(0).permutation(data.codes.shape[1])[:_ROWS_OF_A_SAMPLE]
    gaps = data.arity[columns]
    codes = np.array([data.codes[i][rows] for i in columns], dtype=np.uint8 if gaps.max() < 1 << 8 else np.uint32)
    incomplete = data.incomplete[columns]
    missing = np.array([data.missing.get(data.canonical[i], 0) for i in columns], dtype=np.int64)
    largest = _largest_counts(data, columns)
    image = np.full(int(gaps.max()) + 1, UNKNOWN, dtype=np.int64)
    places = np.arange(len(columns))
    for a in np.flatnonzero(incomplete).tolist():
        # The counts of a level in all rows and in the common ones differ by at most the missing cells of the other.
        most = np.maximum(missing, missing[a])
        wanted = np.flatnonzero((np.abs(largest[0] - largest[0, a]) <= most) & ((places > a) | ~incomplete))
        for counts in largest[1:]:
            wanted = wanted[np.abs(counts[wanted] - counts[a]) <= most[wanted]]
        common = np.zeros(len(columns), dtype=np.int64)
        read = determined_by(
            codes[a].astype(np.int64), gaps[a], codes, gaps, wanted, image, common, len(columns) * _ROWS_OF_A_SAMPLE
        )
        yield columns[a], None, read + wanted.size * _CELLS_AS_A_PAIR + len(columns) // _COUNTS_AS_A_CELL
        for b in np.flatnonzero(common).tolist():
            back = np.zeros(len(columns), dtype=np.int64)
            read = determined_by(codes[b].astype(np.int64), gaps[b], codes, gaps, np.array([a]), image, back, 1)
            yield columns[a], columns[b] if back[a] else None, read


def _largest_counts(data: Dataset, columns: list[int]) -> NDArray[np.int64]:
    """Return the numbers of rows of the most frequent levels, a column each."""
    largest = np.zeros((_LARGEST_COUNTS, len(columns)), dtype=np.int64)
    for place, i in enumerate(columns):
        counts = np.sort(data.level_counts[i])[::-1][:_LARGEST_COUNTS]
        largest[: counts.size, place] = counts
    return largest


def _are_one_to_one(data: Dataset, x: int, y: int) -> bool:
    """Whether two columns determine each other in their common rows, which are half of all, and not by chance."""
    observed = ~(data.missing_cells(x) | data.missing_cells(y))
    if 2 * data.rows_where(observed) < data.rows:
        return False
    of_x, of_y = data.codes[x][observed], data.codes[y][observed]
    weights = None if data.weights is None else data.weights[observed]
    size_x, size_y = int(data.arity[x]), int(data.arity[y])
    return (
        _tells_enough(count_codes(of_x, size_x, weights))
        and _is_function(of_x, of_y, size_x)
        and _is_function(of_y, of_x, size_y)
    )


def _is_function(x: NDArray[Any], y: NDArray[Any], size: int) -> bool:
    """Whether rows that are equal in x are equal in y."""
    image = np.zeros(size, dtype=y.dtype)
    image[x] = y
    return bool(np.array_equal(image[x], y))
