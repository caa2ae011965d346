"""The strategy DENSE: one pass over the rows into a histogram of mixed-radix codes.

While distinct rows are held (see ``distinct``), the pass is over these, each with its weight. Rows with a missing cell
in a column of the test are not counted.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array, Bits, Integer
from climbfast_kernels.workspace import (
    GIVEN,
    JOINT,
    S_DENSE,
    S_GIVEN,
    S_HELD,
    S_WEIGHTED,
    Workspace,
    is_any_incomplete,
    product_of_given,
)


@leaf
def count_by_histogram(codes: Array, bits: Bits, work: Workspace, target: int, candidate: int) -> int:
    """Fill ``work.table`` by a histogram; return the number of strata, also empty ones, or 0 if they do not fit."""
    by_row, table = work.by_row, work.table
    kx, ky = bits.arity[target], bits.arity[candidate]
    product = product_of_given(bits, work)
    if product * kx * ky > table.shape[0]:
        return 0
    join_codes(codes, bits, work, target)
    n_strata = int(product)
    for cell in range(n_strata * kx * ky):
        table[cell] = 0
    held, weighted = work.state[S_HELD], work.state[S_WEIGHTED]
    if bits.incomplete[candidate] or is_any_incomplete(bits, work, target):
        if held == 0:
            _count_complete_rows(by_row[JOINT], codes[candidate], ky, work.weight, weighted, table)
        else:
            level = work.held[work.place[candidate], :held]
            _count_complete_rows(by_row[JOINT], level, ky, work.weight, np.int64(1), table)
    elif held == 0 and weighted == 0:
        for i in range(by_row.shape[1]):  # unsigned: numba checks signed indices for negative values
            table[np.uint32(by_row[JOINT, i]) * np.uint32(ky) + np.uint32(codes[candidate, i])] += 1
    elif held == 0:
        _count_weighted_rows(by_row[JOINT], codes[candidate], ky, work.weight, table)
    else:
        _count_weighted_rows(by_row[JOINT], work.held[work.place[candidate], :held], ky, work.weight, table)
    return n_strata


@leaf
def _count_weighted_rows(joint: Array, level: Array, ky: int, weight: Array, table: Array) -> None:
    """table[joint · ky + level] += weight for every row, in place."""
    for i in range(level.shape[0]):
        table[np.uint32(joint[i]) * np.uint32(ky) + np.uint32(level[i])] += weight[i]


@leaf
def _count_complete_rows(joint: Array, level: Array, ky: int, weight: Array, weighted: Integer, table: Array) -> None:
    """table[joint · ky + level] += weight for every row without a missing cell, in place; the weight may be 1."""
    for i in range(level.shape[0]):
        if joint[i] >= 0 and level[i] < ky:
            table[joint[i] * ky + level[i]] += weight[i] if weighted == 1 else 1


@leaf
def join_codes(codes: Array, bits: Bits, work: Workspace, target: int) -> None:
    """Set JOINT to the mixed-radix code of (given, target), unless it is set already.

    It has one code per row or, while distinct rows are held, one per distinct row; -1 where a cell is missing. The
    caller has checked that the codes fit an int32.
    """
    state, joint = work.state, work.by_row[JOINT]
    if state[S_DENSE] == 1:
        return
    rows = joint.shape[0] if state[S_HELD] == 0 else state[S_HELD]
    for i in range(rows):
        joint[i] = 0
    for d in range(state[S_GIVEN] + 1):
        column = work.columns[GIVEN, d] if d < state[S_GIVEN] else target
        if state[S_HELD] == 0:
            append_digit(joint, codes[column], bits.arity[column])
        else:
            append_digit(joint, work.held[work.place[column], :rows], bits.arity[column])
    if is_any_incomplete(bits, work, target):
        for d in range(state[S_GIVEN] + 1):
            column = work.columns[GIVEN, d] if d < state[S_GIVEN] else target
            if not bits.incomplete[column]:
                continue
            if state[S_HELD] == 0:
                _mark_missing(joint, codes[column], bits.arity[column])
            else:
                _mark_missing(joint, work.held[work.place[column], :rows], bits.arity[column])
    state[S_DENSE] = 1


@leaf
def _mark_missing(joint: Array, codes: Array, arity: int) -> None:
    """joint[i] = -1 where the code is that of a missing cell, modified in place."""
    for i in range(codes.shape[0]):
        if codes[i] == arity:
            joint[i] = -1


@leaf
def append_digit(joint: Array, codes: Array, arity: int) -> None:
    """joint[i] = joint[i] · arity + codes[i], modified in place."""
    k = np.int32(arity)
    for i in range(codes.shape[0]):
        joint[i] = joint[i] * k + np.int32(codes[i])
