"""Columns that a user should check before trusting results: constants, identifiers, one-to-one columns."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from climbfast.caller_warnings import warn_caller
from climbfast.dataset.cell_counts import FEW_LEVELS, MANY_ROWS, count_cells, count_few
from climbfast.dataset.discretization.rules import Mdlp
from climbfast.dataset.numbers import read_numbers
from climbfast.dataset.threads import in_threads
from climbfast.errors import ClimbfastWarning, Option
from climbfast.names import listing, rest

if TYPE_CHECKING:
    from climbfast.dataset.dataset import Dataset

__all__ = [
    "constant",
    "count_codes",
    "is_id",
    "level_counts",
    "nearly_unique",
    "occurring_levels",
    "one_to_one",
    "partition_digest",
    "warn_about",
]

# Below these limits a table is too small for such a warning: three levels in ten rows are not an identifier, and two
# independent fair coins determine each other in one of sixteen tables of five rows.
_FEWEST_LEVELS_OF_ID = 10
SHARE_OF_ROWS_IN_ID = 0.9
FEWEST_ROWS_OF_ONE_TO_ONE = 10
_FEWEST_TEXTS, SHARE_OF_NUMBERS = 10, 0.9  # of a column of text that is nearly one of numbers
_TEXTS_LOOKED_AT = 100
_FIRST_ROWS = 256  # in which columns are compared before all rows are read


def level_counts(
    codes: NDArray[Any],
    arity: NDArray[np.int64],
    weights: NDArray[np.int64] | None,
    incomplete: NDArray[np.bool_],
    known: Sequence[NDArray[np.int64] | None] = (),
) -> list[NDArray[np.int64]]:
    """Return the number of rows of each level, column by column; a code that is the arity is a missing cell.

    Counts that are known are taken; those of a column may end with that of missing cells, which is left out.
    """

    def count(row: NDArray[Any], size: int, gaps: int, found: NDArray[np.int64] | None) -> NDArray[np.int64]:
        if found is not None:
            return found[:size]
        return count_codes(row, size, weights, is_complete=not gaps)

    given = known or [None] * len(codes)
    sizes = {size for size, found in zip(arity.tolist(), given, strict=True) if found is None}
    if sizes and weights is None and codes.dtype == np.uint8 and codes.shape[1] >= MANY_ROWS:
        for size in {min(sizes), max(sizes)}:
            count(codes[0, :MANY_ROWS], size, 0, None)  # this thread loads kernels, and says so: the others use them
    return in_threads(count, codes, arity.tolist(), incomplete.tolist(), given, cells=codes.size)


def count_codes(
    codes: NDArray[Any], size: int, weights: NDArray[np.int64] | None, *, is_complete: bool = False
) -> NDArray[np.int64]:
    """Return the number of rows of each code below `size`, as which all are if it is said to be complete."""
    if weights is not None:
        counts = np.zeros(max(size, int(codes.max(initial=0)) + 1), dtype=np.int64)
        np.add.at(counts, codes, weights)
        return counts[:size]
    if size <= FEW_LEVELS:
        return count_few(codes, size, is_complete=is_complete)
    return count_cells(codes, size)[:size]


def sorted_counts(counts: Sequence[NDArray[np.int64]]) -> list[bytes]:
    """Return for each column its numbers of rows by level, sorted, as bytes that are ordered as their list is."""
    by_levels = defaultdict(list)
    for i, count in enumerate(counts):
        by_levels[count.size].append(i)
    found = [b""] * len(counts)
    for columns in by_levels.values():
        together = np.sort(np.stack([counts[i] for i in columns]), axis=1).astype(">i8")
        for i, of_one in zip(columns, together, strict=True):
            found[i] = of_one.tobytes()
    return found


def occurring_levels(counts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return for each column how many of its levels occur."""
    columns = np.repeat(np.arange(len(counts)), [count.size for count in counts])
    rows = np.concatenate([*counts, np.empty(0, dtype=np.int64)])
    return np.bincount(columns[rows > 0], minlength=len(counts))


def constant(counts: Sequence[NDArray[np.int64]]) -> list[int]:
    """Return the columns of which one level occurs at most."""
    columns: list[int] = np.flatnonzero(occurring_levels(counts) <= 1).tolist()
    return columns


