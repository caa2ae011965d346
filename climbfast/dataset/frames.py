"""Encodes a table in memory, of any kind, as a Dataset."""

from __future__ import annotations

import datetime as dt
from collections.abc import Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from climbfast.compiling import announce_compilation
from climbfast.dataset.assemble import assemble
from climbfast.dataset.cell_counts import MANY_ROWS, write_as_bytes
from climbfast.dataset.column_encoding import (
    Column,
    encode_array,
    encode_categories,
    encode_filled,
    encode_objects,
    encode_parsed,
    encode_parts,
    make_column,
    smallest_unsigned,
)
from climbfast.dataset.discretization.number_texts import ParsedTexts
from climbfast.dataset.levels import MISSING, arrange
from climbfast.dataset.options import Options, check_names
from climbfast.dataset.pages import take_pages
from climbfast.dataset.panics import without_panics
from climbfast.dataset.text_views import encode_views
from climbfast.dataset.texts import categorical, encode_texts
from climbfast.dataset.threads import in_threads, threads
from climbfast.errors import DataError
from climbfast.forks import refuse_in_forked_child

if TYPE_CHECKING:
    import polars as pl

    from climbfast.dataset.dataset import Dataset

__all__ = [
    "columns_of_array",
    "encode_column",
    "encode_frame",
    "encode_polars",
    "encode_series",
    "native_frame",
    "polars_of_arrow",
]

_WITHOUT_ARRAYS = ("Int128", "UInt128", "Float16")  # by name: older versions of polars do not have these
FEWEST_CELLS_OF_CHUNKS = 1 << 10  # on average; with fewer, joining them takes less time
CELLS_FOR_VIEWS = 1 << 20  # of text; with fewer, a kernel more to load takes longer than it saves
_ORDINAL_OF_1970 = dt.date(1970, 1, 1).toordinal()


def encode_frame(frame: Any, options: Options) -> Dataset:
    """Encode a table of any kind."""
    if isinstance(frame, np.ndarray):
        return _encode_ndarray(frame, options)
    if isinstance(frame, Mapping):
        return _encode_mapping(frame, options)
    native = native_frame(frame)
    if hasattr(native, "iloc"):
        return _encode_pandas(native, options)
    return encode_polars(native, options)


def native_frame(frame: Any) -> Any:
    """Return a pandas-like frame unchanged, and a polars frame for any other frame that narwhals supports."""
    import narwhals as nw

    # A pandas frame or an arrow table can have a name twice. Checked first, because each library has its own message.
    names = getattr(frame, "columns" if hasattr(frame, "iloc") else "column_names", [""])
    check_names(list(names))
    try:
        wrapped: Any = nw.from_native(frame)
        if not wrapped.implementation.is_pandas_like():
            refuse_in_forked_child("reading a frame that is not one of pandas")
        eager = wrapped.collect() if isinstance(wrapped, nw.LazyFrame) else wrapped
        native = eager.to_native()
        if eager.implementation.is_pandas_like():
            return native
        return polars_of_arrow(native) if eager.implementation.is_pyarrow() else eager.to_polars()
    except DataError:
        raise
    except ValueError as error:  # in newer versions of narwhals a subclass of it
        raise DataError(f"column names that occur more than once: {_first_line(error)}") from None
    except TypeError:
        raise DataError(
            f"{type(frame).__name__} is not a table; pass a frame (pandas, polars, arrow), a two-dimensional "
            "array or a dict of columns"
        ) from None


def polars_of_arrow(table: Any) -> pl.DataFrame:
    """Convert an Arrow table; raise DataError at the first column of a type that polars does not have."""
    import polars as pl

    table = _without_run_ends(table)
    with without_panics():
        try:
            frame = cast("pl.DataFrame", pl.from_arrow(table))
        except _panics():
            for name, column in zip(table.column_names, table.columns, strict=True):
                _refuse_unknown_type(name, column)
            raise
    frame.columns = table.column_names  # an empty name would be "column_0"
    return _with_categories(frame, table)


def _panics() -> tuple[type[BaseException], ...]:
    import polars as pl

    return pl.exceptions.PolarsError, pl.exceptions.PanicException


