"""What was found around one column as two flat arrays: small to send, to keep in a journal, and to share in memory.

Kernels write and read the same, see ``climbfast_kernels.packed_results``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.independence.tests import Separator
from climbfast.local.neighbors import Neighbors
from climbfast.local.target_search import TargetResult

__all__ = [
    "Cost",
    "PackedResult",
    "PackedResults",
    "pack_neighbors",
    "pack_result",
    "unpack_cost",
    "unpack_neighbors",
    "unpack_result",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Cost(NamedTuple):
    """Tests made, by the number of given columns, and skipped for want of rows; seconds."""

    tests_by_size: tuple[int, ...]
    skipped: int
    seconds: float


class PackedResult(NamedTuple):
    """The whole numbers and the others, in the order in which they were written."""

    ints: Ints
    floats: Floats


class PackedResults:
    """PackedResults of many columns, one after the other in two arrays.

    Attributes
    ----------
    ints, floats : arrays
    first_int, first_float : int64 arrays, shape (columns + 1,)
        Where those of each column begin; a column without a record has none.
    """

    def __init__(self, ints: Ints, floats: Floats, first_int: Ints, first_float: Ints) -> None:
        self.arrays = ints, floats, first_int, first_float

    @classmethod
    def gathered(cls, records: dict[int, PackedResult], columns: int) -> PackedResults:
        """Put together the records of some of the columns."""
        none = PackedResult(np.empty(0, np.int64), np.empty(0))
        ordered = [records.get(x, none) for x in range(columns)]
        return cls(
            np.concatenate([record.ints for record in ordered]),
            np.concatenate([record.floats for record in ordered]),
            np.cumsum([0, *(len(record.ints) for record in ordered)]),
            np.cumsum([0, *(len(record.floats) for record in ordered)]),
        )

    @classmethod
    def timed(cls, written: tuple[Ints, Floats, Ints, Ints], seconds: float) -> PackedResults:
        """Take the records that a kernel wrote in a number of seconds, and share these among them."""
        ints, floats, first_int, first_float = written
        floats[first_float[:-1]] = seconds / max(len(first_float) - 1, 1)
        return cls(ints, floats, first_int, first_float)

    def __iter__(self) -> Iterator[PackedResult]:
        ints, floats, *firsts = self.arrays
        first_int, first_float = (first.tolist() for first in firsts)
        for t in range(len(first_int) - 1):
            here, there = slice(first_int[t], first_int[t + 1]), slice(first_float[t], first_float[t + 1])
            yield PackedResult(ints[here], floats[there])

    def members_of(self, x: int) -> list[int]:
        """Return the neighbors of a column, and nothing else of its record."""
        ints, at = self.arrays[0], int(self.arrays[2][x])
        at += int(ints[at]) + 2
        members: list[int] = ints[at + 1 : at + 1 + int(ints[at])].tolist()
        return members

    def __getitem__(self, x: int) -> PackedResult:
        ints, floats, first_int, first_float = self.arrays
        return PackedResult(ints[first_int[x] : first_int[x + 1]], floats[first_float[x] : first_float[x + 1]])

    def cost(self) -> tuple[int, int]:
        """Return the tests made for all of them, and those skipped."""
        ints, _, first, _ = self.arrays
        begin = first[:-1][first[:-1] < first[1:]]
        end = begin + ints[begin] + 1
        made = np.cumsum(ints)
        return int((made[end - 1] - made[begin]).sum()), int(ints[end].sum())

    def __contains__(self, x: int) -> bool:
        first = self.arrays[2]
        return bool(first[x] < first[x + 1])


class _Separators(Mapping[int, Separator]):
    """Separating sets that are read when one is asked for: a blanket asks those of its target, not of its neighbors."""

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
        """Return the set of a column, or ``otherwise``."""
        return self._sets.get(x, otherwise)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (self._sets,)


class _Writer:
    def __init__(self) -> None:
        self._ints: list[int] = []
        self._floats: list[float] = []

    def separators(self, separators: Mapping[int, Separator]) -> None:
        """They come last: what follows is theirs."""
        self.columns(separators)
        for separator in separators.values():
            self.columns(separator)

    def columns(self, columns: Iterable[int]) -> None:
        many = tuple(columns)
        self._ints.append(len(many))
        self._ints.extend(many)

    def whole(self, number: int) -> None:
        self._ints.append(number)

    def numbers(self, numbers: Iterable[float]) -> None:
        self._floats.extend(numbers)

    def cost(self, cost: Cost) -> None:
        self.columns(cost.tests_by_size)
        self.whole(cost.skipped)
        self.numbers([cost.seconds])

    def record(self) -> PackedResult:
        return PackedResult(np.array(self._ints, dtype=np.int64), np.array(self._floats, dtype=np.float64))


class _Reader:
    def __init__(self, ints: Sequence[int], floats: Sequence[float]) -> None:
        self._ints, self._floats = ints, floats
        self._at = self._float_at = 0

    @property
    def read(self) -> int:
        """Whole numbers read so far."""
        return self._at

    def columns(self) -> tuple[int, ...]:
        first = self._at + 1
        self._at = first + self._ints[self._at]
        return tuple(self._ints[first : self._at])

    def whole(self) -> int:
        self._at += 1
        return self._ints[self._at - 1]

    def numbers(self, many: int) -> Sequence[float]:
        self._float_at += many
        return self._floats[self._float_at - many : self._float_at]

    def cost(self) -> Cost:
        return Cost(self.columns(), self.whole(), self.numbers(1)[0])


def pack_neighbors(found: Neighbors, cost: Cost) -> PackedResult:
    """Write what the search of one column found and cost."""
    out = _Writer()
    out.cost(cost)
    out.columns(found.members)
    out.numbers(found.strengths[x] for x in found.members)
    out.separators(found.separators)
    return out.record()


def unpack_neighbors(record: PackedResult) -> tuple[Neighbors, Cost]:
    """Read what ``pack_neighbors`` wrote."""
    source = _Reader(record.ints.tolist(), record.floats.tolist())
    cost = source.cost()
    members = source.columns()
    strengths = dict(zip(members, source.numbers(len(members)), strict=True))
    return Neighbors(members, strengths, _Separators(record.ints[source.read :])), cost


def unpack_cost(record: PackedResult) -> Cost:
    """Read what a record begins with: the cost of its search."""
    sizes = int(record.ints[0])
    return _Reader(record.ints[: sizes + 2].tolist(), record.floats[:1].tolist()).cost()


def pack_result(found: TargetResult, cost: Cost) -> PackedResult:
    """Write the blanket of one column and what it cost."""
    out = _Writer()
    out.cost(cost)
    for side in (found.parents, found.children, found.undecided, found.spouses):
        out.columns(side)
    for by in found.spouses.values():
        out.columns(by)
        out.numbers(by.values())
    for figures in (found.strengths, found.margins):
        out.columns(figures)
        out.numbers(figures.values())
    out.whole(found.exact)
    out.whole(found.whole_blanket)
    out.numbers([found.gap])
    out.separators(found.separators)
    return out.record()


def unpack_result(record: PackedResult) -> tuple[TargetResult, Cost]:
    """Read what ``pack_result`` wrote."""
    source = _Reader(record.ints.tolist(), record.floats.tolist())
    cost = source.cost()
    parents, children, undecided, spouses = (source.columns() for _ in range(4))
    through = {y: _figures(source) for y in spouses}
    strengths, margins = _figures(source), _figures(source)
    exact, whole_blanket, gap = bool(source.whole()), bool(source.whole()), source.numbers(1)[0]
    separators = _Separators(record.ints[source.read :])
    found = TargetResult(
        parents, children, undecided, through, strengths, margins, separators, exact, gap, whole_blanket
    )
    return found, cost


def _figures(source: _Reader) -> dict[int, float]:
    columns = source.columns()
    return dict(zip(columns, source.numbers(len(columns)), strict=True))
