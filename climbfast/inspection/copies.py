"""Columns that are equal, or equal up to the names of their levels."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

import numpy as np

from climbfast.dataset.diagnostics import one_to_one
from climbfast.dataset.raw_columns import RawColumn
from climbfast.inspection.inspected_table import FEWEST_ROWS, InspectedTable
from climbfast.inspection.report import Finding, leaving_out, listed, shown
from climbfast.names import listing

__all__ = ["copy_groups", "find_copies"]

_MOST_SHOWN = 4
_MOST_RENAMED = 100
_ORDERED = ("whole", "fractional", "date", "datetime", "time", "timedelta")


def copy_groups(table: InspectedTable) -> list[tuple[int, ...]]:
    """Return the groups of columns that determine each other one to one.

    Columns with about as many levels as rows always do; of these only numbers that have the same order, or the reverse
    order, are a group.
    """
    if table.rows < FEWEST_ROWS:
        return []
    alike: dict[bytes, list[int]] = defaultdict(list)
    for i in table.varying:
        counts = table.counts[i]
        alike[counts[-1:].tobytes() + np.sort(counts[counts > 0]).tobytes()].append(i)
    groups = []
    for columns in alike.values():
        if len(columns) > 1:
            codes = np.array([table.codes[i] for i in columns])
            groups += [
                tuple(columns[k] for k in group) for group in one_to_one(codes, [table.counts[i][:-1] for i in columns])
            ]
    return sorted(groups + _of_equal_order(table))


def _of_equal_order(table: InspectedTable) -> list[tuple[int, ...]]:
    alike: dict[bytes, list[int]] = defaultdict(list)
    for i in sorted(table.ids - table.unknown):
        if table.columns[i].kind in _ORDERED:
            codes = table.codes[i].astype(np.int64)
            is_gap = codes == table.gaps[i]
            down = np.where(is_gap, codes, table.gaps[i] - 1 - codes)
            alike[min(_digest(codes), _digest(down))].append(i)
    return [tuple(columns) for columns in alike.values() if len(columns) > 1]


def _digest(codes: np.ndarray) -> bytes:
    return hashlib.blake2b(np.ascontiguousarray(codes).data, digest_size=16).digest()


def find_copies(table: InspectedTable, groups: list[tuple[int, ...]]) -> Iterator[Finding]:
    """Yield one finding for each group."""
    for group in groups:
        names = table.names(group)
        advice = ("one stands for all in searches; leave the others out with ", leaving_out(names[1:]))
        if _are_equal(table, group):
            yield Finding("copies", "check", names, f"{listed(names)} are equal in every row", advice)
            continue
        renaming = _renaming(table, group[0], group[1])
        words = listing([f"{shown(x)} = {shown(y)}" for x, y in renaming], limit=_MOST_SHOWN, each=str)
        yield Finding(
            "one-to-one", "check", names, f"{listed(names)} determine each other one to one: {words}", advice,
            {"first_two": [[x, y] for x, y in renaming]},
        )  # fmt: skip


def _are_equal(table: InspectedTable, group: tuple[int, ...]) -> bool:
    first = group[0]
    return all(
        _same_levels(table.columns[first], table.columns[i]) and np.array_equal(table.codes[i], table.codes[first])
        for i in group[1:]
    )


def _same_levels(x: RawColumn, y: RawColumn) -> bool:
    if x.encoded.numeric is None or y.encoded.numeric is None:
        return x.size == y.size and all(x.level(code) == y.level(code) for code in range(x.size))
    return x.kind == y.kind and np.array_equal(x.encoded.numeric.values, y.encoded.numeric.values)


def _renaming(table: InspectedTable, x: int, y: int) -> list[tuple[object, object]]:
    """Return the level of y for each level of x that occurs."""
    of_x, of_y = table.columns[x], table.columns[y]
    found, rows = np.unique(table.codes[x], return_index=True)
    pairs = zip(found.tolist(), table.codes[y][rows].tolist(), strict=True)
    present = ((a, b) for a, b in pairs if a < of_x.size and b < of_y.size)
    return [(of_x.level(a), of_y.level(b)) for a, b in islice(present, _MOST_RENAMED)]
