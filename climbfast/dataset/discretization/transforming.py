"""The columns of a frame of any kind replaced by the intervals between given cuts."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.column_encoding import Column, encode_parsed
from climbfast.dataset.discretization.cells import levels_of
from climbfast.dataset.discretization.cuts import KINDS, NumericValues
from climbfast.dataset.discretization.discretizer import Discretizer
from climbfast.dataset.discretization.number_texts import parse_texts
from climbfast.dataset.discretization.rules import Cut
from climbfast.dataset.frames import columns_of_array, encode_column, polars_of_arrow
from climbfast.dataset.options import Options, check_names, check_options
from climbfast.errors import DataError, UnknownColumnError

__all__ = ["transform"]

_MICROSECONDS_A_DAY = 86_400_000_000


def transform(frame: Any, discretizer: Discretizer) -> Any:
    """Return a table of the same kind; see ``Discretizer.transform``."""
    cuts = discretizer.cuts or {}
    if isinstance(frame, np.ndarray):
        names, columns = columns_of_array(frame)
        check_names(names)
        frame = dict(zip(names, columns, strict=True))
    if isinstance(frame, Mapping):
        names, column_of, native = list(frame), frame.__getitem__, dict(frame)
    else:
        names, column_of, native = _of_frame(frame)
    existing = set(names)
    for name in cuts:
        if name not in existing:
            raise UnknownColumnError(name, names)
    options = _options(cuts, discretizer.markers)
    intervals = {}
    for name, of_column in cuts.items():
        codes = _codes(name, column_of(name), of_column, discretizer.kinds[name], options)
        intervals[name] = codes, discretizer.levels(name)
    return _replaced(native, intervals)


def _options(cuts: Mapping[Hashable, tuple[Cut, ...]], markers: Mapping[Hashable, tuple[str, ...]]) -> Options:
    return check_options(
        missing="level", missing_markers={None: [], **markers}, declared_levels=None,
        numbers=dict.fromkeys(cuts, "quantile:2"), weights=None, keep_ids=True, columns=None, leave_out=None,
    )  # fmt: skip


def _of_frame(frame: Any) -> tuple[list[Hashable], Any, Any]:
    """Return the names of a frame, a function from a name to a column, and the frame, collected if it is lazy."""
    import narwhals as nw

    # A pandas frame or an arrow table can have a name twice.
    check_names(list(getattr(frame, "columns" if hasattr(frame, "iloc") else "column_names", [""])))
    try:
        wrapped: Any = nw.from_native(frame)
    except TypeError:
        raise DataError(
            f"{type(frame).__name__} is not a table; pass a frame (pandas, polars, arrow), an array or a dict of "
            "columns"
        ) from None
    eager = wrapped.collect() if isinstance(wrapped, nw.LazyFrame) else wrapped
    native = eager.to_native()
    if eager.implementation.is_pyarrow():
        return list(native.column_names), lambda name: polars_of_arrow(native.select([name])).to_series(), native
    names = list(native.columns)
    if eager.implementation.is_pandas_like():
        place = {name: i for i, name in enumerate(names)}
        return names, lambda name: native.iloc[:, place[name]], native
    columns = dict(zip(names, native.get_columns(), strict=True))
    return names, columns.__getitem__, native


def _codes(name: Hashable, cells: Any, cuts: Sequence[Cut], kind: str, options: Options) -> NDArray[np.int64]:
    """Return the interval of each cell; -1 for a missing one."""
    column = encode_column(name, cells, options)
    if column.numeric is None and column.levels:
        column = _of_texts(name, column, options) or column
    if column.numeric is None:
        if column.levels:
            raise DataError(f"column {name!r} has {column.levels[0]!r} where its cuts are of {KINDS[kind]}")
        return np.full(column.physical.size, -1)
    codes = levels_of(column, _as_kind(name, column.numeric, kind), cuts).astype(np.int64)
    codes[codes > len(cuts)] = -1
    return codes


def _of_texts(name: Hashable, column: Column, options: Options) -> Column | None:
    """Return a column of texts as the numbers, dates or times that they are."""
    import polars as pl

    if not all(isinstance(level, str) for level in column.levels):
        return None
    parsed = parse_texts(name, pl.Series(column.levels, dtype=pl.String), options.markers_for(name))
    if parsed is None:
        return None
    missing = len(column.levels)
    number_of_key = np.full(int(column.keys.max()) + 1, missing)
    number_of_key[column.keys] = np.where(column.places < 0, missing, column.places)
    return encode_parsed(name, parsed, number_of_key[column.physical], options)


def _as_kind(name: Hashable, numeric: NumericValues, kind: str) -> NumericValues:
    """Return dates as times, and times as the dates that they belong to, if the cuts are of these."""
    if numeric.kind == kind or not numeric.values.size:
        return NumericValues(kind, numeric.values)
    if (numeric.kind, kind) == ("date", "datetime"):
        return NumericValues(kind, numeric.values * _MICROSECONDS_A_DAY)
    if (numeric.kind, kind) == ("datetime", "date"):
        return NumericValues(kind, numeric.values // _MICROSECONDS_A_DAY)
    raise DataError(f"column {name!r} has {KINDS[numeric.kind]} where its cuts are of {KINDS[kind]}")


Intervals = Mapping[Hashable, tuple[NDArray[np.int64], tuple[str, ...]]]


def _replaced(native: Any, intervals: Intervals) -> Any:
    if isinstance(native, dict):
        return native | {
            name: [None if code < 0 else levels[code] for code in codes.tolist()]
            for name, (codes, levels) in intervals.items()
        }
    if hasattr(native, "iloc"):
        return _replaced_in_pandas(native, intervals)
    return _replaced_in_arrow(native, intervals) if hasattr(native, "column_names") else _in_polars(native, intervals)


def _replaced_in_pandas(native: Any, intervals: Intervals) -> Any:
    import pandas as pd

    frame = native.copy(deep=False)
    place = {name: i for i, name in enumerate(frame.columns)}
    for name, (codes, levels) in intervals.items():
        frame.isetitem(place[name], pd.Categorical.from_codes(codes, list(levels), ordered=True))
    return frame


def _replaced_in_arrow(native: Any, intervals: Intervals) -> Any:
    import pyarrow as pa

    place = {name: i for i, name in enumerate(native.column_names)}
    for name, (codes, levels) in intervals.items():
        numbers = pa.array(codes, type=pa.int32(), mask=codes < 0)
        column = pa.DictionaryArray.from_arrays(numbers, pa.array(levels), ordered=True)
        native = native.set_column(place[name], name, column)
    return native


def _in_polars(native: Any, intervals: Intervals) -> Any:
    import polars as pl

    columns = []
    for name, (codes, levels) in intervals.items():
        numbers = pl.Series(codes)
        if (codes < 0).any():
            numbers = numbers.set(pl.Series(codes < 0), None)
        # Named at last: gather takes a name such as "^a.*$" for a pattern.
        columns.append(pl.Series(levels, dtype=pl.Enum(levels)).gather(numbers).alias(str(name)))
    return native.with_columns(columns)
