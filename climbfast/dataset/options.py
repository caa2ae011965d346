"""What the user may say about missing cells, levels and columns, checked once at the door."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from climbfast.dataset.numbers import read_numbers
from climbfast.errors import DataError, Option, OptionError, UnknownColumnError
from climbfast.names import listing

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
    columns: Iterable[Hashable] | None
    leave_out: Iterable[Hashable] | None


# What pandas reads as missing, without the relics of old C runtimes ("-1.#IND"). "?" and "None" are left out:
# they are levels in as many files as they are markers (damage: None, Mild, Severe).
DEFAULT_MARKERS = ("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NaT", "null", "NULL")

_MISSING = ("refuse", "drop-rows", "level")


@dataclass(frozen=True, slots=True)
class Options:
    """The checked options of one reading; see `climbfast.read` for their meaning."""

    missing: Missing
    markers: frozenset[Hashable]
    declared: DeclaredLevels
    fractions: bool
    columns: tuple[Hashable, ...] | None
    leave_out: tuple[Hashable, ...]

    @property
    def declares_categories(self) -> bool:
        """Whether the categories of a categorical column count as levels even where they do not occur."""
        return self.declared is True

    def declared_for(self, name: Hashable) -> tuple[Hashable, ...] | None:
        """Levels that the user listed for this column."""
        if not isinstance(self.declared, Mapping) or name not in self.declared:
            return None
        return tuple(self.declared[name])

    def select(self, names: Sequence[Hashable]) -> list[int]:
        """Positions of the columns to read, in the order of the source."""
        wanted = names if self.columns is None else self.columns
        listed = self.declared if isinstance(self.declared, Mapping) else ()
        known = set(names)
        for name in (*wanted, *self.leave_out, *listed):
            if name not in known:
                raise UnknownColumnError(name, names)
        kept = set(wanted) - set(self.leave_out)
        if not kept:
            raise DataError("no columns are left to read")
        return [position for position, name in enumerate(names) if name in kept]


def check_options(
    *,
    missing: str,
    missing_markers: Iterable[Hashable] | None,
    declared_levels: DeclaredLevels,
    treat_floats_as_levels: bool,
    columns: Iterable[Hashable] | None,
    leave_out: Iterable[Hashable] | None,
) -> Options:
    """Raise `OptionError` for a value outside the legal ones, else return the options as one object."""
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
        markers=_spellings(_listed("missing_markers", missing_markers)),
        declared=declared_levels,
        fractions=treat_floats_as_levels,
        columns=None if columns is None else _listed("columns", columns),
        leave_out=_listed("leave_out", leave_out),
    )


def _listed(option: str, values: Iterable[Hashable] | None) -> tuple[Hashable, ...]:
    if isinstance(values, str):
        raise OptionError(Option(option), f" is {values!r}, one string; pass a list, such as [{values!r}]")
    try:
        listed = () if values is None else tuple(values)
        hash(listed)
    except TypeError:
        raise OptionError(Option(option), f" is {values!r}; it has to be a list of values") from None
    return listed


def _spellings(markers: Iterable[Hashable]) -> frozenset[Hashable]:
    """Return the markers as values and as texts: among numbers 9, 9.0 and "9" are one marker, among texts "9" alone."""
    # An empty cell has no value to be a level of, whatever other markers there are.
    found: set[Hashable] = {""}
    for marker in markers:
        text = str(marker).strip()
        found.add(text)
        if isinstance(marker, str):
            found.update(read_numbers([text]) or ())
        elif str(marker) not in ("True", "False"):  # which equal 1 and 0
            found.add(marker)
    return frozenset(found)


def _check_declared(declared: Mapping[Hashable, Sequence[Hashable]]) -> None:
    for name, levels in declared.items():
        listed = _listed(f"declared_levels of column {name!r}", levels)
        if not listed or len(set(listed)) != len(listed):
            raise OptionError(f"declared_levels of column {name!r} must be a list of different levels")


def check_names(names: Sequence[Hashable]) -> None:
    """Refuse a table without columns, or with the same name twice."""
    if not names:
        raise DataError("the table has no columns")
    if any(isinstance(name, float) and math.isnan(name) for name in names):
        raise DataError("a column has NaN for a name; give it another")
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"column names that occur more than once: {listing(twice)}")
