"""R's files, .rds and .rda, as a frame: parsed by rdata, which runs no code in them; converted here.

A file has vectors with attributes. A data frame is a list of vectors of which the attributes say the class and the
names; a factor is a vector of integers, 1 for the first of its levels.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import math
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset.options import check_names
from climbfast.dataset.sources import SHARE_OF_MEMORY, Source, physical_memory, read_all
from climbfast.dataset.table import Labels, Table
from climbfast.errors import DataError
from climbfast.names import escaped, listing

if TYPE_CHECKING:
    import polars as pl

__all__ = ["read_r_file"]

_COMPRESSIONS: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
_SAVED_BY_NAME = (b"RDX", b"RDA", b"RDB")
_UTF8, _LATIN1 = 1 << 3, 1 << 2


def read_r_file(source: Source) -> Table:
    """Read the data frame in a file that R wrote by ``saveRDS`` or ``save``.

    Raises
    ------
    DataError
        If the file cannot be read, or does not hold exactly one data frame.
    """
    parsed = _parse(_unpacked(source))
    try:
        return _table(_only_frame(parsed.object))
    except DataError:
        raise
    except Exception as error:  # an object that is not as R makes it
        raise _damaged(error) from None


def _damaged(error: Exception) -> DataError:
    if isinstance(error, RecursionError):
        return DataError("not a readable R file: it is nested too deeply, or has hundreds of objects")
    reason = (str(error).strip().splitlines() or [""])[0] or type(error).__name__
    return DataError(f"not a readable R file: {escaped(reason[:200])}")


def _unpacked(source: Source) -> bytes:
    with source.open() as file:
        head = file.read(6)
        file.seek(0)
        try:
            for magic, unpack in _COMPRESSIONS.items():
                if head.startswith(magic):
                    with unpack(file) as unpacked:
                        return read_all(unpacked, "it unpacks to")
            return read_all(file, "it has")
        except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
            raise _damaged(error) from None


def _parse(content: bytes) -> Any:
    from rdata import parser

    extension = ".rda" if content[:3] in _SAVED_BY_NAME else ".rds"
    expansions = {**parser.DEFAULT_ALTREP_MAP}
    for name in (b"compact_intseq", b"compact_realseq"):
        expansions[name] = _limited(expansions[name])
    try:
        return parser.parse_data(content, extension=extension, altrep_constructor_dict=expansions)
    except DataError:
        raise
    except Exception as error:  # whatever a damaged file leads to
        raise _damaged(error) from None


def _limited(expand: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the expansion of a sequence, which a file can say to be of any length, for one that fits in memory."""

    def expand_if_short(state: Any) -> Any:
        if not 0 <= float(state.value[0]) * 8 <= physical_memory() * SHARE_OF_MEMORY:
            raise DataError("not a readable R file: a sequence that does not fit in memory")
        return expand(state)

    return expand_if_short


# ---- Objects


def _type(thing: Any) -> str:
    return str(thing.info.type.name)


