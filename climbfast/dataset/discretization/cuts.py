"""The cuts of one column, the levels between them, and their names.

A column is cut into ``[a, b)``: a value equal to a cut lies above it. Only the distinct values and their counts are
needed. Dates and times are integers here, days or microseconds, and their cuts are rounded up to the next whole one,
which lies between the same values.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.discretization.rules import Cut
from climbfast.errors import DataError, Option

__all__ = [
    "NumericValues",
    "check_years",
    "chosen_cuts",
    "cut_to_json",
    "cuts_between",
    "equal_floats",
    "even_cuts",
    "has_fraction",
    "interval_names",
    "make_cuts",
    "numbers_of_objects",
    "places_of",
    "quantile_cuts",
    "texts_of_cuts",
    "width_cuts",
]

KINDS = {
    "number": "numbers",
    "date": "dates",
    "datetime": "times",
    "instant": "times with a zone",
    "time": "times of a day",
}
_EPOCH = dt.datetime(1970, 1, 1)
_ORDINAL_OF_1970 = dt.date(1970, 1, 1).toordinal()
_A_MICROSECOND = dt.timedelta(microseconds=1)
_SIGNIFICANT = 6  # a number of so few digits is written as it is
_FEWEST_DIGITS, _MOST_DIGITS = 3, 17
_LEAST_DISTANCE = 1e-8  # of two quantiles, as scikit-learn has it


class NumericValues(NamedTuple):
    """The distinct values of a column that can be cut.

    Attributes
    ----------
    kind : {"number", "date", "datetime", "instant", "time"}
        A number is itself; a date is in days since 1970; a datetime, and an instant (a datetime with a time zone, in
        UTC), in microseconds since 1970; the time of a day in microseconds.
    values : ndarray of float64, int64 or uint64
        Ascending.
    counts : ndarray of int64, optional
        The number of rows of each, where it is known.
    """

    kind: str
    values: NDArray[Any]
    counts: NDArray[np.int64] | None = None


def numbers_of_objects(name: Hashable, values: Sequence[Any]) -> tuple[str, NDArray[Any]] | None:
    """Return the kind of Python values and the numbers that stand for them; None unless all are of one such kind."""
    kinds = {_kind_of(value) for value in values} or {"number"}
    if len(kinds) > 1 or None in kinds:
        return None
    kind = str(kinds.pop())
    if kind != "number":
        return kind, np.array([_number(kind, _python(value)) for value in values], dtype=np.int64)
    whole: list[int] = []
    try:
        if all(value == int(value) for value in values):
            whole = [int(value) for value in values]
            if all(-(1 << 63) <= value < 1 << 63 for value in whole):
                return kind, np.array(whole, dtype=np.int64)
        numbers = np.array([float(value) for value in values], dtype=np.float64)
    except OverflowError:
        numbers = np.array([np.inf])
    if not np.isfinite(numbers).all():
        raise DataError(
            f"column {name!r} has infinite values or numbers past all floats, which cannot be cut; replace them, or "
            "mark them as missing with ", Option("missing_markers"),
        )  # fmt: skip
    if np.unique(numbers).size < len(set(whole)):
        raise equal_floats(name, max(whole, key=abs))
    return kind, numbers


def equal_floats(name: Hashable, number: object) -> DataError:
    """Return the error of a column with integers past all integer types, of which two are the same float."""
    return DataError(
        f"column {name!r} has whole numbers that floats cannot tell apart (such as {number}), and cannot be cut; "
        "leave it out with ", Option("leave_out", [name]), ", or take each as a level with ",
        Option("numbers", {name: "levels"}),
    )  # fmt: skip


def _kind_of(value: Any) -> str | None:
    if isinstance(value, bool | np.bool_ | dt.timedelta | np.timedelta64):
        return None
    if isinstance(value, int | float | Decimal | Fraction | np.integer | np.floating):
        return "number"
    if isinstance(value, dt.datetime | np.datetime64):
        return "datetime" if getattr(value, "tzinfo", None) is None else "instant"
    if isinstance(value, dt.date):
        return "date"
    return "time" if isinstance(value, dt.time) and value.tzinfo is None else None


def _python(value: Any) -> Any:
    if isinstance(value, np.datetime64):
        return value.astype("datetime64[us]").item()
    value = value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value
    return value.astimezone(dt.UTC) if _zone(value) else value


def has_fraction(column: NumericValues) -> bool:
    """Whether some number is not whole."""
    return column.values.dtype.kind == "f" and bool(np.mod(column.values, 1).any())


def quantile_cuts(column: NumericValues, counts: NDArray[np.int64], levels: int) -> tuple[Cut, ...]:
    """Return the inner quantiles, interpolated linearly between rows; equal ones, and those at the ends, merge.

    They are the inner edges of scikit-learn's ``KBinsDiscretizer`` with the strategy "quantile" and the method
    "linear": ``numpy.percentile``, to the bit. Edges that are not more than 1e-8 apart merge.
    """
    rows = np.cumsum(counts)
    if not rows.size or rows[-1] == 0:
        return ()
    last = int(rows[-1]) - 1
    if _is_past_floats(column):
        return _exact_cuts(column, [_exact_quantile(column, rows, last * i, levels) for i in range(levels + 1)])
    place = last * (np.linspace(0, 100, levels + 1) / 100)
    below = np.minimum(np.floor(place), last).astype(np.int64)
    low, high = (_value_of_row(column, rows, row) for row in (below, np.minimum(below + 1, last)))
    edges = _interpolate(low, high, place - below)
    apart = np.append(True, np.diff(edges) > _LEAST_DISTANCE)
    return make_cuts(column, edges[apart][1:-1])


def _interpolate(
    low: NDArray[np.float64], high: NDArray[np.float64], share: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what lies at a share of the way, rounded as NumPy does."""
    with np.errstate(over="ignore", invalid="ignore"):
        distance = high - low
        edges = np.where(share < 0.5, low + distance * share, high - distance * (1 - share))
    return np.where(np.isfinite(edges), edges, low * (1 - share) + high * share)


