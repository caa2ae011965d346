"""Reads and writes blankets in the format that the suffix of the file names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from climbfast.atomic_write import atomic_write, check_writable
from climbfast.blankets.csv_format import read_csv, write_csv
from climbfast.blankets.jsonl_format import read_lines, write_lines
from climbfast.blankets.parquet_format import read_parquet, write_parquet
from climbfast.errors import DataError, OptionError
from climbfast.local.blanket import Blanket
from climbfast.names import name_text

__all__ = ["SUFFIXES", "check_suffix", "check_target", "read", "write", "write_to"]

SUFFIXES = (".jsonl", ".parquet", ".csv")
_READERS = dict(zip(SUFFIXES, (read_lines, read_parquet, read_csv), strict=True))


def check_suffix(file: Path) -> str:
    """Return the suffix in lower case.

    Raises
    ------
    OptionError
        For an unknown suffix.
    """
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise OptionError(
            f"{name_text(file)}: unknown suffix; blankets are in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        )
    return suffix


def check_target(file: Path) -> None:
    """Check that a file can be written, before the work that produces its content.

    Raises
    ------
    OptionError
        For an unknown suffix, a directory, or a folder that does not exist or is not writable.
    """
    check_suffix(file)
    try:
        check_writable(file)
    except OSError as error:
        raise OptionError(f"{name_text(file)} cannot be written: {error.strerror or error}") from None


def write(
    found: Sequence[Blanket], how: Mapping[str, Any], file: Path, *, separating_sets: bool, quote_formulas: bool = False
) -> None:
    """Write a file, see ``Blankets.save``."""
    suffix = check_suffix(file)
    if not found:
        raise OptionError(f"{name_text(file)}: there are no blankets to write")
    if separating_sets and suffix == ".csv":
        raise OptionError(f"{name_text(file)}: a CSV file cannot contain separating sets; use .jsonl or .parquet")
    try:
        with atomic_write(file) as out:
            write_to(out, suffix, found, how, separating_sets=separating_sets, quote_formulas=quote_formulas)
    except OSError as error:
        raise OptionError(f"{name_text(file)} cannot be written: {error.strerror or error}") from None


def write_to(
    out: IO[bytes],
    suffix: str,
    found: Sequence[Blanket],
    how: Mapping[str, Any],
    *,
    separating_sets: bool = False,
    quote_formulas: bool = False,
) -> None:
    """Write blankets to an open file in the format of a suffix."""
    if suffix == ".csv":
        write_csv(found, how, out, quote_formulas=quote_formulas)
    elif suffix == ".jsonl":
        write_lines(found, how, out, separating_sets=separating_sets)
    else:
        write_parquet(found, how, out, separating_sets=separating_sets)


def read(file: Path) -> tuple[Sequence[Blanket], Mapping[str, Any]]:
    """Read a file, see ``Blankets.read``."""
    suffix = check_suffix(file)
    try:
        if file.is_dir():
            raise IsADirectoryError(None, "it is a directory")
        found, how = _READERS[suffix](file)
    except DataError as error:
        raise DataError(f"{name_text(file)}, {error}") from None
    except OSError as error:
        raise DataError(f"{name_text(file)} cannot be read: {error.strerror or error}") from None
    if not found:
        raise DataError(f"{name_text(file)} contains no blankets")
    return found, how
