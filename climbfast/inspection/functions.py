"""Columns that are functions of another column, or of two others.

The rows are read by a kernel, which leaves a pair at the first rows that contradict each other. The work is bounded: by
the rows read in all, and for functions of two by the number of columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.common_rows import FEWEST_OTHER_ROWS, LEAST_ROWS_TO_A_LEVEL
from climbfast.dataset.diagnostics import count_codes
from climbfast.errors import Option
from climbfast.inspection.inspected_table import FEWEST_ROWS, InspectedTable
from climbfast.inspection.report import Finding, leaving_out, listed
from climbfast.inspection.single import near_constants
from climbfast.names import listing

__all__ = ["MOST_COLUMNS_OF_TWO", "MOST_ROWS_READ", "determined_columns", "find_functions", "find_functions_of_two"]

MOST_ROWS_READ = 1_000_000_000  # in some two seconds
MOST_COLUMNS_OF_TWO = 200
_ROWS_OF_A_SAMPLE = 4_096
_MOST_CELLS = 1 << 20  # of pairs of levels that are not numbered first

Determined = dict[int, set[int]]


class _Group(NamedTuple):
    """Columns of one size of code, as a matrix."""

    columns: NDArray[np.int64]
    codes: NDArray[Any]
    gaps: NDArray[np.int64]


def _matrices(table: InspectedTable, columns: Sequence[int], rows: slice = slice(None)) -> list[_Group]:
    """Return columns of up to 256 codes, and those of more, each as a matrix."""
    small = [i for i in columns if table.gaps[i] < 1 << 8]
    large = [i for i in columns if table.gaps[i] >= 1 << 8]
    return [
        _Group(np.array(part), np.array([table.codes[i][rows] for i in part], dtype=dtype), table.gaps[part])
        for part, dtype in ((small, np.uint8), (large, np.uint32))
        if part
    ]


def determined_columns(
    table: InspectedTable, columns: Sequence[int], budget: int = MOST_ROWS_READ
) -> tuple[Determined, bool]:
    """Return for each column those that are functions of it, and whether all pairs were looked at.

    Parameters
    ----------
    table : InspectedTable
    columns : sequence of int
        One of each group of copies.
    budget : int
        Rows to read in all.
    """
    from climbfast_kernels.determination import UNKNOWN, determined_by

    found: Determined = defaultdict(set)
    if table.rows < FEWEST_ROWS:
        return found, True
    occurring, missing = np.array(table.occurring), np.array(table.missing)
    others = np.array([table.rows - missing[i] - table.largest[i] for i in range(len(table.columns))])
    groups = _matrices(table, [i for i in columns if others[i] >= FEWEST_OTHER_ROWS])
    for x in columns:
        if occurring[x] * LEAST_ROWS_TO_A_LEVEL > table.rows - missing[x]:
            continue
        cells = table.codes[x].astype(np.int64)
        image = np.full(int(table.gaps[x]) + 1, UNKNOWN, dtype=np.int64)
        for group in groups:
            of_group = occurring[group.columns]
            # A function of as many levels is a copy, which is known, unless cells are missing.
            smaller = (of_group < occurring[x]) | (
                (of_group == occurring[x]) & ((missing[group.columns] > 0) | (missing[x] > 0))
            )
            wanted = np.flatnonzero(smaller & (group.columns != x))
            common = np.zeros(group.columns.size, dtype=np.int64)
            budget -= determined_by(cells, table.gaps[x], group.codes, group.gaps, wanted, image, common, budget)
            found[x] |= {y for y in group.columns[common > 0].tolist() if _is_shown(table, x, y)}
            if budget <= 0:
                return found, False
    return found, True


def _is_shown(table: InspectedTable, x: int, y: int) -> bool:
    """Whether half of all rows have both columns, with enough of them outside the most frequent level of y."""
    if not (table.missing[x] or table.missing[y]):
        return True
    observed = (table.codes[x] != table.gaps[x]) & (table.codes[y] != table.gaps[y])
    weights = None if table.weights is None else table.weights[observed]
    counts = count_codes(table.codes[y][observed], int(table.gaps[y]), weights)
    rows = int(counts.sum())
    return 2 * rows >= table.rows and rows - int(counts.max(initial=0)) >= FEWEST_OTHER_ROWS


def _common_rows(table: InspectedTable, columns: Sequence[int], rows: slice = slice(None)) -> int:
    """Return the number of rows where all of these columns are observed."""
    return table.rows_where(np.logical_and.reduce([table.codes[i][rows] != table.gaps[i] for i in columns]), rows)


def find_functions(table: InspectedTable, determined: Determined, *, is_complete: bool) -> Iterator[Finding]:
    """Yield one finding for each column that determines others, with those that no other of these determines."""
    for x in sorted(determined):
        for y in sorted(determined[x]):
            if x < y and x in determined.get(y, ()):
                yield _mutual(table, x, y)
        one_way = [y for y in sorted(determined[x]) if x not in determined.get(y, ())]
        direct = [y for y in one_way if not _is_between(determined, x, y)]
        if not direct:
            continue
        names = table.names([x, *direct])
        of_x = f"{'a function' if len(direct) == 1 else 'functions'} of {names[0]!r}"
        yield Finding(
            "function", "check", names,
            f"{listed(names[1:])} {'is' if len(direct) == 1 else 'are'} {of_x}",
            (f"given {names[0]!r}, every test finds independence; leave one of them out with ",
             leaving_out(names[1:])),
            {"determines": list(table.names(sorted(determined[x])))},
        )  # fmt: skip
    if not is_complete:
        yield _not_searched("functions of one column", len(table.columns))


def _mutual(table: InspectedTable, x: int, y: int) -> Finding:
    names = table.names([x, y])
    return Finding(
        "one-to-one", "check", names,
        f"{listed(names)} determine each other one to one in the rows where both are observed",
        ("leave one of them out with ", leaving_out(names[1:])),
    )  # fmt: skip


def _is_between(determined: Determined, x: int, y: int) -> bool:
    """Whether some column is a function of x, and y a function of it but not it of y."""
    return any(y in determined.get(z, ()) and z not in determined.get(y, ()) for z in determined[x] if z != y)


def _not_searched(what: str, columns: int) -> Finding:
    return Finding(
        "not-searched", "note", (), f"{what} were not all looked for among {columns:,} columns",
        ("look at fewer columns with ", Option("leave_out", ...)),
    )  # fmt: skip


# ---- functions of two


def find_functions_of_two(
    table: InspectedTable,
    columns: Sequence[int],
    determined: Determined,
    near_copies: Iterable[tuple[int, int]] = (),
    budget: int = MOST_ROWS_READ,
) -> Iterator[Finding]:
    """Yield one finding for each column that is a function of two others and of none of these alone.

    What a column determines, its near-copies determine in nearly all rows: that is no function of two.
    """
    near = set(near_constants(table))
    columns = [i for i in columns if i not in near and table.occurring[i] * LEAST_ROWS_TO_A_LEVEL <= table.rows]
    if table.rows < 2 * FEWEST_ROWS or len(columns) < 3:
        return
    if len(columns) > MOST_COLUMNS_OF_TWO:
        yield _not_searched("functions of two columns", len(columns))
        return
    alone = {i: set(determined.get(i, ())) for i in columns}
    for x, y in near_copies:
        both = {x, y} | determined.get(x, set()) | determined.get(y, set())
        for i in {x, y} & alone.keys():
            alone[i] |= both - {i}
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for x, y, z in _triples(table, columns, alone, budget):
        if _is_function_of_two(table, x, y, z):
            found[z].append((x, y))
    for z, pairs in sorted(found.items()):
        shown_pairs = [f"{table.columns[x].name!r} and {table.columns[y].name!r}" for x, y in pairs]
        members = sorted({i for pair in pairs for i in pair})
        yield Finding(
            "function-of-two", "check", table.names([z, *members]),
            f"column {table.columns[z].name!r} is a function of {listing(shown_pairs, limit=3, each=str)}",
            ("given both, every test of it finds independence; leave one out with ",
             leaving_out([table.columns[z].name])),
            {"pairs": [list(table.names(pair)) for pair in pairs]},
        )  # fmt: skip


def _triples(
    table: InspectedTable, columns: Sequence[int], alone: Determined, budget: int
) -> Iterator[tuple[int, int, int]]:
    """Yield x, y and z where z is a function of x and y in a sample of the rows."""
    from climbfast_kernels.determination import UNKNOWN, determined_by

    sample = slice(None, None, -(-table.stored_rows // _ROWS_OF_A_SAMPLE))
    half = -(-table.rows_where(np.ones(table.stored_rows, dtype=np.bool_)[sample], sample) // 2)
    groups = _matrices(table, columns, sample)
    codes = {i: table.codes[i][sample].astype(np.int64) for i in columns}
    image = np.full(0, UNKNOWN, dtype=np.int64)
    for x, y in combinations(columns, 2):
        if y in alone[x] or x in alone[y]:
            continue  # the pair is one column
        known = alone[x] | alone[y] | {x, y}
        is_gap = (codes[x] == table.gaps[x]) | (codes[y] == table.gaps[y])
        pair, cells = _number_pairs(codes[x], codes[y], *table.gaps[[x, y]].tolist())
        pair[is_gap] = cells
        if image.size <= cells:
            image = np.full(2 * cells + 1, UNKNOWN, dtype=np.int64)
        for group in groups:
            wanted = np.array([k for k, z in enumerate(group.columns.tolist()) if z not in known], dtype=np.int64)
            common = np.zeros(group.columns.size, dtype=np.int64)
            budget -= determined_by(pair, cells, group.codes, group.gaps, wanted, image, common, budget)
            for z in group.columns[common > 0].tolist():
                if _common_rows(table, [x, y, z], sample) >= half:
                    yield x, y, z
        if budget <= 0:
            return


def _number_pairs(x: NDArray[np.int64], y: NDArray[np.int64], gap_x: int, gap_y: int) -> tuple[NDArray[np.int64], int]:
    """Return a number for each pair of codes, and a larger one: there may be more pairs than memory holds."""
    pair, cells = x * (gap_y + 1) + y, (gap_x + 1) * (gap_y + 1)
    if cells > _MOST_CELLS:
        pair = np.unique(pair, return_inverse=True)[1].astype(np.int64, copy=False)
        cells = pair.size
    return pair, cells


def _is_function_of_two(table: InspectedTable, x: int, y: int, z: int) -> bool:
    """Whether it is one in all rows, with enough rows to each pair of levels, and to z, that it is not by chance."""
    gap_x, gap_y, gap_z = table.gaps[[x, y, z]].tolist()
    observed = (table.codes[x] != gap_x) & (table.codes[y] != gap_y) & (table.codes[z] != gap_z)
    pair = table.codes[x][observed].astype(np.int64) * gap_y + table.codes[y][observed]
    of_z = table.codes[z][observed].astype(np.int64)
    cells = np.unique(pair)
    rows = table.rows_where(observed)
    if cells.size * LEAST_ROWS_TO_A_LEVEL > rows or 2 * rows < table.rows:
        return False
    weights = None if table.weights is None else table.weights[observed]
    if rows - int(count_codes(of_z, gap_z, weights).max(initial=0)) < 2 * FEWEST_OTHER_ROWS:
        return False
    return bool(np.unique(pair * gap_z + of_z).size == cells.size)
