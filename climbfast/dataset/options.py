"""The options for missing cells, levels and columns, checked once before reading."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np

from climbfast.dataset.numbers import read_numbers
from climbfast.errors import DataError, Option, OptionError, UnknownColumnError
from climbfast.names import listing
from climbfast.options import flag

__all__ = [
    "DEFAULT_MARKERS",
    "DeclaredLevels",
    "Missing",
    "Options",
    "ReadingOptions",
    "check_names",
    "check_options",
]

Missing = Literal["refuse", "drop-rows", "level"]
DeclaredLevels = Mapping[Hashable, Sequence[Hashable]] | Literal[True] | None


class ReadingOptions(TypedDict, total=False):
    """The options of ``Dataset.from_frame``, which all functions that take a frame accept."""

    missing: str
    missing_markers: Collection[Hashable] | None
    declared_levels: DeclaredLevels
    treat_floats_as_levels: bool
    keep_ids: bool
    columns: Iterable[Hashable] | None
    leave_out: Iterable[Hashable] | None


# The markers of pandas, without those of old C runtimes ("-1.#IND"). "?" and "None" are not included: they are levels
# as often as they are markers (damage: None, Mild, Severe).
DEFAULT_MARKERS = ("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NaT", "null", "NULL")

_MISSING = ("refuse", "drop-rows", "level")


@dataclass(frozen=True, slots=True)
class Options:
    """The checked options of reading one table; see `climbfast.read` for their meaning."""

    missing: Missing
    markers: frozenset[Hashable]
    declared: DeclaredLevels
    fractions: bool
    keep_ids: bool
    columns: tuple[Hashable, ...] | None
    leave_out: tuple[Hashable, ...]

    @property
    def declares_categories(self) -> bool:
        """Whether all categories of a categorical column are levels, also those that do not occur."""
        return self.declared is True

    def declared_for(self, name: Hashable) -> tuple[Hashable, ...] | None:
        """Return the levels that the user declared for a column; None if there are none."""
        if not isinstance(self.declared, Mapping) or name not in self.declared:
            return None
        return tuple(self.declared[name])

    def select(self, names: Sequence[Hashable]) -> list[int]:
        """Return the positions of the columns to read, in the order of the source."""
        wanted = names if self.columns is None else self.columns
        declared = self.declared if isinstance(self.declared, Mapping) else ()
        existing = set(names)
        for name in (*wanted, *self.leave_out, *declared):
            if name not in existing:
                raise UnknownColumnError(name, names)
        selected = set(wanted) - set(self.leave_out)
        if not selected:
            raise DataError("no columns are left to read")
        return [position for position, name in enumerate(names) if name in selected]


def check_options(
    *,
    missing: str,
    missing_markers: Iterable[Hashable] | None,
    declared_levels: DeclaredLevels,
    treat_floats_as_levels: bool,
    keep_ids: bool,
    columns: Iterable[Hashable] | None,
    leave_out: Iterable[Hashable] | None,
) -> Options:
    """Return the options as one object; raise `OptionError` for a value that is not legal."""
    legal: dict[str, Missing] = {"refuse": "refuse", "drop-rows": "drop-rows", "level": "level"}
    if missing not in legal:
        raise OptionError(Option("missing", missing), f" is not an option; use one of {', '.join(map(repr, _MISSING))}")
    if declared_levels is not None and declared_levels is not True and not isinstance(declared_levels, Mapping):
        raise OptionError(
            Option("declared_levels"), " is None, True, or a mapping from column names to lists of levels"
        )
    if isinstance(declared_levels, Mapping):
        _check_declared(declared_levels)
    return Options(
        missing=legal[missing],
        markers=_marker_values(_as_tuple("missing_markers", missing_markers)),
        declared=declared_levels,
        fractions=flag("treat_floats_as_levels", treat_floats_as_levels),
        keep_ids=flag("keep_ids", keep_ids),
        columns=None if columns is None else _as_tuple("columns", columns),
        leave_out=_as_tuple("leave_out", leave_out),
    )


def _as_tuple(option: str, values: Iterable[Hashable] | None) -> tuple[Hashable, ...]:
    if isinstance(values, str):
        raise OptionError(Option(option), f" is {values!r}, one string; pass a list, such as [{values!r}]")
    try:
        elements = () if values is None else tuple(values)
        hash(elements)
    except TypeError:
        raise OptionError(Option(option), f" is {values!r}; it has to be a list of values") from None
    return elements


def _marker_values(markers: Iterable[Hashable]) -> frozenset[Hashable]:
    """Return the markers as values and as texts: in numbers, 9, 9.0 and "9" are one marker; in texts, only "9" is."""
    # An empty cell is always missing, whatever the other markers are.
    values: set[Hashable] = {""}
    for marker in markers:
        text = str(marker).strip()
        values.add(text)
        if str(marker) in ("True", "False") and not isinstance(marker, str):  # they equal 1 and 0
            continue
        for number in read_numbers([text]) or ():
            values |= {number, float(number)}  # exact, as text files have it, and as a float
        if not isinstance(marker, str):
            values.add(marker)
    return frozenset(values)


def _check_declared(declared: Mapping[Hashable, Sequence[Hashable]]) -> None:
    for name, levels in declared.items():
        elements = _as_tuple(f"declared_levels of column {name!r}", levels)
        if not elements or len(set(elements)) != len(elements):
            raise OptionError(f"declared_levels of column {name!r} must be a list of different levels")


def check_names(names: Sequence[Hashable]) -> None:
    """Raise DataError for a table without columns, with a name that no file can carry, or with a name twice."""
    if not names:
        raise DataError("the table has no columns")
    for name in names:
        if not _is_legal(name):
            raise DataError(
                f"the column name {name!r} ({type(name).__name__}) cannot be written into results; names are text, "
                "finite numbers and tuples of these: rename it"
            )
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"column names that occur more than once: {listing(twice)}")


def _is_legal(name: Hashable) -> bool:
    """Whether results and their files can carry a name."""
    if isinstance(name, tuple):
        return all(part is None or _is_legal(part) for part in name)
    if isinstance(name, (float, np.floating)):
        return math.isfinite(name)
    return isinstance(name, (str, int, np.integer, np.bool_))