def _without_run_ends(table: Any) -> Any:
    """Return an Arrow table with its run-end encoded columns written out."""
    for position, field in enumerate(table.schema):
        if type(field.type).__name__ == "RunEndEncodedType":
            import pyarrow.compute as pc

            table = table.set_column(position, field.name, pc.run_end_decode(table.column(position)))
    return table


def _refuse_unknown_type(name: str, column: Any) -> None:
    import polars as pl

    try:
        pl.from_arrow(column)
    except _panics():
        raise DataError(
            f"column {name!r} has cells of type {column.type}, which cannot be levels; convert them to text"
        ) from None


def _with_categories(frame: pl.DataFrame, table: Any) -> pl.DataFrame:
    """Convert the dictionary columns of an Arrow table to Enum: else polars keeps only the values that occur."""
    import polars as pl

    enums = []
    for series, column in zip(frame.get_columns(), table.columns, strict=True):
        if type(column.type).__name__ != "DictionaryType" or not column.num_chunks:
            continue
        values = column.unify_dictionaries().chunk(0).dictionary.to_pylist()
        if all(isinstance(value, str) for value in values) and len(set(values)) == len(values):
            categories = values if column.type.ordered else sorted(values)
            enums.append(series.cast(pl.String).cast(pl.Enum(categories)))
    return frame.with_columns(enums)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _encode_columns(names: Sequence[Hashable], columns: Iterable[Any], options: Options) -> Dataset:
    """Encode the selected columns one by one."""
    check_names(names)
    wanted = set(options.select(names))
    chosen = [(name, column) for i, (name, column) in enumerate(zip(names, columns, strict=True)) if i in wanted]
    encoded = [encode_column(name, column, options) for name, column in chosen]
    rows = encoded[0].physical.size
    for (name, _), column in zip(chosen, encoded, strict=True):
        if column.physical.size != rows:
            raise DataError(f"column {name!r} has {column.physical.size} rows where others have {rows}")
    return assemble([name for name, _ in chosen], encoded, rows, options)


def encode_column(name: Hashable, column: Any, options: Options) -> Column:
    """Encode a column of any kind."""
    if isinstance(column, np.ma.MaskedArray):
        return encode_array(name, np.asarray(column.data), options, np.ma.getmaskarray(column))
    if isinstance(column, np.ndarray):
        return encode_array(name, np.asarray(column), options)
    categories = getattr(getattr(column, "dtype", None), "categories", None)
    if categories is not None and hasattr(column, "cat") and hasattr(column.cat, "codes"):
        ordered = bool(column.cat.ordered)
        return encode_categories(name, column.cat.codes.to_numpy(), list(categories), options, ordered=ordered)
    if type(getattr(column, "dtype", None)).__name__ == "StringDtype" and hasattr(column, "factorize"):
        return _encode_pandas_text(name, column, options)
    numeric = getattr(getattr(column, "dtype", None), "numpy_dtype", None)
    if numeric is not None and numeric.kind in "iufb" and hasattr(column, "isna"):
        # With its missing cells, to_numpy() would return floats, and 2^53 + 1 would become 2^53.
        return encode_array(name, column.to_numpy(dtype=numeric, na_value=0), options, column.isna().to_numpy(bool))
    if options.cuts(name) and getattr(getattr(column, "dtype", None), "tz", None) is not None and hasattr(column, "dt"):
        # Without their zone they are an array; with it, a Python object each.
        in_utc = column.dt.tz_convert("UTC").dt.tz_localize(None)
        return _as_instants(encode_array(name, in_utc.to_numpy(), options))
    if hasattr(column, "to_physical"):
        refuse_in_forked_child("reading a column of polars")
        return _encode_series(name, column, options)
    if hasattr(column, "to_numpy"):
        return encode_array(name, column.to_numpy(), options)
    if isinstance(column, (str, bytes)) or not isinstance(column, Iterable):
        raise DataError(f"column {name!r} is one {type(column).__name__} instead of a list or an array")
    return encode_objects(name, list(column), options)


def _encode_ndarray(array: NDArray[Any], options: Options) -> Dataset:
    return _encode_columns(*columns_of_array(array), options)