def _value_of_row(column: NumericValues, rows: NDArray[np.int64], row: NDArray[np.int64]) -> NDArray[np.float64]:
    return column.values[np.searchsorted(rows, row, side="right")].astype(np.float64)


def _is_past_floats(column: NumericValues) -> bool:
    """Whether some integers have no float of their own, so that only integers can lie between them."""
    ends = column.values[[0, -1]].tolist() if column.values.size and column.values.dtype.kind in "iu" else ()
    return any(abs(end) > 1 << 53 for end in ends)


def _exact_quantile(column: NumericValues, rows: NDArray[np.int64], place: int, levels: int) -> Fraction:
    below, part = divmod(place, levels)
    above = min(below + 1, int(rows[-1]) - 1)
    low, high = (int(column.values[np.searchsorted(rows, row, side="right")]) for row in (below, above))
    return low + Fraction((high - low) * part, levels)


def _exact_cuts(column: NumericValues, edges: Sequence[Fraction]) -> tuple[Cut, ...]:
    return _cuts_of_integers(column, map(math.ceil, sorted(set(edges))[1:-1]))


def _cuts_of_integers(column: NumericValues, cuts: Iterable[int]) -> tuple[Cut, ...]:
    distinct = sorted(set(cuts))
    return tuple(distinct) if column.kind == "number" else tuple(_time(column.kind, cut) for cut in distinct)


def even_cuts(column: NumericValues, counts: NDArray[np.int64], levels: int) -> tuple[Cut, ...]:
    """Return cuts between values, so that the levels have about equal numbers of rows.

    The cuts are at the boundaries between values that are nearest to equal numbers of rows, each taken once. Where
    there are not more values than levels, each value is a level; and so is the lowest or the highest value if it has
    most rows, whereas the quantiles of such a column are that value itself.
    """
    used = np.flatnonzero(counts)
    if used.size <= levels:
        return cuts_between(column, used[:-1], used[1:])
    rows = np.cumsum(counts[used])
    below = sorted({_nearest_boundary(rows, i, levels) for i in range(1, levels)})
    return cuts_between(column, used[below], used[np.array(below) + 1])


