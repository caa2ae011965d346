"""The strategy DENSE: one pass over the rows into a histogram of mixed-radix codes.

While distinct rows are held (see ``distinct``), the pass is over these, each with its weight.
"""

from __future__ import annotations

import numpy as np

from climbfast_kernels._jit import leaf
from climbfast_kernels.bits import Array, Bits
from climbfast_kernels.workspace import GIVEN, JOINT, S_DENSE, S_GIVEN, S_HELD, Workspace, product_of_given


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
    if work.state[S_HELD] == 0:
        for i in range(bits.n_rows):
            table[np.uint32(by_row[JOINT, i]) * np.uint32(ky) + np.uint32(codes[candidate, i])] += 1
        return n_strata
    joint, level, weight = by_row[JOINT], work.held[work.place[candidate]], work.weight
    for i in range(work.state[S_HELD]):  # unsigned: numba checks signed indices for negative values
        table[np.uint32(joint[i]) * np.uint32(ky) + np.uint32(level[i])] += weight[i]
    return n_strata


@leaf
def join_codes(codes: Array, bits: Bits, work: Workspace, target: int) -> None:
    """Set JOINT to the mixed-radix code of (given, target), unless it is set already.

    It has one code per row or, while distinct rows are held, one per distinct row. The caller has checked that the
    codes fit an int32.
    """
    state, joint = work.state, work.by_row[JOINT]
    if state[S_DENSE] == 1:
        return
    rows = bits.n_rows if state[S_HELD] == 0 else state[S_HELD]
    for i in range(rows):
        joint[i] = 0
    for d in range(state[S_GIVEN] + 1):
        column = work.columns[GIVEN, d] if d < state[S_GIVEN] else target
        if state[S_HELD] == 0:
            append_digit(joint, codes[column], bits.arity[column])
        else:
            append_digit(joint, work.held[work.place[column], :rows], bits.arity[column])
    state[S_DENSE] = 1


@leaf
def append_digit(joint: Array, codes: Array, arity: int) -> None:
    """joint[i] = joint[i] · arity + codes[i], modified in place."""
    k = np.int32(arity)
    for i in range(codes.shape[0]):
        joint[i] = joint[i] * k + np.int32(codes[i])
