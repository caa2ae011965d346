"""Blankets as a Parquet file: one row per target, with lists of names."""

from __future__ import annotations

import io
import json
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from climbfast.blankets.blanket_json import (
    FIGURES,
    FREQUENCIES,
    MAPPINGS,
    MEMBER_FIELDS,
    OTHER_NAMES,
    REQUIRED,
    SHARES,
    SIDES,
    blanket_of,
)
from climbfast.blankets.edge_table import name_encoding_in
from climbfast.blankets.name_encoding import NAME_ENCODINGS, NameEncoding
from climbfast.dataset.panics import without_panics
from climbfast.dataset.parquet_pages import check_pages
from climbfast.errors import DataError
from climbfast.forks import refuse_in_forked_child
from climbfast.local.blanket import Blanket
from climbfast.names import excerpt

if TYPE_CHECKING:
    import polars as pl

__all__ = ["read_parquet", "write_parquet"]


def write_parquet(
    found: Sequence[Blanket], how: Mapping[str, Any], out: IO[bytes], *, separating_sets: bool = False
) -> None:
    """Write one row per blanket, with the fields of its JSON as columns.

    A mapping by name is a list of pairs; ``options`` is JSON. The last two columns are the same in all rows: ``names``,
    the encoding of names (text, integer or json), and ``how`` as JSON. They are columns, because tools that rewrite a
    file can drop its metadata.
    """
    import polars as pl

    refuse_in_forked_child("writing Parquet")
    encoding = name_encoding_in(found, separating_sets=separating_sets)
    schema = _schema(encoding, separating_sets=separating_sets)
    of_the_run = dict(zip(_OF_THE_RUN, (encoding.kind, json.dumps(dict(how))), strict=True))
    # By rows, which takes a fourth of the time of columns that are built from lists of pairs.
    parts = [pl.DataFrame(schema=schema)]
    for begin in range(0, len(found), _ROWS_AT_ONCE):
        rows = [_row(blanket, encoding, schema) | of_the_run for blanket in found[begin : begin + _ROWS_AT_ONCE]]
        parts.append(pl.from_dicts(rows, schema=schema))
    try:
        pl.concat(parts).write_parquet(out)
    except pl.exceptions.PolarsError as error:  # the error of the Parquet writer for a full disk
        raise OSError(None, str(error).strip().partition("\n")[0]) from None


_ROWS_AT_ONCE = 2048  # their Python objects take some 20 MB
_OF_THE_RUN = ("names", "how")
_NAMES_BY_NAME = ("common_children", "copies", "separating_sets")


def _schema(encoding: NameEncoding, *, separating_sets: bool) -> dict[str, Any]:
    import polars as pl

    name = pl.Int64() if encoding.kind == "integer" else pl.String()
    names = pl.List(name)
    by_name = {
        **{key: pl.List(pl.Struct({"name": name, "value": pl.Float64})) for key in FIGURES},
        **{key: pl.List(pl.Struct({"name": name, "by": names})) for key in _NAMES_BY_NAME},
        **{key: pl.List(pl.Struct({"name": name, "by": names, "bits": pl.Float64})) for key in SIDES},
        FREQUENCIES: pl.List(pl.Struct({"name": name, **dict.fromkeys(SHARES, pl.Float64)})),
    }
    return {
        "target": name,
        **dict.fromkeys((*MEMBER_FIELDS, "neighbors", *OTHER_NAMES), names),
        **{key: by_name[key] for key in MAPPINGS if separating_sets or key != "separating_sets"},
        "exact": pl.Boolean,
        "gap": pl.Float64,
        "rows_per_stratum": pl.Float64,
        **dict.fromkeys(("method", "search", "symmetry", "max_given", "test", "options"), pl.String),
        "bounded": pl.Int64,
        "tests": pl.Int64,
        "tests_by_size": pl.List(pl.Int64),
        **dict.fromkeys(("skipped", "rows", "columns", "fewest_rows"), pl.Int64),
        "seconds": pl.Float64,
        "version": pl.String,
        **dict.fromkeys(_OF_THE_RUN, pl.String),
    }


