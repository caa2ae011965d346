"""What is missing together, and on which columns it depends what is missing.

Test-wise deletion is unbiased where cells are missing at random with respect to the rest. Against that speaks a column
on which it depends whether the cells of another one are missing: a marginal SCI test of this indicator and each column.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

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
MOST_WORDS = 2_000_000_000  # of bitmaps that all tests read: about half a second
BYTES_AT_ONCE = 1 << 28  # of bitmaps


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
    words = data.codes.shape[1] / (64 if data.weights is None else 2) * float(data.arity.sum())
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


def _strengths(data: Dataset, present: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the strength of every indicator of missing cells with every other one, and then with every column."""
    from climbfast_kernels.bits import pack
    from climbfast_kernels.cost_model import AUTO
    from climbfast_kernels.independence import SCI, Rule, rounding
    from climbfast_kernels.log_tables import tabulate
    from climbfast_kernels.patterns import sweep
    from climbfast_kernels.workspace import workspace

    indicators = len(present)
    arity = np.concatenate([np.full(indicators, 2), data.arity])
    incomplete = np.concatenate([np.zeros(indicators, np.bool_), data.incomplete])
    log_tables = tabulate(data.rows, arity)
    bar = math.log2(max(1, indicators * len(arity)) / FALSE_ALARMS)
    rule = Rule(SCI, max(bar, rounding(data.rows)), bar, 0, 0.0)
    strengths = np.zeros((indicators, len(arity)))
    tested = np.ones(len(arity), dtype=np.bool_)
    tested[[indicators + data.index(x) for x in data.nearly_unique]] = False  # they depend on everything
    for part in _parts(data):
        # The indicators come first in every part, and are tested with each other in the first one.
        columns = np.concatenate([np.arange(indicators), indicators + part])
        codes = np.vstack([present.astype(data.codes.dtype), data.codes[part]])
        regret_row = log_tables.regret_row[columns]
        codes.setflags(write=False)
        regret_row.setflags(write=False)
        bits = pack(codes, arity[columns], incomplete[columns], data.rows)
        work = workspace(bits, 1, weight=data.weights)
        of_part = log_tables._replace(regret_row=regret_row)
        for i in range(indicators):
            others = np.flatnonzero(tested[columns] & (np.arange(len(columns)) != i))
            others = others[(others >= indicators) | (part[0] == 0)]
            found, _ = sweep(codes, bits, of_part, work, rule, AUTO, i, others, np.empty(0, np.int64))
            strengths[i, columns[others]] = found
    return strengths


def _parts(data: Dataset) -> list[NDArray[np.intp]]:
    """Return all columns in parts, whose bitmaps are made one after the other: those of all can take gigabytes."""
    sizes = np.cumsum(data.arity * float(data.codes.shape[1]) / 8)
    return np.split(np.arange(data.columns), np.flatnonzero(np.diff(sizes // BYTES_AT_ONCE)) + 1)


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
