"""The screen: marginal tests of all pairs of columns, each made once, with the dependent pairs kept as a sparse list.

Columns of one arity, with or without missing cells, go block by block; one unit of work is a block against itself and
all blocks after it. Columns of many levels, or without bitmaps, are swept one by one: a unit of work is a few of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import Dataset
from climbfast.independence.tester import Tester
from climbfast.independence.tests import TestCounts

if TYPE_CHECKING:
    from climbfast_kernels.screen import Block

__all__ = ["DependentPairs", "ScreenLookupTester", "ScreenResult", "ScreenWorker", "bitmaps_a_block", "units_of_screen"]

# Two blocks stay in the second-level cache, and threads rarely wait for each other between the calls of kernels.
BYTES_A_BLOCK = 160 << 10
FEWEST_BITMAPS, MOST_BITMAPS = 128, 384
BLOCKS = 48  # many workers share the blocks of wide data; the first is one 24th of the work
MOST_LEVELS_IN_BLOCKS = 9  # from there on the cells of a pair take longer by bitmaps than one pass over the rows
SWEEPS_A_UNIT = 4

Units = tuple[NDArray[np.int64], ...]


class DependentPairs(NamedTuple):
    """Pairs of columns that are dependent, the smaller column first, with strengths; tests made and skipped."""

    x: NDArray[np.int64]
    y: NDArray[np.int64]
    strengths: NDArray[np.float64]
    tests: int
    skipped: int


class ScreenResult:
    """For every column the columns that it depends on marginally, and how strongly.

    Attributes
    ----------
    first : int64 array, shape (columns + 1,)
        Where the partners of each column begin.
    partners : int64 array
        Ascending for each column.
    strengths : float64 array
    """

    def __init__(self, first: NDArray[np.int64], partners: NDArray[np.int64], strengths: NDArray[np.float64]) -> None:
        self.first, self.partners, self.strengths = first, partners, strengths

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """The three arrays, as the constructor takes them."""
        return self.first, self.partners, self.strengths

    @classmethod
    def gather(cls, parts: Sequence[DependentPairs], columns: int) -> ScreenResult:
        """Join the pairs of all units, each pair from both its ends."""
        x = np.concatenate([array for part in parts for array in (part.x, part.y)] or [np.empty(0, np.int64)])
        y = np.concatenate([array for part in parts for array in (part.y, part.x)] or [np.empty(0, np.int64)])
        strengths = np.concatenate([part.strengths for part in parts for _ in range(2)] or [np.empty(0)])
        order = np.lexsort((y, x))
        return cls(np.searchsorted(x[order], np.arange(columns + 1)), y[order], strengths[order])

    def of(self, x: int) -> tuple[list[int], NDArray[np.float64]]:
        """Return the partners of a column and their strengths."""
        here = slice(self.first[x], self.first[x + 1])
        return self.partners[here].tolist(), self.strengths[here]

    def of_each(self, columns: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Return the same of many columns, one after the other: where those of each begin, partners, strengths."""
        places = [slice(self.first[x], self.first[x + 1]) for x in columns]
        first = np.cumsum([0, *(place.stop - place.start for place in places)])
        partners = np.concatenate([self.partners[place] for place in places])
        return first, partners, np.concatenate([self.strengths[place] for place in places])


class ScreenLookupTester:
    """A test that takes its marginal strengths from a screen.

    Parameters
    ----------
    tester : Tester
        Makes all other tests, and counts them.
    screen : ScreenResult
    """

    def __init__(self, tester: Tester, screen: ScreenResult) -> None:
        self._tester, self._screen = tester, screen
        self.weakest = tester.weakest
        self.tests_by_size = tester.tests_by_size

    @property
    def skipped(self) -> int:
        """See ``Test``."""
        return self._tester.skipped

    @property
    def fewest_rows(self) -> int:
        """Smallest number of rows of a test that was not looked up."""
        return self._tester.fewest_rows

    def sweep(self, target: int, candidates: Sequence[int], given: Sequence[int]) -> NDArray[np.float64]:
        """See ``Test.sweep``; the marginal strength of an independent pair is 0."""
        if len(given):
            return self._tester.sweep(target, candidates, given)
        partners, strengths = self._screen.of(target)
        if partners == list(candidates):
            return strengths
        known = dict(zip(partners, strengths.tolist(), strict=True))
        return np.array([known.get(x, 0.0) for x in candidates])


