"""The searches around many targets that run compiled: GetPCD, the partition, and the loop of Climb.

``climbfast.local.getpcd``, ``climbfast.local.partition`` and ``climbfast.local.climb`` say what they are and where they
come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.nearest import most_in_full
from climbfast.independence.tester import Tester, column_array, list_bounds
from climbfast.interrupts import raise_if_interrupted
from climbfast.local.allowed_tests import allowed_tests, sides_of_each
from climbfast.local.colliders import EvidenceScale, sides_shown
from climbfast.local.known_neighbors import KnownAround

if TYPE_CHECKING:
    from climbfast_kernels.climb import ColliderTests, Evidence
    from climbfast_kernels.packed_results import PackedArrays
    from climbfast_kernels.partition import Partitions

__all__ = [
    "PCDResult",
    "SetOfTests",
    "climb_each",
    "entropy_given",
    "getpcd_each",
    "partition_each",
    "sweep_filled_tables",
    "sweep_sets",
]


NO_BOUND = 2**62


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
    is_hub : bool array, shape (targets,)
        Whether the search ended early, since of more members not all sets are tested; ``getpcd.finish_getpcd`` goes on.
    """

    state: NDArray[np.int64]
    strengths: NDArray[np.float64]
    separators: NDArray[np.int64]
    tests: NDArray[np.int64]
    skipped: NDArray[np.int64]
    fewest_rows: NDArray[np.int64]
    is_hub: NDArray[np.bool_]

    def of(self, place: int, first: NDArray[np.int64]) -> PCDResult:
        """Return what was found of one target; ``first`` says where the candidates of each begin."""
        candidates, targets = slice(first[place], first[place + 1]), slice(place, place + 1)
        return PCDResult(
            self.state[candidates], self.strengths[candidates], self.separators[candidates], self.tests[targets],
            self.skipped[targets], self.fewest_rows[targets], self.is_hub[targets],
        )  # fmt: skip


def getpcd_each(
    tester: Tester,
    targets: Sequence[int],
    first: NDArray[np.int64],
    candidates: NDArray[np.int64],
    strengths: NDArray[np.float64],
    most_given: int,
    max_pool: int | None,
) -> PCDResult:
    """Run GetPCD of many targets compiled; ``climbfast_kernels.getpcd.getpcd`` says what the arguments are.

    `strengths` is left as it is.
    """
    from climbfast_kernels.getpcd import getpcd

    weakest, data, in_full = strengths.copy(), tester.data, most_in_full(max_pool, most_given)
    work = tester.workspace(most_given)
    state, separators, tests, skipped, fewest_rows, is_hub = getpcd(
        data.codes, data.bits, data.log_tables, work, tester.rule, tester.strategy,
        column_array(targets), first.astype(np.int64), candidates.astype(np.int64), weakest, most_given,
        NO_BOUND if in_full is None else in_full,
    )  # fmt: skip
    for size, made in enumerate(tests.sum(axis=0).tolist()):
        tester.count(size, made)
    tester.skipped += int(skipped.sum())
    tester.count_rows(int(fewest_rows.min(initial=data.rows)))
    return PCDResult(state, weakest, separators, tests, skipped, fewest_rows, is_hub)


class SetOfTests(NamedTuple):
    """Tests of one target and some candidates given the same columns.

    ``only_strongest``: whether only the first of the strongest candidates is asked for, and its strength if it is
    dependent; for others -inf may be answered.
    """

    target: int
    candidates: Sequence[int]
    given: Sequence[int]
    only_strongest: bool = False


def entropy_given(tester: Tester, target: int, other: int, given: Sequence[int]) -> float:
    """Return n·H(target | given) in bits, of the rows in which neither these nor another column are missing."""
    from climbfast_kernels.independence import F_X, F_Z
    from climbfast_kernels.patterns import examine

    data, work = tester.data, tester.workspace(len(given))
    examine(data.codes, data.bits, data.log_tables, work, tester.strategy, target, other, column_array(given))
    return float(work.figures[F_Z] - work.figures[F_X]) / data.log_tables.units


