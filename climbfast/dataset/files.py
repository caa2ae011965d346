"""Reads a file as a Dataset, by its suffix."""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from climbfast.caller_warnings import warn_caller
from climbfast.dataset import diagnostics
from climbfast.dataset.options import DEFAULT_MARKERS, DeclaredLevels, Options, check_options
from climbfast.dataset.panics import without_panics
from climbfast.dataset.sources import TEXT_FORMATS, Source, find_format, open_source, place_of
from climbfast.dataset.waiting import call_in_thread
from climbfast.errors import ClimbfastError, ClimbfastWarning, DataError, Option, OptionError
from climbfast.forks import refuse_in_forked_child

if TYPE_CHECKING:
    from climbfast.dataset.dataset import Dataset
    from climbfast.dataset.delimited import TextTable

__all__ = ["read"]

_BYTES_READ_AT_ONCE = 1 << 22  # in some 0.1 s; in a thread, with its own memory, a small file takes 8 % longer


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002  # the name of the option elsewhere
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
        ``.pq``, ``.arrow``, ``.feather`` or ``.ipc``; or any other with its ``format``. A pipe, such as
        ``/dev/stdin``, is read once from start to end.
    format : {"csv", "tsv", "txt", "parquet", "arrow"}, optional
        What the file is, whatever its suffix. Default: by its suffix.
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
        The character between the cells of a text file. Default: tab for the format "tsv", else the most frequent of
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
    skipped in files of more than one column. Columns that pandas writes into Parquet and Arrow files
    for its index are not read. In a forked child process of one that has used polars, as ``cf.read`` does, a read
    would never return, and is refused: start processes with the method "spawn".

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
    try:
        form = find_format(path, format)
        if form not in TEXT_FORMATS and not (separator is None and header and encoding == "utf-8"):
            raise OptionError(
                Option("separator"), ", ", Option("header", value=False), " and ", Option("encoding"),
                " are for text files",
            )  # fmt: skip
    except ClimbfastError as error:
        raise error.behind(place_of(path)) from None
    markers = (DEFAULT_MARKERS if form in TEXT_FORMATS else ()) if missing_markers is None else missing_markers
    options = check_options(
        missing=missing,
        missing_markers=markers,
        declared_levels=declared_levels,
        treat_floats_as_levels=treat_floats_as_levels,
        keep_ids=keep_ids,
        columns=columns,
        leave_out=leave_out,
    )
    refuse_in_forked_child("reading a file")

    def encode(source: Source) -> tuple[Dataset, str | None]:
        from climbfast.dataset.columnar import read_columnar
        from climbfast.dataset.delimited import read_delimited

        if form not in TEXT_FORMATS:
            return read_columnar(source, form, options), None
        text = read_delimited(source, separator=separator, header=header, encoding=encoding, tabs=form == "tsv")
        return _encode_text(text, options), text.empty_last

    try:
        source = open_source(path)
        with without_panics() as show_other_messages:
            if source.size() < _BYTES_READ_AT_ONCE:
                dataset, empty_last = encode(source)
            else:
                dataset, empty_last = call_in_thread(lambda: encode(source), show_other_messages)
    except DataError as error:
        raise error.behind(place_of(path)) from None
    except OSError as error:
        raise DataError(f"{place_of(path)}{error.strerror or error}") from None
    if empty_last is not None:
        warn_caller(
            ClimbfastWarning(f"every line ends with a separator; the empty last column {empty_last!r} is left out")
        )
    diagnostics.warn_about(dataset)
    return dataset


def _encode_text(table: TextTable, options: Options) -> Dataset:
    from climbfast.dataset.assemble import assemble
    from climbfast.dataset.levels import arrange_texts
    from climbfast.dataset.texts import encode_texts

    wanted = options.select(table.names)
    frame = table.frame.select([str(position) for position in wanted])
    names = [table.names[position] for position in wanted]
    return assemble(names, encode_texts(frame, names, options, arrange_texts), frame.height, options)