def is_id(levels: int, rows: int) -> bool:
    """Whether a column has about as many levels as there are rows: a name or a number for each row."""
    return levels > max(SHARE_OF_ROWS_IN_ID * rows, _FEWEST_LEVELS_OF_ID)


def nearly_unique(arity: NDArray[np.int64], rows: int) -> list[int]:
    """Return the columns with so many levels that their regret exceeds their information."""
    columns: list[int] = np.flatnonzero(arity > max(rows / 5, _FEWEST_LEVELS_OF_ID)).tolist()
    return columns


def one_to_one(codes: NDArray[Any], counts: Sequence[NDArray[np.int64]]) -> list[tuple[int, ...]]:
    """Return the groups of columns that are equal up to the names of their levels."""
    # One-to-one columns have the same sorted counts, and change in the same rows. Both are cheap to compare, and few
    # other columns agree in both.
    varying = np.flatnonzero(occurring_levels(counts) > 1).tolist()
    by_size = sorted_counts(counts)
    alike = _groups([varying], lambda i: by_size[i].lstrip(b"\0"))  # without levels that do not occur
    first = codes[:, :_FIRST_ROWS]
    changes = np.packbits(first[:, 1:] != first[:, :-1], axis=1)
    alike = _groups(alike, lambda i: changes[i].tobytes())
    alike = _groups(alike, lambda i: partition_digest(codes[i], counts[i].size))
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


def partition_digest(row: NDArray[Any], size: int) -> bytes:
    """Return a digest of the column with its levels renumbered in the order of their first rows.

    Missing cells, whose code is `size`, count as one more level.
    """
    size += 1
    first = np.full(size, row.size)
    first[row[::-1]] = np.arange(row.size)[::-1]  # the last of several writes stays: the first row
    renamed = np.empty(size, dtype=np.uint32)
    renamed[np.argsort(first, kind="stable")] = np.arange(size)
    digest = hashlib.blake2b(renamed[row], digest_size=16)
    if first[-1] < row.size:  # else a level of one column could be what is missing in another
        digest.update(renamed[-1:].data)
    return digest.digest()


def warn_about(dataset: Dataset) -> None:
    """Warn the caller once for each kind of column, with the names of the columns."""
    for warning in _warnings(dataset):
        warn_caller(warning)


def _warnings(dataset: Dataset) -> Iterable[ClimbfastWarning]:
    constant = [name for name in dataset.constant if dataset.levels[name]]
    if constant and dataset.rows > 1:
        yield ClimbfastWarning(f"constant columns, independent of everything: {listing(constant)}")
    if dataset.ids:
        yield ClimbfastWarning(
            "id columns, with about as many levels as rows, taken as independent of everything: "
            f"{listing(dataset.ids)}; ", Option("keep_ids", value=True), " takes them as they are",
        )  # fmt: skip
    if uncut := [name for name in dataset.uncut if name not in dataset.id_digests]:
        yield ClimbfastWarning(
            f"columns of whole numbers with more than 20 levels, taken as they are: {listing(uncut)}; cut them into "
            "intervals with ", Option("numbers", "auto"), ", or keep each level, and hear no more of it, with ",
            Option("numbers", "levels"),
        )  # fmt: skip
    if merged := _merged_cuts(dataset):
        yield ClimbfastWarning(
            "columns with fewer intervals than asked for, because equal cuts merged or values are few: " + merged
        )
    if targets := _targets(dataset):
        yield ClimbfastWarning(
            f"cuts by mdlp look at their target ({targets}), so that the same rows cannot test what is found about it"
        )
    if odd := _nearly_numbers(dataset):
        yield ClimbfastWarning(
            f"columns that are not cut, since some of their texts are no numbers: {odd}; if such a text stands for a "
            "missing cell, name it with ", Option("missing_markers"),
        )  # fmt: skip
    if durations := _durations(dataset):
        yield ClimbfastWarning(
            f"columns of durations, which are not cut: {listing(durations)}; make them numbers, such as days"
        )
    if dataset.possible_ids:
        yield ClimbfastWarning(
            f"columns of whole numbers that are all different, cut like others: {listing(dataset.possible_ids)}; "
            "if these are identifiers, leave them out with ", Option("leave_out", ...),
        )  # fmt: skip
    if spaced := _levels_that_differ_by_blanks(dataset):
        yield ClimbfastWarning(f"levels that differ only by blanks around them are kept apart: {spaced}")
    if dataset.nearly_unique:
        yield ClimbfastWarning(
            "columns with more levels than rows / 5, too many for a reliable test: "
            f"{listing(dataset.nearly_unique)}; exclude them with ", Option("leave_out", ...),
        )  # fmt: skip
    if dataset.missing:
        yield from _of_missing_cells(dataset)
    if dataset.one_to_one and dataset.rows >= FEWEST_ROWS_OF_ONE_TO_ONE:
        groups = _group_listing(dataset.one_to_one)
        yield ClimbfastWarning(f"columns that determine each other one to one: {groups}")