def columns_of_array(array: NDArray[Any]) -> tuple[Sequence[Hashable], list[NDArray[Any]]]:
    """Return the names and the columns of a table that is an array: its fields, or its second dimension."""
    fields = array.dtype.names
    if fields is not None and array.ndim == 1:
        return fields, [array[field] for field in fields]
    if array.ndim != 2:
        raise DataError(f"an array of {array.ndim} dimensions is not a table; a table has two, rows and columns")
    plain = array if isinstance(array, np.ma.MaskedArray) else np.asarray(array)  # columns of a np.matrix have 2 axes
    width = plain.shape[1]
    return range(width), [plain[:, i] for i in range(width)]


def _encode_mapping(columns: Mapping[Any, Any], options: Options) -> Dataset:
    return _encode_columns(list(columns), columns.values(), options)


def _encode_pandas(frame: Any, options: Options) -> Dataset:
    # By position: names can be tuples, and an index can have duplicates.
    return _encode_columns(list(frame.columns), (frame.iloc[:, i] for i in range(frame.shape[1])), options)


def _encode_pandas_text(name: Hashable, column: Any, options: Options) -> Column:
    """Encode a column of the text type of pandas, which numbers the texts in a tenth of the time of Python."""
    numbers, texts = column.factorize()
    levels, places = arrange(name, texts.tolist(), options)
    if (numbers < 0).any():
        numbers, places = np.where(numbers < 0, len(texts), numbers), [*places, MISSING]
    return make_column(levels, places, numbers.astype(smallest_unsigned(len(texts) + 1)))


def encode_polars(frame: pl.DataFrame, options: Options) -> Dataset:
    """Encode a polars frame."""
    every = frame.columns  # asked for once: it takes time for each column
    check_names(every)
    wanted = options.select(every)
    names = [every[i] for i in wanted]
    if frame.height == 0:
        raise DataError("the table has no rows")
    columns_of_frame = frame.get_columns()
    columns = encode_series([columns_of_frame[i] for i in wanted], names, options)
    return assemble(names, columns, frame.height, options)


def encode_series(
    chosen: Sequence[pl.Series],
    names: Sequence[Hashable],
    options: Options,
    memory: Sequence[NDArray[np.uint8]] | None = None,
) -> list[Column]:
    """Encode columns of polars on all cores: first those of text, then the others.

    Cells that fit into a byte are written to the memory given for their column.
    """
    import polars as pl

    textual = [i for i, series in enumerate(chosen) if series.dtype in (pl.String, pl.Categorical)]
    encoded = _encode_text_series([chosen[i] for i in textual], [names[i] for i in textual], options)
    of_text = dict(zip(textual, encoded, strict=True))

    _load_kernels(chosen, memory)

    def encode(i: int) -> Column:
        place = None if memory is None else memory[i]
        column = of_text.get(i) or _encode_series(names[i], chosen[i], options, place)
        return column if place is None else _moved(column, place)

    return in_threads(encode, range(len(chosen)), cells=sum(map(len, chosen)))


def _load_kernels(chosen: Sequence[pl.Series], memory: Sequence[NDArray[np.uint8]] | None) -> None:
    """Load what reads chunks: this thread says so if it is compiled, and the others only use it."""
    if not chosen or (memory is None and (len(chosen[0]) < MANY_ROWS or all(one.n_chunks() == 1 for one in chosen))):
        return
    for dtype in {series.dtype for series in chosen}:
        if dtype.is_integer() and str(dtype) not in _WITHOUT_ARRAYS:
            write_as_bytes([np.zeros(1, str(dtype).lower())], np.empty(1, np.uint8))


def _moved(column: Column, memory: NDArray[np.uint8]) -> Column:
    """Return a column whose cells are in the memory given, if they fit into it."""
    if column.physical.dtype != np.uint8 or column.physical is memory:
        return column
    take_pages(memory)
    memory[:] = column.physical
    return column._replace(physical=memory)


def _encode_text_series(chosen: Sequence[pl.Series], names: Sequence[Hashable], options: Options) -> list[Column]:
    """Encode columns of text by their views where these are few, else as categorical columns of polars."""
    if not chosen:
        return []
    columns: list[Column | None] = [None] * len(chosen)
    if len(chosen) * len(chosen[0]) >= CELLS_FOR_VIEWS:
        announce_compilation()
        with ThreadPoolExecutor(min(threads(), len(chosen)), "climbfast-reading") as pool:
            columns = list(pool.map(lambda series, name: _encode_views(name, series, options), chosen, names))
    left = [i for i, column in enumerate(columns) if column is None]
    others = iter(_encode_categorical([chosen[i] for i in left], [names[i] for i in left], options))
    return [next(others) if column is None else column for column in columns]