def _row(blanket: Blanket, encoding: NameEncoding, wanted: Container[str]) -> dict[str, Any]:
    def encode(names: Sequence[Hashable]) -> list[str | int]:
        return [encoding.write(name) for name in names]

    return {
        **blanket.to_dict(),
        "target": encoding.write(blanket.target),
        **{field: encode(getattr(blanket, field)) for field in (*MEMBER_FIELDS, "neighbors", *OTHER_NAMES)},
        **{
            key: [{"name": encoding.write(name), "value": value} for name, value in getattr(blanket, key).items()]
            for key in FIGURES
        },
        **{
            key: [{"name": encoding.write(name), "by": encode(by)} for name, by in getattr(blanket, key).items()]
            for key in _NAMES_BY_NAME
            if key in wanted  # separating sets name nearly every column
        },
        **{
            key: [
                {"name": encoding.write(name), "by": encode(seen.columns), "bits": seen.bits}
                for name, seen in getattr(blanket, key).items()
            ]
            for key in SIDES
        },
        FREQUENCIES: [{"name": encoding.write(name), **shares} for name, shares in blanket.frequencies.items()],
        "max_given": None if blanket.max_given is None else str(blanket.max_given),
        "options": json.dumps(dict(blanket.options)),
    }


def read_parquet(file: Path) -> tuple[list[Blanket], dict[str, Any]]:
    """Read a file of ``write_parquet``.

    Raises
    ------
    DataError
        For another table, or a row that is not a blanket; the message gives the row.
    """
    import polars as pl

    refuse_in_forked_child("reading Parquet")
    try:
        content = file.read_bytes()
        check_pages(content)
        with without_panics():
            frame = pl.read_parquet(io.BytesIO(content))
        encoding, how = _run(frame)
        schema = _schema(encoding, separating_sets=True)
        # Tools that rewrite a file can change the widths of integers, or the order of columns.
        frame = frame.select(pl.col(key).cast(dtype) for key, dtype in schema.items() if key in frame.columns)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(f"not a table of blankets: {reason}") from None
    return list(_blankets(frame, encoding)), how


def _run(frame: pl.DataFrame) -> tuple[NameEncoding, dict[str, Any]]:
    """Read the columns that are the same in all rows."""
    missing = [key for key in (*REQUIRED, *_OF_THE_RUN) if key not in frame.columns]
    if missing:
        raise DataError(f"no column {missing[0]!r}, so not a table of blankets")
    if not frame.height:
        return NameEncoding("text"), {}
    for key in _OF_THE_RUN:
        if frame[key].n_unique() > 1:
            raise DataError(f"the column {key!r} has two values: rows of several runs; a file has one run")
    names, text = frame[_OF_THE_RUN[0]][0], frame[_OF_THE_RUN[1]][0]
    if names not in NAME_ENCODINGS:
        raise DataError(f"the column 'names' has {names!r}; it is one of {', '.join(NAME_ENCODINGS)}")
    return NameEncoding(names), _json_object("how", text)


def _json_object(column: str, text: str) -> dict[str, Any]:
    try:
        return dict(json.loads(text))
    except (TypeError, ValueError, RecursionError):
        raise DataError(f"the column {column!r} has {excerpt(text)}; it has to be a JSON object") from None


def _blankets(frame: pl.DataFrame, encoding: NameEncoding) -> Iterator[Blanket]:
    rows_of: dict[Hashable, int] = {}
    for number, row in enumerate(frame.iter_rows(named=True), 1):
        try:
            blanket = blanket_of(_fields(row, encoding))
            first = rows_of.setdefault(blanket.target, number)
            if first != number:
                raise DataError(f"the target {blanket.target!r} has a blanket in row {first} already")
            yield blanket
        except DataError as error:
            raise DataError(f"row {number}: {error}") from None


def _fields(row: Mapping[str, Any], encoding: NameEncoding) -> dict[str, Any]:
    def decode(names: Iterable[Any] | None) -> list[Hashable]:
        return [encoding.read(name) for name in names or ()]

    def value(key: str, pair: Mapping[str, Any]) -> Any:
        if key in SIDES:
            return {"columns": decode(pair["by"]), "bits": pair["bits"]}
        if key == FREQUENCIES:
            return {name: pair[name] for name in SHARES if pair[name] is not None}
        return pair["value"] if key in FIGURES else decode(pair["by"])

    pairs = {
        key: [(encoding.read(pair["name"]), value(key, pair)) for pair in row[key]] for key in MAPPINGS if row.get(key)
    }
    limit = row.get("max_given")
    return {
        **{key: value for key, value in row.items() if key not in MAPPINGS},
        "target": encoding.read(row["target"]),
        **{field: decode(row.get(field)) for field in (*MEMBER_FIELDS, *OTHER_NAMES)},
        "by_name": pairs,
        "max_given": int(limit) if limit and limit.isdecimal() else limit,
        "options": _json_object("options", row.get("options") or "{}"),
    }