def sweep_filled_tables(
    tester: Tester, sets: Sequence[SetOfTests], rows_per_stratum: float
) -> list[tuple[NDArray[np.float64] | None, float]]:
    """Make sets of tests without counting them, each if its table has so many rows per stratum.

    Returns
    -------
    list of (float64 array or None, float)
        Of each set the strengths, None if the tests were not made, and the rows per stratum of the first test.
    """
    firsts = [each._replace(candidates=each.candidates[:1]) for each in sets]
    strengths, made, rows, strata = tester.make_sweeps(tester.pack_sweeps(firsts))
    per_stratum = np.where(made == 1, rows / np.maximum(strata, 1), 0.0)
    filled = (per_stratum >= rows_per_stratum).tolist()
    others = [
        each._replace(candidates=each.candidates[1:]) for each, is_filled in zip(sets, filled, strict=True) if is_filled
    ]
    packed = tester.pack_sweeps(others)
    more = tester.make_sweeps(packed)[0]
    rest = iter([more[begin:end] for begin, end in pairwise(packed.first.tolist())])
    return [
        (np.append(strengths[i], next(rest)) if is_filled else None, float(per_stratum[i]))
        for i, is_filled in enumerate(filled)
    ]


def sweep_sets(tester: Tester, sets: Sequence[SetOfTests]) -> list[tuple[NDArray[np.float64], int, int]]:
    """Make sets of tests, those with given columns in one call, and count them.

    Returns
    -------
    list of (float64 array, int, int)
        Of each set the strengths, the number of tests made, and their fewest rows.
    """
    conditional = [each for each in sets if len(each.given)]
    swept = iter(_sweep_conditional(tester, conditional) if conditional else [])
    return [next(swept) if len(each.given) else _sweep_marginal(tester, each) for each in sets]


def _sweep_marginal(tester: Tester, tests: SetOfTests) -> tuple[NDArray[np.float64], int, int]:
    before, fewest = tester.skipped, tester.fewest_rows
    tester.forget_rows()
    strengths = tester.sweep(tests.target, tests.candidates, ())
    of_these = tester.fewest_rows
    tester.count_rows(fewest)
    return strengths, len(tests.candidates) - (tester.skipped - before), of_these


def _sweep_conditional(tester: Tester, sets: Sequence[SetOfTests]) -> list[tuple[NDArray[np.float64], int, int]]:
    only_strongest = all(each.only_strongest or len(each.candidates) < 2 for each in sets)
    packed = tester.pack_sweeps(sets)
    strengths, made, rows, _ = tester.make_sweeps(packed, only_strongest=only_strongest)
    tests, fewest = tester.count_sweeps(packed, [len(each.given) for each in sets], made, rows)
    bounds = pairwise(packed.first.tolist())
    return [(strengths[begin:end], n, least) for (begin, end), n, least in zip(bounds, tests, fewest, strict=True)]


def partition_each(
    tester: Tester,
    targets: Sequence[int],
    neighbors: Sequence[Sequence[int]],
    node_budget: int,
    sides: NDArray[np.int64] | None = None,
) -> Partitions:
    """Tell the parents of many targets from their children, see ``climbfast.local.partition``.

    Parameters
    ----------
    tester : Tester
    targets : sequence of int
    neighbors : sequence of sequences of int
        Those of each target.
    node_budget : int
    sides : int64 array, optional
        For the neighbors of all targets what is known of their side, see ``climbfast_kernels.partition``.

    Returns
    -------
    Partitions
    """
    from climbfast_kernels.partition import OPEN, neighbor_figures, partition_neighbors

    data, work = tester.data, tester.workspace(max(map(len, neighbors)))
    first = list_bounds(neighbors)
    many = column_array(targets), first, column_array([x for columns in neighbors for x in columns])
    counting = data.codes, data.bits, data.log_tables, work, tester.strategy
    sides = np.full(len(many[2]), OPEN) if sides is None else sides
    found = partition_neighbors(*counting, *many, sides, neighbor_figures(*counting, *many), node_budget)
    tester.count_rows(int(found.rows[found.rows > 0].min(initial=data.rows)))
    raise_if_interrupted()
    return found