def _encode_views(name: Hashable, series: pl.Series, options: Options) -> Column | None:
    import polars as pl

    return encode_views(name, _unnamed(series), options) if series.dtype == pl.String else None


def _encode_categorical(chosen: Sequence[pl.Series], names: Sequence[Hashable], options: Options) -> list[Column]:
    import polars as pl

    if not chosen:
        return []
    # Renamed to numbers: polars takes a name such as "^a.*$" or "*" for a pattern.
    frame = pl.DataFrame([series.alias(str(i)) for i, series in enumerate(chosen)])
    frame = frame.with_columns(pl.col(pl.String).cast(categorical())).rechunk()
    return encode_texts(frame, names, options, arrange)


def _unnamed(series: pl.Series) -> pl.Series:
    """Return the cells without a name: methods of polars take one such as "^a.*$" for a pattern."""
    return series.alias("")


def _encode_series(
    name: Hashable, series: pl.Series, options: Options, memory: NDArray[np.uint8] | None = None
) -> Column:
    import polars as pl

    series, dtype = _unnamed(series), series.dtype
    if dtype in (pl.String, pl.Categorical):
        return _encode_text_series([series], [name], options)[0]
    if dtype == pl.Null:
        return make_column((), [MISSING], np.zeros(len(series), dtype=np.uint8))
    if isinstance(dtype, pl.Enum):
        numbers = series.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        return encode_categories(name, numbers, dtype.categories.to_list(), options, ordered=True)
    if dtype.is_nested():
        raise DataError(f"column {name!r} has cells of type {dtype}, which cannot be levels; convert them to text")
    if dtype.is_temporal() and options.cuts(name) and not isinstance(dtype, pl.Duration):
        return _encode_times_to_cut(name, series, options)
    if dtype.is_temporal():
        return _encode_times(name, series, options)
    if dtype.is_float() or dtype.is_integer() or dtype == pl.Boolean:
        return _encode_numeric(name, series, options, memory)
    return encode_objects(name, series.to_list(), options)


def _encode_numeric(name: Hashable, series: pl.Series, options: Options, memory: NDArray[np.uint8] | None) -> Column:
    import polars as pl

    if str(series.dtype) in _WITHOUT_ARRAYS:
        return encode_objects(name, series.to_list(), options)
    has_gaps = series.null_count() > 0
    if series.dtype.is_integer():
        whole = _filled(series) if has_gaps else series  # polars makes a plan for each fill: longer than a short column
        if whole is not None:
            if _is_read_by_chunks(whole, memory):
                chunks = [chunk.to_numpy() for chunk in whole.get_chunks()]
                found = encode_parts(name, chunks, options, largest_is_missing=has_gaps, memory=memory)
                if found is not None:
                    return found
            if has_gaps:
                return encode_filled(name, whole.to_numpy(), options)
    missing = None
    if has_gaps:
        missing = series.is_null().to_numpy()
        series = series.fill_null(False if series.dtype == pl.Boolean else 0)
    return encode_array(name, series.to_numpy(), options, missing)


def _is_read_by_chunks(series: pl.Series, memory: NDArray[np.uint8] | None) -> bool:
    """Whether that is faster than to join the chunks, which many short ones are not, and saves to copy a single one.

    It is done by a kernel, for which a small table does not wait.
    """
    chunks = series.n_chunks()
    if memory is None and (chunks == 1 or len(series) < MANY_ROWS):
        return False
    return chunks == 1 or len(series) >= chunks * FEWEST_CELLS_OF_CHUNKS


def _filled(series: pl.Series) -> pl.Series | None:
    """Return whole numbers in which one more than the largest is a missing cell; None if the type has no such number.

    A mask of the missing cells, and two passes that use it, took four times as long.
    """
    import polars as pl

    largest: Any = series.max()
    if largest is None or largest == np.iinfo(str(series.dtype).lower()).max:
        return None
    return series.fill_null(pl.lit(largest + 1, dtype=series.dtype))


