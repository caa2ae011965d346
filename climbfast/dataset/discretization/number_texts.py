"""The numbers, dates and times in the texts of a column of a text file, in bulk.

The grammar of numbers is that of ``numbers.read_numbers``; polars reads the texts on all cores, without a Python object
for each. Besides, a decimal comma is read here, and dates and times in ISO form: whoever cuts a column wants it.

An operation of polars takes .3 ms, however few the texts are, and a column needs a dozen. So the columns of a file are
first looked at together, and only those that are not clear at first sight are parsed one by one.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.discretization.cuts import equal_floats
from climbfast.dataset.numbers import MOST_DIGITS, NUMBER
from climbfast.errors import DataError, Option

if TYPE_CHECKING:
    import polars as pl

__all__ = ["ParsedTexts", "parse_columns", "parse_texts"]

_BLANKS = " \t\r\n"
_NUMBER = rf"(?i)^(?:{NUMBER})$"
_WHOLE = r"^[+-]?(?:0|[1-9][0-9]*)$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_CLOCK = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?"
_TIME = rf"^{_CLOCK}$"
_DATETIME = rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:[T ]{_CLOCK})?$"
_ZONE = r"(?:Z|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)$"
_INSTANT = rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ]{_CLOCK}{_ZONE}"
# Of 1,000 and more: some of these are still legal, and such a column is parsed alone.
_LARGE_EXPONENT = r"[eE][+-]?0*[1-9][0-9]{3,}$"
_COMMA_OF_DECIMALS_OR_THOUSANDS = r"^[+-]?[1-9][0-9]{0,2},[0-9]{3}$"


class ParsedTexts(NamedTuple):
    """What the texts stand for, text by text; see ``NumericValues`` for the kinds. A missing one has any value."""

    kind: str
    values: NDArray[Any]
    missing: NDArray[np.bool_]


def parse_texts(name: Hashable, texts: pl.Series, markers: frozenset[Hashable]) -> ParsedTexts | None:
    """Return the numbers, dates or times that all texts are; None if some text is neither missing nor one of these.

    Raises
    ------
    DataError
        For a number that no float can hold, and for commas that may stand before decimals or before thousands.
    """
    import polars as pl

    texts = texts.cast(pl.String)
    stripped = texts.str.strip_chars()
    missing = stripped.is_null() | stripped.is_in([text for text in markers if isinstance(text, str)]).fill_null(False)
    present = texts.str.strip_chars(_BLANKS).filter(~missing)
    found = _numbers(name, present) or _moments(present)
    if found is None:
        return None
    kind, numbers = found
    values = np.zeros(len(texts), dtype=numbers.dtype)
    values[~missing.to_numpy()] = numbers
    return ParsedTexts(kind, values, missing.to_numpy())


def parse_columns(
    names: Sequence[Hashable], texts: pl.Series, counts: Sequence[int], markers: Sequence[frozenset[Hashable]]
) -> list[ParsedTexts | DataError | None]:
    """Return for each of some columns what ``parse_texts`` returns, or the error that it raises.

    Parameters
    ----------
    names : sequence of hashable
    texts : Series
        The texts of all columns, one after the other.
    counts : sequence of int
        How many texts each column has.
    markers : sequence of frozenset
        The values that stand for a missing cell in each column.
    """
    ends = np.cumsum(counts).tolist()
    # A column that is alone would only be looked at twice.
    seen = _at_first_sight(texts, ends, markers) if len(names) > 1 else [_FirstSight(is_clear=False)] * len(names)
    found: list[ParsedTexts | DataError | None] = []
    for name, count, end, of_column, (is_clear, parsed) in zip(names, counts, ends, markers, seen, strict=True):
        try:
            found.append(parsed if is_clear else parse_texts(name, texts.slice(end - count, count), of_column))
        except DataError as error:
            found.append(error)
    return found


class _FirstSight(NamedTuple):
    """Whether it is clear at first sight what the texts of a column are, and their numbers if they are that."""

    is_clear: bool
    parsed: ParsedTexts | None = None


def _at_first_sight(
    texts: pl.Series, ends: Sequence[int], markers: Sequence[frozenset[Hashable]]
) -> Iterator[_FirstSight]:
    """Yield for each column whether it is clear at first sight: plain numbers, or neither numbers nor dates nor times.

    It is neither of these if one text is no number, has neither a comma nor a colon, and is no date.
    """
    import polars as pl

    marked = [frozenset(text for text in each if isinstance(text, str)) for each in markers]
    stripped, is_null = texts.str.strip_chars(), texts.is_null().to_numpy()
    missing_by = {each: is_null | stripped.is_in(list(each)).fill_null(False).to_numpy() for each in set(marked)}
    present = texts.str.strip_chars(_BLANKS).fill_null("")
    is_number = present.str.contains(_NUMBER)
    is_other = ~(is_number | present.str.contains("[,:]") | present.str.contains(_DATE)).to_numpy()
    is_small = (present.str.len_bytes() <= MOST_DIGITS) & ~present.str.contains(_LARGE_EXPONENT)
    is_whole = present.str.contains(_WHOLE).to_numpy()
    whole = present.str.strip_prefix("+").cast(pl.Int64, strict=False)
    real = present.cast(pl.Float64, strict=False).fill_null(math.inf).to_numpy()  # inf: not read, or too large
    is_plain = (is_number & is_small).to_numpy() & np.isfinite(real)
    is_plain_whole = is_whole & ~whole.is_null().to_numpy()
    whole_numbers = whole.fill_null(0).to_numpy()
    begin = 0
    for end, of_column in zip(ends, marked, strict=True):
        part, begin = slice(begin, end), end
        missing = missing_by[of_column][part]
        there = ~missing
        if is_other[part][there].any():
            yield _FirstSight(is_clear=True)
        elif is_plain_whole[part][there].all():
            values = np.where(there, whole_numbers[part], 0)
            yield _FirstSight(is_clear=True, parsed=ParsedTexts("number", values, missing))
        elif is_plain[part][there].all() and not is_whole[part][there].all():
            values = np.where(there, real[part], 0.0)
            yield _FirstSight(is_clear=True, parsed=ParsedTexts("number", values, missing))
        else:  # also whole numbers past int64, of which two may be one float
            yield _FirstSight(is_clear=False)


def _numbers(name: Hashable, texts: pl.Series) -> tuple[str, NDArray[Any]] | None:
    import polars as pl

    if not _are_numbers(texts):
        commas = texts.filter(texts.str.contains(",", literal=True))
        texts = texts.str.replace(",", ".", literal=True)
        if commas.is_empty() or not _are_numbers(texts):
            return None
        if commas.str.contains(_COMMA_OF_DECIMALS_OR_THOUSANDS).all():
            raise DataError(
                f"column {name!r} has numbers such as {commas[0]}, whose comma may stand before decimals or before "
                "thousands; write them with a point or without a comma, or take the column as text with ",
                Option("numbers", {name: "levels"}),
            )
    if texts.str.contains(_WHOLE).all():
        whole = texts.str.strip_prefix("+").cast(pl.Int64, strict=False)
        if not whole.null_count():
            return "number", whole.to_numpy()
        _refuse_equal_floats(name, texts)
    read = texts.cast(pl.Float64, strict=False)
    if read.null_count():
        read = texts.str.to_lowercase().str.strip_prefix("+").cast(pl.Float64, strict=False)
    numbers = read.to_numpy()
    odd = np.flatnonzero(~np.isfinite(numbers))
    if odd.size:
        text = texts[int(odd[0])]
        if "inf" in text.lower():
            raise DataError(
                f"column {name!r} has infinite values; replace them, or mark them as missing with ",
                Option("missing_markers"),
            )
        raise DataError(f"column {name!r} has a number that is too large to be cut (such as {text})")
    return "number", numbers


def _refuse_equal_floats(name: Hashable, texts: pl.Series) -> None:
    """Refuse integers past all integer types of which two are one float."""
    import polars as pl

    integers = texts.str.strip_prefix("+").str.replace("^-0$", "0").unique()
    if integers.cast(pl.Float64, strict=False).n_unique() < len(integers):
        raise equal_floats(name, max(map(int, integers.to_list()), key=abs))


def _are_numbers(texts: pl.Series) -> bool:
    if not texts.str.contains(_NUMBER).all() or (texts.str.len_bytes().max() or 0) > MOST_DIGITS:  # type: ignore[operator]
        return False
    if not texts.str.contains("[eE]").any():
        return True
    exponents = texts.str.extract(r"[eE][+-]?0*([0-9]+)$", 1).drop_nulls()
    return not ((exponents.str.len_chars() > 9) | (exponents.str.slice(0, 9).str.to_integer() > MOST_DIGITS)).any()


def _moments(texts: pl.Series) -> tuple[str, NDArray[np.int64]] | None:
    import polars as pl

    if texts.is_empty():
        return None
    if texts.str.contains(_TIME).all():
        full = pl.when(pl.col("text").str.len_chars() == 5).then(pl.col("text") + ":00").otherwise(pl.col("text"))
        times = pl.DataFrame({"text": texts}).select(full.str.to_time("%H:%M:%S%.f", strict=False)).to_series()
        return None if times.null_count() else ("time", times.to_physical().cast(pl.Int64).to_numpy() // 1000)
    if texts.str.contains(_INSTANT).all():
        found = _moments_without_zone(texts.str.replace(_ZONE, ""))
        return None if found is None else ("instant", found - _microseconds_of_zones(texts))
    if not texts.str.contains(_DATETIME).all():
        return None
    if texts.str.contains(_DATE).all():
        days = texts.str.to_date("%Y-%m-%d", strict=False)
        return None if days.null_count() else ("date", days.to_physical().cast(pl.Int64).to_numpy())
    found = _moments_without_zone(texts)
    return None if found is None else ("datetime", found)


def _moments_without_zone(texts: pl.Series) -> NDArray[np.int64] | None:
    """Return times in microseconds since 1970; None if some text is none."""
    import polars as pl

    frame = pl.DataFrame({"text": texts.str.replace("T", " ", literal=True)})
    text, size = pl.col("text"), pl.col("text").str.len_chars()
    full = pl.when(size == 10).then(text + " 00:00:00").when(size == 16).then(text + ":00").otherwise(text)
    moments = frame.select(full.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us", strict=False)).to_series()
    return None if moments.null_count() else moments.to_physical().to_numpy()


def _microseconds_of_zones(texts: pl.Series) -> NDArray[np.int64]:
    """Return the distance of each time from UTC."""
    import polars as pl

    zones = texts.str.extract(_ZONE, 0).str.replace("Z", "+00:00", literal=True).str.replace(":", "", literal=True)
    hours, minutes = zones.str.slice(1, 2).cast(pl.Int64), zones.str.slice(3, 2).str.pad_start(2, "0").cast(pl.Int64)
    east = (zones.str.slice(0, 1) == "+").to_numpy()
    size = (60 * hours + minutes).to_numpy() * 60_000_000
    return np.where(east, size, -size)
