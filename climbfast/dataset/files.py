"""Reads a file as a Dataset, by its suffix."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Hashable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from climbfast.dataset import diagnostics
from climbfast.dataset.options import DEFAULT_MARKERS, DeclaredLevels, Options, check_options
from climbfast.errors import DataError, Option, OptionError

if TYPE_CHECKING:
    import polars as pl

    from climbfast.dataset.dataset import Dataset
    from climbfast.dataset.delimited import TextTable

__all__ = ["read"]

_TEXT = (".csv", ".tsv", ".txt")
_COMPRESSED = (".gz", ".zst")
_PARQUET = (".parquet", ".pq")
_ARROW = (".arrow", ".feather", ".ipc")
_INDEX_OF_PANDAS = re.compile(r"__index_level_[0-9]+__")


def read(
    path: str | os.PathLike[str],
    *,
    missing: str = "refuse",
    missing_markers: Collection[Hashable] | None = None,
    declared_levels: DeclaredLevels = None,
    treat_floats_as_levels: bool = False,
    keep_ids: bool = False,
    separator: str | None = None,
    header: bool = True,
    encoding: str = "utf-8",
    columns: Iterable[Hashable] | None = None,
    leave_out: Iterable[Hashable] | None = None,
) -> Dataset:
    """Read a table of discrete data.

    Parameters
    ----------
    path : path
        A file with the suffix ``.csv``, ``.tsv`` or ``.txt`` (also followed by ``.gz`` or ``.zst``), ``.parquet`` or
        ``.pq``, ``.arrow``, ``.feather`` or ``.ipc``.
    missing : {"refuse", "drop-rows", "level"}
        "refuse": missing cells are an error, which counts them by column. "drop-rows": rows with missing cells are
        omitted. "level": in columns with missing cells, missing is one more level, None.
    missing_markers : collection, optional
        Values that stand for a missing cell, in addition to the empty cell and null. In columns of numbers, a number
        and its text are the same marker. Default: `climbfast.dataset.DEFAULT_MARKERS` in text files, none in others.
    declared_levels : None, True, or mapping from names to lists of levels
        None: only the values that occur are levels. True: all categories of Enum columns are levels, which polars
        writes into Parquet and Arrow files. A mapping: exactly these levels, in this order, for the columns that it
        names.
    treat_floats_as_levels : bool
        Accept columns of fractional numbers, where each number is a level, instead of refusing them.
    keep_ids : bool
        Whether to take columns with about as many levels as rows (more than 0.9 times as many, and more than 10) as
        they are. By default such a column, an identifier, is kept but independent of everything, as a constant one is,
        and named in a warning.
    separator : str, optional
        The character between the cells of a text file. Default: tab for ``.tsv``, else the most frequent of
        ``, ; tab |`` in the first line.
    header : bool
        Whether the first line of a text file has the names. If not, the columns are named ``column_1``,
        ``column_2``, ...; this is also the name of a column whose name is empty.
    encoding : str
        The encoding of a text file.
    columns, leave_out : iterable of names, optional
        Columns to read (default: all), and columns to omit.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        If the file cannot be read as discrete data; the message names the file, and the line or column.
    OptionError
        If an option is outside its legal values, or is an option of text files and the file is not one.
    UnknownColumnError
        If an option names a column that does not exist.

    Warns
    -----
    ClimbfastWarning
        For constant columns, columns with more levels than rows / 5 (and more than 10), columns that
        determine each other one to one (in tables of 10 rows and more), and an empty last column that is
        omitted because every line ends with a separator.

    Notes
    -----
    If all cells of a column of a text file are whole numbers, its levels are integers ("1" and "1.0" are one level),
    unless a cell has a leading zero: "007" is text. Other columns are text, also "True" and "False". Blank lines are
    skipped in files of more than one column. Columns that pandas writes into Parquet for its index
    (``__index_level_0__``) are not read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import climbfast as cf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "table.csv"
    ...     _ = path.write_text("smoker,cough\\nno,0\\nyes,1\\n?,1\\n")
    ...     data = cf.read(path, missing="drop-rows", missing_markers=["?"])
    >>> data
    <Dataset: 2 rows, 2 columns, up to 2 levels>
    >>> dict(data.levels)
    {'smoker': ('no', 'yes'), 'cough': (0, 1)}
    """
    path = Path(path)
    kind, is_text = _kind(path)
    if not is_text and not (separator is None and header and encoding == "utf-8"):
        raise OptionError(
            f"{path}: ", Option("separator"), ", ", Option("header", value=False), " and ", Option("encoding"),
            " are for text files",
        )  # fmt: skip
    markers = (DEFAULT_MARKERS if is_text else ()) if missing_markers is None else missing_markers
    options = check_options(
        missing=missing,
        missing_markers=markers,
        declared_levels=declared_levels,
        treat_floats_as_levels=treat_floats_as_levels,
        keep_ids=keep_ids,
        columns=columns,
        leave_out=leave_out,
    )
    try:
        if is_text:
            from climbfast.dataset.delimited import read_delimited

            table = read_delimited(path, separator=separator, header=header, encoding=encoding)
            dataset = _encode_text(table, options)
        else:
            dataset = _read_columnar(path, kind, options)
    except DataError as error:
        raise error.behind(f"{path}: ") from None
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}") from None
    diagnostics.warn_about(dataset, stacklevel=2)
    return dataset


def _kind(path: Path) -> tuple[str, bool]:
    """Return the suffix of a file without that of its compression, and whether it is text.

    Raises
    ------
    DataError
        If the file does not exist, is a directory, or has an unknown suffix.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compressed = bool(suffixes) and suffixes[-1] in _COMPRESSED
    kind = "".join(suffixes[-2:-1] if compressed else suffixes[-1:])
    if not path.exists():
        raise DataError(f"{path}: there is no such file")
    if path.is_dir():
        raise DataError(f"{path}: a directory, not a file")
    if kind not in _TEXT and (compressed or kind not in (*_PARQUET, *_ARROW)):
        known = ", ".join((*_TEXT, *_PARQUET, *_ARROW))
        raise DataError(f"{path}: unknown suffix; known are {known}, and text with .gz or .zst added")
    return kind, kind in _TEXT


def _encode_text(table: TextTable, options: Options) -> Dataset:
    from climbfast.dataset.assemble import assemble
    from climbfast.dataset.levels import arrange_texts
    from climbfast.dataset.texts import encode_texts

    wanted = options.select(table.names)
    frame = table.frame.select([str(position) for position in wanted])
    names = [table.names[position] for position in wanted]
    return assemble(names, encode_texts(frame, names, options, arrange_texts), frame.height, options)


def _read_columnar(path: Path, kind: str, options: Options) -> Dataset:
    import polars as pl

    from climbfast.dataset.frames import encode_polars

    try:
        frame = pl.read_parquet(path, glob=False) if kind in _PARQUET else _read_arrow(path)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(f"not a readable {kind} file: {reason}") from None
    index = [name for name in frame.columns if _INDEX_OF_PANDAS.fullmatch(name)]
    return encode_polars(frame.drop(index), options)


def _read_arrow(path: Path) -> pl.DataFrame:
    """Read an Arrow file in either of its two formats, which have the same suffixes."""
    import polars as pl

    with path.open("rb") as file:
        is_stream = file.read(6) != b"ARROW1"
    # Opened again, because polars reads from the position of the operating system, after the bytes that Python has
    # buffered. Not read by its path: a memory map would keep the file open as long as the frame exists.
    with path.open("rb") as file:
        return pl.read_ipc_stream(file) if is_stream else pl.read_ipc(file)
