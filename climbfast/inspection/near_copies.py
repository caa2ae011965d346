"""Columns that are equal in nearly all rows, up to the names of their levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from climbfast.dataset.diagnostics import count_codes
from climbfast.errors import Option
from climbfast.inspection.inspected_table import FEWEST_ROWS, InspectedTable
from climbfast.inspection.report import Finding, leaving_out, listed
from climbfast.inspection.single import near_constants

__all__ = ["NearCopies", "find_near_copies", "near_copies_in", "rows_apart"]

_SHARE_APART = 100  # at most one row of so many
_MOST_LEVELS = 255
_MOST_PAIRS = 1_000
MOST_ROWS_READ = 500_000_000  # in two to four seconds


class NearCopies(NamedTuple):
    """Pairs of columns with the number of rows in which they differ, and whether all pairs were compared."""

    pairs: dict[tuple[int, int], int]
    is_complete: bool = True


def near_copies_in(table: InspectedTable, columns: Sequence[int], budget: int = MOST_ROWS_READ) -> NearCopies:
    """Return the pairs of columns that are equal in 99 % of the rows, and in most rows outside their largest level.

    Parameters
    ----------
    table : InspectedTable
    columns : sequence of int
        One of each group of copies; only those of up to 255 levels are compared.
    budget : int
        Rows to read in all.
    """
    from climbfast_kernels.determination import near_copies

    near = set(near_constants(table))
    columns = [i for i in columns if i not in near and table.gaps[i] <= _MOST_LEVELS]
    most = table.rows // _SHARE_APART
    if len(columns) < 2 or most < 1 or table.rows < FEWEST_ROWS:
        return NearCopies({})
    largest = np.array([int(table.counts[i].max()) for i in columns], dtype=np.int64)
    order = np.argsort(largest, kind="stable")
    columns = [columns[k] for k in order.tolist()]
    codes = np.array([table.codes[i] for i in columns], dtype=np.uint8)
    sizes = table.gaps[columns] + 1
    size = int(sizes.max())
    # Stored rows are counted there, which are no more than the rows that they stand for: rows_apart decides.
    found_pairs = np.zeros((_MOST_PAIRS, 2), dtype=np.int64)
    found, _, read = near_copies(
        codes, sizes, largest[order], most, np.zeros(size * size, dtype=np.int64),
        np.zeros((2, size), dtype=np.int64), found_pairs, budget,
    )  # fmt: skip
    pairs = {}
    for x, y in sorted(sorted((columns[a], columns[b])) for a, b in found_pairs[:found].tolist()):
        apart = rows_apart(table, x, y)
        others = min(table.rows - int(table.counts[i].max()) for i in (x, y))
        if apart <= most and 2 * apart <= others:
            pairs[x, y] = apart
    return NearCopies(pairs, read < budget and found <= _MOST_PAIRS)


def find_near_copies(table: InspectedTable, near: NearCopies) -> Iterator[Finding]:
    """Yield one finding for each pair."""
    for (x, y), apart in near.pairs.items():
        names = table.names([x, y])
        yield Finding(
            "near-copies", "check", names,
            f"{listed(names)} are equal in all but {apart:,} of {table.rows:,} rows, up to the names of their levels",
            ("leave one of them out with ", leaving_out(names[1:])), {"rows_apart": apart},
        )  # fmt: skip
    if not near.is_complete:
        yield Finding(
            "not-searched", "note", (), f"columns that are nearly equal were not all looked for among "
            f"{len(table.columns):,} columns", ("look at fewer columns with ", Option("leave_out", ...)),
        )  # fmt: skip


def rows_apart(table: InspectedTable, x: int, y: int) -> int:
    """Return the rows that differ if each level of x is called by the level of y that most of its rows have.

    A level of y stands for one level of x, that of most rows.
    """
    size = int(table.gaps[y]) + 1
    pair = table.codes[x].astype(np.int64) * size + table.codes[y]
    cells = count_codes(pair, (int(table.gaps[x]) + 1) * size, table.weights).reshape(-1, size)
    best = cells.argmax(axis=1)
    equal = np.zeros(size, dtype=np.int64)
    np.maximum.at(equal, best, cells[np.arange(len(best)), best])
    return int(table.rows - equal.sum())
