"""The shares of the levels of a target in the rows of each level of another column: what a page draws as bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import Dataset
from climbfast.report.labels import Labels, level_texts

__all__ = ["MOST_LEVELS", "MOST_TARGET_LEVELS", "Bar", "Segment", "Shares", "Stratum", "shares", "strata_of"]

MOST_LEVELS = 12  # of a column; the most frequent ones are shown
MOST_TARGET_LEVELS = 8  # as many as there are colors
MOST_STRATA = 9
MOST_CONFIGURATIONS = 10_000  # of which few may occur
MOST_LEVELS_IN_STRATA = 6
WIDTH_OF_A_NUMBER = 9.0  # percent of a bar in which its number can be read

Ints = NDArray[np.int64]


class Segment(NamedTuple):
    """The part of a bar for one level of the target."""

    color: int
    percent: float
    rows: int
    text: str


class Bar(NamedTuple):
    """The rows of one level."""

    label: str
    rows: int
    segments: tuple[Segment, ...]
    is_total: bool = False

    @property
    def words(self) -> str:
        """The bar in words, for those who do not see it."""
        return ", ".join(f"{segment.percent:.0f}\u00a0%" for segment in self.segments) or "no rows"


class Shares(NamedTuple):
    """The bars of a column.

    Attributes
    ----------
    levels : tuple of str
        The levels of the target, in the order of the segments.
    bars : tuple of Bar
    all_rows : Bar
        Of all rows in which neither cell is missing.
    more_levels : int
        Levels of the column that are not shown.
    missing : int
        Rows that are left out since a cell is missing.
    """

    levels: tuple[str, ...]
    bars: tuple[Bar, ...]
    all_rows: Bar
    more_levels: int = 0
    missing: int = 0

    @property
    def every_bar(self) -> tuple[Bar, ...]:
        """The bars, and the one of all rows."""
        return (*self.bars, self.all_rows)


class Stratum(NamedTuple):
    """The bars of a column in the rows of one configuration of others."""

    label: str
    rows: int
    bars: tuple[Bar, ...]


class _Reduced(NamedTuple):
    """A column with its most frequent levels: the others have the last number, missing cells have -1."""

    codes: Ints
    labels: list[str]
    others: int


def shares(data: Dataset, x: int, target: int) -> Shares:
    """Count the levels of a target in the rows of each level of another column.

    Parameters
    ----------
    data : Dataset
    x, target : int
        Canonical positions.
    """
    of_x, of_target = _reduced(data, x, MOST_LEVELS), _reduced_target(data, target)
    present = (of_x.codes >= 0) & (of_target.codes >= 0)
    table = _table(data, of_x, of_target, present)
    bars = [_bar(label, row) for label, row in zip(of_x.labels, table.tolist(), strict=False)]
    return Shares(
        levels=tuple(of_target.labels),
        bars=tuple(bars),
        all_rows=_bar("all rows", table.sum(axis=0).tolist())._replace(is_total=True),
        more_levels=of_x.others,
        missing=data.rows - data.rows_where(present),
    )


def strata_of(data: Dataset, x: int, target: int, given: Sequence[int], labels: Labels) -> tuple[Stratum, ...]:
    """Count the same in every configuration of other columns; none if these, or the levels, are too many to be read."""
    if int(data.arity[x]) > MOST_LEVELS_IN_STRATA or not given:
        return ()
    of_x, of_target = _reduced(data, x, MOST_LEVELS_IN_STRATA), _reduced_target(data, target)
    configurations = _configurations(data, given)
    present = (of_x.codes >= 0) & (of_target.codes >= 0) & (configurations >= 0)
    if int(configurations.max(initial=0)) >= MOST_CONFIGURATIONS:
        return ()
    high, wide = _shape(of_x, of_target)
    tables = _counts(data, (configurations * high + of_x.codes) * wide + of_target.codes, present, high * wide)
    found = [(number, table.reshape(high, wide)) for number, table in enumerate(tables) if table.any()]
    if len(found) > MOST_STRATA:
        return ()
    texts = [_texts(data, z) for z in given]
    strata = []
    for number, table in found:
        levels = np.unravel_index(number, data.arity[list(given)])
        label = ", ".join(
            f"{labels.name(data.canonical[z])} = {of_z[code]}"
            for z, of_z, code in zip(given, texts, levels, strict=True)
        )
        bars = (_bar(level, row) for level, row in zip(of_x.labels, table.tolist(), strict=False))
        strata.append(Stratum(label, int(table.sum()), tuple(bar for bar in bars if bar.rows)))
    return tuple(strata)


def _configurations(data: Dataset, given: Sequence[int]) -> Ints:
    """Return the number of the configuration of some columns in each row; -1 where a cell is missing.

    Columns of too many configurations to be shown all have the number ``MOST_CONFIGURATIONS``.
    """
    rows = data.codes.shape[1]
    if math.prod(data.arity[list(given)].tolist()) > MOST_CONFIGURATIONS:
        return np.full(rows, MOST_CONFIGURATIONS, dtype=np.int64)
    numbers, present = np.zeros(rows, dtype=np.int64), np.ones(rows, dtype=np.bool_)
    for z in given:
        numbers = numbers * int(data.arity[z]) + data.codes[z]
        present &= data.codes[z] < data.arity[z]
    return np.where(present, numbers, -1)


def _reduced_target(data: Dataset, target: int) -> _Reduced:
    if int(data.arity[target]) <= MOST_TARGET_LEVELS:
        return _reduced(data, target, MOST_TARGET_LEVELS)
    found = _reduced(data, target, MOST_TARGET_LEVELS - 1)
    return found._replace(labels=[*found.labels, f"{found.others:,} other levels"])


def _reduced(data: Dataset, column: int, most: int) -> _Reduced:
    """Return a column with its most frequent levels, in their order."""
    arity = int(data.arity[column])
    codes = data.codes[column].astype(np.int64)
    kept = list(range(arity))
    if arity > most:
        counts = data.level_counts[column]
        kept = sorted(np.argsort(-counts, kind="stable")[:most].tolist())
    place = np.full(arity + 1, len(kept), dtype=np.int64)
    place[kept] = np.arange(len(kept))
    place[arity] = -1  # a missing cell
    texts = _texts(data, column)
    return _Reduced(place[codes], [texts[code] for code in kept], arity - len(kept))


def _texts(data: Dataset, column: int) -> list[str]:
    """Return the levels of a column as text."""
    name = data.canonical[column]
    if name in data.id_digests:
        return ["(all different)"]
    return level_texts(data.levels[name], are_intervals=name in data.cuts)


def _shape(of_x: _Reduced, of_target: _Reduced) -> tuple[int, int]:
    """Return the shape of a table; its last row is that of the levels which are not shown."""
    return len(of_x.labels) + bool(of_x.others), len(of_target.labels)


def _table(data: Dataset, of_x: _Reduced, of_target: _Reduced, rows: NDArray[np.bool_]) -> Ints:
    """Return the counts, shape (levels of the column, levels of the target)."""
    high, wide = _shape(of_x, of_target)
    counts = _counts(data, of_x.codes * wide + of_target.codes, rows, high * wide)
    return counts.reshape(high, wide)


def _counts(data: Dataset, cells: Ints, rows: NDArray[np.bool_], size: int) -> Ints:
    """Return in how many of some rows each cell occurs, shape (tables, size of a table)."""
    weights = None if data.weights is None else data.weights[rows]
    tables = 1 + int(cells[rows].max(initial=0)) // size
    counts = np.bincount(cells[rows], weights, minlength=tables * size)
    found: Ints = np.rint(counts).astype(np.int64)
    return found.reshape(tables, size)


def _bar(label: str, counts: Sequence[int]) -> Bar:
    rows = sum(counts)
    percents = [100 * count / rows for count in counts] if rows else []
    segments = tuple(
        Segment(color, percent, count, f"{percent:.0f}\u00a0%" if percent >= WIDTH_OF_A_NUMBER else "")
        for color, (percent, count) in enumerate(zip(percents, counts, strict=False))
    )
    return Bar(label, rows, segments)
