"""The cost model of counting: the expected time of each strategy for one table, and the strategy that takes least.

Times are in nanoseconds, fitted on one core with 512-bit vectors (``python -m bench.tools.fit_costs``); only their
ratios decide.
"""

from __future__ import annotations

from climbfast_kernels._jit import inlined
from climbfast_kernels.bits import Bits, Integer
from climbfast_kernels.workspace import (
    GIVEN,
    S_BITMAPS,
    S_DENSE,
    S_DEPTH,
    S_FILLED,
    S_GIVEN,
    S_HELD,
    S_SPARSE,
    START,
    Workspace,
    product_of_given,
)

AUTO, BITMAPS, DENSE, SPARSE = range(4)  # strategies; AUTO is the cheapest of the other three

NS_PER_WORD = 0.11
NS_PER_BITMAP = 1.0
NS_PER_ROW_DENSE = 0.52
NS_PER_ROW_HELD = 0.75  # per distinct row, with its weight
NS_PER_CODE_DENSE = 0.09
NS_PER_CELL = 1.6
NS_PER_COUNT = 0.8  # in a row that is known to occur; a fit hardly tells it from NS_PER_BITMAP
NS_PER_ROW_SPARSE = 9.6
NS_PER_CODE_SPARSE = 2.9
PREPARING_IS_LITTLE = 0.25  # of the time of one table


@inlined
def cheapest_strategy(
    bits: Bits, work: Workspace, target: int, candidate: int, sharing: Integer
) -> tuple[int, float, bool]:  # fmt: skip
    """Return the strategy of least expected time for one table.

    Parameters
    ----------
    sharing : int
        Number of candidates that share the preparation of the strata, and so its time.

    Returns
    -------
    strategy : int
        BITMAPS, DENSE or SPARSE.
    ns : float
        Its expected time.
    is_open : bool
        Whether BITMAPS, which is not the strategy, may still be when it is known how many strata have rows, and to find
        this out takes little: then the bitmaps should be prepared, and this be asked again.
    """
    state, columns = work.state, work.columns
    n_given, depth = state[S_GIVEN], state[S_DEPTH]
    kx, ky = bits.arity[target], bits.arity[candidate]
    n, most_cells = work.by_row.shape[1], work.table.shape[0]
    occupied = float(columns[START, depth + 1] - columns[START, depth])
    product = product_of_given(bits, work)
    has_bitmaps = bits.offset[target] >= 0 and bits.offset[candidate] >= 0
    for d in range(n_given):
        if d >= depth:
            occupied *= float(bits.arity[columns[GIVEN, d]])
            has_bitmaps = has_bitmaps and bits.offset[columns[GIVEN, d]] >= 0
    cells = product * kx * ky
    strategy, is_open = SPARSE, False
    ns = n * NS_PER_ROW_SPARSE
    if state[S_SPARSE] == 0:
        ns += n * NS_PER_CODE_SPARSE * (n_given + 1) / sharing
    if cells <= most_cells:
        rows, ns_per_row = n, NS_PER_ROW_DENSE
        if state[S_HELD] > 0:
            rows, ns_per_row = state[S_HELD], NS_PER_ROW_HELD
        ns_dense = rows * ns_per_row + cells * NS_PER_CELL
        if state[S_DENSE] == 0:
            ns_dense += rows * NS_PER_CODE_DENSE * (n_given + 1) / sharing
        if ns_dense < ns:
            strategy, ns = DENSE, ns_dense
    # While the bitmaps are made, the sizes are checked again, with the strata that really occur.
    if has_bitmaps and occupied * kx < work.size.shape[0] and occupied * kx * ky <= most_cells:
        bitmap = bits.words.shape[1] * NS_PER_WORD + NS_PER_BITMAP
        filled, ns_cells = occupied * kx, occupied * kx * ky * NS_PER_CELL
        if n_given > 0 and state[S_BITMAPS] == 1:
            filled = float(state[S_FILLED])
            ns_cells = filled * ky * NS_PER_COUNT
        ns_bitmaps = filled * (ky - 1) * bitmap + ns_cells
        ns_preparing = occupied * (kx + 1) * 2 * bitmap / sharing
        if n_given > 0 and state[S_BITMAPS] == 0:
            ns_bitmaps += ns_preparing
        if ns_bitmaps < ns:
            strategy, ns = BITMAPS, ns_bitmaps
        elif n_given > 0 and state[S_BITMAPS] == 0 and state[S_FILLED] == 0:
            is_open = ns_preparing < PREPARING_IS_LITTLE * ns
    return strategy, ns, is_open
