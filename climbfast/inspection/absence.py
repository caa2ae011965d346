"""Missing cells that occur together."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.dataset import Dataset
from climbfast.dataset.groups import linked_groups
from climbfast.errors import ClimbfastError, Option
from climbfast.inspection.inspected_table import InspectedTable
from climbfast.inspection.report import Finding, listed

__all__ = ["complete_rows", "find_dependence", "find_missing_together"]

_FEWEST_CELLS = 3
_SHARE_APART = 10  # at most a tenth of the missing cells, and of the others, are not shared
MOST_PATTERNS = 2_000

SAME_ROWS = "the same rows"
NEARLY_THE_SAME_ROWS = "nearly the same rows"
NOT_BY_CHANCE = "the same rows more often than by chance"
_BITS_OF_BYTE = np.array([byte.bit_count() for byte in range(256)], dtype=np.uint8)


def complete_rows(table: InspectedTable) -> int:
    """Return the number of rows without missing cells."""
    complete = np.ones(table.stored_rows, dtype=np.bool_)
    for i, missing in enumerate(table.missing):
        if missing:
            complete &= table.codes[i] != table.gaps[i]
    return table.rows_where(complete)


def find_missing_together(table: InspectedTable, read: Dataset | ClimbfastError | None) -> Iterator[Finding]:
    """Yield the groups of columns whose cells are missing in the same rows, in nearly the same, or not by chance.

    The last are those of which ``read`` warns. Of these, a group is not named if all of it is in one of the others.
    """
    equal = _equal_patterns(table)
    groups = [[place] for place in range(len(equal))]
    if len(equal) <= MOST_PATTERNS:
        groups = linked_groups(len(equal), _alike(table, [columns[0] for columns in equal]))
    named = []
    for group in groups:
        columns = sorted(i for place in group for i in equal[place])
        if len(columns) > 1:
            named.append(set(table.names(columns)))
            yield _finding(table, columns, SAME_ROWS if len(group) == 1 else NEARLY_THE_SAME_ROWS)
    if isinstance(read, Dataset):
        position = {column.name: i for i, column in enumerate(table.columns)}
        for names in read.missingness.together:
            if not any(known.issuperset(names) for known in named):
                yield _finding(table, sorted(position[name] for name in names), NOT_BY_CHANCE)
    if len(equal) > MOST_PATTERNS:
        yield Finding(
            "not-searched", "note", (),
            f"{len(equal):,} patterns of missing cells are too many to find those that are nearly equal",
            ("look at fewer columns with ", Option("leave_out", ...)),
        )  # fmt: skip


def _equal_patterns(table: InspectedTable) -> list[list[int]]:
    """Return the columns that are missing in some rows, those in one list that are missing in the same rows."""
    patterns: dict[bytes, list[int]] = defaultdict(list)
    for i, missing in enumerate(table.missing):
        if _FEWEST_CELLS <= missing < table.rows:
            patterns[hashlib.blake2b(np.packbits(_mask(table, i)).data, digest_size=16).digest()].append(i)
    return list(patterns.values())


def find_dependence(read: Dataset | ClimbfastError | None) -> Iterator[Finding]:
    """Yield the columns of which it depends on others what is missing, for ``missing="test-wise"``."""
    if not isinstance(read, Dataset):
        return
    for name, others in read.missingness.depends_on.items():
        yield Finding(
            "missing-depends", "check", (name, *others),
            f"what is missing in column {name!r} depends on {listed(others)}",
            ("results with ", Option("missing", "test-wise"), " are unbiased where cells are missing at random with "
             "respect to the rest"),
            {"depends_on": list(others)},
        )  # fmt: skip
    if left := read.missingness.left_out:
        yield Finding(
            "not-searched", "note", (), f"on what it depends what is missing was not looked for in {left:,} columns "
            "with the fewest missing cells", ("look at fewer columns with ", Option("leave_out", ...)),
        )  # fmt: skip


def _finding(table: InspectedTable, columns: list[int], where: str) -> Finding:
    names = table.names(columns)
    counts = sorted({table.missing[i] for i in columns})
    cells = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return Finding(
        "missing-together", "check", names,
        f"{listed(names)} have missing cells in {where} ({cells} of {table.rows:,})",
        ("what is missing depends on something: with ", Option("missing", "test-wise"), " or ",
         Option("missing", "drop-rows"), " results hold for the other rows; ", Option("missing", "level"),
         " would make these columns dependent"),
        {"missing": counts, "where": where},
    )  # fmt: skip


def _mask(table: InspectedTable, column: int) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = table.codes[column] == table.gaps[column]
    return mask


def _alike(table: InspectedTable, columns: list[int]) -> list[tuple[int, int]]:
    """Return the pairs of columns, by place, that are missing in nearly the same rows."""
    masks = np.array([np.packbits(_mask(table, i)) for i in columns], dtype=np.uint8)
    counts = np.array([table.missing[i] for i in columns])
    fewest = np.minimum(counts, table.rows - counts)
    pairs = []
    for a in range(len(columns) - 1):
        most = np.minimum(fewest[a], fewest[a + 1 :]) // _SHARE_APART
        others = a + 1 + np.flatnonzero(np.abs(counts[a + 1 :] - counts[a]) <= most)
        apart = _BITS_OF_BYTE[masks[others] ^ masks[a]].sum(axis=1, dtype=np.int64)
        found = others[apart <= most[others - a - 1]].tolist()
        if table.weights is not None:  # until here stored rows were counted: fewer
            found = [b for b in found if _rows_apart(table, columns[a], columns[b]) <= most[b - a - 1]]
        pairs += [(a, b) for b in found]
    return pairs


def _rows_apart(table: InspectedTable, x: int, y: int) -> int:
    """Return the number of rows in which one of two columns is missing."""
    return table.rows_where(_mask(table, x) ^ _mask(table, y))
