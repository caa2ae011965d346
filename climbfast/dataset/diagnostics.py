"""Columns that a user should check before trusting results: constants, identifiers, one-to-one columns."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from climbfast.caller_warnings import warn_caller
from climbfast.errors import ClimbfastWarning, Option
from climbfast.names import listing

if TYPE_CHECKING:
    from climbfast.dataset.dataset import Dataset

__all__ = ["constant", "is_id", "level_counts", "nearly_unique", "one_to_one", "warn_about"]

# Below these limits a table is too small for such a warning: three levels in ten rows are not an identifier, and two
# independent fair coins determine each other in one of sixteen tables of five rows.
_FEWEST_LEVELS_OF_ID = 10
SHARE_OF_ROWS_IN_ID = 0.9
_FEWEST_ROWS_OF_ONE_TO_ONE = 10


def level_counts(codes: NDArray[Any], arity: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the number of rows of each level, column by column."""
    return [_count(row, size) for row, size in zip(codes, arity.tolist(), strict=True)]


def _count(row: NDArray[Any], size: int) -> NDArray[np.int64]:
    # Comparing bytes is vectorised, bincount is not: 3.5 times faster for three levels.
    if size <= 8:
        return np.array([np.count_nonzero(row == level) for level in range(size)], dtype=np.int64)
    return np.bincount(row, minlength=size).astype(np.int64, copy=False)


def constant(counts: Sequence[NDArray[np.int64]]) -> list[int]:
    """Return the columns of which only one level occurs."""
    return [i for i, count in enumerate(counts) if np.count_nonzero(count) == 1]


def is_id(levels: int, rows: int) -> bool:
    """Whether a column has about as many levels as there are rows: a name or a number for each row."""
    return levels > max(SHARE_OF_ROWS_IN_ID * rows, _FEWEST_LEVELS_OF_ID)


def nearly_unique(arity: NDArray[np.int64], rows: int) -> list[int]:
    """Return the columns with so many levels that their regret exceeds their information."""
    columns: list[int] = np.flatnonzero(arity > max(rows / 5, _FEWEST_LEVELS_OF_ID)).tolist()
    return columns


def one_to_one(codes: NDArray[Any], counts: Sequence[NDArray[np.int64]]) -> list[tuple[int, ...]]:
    """Return the groups of columns that are equal up to the names of their levels."""
    # One-to-one columns have the same sorted counts, and the same partition of the first rows. Both are cheap to
    # compare, and few other columns agree in both.
    varying = [i for i, count in enumerate(counts) if np.count_nonzero(count) > 1]
    alike = _groups([varying], lambda i: np.sort(counts[i][counts[i] > 0]).tobytes())
    alike = _groups(alike, lambda i: _partition(codes[i, :256], counts[i].size))
    alike = _groups(alike, lambda i: _partition(codes[i], counts[i].size))
    return sorted(map(tuple, alike))


def _groups(groups: Iterable[Sequence[int]], key: Callable[[int], bytes]) -> list[list[int]]:
    """Split groups by a key; drop groups of one member."""
    parts = []
    for group in groups:
        by_key = defaultdict(list)
        for i in group:
            by_key[key(i)].append(i)
        parts += [part for part in by_key.values() if len(part) > 1]
    return parts


def _partition(row: NDArray[Any], size: int) -> bytes:
    """Return a digest of the column with its levels renumbered in the order of their first rows."""
    first = np.full(size, row.size)
    first[row[::-1]] = np.arange(row.size)[::-1]  # the last of several writes stays: the first row
    renamed = np.empty(size, dtype=np.uint32)
    renamed[np.argsort(first, kind="stable")] = np.arange(size)
    return hashlib.blake2b(renamed[row], digest_size=16).digest()


def warn_about(dataset: Dataset) -> None:
    """Warn the caller once for each kind of column, with the names of the columns."""
    for warning in _warnings(dataset):
        warn_caller(warning)


def _warnings(dataset: Dataset) -> Iterable[ClimbfastWarning]:
    if dataset.constant and dataset.rows > 1:
        yield ClimbfastWarning(f"constant columns, independent of everything: {listing(dataset.constant)}")
    if dataset.ids:
        yield ClimbfastWarning(
            "id columns, with about as many levels as rows, taken as independent of everything: "
            f"{listing(dataset.ids)}; ", Option("keep_ids", value=True), " takes them as they are",
        )  # fmt: skip
    if spaced := _levels_that_differ_by_blanks(dataset):
        yield ClimbfastWarning(f"levels that differ only by blanks around them are kept apart: {spaced}")
    if dataset.nearly_unique:
        yield ClimbfastWarning(
            "columns with more levels than rows / 5, too many for a reliable test: "
            f"{listing(dataset.nearly_unique)}; exclude them with ", Option("leave_out", ...),
        )  # fmt: skip
    if dataset.one_to_one and dataset.rows >= _FEWEST_ROWS_OF_ONE_TO_ONE:
        groups = _group_listing(dataset.one_to_one)
        yield ClimbfastWarning(f"columns that determine each other one to one: {groups}")


def _levels_that_differ_by_blanks(dataset: Dataset) -> str:
    found = []
    for name in dataset.names:
        texts = [level for level in dataset.levels[name] if isinstance(level, str)]
        padded = [text for text in texts if text != text.strip()]
        alike = {text.strip() for text in padded} & {text.strip() for text in set(texts) - set(padded)}
        alike |= {text for text, times in Counter(map(str.strip, padded)).items() if times > 1}
        if alike:
            found.append(f"{name!r} ({', '.join(map(repr, sorted(alike)[:3]))})")
    return listing(found, each=str)


def _group_listing(groups: Sequence[Sequence[Hashable]], limit: int = 20) -> str:
    shown: list[str] = []
    left = limit
    for group in groups:
        shown.append(" = ".join(map(repr, group[:left])))
        left -= len(group)
        if left <= 0:
            break
    more = sum(map(len, groups)) - limit
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
