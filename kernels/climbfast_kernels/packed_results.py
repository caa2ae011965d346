"""The result of a search for one target, packed into two flat arrays: one of integers and one of floats.

A list is packed as its length and its elements. The integers of a search for neighbors are: the list of the tests made
by number of given columns; the number of tests skipped; the smallest number of rows of a test; the number of neighbors
for which sets were left out, see ``climbfast.local.neighbors``; the list of the neighbors; the list of the columns that
were separated from the target; and, in the same order, the list of each separating set. The floats are the seconds of
the search and the weakest strength of each neighbor. ``climbfast.batch.packed_results`` packs and unpacks the same in
Python.

``PackedArrays`` has the packed results of all columns, one after the other. ``members_of_blankets`` reads those of
blankets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from climbfast_kernels._jit import kernel, leaf
from climbfast_kernels.bits import Array, Integer
from climbfast_kernels.getpcd import MEMBER

COST_INTS = 4  # how many numbers of tests there are, tests skipped, the fewest rows, neighbors with sets left out


class PackedArrays(NamedTuple):
    """The packed results of many columns.

    Attributes
    ----------
    ints, floats : int64 and float64 arrays
    first_int, first_float : int64 arrays, shape (columns + 1,)
        Where the integers and the floats of each column begin.
    """

    ints: Array
    floats: Array
    first_int: Array
    first_float: Array


@kernel
def pack_getpcd(
    first: Array, candidates: Array, state: Array, strengths: Array, separators: Array, tests: Array, skipped: Array,
    fewest: Array,
) -> PackedArrays:  # fmt: skip
    """Pack the result of ``getpcd.getpcd`` for each target; the seconds are set to 0."""
    targets, n = tests.shape[0], candidates.shape[0]
    ints = np.empty(targets * (tests.shape[1] + 6) + n * (2 + separators.shape[1]), np.int64)
    floats = np.empty(targets + n, np.float64)
    first_int, first_float = np.zeros(targets + 1, np.int64), np.zeros(targets + 1, np.int64)
    at: Integer = np.int64(0)  # a literal would make numba compile the functions it is passed to once more
    at_float = 0
    for t in range(targets):
        at = write_tests(tests[t], skipped[t], fewest[t], ints, at)
        floats[at_float] = 0.0
        at_float += 1
        at_members = at
        at += 1
        for i in range(first[t], first[t + 1]):
            if state[i] == MEMBER:
                ints[at], floats[at_float] = candidates[i], strengths[i]
                at, at_float = at + 1, at_float + 1
        ints[at_members] = at - at_members - 1
        at_separated = at
        at += 1
        for i in range(first[t], first[t + 1]):
            if state[i] != MEMBER:
                ints[at] = candidates[i]
                at += 1
        ints[at_separated] = at - at_separated - 1
        for i in range(first[t], first[t + 1]):
            if state[i] != MEMBER:
                at = _write_sorted(separators[i], ints, at)
        first_int[t + 1], first_float[t + 1] = at, at_float
    return PackedArrays(ints[:at], floats[:at_float], first_int, first_float)


@leaf
def write_tests(tests: Array, skipped: int, fewest: Integer, ints: Array, at: Integer) -> Integer:
    """Write the tests made, without trailing zeros, the number skipped, the fewest rows, and 0; return the end."""
    sizes = tests.shape[0]
    while sizes > 0 and tests[sizes - 1] == 0:
        sizes -= 1
    ints[at] = sizes
    for size in range(sizes):
        ints[at + 1 + size] = tests[size]
    ints[at + 1 + sizes], ints[at + 2 + sizes], ints[at + 3 + sizes] = skipped, fewest, 0
    return at + sizes + COST_INTS


@leaf
def _write_sorted(columns: Array, ints: Array, at: Integer) -> Integer:
    """Write the columns that are not -1 as a list, ascending; return where it ends."""
    count = 0
    for x in columns:
        if x < 0:
            continue
        count += 1
        place = at + count
        while place > at + 1 and ints[place - 1] > x:
            ints[place] = ints[place - 1]
            place -= 1
        ints[place] = x
    ints[at] = count
    return at + 1 + count


@leaf
def neighbors_in(results: PackedArrays, x: int) -> tuple[int, int]:
    """Return where in ``ints`` the neighbors of column x begin and end."""
    ints, at = results.ints, results.first_int[x]
    at += ints[at] + COST_INTS
    return at + 1, at + 1 + ints[at]


@leaf
def is_neighbor(results: PackedArrays, x: int, y: int) -> bool:
    """Whether y is a neighbor of x by the search around x."""
    begin, end = neighbors_in(results, x)
    for j in range(begin, end):  # noqa: SIM110 - any() over a generator does not compile
        if results.ints[j] == y:
            return True
    return False


@leaf
def separator_in(results: PackedArrays, x: int, y: int) -> tuple[int, int]:
    """Return where in ``ints`` the set that separated y from x begins and ends; an empty range if there is none."""
    ints = results.ints
    _, at = neighbors_in(results, x)
    separated = ints[at]
    place = at + 1
    while place <= at + separated and ints[place] != y:
        place += 1
    if place > at + separated:
        return at, at
    before, at = place - at - 1, at + 1 + separated
    for _ in range(before):
        at += 1 + ints[at]
    return at + 1, at + 1 + ints[at]


class Members(NamedTuple):
    """The members of many blankets, one after the other: parents, children, undecided neighbors and spouses of each.

    Attributes
    ----------
    blanket : int64 array, shape (members,)
        The place of its blanket among those asked for.
    column, role : int64 arrays, shape (members,)
        The role is 0 for a parent, 1 for a child, 2 for an undecided neighbor and 3 for a spouse.
    margin, strength : float64 arrays, shape (members,)
        NaN where there is none. The strength of a spouse is its largest by a child.
    """

    blanket: Array
    column: Array
    role: Array
    margin: Array
    strength: Array


@kernel
def members_of_blankets(results: PackedArrays, columns: Array) -> Members:
    """Return the members of the blankets of some columns, see ``climb.write_blankets`` for how these are packed."""
    ints, floats = results.ints, results.floats
    total = 0
    for x in columns:
        at = results.first_int[x] + ints[results.first_int[x]] + COST_INTS
        for _ in range(4):
            total += ints[at]
            at += 1 + ints[at]
    blanket, column, role = np.empty(total, np.int64), np.empty(total, np.int64), np.empty(total, np.int64)
    margin, strength = np.full(total, np.nan), np.full(total, np.nan)
    stop = 0
    for t in range(len(columns)):
        x = columns[t]
        begin, at = stop, results.first_int[x] + ints[results.first_int[x]] + COST_INTS
        at_float = results.first_float[x] + 1
        for kind in range(4):
            for j in range(at + 1, at + 1 + ints[at]):
                blanket[stop], column[stop], role[stop] = t, ints[j], kind
                stop += 1
            at += 1 + ints[at]
        for i in range(begin, stop):
            if role[i] == 3:
                for j in range(at_float, at_float + ints[at]):
                    if not strength[i] >= floats[j]:
                        strength[i] = floats[j]
                at_float += ints[at]
                at += 1 + ints[at]
        _read_figures(ints, floats, at, at_float, column[begin:stop], role[begin:stop], strength[begin:stop], 3)
        at_float += ints[at]
        at += 1 + ints[at]
        _read_figures(ints, floats, at, at_float, column[begin:stop], role[begin:stop], margin[begin:stop], 4)
    return Members(blanket, column, role, margin, strength)


@leaf
def _read_figures(
    ints: Array, floats: Array, at: int, at_float: int, columns: Array, roles: Array, figures: Array, least_role: int
) -> None:
    """Set the figures of the columns that are in the list at a place, but for roles from a least one up."""
    for i in range(len(columns)):
        if roles[i] < least_role:
            for j in range(ints[at]):
                if ints[at + 1 + j] == columns[i]:
                    figures[i] = floats[at_float + j]
