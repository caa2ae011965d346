"""Climb around many targets, from the neighbors that are known of every column, in three compiled loops.

``plan_spouse_tests`` says which tests tell the spouses, ``patterns.sweep_each`` makes them, and ``write_blankets``
packs the results.

In wide data a target has a handful of neighbors and takes a handful of tests, less than the calls from Python.
``climbfast.local.climb`` is the same search for any test, and says where it comes from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import kernel, leaf, spliced
from climbfast_kernels.bits import Array, Integer
from climbfast_kernels.packed_results import PackedResults, is_neighbor, neighbors_in, separator_in, write_tests
from climbfast_kernels.partition import Partitions
from climbfast_kernels.patterns import Sweeps

PARENT, CHILD, UNDECIDED, DROPPED = range(4)
WORDS_BESIDES_LISTS = 16


class Spouses(NamedTuple):
    """Spouses of one target, sorted, once for every child by which each was found."""

    spouse: Array
    child: Array
    strength: Array


class SpouseTests(NamedTuple):
    """Tests that tell the spouses of many targets.

    Attributes
    ----------
    sweeps : Sweeps
        Of one candidate each.
    child : int64 array, shape (tests,)
        The common child that is given.
    first : int64 array, shape (targets + 1,)
        Where the tests of each target begin.
    """

    sweeps: Sweeps
    child: Array
    first: Array


@kernel
def plan_spouse_tests(targets: Array, known: PackedResults, is_parent: Array, mutual: int) -> SpouseTests:
    """Plan the tests of the neighbors of children, given the child and the set that separated them from the target.

    Parameters
    ----------
    known : PackedResults
        The neighbors of the targets and, as far as their members are asked for, of all columns.
    is_parent : bool array
        Of the neighbors of each target, see ``partition.Partitions``.
    mutual : int
        1 when a child counts only if its own search found the target.
    """
    target, candidate, child = np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int64)
    first, first_given = np.zeros(targets.shape[0] + 1, np.int64), np.zeros(1025, np.int64)
    given = np.empty(4096, np.int64)
    n = stop = 0
    for t in range(targets.shape[0]):
        x = targets[t]
        start = stop
        members, side = _sides_of(x, known, is_parent[start:], mutual)
        stop = start + members.shape[0]
        for j in range(members.shape[0]):
            if side[j] != CHILD:
                continue
            begin, end = neighbors_in(known, members[j])
            target, candidate = _grown(target, n + end - begin), _grown(candidate, n + end - begin)
            child, first_given = _grown(child, n + end - begin), _grown(first_given, n + end - begin + 1)
            for i in range(begin, end):
                y = known.ints[i]
                place = _place_of(members, y)
                if y == x or (place >= 0 and side[place] != DROPPED):
                    continue
                # A child that was dropped is separated in its own search alone.
                a, b = separator_in(known, x, y) if place < 0 else separator_in(known, y, x)
                given = _grown(given, first_given[n] + b - a + 1)
                first_given[n + 1] = first_given[n] + _join(known.ints, a, b, members[j], given[first_given[n] :])
                target[n], candidate[n], child[n] = x, y, members[j]
                n += 1
        first[t + 1] = n
    each = np.arange(n + 1)
    return SpouseTests(Sweeps(target[:n], each, candidate[:n], first_given[: n + 1], given), child[:n], first)


@kernel
def write_blankets(
    targets: Array, known: PackedResults, partitions: Partitions, planned: SpouseTests, strengths: Array, tested: Array,
    mutual: int, units: float, min_margin: float, most_given: int,
) -> tuple[PackedResults, Array, int]:  # fmt: skip
    """Pack the result of each target.

    Parameters
    ----------
    known, mutual
        As for ``plan_spouse_tests``.
    partitions : Partitions
        Of the neighbors of each target.
    planned : SpouseTests
    strengths, tested : float64 and int64 arrays, shape (tests,)
        See ``sweep_each``.
    units : float
        Units per bit.
    min_margin : float
        Bits below which a neighbor is undecided.
    most_given : int
        Columns in the largest separating set.

    Returns
    -------
    results : PackedResults
        Lists of the tests by the number of given columns; tests skipped; lists of parents, children, undecided
        neighbors, spouses; for each spouse the list of the children by which it was found; twice the list of
        neighbors; whether the partition is exact, and 0; the list of separated columns and their separating sets.
        The others: 0 for the seconds; for each spouse strengths by child; strengths and margins of the neighbors;
        the gap. All in the order of ``climbfast.batch.packed_results``.
    made : int64 array, shape (most_given + 2,)
        Tests of all targets, by the number of given columns.
    skipped : int
        Tests of all targets skipped for too few rows per degree of freedom.
    """
    ints, floats = np.empty(1024, np.int64), np.empty(1024, np.float64)
    first_int, first_float = np.zeros(len(targets) + 1, np.int64), np.zeros(len(targets) + 1, np.int64)
    tests, made = np.zeros(most_given + 2, np.int64), np.zeros(most_given + 2, np.int64)
    skipped_in_all = stop = 0
    for t in range(len(targets)):
        x = targets[t]
        start = stop
        members, side = _sides_of(x, known, partitions.is_parent[start:], mutual)
        stop = start + members.shape[0]
        margins = partitions.margins[start:stop]
        skipped = 0
        for q in range(planned.first[t], planned.first[t + 1]):
            tests[planned.sweeps.first_given[q + 1] - planned.sweeps.first_given[q]] += tested[q]
            skipped += 1 - tested[q]
        skipped_in_all += skipped
        spouses = _spouses_of(planned, planned.first[t], planned.first[t + 1], strengths)
        for j in range(len(members)):
            if side[j] != DROPPED and margins[j] / units < min_margin:
                side[j] = UNDECIDED
        more = _size_of_result(x, members, side, spouses, known) + len(tests)
        ints, floats = _grown(ints, first_int[t] + more), _grown(floats, first_float[t] + more)
        at = write_tests(tests, skipped, ints, first_int[t])
        for size in range(len(tests)):
            made[size] += tests[size]
            tests[size] = 0
        first_int[t + 1], first_float[t + 1] = _write(
            x, members, side, margins, partitions.gaps[t], units, spouses, known, ints, floats, at, first_float[t]
        )
    results = PackedResults(ints[: first_int[-1]], floats[: first_float[-1]], first_int, first_float)
    return results, made, skipped_in_all


@kernel
def _sides_of(x: int, known: PackedResults, is_parent: Array, mutual: int) -> tuple[Array, Array]:
    """Return the neighbors of x, and on which side each is."""
    begin, end = neighbors_in(known, x)
    members, side = np.empty(end - begin, np.int64), np.empty(end - begin, np.int64)
    for j in range(end - begin):
        members[j] = known.ints[begin + j]
        side[j] = PARENT if is_parent[j] else CHILD
        if side[j] == CHILD and mutual == 1 and not is_neighbor(known, members[j], x):
            side[j] = DROPPED
    return members, side


@spliced
def _spouses_of(planned: SpouseTests, begin: int, end: int, strengths: Array) -> Spouses:
    """Return the candidates that depend on the target, sorted, in the order of the children for each."""
    spouse, child = np.empty(end - begin, np.int64), np.empty(end - begin, np.int64)
    strength = np.empty(end - begin, np.float64)
    found = 0
    for q in range(begin, end):
        if not strengths[q] > 0:
            continue
        y, place = planned.sweeps.candidates[q], found
        while place > 0 and spouse[place - 1] > y:
            spouse[place], child[place] = spouse[place - 1], child[place - 1]
            strength[place] = strength[place - 1]
            place -= 1
        spouse[place], child[place], strength[place] = y, planned.child[q], strengths[q]
        found += 1
    return Spouses(spouse[:found], child[:found], strength[:found])


@leaf
def _place_of(members: Array, y: int) -> int:
    """Return the place of y, -1 if it is none of them."""
    for j in range(len(members)):
        if members[j] == y:
            return j
    return -1


@leaf
def _join(ints: Array, begin: int, end: int, child: int, given: Array) -> int:
    """Set ``given`` to a separating set and the child, ascending; return how many they are."""
    many = 0
    joined = False
    for i in range(begin, end):
        z = ints[i]
        if not joined and child <= z:
            given[many] = child
            joined, many = True, many + 1
        if z != child:
            given[many] = z
            many += 1
    if not joined:
        given[many] = child
        many += 1
    return many


@leaf
def _size_of_result(x: int, members: Array, side: Array, spouses: Spouses, known: PackedResults) -> int:
    """Return the integers that a packed result takes at most."""
    size = (
        WORDS_BESIDES_LISTS + 5 * len(members) + 3 * len(spouses.spouse) + known.first_int[x + 1] - known.first_int[x]
    )
    for j in range(len(members)):
        if side[j] == DROPPED:
            size += known.first_int[members[j] + 1] - known.first_int[members[j]]
    return size


@kernel
def _grown(array: Array, size: int) -> Array:
    """Return the array, or a longer one that begins with it."""
    if size <= len(array):
        return array
    longer = np.empty(max(size, 2 * len(array)), array.dtype)
    for i in range(len(array)):  # a slice would have numba compile a message for shapes that differ
        longer[i] = array[i]
    return longer


@spliced
def _write(
    x: int, members: Array, side: Array, margins: Array, gap: int, units: float, spouses: Spouses, known: PackedResults,
    ints: Array, floats: Array, at: Integer, at_float: Integer,
) -> tuple[Integer, Integer]:  # fmt: skip
    """Write the result after the tests; return where it ends."""
    floats[at_float] = 0.0
    at_float += 1
    for which in (PARENT, CHILD, UNDECIDED):
        at = _write_members(members, side, which, which, ints, at)
    at, at_float = _write_spouses(spouses, ints, floats, at, at_float)
    strengths = known.first_float[x] + 1
    at = _write_members(members, side, np.int64(PARENT), np.int64(UNDECIDED), ints, at)
    for j in range(len(members)):
        if side[j] != DROPPED:
            floats[at_float] = known.floats[strengths + j]
            at_float += 1
    at = _write_members(members, side, np.int64(PARENT), np.int64(UNDECIDED), ints, at)
    for j in range(len(members)):
        if side[j] != DROPPED:
            floats[at_float] = margins[j] / units
            at_float += 1
    ints[at], ints[at + 1] = (1 if gap == 0 else 0), 0
    floats[at_float] = gap / units
    return _write_separators(x, members, side, known, ints, at + 2), at_float + 1


@leaf
def _write_members(members: Array, side: Array, least: Integer, most: Integer, ints: Array, at: Integer) -> Integer:
    """Write the members on the sides from ``least`` to ``most`` as a list; return where it ends."""
    end = at + 1
    for j in range(len(members)):
        if least <= side[j] <= most:
            ints[end] = members[j]
            end += 1
    ints[at] = end - at - 1
    return end


@leaf
def _write_spouses(
    spouses: Spouses, ints: Array, floats: Array, at: Integer, at_float: Integer
) -> tuple[Integer, Integer]:
    """Write the list of the spouses, and the children of each with the strengths; return where it ends."""
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
def _write_separators(x: int, members: Array, side: Array, known: PackedResults, ints: Array, at: Integer) -> Integer:
    """Write what the search of x separated from it, then the children that were dropped; return where it ends."""
    _, begin = neighbors_in(known, x)
    separated = known.ints[begin]
    middle, stop = begin + 1 + separated, known.first_int[x + 1]
    end = at + 1
    for i in range(begin + 1, middle):
        ints[end] = known.ints[i]
        end += 1
    for j in range(len(members)):
        if side[j] == DROPPED:
            ints[end] = members[j]
            end += 1
    ints[at] = end - at - 1
    for i in range(middle, stop):
        ints[end] = known.ints[i]
        end += 1
    for j in range(len(members)):
        if side[j] == DROPPED:
            first, last = separator_in(known, members[j], x)
            ints[end] = last - first
            end += 1
            for i in range(first, last):
                ints[end] = known.ints[i]
                end += 1
    return end
