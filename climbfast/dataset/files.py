"""Reads a file as a Dataset, by its suffix."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from climbfast.caller_warnings import warn_caller
from climbfast.dataset import diagnostics
from climbfast.dataset.options import (
    DEFAULT_MARKERS,
    DeclaredLevels,
    Markers,
    Numbers,
    Options,
    check_names,
    check_options,
)
from climbfast.dataset.panics import without_panics
from climbfast.dataset.reading_progress import announce_reading
from climbfast.dataset.sources import (
    FOREIGN_FORMATS,
    TEXT_FORMATS,
    PlacedError,
    Source,
    find_format,
    find_paths,
    open_source,
    place_of,
)
from climbfast.dataset.waiting import call_in_thread
from climbfast.errors import ClimbfastError, ClimbfastWarning, DataError, Option, OptionError
from climbfast.forks import refuse_in_forked_child
from climbfast.names import name_text

if TYPE_CHECKING:
    from climbfast.dataset.dataset import Dataset
    from climbfast.dataset.delimited import TextTable
    from climbfast.dataset.table import Table

__all__ = ["File", "placed", "read", "read_tables", "with_files"]

T = TypeVar("T")

_COUNTED = (*TEXT_FORMATS, "parquet")  # formats whose bytes are counted while they are read, of Parquet if it is large
_BYTES_READ_AT_ONCE = 1 << 22  # in some 0.1 s; in a thread, with its own memory, a small file takes 8 % longer


def read(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    format: str | None = None,  # noqa: A002  # the name of the option elsewhere
    missing: str = "refuse",
    missing_markers: Markers = None,
    declared_levels: DeclaredLevels = None,
    numbers: Numbers = "refuse",
    weights: Hashable | None = None,
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
    path : path, or sequence of paths
        A file with the suffix ``.csv``, ``.tsv``, ``.txt`` or ``.arff`` (also followed by ``.gz`` or ``.zst``),
        ``.parquet`` or ``.pq``, ``.arrow``, ``.feather`` or ``.ipc``; with ``pip install "climbfast[formats]"`` also
        ``.sav`` and ``.zsav`` of SPSS, ``.dta`` of Stata, ``.sas7bdat`` of SAS, and ``.rds``, ``.rda`` and ``.RData``
        of R; or any other with its ``format``. A pipe, such as ``/dev/stdin``, is read once from start to end; a long
        one is copied into a temporary file.

        Several files with the same columns, in any order, are one table: a list of paths, or a pattern such as
        ``"part-*.csv"``, whose files are read in the order of their names. A path that exists is no pattern.
    format : {"csv", "tsv", "txt", "parquet", "arrow", "arff", "sav", "dta", "sas7bdat", "rds"}, optional
        What the file is, whatever its suffix; "rds" is for all files of R. Default: by its suffix.
    missing : {"refuse", "test-wise", "drop-rows", "level"}
        "refuse": missing cells are an error, which counts them by column. "test-wise": every test and score uses the
        rows that are complete in its own columns. "drop-rows": rows with missing cells are omitted. "level": in columns
        with missing cells, missing is one more level, None.
    missing_markers : collection, or mapping from names to collections, optional
        Values that stand for a missing cell, in addition to the empty cell and null. In columns of numbers, a number
        and its text are the same marker. Default: `climbfast.dataset.DEFAULT_MARKERS` in text files, none in others. A
        mapping: further markers of single columns; the key None is for all columns.
    declared_levels : None, True, or mapping from names to lists of levels
        None: only the values that occur are levels. True: all categories of Enum columns are levels, which polars
        writes into Parquet and Arrow files, all levels of the factors of R, and all labeled values of SPSS, Stata and
        SAS. A mapping: exactly these levels, in this order, for the columns that it names. The levels that an ARFF file
        declares always count.
    numbers : str, mapping from names to rules, or Discretizer
        How columns of numbers become levels: columns with fractions, of whole numbers with more than 20 levels,
        and of dates and times. "refuse": fractions are an error, and each whole number or date is a level.
        "levels": each number is a level. "auto": 3 to 5 intervals, more with more rows, that keep what the
        columns say about each other. "quantile:4": 4 intervals of about equal numbers of rows. "width:5": 5 of
        equal width. "hartemink:3": quantiles merged into 3 levels, at the least loss of information about the
        other columns. "mdlp:TARGET": cuts that tell the levels of this column apart; they look at it, so that
        the same rows cannot test what follows. In a mapping, columns by name have a rule or a list of cuts,
        such as ``[18, 35, 65]``, whatever their number of levels; the key None is for all others (default:
        "refuse"). Intervals are ordered and named ``[18, 35)``. Text, boolean columns and numbers of the rows are never
        cut. Numbers with a decimal comma, and dates and times in ISO form (2024-12-31, 08:30, 08:30:00,
        2024-12-31 08:30, with T in place of the blank, with Z or +02:00 behind it) are such columns, too, where a rule
        cuts them. A Discretizer: the cuts of another table.
    weights : name, optional
        A column of whole numbers that says how often each row occurs, as in a table of counts. Results are those of the
        table with its rows repeated; the column itself is not among the columns of the data.
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
        The encoding of a text file, of an ARFF file, or of one of SPSS, Stata or SAS that names a wrong one.
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
        For constant columns, id columns, columns with more levels than rows / 5 (and more than 10), and columns that
        determine each other one to one (in tables of 10 rows and more; with ``missing="test-wise"`` also in the rows
        where both are observed, for which 4 * 10^8 cells are read at most); for columns of whole numbers of more than
        20 levels that are taken as they are, columns with fewer intervals than ``numbers`` asks for, columns of text
        that are nearly numbers, of durations, and of whole numbers that are all different, where a rule cuts the
        others, and cuts that look at a target; for levels that differ only by blanks around them; with
        ``missing="test-wise"`` for the columns with missing cells and those whose cells are missing together, columns
        without any value, and columns on which it depends what is missing; and for an empty last column that is omitted
        because every line ends with a separator.

    Notes
    -----
    If all cells of a column of a text file are whole numbers, its levels are integers ("1" and "1.0" are one level),
    unless a cell has a leading zero: "007" is text. Other columns are text, also "True" and "False". Blank lines are
    skipped in files of more than one column. Columns that pandas writes into Parquet and Arrow files
    for its index are not read.

    Values of SPSS, Stata, SAS and R's package haven that have labels are the labels, in the order of the values; a
    value without a label is its text, and a label of several values is followed by the value. A column of numbers of
    which fewer than half have a label, such as an age with the label "98 or older", stays a column of numbers. Values
    that the file defines as missing (ranges of SPSS, ``.a`` of Stata) are missing cells, and so are empty texts. Levels
    of factors are in the order that they have in R. In an ``.rda`` file there has to be exactly one data frame, or
    table of counts, which is read as ``as.data.frame`` does it. These files are read in a process of its own; no code
    in them is run.

    In a forked child process of one that has used polars, as ``cf.read`` does, a read
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
    dataset, empty_last = with_files(
        path,
        _encode,
        format=format,
        separator=separator,
        header=header,
        encoding=encoding,
        missing=missing,
        missing_markers=missing_markers,
        declared_levels=declared_levels,
        numbers=numbers,
        weights=weights,
        keep_ids=keep_ids,
        columns=columns,
        leave_out=leave_out,
    )
    if empty_last is not None:
        warn_caller(
            ClimbfastWarning(f"every line ends with a separator; the empty last column {empty_last!r} is left out")
        )
    diagnostics.warn_about(dataset)
    return dataset


class File(NamedTuple):
    """A file of a table: its path, its format, its content, and how its text is read."""

    path: Path
    format: str
    source: Source
    separator: str | None
    header: bool
    encoding: str

    def text(self, check: Callable[[Sequence[Hashable]], None] = check_names) -> TextTable:
        """Return a text file as a table of texts; ``check`` refuses names."""
        from climbfast.dataset.delimited import read_delimited

        return read_delimited(
            self.source,
            separator=self.separator,
            header=self.header,
            encoding=self.encoding,
            tabs=self.format == "tsv",
            check=check,
        )


def with_files(
    path: Any,
    work: Callable[[list[File], Options], T],
    *,
    format: str | None,  # noqa: A002  # as in `read`
    separator: str | None,
    header: bool,
    encoding: str,
    **reading: Any,
) -> T:
    """Return what ``work`` makes of the files of a table and the options of reading it; see ``read`` for both.

    Ctrl-C is heard meanwhile, and errors begin with the file.
    """
    paths = find_paths(path)
    forms = [_format_of(each, format, separator=separator, header=header, encoding=encoding) for each in paths]
    form = _one_format(paths, forms)
    options = check_options(default_markers=DEFAULT_MARKERS if form in TEXT_FORMATS else (), **reading)
    refuse_in_forked_child("reading a file")
    try:
        text, size = f"reading {_name_of(path, paths)}", sum(map(_size, paths))
        with announce_reading(text, size, counts_bytes=form in _COUNTED), ExitStack() as copies:
            files = [
                File(each, of_file, _open(each, copies), separator, header, encoding)
                for each, of_file in zip(paths, forms, strict=True)
            ]
            sources = [file.source for file in files]
            is_short = sum(source.size() for source in sources) < _BYTES_READ_AT_ONCE
            # The cells of text files are not read by polars.
            with nullcontext(_nothing) if form in TEXT_FORMATS else without_panics() as show_other_messages:
                if is_short and form not in FOREIGN_FORMATS and not any(source.layers for source in sources):
                    return work(files, options)
                return call_in_thread(lambda: work(files, options), show_other_messages)
    except PlacedError as error:
        raise DataError(*error.parts) from None
    except DataError as error:
        raise error.behind(f"{_name_of(path, paths)}: ") from None


def _encode(files: list[File], options: Options) -> tuple[Dataset, str | None]:
    """Return the Dataset, and the name of an empty last column that is left out."""
    if files[0].format in TEXT_FORMATS:
        return _encode_texts(files, options)
    from climbfast.dataset.columnar import encode_large_parquet
    from climbfast.dataset.table import encode_table

    if len(files) == 1 and files[0].format == "parquet":
        with placed(files[0].path):
            if found := encode_large_parquet(files[0].source, options):
                return found, None
    return encode_table(read_tables(files), files[0].format, options), None


def _format_of(path: Path, chosen: str | None, *, separator: str | None, header: bool, encoding: str) -> str:
    try:
        form = find_format(path, chosen)
        if form not in TEXT_FORMATS and not (separator is None and header):
            raise OptionError(Option("separator"), " and ", Option("header", value=False), " are for text files")
        if form in ("parquet", "arrow", "rds") and encoding != "utf-8":
            raise OptionError(Option("encoding"), f" is not for the format {form}, which says it itself")
    except ClimbfastError as error:
        raise error.behind(place_of(path)) from None
    return form


def _one_format(paths: Sequence[Path], forms: Sequence[str]) -> str:
    """Return the format of the table; text files of several kinds are of one."""
    for path, form in zip(paths, forms, strict=True):
        if form != forms[0] and not {form, forms[0]} <= set(TEXT_FORMATS):
            raise DataError(f"{place_of(path)}it is of the format {form} where {name_text(paths[0])} is {forms[0]}")
    return forms[0]


def _name_of(given: Any, paths: Sequence[Path]) -> str:
    """Return what messages call the whole table."""
    if isinstance(given, (str, os.PathLike)) or len(paths) == 1:
        return name_text(Path(given) if isinstance(given, (str, os.PathLike)) else paths[0])
    return f"{len(paths)} files, the first of them {name_text(paths[0])}"


def _open(path: Path, copies: ExitStack) -> Source:
    """Open a file; what is copied for it is left to ``copies``, which close it."""
    with placed(path):
        source = open_source(path)
    if source.copy is not None:
        copies.enter_context(source.copy)
    return source


@contextmanager
def placed(path: Path) -> Iterator[None]:
    """Begin the message of an error with the file that it is about."""
    try:
        yield
    except PlacedError:
        raise
    except DataError as error:
        raise PlacedError(place_of(path), *error.parts) from None
    except OSError as error:
        raise PlacedError(f"{place_of(path)}{error.strerror or error}") from None


def _encode_texts(files: Sequence[File], options: Options) -> tuple[Dataset, str | None]:
    """Return text files as one Dataset, and the name of an empty last column that is left out."""
    from climbfast.dataset.joining import check_same_columns, encode_parts, part_of

    if len(files) == 1:
        with placed(files[0].path):
            text = files[0].text()
            return _encode_text(text, options), text.empty_last
    parts, names, empty_last = [], None, None
    for file in files:
        with placed(file.path):
            text = file.text()
            names = names or text.names
            check_same_columns(files[0].path, names, file.path, text.names)
            parts.append(part_of(text, options))
            empty_last = empty_last or text.empty_last
    return encode_parts(parts, options), empty_last


def read_tables(files: Sequence[File]) -> Table:
    """Return files that are no text files as one table."""
    from climbfast.dataset.joining import join_tables

    tables = []
    for file in files:
        with placed(file.path):
            tables.append(_read_table(file.source, file.format, file.encoding))
    return tables[0] if len(tables) == 1 else join_tables([file.path for file in files], tables)


def _read_table(source: Source, form: str, encoding: str) -> Table:
    """Read a file that is no text file."""
    from climbfast.dataset.table import Table

    if form in FOREIGN_FORMATS:
        from climbfast.dataset.foreign import read_foreign

        return read_foreign(source, form, None if encoding == "utf-8" else encoding)
    if form == "arff":
        from climbfast.dataset.arff import read_arff

        return Table(read_arff(source, encoding=encoding), declares_levels=True)
    from climbfast.dataset.columnar import read_columnar

    return read_columnar(source, form)


def _nothing() -> None:
    pass


def _size(path: Path) -> int:
    """Return the size of a file; 0 for a pipe."""
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def _encode_text(table: TextTable, options: Options) -> Dataset:
    from climbfast.dataset.assemble import assemble
    from climbfast.dataset.levels import arrange_texts
    from climbfast.dataset.texts import encode_text_columns

    wanted = options.select(table.names)
    names = [table.names[position] for position in wanted]
    columns = encode_text_columns(table.columns, wanted, names, options, arrange_texts)
    return assemble(names, columns, table.columns.rows, options, place=table.columns.place)