def _merged_cuts(dataset: Dataset) -> str:
    """List the columns whose rule asks for more levels than their cuts make."""
    found = []
    for name, cuts in dataset.cuts.items():
        wanted = getattr(dataset.discretizer.rules.rule_for(name), "levels", 0)
        if len(cuts) + 1 < wanted:
            found.append(f"{name!r} ({len(cuts) + 1} of {wanted})")
    return listing(found, each=str)


def _targets(dataset: Dataset) -> str:
    """List the targets of the rule "mdlp"."""
    rules = (dataset.discretizer.rules.rule_for(name) for name in dataset.cuts)
    return listing(sorted({rule.target for rule in rules if isinstance(rule, Mdlp)}, key=str))


def _nearly_numbers(dataset: Dataset) -> str:
    """List the columns of which nearly all texts are numbers, and the first texts that are none."""
    found = []
    for name in dataset.names:
        texts = dataset.levels[name]
        if len(texts) < _FEWEST_TEXTS or not isinstance(texts[0], str) or not dataset.discretizer.rules.cuts(name):
            continue
        if _share_of_numbers(texts[:: 1 + len(texts) // _TEXTS_LOOKED_AT]) < SHARE_OF_NUMBERS / 2:
            continue
        if SHARE_OF_NUMBERS <= _share_of_numbers(texts) < 1:
            odd = [text for text in texts if text is not None and not _is_number(text)]
            found.append(f"{name!r} ({', '.join(map(repr, odd[:3]))})")
    return listing(found, each=str)


def _share_of_numbers(texts: Sequence[Hashable]) -> float:
    present = [text for text in texts if text is not None]
    return sum(map(_is_number, present)) / len(present)


def _is_number(text: Hashable) -> bool:
    return read_numbers([str(text).replace(",", ".", 1)]) is not None


def _durations(dataset: Dataset) -> list[Hashable]:
    rules, types = dataset.discretizer.rules, (dt.timedelta, np.timedelta64)
    return [
        name for name in dataset.names if isinstance(next(iter(dataset.levels[name]), 0), types) and rules.cuts(name)
    ]


def _of_missing_cells(dataset: Dataset) -> Iterable[ClimbfastWarning]:
    most = max(dataset.missing, key=dataset.missing.__getitem__)
    share = 100 * dataset.missing[most] / dataset.rows
    found = dataset.missingness
    together = ""
    if found.together:
        groups = "; ".join(listing(group, limit=5) for group in found.together[:5]) + rest(len(found.together) - 5)
        together = f"; missing together more often than by chance: {groups}"
    yield ClimbfastWarning(
        f"cells are missing in {listing(dataset.missing, limit=10)} (at most {share:.3g} % of the rows, in {most!r}); "
        f"every test uses the rows that are complete in its own columns{together}"
    )
    empty = [name for name, count in dataset.missing.items() if count == dataset.rows]
    if empty:
        yield ClimbfastWarning(f"columns without any value, independent of everything: {listing(empty)}")
    if found.depends_on:
        columns = listing(
            list(found.depends_on),
            limit=5,
            each=lambda name: f"in {name!r} on {listing(found.depends_on[name], limit=3)}",
        )
        yield ClimbfastWarning(
            "test-wise deletion is unbiased where cells are missing at random with respect to the rest; against that "
            f"speaks that what is missing depends on other columns: {columns}"
        )
    if dataset.one_to_one_in_common_rows:
        groups = _group_listing(dataset.one_to_one_in_common_rows)
        yield ClimbfastWarning(
            f"columns that determine each other one to one in the rows where both are observed: {groups}; given one of "
            "them, every test of the other finds independence: leave one of them out with ", Option("leave_out", ...),
        )  # fmt: skip


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
    return ", ".join(shown) + rest(sum(map(len, groups)) - limit)
