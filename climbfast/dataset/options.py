"""The options for missing cells, levels and columns, checked once before reading."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

import numpy as np

from climbfast.dataset.discretization.discretizer import Discretizer
from climbfast.dataset.discretization.rules import Cut, Levels, Rules, parse_rules, rules_of_cuts
from climbfast.dataset.numbers import read_numbers
from climbfast.errors import DataError, Legal, Option, OptionError, UnknownColumnError
from climbfast.names import listing
from climbfast.options import flag

__all__ = [
    "DEFAULT_MARKERS",
    "DeclaredLevels",
    "Markers",
    "Missing",
    "Numbers",
    "Options",
    "ReadingOptions",
    "check_names",
    "check_options",
    "is_hashable",
    "is_legal_name",
]

Missing = Literal["refuse", "drop-rows", "level", "test-wise"]
Markers = Collection[Hashable] | Mapping[Hashable | None, Collection[Hashable]] | None
Numbers = str | Mapping[Hashable | None, str | Sequence[Any]] | Rules | Discretizer
DeclaredLevels = Mapping[Hashable, Sequence[Hashable]] | Literal[True] | None


class ReadingOptions(TypedDict, total=False):
    """The options of ``Dataset.from_frame``, which all functions that take a frame accept."""

    missing: str
    missing_markers: Markers
    declared_levels: DeclaredLevels
    numbers: Numbers
    weights: Hashable | None
    keep_ids: bool
    columns: Iterable[Hashable] | None
    leave_out: Iterable[Hashable] | None


# The markers of pandas, without those of old C runtimes ("-1.#IND"). "?" and "None" are not included: they are levels
# as often as they are markers (damage: None, Mild, Severe).
DEFAULT_MARKERS = ("", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NaT", "null", "NULL")

_MISSING: tuple[Missing, ...] = ("refuse", "drop-rows", "level", "test-wise")


@dataclass(frozen=True, slots=True)
class Options:
    """The checked options of reading one table; see `climbfast.read` for their meaning."""

    missing: Missing
    markers: frozenset[Hashable]
    markers_by_column: Mapping[Hashable, frozenset[Hashable]]
    declared: DeclaredLevels
    numbers: Rules
    weights: Hashable | None
    keep_ids: bool
    columns: tuple[Hashable, ...] | None
    leave_out: tuple[Hashable, ...]
    fitted: Discretizer | None = None  # the cuts of another table

    @property
    def declares_categories(self) -> bool:
        """Whether all categories of a categorical column are levels, also those that do not occur."""
        return self.declared is True

    def markers_for(self, name: Hashable) -> frozenset[Hashable]:
        """Return the values that stand for a missing cell in a column."""
        return self.markers_by_column.get(name, self.markers)

    def cuts(self, name: Hashable) -> bool:
        """Whether the numbers of a column are to be cut into levels."""
        return self.numbers.cuts(name) and self.declared_for(name) is None and name != self.weights

    def takes_fractions(self, name: Hashable) -> bool:
        """Whether each fractional number of a column is a level; the column of weights is refused elsewhere."""
        return name == self.weights or isinstance(self.numbers.rule_for(name), Levels)

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
        weights = () if self.weights is None else (self.weights,)
        for name in (*wanted, *self.leave_out, *declared, *self.markers_by_column, *self.numbers.named, *weights):
            if name not in existing:
                raise UnknownColumnError(name, names)
        selected = set(wanted) - set(self.leave_out) - set(weights)
        if not selected:
            raise DataError("no columns are left to read")
        selected |= set(weights)
        return [position for position, name in enumerate(names) if name in selected]


def check_options(
    *,
    missing: str,
    missing_markers: Markers,
    default_markers: Collection[Hashable] = (),
    declared_levels: DeclaredLevels,
    numbers: Numbers,
    weights: Hashable | None,
    keep_ids: bool,
    columns: Iterable[Hashable] | None,
    leave_out: Iterable[Hashable] | None,
) -> Options:
    """Return the options as one object; raise `OptionError` for a value that is not legal."""
    if missing not in _MISSING:
        raise OptionError(
            Option("missing", missing), " does not exist; use one of ", Legal(tuple(_MISSING), quoted=True)
        )
    if declared_levels is not None and declared_levels is not True and not isinstance(declared_levels, Mapping):
        raise OptionError(
            Option("declared_levels"), " is None, True, or a mapping from column names to lists of levels"
        )
    if isinstance(declared_levels, Mapping):
        _check_declared(declared_levels)
    if not is_hashable(weights):
        raise OptionError(Option("weights"), f" is {weights!r}; it has to be the name of one column")
    if weights is not None and weights in (_as_tuple("leave_out", leave_out) or ()):
        raise OptionError(
            f"column {weights!r} is named by both ", Option("weights"), " and ", Option("leave_out"),
            "; the column of weights is never among the columns of the data",
        )  # fmt: skip
    of_table, by_column = _split_markers(missing_markers, default_markers)
    fitted = numbers if isinstance(numbers, Discretizer) else None
    if fitted is not None:
        numbers = rules_of_cuts(fitted.rules, _cuts_of(fitted))
        marked = {name: _marker_values((*of_table, *texts)) for name, texts in fitted.markers.items() if texts}
        by_column = {
            name: marked.get(name, frozenset()) | by_column.get(name, frozenset()) for name in {**marked, **by_column}
        }
    return Options(
        missing=missing,
        markers=_marker_values(of_table),
        markers_by_column=by_column,
        declared=declared_levels,
        numbers=parse_rules(numbers),
        weights=weights,
        keep_ids=flag("keep_ids", keep_ids),
        columns=None if columns is None else _as_tuple("columns", columns),
        leave_out=_as_tuple("leave_out", leave_out),
        fitted=fitted,
    )


def _cuts_of(fitted: Discretizer) -> Mapping[Hashable, tuple[Cut, ...]]:
    if fitted.cuts is None:
        raise OptionError(Option("numbers"), " is a Discretizer without cuts; make them with its method fit()")
    return fitted.cuts


def is_hashable(value: object) -> bool:
    """Whether a value can be the name of a column, or a marker."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _split_markers(
    markers: Markers, default: Collection[Hashable]
) -> tuple[Collection[Hashable], dict[Hashable, frozenset[Hashable]]]:
    """Return the markers of the whole table, and those of single columns, which come beside them."""
    if not isinstance(markers, Mapping):
        return (default if markers is None else _as_tuple("missing_markers", markers)), {}
    of_table = _as_tuple("missing_markers", markers.get(None, tuple(default)))
    columns = {name: _as_tuple("missing_markers", those) for name, those in markers.items() if name is not None}
    return of_table, {name: _marker_values((*of_table, *those)) for name, those in columns.items()}


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
            values.add(number)  # exact, as text files have it, and as a float
            with suppress(OverflowError):
                values.add(float(number))
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
        if not is_legal_name(name):
            raise DataError(
                f"the column name {name!r} ({type(name).__name__}) cannot be written into results; names are text, "
                "finite numbers and tuples of these: rename it"
            )
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"column names that occur more than once: {listing(twice)}")


def is_legal_name(name: Hashable) -> bool:
    """Whether results and their files can carry a name."""
    if isinstance(name, tuple):
        return all(part is None or is_legal_name(part) for part in name)
    if isinstance(name, (float, np.floating)):
        return math.isfinite(name)
    return isinstance(name, (str, int, np.integer, np.bool_))
