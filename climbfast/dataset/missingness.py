"""What is missing together, and on which columns it depends what is missing.

Test-wise deletion is unbiased where cells are missing at random with respect to the rest. Against that speaks a column
on which it depends whether the cells of another one are missing: a marginal SCI test of this indicator and each column.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.groups import linked_groups
from climbfast.names import canonical_key, sorted_by_name

if TYPE_CHECKING:
    from climbfast.dataset.dataset import Dataset

__all__ = ["Missingness", "describe_missingness", "fewest_rows_of_pairs"]

Names = tuple[Hashable, ...]
Columns = list[int]

FALSE_ALARMS = 0.01  # pairs without dependence that are named all the same, expected in one table and direction
MOST_PATTERNS = 100
_PATTERNS_AT_ONCE = 1_024
MOST_WORDS = 2_000_000_000  # of bitmaps that all tests read: about half a second, twice as long where levels are many
BYTES_AT_ONCE = 1 << 28  # of bitmaps
# To make so many bitmaps of so many rows takes longer than to count the levels with several indicators at once.
MANY_LEVELS, MANY_ROWS = 17, 1 << 18
BITMAPS_OF_MANY_LEVELS = 64  # tests of so many take as long as the joint counts of a column of more levels
_INDICATORS_AT_ONCE = 8  # the bits of a byte at most
_ROWS_AT_ONCE = 1 << 16  # which stay in the cache of a core


class Missingness(NamedTuple):
    """What is known of the missing cells of a data set.

    Attributes
    ----------
    together : tuple of tuples of names
        Groups of columns whose cells are missing in the same rows more often than by chance.
    depends_on : mapping from name to tuple of names
        For columns with missing cells, the columns on which it depends what is missing, the strongest first.
    left_out : int
        Columns with missing cells that were not looked at, because there are too many.
    """

    together: tuple[Names, ...] = ()
    depends_on: Mapping[Hashable, Names] = MappingProxyType({})
    left_out: int = 0


def describe_missingness(data: Dataset) -> Missingness:
    """Find what is missing together, and on which columns it depends what is missing."""
    patterns = _patterns(data)
    bitmaps = np.where(_has_many_levels(data), np.minimum(data.arity, BITMAPS_OF_MANY_LEVELS), data.arity)
    words = data.codes.shape[1] / (64 if data.weights is None else 2) * float(bitmaps.sum())
    most = max(1, min(MOST_PATTERNS, int(MOST_WORDS / words)))
    tested = patterns[:most]
    if not tested:
        return Missingness()
    present = np.array([~data.missing_cells(columns[0]) for columns in tested])
    strengths = _strengths(data, present)
    name = data.canonical
    depends_on: dict[Hashable, Names] = {}
    for columns, row in zip(tested, strengths[:, len(tested) :], strict=True):
        others = [y for y in np.argsort(-row, kind="stable").tolist() if row[y] > 0]
        if others:
            depends_on |= dict.fromkeys(sorted_by_name(name[x] for x in columns), tuple(name[y] for y in others))
    joined = (strengths[:, : len(tested)] > 0) & _more_than_by_chance(present, data.weights)
    linked = linked_groups(len(joined), zip(*(places.tolist() for places in np.nonzero(joined)), strict=True))
    groups = [sorted_by_name(name[x] for i in group for x in tested[i]) for group in linked]
    together = tuple(sorted((group for group in groups if len(group) > 1), key=lambda group: canonical_key(group[0])))
    return Missingness(together, depends_on, sum(map(len, patterns[most:])))


def fewest_rows_of_pairs(data: Dataset) -> NDArray[np.int64]:
    """Return for every column the fewest rows, but not none, in which it and another column are not missing.

    Columns of one level are left out: they decide nothing.
    """
    total = data.rows
    fewest = np.full(data.columns, total, dtype=np.int64)
    varying = data.arity > 1  # a constant decides nothing
    patterns = [kept for columns in _patterns(data) if (kept := [x for x in columns if varying[x]])]
    if not patterns:
        return fewest
    present = [~data.missing_cells(columns[0]) for columns in patterns]
    own = np.array([data.rows_where(rows) for rows in present], dtype=np.int64)
    has_complete = bool((varying & ~data.incomplete).any())
    for start in range(0, len(patterns), _PATTERNS_AT_ONCE):
        some = range(start, min(start + _PATTERNS_AT_ONCE, len(patterns)))
        sizes = _rows_in_both([present[i] for i in some], present, data.weights)
        for row, i in zip(sizes, some, strict=True):
            if len(patterns[i]) == 1:  # no other column has this pattern
                row[i] = own[i] if has_complete else 0
            fewest[patterns[i]] = row[row > 0].min(initial=total)
    fewest[varying & ~data.incomplete] = own[own > 0].min(initial=total)
    return fewest


def _patterns(data: Dataset) -> list[Columns]:
    """Return the columns whose cells are missing in the same rows, those with most missing cells first."""
    columns_of: dict[bytes, Columns] = {}
    for x in np.flatnonzero(data.incomplete).tolist():
        columns_of.setdefault(np.packbits(data.missing_cells(x)).tobytes(), []).append(x)
    missing = [data.missing[name] for name in data.canonical if name in data.missing]
    count = dict(zip(np.flatnonzero(data.incomplete).tolist(), missing, strict=True))
    return sorted(columns_of.values(), key=lambda columns: (-count[columns[0]], columns))


def _has_many_levels(data: Dataset) -> NDArray[np.bool_]:
    """Return for which columns joint counts are made instead of bitmaps: where these are fewer than the rows."""
    rows = data.codes.shape[1]
    has_few_counts = data.arity + 1 << _INDICATORS_AT_ONCE <= rows
    found: NDArray[np.bool_] = has_few_counts & (data.arity >= MANY_LEVELS) & (rows >= MANY_ROWS)
    return found


def _strengths(data: Dataset, present: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the strength of every indicator of missing cells with every other one, and then with every column."""
    indicators = len(present)
    strengths = np.zeros((indicators, indicators + data.columns))
    is_tested = np.ones(data.columns, dtype=np.bool_)
    is_tested[[data.index(x) for x in data.nearly_unique]] = False  # they depend on everything
    has_many_levels = _has_many_levels(data)
    tests = _Tests(data, indicators)
    every = np.arange(indicators)
    for number, part in enumerate(_bitmap_parts(data, np.flatnonzero(~has_many_levels))):
        codes = np.vstack([present.astype(data.codes.dtype), data.codes[part]])
        others = indicators + np.flatnonzero(is_tested[part])
        if number == 0:
            others = np.append(every, others)
        columns = np.append(every, indicators + part)
        strengths[:, columns[others]] = tests.strengths(codes, data.weights, every, part, others)
    for begin in range(0, indicators, _INDICATORS_AT_ONCE):
        some = every[begin : begin + _INDICATORS_AT_ONCE]
        bits = np.packbits(present[some], axis=0, bitorder="little")[0]
        for y in np.flatnonzero(has_many_levels & is_tested).tolist():
            patterns, levels, rows = _joint_rows(bits, data.codes[y], int(data.arity[y]) + 1, data.weights)
            codes = np.vstack([patterns >> i & 1 for i in range(some.size)] + [levels]).astype(data.codes.dtype)
            found = tests.strengths(codes, rows, some, np.array([y]), np.array([some.size]))
            strengths[some, indicators + y] = found[:, 0]
    return strengths


