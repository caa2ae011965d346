"""The screen: marginal tests of all pairs of columns, each made once, with the dependent pairs kept as a sparse list.

Columns of one arity, with or without missing cells, go block by block; one unit of work is a block against itself and
all blocks after it. Columns of many levels, or without bitmaps, are swept one by one: a unit of work is a few of them.

Pairs that knowledge forbids both ways are not tested. Blocks do not mix columns that it treats differently, where there
are enough of them to fill blocks, so that most of these pairs are left out block by block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import Dataset
from climbfast.independence.tester import Tester
from climbfast.independence.tests import TestCounts
from climbfast.knowledge import AllowedArcs

if TYPE_CHECKING:
    from climbfast_kernels.screen import Block

__all__ = ["DependentPairs", "ScreenLookupTester", "ScreenResult", "ScreenWorker", "bitmaps_a_block", "units_of_screen"]

# Two blocks stay in the second-level cache, and threads rarely wait for each other between the calls of kernels.
BYTES_A_BLOCK = 160 << 10
FEWEST_BITMAPS, MOST_BITMAPS = 128, 384
BLOCKS = 48  # many workers share the blocks of wide data; the first is one 24th of the work
MOST_LEVELS_IN_BLOCKS = 9  # from there on the cells of a pair take longer by bitmaps than one pass over the rows
SWEEPS_A_UNIT = 4
SORTED_PARTS = 16  # of all dependent pairs; each is looked for among all of them
FEWEST_SORTED = 100_000  # pairs of a part: fewer take little memory, and a part as long as sorting some thousands
SMALLEST_SHARE = 4  # columns that fill less than a fourth of a block share blocks with others

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
        """Join the pairs of all units, each pair from both its ends.

        What is sorted at once is a small part of many pairs, so that beside these and the result little memory is used.
        """
        both_ends = [ends for part in parts for ends in (part, part._replace(x=part.y, y=part.x)) if len(part.x)]
        first = np.zeros(columns + 1, dtype=np.int64)
        for ends in both_ends:
            first[1:] += np.bincount(ends.x, minlength=columns)
        np.cumsum(first, out=first)
        found = cls(first, np.empty(first[-1], dtype=np.int64), np.empty(first[-1]))
        parts_sorted = min(SORTED_PARTS, 1 + int(first[-1]) // FEWEST_SORTED)
        bounds = np.searchsorted(first, np.linspace(0, first[-1], parts_sorted + 1).astype(np.int64))
        for begin, end in pairwise(bounds.tolist()):
            found._set_columns(begin, end, both_ends)
        return found

    def _set_columns(self, begin: int, end: int, both_ends: Sequence[DependentPairs]) -> None:
        """Set the partners of some columns, and their strengths."""
        here = slice(self.first[begin], self.first[end])
        if here.start == here.stop:
            return
        inside = [np.flatnonzero((ends.x >= begin) & (ends.x < end)) for ends in both_ends]
        x, y, strengths = (
            np.concatenate([getattr(ends, field)[places] for ends, places in zip(both_ends, inside, strict=True)])
            for field in ("x", "y", "strengths")
        )
        order = np.argsort(x * (len(self.first) - 1) + y)  # one sort of integers takes half the time of lexsort
        self.partners[here], self.strengths[here] = y[order], strengths[order]

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
        self.weakest, self.sweep_uncounted = tester.weakest, tester.sweep_uncounted
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


def units_of_screen(data: Dataset, allowed: AllowedArcs | None = None) -> Units:
    """Return the columns of every unit of work, ascending; those of the blocks come first.

    A constant column is in none.
    """
    in_blocks, bitmaps = _are_in_blocks(data), bitmaps_a_block(data)
    kinds = None if allowed is None else _kinds(allowed)
    units = []
    for arity in range(2, MOST_LEVELS_IN_BLOCKS + 1):
        of_arity = (data.arity == arity) & in_blocks
        units.extend(_blocks(np.flatnonzero(of_arity & ~data.incomplete), bitmaps // (arity - 1), kinds))
        units.extend(_blocks(np.flatnonzero(of_arity & data.incomplete), bitmaps // arity, kinds))
    units.extend(_pieces(np.flatnonzero((data.arity > 1) & ~in_blocks), SWEEPS_A_UNIT))
    return tuple(units)


def _kinds(allowed: AllowedArcs) -> NDArray[np.int64]:
    """Return numbers of columns, equal for those whose classes forbid edges with the same classes."""
    classes = allowed.classes()
    # Two columns stand for each class, since no column may be adjacent to itself.
    first = np.unique(classes, return_index=True)[1]
    last = len(classes) - 1 - np.unique(classes[::-1], return_index=True)[1]
    of_class = allowed.pairs(first, last) | np.diag(first == last)
    return np.asarray(np.unique(of_class, axis=0, return_inverse=True)[1].reshape(-1)[classes], np.int64)


def _blocks(columns: NDArray[np.int64], size: int, kinds: NDArray[np.int64] | None) -> list[NDArray[np.int64]]:
    """Cut columns into blocks, those of each kind by themselves if they fill a good part of a block."""
    if kinds is None:
        return _pieces(columns, size)
    of_column = kinds[columns]
    numbers, counts = np.unique(of_column, return_counts=True)
    large = numbers[counts * SMALLEST_SHARE >= size]
    alone = [columns[of_column == number] for number in large]
    rest = columns[~np.isin(of_column, large)]
    return [piece for part in (*alone, rest) for piece in _pieces(part, size)]


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
    allowed : AllowedArcs or None
        Pairs that it forbids both ways are neither tested nor counted.
    """

    def __init__(self, tester: Tester, allowed: AllowedArcs | None = None) -> None:
        from climbfast_kernels.screen import critical_statistics, screen_workspace

        self._tester, self._rule, self._allowed = tester, tester.marginal_rule, allowed
        self._units = units_of_screen(tester.data, allowed)
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
        others = range(unit, self._in_blocks)
        if self._allowed is None:
            found = [self._two_blocks(unit, other) for other in others]
        else:
            found = [self._allowed_pairs(self._allowed, unit, other) for other in others]
        parts = [(each.x, each.y, each.strengths) for each in found if len(each.x)]
        return _joined(parts, sum(each.tests for each in found), sum(each.skipped for each in found))

    def _two_blocks(self, unit: int, other: int, wanted: NDArray[np.bool_] | None = None) -> DependentPairs:
        """Test the columns of two blocks, or the wanted pairs of complete columns: of a block with itself x < y."""
        from climbfast_kernels.screen import intersection_sizes, screen_blocks, screen_incomplete_blocks

        bits, log_tables, work = self._tester.data.bits, self._tester.data.log_tables, self._workspace
        a, b = self._block(unit), self._block(other)
        pairs = self._pairs(unit, other)
        intersection_sizes(bits.words, a.bitmaps, b.bitmaps, work.sizes)
        if self._is_incomplete(unit) or self._is_incomplete(other):
            many, made, fewest = screen_incomplete_blocks(bits, log_tables, self._rule, a, b, work)
            self._tester.count_rows(int(fewest))
        else:
            many = screen_blocks(bits, log_tables, self._rule, self._critical, a, b, work)
            made = pairs - self._with_too_few_rows(a, b)
        x, y, strengths = (array[:many].copy() for array in work.pairs)
        if wanted is not None:
            pairs = int(wanted.sum())
            made = pairs - self._with_too_few_rows(a, b, wanted)
            kept = wanted[_places_of_pairs(a.columns, b.columns, x, y)]
            x, y, strengths = x[kept], y[kept], strengths[kept]
        self._tester.count(0, made)
        self._tester.skipped += pairs - made
        return DependentPairs(x, y, strengths, made, pairs - made)

    def _allowed_pairs(self, allowed: AllowedArcs, unit: int, other: int) -> DependentPairs:
        """Test the columns of two blocks, but not pairs that are forbidden both ways."""
        a, b = self._units[unit], self._units[other]
        wanted = allowed.pairs(a, b) if other > unit else np.triu(allowed.pairs(a, b), 1)
        many = int(wanted.sum())
        if many == 0:
            return _joined([], 0, 0)
        if many == self._pairs(unit, other):
            return self._two_blocks(unit, other)
        if not (self._is_incomplete(unit) or self._is_incomplete(other)):
            return self._two_blocks(unit, other, wanted)
        # Only one by one it is known which of the pairs with missing cells have enough rows.
        return self._swept((x, b[of_x]) for x, of_x in zip(a.tolist(), wanted, strict=True))

    def _is_incomplete(self, unit: int) -> bool:
        return bool(self._tester.data.bits.incomplete[self._units[unit][0]])

    def _pairs(self, unit: int, other: int) -> int:
        """Return the number of pairs of two blocks, of a block with itself each once."""
        a, b = len(self._units[unit]), len(self._units[other])
        return a * b if other > unit else a * (a - 1) // 2

    def _with_too_few_rows(self, a: Block, b: Block, wanted: NDArray[np.bool_] | None = None) -> int:
        """Pairs, all or the wanted ones, that a χ² test skips: rows < min_rows_per_df · df."""
        if self._rule.min_rows_per_df == 0:
            return 0
        from climbfast_kernels.independence import nominal_df

        if self._rule.adjusted:
            df = np.multiply.outer(a.occurring - 1, b.occurring - 1)
        else:
            df = np.full((len(a.columns), len(b.columns)), nominal_df(len(a.rows), len(b.rows), 1.0))
        short = self._tester.data.rows < self._rule.min_rows_per_df * df
        if wanted is not None:
            return int((short & wanted).sum())
        return int(np.triu(short, 1).sum() if a is b else short.sum())

    def _sweeps(self, unit: int) -> DependentPairs:
        return self._swept(self._others(unit))

    def _others(self, unit: int) -> Iterator[tuple[int, Any]]:
        """Yield the columns of a unit, each with the columns that it is tested against."""
        # Every column of the blocks, and the swept ones that were not swept before.
        others = np.sort(np.concatenate([*self._units[: self._in_blocks], *self._units[unit:]]))
        for x in self._units[unit].tolist():
            others = others[others != x]
            yield x, others if self._allowed is None else others[self._allowed.pairs([x], others)[0]]

    def _swept(self, sweeps: Iterable[tuple[int, Any]]) -> DependentPairs:
        tester = self._tester
        before = TestCounts.of(tester)
        parts = []
        for x, others in sweeps:
            if not len(others):
                continue
            strengths = tester.sweep(x, others, ())
            places = np.flatnonzero(strengths > 0)
            y = others[places]
            parts.append((np.minimum(x, y), np.maximum(x, y), strengths[places]))
        counts = TestCounts.of(tester).since(before)
        return _joined(parts, counts.made, counts.skipped)


def _places_of_pairs(
    a: NDArray[np.int64], b: NDArray[np.int64], x: NDArray[np.int64], y: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where pairs x < y of columns of two blocks are in a matrix of one row for each column of the first."""
    x_is_first = np.isin(x, a) & np.isin(y, b)
    first, second = np.where(x_is_first, x, y), np.where(x_is_first, y, x)
    return np.searchsorted(a, first), np.searchsorted(b, second)


def _block_of(data: Dataset, units: Units, unit: int) -> Block:
    from climbfast_kernels.screen import block

    return block(data.bits, data.log_tables, units[unit])


def _joined(parts: Sequence[tuple[NDArray[Any], ...]], tests: int, skipped: int) -> DependentPairs:
    if not parts:
        return DependentPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), tests, skipped)
    x, y, strengths = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return DependentPairs(x, y, strengths, tests, skipped)
