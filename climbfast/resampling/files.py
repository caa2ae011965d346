"""Files of frequencies: JSON, Parquet and CSV. Each has the table, and as JSON how it was found."""

from __future__ import annotations

import io
import json
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from climbfast.atomic_write import atomic_write, check_writable
from climbfast.blankets.name_encoding import from_json, json_default
from climbfast.errors import DataError, Legal, OptionError
from climbfast.names import name_text
from climbfast.resampling.table import cells_of_names, counts_in, frame_of

if TYPE_CHECKING:
    import polars as pl

    from climbfast.resampling.records import Counts

__all__ = ["ABOUT", "SUFFIXES", "Content", "check_target", "document_of", "read", "write"]

SUFFIXES = (".json", ".csv", ".parquet")
ABOUT = ("targets", "replicates", "search", "scheme", "seed", "options", "rows", "data", "how", "version")
_RUN = "run"  # the last column, which has in its first row how the frequencies were found


class Content(NamedTuple):
    """What a file has.

    Attributes
    ----------
    names : tuple
    pairs : Counts
    members : Counts or None
    about : mapping
        How the frequencies were found, as JSON has it; with the number of ``replicates``.
    """

    names: tuple[Hashable, ...]
    pairs: Counts
    members: Counts | None
    about: Mapping[str, Any]


def check_target(path: Path) -> None:
    """Check that a file can be written, before the work that produces its content.

    Raises
    ------
    OptionError
        For an unknown suffix, a directory, or a folder that does not exist or is not writable.
    """
    _known_suffix(path)
    try:
        check_writable(path)
    except OSError as error:
        raise OptionError(f"{name_text(path)} cannot be written: {error.strerror or error}") from None


def write(content: Content, path: Path, *, quote_formulas: bool) -> None:
    """Write a file, see ``Bootstrap.save``."""
    suffix = _known_suffix(path)
    try:
        with atomic_write(path) as out:
            out.write(_bytes_of(content, suffix, quote_formulas=quote_formulas))
    except OSError as error:
        raise OptionError(f"{name_text(path)} cannot be written: {error.strerror or error}") from None


def _known_suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise OptionError(f"{name_text(path)}: unknown suffix; known are ", Legal(tuple(SUFFIXES)))
    return suffix


def document_of(content: Content) -> dict[str, Any]:
    """Return what a JSON file has: how the frequencies were found, and the columns of the table."""
    about, frame = _parts_of(content, quotes=False)
    return {**about, "table": frame.to_dict(as_series=False)}


def _parts_of(content: Content, *, quotes: bool) -> tuple[dict[str, Any], pl.DataFrame]:
    cells = cells_of_names(content.names, quote_formulas=quotes)
    frame = frame_of(cells, content.pairs, content.members, content.about["replicates"])
    return {"names": list(content.names), **content.about, "quoted": quotes}, frame


def _bytes_of(content: Content, suffix: str, *, quote_formulas: bool) -> bytes:
    import polars as pl

    if suffix == ".json":
        return (json.dumps(document_of(content), default=json_default) + "\n").encode()
    about, frame = _parts_of(content, quotes=quote_formulas and suffix == ".csv")
    if frame.is_empty():
        frame = pl.DataFrame({name: pl.Series([None], dtype=dtype) for name, dtype in frame.schema.items()})
    text = json.dumps(about, default=json_default)
    frame = frame.with_columns(pl.Series(_RUN, [text, *[None] * (frame.height - 1)], dtype=pl.String))
    if suffix == ".csv":
        return frame.write_csv().encode()
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def read(path: Path) -> Content:
    """Read a file, see ``Bootstrap.read``."""
    import polars as pl

    suffix = _known_suffix(path)
    try:
        about, table = _document(path, suffix)
        names, about["targets"] = (tuple(map(from_json, about[key])) for key in ("names", "targets"))
        cells = cells_of_names(names, quote_formulas=about.pop("quoted"))
        pairs, members = counts_in(table, cells, about["replicates"])
        about = {key: about[key] for key in ABOUT}
    except OSError as error:
        raise DataError(f"{name_text(path)}: {error.strerror or error}") from None
    except DataError as error:
        raise error.behind(f"{name_text(path)}: ") from None
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError):
        raise _foreign(path) from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        raise _foreign(path) from None
    return Content(names, pairs, members, about)


def _foreign(path: Path) -> DataError:
    return DataError(f"{name_text(path)}: it is not a file of frequencies that Bootstrap.save has written")


def _document(path: Path, suffix: str) -> tuple[dict[str, Any], Mapping[str, Sequence[Any]]]:
    """Return how the frequencies were found, and the columns of the table."""
    import polars as pl

    from climbfast.dataset.panics import without_panics

    content = path.read_bytes()
    if suffix == ".json":
        about = json.loads(content)
        return about, about.pop("table")
    with without_panics():
        frame = pl.read_csv(content, infer_schema=False) if suffix == ".csv" else pl.read_parquet(content)
    about = json.loads(frame[_RUN][0])
    frame = frame.filter(~pl.col("edge").cast(pl.String).fill_null("").eq(""))  # a row without a pair: there is none
    return about, frame.drop(_RUN).to_dict(as_series=False)