class _Tests:
    """Marginal tests of indicators, each against all other columns that are asked for.

    Parameters
    ----------
    data : Dataset
    indicators : int
        Number of all indicators.
    """

    def __init__(self, data: Dataset, indicators: int) -> None:
        from climbfast_kernels.independence import SCI, Rule, rounding
        from climbfast_kernels.log_tables import tabulate

        self._arity = np.concatenate([np.full(indicators, 2), data.arity])
        self._incomplete = np.concatenate([np.zeros(indicators, np.bool_), data.incomplete])
        self._indicators = indicators
        self._rows = data.rows
        self._log_tables = tabulate(data.rows, self._arity)
        bar = math.log2(max(1, indicators * self._arity.size) / FALSE_ALARMS)
        self._rule = Rule(SCI, max(bar, rounding(data.rows)), bar, 0, 0.0)

    def strengths(
        self,
        codes: NDArray[Any],
        weights: NDArray[np.int64] | None,
        some: NDArray[np.intp],
        part: NDArray[np.intp],
        others: NDArray[np.intp],
    ) -> NDArray[np.float64]:
        """Return the strength of some indicators with others among the rows of ``codes``; 0 with itself.

        Parameters
        ----------
        codes : unsigned integer array, shape (indicators and columns, stored rows)
            Cannot be written afterwards.
        weights : int64 array or None
            How often each row occurs.
        some, part : integer arrays
            The numbers of these indicators, and of these columns.
        others : integer array
            Rows of ``codes``.
        """
        from climbfast_kernels.bits import pack
        from climbfast_kernels.cost_model import AUTO
        from climbfast_kernels.patterns import sweep
        from climbfast_kernels.workspace import workspace

        columns = np.append(some, self._indicators + part)
        regret_row = self._log_tables.regret_row[columns]
        codes.setflags(write=False)
        regret_row.setflags(write=False)
        bits = pack(codes, self._arity[columns], self._incomplete[columns], self._rows)
        work = workspace(bits, 1, weight=weights)
        tables = self._log_tables._replace(regret_row=regret_row)
        strengths = np.zeros((some.size, others.size))
        for i in range(some.size):
            asked = others != i
            found, _ = sweep(codes, bits, tables, work, self._rule, AUTO, i, others[asked], np.empty(0, np.int64))
            strengths[i, asked] = found
        return strengths


