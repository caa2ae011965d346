"""The distinct rows of some columns, with the number of data rows that each stands for.

``distinct_rows`` returns them for the partition. ``hold_distinct_rows`` stores ("holds") them in the workspace, where
``counts_by_histogram`` reads them instead of the data rows.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import kernel, leaf, spliced
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.cost_model import NS_PER_CODE_DENSE, SPARSE
from climbfast_kernels.counts_by_histogram import append_digit, join_codes
from climbfast_kernels.counts_by_sorting import sort_rows
from climbfast_kernels.workspace import (
    BORDER,
    JOINT,
    ORDER,
    S_DENSE,
    S_HELD,
    S_SORTED,
    S_WEIGHTED,
    SPARE,
    Workspace,
    open_strata,
    product_of_given,
)

# Like the constants of cost_model.py: numbering the distinct rows and counting their weights, per data row.
NS_PER_ROW_DISTINCT = 4.0


@kernel
def distinct_rows(
    codes: Array, bits: Bits, work: Workspace, strategy: int, target: int, columns: Array
) -> tuple[Array, Array]:
    """Return the distinct rows of (columns, target) in lexicographic order of (last column, …, first, target).

    Rows with a missing cell are left out.

    By a histogram of mixed-radix codes if its cells fit ``work.table``; by sorting if they do not, or if
    ``strategy`` is SPARSE. Both give the same result.

    Returns
    -------
    values : int32 array, shape (columns + 1, distinct rows)
        The target is the last row.
    weight : int64 array, shape (distinct rows,)
        Number of data rows that each stands for.
    """
    m = columns.shape[0]
    given = np.empty(m, np.int64)
    for j in range(m):
        given[j] = columns[m - 1 - j]
    open_strata(work, given, m)
    cells = product_of_given(bits, work) * bits.arity[target]
    if strategy != SPARSE and cells <= work.table.shape[0]:
        join_codes(codes, bits, work, target)
        return _from_histogram(bits, work, target, columns, int(cells))
    sort_rows(codes, bits, work, target)
    return _from_order(codes, work, target, columns)


@spliced
def _from_histogram(bits: Bits, work: Workspace, target: int, columns: Array, cells: int) -> tuple[Array, Array]:
    """Count the joint codes and decode those that occur."""
    by_row, count = work.by_row, work.table
    m = columns.shape[0]
    for cell in range(cells):
        count[cell] = 0
    weighted = work.state[S_WEIGHTED] == 1
    for i in range(by_row.shape[1]):
        if by_row[JOINT, i] >= 0:
            count[by_row[JOINT, i]] += work.weight[i] if weighted else 1
    distinct = 0
    for cell in range(cells):
        distinct += 1 if count[cell] > 0 else 0
    values = np.empty((m + 1, distinct), np.int32)
    weight = np.empty(distinct, np.int64)
    at = 0
    for cell in range(cells):
        if count[cell] == 0:
            continue
        weight[at] = count[cell]
        rest = cell // bits.arity[target]
        values[m, at] = cell - rest * bits.arity[target]
        for j in range(m):
            k = bits.arity[columns[j]]
            values[j, at] = rest % k
            rest //= k
        at += 1
    return values, weight


@spliced
def _from_order(codes: Array, work: Workspace, target: int, columns: Array) -> tuple[Array, Array]:
    """Take a row from the sorted data wherever they change."""
    by_row, weighted = work.by_row, work.state[S_WEIGHTED] == 1
    n, m = work.state[S_SORTED], columns.shape[0]
    distinct = 0
    for i in range(n):
        distinct += 1 if by_row[BORDER, i] > 0 else 0
    values = np.empty((m + 1, distinct), np.int32)
    weight = np.zeros(distinct, np.int64)
    at = -1
    for i in range(n):
        row = by_row[ORDER, i]
        if by_row[BORDER, i] > 0:
            at += 1
            for j in range(m):
                values[j, at] = codes[columns[j], row]
            values[m, at] = codes[target, row]
        weight[at] += work.weight[row] if weighted else 1
    return values, weight


@leaf
def ns_to_hold_distinct_rows(bits: Bits, columns: Integer) -> float:
    """Return the expected nanoseconds of ``hold_distinct_rows`` for a number of columns."""
    return bits.n_rows * (NS_PER_ROW_DISTINCT + columns * NS_PER_CODE_DENSE)


@leaf
def hold_distinct_rows(codes: Array, bits: Bits, work: Workspace, columns: Array, most: int) -> None:
    """Hold the distinct rows of some columns in ``work`` if there are at most ``most`` of them.

    A missing cell counts as one more level here, whose rows are left out where a table is counted.

    Until ``S_HELD`` is set to 0 again, the strategy DENSE passes over them instead of the data rows; then only tables
    of these columns may be counted. The columns of a target and its neighbors often have a tenth or a hundredth as
    many distinct rows as data rows.
    """
    state, table, place, weight = work.state, work.table, work.place, work.weight
    number, first = work.by_row[JOINT], work.by_row[SPARE]
    state[S_DENSE] = state[S_HELD] = 0
    for i in range(bits.n_rows):
        number[i] = 0
    bound: Integer = np.int64(1)
    for j in range(columns.shape[0]):
        k = bits.arity[columns[j]] + int(bits.incomplete[columns[j]])
        if bound * k > table.shape[0]:
            bound = _renumber(number, bound, table, most)
            if bound > most or bound * k > table.shape[0]:
                return
        append_digit(number, codes[columns[j]], k)
        bound *= k
    distinct = _renumber(number, bound, table, most)
    if distinct > most:
        return
    for t in range(distinct):
        weight[t] = 0
    for i in range(bits.n_rows):
        weight[number[i]] += 1
        first[number[i]] = i
    for j in range(columns.shape[0]):
        place[columns[j]] = j
        for t in range(distinct):
            work.held[j, t] = codes[columns[j], first[t]]
    state[S_HELD] = distinct


@leaf
def _renumber(number: Array, bound: Integer, table: Array, most: int) -> int:
    """Replace the numbers, all below ``bound``, by 0, 1, 2, … in the order in which they first occur, in place.

    Returns
    -------
    int
        How many different numbers occur; numbering stops at ``most`` + 1.
    """
    for value in range(bound):
        table[value] = -1
    distinct = 0
    for i in range(number.shape[0]):
        if table[number[i]] < 0:
            table[number[i]] = distinct
            distinct += 1
            if distinct > most:
                break
        number[i] = table[number[i]]
    return distinct
