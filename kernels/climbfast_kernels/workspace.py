"""The scratch memory of the counting kernels: the open strata as each strategy needs them, and one table.

The open strata are those of the given columns of the current tests; ``open_strata`` sets them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import ROWS_AT_ONCE, Array, Bits, Integer, cache_aligned
from climbfast_kernels.independence import FIGURES

MOST_BITMAP_BYTES = 64 << 20
MOST_BITMAPS = 1 << 12
MOST_CELLS = 1 << 22
MOST_HELD_COLUMNS, MOST_HELD_LEVELS = 32, 256
FEWEST_SUMS, MOST_SUMS = 1 << 12, 1 << 19  # rows of Workspace.sums; with more rows of data, a table takes longer
LEAST_ROWS_PER_DISTINCT_ROW = 4  # with fewer, a pass over the distinct rows gains little

# Indices into Workspace.state. S_GIVEN: number of given columns. S_DEPTH: number of columns whose strata are in the
# stack of bitmaps. S_BITMAPS, S_DENSE, S_SPARSE: 1 if the strategy has prepared this (target, given). S_HELD: number of
# distinct rows held, 0 for none. S_WEIGHTED: 1 if a row of data stands for several, see ``weight``. S_SORTED: number of
# rows in ORDER, those complete in (given, target). S_FEWEST: the smallest number of rows of a test made so far.
# S_FILLED: with S_BITMAPS, number of (stratum, target level) that have rows; -1 if these bitmaps do not fit.
# S_SUMMED: 1 if S_SUM_X, S_SUM_Z, S_REGRET_X and S_ROWS have the figures that all candidates share.
S_GIVEN, S_DEPTH, S_BITMAPS, S_DENSE, S_SPARSE, S_HELD, S_WEIGHTED, S_SORTED, S_FEWEST, S_FILLED = range(10)
S_SUMMED, S_SUM_X, S_SUM_Z, S_REGRET_X, S_ROWS, STATES = range(10, 16)
GIVEN, STACK, START = range(3)  # rows of Workspace.columns
BITMAP, SIZE, ENDS, GROUP_BITMAP = range(4)  # rows of Workspace.filled
JOINT, ORDER, SPARE, BORDER = range(4)  # rows of Workspace.by_row
MARGIN, TALLY, TALLY_Z, LEVELS, LEVELS_Z, PLACE, REGRET, REGRET_GIVEN = range(8)  # rows of Workspace.by_level
# Rows of Workspace.by_stratum.
ROW, SPARE_ROW, GROUP, PAIR, SEGMENT, SPARE_SEGMENT = range(6)
GROUP_SIZE, FIRST_ROW, FIRST_GROUP = range(6, 9)
OWNER, KEY, OF_CELLS, OF_STRATA, OF_REGRETS, SUMS = range(6)  # columns of Workspace.sums


class Workspace(NamedTuple):
    """The strata of one (target, given), prepared for a strategy when a candidate first needs it, and buffers.

    Attributes
    ----------
    state : int64 array
        See the ``S_…`` indices.
    columns : int64 array, shape (3, most given columns + 2)
        GIVEN: the given columns in the order in which they refine the strata. STACK: the columns whose strata
        are in ``bitmaps``. START: element d is the first bitmap of the occupied strata of the first d columns of
        STACK, and element d + 1 is the end of these.
    bitmaps, size : uint64 array, shape (bitmaps, words), and int64 array, shape (bitmaps,)
        Bitmaps of the strata and their numbers of rows, depth by depth; after the deepest, those of
        (stratum, target level).
    filled : int64 array, shape (4, bitmaps + 3)
        With S_BITMAPS, of every (stratum, target level) that has rows: BITMAP, its place in ``bitmaps``; SIZE, its
        number of rows; and ENDS, 1 for the last one of each stratum, else 0. Up to three more, of no rows, make their
        number a multiple of four. GROUP_BITMAP: the places in ``bitmaps`` of those that ``shared_strata`` counts.
    by_row : int32 array, shape (4, rows)
        JOINT: mixed-radix code of (given, target), -1 if a cell is missing. ORDER: the rows without a missing cell in
        (given, target), sorted by these. SPARE: buffer of the
        sorting. BORDER: along ORDER, 2 where a stratum begins, 1 where a target level begins, else 0.
    by_level : int64 array, shape (8, largest arity + 1)
        MARGIN: scratch of ``measure``. TALLY and LEVELS: counts by level of the candidate, and the levels that
        occur. TALLY_Z and LEVELS_Z: the same for a whole stratum. PLACE: buffer of the sorting. REGRET and
        REGRET_GIVEN: with S_SUMMED, for candidates of so many levels R_Y and R_Y_GIVEN_X, or -1 if not yet summed.
    by_stratum : int32 array, shape (9, rows + 1)
        Rows divided by (given, target), see ``shared_strata``; a group is a stratum and a level of the target. ROW and
        GROUP: the rows in the order of their strata, and the group of each. PAIR: the rows of strata of two. SEGMENT:
        where each stratum begins while rows are divided. GROUP_SIZE: rows of each group. FIRST_ROW and FIRST_GROUP:
        where those of each stratum begin. SPARE_ROW and SPARE_SEGMENT: buffers.
    held, weight : uint8 array, shape (MOST_HELD_COLUMNS, distinct rows), and int64 array, shape (distinct rows,)
        The distinct rows of some columns, and the number of data rows that each stands for (see ``distinct``). With
        S_WEIGHTED no rows are held, and ``weight`` is how often each row of data occurs.
    place : int64 array, shape (columns,)
        The row of ``held`` for each column that is held; other elements have no meaning.
    table : int64 array
        Buffer of a dense table.
    figures : int64 array, shape (FIGURES,)
        The sums over a table (see ``independence``).
    sums : int64 array, shape (sets, SUMS)
        Sums over the table of a target and a set of columns, see ``set_sums``. OWNER and KEY: the target and the set; 0
        in a row without sums. OF_CELLS and OF_STRATA: Σ c·log2 c over the cells and the strata. OF_REGRETS:
        Σ log2 R(kx, c) over the strata. If OWNER has the levels of a candidate, OF_CELLS and OF_STRATA:
        Σ log2 R(ky, c) over these. 20 MB from 524,288 rows on.
    stop : int64 array, shape (1,)
        Not 0 if the work is to be interrupted: kernels then return early, and what they return has no meaning. Another
        thread sets it.
    """

    state: Array
    columns: Array
    bitmaps: Array
    size: Array
    filled: Array
    by_row: Array
    by_level: Array
    by_stratum: Array
    held: Array
    weight: Array
    place: Array
    table: Array
    figures: Array
    sums: Array
    stop: Array


def workspace(bits: Bits, most_given: int, stop: Array | None = None, weight: Array | None = None) -> Workspace:
    """Return a workspace for up to ``most_given`` given columns; pages of memory are touched only where used.

    ``weight`` is how often each row of data occurs, or None if each occurs once.
    """
    n = bits.n_rows if weight is None else weight.shape[0]
    words = bits.words.shape[1]
    bitmaps = 1 + max(1, min(MOST_BITMAPS, MOST_BITMAP_BYTES // (8 * words)))
    most_levels = int(bits.arity.max())
    work = Workspace(
        np.zeros(STATES, np.int64),
        np.zeros((3, most_given + 2), np.int64),
        cache_aligned(np.empty, bitmaps, words),
        np.empty(bitmaps, np.int64),
        np.empty((4, bitmaps + ROWS_AT_ONCE - 1), np.int64),
        np.empty((4, n), np.int32),
        np.zeros((8, most_levels + 1), np.int64),
        np.empty((9, n + 1), np.int32),
        np.empty((MOST_HELD_COLUMNS, n // LEAST_ROWS_PER_DISTINCT_ROW), np.uint8),
        np.empty(n // LEAST_ROWS_PER_DISTINCT_ROW, np.int64) if weight is None else weight.copy(),
        np.zeros(bits.arity.shape[0], np.int64),
        np.empty(min(max(4096, 2 * n), MOST_CELLS), np.int64),
        np.zeros(FIGURES, np.int64),
        np.zeros((min(max(FEWEST_SUMS, 1 << (n.bit_length() - 1)), MOST_SUMS), SUMS), np.int64),
        np.zeros(1, np.int64) if stop is None else stop,
    )
    work.state[S_WEIGHTED], work.state[S_FEWEST] = weight is not None, bits.n_rows
    work.columns[START, 1] = 1
    work.size[0] = n
    all_rows = np.zeros(words * 64, np.uint8)
    all_rows[:n] = 1
    work.bitmaps[0] = np.packbits(all_rows, bitorder="little").view(np.uint64)
    return work


@leaf
def open_strata(work: Workspace, given: Array, n_given: Integer) -> None:
    """Set the given columns to the first ``n_given`` of ``given``.

    Nothing prepared stays valid except the bitmaps of the leading columns that the old and the new set share.
    """
    state, columns = work.state, work.columns
    shared = 0
    while shared < n_given and shared < state[S_DEPTH] and columns[STACK, shared] == given[shared]:
        shared += 1
    for d in range(n_given):
        columns[GIVEN, d] = given[d]
    state[S_GIVEN] = n_given
    state[S_DEPTH] = shared
    state[S_BITMAPS] = state[S_DENSE] = state[S_SPARSE] = state[S_FILLED] = state[S_SUMMED] = 0


@leaf
def is_any_incomplete(bits: Bits, work: Workspace, target: int) -> bool:
    """Whether the target or a given column has missing cells."""
    incomplete = bits.incomplete[target]
    for d in range(work.state[S_GIVEN]):
        incomplete = incomplete or bits.incomplete[work.columns[GIVEN, d]]
    return incomplete


@leaf
def product_of_given(bits: Bits, work: Workspace) -> float:
    """Π k over the given columns; a float, because for many columns it exceeds 2^63."""
    product = 1.0
    for d in range(work.state[S_GIVEN]):
        product *= float(bits.arity[work.columns[GIVEN, d]])
    return product