def climb_each(
    tester: Tester,
    targets: Sequence[int],
    known: tuple[NDArray[Any], ...],
    neighbors: Sequence[Sequence[int]],
    *,
    mutual: bool,
    scale: EvidenceScale | None,
    min_margin: float,
    node_budget: int,
    most_given: int | None,
    around: KnownAround | None = None,
) -> PackedArrays:
    """Run ``climbfast.local.climb`` compiled, from the packed neighbors of all columns.

    Parameters
    ----------
    tester : Tester
    targets : sequence of int
    known : tuple of arrays
        The four of ``climbfast_kernels.packed_results.PackedArrays``, read-only.
    neighbors : sequence of sequences of int
        Those of each target.
    mutual : bool
        Whether a child counts if its own search found the target alone.
    scale : EvidenceScale or None
        Of the collider evidence that shows sides before the partition; None goes without.
    min_margin : float
        Bits below which a neighbor is undecided.
    node_budget : int
    most_given : int or None
        Columns in the largest separating set; None if that is not known.
    around : KnownAround or None
        What is known beforehand.

    Returns
    -------
    climbfast_kernels.packed_results.PackedArrays
        What was found for each target.
    """
    from climbfast_kernels.climb import plan_collider_tests, write_blankets
    from climbfast_kernels.packed_results import PackedArrays

    data, columns, found = tester.data, tester.data.columns, (column_array(targets), PackedArrays(*known))
    n_neighbors = sum(map(len, neighbors))
    sides = None if around is None else sides_of_each(around.arcs, targets, neighbors)
    partitions = None if scale is not None else partition_each(tester, targets, neighbors, node_budget, sides)
    is_parent = np.zeros(n_neighbors, np.bool_) if partitions is None else partitions.is_parent
    planned = plan_collider_tests(*found, is_parent, int(mutual), int(scale is not None))
    made_before = np.zeros((len(targets), 1), np.int64)
    if around is not None and sides is not None:
        planned, made_before = allowed_tests(
            tester, planned, found[0], sides, _are_apart(targets, known, neighbors), around, colliders=scale is not None
        )
    strengths, tested, rows, _ = tester.make_sweeps(planned.sweeps)
    evidence = _evidence(planned, found[0], strengths, n_neighbors, scale, sides)
    if partitions is None:
        partitions = partition_each(tester, targets, neighbors, node_budget, evidence.sides)
    written, tests, skipped = write_blankets(
        *found, partitions, planned, strengths, tested, rows, evidence, made_before, data.rows, int(mutual),
        data.log_tables.units,
        min_margin,
        columns if most_given is None else most_given,
    )  # fmt: skip
    for size, made in enumerate(tests.tolist()):
        tester.count(size, made)
    tester.skipped += skipped
    return written


def _are_apart(
    targets: Sequence[int], known: tuple[NDArray[Any], ...], neighbors: Sequence[Sequence[int]]
) -> NDArray[np.bool_]:
    """Return which neighbors are such only because knowledge requires their edges; those of all targets."""
    _, floats, _, first = known
    strengths = [floats[first[x] + 1 : first[x] + 1 + len(own)] for x, own in zip(targets, neighbors, strict=True)]
    apart: NDArray[np.bool_] = np.concatenate([*strengths, np.empty(0)]) <= 0
    return apart


def _evidence(
    planned: ColliderTests,
    targets: NDArray[np.int64],
    strengths: NDArray[np.float64],
    n_neighbors: int,
    scale: EvidenceScale | None,
    known_sides: NDArray[np.int64] | None,
) -> Evidence:
    """Return what the tests show, as ``colliders.collider_evidence`` and ``evidence_against`` do."""
    from climbfast_kernels.climb import Evidence
    from climbfast_kernels.partition import CHILD, OPEN, PARENT

    sides = np.full(n_neighbors, OPEN) if known_sides is None else known_sides.copy()
    known = sides != OPEN
    if scale is None:
        return Evidence(sides, np.zeros(len(strengths)), np.zeros(len(strengths), np.bool_), known)
    bits = scale.bits_per_strength * strengths
    shows = (planned.neighbor >= 0) & (bits > scale.least)
    of_child = planned.sweeps.target == np.repeat(targets, np.diff(planned.first))
    child_bits, parent_bits = np.zeros(n_neighbors), np.zeros(n_neighbors)
    of_open = shows & ~known[planned.neighbor] if n_neighbors else shows
    for largest, which in ((child_bits, of_open & of_child), (parent_bits, of_open & ~of_child)):
        np.maximum.at(largest, planned.neighbor[which], bits[which])
    parents, children = sides_shown(child_bits, parent_bits, scale.lead)
    sides[parents], sides[children] = PARENT, CHILD
    is_side = sides[planned.neighbor] == np.where(of_child, CHILD, PARENT)
    return Evidence(sides, bits, (of_open & is_side) | (shows & ~of_open), known)