def units_of_screen(data: Dataset) -> Units:
    """Return the columns of every unit of work; those of the blocks come first. A constant column is in none."""
    in_blocks, bitmaps = _are_in_blocks(data), bitmaps_a_block(data)
    units = []
    for arity in range(2, MOST_LEVELS_IN_BLOCKS + 1):
        of_arity = (data.arity == arity) & in_blocks
        units.extend(_pieces(np.flatnonzero(of_arity & ~data.incomplete), bitmaps // (arity - 1)))
        units.extend(_pieces(np.flatnonzero(of_arity & data.incomplete), bitmaps // arity))
    units.extend(_pieces(np.flatnonzero((data.arity > 1) & ~in_blocks), SWEEPS_A_UNIT))
    return tuple(units)


def _are_in_blocks(data: Dataset) -> NDArray[np.bool_]:
    """Return which columns have few levels, and bitmaps."""
    return (data.arity <= MOST_LEVELS_IN_BLOCKS) & (data.bits.offset >= 0)


def bitmaps_a_block(data: Dataset) -> int:
    """Return how many bitmaps the blocks have, whose numbers stand for them in a journal."""
    free = int((data.arity[data.arity <= MOST_LEVELS_IN_BLOCKS] - 1).sum())
    return max(FEWEST_BITMAPS, min(8 * BYTES_A_BLOCK // int(data.codes.shape[1]), free // BLOCKS, MOST_BITMAPS))


def _pieces(columns: NDArray[np.int64], size: int) -> list[NDArray[np.int64]]:
    return [columns[start : start + size] for start in range(0, len(columns), size)]


class ScreenWorker:
    """The units of work of a screen, and what is kept between them.

    Parameters
    ----------
    tester : Tester
        Its counters go on.
    """

    def __init__(self, tester: Tester) -> None:
        from climbfast_kernels.screen import critical_statistics, screen_workspace

        self._tester, self._rule = tester, tester.marginal_rule
        self._units = units_of_screen(tester.data)
        in_blocks = _are_in_blocks(tester.data)
        self._in_blocks = sum(in_blocks[columns[0]] for columns in self._units)
        self._critical = critical_statistics(self._rule, int(tester.data.arity[in_blocks].max(initial=1)))
        self._workspace = screen_workspace(bitmaps_a_block(tester.data), MOST_LEVELS_IN_BLOCKS)
        # A partial without this object, which would else keep itself and the workspace of its tester.
        self._block = cache(partial(_block_of, tester.data, self._units))

    def unit(self, unit: int) -> DependentPairs:
        """Test the columns of one unit against each other, those of the units after it, and swept ones against all."""
        return self._against_blocks(unit) if unit < self._in_blocks else self._sweeps(unit)

    def _against_blocks(self, unit: int) -> DependentPairs:
        from climbfast_kernels.screen import intersection_sizes, screen_blocks, screen_incomplete_blocks

        bits, log_tables, work = self._tester.data.bits, self._tester.data.log_tables, self._workspace
        parts, tests, skipped = [], 0, 0
        a = self._block(unit)
        for other in range(unit, self._in_blocks):
            b = self._block(other)
            pairs = len(a.columns) * len(b.columns) if other > unit else len(a.columns) * (len(a.columns) - 1) // 2
            intersection_sizes(bits.words, a.bitmaps, b.bitmaps, work.sizes)
            if bits.incomplete[a.columns[0]] or bits.incomplete[b.columns[0]]:
                many, made, fewest = screen_incomplete_blocks(bits, log_tables, self._rule, a, b, work)
                self._tester.count_rows(int(fewest))
            else:
                many = screen_blocks(bits, log_tables, self._rule, self._critical, a, b, work)
                made = pairs - self._with_too_few_rows(a, b)
            tests, skipped = tests + made, skipped + pairs - made
            if many:
                parts.append(tuple(array[:many].copy() for array in work.pairs))
        self._tester.count(0, tests)
        self._tester.skipped += skipped
        return _joined(parts, tests, skipped)

    def _with_too_few_rows(self, a: Block, b: Block) -> int:
        """Pairs that a χ² test skips: rows < min_rows_per_df · df."""
        if self._rule.min_rows_per_df == 0:
            return 0
        from climbfast_kernels.independence import nominal_df

        if self._rule.adjusted:
            df = np.multiply.outer(a.occurring - 1, b.occurring - 1)
        else:
            df = np.full((len(a.columns), len(b.columns)), nominal_df(len(a.rows), len(b.rows), 1.0))
        short = self._tester.data.rows < self._rule.min_rows_per_df * df
        return int(np.triu(short, 1).sum() if a is b else short.sum())

    def _sweeps(self, unit: int) -> DependentPairs:
        tester = self._tester
        before = TestCounts.of(tester)
        # Every column of the blocks, and the swept ones that were not swept before.
        others = np.sort(np.concatenate([*self._units[: self._in_blocks], *self._units[unit:]]))
        parts = []
        for x in self._units[unit]:
            others = others[others != x]
            strengths = tester.sweep(int(x), others, ())
            places = np.flatnonzero(strengths > 0)
            y = others[places]
            parts.append((np.minimum(x, y), np.maximum(x, y), strengths[places]))
        counts = TestCounts.of(tester).since(before)
        return _joined(parts, counts.made, counts.skipped)


def _block_of(data: Dataset, units: Units, unit: int) -> Block:
    from climbfast_kernels.screen import block

    return block(data.bits, data.log_tables, units[unit])


def _joined(parts: Sequence[tuple[NDArray[Any], ...]], tests: int, skipped: int) -> DependentPairs:
    if not parts:
        return DependentPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), tests, skipped)
    x, y, strengths = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return DependentPairs(x, y, strengths, tests, skipped)
