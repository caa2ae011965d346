"""The searches around many targets that run compiled: GetPCD, the partition, and the loop of Climb.

``climbfast.local.getpcd``, ``climbfast.local.partition`` and ``climbfast.local.climb`` say what they are and where they
come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.tester import Tester, column_array, list_bounds
from climbfast.interrupts import raise_if_interrupted

if TYPE_CHECKING:
    from climbfast_kernels.packed_results import PackedArrays
    from climbfast_kernels.partition import Partitions

__all__ = ["PCDResult", "climb_each", "getpcd_each", "partition_each"]


class PCDResult(NamedTuple):
    """What ``getpcd_each`` returns: arrays over the candidates, and over the targets.

    Attributes
    ----------
    state : int64 array, shape (candidates,)
        See ``climbfast_kernels.getpcd``.
    strengths : float64 array, shape (candidates,)
        The weakest of each.
    separators : int64 array, shape (candidates, most given)
        Of those that are no members, filled up with -1.
    tests : int64 array, shape (targets, most given + 1)
        By the number of given columns.
    skipped, fewest_rows : int64 arrays, shape (targets,)
    """

    state: NDArray[np.int64]
    strengths: NDArray[np.float64]
    separators: NDArray[np.int64]
    tests: NDArray[np.int64]
    skipped: NDArray[np.int64]
    fewest_rows: NDArray[np.int64]


def getpcd_each(
    tester: Tester,
    targets: Sequence[int],
    first: NDArray[np.int64],
    candidates: NDArray[np.int64],
    strengths: NDArray[np.float64],
    most_given: int,
) -> PCDResult:
    """Run GetPCD of many targets compiled; ``climbfast_kernels.getpcd.getpcd`` says what the arguments are.

    `strengths` is left as it is.
    """
    from climbfast_kernels.getpcd import getpcd

    weakest, data = strengths.copy(), tester.data
    work = tester.workspace(most_given)
    state, separators, tests, skipped, fewest_rows = getpcd(
        data.codes, data.bits, data.log_tables, work, tester.rule, tester.strategy,
        column_array(targets), first.astype(np.int64), candidates.astype(np.int64), weakest, most_given,
    )  # fmt: skip
    for size, made in enumerate(tests.sum(axis=0).tolist()):
        tester.count(size, made)
    tester.skipped += int(skipped.sum())
    tester.count_rows(int(fewest_rows.min(initial=data.rows)))
    return PCDResult(state, weakest, separators, tests, skipped, fewest_rows)


def partition_each(
    tester: Tester, targets: Sequence[int], neighbors: Sequence[Sequence[int]], node_budget: int
) -> Partitions:
    """Tell the parents of many targets from their children, see ``climbfast.local.partition``.

    Parameters
    ----------
    tester : Tester
    targets : sequence of int
    neighbors : sequence of sequences of int
        Those of each target.
    node_budget : int

    Returns
    -------
    Partitions
    """
    from climbfast_kernels.partition import neighbor_figures, partition_neighbors

    data, work = tester.data, tester.workspace(max(map(len, neighbors)))
    first = list_bounds(neighbors)
    many = column_array(targets), first, column_array([x for columns in neighbors for x in columns])
    counting = data.codes, data.bits, data.log_tables, work, tester.strategy
    found = partition_neighbors(*counting, *many, neighbor_figures(*counting, *many), node_budget)
    tester.count_rows(int(found.rows[found.rows > 0].min(initial=data.rows)))
    raise_if_interrupted()
    return found


def climb_each(
    tester: Tester,
    targets: Sequence[int],
    known: tuple[NDArray[Any], ...],
    partitions: Partitions,
    *,
    mutual: bool,
    min_margin: float,
    most_given: int | None,
) -> PackedArrays:
    """Run the loop of ``climbfast.local.climb`` compiled, from the packed neighbors of all columns.

    Parameters
    ----------
    tester : Tester
    targets : sequence of int
    known : tuple of arrays
        The four of ``climbfast_kernels.packed_results.PackedArrays``, read-only.
    partitions : Partitions
        Of the neighbors of each target.
    mutual : bool
        Whether a child counts if its own search found the target alone.
    min_margin : float
        Bits below which a neighbor is undecided.
    most_given : int or None
        Columns in the largest separating set; None if that is not known.

    Returns
    -------
    climbfast_kernels.packed_results.PackedArrays
        What was found for each target.
    """
    from climbfast_kernels.climb import plan_spouse_tests, write_blankets
    from climbfast_kernels.packed_results import PackedArrays
    from climbfast_kernels.patterns import sweep_each

    data, columns, around = tester.data, tester.data.columns, (column_array(targets), PackedArrays(*known))
    planned = plan_spouse_tests(*around, partitions.is_parent, int(mutual))
    strengths, tested, rows = sweep_each(
        data.codes, data.bits, data.log_tables, tester.workspace(columns), tester.rule, tester.strategy, planned.sweeps
    )
    written, tests, skipped = write_blankets(
        *around, partitions, planned, strengths, tested, rows, data.rows, int(mutual), data.log_tables.units,
        min_margin,
        columns if most_given is None else most_given,
    )  # fmt: skip
    for size, made in enumerate(tests.tolist()):
        tester.count(size, made)
    tester.skipped += skipped
    return written
