"""Cuts that tell the levels of a target apart.

U. M. Fayyad and K. B. Irani, Multi-interval discretization of continuous-valued attributes for classification learning
(IJCAI 1993). A column is cut between two neighboring values of different targets, where the entropy of the target
falls most, and again within the parts, as long as the description of the target becomes shorter by it.

These cuts look at the target: they may not be made on rows that are to test what follows from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.compiling import announce_compilation
from climbfast.dataset.discretization.cuts import NumericValues, cuts_between
from climbfast.dataset.discretization.rules import Cut

__all__ = ["mdlp_cuts"]


def mdlp_cuts(
    column: NumericValues, ranks: NDArray[Any], target: NDArray[Any], levels: int, weights: NDArray[np.int64] | None
) -> tuple[Cut, ...]:
    """Return the cuts of a column by a target.

    Parameters
    ----------
    column : NumericValues
    ranks : ndarray of unsigned integers, shape (rows,)
        Which of the values each row has; their number stands for a missing cell.
    target : ndarray of unsigned integers, shape (rows,)
        The levels of the target; ``levels`` stands for a missing cell.
    levels : int
        Number of levels of the target.
    weights : ndarray of int64, shape (rows,), optional
        How often each row occurs.

    Returns
    -------
    tuple
        Cuts in the middle between neighboring values, ascending; none if no cut is worth its description.
    """
    from climbfast_kernels.entropy import units_per_bit
    from climbfast_kernels.log_tables import tabulate_clog
    from climbfast_kernels.mdlp import find_cuts

    announce_compilation()
    complete = (ranks < column.values.size) & (target < levels)
    if weights is not None:
        complete &= weights > 0
    joint = ranks[complete].astype(np.int64) * levels + target[complete]
    pairs, pair_of_row, counts = np.unique(joint, return_inverse=True, return_counts=True)
    if weights is not None:
        counts = np.zeros(pairs.size, dtype=np.int64)
        np.add.at(counts, pair_of_row, weights[complete])
    used, first = np.unique(pairs // levels, return_index=True)
    if used.size < 2:
        return ()
    total = int(counts.sum())
    units = units_per_bit(total, levels)
    clog = tabulate_clog(total, units)
    is_cut = np.zeros(used.size, dtype=np.bool_)
    first = np.append(first, pairs.size).astype(np.int64)
    find_cuts(first, pairs % levels, counts.astype(np.int64), levels, clog, units, is_cut)
    above = np.flatnonzero(is_cut)
    return cuts_between(column, used[above - 1], used[above])
