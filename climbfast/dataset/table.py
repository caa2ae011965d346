"""A table before its columns are encoded: a frame, and what a file says about the values of its columns.

Files of SPSS, Stata and SAS, and of R's package haven, have numbers with labels. The labels are the levels then, in the
order of the numbers.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from climbfast.dataset.frames import encode_frame
from climbfast.dataset.levels import is_missing
from climbfast.dataset.options import Options
from climbfast.dataset.panics import reason_of
from climbfast.errors import DataError
from climbfast.names import listing

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Labels", "Table", "encode_table"]

T = TypeVar("T")

Labels = Mapping[Any, str]


class Table(NamedTuple):
    """A table of a file.

    Attributes
    ----------
    frame : polars.DataFrame
        Or an arrow table, if polars does not know a type in it.
    labels : mapping from names to mappings
        The labels of values, by column; none for values that stand for missing cells, which are null in the frame.
    declares_levels : bool
        Whether the categories of Enum columns are levels also where they do not occur.
    refused : mapping from names to str
        Why a column cannot be read, which is an error only if it is asked for; the frame has it without cells.
    """

    frame: Any
    labels: Mapping[str, Labels] = MappingProxyType({})
    declares_levels: bool = False
    refused: Mapping[str, str] = MappingProxyType({})


def encode_table(
    table: Table,
    form: str,
    options: Options,
    encode: Callable[[Any, Options], T] = encode_frame,  # type: ignore[assignment]
) -> T:
    """Encode a table of a file of this format, as a Dataset unless by another function."""
    import polars as pl

    try:
        return _encode(table, options, encode)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:  # found only when cells are used
        raise DataError(f"not a readable {form} file{reason_of(error)}") from None


def _encode(table: Table, options: Options, encode: Callable[[Any, Options], T]) -> T:
    frame = table.frame
    if table.refused:
        wanted = {frame.columns[position] for position in options.select(frame.columns)}
        for name, why in table.refused.items():
            if name in wanted:
                raise DataError(f"column {name!r} {why}")
    if table.labels:
        frame = frame.with_columns(
            _labelled(frame.get_column(name), labels, options.markers_for(name))
            for name, labels in table.labels.items()
            if name in frame.columns
        )
    if table.declares_levels and options.declared is not True:
        options = dataclasses.replace(options, declared={**_categories(frame), **(options.declared or {})})
    return encode(frame, options)


def _categories(frame: pl.DataFrame) -> dict[Hashable, tuple[str, ...]]:
    import polars as pl

    types = frame.schema.items()
    return {name: tuple(dtype.categories) for name, dtype in types if isinstance(dtype, pl.Enum)}


def _labelled(series: pl.Series, labels: Labels, markers: frozenset[Hashable]) -> pl.Series:
    """Return a column with its labels as ordered categories; a value without a label is its text.

    A column of numbers of which fewer than half have a label, such as an age with the label "98 or older", stays one.
    """
    import polars as pl

    distinct = series.drop_nulls().unique().sort().to_list()
    missing = [value for value in distinct if is_missing(value, markers)]
    if missing:
        series = series.replace(missing, None)
        distinct = [value for value in distinct if value not in set(missing)]
    labels = {value: text for value, text in labels.items() if not is_missing(value, markers)}
    named = sum(value in labels for value in distinct)
    if 2 * named < len(distinct) and (series.dtype.is_numeric() or not named):
        return series
    values = sorted({*distinct, *labels})
    texts = _different_texts(series.name, values, labels)
    if not distinct:
        return pl.Series(series.name, [None] * series.len(), dtype=pl.Enum(texts))
    as_texts = dict(zip(values, texts, strict=True))
    return series.replace_strict(
        distinct, [as_texts[value] for value in distinct], default=None, return_dtype=pl.String
    ).cast(pl.Enum(texts))


def _different_texts(name: str, values: list[Any], labels: Labels) -> list[str]:
    """Return the label of each value, or its text; a label that several values have is followed by the value."""
    plain = [_text(value) for value in values]
    texts = [labels.get(value, text) for value, text in zip(values, plain, strict=True)]
    times = Counter(texts)
    texts = [label if times[label] == 1 else f"{label} ({text})" for label, text in zip(texts, plain, strict=True)]
    twice = [text for text, count in Counter(texts).items() if count > 1]
    if twice:
        raise DataError(f"column {name!r} has labels that cannot be told apart: {listing(twice)}")
    return texts


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
