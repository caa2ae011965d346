"""The order in which searches see columns: a rank from the data, so that no name decides where searches break ties.

Columns differ by the counts of their levels. Those with equal counts are told apart by color refinement, as in tests of
whether two graphs are the same (Weisfeiler and Leman 1968): a row has the colors of its cells, a level those of its
rows, a column those of its levels, and so on in turns. Where that tells nothing, because all counts are equal as after
cutting at quantiles, the joint counts of pairs of levels or of rows begin it. What is equal then is a symmetry of the
data, or hidden from these counts: each of these levels in turn gets a color of its own, from which others follow, and
the smallest result counts. Only among very many of them one is chosen by name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.diagnostics import occurring_levels, partition_digest, sorted_counts
from climbfast.dataset.joint_counts import agreements_of_rows, joint_counts
from climbfast.dataset.threads import in_shares

__all__ = ["CanonicalOrder", "canonical_order"]

MOST_WORDS = 10_000_000_000  # of bitmaps, read for joint counts; in a few seconds
MOST_CELLS_READ = 2_000_000_000  # by all rounds but the first ones; in about two seconds
FEWEST_ROUNDS, MOST_ROUNDS = 3, 1024

MOST_TRIED = 32  # levels that get a color of their own in turns

MASK = (1 << 62) - 1  # as in the kernels

Ints = NDArray[np.int64]


class CanonicalOrder(NamedTuple):
    """The columns in canonical order, and the groups of copies with the same number of levels."""

    columns: list[int]
    copies: list[tuple[int, ...]]


def canonical_order(
    codes: NDArray[Any],
    incomplete: NDArray[np.bool_],
    counts: Sequence[Ints],
    weights: Ints | None,
) -> CanonicalOrder:
    """Order the columns by what the data say of them; of copies, and of what is equal in all, the first comes first.

    Neither the order of rows nor of columns nor of levels matters, nor whether rows are repeated or have a weight.

    Parameters
    ----------
    codes : unsigned integer array, shape (columns, stored rows)
        The code of a missing cell is the arity of its column.
    incomplete : bool array
        The columns with missing cells.
    counts : sequence of int64 arrays
        For each column the number of rows of each level, without missing cells.
    weights : int64 array or None
        How often each row occurs.
    """
    ranks = _dense_ranks(
        [
            (of_one.size, gaps, by_size)
            for of_one, gaps, by_size in zip(counts, incomplete.tolist(), sorted_counts(counts), strict=True)
        ]
    )
    varying = occurring_levels(counts) > 1
    if not _tied(ranks, varying):
        return CanonicalOrder(np.argsort(ranks, kind="stable").tolist(), [])
    refined = _Refinement(codes, counts, weights, ranks, varying)
    refined.refine()
    while refined.tied and refined.compare_jointly():
        pass
    while refined.tied and refined.rounds_left:
        refined.tell_apart()
    return CanonicalOrder(refined.order(), refined.copies())


class _Refinement:
    """Colors of columns and of their levels, which become finer with every round.

    Attributes
    ----------
    ranks : int64 array
        The color of each column; its order is that of the columns.
    tied : list of list of int
        Varying columns that have the same color though they are no copies, in the order of their colors.
    """

    def __init__(
        self,
        codes: NDArray[Any],
        counts: Sequence[Ints],
        weights: Ints | None,
        ranks: Ints,
        varying: NDArray[np.bool_],
    ) -> None:
        self._codes, self._varying, self.ranks = codes, varying, ranks
        self._by_counts = ranks
        self._weights = np.empty(0, np.int64) if weights is None else weights
        self._row_colors = np.empty(0, dtype=np.int64)
        self._rows = rows = codes.shape[1] if weights is None else int(weights.sum())
        sizes = np.array([of_one.size + 1 for of_one in counts], dtype=np.int64)
        self._sizes, self._first = sizes, np.cumsum(sizes) - sizes
        self._column_of = np.repeat(np.arange(len(counts)), sizes)
        self._is_gap = np.zeros(sizes.sum(), dtype=np.bool_)
        self._is_gap[self._first + sizes - 1] = True
        with_gaps = np.zeros(sizes.sum(), dtype=np.int64)
        with_gaps[~self._is_gap] = np.concatenate(counts)
        with_gaps[self._is_gap] = rows - np.add.reduceat(with_gaps, self._first)
        self._occurs = with_gaps > 0
        self._levels = _mixed(2 * with_gaps + self._is_gap)
        self._codes_used = sizes - ~self._occurs[self._is_gap]  # without that of a missing cell if there is none
        self._digests: dict[int, tuple[int, bytes]] = {}
        self.rounds_left = min(max(MOST_CELLS_READ // (rows * len(counts)), FEWEST_ROUNDS), MOST_ROUNDS)
        self._words_left = float(MOST_WORDS)
        self.tied = _tied(ranks, varying)

    def refine(self) -> None:
        """Refine the colors until no columns are tied, or a round tells nothing apart."""
        while self.tied and self.rounds_left:
            before = self._colors()
            self._round()
            self.tied = self._without_copies(_tied(self.ranks, self._varying))
            if self._colors() == before:
                return

    def compare_jointly(self) -> bool:
        """Refine the colors of levels by the joint counts of two, or those of rows by the cells that two have alike.

        Return whether that tells anything apart.
        """
        varying = np.flatnonzero(self._varying)
        tied = {x for group in self.tied for x in group}
        is_tied = np.array([x in tied for x in varying.tolist()])
        sizes = self._sizes[varying]
        levels = int(sizes.sum())
        by_rows = self._rows < levels
        words = self._rows * self._rows * levels if by_rows else int(sizes[is_tied].sum()) * levels * self._rows
        self._words_left -= words / 64
        if self._words_left < 0 or self._row_colors.size:
            return False
        before = self._colors()
        codes = self._codes if varying.size == len(self.ranks) else self._codes[varying]
        if by_rows:
            self._color_rows(codes, sizes)
        else:
            self._color_levels(codes, varying, sizes, np.flatnonzero(np.repeat(is_tied, sizes)))
        self.refine()
        return self._colors() != before

    def _color_rows(self, codes: NDArray[Any], sizes: Ints) -> None:
        colors = np.zeros(codes.shape[1], dtype=np.int64)
        weights = self._weights if self._weights.size else np.ones(colors.size, dtype=np.int64)
        for rows, alike in agreements_of_rows(codes, sizes.tolist()):
            # int64 wraps around, which the mask makes a sum modulo 2^62.
            colors[rows] = (_mixed(alike) * weights).sum(axis=1) & MASK
        self._row_colors = _mixed(colors)

    def _color_levels(self, codes: NDArray[Any], varying: Ints, sizes: Ints, some: Ints) -> None:
        places = np.concatenate([self._first[x] + np.arange(self._sizes[x]) for x in varying.tolist()])
        begins = np.cumsum(sizes) - sizes
        before = _mixed(_half_sum(_mixed(self.ranks)[self._column_of[places]], self._levels[places]))
        weights = self._weights if self._weights.size else None
        for levels, counts in joint_counts(codes, sizes.tolist(), some.tolist(), weights):
            with_each = np.add.reduceat(_mixed(_half_sum(_mixed(counts), before)), begins, axis=1) & MASK
            joint = _mixed(with_each).sum(axis=1) & MASK
            self._levels[places[levels]] = _mixed(_half_sum(_mixed(joint), before[levels]))

    def tell_apart(self) -> None:
        """Give colors of their own to some levels, until columns that were tied differ.

        Each level of a tied column is tried, then each of those that are still tied, and so on. The choice by which the
        rows get the smallest content is taken: where several have the same, these are a symmetry of the data.
        """
        _, self.ranks, self._levels = self._smallest()
        self.tied = self._without_copies(_tied(self.ranks, self._varying))

    def _smallest(self) -> tuple[bytes, Ints, Ints]:
        """Return the smallest content of the rows that choices from here lead to, as bytes, and its colors."""
        tried = self._levels_to_try() if self.rounds_left else []
        if not tried:
            every = np.flatnonzero(self._varying).astype(np.int64)
            return _signature(self._sums_over_rows(every)[self._occurs]), self.ranks, self._levels
        ranks, levels = self.ranks, self._levels
        found = []
        for column, level in tried:
            self.ranks, self._levels = ranks, levels.copy()
            self._give_own_color(column, level)
            self._refine_levels()
            found.append(self._smallest())
        return min(found, key=lambda each: each[0])

    def _levels_to_try(self) -> list[tuple[int, int]]:
        """Return (column, level) for the first columns tied; if there are none, for the first column of tied levels."""
        groups = self._without_copies(_tied(self.ranks, self._varying))
        if groups:
            different = {self._digest(x): x for x in reversed(groups[0])}
            tried = [(x, level) for x in sorted(different.values()) for level in self._levels_of(x)]
            return tried if len(tried) <= MOST_TRIED else tried[:1]
        unsettled = self._unsettled()
        for column in unsettled[np.argsort(self.ranks[unsettled], kind="stable")].tolist():
            levels = self._levels_of(column)
            colors = [int(self._levels[level]) for level in levels]
            tied = min((color for color in colors if colors.count(color) > 1), default=None)
            if tied is not None:
                return [(column, level) for level, color in zip(levels, colors, strict=True) if color == tied]
        return []

    def _refine_levels(self) -> None:
        """Refine the colors of levels, too, until a round tells nothing apart."""
        before = None
        while self.rounds_left and self._colors() != before:
            before = self._colors()
            self._round()

    def _levels_of(self, column: int) -> list[int]:
        """Return the places of the levels of a column that occur."""
        places = self._first[column] + np.arange(self._sizes[column])
        return [int(place) for place in places[self._occurs[places]]]

    def _give_own_color(self, column: int, level: int) -> None:
        rank, digest = self.ranks[column], self._digest(column)
        copies = {x for x, other in enumerate(self.ranks) if other == rank and self._digest(x) == digest}
        is_other = np.array([x not in copies for x in range(len(self.ranks))], dtype=np.int64)
        self.ranks = _split_ranks(self.ranks, is_other)
        self._levels[level] = _mixed(self._levels[level : level + 1] >> 1)[0]

    def order(self) -> list[int]:
        """Return the columns by color, copies side by side."""
        for x in (x for group in self.tied for x in group):
            self._digest(x)
        first: dict[tuple[int, bytes], int] = {}
        place = self.ranks.copy()
        for x in sorted(self._digests, key=self.ranks.__getitem__):
            place[x] = self.ranks[first.setdefault(self._digests[x], x)]
        order: list[int] = np.argsort(place, kind="stable").tolist()
        return order

    def copies(self) -> list[tuple[int, ...]]:
        """Return the groups of tied columns that are copies."""
        groups = defaultdict(list)
        for x in sorted(self._digests):
            groups[self._digests[x]].append(x)
        return sorted(tuple(group) for group in groups.values() if len(group) > 1)

    def _round(self) -> None:
        self.rounds_left -= 1
        wanted = self._unsettled()
        sums = self._sums_over_rows(wanted)
        is_wanted = np.zeros(len(self.ranks), dtype=np.bool_)
        is_wanted[wanted] = True
        summed = is_wanted[self._column_of]
        self._levels[summed] = _mixed(_half_sum(_mixed(sums[summed]), self._levels[summed]))
        among_equal = np.zeros(len(self.ranks), dtype=np.int64)
        among_equal[wanted] = _dense_ranks(self._signatures(wanted))
        self.ranks = _split_ranks(self.ranks, among_equal)

    def _signatures(self, columns: Ints) -> list[bytes]:
        """Return for each column the colors of its levels and then that of a missing cell, as bytes."""
        signatures = [b""] * len(columns)
        for size in np.unique(self._sizes[columns]).tolist():
            places = np.flatnonzero(self._sizes[columns] == size)
            colors = self._levels[self._first[columns[places], np.newaxis] + np.arange(size)]
            levels = np.sort(colors[:, :-1], axis=1).astype(">i8")  # bytes that are ordered as numbers are
            for place, of_levels, of_gap in zip(places.tolist(), levels, colors[:, -1:], strict=True):
                signatures[place] = of_levels.tobytes() + of_gap.tobytes()
        return signatures

    def _sums_over_rows(self, wanted: Ints) -> Ints:
        """Return for each level of the columns wanted the sum of a hash of its rows, of all colors of their cells."""
        from climbfast_kernels.row_hashes import BITS, CELL_BITS, sum_row_hashes

        ranks = _mixed(self.ranks)
        cells = _mixed(_half_sum(ranks[self._column_of], self._levels)) >> (BITS - CELL_BITS)

        def sums_over(start: int, end: int) -> Ints:
            sums = np.zeros_like(self._levels)
            sum_row_hashes(
                self._codes, self._first, self._codes_used, cells, self._row_colors, self._weights, wanted, start, end,
                *_scratch(end - start), sums,
            )  # fmt: skip
            return sums

        total, *others = in_shares(sums_over, self._codes.shape[1], cells=self._codes.size)
        for of_share in others:
            total = (total + of_share) & MASK
        return total

    def _unsettled(self) -> Ints:
        """Return the varying columns that are tied, or have tied levels."""
        levels = np.bincount(self._column_of[self._occurs], minlength=len(self.ranks))
        has_tied_levels = self._distinct_levels() < levels
        return np.flatnonzero(self._varying & (_are_tied(self.ranks, self._varying) | has_tied_levels))

    def _distinct_levels(self) -> Ints:
        """Return the number of colors among the occurring levels of each column."""
        columns, colors = self._column_of[self._occurs], self._levels[self._occurs]
        by_color = np.lexsort((colors, columns))
        columns, colors = columns[by_color], colors[by_color]
        new = np.append(True, (columns[1:] != columns[:-1]) | (colors[1:] != colors[:-1]))
        return np.bincount(columns[new], minlength=len(self.ranks)).astype(np.int64)

    def _colors(self) -> tuple[int, int]:
        return int(self.ranks.max()), int(self._distinct_levels().sum())

    def _without_copies(self, groups: list[list[int]]) -> list[list[int]]:
        """Return the groups that have other columns than copies of one."""
        return [group for group in groups if any(self._digest(x) != self._digest(group[0]) for x in group)]

    def _digest(self, column: int) -> tuple[int, bytes]:
        """Return what is the same for copies with equal counts."""
        if column not in self._digests:
            digest = partition_digest(self._codes[column], int(self._sizes[column]) - 1)
            self._digests[column] = self._by_counts[column], digest
        return self._digests[column]


def _scratch(rows: int) -> tuple[Ints, NDArray[np.uint8], Ints]:
    from climbfast_kernels.row_hashes import CELLS_OF_A_TABLE, ROWS_OF_A_BLOCK

    rows = min(ROWS_OF_A_BLOCK, rows)
    return np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.uint8), np.empty(CELLS_OF_A_TABLE, dtype=np.int64)


def _are_tied(ranks: Ints, varying: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which columns vary and have the rank of another one that varies."""
    tied: NDArray[np.bool_] = varying & (np.bincount(ranks[varying], minlength=len(ranks))[ranks] > 1)
    return tied