def _joint_rows(
    bits: NDArray[np.uint8], codes: NDArray[Any], size: int, weights: NDArray[np.int64] | None
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64]]:
    """Return the different rows of two columns, the second one with codes below ``size``, and how often each occurs."""
    counts = np.zeros(size << _INDICATORS_AT_ONCE, dtype=np.int64)
    at_once = max(counts.size, _ROWS_AT_ONCE)
    for begin in range(0, codes.size, at_once):
        some = slice(begin, begin + at_once)
        keys = bits[some].astype(np.intp) * size
        keys += codes[some]
        if weights is None:
            counts += np.bincount(keys, minlength=counts.size)
        else:
            np.add.at(counts, keys, weights[some])
    occurring = np.flatnonzero(counts)
    return occurring // size, occurring % size, counts[occurring]


def _bitmap_parts(data: Dataset, columns: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return columns in parts, whose bitmaps are made one after the other: those of all can take gigabytes."""
    sizes = np.cumsum(data.arity[columns] * float(data.codes.shape[1]) / 8)
    return np.split(columns, np.flatnonzero(np.diff(sizes // BYTES_AT_ONCE)) + 1)


def _more_than_by_chance(present: NDArray[np.bool_], weights: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    """Return for every two patterns whether more rows lack both than would if they were independent."""
    missing = list(~present)
    both = _rows_in_both(missing, missing, weights)
    rows = present.shape[1] if weights is None else int(weights.sum())
    alone = np.diagonal(both).astype(np.float64)
    more: NDArray[np.bool_] = both * float(rows) > np.outer(alone, alone)
    return more


def _rows_in_both(
    sets: Sequence[NDArray[np.bool_]], others: Sequence[NDArray[np.bool_]], weights: NDArray[np.int64] | None
) -> NDArray[np.int64]:
    """Return for every two sets of rows the number of rows that are in both."""
    if weights is not None:  # exact up to 2^53 rows
        weighted = np.array(sets, dtype=np.float64) * weights
        return (weighted @ np.array(others, dtype=np.float64).T).astype(np.int64)
    from climbfast_kernels.screen import TILE_A, TILE_B, intersection_sizes

    words = np.zeros((len(sets) + len(others), -(-sets[0].size // 64)), dtype=np.uint64)
    for row, rows in zip(words, (*sets, *others), strict=True):
        packed = np.packbits(rows, bitorder="little")
        row.view(np.uint8)[: packed.size] = packed
    words.setflags(write=False)
    a, b = np.arange(len(sets)), len(sets) + np.arange(len(others))
    tiles = np.append(a, np.repeat(a[-1:], -a.size % TILE_A)), np.append(b, np.repeat(b[-1:], -b.size % TILE_B))
    sizes = np.empty((tiles[0].size, tiles[1].size), dtype=np.int32)
    intersection_sizes(words, *tiles, sizes)
    return sizes[: a.size, : b.size].astype(np.int64)
