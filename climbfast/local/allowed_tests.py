"""What knowledge means for the tests of common children that the compiled Climb plans, for many targets at once.

``climbfast.local.known_neighbors`` and ``climbfast.local.colliders`` say the same of one target.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.tester import Tester, column_array
from climbfast.independence.tests import Separator, TestCounts
from climbfast.knowledge import AllowedArcs
from climbfast.local.known_neighbors import KnownAround

if TYPE_CHECKING:
    from climbfast_kernels.climb import ColliderTests

__all__ = ["allowed_tests", "sides_of_each"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def sides_of_each(allowed: AllowedArcs, targets: Sequence[int], neighbors: Sequence[Sequence[int]]) -> Ints:
    """Return what knowledge says of the sides of all neighbors of all targets, see ``climbfast_kernels.partition``."""
    from climbfast_kernels.partition import CHILD, OPEN, PARENT

    target, members = np.repeat(column_array(targets), list(map(len, neighbors))), column_array(list(chain(*neighbors)))
    may_be_parent, may_be_child = allowed.allows_each(members, target), allowed.allows_each(target, members)
    return np.where(may_be_parent & may_be_child, OPEN, np.where(may_be_parent, PARENT, CHILD)).astype(np.int64)


def allowed_tests(
    tester: Tester,
    planned: ColliderTests,
    targets: Ints,
    sides: Ints,
    apart: Bools,
    around: KnownAround,
    *,
    colliders: bool,
) -> tuple[ColliderTests, Ints]:
    """Return the planned tests that knowledge leaves, and those that were made to find sets of given columns.

    They are the tests of columns that may be common children, and those that may contradict a known side.

    Parameters
    ----------
    tester : Tester
    planned : ColliderTests
        As without knowledge.
    targets : int64 array
    sides : int64 array, shape (neighbors,)
        See ``sides_of_each``.
    apart : bool array, shape (neighbors,)
        Which neighbors are such only because their edge is required.
    around : KnownAround
    colliders : bool
        Whether the tests are evidence for sides as well.

    Returns
    -------
    planned : ColliderTests
        Tests that show no side of an open neighbor, and contradict no known one, have no neighbor.
    made : int64 array, shape (targets, sizes + 1)
        See ``climbfast_kernels.climb.write_blankets``.
    """
    from climbfast_kernels.partition import CHILD, OPEN, PARENT

    allowed = around.arcs
    sweeps, of_test = planned.sweeps, np.repeat(targets, np.diff(planned.first))
    x, y, child = sweeps.target, sweeps.candidates, planned.child
    of_child, has_neighbor = x == of_test, planned.neighbor >= 0
    side = np.full(len(x), OPEN)
    side[has_neighbor] = sides[planned.neighbor[has_neighbor]]
    against = has_neighbor & ((of_child & (side == PARENT)) | (~of_child & (side == CHILD)))
    against[has_neighbor] &= ~apart[planned.neighbor[has_neighbor]]
    may_join = allowed.allows_each(x, child) & allowed.allows_each(y, child)
    kept = against | (may_join & (of_child | (side == OPEN)))
    neighbor = np.where(against | (side == OPEN), planned.neighbor, -1)
    unknown = kept & ~allowed.allows_each(x, y) & ~allowed.allows_each(y, x)
    sets, made = _separating_sets(tester, planned, unknown, around)
    given: dict[int, Ints] = {}
    for q, separator in sets.items():
        if separator is None or (colliders and child[q] in separator):
            kept[q] = False
        else:
            given[q] = column_array(sorted({*separator, int(child[q])}))
    return _among(planned._replace(neighbor=neighbor), given, kept), made


def _separating_sets(
    tester: Tester, planned: ColliderTests, unknown: Bools, around: KnownAround
) -> tuple[dict[int, Separator | None], Ints]:
    """Return for some tests the sets that separate their columns, and the tests that this took for each target."""
    sets: dict[int, Separator | None] = {}
    costs: dict[int, TestCounts] = {}
    target_of_test = np.repeat(np.arange(len(planned.first) - 1), np.diff(planned.first))
    last = -1
    for q in np.flatnonzero(unknown).tolist():
        t, before = int(target_of_test[q]), TestCounts.of(tester)
        if t != last:
            around.forget()
            last = t
        sets[q] = around.separator(int(planned.sweeps.target[q]), int(planned.sweeps.candidates[q]), {})
        cost = TestCounts.of(tester).since(before)
        costs[t] = costs[t].plus(cost) if t in costs else cost
    sizes = max((len(cost.by_size) for cost in costs.values()), default=0)
    made = np.zeros((len(planned.first) - 1, sizes + 1), np.int64)
    for t, cost in costs.items():
        made[t, : len(cost.by_size)], made[t, -1] = cost.by_size, cost.skipped
    return sets, made


def _among(planned: ColliderTests, other_given: Mapping[int, Ints], kept: Bools) -> ColliderTests:
    """Return some of the tests, of which some have other given columns."""
    from climbfast_kernels.climb import ColliderTests
    from climbfast_kernels.patterns import Sweeps

    sweeps, sizes = planned.sweeps, np.diff(planned.sweeps.first_given)
    given = sweeps.given[: sweeps.first_given[-1]]
    if other_given:
        each = np.split(given, sweeps.first_given[1:-1])
        for q, columns in other_given.items():
            each[q], sizes[q] = columns, len(columns)
        given = np.concatenate(each)
    many = int(kept.sum())
    among = Sweeps(
        sweeps.target[kept],
        np.arange(many + 1),
        sweeps.candidates[kept],
        np.concatenate([[0], np.cumsum(sizes[kept])]),
        given[np.repeat(kept, sizes)],
    )
    first = np.concatenate([[0], np.cumsum(kept)])[planned.first]
    return ColliderTests(among, planned.child[kept], planned.neighbor[kept], first)