def _tied(ranks: Ints, varying: NDArray[np.bool_]) -> list[list[int]]:
    """Return the groups of varying columns of one rank, by rank."""
    tied = np.flatnonzero(_are_tied(ranks, varying))
    if not tied.size:
        return []
    tied = tied[np.argsort(ranks[tied], kind="stable")]
    return [group.tolist() for group in np.split(tied, np.flatnonzero(np.diff(ranks[tied])) + 1)]


def _dense_ranks(keys: Sequence[Any]) -> Ints:
    """Return the ranks of keys: 0 for the smallest, the same for equal ones."""
    rank: dict[Hashable, int] = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([rank[key] for key in keys], dtype=np.int64)


def _split_ranks(ranks: Ints, among_equal: Ints) -> Ints:
    """Return the ranks of columns in which equal ones are told apart by other ranks."""
    return np.unique(ranks * (among_equal.max(initial=0) + 1) + among_equal, return_inverse=True)[1]


def _signature(values: Ints) -> bytes:
    """Return sorted numbers as bytes that are ordered as their list is."""
    return np.sort(values).astype(">i8").tobytes()


def _mixed(values: Ints) -> Ints:
    from climbfast_kernels.row_hashes import mix_each

    mixed = np.ascontiguousarray(values, dtype=np.int64).copy()
    mix_each(mixed.reshape(-1))
    return mixed


def _half_sum(first: Ints, second: Ints) -> Ints:
    """Return a number of 62 bits from two of them."""
    return (first >> 1) + (second >> 1)