def _encode_times(name: Hashable, series: pl.Series, options: Options) -> Column:
    """Encode dates and times; only the distinct ones are converted to Python objects."""

    distinct = series.drop_nulls().unique().sort()
    values = distinct.to_list() if _has_times_of_python(distinct) else []
    if len(set(values)) < distinct.len():  # Python's times cannot tell them apart, or not hold them
        values = _exact_times(distinct)
    levels, places = arrange(name, values, options)
    numbers = distinct.to_physical().to_numpy()
    physical = np.searchsorted(numbers, series.to_physical().fill_null(0).to_numpy())
    missing = series.is_null().to_numpy()
    physical[missing] = len(values)
    places = [*places, MISSING] if missing.any() else places
    return make_column(levels, places, physical.astype(smallest_unsigned(len(values) + 1)))


def _encode_times_to_cut(name: Hashable, series: pl.Series, options: Options) -> Column:
    """Encode dates and times as whole days or microseconds."""
    import polars as pl

    dtype = series.dtype
    if dtype == pl.Time:
        return _encode_times_of_day(name, series, options)
    unit = "D"
    if isinstance(dtype, pl.Datetime):
        unit = "us"
        if dtype.time_zone is not None:
            series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        series = series.dt.cast_time_unit("us")
    numbers = series.to_physical().cast(pl.Int64).fill_null(0).to_numpy()
    column = encode_array(name, numbers.view(f"datetime64[{unit}]"), options, series.is_null().to_numpy())
    return column if getattr(dtype, "time_zone", None) is None else _as_instants(column)


def _as_instants(column: Column) -> Column:
    """Return a column of times in UTC as one of times with a zone."""
    return column if column.numeric is None else column._replace(numeric=column.numeric._replace(kind="instant"))


def _encode_times_of_day(name: Hashable, series: pl.Series, options: Options) -> Column:
    import polars as pl

    missing = series.is_null().to_numpy()
    microseconds = series.to_physical().cast(pl.Int64).fill_null(0).to_numpy() // 1000
    values, physical = np.unique(microseconds[~missing], return_inverse=True)
    every = np.full(missing.size, values.size)
    every[~missing] = physical
    parsed = ParsedTexts("time", values, np.zeros(values.size, dtype=np.bool_))
    return encode_parsed(name, parsed, every, options) or make_column((), [MISSING], every)


def _has_times_of_python(distinct: pl.Series) -> bool:
    """Whether Python can hold the times: in the years 1 to 9999, in microseconds; polars would panic or round."""
    import polars as pl

    dtype, numbers = distinct.dtype, distinct.to_physical().to_numpy()
    if dtype == pl.Date:
        return _is_between(
            numbers, dt.date.min.toordinal() - _ORDINAL_OF_1970, dt.date.max.toordinal() - _ORDINAL_OF_1970
        )
    unit = getattr(dtype, "time_unit", "ns")  # the time of a day has no unit: it is in nanoseconds
    if unit == "ns" and (numbers % 1000).any():
        return False
    if isinstance(dtype, pl.Datetime):  # a day less at both ends, for time zones
        a_day = 86_400 * {"ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
        return _is_between(numbers // a_day, 2 - _ORDINAL_OF_1970, dt.date.max.toordinal() - 1 - _ORDINAL_OF_1970)
    if isinstance(dtype, pl.Duration):
        days = numbers // (86_400 * {"ms": 10**3, "us": 10**6, "ns": 10**9}[unit])
        return _is_between(days, dt.timedelta.min.days, dt.timedelta.max.days)
    return True


def _is_between(numbers: NDArray[Any], low: int, high: int) -> bool:
    return bool(((numbers >= low) & (numbers <= high)).all())


def _exact_times(distinct: pl.Series) -> list[Any]:
    """Return times as scalars of NumPy, or as texts where it has none: times of a day, and those with a time zone."""
    import polars as pl

    dtype = distinct.dtype
    if dtype == pl.Time:
        return [_text_of_time(nanoseconds) for nanoseconds in distinct.to_physical().to_list()]
    scalars = distinct.to_numpy()
    if not isinstance(dtype, pl.Datetime) or dtype.time_zone is None:
        return list(scalars)
    return [f"{scalar}Z" for scalar in scalars]  # in UTC


def _text_of_time(nanoseconds: int) -> str:
    seconds, fraction = divmod(nanoseconds, 10**9)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{fraction:09}"