def _nearest_boundary(rows: NDArray[np.int64], part: int, parts: int) -> int:
    """Return the value behind which nearest to ``part`` of ``parts`` of the rows lie, the lower one of two."""
    total = int(rows[-1])
    above = min(int(np.searchsorted(rows, total * part // parts)), rows.size - 2)
    near = range(max(above - 1, 0), min(above + 2, rows.size - 1))
    return min(near, key=lambda value: (abs(int(rows[value]) * parts - total * part), value))


def cuts_between(column: NumericValues, low: NDArray[np.intp], high: NDArray[np.intp]) -> tuple[Cut, ...]:
    """Return cuts in the middle between values at these places, ascending."""
    if _is_past_floats(column):
        pairs = zip(column.values[low].tolist(), column.values[high].tolist(), strict=True)
        return _cuts_of_integers(column, [(below + above + 1) // 2 for below, above in pairs])
    below, above = column.values[low].astype(np.float64), column.values[high].astype(np.float64)
    middle = below / 2 + above / 2
    return make_cuts(column, np.where(middle > below, middle, above))


def width_cuts(column: NumericValues, counts: NDArray[np.int64], levels: int) -> tuple[Cut, ...]:
    """Return cuts at equal distances, as scikit-learn's ``strategy="uniform"`` and ``numpy.linspace`` have them."""
    values = column.values[counts > 0]
    if not values.size:
        return ()
    if _is_past_floats(column):
        first, last = int(values[0]), int(values[-1])
        return _exact_cuts(column, [first + Fraction((last - first) * i, levels) for i in range(levels + 1)])
    low, high = float(values[0]), float(values[-1])
    with np.errstate(over="ignore", invalid="ignore"):
        edges = np.linspace(low, high, levels + 1)
    if not np.isfinite(edges).all():  # the difference is past all floats
        share = np.linspace(0, 1, levels + 1)
        edges = low * (1 - share) + high * share
    return make_cuts(column, _between_ends(edges))


def _between_ends(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    distinct = np.unique(edges)
    return distinct[1:-1]


def make_cuts(column: NumericValues, cuts: NDArray[np.float64]) -> tuple[Cut, ...]:
    """Return cuts as plain values of the kind of the column, whole numbers as int; equal dates merge."""
    if column.kind == "number":
        return tuple(int(cut) if cut.is_integer() else cut for cut in cuts.tolist())
    return _cuts_of_integers(column, map(math.ceil, cuts.tolist()))


def check_years(name: Hashable, column: NumericValues) -> None:
    """Raise DataError for dates and times that Python does not have, and so no cut could be."""
    if not column.values.size or column.kind not in ("date", "datetime", "instant"):
        return
    first, last = (_number(column.kind, end) for end in (dt.datetime.min, dt.datetime.max))
    if column.values[0] < first or column.values[-1] > last:
        raise DataError(f"column {name!r} has {KINDS[column.kind]} outside of the years 1 to 9999, which cannot be cut")


def _time(kind: str, number: int) -> Cut:
    if kind == "date":
        return dt.date.fromordinal(_ORDINAL_OF_1970 + number)
    moment = _EPOCH + number * _A_MICROSECOND
    if kind == "time":
        return moment.time()
    return moment.replace(tzinfo=dt.UTC) if kind == "instant" else moment


def chosen_cuts(name: Hashable, kind: str, cuts: Sequence[Cut]) -> tuple[Cut, ...]:
    """Return cuts that the user chose as the kind of the column has them; dates are cuts of times, and the reverse.

    Raises
    ------
    DataError
        If the cuts are of another kind than the column.
    """
    given: list[Any] = list(cuts)
    if kind in ("date", "datetime") and all(isinstance(cut, dt.date) and not _zone(cut) for cut in given):
        moments = [cut if isinstance(cut, dt.datetime) else dt.datetime.combine(cut, dt.time()) for cut in given]
        if kind == "datetime":
            return tuple(moments)
        days = {-((_EPOCH - moment) // dt.timedelta(days=1)) for moment in moments}
        return tuple(_time("date", day) for day in sorted(days))
    if kind == "instant" and all(isinstance(cut, dt.datetime) and _zone(cut) for cut in given):
        return tuple(cut.astimezone(dt.UTC) for cut in given)
    if kind == "time" and all(isinstance(cut, dt.time) and cut.tzinfo is None for cut in given):
        return tuple(given)
    if kind == "number" and all(isinstance(cut, int | float) for cut in given):
        return tuple(given)
    raise DataError(f"column {name!r} has {KINDS[kind]}, and its cuts are not (such as {given[0]})")


def _zone(cut: Any) -> bool:
    return isinstance(cut, dt.datetime) and cut.tzinfo is not None


def places_of(column: NumericValues, cuts: Sequence[Cut]) -> NDArray[np.intp]:
    """Return the level of each value: the number of cuts that are not above it."""
    if column.kind != "number":
        return np.searchsorted(
            np.array([_number(column.kind, cut) for cut in cuts], dtype=np.int64), column.values, "right"
        )
    if column.values.dtype.kind == "f":
        return np.searchsorted(np.array(cuts, dtype=np.float64), column.values, "right")
    # A whole number past 2^53 has no float of its own, so that cuts become whole numbers instead.
    limits = np.iinfo(column.values.dtype)
    whole = [math.ceil(cut) for cut in cuts]  # type: ignore[arg-type]  # numbers by now
    below = sum(cut <= limits.min for cut in whole)
    inside = [cut for cut in whole if limits.min < cut <= limits.max]
    return below + np.searchsorted(np.array(inside, dtype=column.values.dtype), column.values, "right")


def _number(kind: str, cut: Any) -> int:
    if kind == "date":
        return int(cut.toordinal()) - _ORDINAL_OF_1970
    if kind == "time":
        cut = dt.datetime.combine(_EPOCH.date(), cut)
    return (cut.replace(tzinfo=None) - _EPOCH) // _A_MICROSECOND  # type: ignore[no-any-return]  # a Cut is Any


def cut_to_json(cut: Cut) -> Any:
    """Return a number as it is, a date or a time in ISO form."""
    return cut.isoformat() if isinstance(cut, dt.date | dt.time) else cut


def interval_names(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the levels between cuts, such as "(-inf, 18)", "[18, 35)" and "[35, inf)"."""
    if not texts:
        return ("(-inf, inf)",)
    inner = [f"[{low}, {high})" for low, high in itertools.pairwise(texts)]
    return (f"(-inf, {texts[0]})", *inner, f"[{texts[-1]}, inf)")


def texts_of_cuts(
    cuts: Sequence[Any], column: NumericValues | None = None, *, in_full: bool = False
) -> tuple[str, ...]:
    """Return dates in ISO form, and numbers with few digits.

    There are as many digits as tell the cuts apart, and as it takes that no value of the column lies between a cut and
    its text; in full, as many as the cuts have.
    """
    if any(isinstance(cut, dt.date | dt.time) for cut in cuts):
        return tuple(cut.isoformat() for cut in cuts)
    below = None if column is None else _values_below(column, cuts)
    for digits in range(_MOST_DIGITS if in_full else _FEWEST_DIGITS, _MOST_DIGITS):
        texts = tuple(_text(cut, digits) for cut in cuts)
        numbers = [cut if isinstance(cut, int) else float(text) for cut, text in zip(cuts, texts, strict=True)]
        if all(low < high for low, high in itertools.pairwise(numbers)) and (
            column is None or _values_below(column, numbers) == below
        ):
            return texts
    return tuple(_text(cut, _MOST_DIGITS) for cut in cuts)


def _values_below(column: NumericValues, cuts: Sequence[float]) -> list[int]:
    """Return how many of the values are below each cut."""
    if column.values.dtype.kind == "f":
        return np.searchsorted(column.values, np.array(cuts, dtype=np.float64)).tolist()  # type: ignore[no-any-return]
    limits = np.iinfo(column.values.dtype)
    whole = [min(max(math.ceil(cut), limits.min), limits.max) for cut in cuts]
    return np.searchsorted(column.values, np.array(whole, dtype=column.values.dtype)).tolist()  # type: ignore[no-any-return]


def _text(cut: float, digits: int) -> str:
    """Return a number of few digits as it is, any other one rounded to so many digits; whole numbers are exact."""
    if isinstance(cut, int) or (cut.is_integer() and abs(cut) < 1e15):
        return str(int(cut))
    sizes = 1e-4 <= abs(cut) < 1e15
    write = np.format_float_positional if sizes else np.format_float_scientific
    exact = write(cut, trim="-")
    if sum(map(str.isdigit, exact.partition("e")[0].replace("0.", "").lstrip("-0"))) <= _SIGNIFICANT:
        return exact
    if not sizes:
        return np.format_float_scientific(cut, precision=digits - 1, trim="-")
    before = len(str(int(abs(cut)))) if abs(cut) >= 1 else 0
    return np.format_float_positional(cut, precision=max(digits, before), fractional=False, trim="-")
