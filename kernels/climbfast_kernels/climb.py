"""Climb around many targets, when the neighbors of all columns are known, in three compiled loops.

``plan_collider_tests`` lists the tests that find the spouses and show sides, ``patterns.sweep_each`` makes them, and
``write_blankets`` packs the results.

In wide data a target has a few neighbors and needs a few tests, which take less time than the calls from Python.
``climbfast.local.climb`` is the same search for any test, and cites its source.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import kernel, leaf, spliced
from climbfast_kernels.bits import Array, Integer
from climbfast_kernels.packed_results import PackedArrays, is_neighbor, neighbors_in, separator_in, write_tests
from climbfast_kernels.partition import CHILD, OPEN, PARENT, Partitions
from climbfast_kernels.patterns import Sweeps

# Roles of a neighbor beside PARENT and CHILD.
UNDECIDED, DROPPED = 2, 3
MOST_INTS_BESIDES_LISTS = 21


class Spouses(NamedTuple):
    """Spouses of one target, sorted; each once for every common child by which it was found."""

    spouse: Array
    child: Array
    strength: Array


class ColliderTests(NamedTuple):
    """Tests of two columns that were separated, given a column between them as well, for many targets.

    Attributes
    ----------
    sweeps : Sweeps
        Each has one candidate. The target of a sweep is that of the search, or one of its neighbors: whether a neighbor
        is a parent shows in tests of this neighbor.
    child : int64 array, shape (tests,)
        The column that may be a common child; it is among the given columns.
    neighbor : int64 array, shape (tests,)
        The neighbor whose side the test may show, by its place among the neighbors of all targets; -1 if none.
    first : int64 array, shape (targets + 1,)
        Where the tests of each target begin.
    """

    sweeps: Sweeps
    child: Array
    neighbor: Array
    first: Array


class Evidence(NamedTuple):
    """What collider tests show, and which sides are known beforehand.

    Attributes
    ----------
    sides : int64 array, shape (neighbors,)
        PARENT or CHILD where it is known or seen, else OPEN; the neighbors of all targets, one target after the other.
    bits : float64 array, shape (tests,)
    shows : bool array, shape (tests,)
        Whether the test shows the side of its neighbor; if that is known, whether it shows the other side.
    known : bool array, shape (neighbors,)
        Whether the side is known beforehand.
    """

    sides: Array
    bits: Array
    shows: Array
    known: Array


@kernel
def plan_collider_tests(
    targets: Array, packed: PackedArrays, is_parent: Array, mutual: int, colliders: int
) -> ColliderTests:
    """Plan the tests of the neighbors of children, given the child and the set that separated them from the target.

    Parameters
    ----------
    packed : PackedArrays
        The neighbors of the targets and of their neighbors.
    is_parent : bool array
        Of the neighbors of each target, see ``partition.Partitions``; with ``colliders`` none is known to be a parent.
    mutual : int
        1 if a child counts only if its own search found the target; others are DROPPED.
    colliders : int
        1 if the tests are evidence for sides as well: then also those in which the target may be the common child.
    """
    target, candidate, child = np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int64)
    neighbor = np.empty(1024, np.int64)
    first, first_given = np.zeros(targets.shape[0] + 1, np.int64), np.zeros(1025, np.int64)
    given = np.empty(4096, np.int64)
    n = stop = 0
    for t in range(targets.shape[0]):
        x = targets[t]
        start = stop
        members, roles = _roles_of(x, packed, is_parent[start:], mutual)
        stop = start + members.shape[0]
        # In the first round neighbors may be common children, in the second one parents of the target.
        for k in range(members.shape[0] * (1 + colliders)):
            j = k % members.shape[0]
            of_child = k == j
            is_mutual = is_neighbor(packed, members[j], x)
            if roles[j] != CHILD or not (of_child or is_mutual):
                continue
            start_at, joined = (x, members[j]) if of_child else (members[j], x)
            begin, end = neighbors_in(packed, joined)
            target, candidate = _enlarge(target, n + end - begin), _enlarge(candidate, n + end - begin)
            child, neighbor = _enlarge(child, n + end - begin), _enlarge(neighbor, n + end - begin)
            first_given = _enlarge(first_given, n + end - begin + 1)
            for i in range(begin, end):
                y = packed.ints[i]
                place = _place_of(members, y) if of_child else np.int64(-1)
                if y == start_at or (place >= 0 and roles[place] != DROPPED):
                    continue
                if not of_child and is_neighbor(packed, start_at, y):
                    continue
                # A dropped child was separated from the target only in its own search.
                a, b = separator_in(packed, start_at, y) if place < 0 else separator_in(packed, y, x)
                given = _enlarge(given, first_given[n] + b - a + 1)
                size = _unite(packed.ints, a, b, joined, given[first_given[n] :])
                if colliders == 1 and size == b - a:  # given this very set the two were found independent
                    continue
                first_given[n + 1] = first_given[n] + size
                target[n], candidate[n], child[n] = start_at, y, joined
                neighbor[n] = start + j if is_mutual and place < 0 else -1
                n += 1
        first[t + 1] = n
    sweeps = Sweeps(target[:n], np.arange(n + 1), candidate[:n], first_given[: n + 1], given)
    return ColliderTests(sweeps, child[:n], neighbor[:n], first)


@kernel
def write_blankets(
    targets: Array, packed: PackedArrays, partitions: Partitions, planned: ColliderTests, strengths: Array,
    tested: Array, rows: Array, evidence: Evidence, made_before: Array, n_rows: int, mutual: int, units: float,
    min_margin: float, most_given: int,
) -> tuple[PackedArrays, Array, int]:  # fmt: skip
    """Pack the result of each target.

    Parameters
    ----------
    packed, mutual
        See ``plan_collider_tests``.
    partitions : Partitions
        Of the neighbors of each target.
    planned : ColliderTests
    strengths, tested, rows : float64, int64 and int64 arrays, shape (tests,)
        See ``sweep_each``.
    evidence : Evidence
    made_before : int64 array, shape (targets, sizes + 1)
        Tests of each target that were made to plan the others, by the number of given columns; in the last column those
        skipped. They are in the results of the targets, and not in ``made`` and ``skipped``.
    n_rows : int
        Number of rows of data.
    units : float
        Units per bit.
    min_margin : float
        Bits below which a neighbor is undecided whose side is not seen.
    most_given : int
        Size of the largest separating set.

    Returns
    -------
    results : PackedArrays
        Integers of a target: the list of the tests by number of given columns; the number of tests skipped; the
        smallest number of rows of a test or of the partition; the lists of parents, children, undecided neighbors and
        spouses; for each spouse the list of the common children; the lists of the neighbors, of those whose side was
        weighed, and of those whose side was seen; for each of the last the list of the columns that show it; the list
        of those whose side is known, and of those of them which tests contradict; for each of the last the list of the
        columns that show it, or of those that separate it from the target; 1 if the partition is exact; 0; the list of
        separated columns and the list of each separating set. Floats: 0 for the seconds; for each spouse the strengths
        by child; the strengths of the neighbors, the margins of those weighed, the bits of those seen and of those
        contradicted; the gap. The order is that of ``climbfast.batch.packed_results.pack_result``.
    made : int64 array, shape (most_given + 2,)
        Number of tests of all targets, by the number of given columns.
    skipped : int
        Number of tests of all targets skipped for too few rows per degree of freedom, or for none.
    """
    ints, floats = np.empty(1024, np.int64), np.empty(1024, np.float64)
    first_int, first_float = np.zeros(len(targets) + 1, np.int64), np.zeros(len(targets) + 1, np.int64)
    tests, made = np.zeros(most_given + 2, np.int64), np.zeros(most_given + 2, np.int64)
    skipped_in_all = stop = 0
    for t in range(len(targets)):
        x = targets[t]
        start = stop
        members, roles = _roles_of(x, packed, partitions.is_parent[start:], mutual)
        stop = start + members.shape[0]
        margins, sides = partitions.margins[start:stop], evidence.sides[start:stop]
        skipped = 0
        fewest: Integer = np.int64(n_rows)
        if partitions.rows[t] > 0:
            fewest = min(fewest, partitions.rows[t])
        for q in range(planned.first[t], planned.first[t + 1]):
            tests[planned.sweeps.first_given[q + 1] - planned.sweeps.first_given[q]] += tested[q]
            skipped += 1 - tested[q]
            if tested[q] == 1:
                fewest = min(fewest, rows[q])
        skipped_in_all += skipped
        for size in range(len(tests)):
            made[size] += tests[size]
        sizes = made_before.shape[1] - 1
        for size in range(sizes):
            tests[size] += made_before[t, size]
        skipped += made_before[t, sizes]
        spouses = _spouses_of(x, members, roles, planned, planned.first[t], planned.first[t + 1], strengths)
        for j in range(len(members)):
            if roles[j] != DROPPED and sides[j] == OPEN and margins[j] / units < min_margin:
                roles[j] = UNDECIDED
        more = _size_of_result(x, members, roles, spouses, packed) + len(tests)
        more += planned.first[t + 1] - planned.first[t]
        ints, floats = _enlarge(ints, first_int[t] + more), _enlarge(floats, first_float[t] + more)
        at = write_tests(tests, skipped, fewest, ints, first_int[t])
        for size in range(len(tests)):
            tests[size] = 0
        first_int[t + 1], first_float[t + 1] = _write(
            x, members, roles, margins, partitions.gaps[t], units, spouses, packed, planned, evidence, start,
            planned.first[t], planned.first[t + 1], ints, floats, at, first_float[t],
        )  # fmt: skip
    results = PackedArrays(ints[: first_int[-1]], floats[: first_float[-1]], first_int, first_float)
    return results, made, skipped_in_all


@kernel
def _roles_of(x: int, packed: PackedArrays, is_parent: Array, mutual: int) -> tuple[Array, Array]:
    """Return the neighbors of x, and the role of each: PARENT, CHILD or DROPPED."""
    begin, end = neighbors_in(packed, x)
    members, roles = np.empty(end - begin, np.int64), np.empty(end - begin, np.int64)
    for j in range(end - begin):
        members[j] = packed.ints[begin + j]
        roles[j] = PARENT if is_parent[j] else CHILD
        if roles[j] == CHILD and mutual == 1 and not is_neighbor(packed, members[j], x):
            roles[j] = DROPPED
    return members, roles


@spliced
def _spouses_of(
    x: int, members: Array, roles: Array, planned: ColliderTests, begin: int, end: int, strengths: Array
) -> Spouses:
    """Return the candidates that depend on the target by a child, sorted by spouse, then in the order of the children.

    They are no neighbors, but those dropped.
    """
    spouse, child = np.empty(end - begin, np.int64), np.empty(end - begin, np.int64)
    strength = np.empty(end - begin, np.float64)
    found = 0
    for q in range(begin, end):
        if not strengths[q] > 0 or planned.sweeps.target[q] != x:
            continue
        y, place = planned.sweeps.candidates[q], found
        at = _place_of(members, y)
        if roles[_place_of(members, planned.child[q])] != CHILD or (at >= 0 and roles[at] != DROPPED):
            continue
        while place > 0 and spouse[place - 1] > y:
            spouse[place], child[place] = spouse[place - 1], child[place - 1]
            strength[place] = strength[place - 1]
            place -= 1
        spouse[place], child[place], strength[place] = y, planned.child[q], strengths[q]
        found += 1
    return Spouses(spouse[:found], child[:found], strength[:found])


@leaf
def _place_of(members: Array, y: int) -> int:
    """Return the place of y among the members, or -1."""
    for j in range(len(members)):
        if members[j] == y:
            return j
    return -1


@leaf
def _unite(ints: Array, begin: int, end: int, child: int, given: Array) -> int:
    """Set ``given`` to the union of a separating set and the child, ascending; return its size."""
    n = 0
    has_child = False
    for i in range(begin, end):
        z = ints[i]
        if not has_child and child <= z:
            given[n] = child
            has_child, n = True, n + 1
        if z != child:
            given[n] = z
            n += 1
    if not has_child:
        given[n] = child
        n += 1
    return n


@leaf
def _size_of_result(x: int, members: Array, roles: Array, spouses: Spouses, packed: PackedArrays) -> int:
    """Return an upper bound of the number of integers in the packed result of x."""
    size = MOST_INTS_BESIDES_LISTS + 10 * len(members) + 3 * len(spouses.spouse)
    size += 2 * (packed.first_int[x + 1] - packed.first_int[x])
    for j in range(len(members)):
        if roles[j] == DROPPED:
            size += packed.first_int[members[j] + 1] - packed.first_int[members[j]]
    return size


@kernel
def _enlarge(array: Array, size: int) -> Array:
    """Return the array if it has ``size`` elements, else a longer copy."""
    if size <= len(array):
        return array
    longer = np.empty(max(size, 2 * len(array)), array.dtype)
    for i in range(len(array)):  # for a slice, numba would also compile the error message of shapes that differ
        longer[i] = array[i]
    return longer


@spliced
def _write(
    x: int, members: Array, roles: Array, margins: Array, gap: int, units: float, spouses: Spouses,
    packed: PackedArrays, planned: ColliderTests, evidence: Evidence, start: Integer, first_test: Integer,
    end_of_tests: Integer, ints: Array, floats: Array, at: Integer, at_float: Integer,
) -> tuple[Integer, Integer]:  # fmt: skip
    """Write the part of a packed result that follows the tests; return where it ends."""
    floats[at_float] = 0.0
    at_float += 1
    for role in (PARENT, CHILD, UNDECIDED):
        at = _write_members(members, roles, role, role, ints, at)
    at, at_float = _write_spouses(spouses, ints, floats, at, at_float)
    strengths = packed.first_float[x] + 1
    at = _write_members(members, roles, np.int64(PARENT), np.int64(UNDECIDED), ints, at)
    for j in range(len(members)):
        if roles[j] != DROPPED:
            floats[at_float] = packed.floats[strengths + j]
            at_float += 1
    end = at + 1
    for j in range(len(members)):
        if roles[j] != DROPPED and evidence.sides[start + j] == OPEN:
            ints[end], floats[at_float] = members[j], margins[j] / units
            end, at_float = end + 1, at_float + 1
    ints[at], at = end - at - 1, end
    at, at_float = _write_evidence(
        members, planned, evidence, start, first_test, end_of_tests, ints, floats, at, at_float
    )
    at, at_float = _write_known(
        x, members, roles, packed, planned, evidence, start, first_test, end_of_tests, ints, floats, at, at_float
    )
    ints[at], ints[at + 1] = (1 if gap == 0 else 0), 0
    floats[at_float] = gap / units
    return _write_separators(x, members, roles, packed, ints, at + 2), at_float + 1


@leaf
def _write_evidence(
    members: Array, planned: ColliderTests, evidence: Evidence, start: Integer, first_test: Integer,
    end_of_tests: Integer, ints: Array, floats: Array, at: Integer, at_float: Integer,
) -> tuple[Integer, Integer]:  # fmt: skip
    """Write the list of the neighbors whose side is seen, then of each the columns that show it; return where it ends.

    The float of each is the largest number of bits.
    """
    end = at + 1
    for j in range(len(members)):
        if evidence.sides[start + j] != OPEN and not evidence.known[start + j]:
            ints[end] = members[j]
            end += 1
    ints[at] = end - at - 1
    for j in range(len(members)):
        if evidence.sides[start + j] == OPEN or evidence.known[start + j]:
            continue
        at = end
        end = _write_shown(planned, evidence, start + j, first_test, end_of_tests, ints, floats, at, at_float)
        at_float += 1
    return end, at_float


@leaf
def _write_shown(
    planned: ColliderTests, evidence: Evidence, neighbor: Integer, first_test: Integer, end_of_tests: Integer,
    ints: Array, floats: Array, at: Integer, at_float: Integer,
) -> Integer:  # fmt: skip
    """Write the list of the columns that show a side of a neighbor, and the largest number of bits."""
    end = at + 1
    bits = 0.0
    for q in range(first_test, end_of_tests):
        if evidence.shows[q] and planned.neighbor[q] == neighbor:
            ints[end] = planned.sweeps.candidates[q]
            bits = max(bits, evidence.bits[q])
            end += 1
    ints[at] = end - at - 1
    floats[at_float] = bits
    return end


@leaf
def _write_known(
    x: int, members: Array, roles: Array, packed: PackedArrays, planned: ColliderTests, evidence: Evidence,
    start: Integer, first_test: Integer, end_of_tests: Integer, ints: Array, floats: Array, at: Integer,
    at_float: Integer,
) -> tuple[Integer, Integer]:  # fmt: skip
    """Write the list of the neighbors whose side is known, and of those which tests contradict; then for each of these
    what shows it; return where it ends.

    The strength of a neighbor that was separated from x is not positive.
    """
    end = at + 1
    for j in range(len(members)):
        if evidence.known[start + j] and roles[j] != DROPPED:
            ints[end] = members[j]
            end += 1
    ints[at] = end - at - 1
    at, end = end, end + 1
    strengths = packed.first_float[x] + 1
    for j in range(len(members)):
        is_contradicted = evidence.known[start + j] and not packed.floats[strengths + j] > 0
        for q in range(first_test, end_of_tests):
            if evidence.known[start + j] and evidence.shows[q] and planned.neighbor[q] == start + j:
                is_contradicted = True
        if is_contradicted:
            ints[end] = members[j]
            end += 1
    contradicted = end - at - 1
    ints[at] = contradicted
    first = at + 1
    for place in range(first, first + contradicted):
        j = _place_of(members, ints[place])
        at = end
        if packed.floats[strengths + j] > 0:
            end = _write_shown(planned, evidence, start + j, first_test, end_of_tests, ints, floats, at, at_float)
        else:
            floats[at_float] = packed.floats[strengths + j]
            begin, stop = separator_in(packed, x, members[j])
            ints[at] = stop - begin
            end = at + 1
            for i in range(begin, stop):
                ints[end] = packed.ints[i]
                end += 1
        at_float += 1
    return end, at_float


@leaf
def _write_members(members: Array, roles: Array, least: Integer, most: Integer, ints: Array, at: Integer) -> Integer:
    """Write the list of the members whose roles are from ``least`` to ``most``; return where it ends."""
    end = at + 1
    for j in range(len(members)):
        if least <= roles[j] <= most:
            ints[end] = members[j]
            end += 1
    ints[at] = end - at - 1
    return end


@leaf
def _write_spouses(
    spouses: Spouses, ints: Array, floats: Array, at: Integer, at_float: Integer
) -> tuple[Integer, Integer]:
    """Write the list of the spouses, then of each its common children and strengths; return where it ends."""
    n = len(spouses.spouse)
    end = at + 1
    for i in range(n):
        if i == 0 or spouses.spouse[i] != spouses.spouse[i - 1]:
            ints[end] = spouses.spouse[i]
            end += 1
    ints[at] = end - at - 1
    at = end
    for i in range(n):
        if i == 0 or spouses.spouse[i] != spouses.spouse[i - 1]:
            at, end = end, end + 1
            ints[at] = 0
        ints[at] += 1
        ints[end] = spouses.child[i]
        floats[at_float] = spouses.strength[i]
        end, at_float = end + 1, at_float + 1
    return end, at_float


@leaf
def _write_separators(x: int, members: Array, roles: Array, packed: PackedArrays, ints: Array, at: Integer) -> Integer:
    """Write the columns separated by the search of x, then the dropped children, and all sets; return where it ends.

    A separated column is a member if knowledge requires its edge; it is left out.
    """
    _, begin = neighbors_in(packed, x)
    separated = packed.ints[begin]
    middle = begin + 1 + separated
    end = at + 1
    for i in range(begin + 1, middle):
        if _place_of(members, packed.ints[i]) < 0:
            ints[end] = packed.ints[i]
            end += 1
    for j in range(len(members)):
        if roles[j] == DROPPED:
            ints[end] = members[j]
            end += 1
    ints[at] = end - at - 1
    begin_set = middle
    for i in range(begin + 1, middle):
        end_set = begin_set + 1 + packed.ints[begin_set]
        if _place_of(members, packed.ints[i]) < 0:
            for k in range(begin_set, end_set):
                ints[end] = packed.ints[k]
                end += 1
        begin_set = end_set
    for j in range(len(members)):
        if roles[j] == DROPPED:
            first, last = separator_in(packed, members[j], x)
            ints[end] = last - first
            end += 1
            for i in range(first, last):
                ints[end] = packed.ints[i]
                end += 1
    return end
