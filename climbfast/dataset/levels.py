"""The distinct values of one column as ordered levels.

These functions process each distinct value once, not each cell, so plain Python is fast enough.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from climbfast.dataset.numbers import MOST_DIGITS, has_decimal_commas, read_numbers
from climbfast.dataset.options import Options
from climbfast.errors import DataError, Option

__all__ = ["MISSING", "arrange", "arrange_categories", "arrange_texts", "infinite_values", "is_missing", "kind_of"]

Levels = tuple[Hashable, ...]
Places = list[int]

_NUMPY_SCALARS = (np.str_, np.bytes_, np.bool_)

# The place of a missing value.
MISSING = -1
_MANY_TEXTS = 1 << 17
_LARGEST_NUMBER = 10 ** (2 * MOST_DIGITS)

# Order matters: a bool is an int, and a datetime is a date.
_KINDS: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("bool", (bool, np.bool_)),
    ("timedelta", (dt.timedelta, np.timedelta64)),  # before numbers: NumPy's timedelta is a signed integer
    ("number", (int, float, Decimal, Fraction, np.integer, np.floating)),
    ("text", (str,)),
    ("bytes", (bytes,)),
    ("datetime", (dt.datetime, np.datetime64)),
    ("date", (dt.date,)),
    ("time", (dt.time,)),
)


def kind_of(cell_type: type) -> str | None:
    """Return the kind of values that a Python type belongs to; None for a type that cannot be a level."""
    return next((kind for kind, types in _KINDS if issubclass(cell_type, types)), None)


def is_missing(value: Any, markers: frozenset[Hashable]) -> bool:
    """Whether a value stands for a missing cell: null, NaN, NaT, "" and the markers."""
    # pandas.NA and NaT by name: importing pandas would make it a dependency.
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, str):
        return value.strip() in markers
    if isinstance(value, (bool, np.bool_)):  # by its text, because it equals 0 or 1
        return str(value) in markers
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    if isinstance(value, (float, Decimal, np.floating)) and value != value:
        return True
    return value == b"" or value in markers or str(value) in markers


def arrange(name: Hashable, values: Sequence[Any], options: Options) -> tuple[Levels, Places]:
    """Sort distinct values into levels.

    Returns
    -------
    levels : tuple
        The levels, ascending.
    places : list of int
        The position of each value in `levels`; `MISSING` for a missing value.
    """
    missing = [is_missing(value, options.markers_for(name)) for value in values]
    return _arrange_present(name, values, missing, options)


def _arrange_present(
    name: Hashable, values: Sequence[Any], missing: Sequence[bool], options: Options
) -> tuple[Levels, Places]:
    present = _present(values, missing)
    kind = _one_kind(name, present)
    if kind == "number":
        present = _numbers(name, present, options)
    else:
        present = [value.item() if isinstance(value, _NUMPY_SCALARS) else value for value in present]
    try:
        levels = tuple(_distinct_texts(present) if kind == "text" else sorted(set(present)))
    except TypeError:
        raise DataError(
            f"column {name!r} mixes times with a time zone and times without one; convert them to one kind"
        ) from None
    return levels, _places(present, missing, levels)


def arrange_texts(name: Hashable, texts: Sequence[str | None], options: Options) -> tuple[Levels, Places]:
    """Sort the distinct texts of a column of a text file into levels, as numbers if every text is a number."""
    declared = options.declared_for(name)
    if declared is not None and all(isinstance(level, str) for level in declared):
        return arrange(name, texts, options)
    missing = [text is None or text.strip() in options.markers_for(name) for text in texts]
    numbers = read_numbers(_present(texts, missing))
    if numbers is None:
        present = _present(texts, missing)
        if not options.takes_fractions(name) and has_decimal_commas(present):
            comma = next(text for text in present if "," in text)
            raise _refusal(name, f"numbers with decimal commas (such as {comma})")
        return _arrange_present(name, texts, missing, options)
    each = iter(numbers)
    return arrange(name, [None if is_gap else next(each) for is_gap in missing], options)


def arrange_categories(
    name: Hashable, categories: Sequence[Any], options: Options, *, ordered: bool
) -> tuple[Levels, Places]:
    """Return categories as levels: ordered categories in their own order, others sorted.

    The user has chosen the categories as levels, so fractions and intervals are accepted here.
    """
    missing = [is_missing(value, options.markers_for(name)) for value in categories]
    present = [_plain(value) for value in _present(categories, missing)]
    levels = tuple(present if ordered else _sorted(present))
    return levels, _places(present, missing, levels)


def _distinct_texts(texts: Sequence[str]) -> list[str]:
    """Return the distinct texts, ascending.

    Python sorts millions of texts for seconds, during which no other thread runs and Ctrl-C is not heard; polars sorts
    them in threads of its own, and in the same order.
    """
    if len(texts) >= _MANY_TEXTS:
        import polars as pl

        with suppress(UnicodeError):  # half a surrogate pair, which polars does not have
            return pl.Series(texts, dtype=pl.String).unique().sort().to_list()
    return sorted(set(texts))


def _sorted(values: Iterable[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:  # categories of several kinds
        return sorted(values, key=lambda value: (type(value).__name__, str(value)))


def _present(values: Sequence[Any], missing: Sequence[bool]) -> list[Any]:
    return [value for value, is_gap in zip(values, missing, strict=True) if not is_gap]


def _places(present: Sequence[Any], missing: Sequence[bool], levels: Levels) -> Places:
    position = {level: place for place, level in enumerate(levels)}
    places = iter([position[value] for value in present])
    return [MISSING if is_gap else next(places) for is_gap in missing] if any(missing) else list(places)


def _plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) and not isinstance(value, np.datetime64) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _one_kind(name: Hashable, values: Iterable[Any]) -> str | None:
    kinds = {kind_of(cell_type): cell_type for cell_type in set(map(type, values))}
    if None in kinds:
        raise DataError(
            f"column {name!r} has cells of type {kinds[None].__name__}, which cannot be levels; convert them to text"
        )
    if len(kinds) > 1:
        found = " and ".join(sorted(str(kind) for kind in kinds))
        raise DataError(f"column {name!r} mixes values of several kinds ({found}); convert them to one kind")
    return next(iter(kinds), None)


def _numbers(name: Hashable, values: Sequence[Any], options: Options) -> list[Any]:
    """Return integers if all values are whole; else floats, or what is exact where floats would merge values."""
    if any(map(_is_infinite, values)):
        raise infinite_values(name)
    if any(map(_is_too_long, values)):
        raise DataError(f"column {name!r} has a number of more than {MOST_DIGITS:,} digits; make the column text")
    whole = [int(value) for value in values]
    fraction = next((value for value, floor in zip(values, whole, strict=True) if value != floor), None)
    if fraction is None:
        return whole
    if not options.takes_fractions(name):
        raise _refusal(name, f"fractional numbers (such as {fraction})")
    return _as_floats(values) or _as_exact(values)


def _is_infinite(value: Any) -> bool:
    if isinstance(value, Decimal):  # math.isinf would take one past all floats for infinite
        return value.is_infinite()
    return isinstance(value, (float, np.floating)) and math.isinf(value)


def _is_too_long(value: Any) -> bool:
    if isinstance(value, (float, np.floating)):  # NumPy's cannot even be compared with such an integer
        return False
    # Comparing a Decimal with an integer of 4,000 digits takes 0.2 ms.
    return value.adjusted() >= 2 * MOST_DIGITS if isinstance(value, Decimal) else bool(abs(value) >= _LARGEST_NUMBER)


def infinite_values(name: Hashable) -> DataError:
    """Return the error of a column with infinite numbers."""
    return DataError(
        f"column {name!r} has infinite values; replace them, or mark them as missing with ", Option("missing_markers")
    )


def _refusal(name: Hashable, numbers: str) -> DataError:
    return DataError(
        f"column {name!r} has {numbers}; cut all such columns into levels with ", Option("numbers", "auto"),
        ", this one alone with ", Option("numbers", {name: "quantile:4"}), ", or make each number a level with ",
        Option("numbers", "levels"),
    )  # fmt: skip


def _as_floats(values: Sequence[Any]) -> list[float] | None:
    """Return the values as floats; None if two would be one, or one would be 0 or infinite."""
    try:
        floats = [float(value) for value in values]
    except OverflowError:
        return None
    lost = any(math.isinf(new) or (new == 0 and value != 0) for value, new in zip(values, floats, strict=True))
    return None if lost or len(set(floats)) < len(set(values)) else floats


def _as_exact(values: Sequence[Any]) -> list[Any]:
    """Return the values as Decimal, or all as Fraction if one is: these compare exactly with their like alone."""
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    if any(isinstance(value, Fraction) for value in plain):
        return [Fraction(value) for value in plain]
    return [Decimal(value) for value in plain]