def _pairs(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of a list of pairs: the attributes of an object, or the objects of a file."""
    while thing is not None and _type(thing) == "LIST":
        value, rest = thing.value
        yield _symbol(thing.tag), value
        thing = rest


def _symbol(thing: Any) -> str:
    if thing is None:
        return ""
    while _type(thing) == "REF":
        thing = thing.referenced_object
    return _text(thing.value) or ""


def _text(thing: Any) -> str | None:
    """Return a string; None for NA. Strings without a mark are in the encoding of the session, mostly UTF-8."""
    if thing.value is None:
        return None
    content: bytes = thing.value
    if thing.info.gp & _LATIN1:
        return content.decode("cp1252", "replace")
    try:
        return content.decode()
    except UnicodeDecodeError:
        if thing.info.gp & _UTF8:
            raise
        return content.decode("cp1252", "replace")


def _texts(thing: Any) -> list[str | None]:
    if _type(thing) != "STR":
        raise DataError("not a readable R file: names or levels that are not text")
    return [_text(element) for element in thing.value]


def _classes(attributes: dict[str, Any]) -> list[str | None]:
    return _texts(attributes["class"]) if "class" in attributes else []


def _only_frame(thing: Any) -> Any:
    """Return the object that is a data frame or a table of counts."""
    if _is_frame(thing):
        return thing
    if _type(thing) != "LIST":
        raise DataError(f"an R object of type {_type(thing)}, not a data frame")
    objects = dict(_pairs(thing))
    frames = [name for name, each in objects.items() if _is_frame(each)]
    if len(frames) == 1:
        return objects[frames[0]]
    if frames:
        raise DataError(f"{len(frames)} data frames: {listing(frames)}; save the one to read in a file of its own")
    raise DataError(f"no data frame among its objects: {listing(list(objects))}")


def _is_frame(thing: Any) -> bool:
    classes = _classes(dict(_pairs(thing.attributes)))
    return ("data.frame" in classes and _type(thing) == "VEC") or "table" in classes


# ---- Frames


def _table(thing: Any) -> Table:
    import polars as pl

    attributes = dict(_pairs(thing.attributes))
    if "table" in _classes(attributes):
        return Table(_frame_of_counts(thing, attributes))
    if "names" not in attributes:
        raise DataError("the table has no columns")
    names = [name or "" for name in _texts(attributes["names"])]
    check_names(names)
    refused = {name: why for name, column in zip(names, thing.value, strict=True) if (why := _why_refused(column))}
    columns = [_series(name, each) for name, each in zip(names, thing.value, strict=True) if name not in refused]
    heights = {series.len() for series in columns} or {0}
    if len(heights) > 1:
        raise DataError("not a readable R file: its columns differ in length")
    empty = [pl.Series(name, [None] * min(heights), dtype=pl.Null) for name in refused]
    labels = {name: _labels(column) for name, column in zip(names, thing.value, strict=True) if name not in refused}
    labels = {name: of_column for name, of_column in labels.items() if of_column}
    return Table(pl.DataFrame([*columns, *empty]).select(names), labels, refused=refused)


def _frame_of_counts(thing: Any, attributes: dict[str, Any]) -> pl.DataFrame:
    """Return a table of counts as R's ``as.data.frame`` does: a column for each dimension, and Freq."""
    import polars as pl

    sizes = [int(size) for size in attributes["dim"].value]
    dimensions = attributes.get("dimnames")
    if dimensions is None or len(dimensions.value) != len(sizes):
        raise DataError("a table of counts without the names of its levels")
    named = dict(_pairs(dimensions.attributes)).get("names")
    names = [name or f"Var{i}" for i, name in enumerate(_texts(named) if named else [None] * len(sizes), start=1)]
    check_names([*names, "Freq"])
    places = np.unravel_index(np.arange(math.prod(sizes)), sizes, order="F")
    columns = [
        _factor(name, place, _texts(levels))
        for name, place, levels in zip(names, places, dimensions.value, strict=True)
    ]
    return pl.DataFrame([*columns, _numbers("Freq", thing.value)])


def _why_refused(column: Any) -> str | None:
    """Say why a column of a data frame is no column of levels."""
    attributes = dict(_pairs(column.attributes))
    classes, kind = _classes(attributes), _type(column)
    if kind in ("LGL", "INT", "REAL", "STR") and "dim" not in attributes:
        return None
    what = f"of class {classes[0]}" if classes else f"of R's type {kind}"
    return f"is {what}, which cannot be levels; convert it in R, or leave it out"


def _series(name: str, column: Any) -> pl.Series:
    import polars as pl

    attributes = dict(_pairs(column.attributes))
    classes = _classes(attributes)
    if _type(column) == "STR":
        return pl.Series(name, _texts(column), dtype=pl.String)
    if "factor" in classes:
        values = np.ma.filled(np.ma.asarray(column.value, dtype=np.int64), 0)
        return _factor(name, values - 1, _texts(attributes["levels"]))
    if "integer64" in classes:
        integers = np.ascontiguousarray(column.value).view(np.int64)
        return pl.Series(name, np.ma.masked_equal(integers, np.iinfo(np.int64).min).tolist(), dtype=pl.Int64)
    numbers = _numbers(name, column.value)
    if "haven_labelled_spss" in classes:
        return numbers.set(_is_user_missing(numbers, attributes), None)
    if "Date" in classes:
        return numbers.cast(pl.Float64).floor().cast(pl.Int32).cast(pl.Date)
    if "POSIXct" in classes:
        return (numbers.cast(pl.Float64) * 1e6).round().cast(pl.Int64).cast(pl.Datetime("us"))
    return numbers


def _factor(name: str, places: NDArray[Any], levels: list[str | None]) -> pl.Series:
    """Return a factor with its levels in their order; the place -1 and the level NA are missing cells."""
    import polars as pl

    present = [level for level in levels if level is not None]
    if len(set(present)) < len(present) or (places < -1).any() or (places >= len(levels)).any():
        raise DataError(f"not a readable R file: column {name!r} is no regular factor")
    texts = pl.Series([*levels, None], dtype=pl.String).cast(pl.Enum(present))
    # Named at last: gather takes a name such as "^a.*$" for a pattern.
    return texts.gather(np.where(places < 0, len(levels), places).astype(np.uint32)).alias(name)


def _numbers(name: str, values: NDArray[Any]) -> pl.Series:
    """Return a vector of numbers or truth values, in which NA is null."""
    import polars as pl

    missing = np.ma.getmaskarray(values)
    data = np.ascontiguousarray(np.ma.getdata(values))
    series = pl.Series(name, data.astype(data.dtype.newbyteorder("=")), nan_to_null=data.dtype.kind == "f")
    return series.set(pl.Series(missing), None) if missing.any() else series


def _is_user_missing(numbers: pl.Series, attributes: dict[str, Any]) -> pl.Series:
    """Return which cells have a value that SPSS, and haven after it, calls missing."""
    import polars as pl

    values = attributes["na_values"].value.tolist() if "na_values" in attributes else []
    found = numbers.is_in(pl.Series(values, dtype=numbers.dtype, strict=False))
    if "na_range" in attributes:
        low, high = attributes["na_range"].value.tolist()
        found |= numbers.is_between(low, high)
    return found.fill_null(value=False)


def _labels(column: Any) -> Labels:
    """Return the value labels of the package haven: a vector of values, named by their labels."""
    attributes = dict(_pairs(column.attributes))
    if "haven_labelled" not in _classes(attributes) or "labels" not in attributes:
        return {}
    found = attributes["labels"]
    texts = _texts(dict(_pairs(found.attributes))["names"])
    of_text = _type(found) == "STR"
    values = _texts(found) if of_text else np.ma.filled(np.ma.asarray(found.value, dtype=np.float64), np.nan).tolist()
    pairs = zip(values, texts, strict=True)
    return {value: text for value, text in pairs if text and text.strip() and value is not None and value == value}
