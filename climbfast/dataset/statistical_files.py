"""Files of SPSS, Stata and SAS as a frame with value labels, read by pyreadstat.

It is called in a process of its own, see ``foreign``: a damaged file can end it.
"""

from __future__ import annotations

import codecs
import datetime as dt
import io
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from climbfast.dataset.sources import Source
from climbfast.dataset.table import Labels, Table
from climbfast.errors import DataError, Option
from climbfast.names import escaped

if TYPE_CHECKING:
    import polars as pl

__all__ = ["read_statistical_file"]

_MAGIC_OF_ZSAV = b"$FL3"
_LARGEST_RATIO_OF_ZLIB = 1032
PROGRAMS = {"sav": "SPSS", "dta": "Stata", "sas7bdat": "SAS"}


def read_statistical_file(source: Source, form: str, encoding: str | None) -> Table:
    """Read a file of SPSS, Stata or SAS; values that its user defined as missing are missing cells.

    Raises
    ------
    DataError
        If the file cannot be read.
    """
    import polars as pl
    import pyreadstat

    readers: dict[str, Callable[..., Any]] = {
        "sav": pyreadstat.read_sav, "dta": pyreadstat.read_dta, "sas7bdat": pyreadstat.read_sas7bdat,
    }  # fmt: skip
    name_of_encoding = _name_of(encoding)

    def load(**options: Any) -> Any:
        content = source.for_polars()
        file = io.BytesIO(content) if isinstance(content, bytes) else str(content)
        return readers[form](file, output_format="dict", encoding=name_of_encoding, **options)

    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            head = load(metadataonly=True, user_missing=True)[1]
            _refuse_impossible_rows(source, form, head.number_rows)
            columns, about = load()
        frame = pl.DataFrame([_series(name, cells, about) for name, cells in columns.items()])
    except DataError:
        raise
    except Exception as error:  # ReadstatError, and what the conversion of its cells raises
        raise _refusal(form, error) from None
    for warning in warned:
        if "duplicated" in str(warning.message):
            raise DataError(f"column names that occur more than once: {escaped(str(warning.message))}")
    labels = {
        name: _usable(those, head.missing_ranges.get(name, ()), is_text=frame.schema[name] == pl.String)
        for name, those in about.variable_value_labels.items()
        if name in frame.columns
    }
    return Table(frame, {name: those for name, those in labels.items() if those})


def _refuse_impossible_rows(source: Source, form: str, rows: int | None) -> None:
    """Refuse a damaged count of rows, which would be read for minutes: a row takes a byte and more."""
    with source.open() as file:
        is_packed = file.read(4) == _MAGIC_OF_ZSAV
    if (rows or 0) > source.size() * (_LARGEST_RATIO_OF_ZLIB if is_packed else 1):
        raise DataError(f"not a readable {PROGRAMS[form]} file: it says that it has {rows:,} rows, which cannot be")


def _name_of(encoding: str | None) -> str | None:
    """Return the name that iconv has for an encoding."""
    try:
        return None if encoding is None else codecs.lookup(encoding).name.upper()
    except LookupError:
        raise DataError(f"the encoding {encoding!r} is unknown; use one such as 'latin-1' or 'cp1252'") from None


def _refusal(form: str, error: Exception) -> DataError:
    reason = escaped((str(error).strip().splitlines() or [type(error).__name__])[0][:200])
    if "convert string" in reason or isinstance(error, UnicodeError):
        return DataError(f"its text is not in the encoding that it names ({reason}); name it, such as ", _LATIN)
    return DataError(f"not a readable {PROGRAMS[form]} file: {reason}")


_LATIN = Option("encoding", "latin-1")


def _series(name: str, cells: list[Any], about: Any) -> pl.Series:
    import polars as pl

    if about.readstat_variable_types.get(name) == "string":
        return pl.Series(name, [cell or None for cell in cells], dtype=pl.String)
    kind = next((type(cell) for cell in cells if cell is not None), None)
    if kind is None:
        return pl.Series(name, cells, dtype=pl.Null)
    types: dict[type, Any] = {
        dt.date: pl.Date,
        dt.datetime: pl.Datetime("us"),
        dt.time: pl.Time,
        dt.timedelta: pl.Duration("us"),
    }
    if kind in types:
        return pl.Series(name, cells, dtype=types[kind])
    return pl.Series(name, np.array(cells, dtype=np.float64), nan_to_null=True)


def _usable(labels: Mapping[Any, str], missing: Any, *, is_text: bool) -> Labels:
    """Return the labels of values that can occur, without those of missing values and blank ones."""

    def is_missing(value: Any) -> bool:
        return any(
            limits["lo"] <= value <= limits["hi"] for limits in missing if isinstance(limits["lo"], str) == is_text
        )

    kept = {}
    for value, text in labels.items():
        if isinstance(value, str) == is_text and text and text.strip():
            number = value if is_text else float(value)
            if number == number and not is_missing(number):
                kept[number] = text
    return kept
