"""The columns that are looked at, as codes with their counts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.diagnostics import count_codes, is_id
from climbfast.dataset.raw_columns import RawColumn

__all__ = ["FEWEST_ROWS", "InspectedTable"]

FEWEST_ROWS = 10  # in fewer, columns determine each other by chance


@dataclass(frozen=True, eq=False)
class InspectedTable:
    """The columns of a table, by number.

    Attributes
    ----------
    columns : list of RawColumn
    stored_rows : int
        Number of rows of ``columns``.
    unknown : set of int
        Columns whose cells are not known: the ids of a Dataset.
    weights : ndarray of int64, shape (stored rows,), or None
        How often each stored row occurs, once or more; None if each occurs once.
    """

    columns: Sequence[RawColumn]
    stored_rows: int
    unknown: frozenset[int] = frozenset()
    weights: NDArray[np.int64] | None = None

    @cached_property
    def rows(self) -> int:
        """The number of rows, each as often as it occurs."""
        return self.stored_rows if self.weights is None else int(self.weights.sum())

    def rows_where(self, holds: NDArray[np.bool_], rows: slice = slice(None)) -> int:
        """Return the number of rows, each as often as it occurs, for which ``holds`` is True; of all or of some."""
        return int(np.count_nonzero(holds) if self.weights is None else self.weights[rows][holds].sum())

    @cached_property
    def codes(self) -> list[NDArray[Any]]:
        """The cells of each column as positions in its levels; a missing cell is the number of levels."""
        return [column.codes() for column in self.columns]

    @cached_property
    def gaps(self) -> NDArray[np.int64]:
        """The code of a missing cell in each column, which is the number of its levels."""
        return np.array([column.size for column in self.columns], dtype=np.int64)

    @cached_property
    def counts(self) -> list[NDArray[np.int64]]:
        """The number of rows of each code; that of the missing cells is the last."""
        return [
            count_codes(codes, gap + 1, self.weights) for codes, gap in zip(self.codes, self.gaps.tolist(), strict=True)
        ]

    @cached_property
    def missing(self) -> list[int]:
        """The number of missing cells of each column."""
        return [int(counts[-1]) for counts in self.counts]

    @cached_property
    def occurring(self) -> list[int]:
        """The number of levels of each column that occur; declared ones may not."""
        counts = [int(np.count_nonzero(counts[:-1])) for counts in self.counts]
        return [int(self.gaps[i]) if i in self.unknown else count for i, count in enumerate(counts)]

    @cached_property
    def largest(self) -> list[int]:
        """The number of rows of the most frequent level of each column."""
        return [int(counts[:-1].max(initial=0)) for counts in self.counts]

    @cached_property
    def ids(self) -> frozenset[int]:
        """Columns with about as many levels as rows."""
        return self.unknown | {i for i, levels in enumerate(self.occurring) if is_id(levels, self.rows)}

    @cached_property
    def varying(self) -> list[int]:
        """Columns of two levels and more that are no ids: those that can be related."""
        return [i for i, levels in enumerate(self.occurring) if levels > 1 and i not in self.ids]

    @cached_property
    def distinct_rows(self) -> int:
        """The number of different rows, by sums of random numbers: wrong once in 10^7 tables of 10^6 rows."""
        random = np.random.default_rng(0)
        sums = np.zeros(self.stored_rows, dtype=np.uint64)
        for codes, gap in zip(self.codes, self.gaps.tolist(), strict=True):
            sums += random.integers(0, 1 << 64, gap + 1, dtype=np.uint64)[codes]
        sums.sort()
        return 1 + int(np.count_nonzero(sums[1:] != sums[:-1]))

    def names(self, positions: Iterable[int]) -> tuple[Hashable, ...]:
        """Return the names of columns."""
        return tuple(self.columns[i].name for i in positions)
