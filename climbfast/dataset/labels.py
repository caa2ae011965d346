"""Data given back: a frame of the levels of all cells, and an array of their codes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from climbfast.errors import DataError, Option, OptionError
from climbfast.forks import refuse_in_forked_child
from climbfast.names import distinct_texts

if TYPE_CHECKING:
    import polars as pl

    from climbfast.dataset.dataset import Dataset

__all__ = ["code_matrix", "labelled_frame"]

# Kinds of levels of which polars has a type that keeps each of them as it is.
_EXACT = (bool, int, float, bytes, dt.date, dt.time, dt.timedelta, np.datetime64, np.timedelta64)


def labelled_frame(data: Dataset, weights: str) -> pl.DataFrame:
    """Return the levels of all cells, see ``Dataset.to_frame``."""
    import polars as pl

    refuse_in_forked_child("making a frame of polars")
    kept = [name for name in data.names if name not in data.id_digests]
    texts = distinct_texts(kept)
    if texts is None:
        raise DataError("the names of two columns cannot be told apart as text; rename one")
    columns = [_labelled(data, name, text) for name, text in zip(kept, texts, strict=True)]
    if data.weights is not None:
        if weights in texts:
            raise OptionError(Option("weights", weights), " is the name of a column; choose another")
        columns.append(pl.Series(weights, data.weights))
    frame = pl.DataFrame(columns)
    frame.columns = [series.name for series in columns]  # an empty name would be "column_0"
    return frame


def code_matrix(data: Dataset) -> NDArray[np.signedinteger[Any]]:
    """Return the codes of all cells, see ``Dataset.to_numpy``."""
    most = int(data.arity.max())
    matrix = np.empty((data.codes.shape[1], data.columns), dtype=np.min_scalar_type(-most))
    for column, name in zip(matrix.T, data.names, strict=True):
        i = data.index(name)
        column[:] = data.codes[i]
        if data.incomplete[i]:
            column[data.missing_cells(i)] = -1
    return matrix


def _labelled(data: Dataset, name: Hashable, text: str) -> pl.Series:
    import polars as pl

    i = data.index(name)
    codes, levels = data.codes[i], data.levels[name]
    # Behind the levels what a missing cell has; a column without any value has the level of a constant one, too.
    values = [*levels, None, None] if data.incomplete[i] else [*levels]
    series = _series_of_levels(values)
    if series is None:
        return pl.Series(text, [values[code] for code in codes.tolist()], dtype=pl.Object)
    return series.gather(codes).alias(text)  # named at last: gather takes a name such as "^a.*$" for a pattern


def _series_of_levels(values: Sequence[Any]) -> pl.Series | None:
    """Return levels as a series; None if polars has no type that keeps them as they are."""
    import polars as pl

    present = [value for value in values if value is not None]
    if all(isinstance(value, str) for value in present):
        return pl.Series(values, dtype=pl.Enum(present)) if present else pl.Series(values, dtype=pl.Null)
    if not all(isinstance(value, _EXACT) for value in present) or len(set(map(type, present))) > 1:
        return None
    try:
        series = pl.Series(np.array(values)) if isinstance(present[0], np.generic) else pl.Series(values)
        given_back = list(series.to_numpy()) if isinstance(present[0], np.generic) else series.to_list()
    except (pl.exceptions.PolarsError, OverflowError, TypeError, ValueError):
        return None
    return series if [*map(repr, given_back)] == [*map(repr, values)] else None
