"""What one replicate finds, as rows of two flat arrays, and the counts over all replicates.

A row of a graph is an edge: two columns and a kind. A row of blankets is a member: target, member and role. Columns are
numbered in the order of their names.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.batch.lazy_blankets import LazyBlankets
from climbfast.errors import GraphError
from climbfast.graphs.graph import Graph
from climbfast.local.blanket import Blanket

__all__ = [
    "ROLES",
    "Counts",
    "Records",
    "count_members",
    "count_pairs",
    "of_blankets",
    "of_graph",
    "of_run",
    "without_figures",
]

DIRECTED, UNDIRECTED = 0, 1
ROLES = ("parent", "child", "undecided", "spouse")
PARENT, CHILD, UNDECIDED, SPOUSE = range(4)
_OF_A_GRAPH = -1  # in place of the number of targets

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Records(NamedTuple):
    """The rows of one replicate.

    Attributes
    ----------
    ints : int64 array, shape (rows, 3)
        Of a graph x, y and kind, x → y if it is directed; of blankets target, member and the number of the role.
    floats : float64 array, shape (rows, 2)
        Margin and strength; NaN where there is none.
    targets : int64 array or None
        Of blankets the targets, of which some may have no members; None for a graph.
    """

    ints: Ints
    floats: Floats
    targets: Ints | None = None

    def pack(self) -> tuple[Ints, Floats]:
        """Return the same as two flat arrays."""
        head = [_OF_A_GRAPH] if self.targets is None else [len(self.targets), *self.targets.tolist()]
        return np.concatenate((np.array(head, np.int64), self.ints.reshape(-1))), self.floats.reshape(-1)

    @classmethod
    def unpack(cls, ints: Ints, floats: Floats) -> Records:
        """Return what ``pack`` has packed."""
        number = int(ints[0])
        targets = None if number == _OF_A_GRAPH else ints[1 : 1 + number]
        return cls(ints[1 + max(number, 0) :].reshape(-1, 3), floats.reshape(-1, 2), targets)


class Counts(NamedTuple):
    """Counts over replicates, a row for every two columns that occur, in the order of their numbers.

    Attributes
    ----------
    x, y : int64 arrays
        Of pairs x < y; of members target and member.
    counts : int64 array, shape (rows, kinds)
        Of pairs the number of replicates with an edge, with x → y, and with y → x; of members with each role.
    margin, margin_spread : float64 arrays
        Mean and standard deviation (with n − 1) of the margins in the replicates that have the more frequent direction
        or side; NaN where neither is more frequent, and where there is no margin, or for the spread a single one.
    strength, strength_spread : float64 arrays
        The same of the strengths, in all replicates that have one.
    """

    x: Ints
    y: Ints
    counts: Ints
    margin: Floats
    margin_spread: Floats
    strength: Floats
    strength_spread: Floats


def of_graph(graph: Graph, place: Mapping[Hashable, int]) -> Records:
    """Return the rows of a graph."""
    number = [_place_of(name, place) for name in graph.names]
    position = dict(zip(graph.names, number, strict=True))
    edges = [(edge, DIRECTED) for edge in graph.directed] + [(edge, UNDIRECTED) for edge in graph.undirected]
    return _records(
        [(position[x], position[y], kind) for (x, y), kind in edges],
        [(graph.margins.get(edge, math.nan), graph.strengths.get(edge, math.nan)) for edge, _ in edges],
    )


def of_blankets(blankets: Iterable[Blanket], place: Mapping[Hashable, int]) -> Records:
    """Return the rows of blankets."""
    ints, floats, targets = list[tuple[int, int, int]](), list[tuple[float, float]](), list[int]()
    for blanket in blankets:
        target = _place_of(blanket.target, place)
        targets.append(target)
        for role, members in enumerate((blanket.parents, blanket.children, blanket.undecided, blanket.spouses)):
            strengths = blanket.spouse_strengths if role == SPOUSE else blanket.strengths
            for member in members:
                ints.append((target, _place_of(member, place), role))
                floats.append((blanket.margins.get(member, math.nan), strengths.get(member, math.nan)))
    return _records(ints, floats)._replace(targets=np.array(targets, np.int64))


def of_run(blankets: LazyBlankets, place: Mapping[Hashable, int]) -> Records:
    """Return what ``of_blankets`` does, of the blankets of a run, without making them."""
    found = blankets.members()
    targets = np.array([_place_of(name, place) for name in blankets], np.int64)
    places = np.zeros(len(blankets.canonical), np.int64)
    for x in np.unique(found.column).tolist():
        places[x] = _place_of(blankets.canonical[x], place)
    ints = np.stack((targets[found.blanket], places[found.column], found.role), axis=1)
    order = np.lexsort((ints[:, 1], found.role, found.blanket))
    return Records(ints[order], np.stack((found.margin, found.strength), axis=1)[order], targets)


def _place_of(name: Hashable, place: Mapping[Hashable, int]) -> int:
    try:
        return place[name]
    except KeyError:
        raise GraphError(f"the search returned {name!r}, which is no column of the data") from None


def _records(ints: Sequence[tuple[int, int, int]], floats: Sequence[tuple[float, float]]) -> Records:
    return Records(np.array(ints, np.int64).reshape(-1, 3), np.array(floats, np.float64).reshape(-1, 2))


def count_pairs(replicates: Sequence[Records], columns: int) -> Counts:
    """Count edges and their directions.

    In blankets two targets have an edge if each is a neighbor of the other, and a direction if both blankets have it,
    as in ``Blankets.merge``; for a target and a column that is none its blanket decides alone. Their figures are those
    of the members.
    """
    if not replicates or replicates[0].targets is None:
        return _gather([_pairs_of_graph(each) for each in replicates], columns, kinds=3, sides=(1, 2))
    parts = [_pairs_of_blankets(each, each.targets, columns) for each in replicates if each.targets is not None]
    return without_figures(_gather(parts, columns, kinds=3, sides=(1, 2)))


def count_members(replicates: Sequence[Records], columns: int) -> Counts:
    """Count the roles of the members of each target."""
    kinds = np.eye(len(ROLES), dtype=np.int64)
    parts = [_Part(each.ints[:, 0], each.ints[:, 1], kinds[each.ints[:, 2]], each.floats) for each in replicates]
    return _gather(parts, columns, kinds=len(ROLES), sides=(PARENT, CHILD))


def without_figures(counts: Counts) -> Counts:
    """Return counts without margins and strengths."""
    unknown = np.full(len(counts.x), math.nan)
    return Counts(counts.x, counts.y, counts.counts, unknown, unknown, unknown, unknown)


class _Part(NamedTuple):
    """One replicate, as ``Counts``: each kind is 0 or 1, and the floats are margin and strength."""

    x: Ints
    y: Ints
    kinds: Ints
    floats: Floats


def _pairs_of_graph(records: Records) -> _Part:
    source, target, kind = records.ints.T
    x, y = np.minimum(source, target), np.maximum(source, target)
    directed = kind == DIRECTED
    return _Part(x, y, _edge_kinds(directed & (source == x), directed & (source == y)), records.floats)


def _pairs_of_blankets(records: Records, targets: Ints, columns: int) -> _Part:
    """Return the pairs of which every end that is a target has the other one as a neighbor."""
    target, member, role = records.ints[records.ints[:, 2] != SPOUSE].T
    x, y = np.minimum(target, member), np.maximum(target, member)
    keys, places = np.unique(x * columns + y, return_inverse=True)
    x_is_parent = np.where(target == x, role == CHILD, role == PARENT)
    y_is_parent = np.where(target == y, role == CHILD, role == PARENT)
    is_target = np.zeros(columns, np.bool_)
    is_target[targets] = True
    wanted = np.where(is_target[keys // columns] & is_target[keys % columns], 2, 1)
    joined, forward, backward = (
        np.bincount(places[which], minlength=len(keys)) == wanted
        for which in (np.ones(len(places), np.bool_), x_is_parent, y_is_parent)
    )
    kinds = _edge_kinds(forward[joined], backward[joined])
    return _Part(keys[joined] // columns, keys[joined] % columns, kinds, np.full((len(kinds), 2), math.nan))


def _edge_kinds(forward: NDArray[np.bool_], backward: NDArray[np.bool_]) -> Ints:
    return np.stack([np.ones(len(forward), np.int64), forward.astype(np.int64), backward.astype(np.int64)], axis=1)


def _gather(parts: Sequence[_Part], columns: int, *, kinds: int, sides: tuple[int, int]) -> Counts:
    """Sum over the replicates, in their order, so that sums do not depend on which ended first.

    ``sides`` are the two kinds that are the directions of an edge, or the sides of a neighbor.
    """
    nothing = _Part(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, kinds), np.int64), np.zeros((0, 2)))
    x, y, each, floats = (np.concatenate(arrays) for arrays in zip(nothing, *parts, strict=True))
    keys, places = np.unique(x * columns + y, return_inverse=True)
    counts = np.zeros((len(keys), kinds), np.int64)
    np.add.at(counts, places, each)
    one, other = sides
    has_usual_side = np.where(each[:, one] > 0, counts[places, one] > counts[places, other], False) | np.where(
        each[:, other] > 0, counts[places, other] > counts[places, one], False
    )
    return Counts(
        keys // columns,
        keys % columns,
        counts,
        *_mean_and_spread(np.where(has_usual_side, floats[:, 0], math.nan), places, len(keys)),
        *_mean_and_spread(floats[:, 1], places, len(keys)),
    )


def _mean_and_spread(values: Floats, places: Ints, size: int) -> tuple[Floats, Floats]:
    """Return the mean and the standard deviation of the values at each place, without those that are NaN."""
    known = ~np.isnan(values)
    places, values = places[known], values[known]
    number = np.bincount(places, minlength=size)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(places, values, minlength=size) / number
        squares = np.bincount(places, (values - mean[places]) ** 2, minlength=size)
        spread = np.sqrt(squares / (number - 1))
    spread[number < 2] = math.nan
    return mean, spread
