"""The result of a search for one column, packed into two flat arrays: small to send, to store and to share in memory.

The kernels pack and unpack the same format, see ``climbfast_kernels.packed_results``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.tests import Separator
from climbfast.local.colliders import SeenSide
from climbfast.local.neighbors import Neighbors
from climbfast.local.target_search import TargetResult
from climbfast.local.unexplained import NOTHING, Unexplained

__all__ = [
    "Cost",
    "PackedResult",
    "PackedResults",
    "dependent_in",
    "members_in",
    "pack_neighbors",
    "pack_result",
    "unpack_cost",
    "unpack_neighbors",
    "unpack_result",
    "with_unexplained",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


COST_INTS = 4  # besides the tests made: their number, tests skipped, the fewest rows, and what was bounded


class Cost(NamedTuple):
    """What a search cost, and how far it went.

    Attributes
    ----------
    tests_by_size : tuple of int
        Tests made, by the number of given columns.
    skipped, fewest_rows : int
        Tests skipped, and the fewest rows of one that was made.
    seconds : float
    bounded : int
        Neighbors found without testing all sets, see ``climbfast.local.neighbors``.
    """

    tests_by_size: tuple[int, ...]
    skipped: int
    fewest_rows: int
    seconds: float
    bounded: int = 0


class PackedResult(NamedTuple):
    """The integers and the floats of a result, in the order in which they were packed."""

    ints: Ints
    floats: Floats


class PackedResults:
    """The packed results of many columns, one after the other in two arrays.

    Parameters
    ----------
    ints, floats : int64 and float64 arrays
    first_int, first_float : int64 arrays, shape (columns + 1,)
        Where the integers and the floats of each column begin; a column without a result has none.

    Attributes
    ----------
    arrays : tuple of these four arrays
    """

    def __init__(self, ints: Ints, floats: Floats, first_int: Ints, first_float: Ints) -> None:
        self.arrays = ints, floats, first_int, first_float

    @classmethod
    def gather(cls, packed: dict[int, PackedResult], columns: int) -> PackedResults:
        """Join the packed results of some columns; each is taken out of ``packed``, or it would be held twice."""
        none = PackedResult(np.empty(0, np.int64), np.empty(0))
        sizes = [(len(each.ints), len(each.floats)) for each in (packed.get(x, none) for x in range(columns))]
        firsts = np.cumsum([(0, 0), *sizes], axis=0).astype(np.int64)
        first_int, first_float = firsts.T.copy()
        ints, floats = np.empty(first_int[-1], dtype=np.int64), np.empty(first_float[-1])
        at_ints, at_floats = first_int.tolist(), first_float.tolist()
        for x in range(columns):
            each = packed.pop(x, none)
            ints[at_ints[x] : at_ints[x + 1]] = each.ints
            floats[at_floats[x] : at_floats[x + 1]] = each.floats
        return cls(ints, floats, first_int, first_float)

    @classmethod
    def with_seconds(cls, arrays: tuple[Ints, Floats, Ints, Ints], seconds: float) -> PackedResults:
        """Return the results that a kernel packed, with its seconds divided equally among them."""
        ints, floats, first_int, first_float = arrays
        floats[first_float[:-1]] = seconds / max(len(first_float) - 1, 1)
        return cls(ints, floats, first_int, first_float)

    def with_nothing_unexplained(self) -> PackedResults:
        """Return the same blankets as ``with_unexplained`` makes them where nothing is."""
        ints, floats, first_int, first_float = self.arrays
        places = np.arange(len(first_int))
        return PackedResults(
            np.insert(ints, np.repeat(first_int[1:], 2), 0),
            np.insert(floats, first_float[1:], NOTHING.rows_per_stratum),
            first_int + 2 * places,
            first_float + places,
        )

    def __iter__(self) -> Iterator[PackedResult]:
        ints, floats, *firsts = self.arrays
        first_int, first_float = (first.tolist() for first in firsts)
        for t in range(len(first_int) - 1):
            here, there = slice(first_int[t], first_int[t + 1]), slice(first_float[t], first_float[t + 1])
            yield PackedResult(ints[here], floats[there])

    def members_of(self, x: int) -> list[int]:
        """Return the neighbors of a column without unpacking the rest of its result."""
        ints, at = self.arrays[0], int(self.arrays[2][x])
        at += int(ints[at]) + COST_INTS
        members: list[int] = ints[at + 1 : at + 1 + int(ints[at])].tolist()
        return members

    def __getitem__(self, x: int) -> PackedResult:
        ints, floats, first_int, first_float = self.arrays
        return PackedResult(ints[first_int[x] : first_int[x + 1]], floats[first_float[x] : first_float[x + 1]])

    def cost(self) -> tuple[int, int]:
        """Return the number of tests made for all columns, and the number skipped."""
        ints, _, first, _ = self.arrays
        begin = first[:-1][first[:-1] < first[1:]]
        sizes = ints[begin]
        made = sum(int(ints[begin[sizes >= size] + size].sum()) for size in range(1, int(sizes.max(initial=0)) + 1))
        return made, int(ints[begin + sizes + 1].sum())

    def __contains__(self, x: int) -> bool:
        first = self.arrays[2]
        return bool(first[x] < first[x + 1])


class _LazySeparators(Mapping[int, Separator]):
    """Separating sets that are unpacked at the first access: a blanket uses those of its target only."""

    def __init__(self, ints: Ints) -> None:
        self._ints = ints

    @cached_property
    def _sets(self) -> dict[int, Separator]:
        source = _Reader(self._ints.tolist(), ())
        return {x: source.columns() for x in source.columns()}

    def __getitem__(self, x: int) -> Separator:
        return self._sets[x]

    def __iter__(self) -> Iterator[int]:
        return iter(self._sets)

    def __len__(self) -> int:
        return int(self._ints[0])

    def get(self, x: int, otherwise: Any = None) -> Any:
        """Return the separating set of a column, or ``otherwise``."""
        return self._sets.get(x, otherwise)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (self._sets,)


class _Writer:
    def __init__(self) -> None:
        self._ints: list[int] = []
        self._floats: list[float] = []

    def separators(self, separators: Mapping[int, Separator]) -> None:
        """Write the separating sets, which must come last: ``_LazySeparators`` takes all that follows."""
        self.columns(separators)
        for separator in separators.values():
            self.columns(separator)

    def columns(self, columns: Iterable[int]) -> None:
        elements = tuple(columns)
        self._ints.append(len(elements))
        self._ints.extend(elements)

    def sides(self, seen: Mapping[int, SeenSide]) -> None:
        """Write the columns whose side is shown, then for each what shows it."""
        self.columns(seen)
        for each in seen.values():
            self.columns(each.columns)
            self.numbers([each.bits])

    def whole(self, number: int) -> None:
        self._ints.append(number)

    def numbers(self, numbers: Iterable[float]) -> None:
        self._floats.extend(numbers)

    def cost(self, cost: Cost) -> None:
        self.columns(cost.tests_by_size)
        self.whole(cost.skipped)
        self.whole(cost.fewest_rows)
        self.whole(cost.bounded)
        self.numbers([cost.seconds])

    def packed(self) -> PackedResult:
        return PackedResult(np.array(self._ints, dtype=np.int64), np.array(self._floats, dtype=np.float64))


class _Reader:
    def __init__(self, ints: Sequence[int], floats: Sequence[float]) -> None:
        self._ints, self._floats = ints, floats
        self._at = self._float_at = 0

    @property
    def read(self) -> int:
        """Number of integers read so far."""
        return self._at

    def columns(self) -> tuple[int, ...]:
        first = self._at + 1
        self._at = first + self._ints[self._at]
        return tuple(self._ints[first : self._at])

    def sides(self) -> dict[int, SeenSide]:
        return {x: SeenSide(self.columns(), self.numbers(1)[0]) for x in self.columns()}

    def whole(self) -> int:
        self._at += 1
        return self._ints[self._at - 1]

    def numbers(self, count: int) -> Sequence[float]:
        self._float_at += count
        return self._floats[self._float_at - count : self._float_at]

    def cost(self) -> Cost:
        tests, skipped, fewest_rows, bounded = self.columns(), self.whole(), self.whole(), self.whole()
        return Cost(tests, skipped, fewest_rows, self.numbers(1)[0], bounded)


def pack_neighbors(neighbors: Neighbors, cost: Cost) -> PackedResult:
    """Pack the neighbors of one column, and the cost of their search.

    Sets that separated members, as they do where knowledge requires an edge, are among those of the other columns.
    """
    out = _Writer()
    out.cost(cost)
    out.columns(neighbors.members)
    out.numbers(neighbors.strengths[x] for x in neighbors.members)
    out.separators({**neighbors.separators, **neighbors.separated} if neighbors.separated else neighbors.separators)
    return out.packed()


def unpack_neighbors(packed: PackedResult) -> tuple[Neighbors, Cost]:
    """Unpack a result of ``pack_neighbors``."""
    source = _Reader(packed.ints.tolist(), packed.floats.tolist())
    cost = source.cost()
    members = source.columns()
    strengths = dict(zip(members, source.numbers(len(members)), strict=True))
    separators: Mapping[int, Separator] = _LazySeparators(packed.ints[source.read :])
    required = [x for x, strength in strengths.items() if not strength > 0]
    if not required:
        return Neighbors(members, strengths, separators, bounded=cost.bounded), cost
    separated = {x: separators[x] for x in required if x in separators}
    others = {x: given for x, given in separators.items() if x not in separated}
    return Neighbors(members, strengths, others, separated, cost.bounded), cost


def unpack_cost(packed: PackedResult) -> Cost:
    """Unpack only the cost of a search, with which every packed result begins."""
    sizes = int(packed.ints[0])
    return _Reader(packed.ints[: sizes + COST_INTS].tolist(), packed.floats[:1].tolist()).cost()


def pack_result(result: TargetResult, cost: Cost) -> PackedResult:
    """Pack the blanket of one column, and the cost of its search."""
    out = _Writer()
    out.cost(cost)
    for members in (result.parents, result.children, result.undecided, result.spouses):
        out.columns(members)
    for by_child in result.spouses.values():
        out.columns(by_child)
        out.numbers(by_child.values())
    for figures in (result.strengths, result.margins):
        out.columns(figures)
        out.numbers(figures.values())
    out.sides(result.evidence)
    out.columns(result.known)
    out.sides(result.contradicted)
    out.whole(result.exact)
    out.whole(result.whole_blanket)
    out.numbers([result.gap])
    out.separators(result.separators)
    return with_unexplained(out.packed(), result.unexplained)


def with_unexplained(packed: PackedResult, found: Unexplained) -> PackedResult:
    """Append what a blanket leaves unexplained to its packed result: two lists, then their lengths; bits and rows."""
    lists = [*found.bits, *found.determined_by, len(found.bits), len(found.determined_by)]
    return PackedResult(
        np.concatenate([packed.ints, np.array(lists, np.int64)]),
        np.concatenate([packed.floats, np.array([*found.bits.values(), found.rows_per_stratum])]),
    )


def members_in(packed: PackedResult) -> tuple[int, ...]:
    """Return the neighbors and spouses in a result of ``pack_result`` without unpacking the rest."""
    ints, members = packed.ints, []
    at = int(ints[0]) + COST_INTS
    for _ in range(4):
        end = at + 1 + int(ints[at])
        members += ints[at + 1 : end].tolist()
        at = end
    return tuple(sorted({*members}))


def dependent_in(packed: PackedResult) -> list[int]:
    """Return the columns that depend on the target marginally, from a result of ``pack_neighbors``."""
    ints = packed.ints
    members = int(ints[0]) + COST_INTS
    separated = members + 1 + int(ints[members])
    columns = [*ints[members + 1 : separated], *ints[separated + 1 : separated + 1 + int(ints[separated])]]
    return [int(x) for x in columns]


def unpack_result(packed: PackedResult) -> tuple[TargetResult, Cost]:
    """Unpack a result of ``pack_result``."""
    source = _Reader(packed.ints.tolist(), packed.floats.tolist())
    cost = source.cost()
    parents, children, undecided, spouses = (source.columns() for _ in range(4))
    by_child = {y: _figures(source) for y in spouses}
    strengths, margins = _figures(source), _figures(source)
    evidence, known, contradicted = source.sides(), source.columns(), source.sides()
    exact, whole_blanket, gap = bool(source.whole()), bool(source.whole()), source.numbers(1)[0]
    separators = _LazySeparators(packed.ints[source.read :])
    left, determining = packed.ints[-2:].tolist()
    lists = packed.ints[-2 - left - determining : -2].tolist()
    *bits, rows_per_stratum = packed.floats[-1 - left :].tolist()
    remainder = Unexplained(dict(zip(lists[:left], bits, strict=True)), rows_per_stratum, tuple(lists[left:]))
    result = TargetResult(
        parents, children, undecided, by_child, strengths, margins, evidence, known, contradicted, separators, exact,
        gap, whole_blanket, cost.bounded, remainder,
    )  # fmt: skip
    return result, cost


def _figures(source: _Reader) -> dict[int, float]:
    columns = source.columns()
    return dict(zip(columns, source.numbers(len(columns)), strict=True))
