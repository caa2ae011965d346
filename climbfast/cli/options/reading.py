"""The options of reading data: the file, how it is read, and names of its columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from climbfast.cli.standard_input import standard_input
from climbfast.dataset import Dataset, read
from climbfast.dataset.discretization.rules import parse_rule
from climbfast.dataset.numbers import read_numbers
from climbfast.dataset.options import Markers, Numbers
from climbfast.dataset.sources import find_paths
from climbfast.errors import OptionError

__all__ = ["Data", "ReadingArguments", "files_of", "markers_in", "numbers_in", "split_names", "targets_in"]

T = TypeVar("T")

_PANEL = "Reading DATA"

Data = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="The data: a CSV, TSV, ARFF, Parquet or Arrow file, or one of SPSS, Stata, SAS or R; a pattern in quotes, "
        "such as 'part-*.csv', for files that are one table; or - for standard input, with --format.",
        show_default=False,
    ),
]


@dataclass(frozen=True, kw_only=True)
class ReadingArguments:
    """The options of `climbfast.read`."""

    format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What DATA is, whatever its suffix: csv, tsv, txt, parquet, arrow, arff, sav, dta, sas7bdat or rds.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    missing: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Missing cells: refuse (an error), test-wise (every test uses the rows that are complete in its own "
            "columns), drop-rows (rows with a missing cell are left out) or level (they are one more level).",
            rich_help_panel=_PANEL,
        ),
    ] = "refuse"
    missing_markers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B|COLUMN=A,B",
            help="Values that mean a missing cell, besides the empty cell: comma-separated, repeatable. "
            "Default: NA, NaN, null and similar words in text files. With a column, such as income=-99, they are "
            "further ones of that column. The column stands before the last =; a text that begins with =, such as "
            "==, has none.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    numbers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE|COLUMN=RULE",
            help="How numbers, dates and times become levels: refuse (columns with fractions are an error), levels "
            "(each number is a level), auto (3 to 5 intervals, by the number of rows), quantile:4 (4 "
            "intervals of about equally many rows), width:5 (5 of equal width), hartemink:3 (3 that keep most of what "
            "the columns say about each other) or mdlp:TARGET (intervals that tell the levels of the column TARGET "
            "apart; they look at it: the same rows cannot test it). Columns of whole numbers with up to 20 levels stay "
            "as they are, unless a rule is for them alone, such as age=quantile:4. Repeatable.",
            show_default="refuse",
            rich_help_panel=_PANEL,
        ),
    ] = None
    cut: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=A,B",
            help="Cut a column into intervals at these numbers, dates or times, such as age=18,35,65; repeatable.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    weights: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="A column of whole numbers that says how often each row occurs.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    keep_ids: Annotated[
        bool,
        typer.Option(
            "--keep-ids",
            help="Test columns with about as many levels as rows as all others are tested. By default they are taken "
            "as independent of everything.",
            rich_help_panel=_PANEL,
        ),
    ] = False
    leave_out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Column to leave out; repeatable.", show_default=False, rich_help_panel=_PANEL
        ),
    ] = None
    separator: Annotated[
        str | None,
        typer.Option(
            "--separator",
            metavar="TEXT",
            help="Cell separator of a text file. Default: the most frequent of , ; tab | in its first line.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    no_header: Annotated[
        bool,
        typer.Option(
            "--no-header",
            help="The first line is data; columns are named column_1, column_2, ...",
            rich_help_panel=_PANEL,
        ),
    ] = False
    encoding: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Encoding of a text file, or of a file of SPSS, Stata or SAS that names a wrong one.",
            rich_help_panel=_PANEL,
        ),
    ] = "utf-8"

    def read(self, path: Path) -> Dataset:
        """Return the data in a file."""
        return self.read_by(read, path)

    def read_by(self, reader: Callable[..., T], path: Path) -> T:
        """Call a function that takes a file and the options of `climbfast.read`."""
        if str(path) != "-":
            return self._call(reader, path)
        if self.format is None:
            raise OptionError("standard input has no suffix; say what it is, such as --format csv")
        with standard_input() as content:
            return self._call(reader, content)

    def _call(self, reader: Callable[..., T], path: Path) -> T:
        return reader(
            path,
            format=self.format,
            missing=self.missing,
            missing_markers=markers_in(self.missing_markers),
            numbers=numbers_in(self.numbers or (), self.cut or ()),
            weights=self.weights,
            keep_ids=self.keep_ids,
            leave_out=self.leave_out or (),
            separator=self.separator,
            header=not self.no_header,
            encoding=self.encoding,
        )


def numbers_in(rules: Sequence[str], cuts: Sequence[str]) -> Numbers:
    """Return the option ``numbers`` of rules that were typed as RULE or COLUMN=RULE, and cuts as COLUMN=A,B.

    Raises
    ------
    OptionError
        For what is neither, and for a column or the whole table with two rules.
    """
    named: dict[Hashable | None, str | list[Any]] = {}
    typed = [("--numbers", text, *_split_rule(text)) for text in rules]
    typed += [("--cut", text, *_split_cuts(text)) for text in cuts]
    for option, text, name, rule in typed:
        if name in named:
            of = "the whole table" if name is None else f"column {name!r}"
            raise OptionError(f"{option} {text} is a second rule for {of}; give one")
        named[name] = rule
    return named


def _split_rule(text: str) -> tuple[str | None, str | list[Any]]:
    """Split COLUMN=RULE where the right side is a rule: a name may hold "="; a text that is a rule has no column."""
    if _is_rule(text):
        return None, text
    for place in (i for i, mark in enumerate(text) if mark == "="):
        if _is_rule(text[place + 1 :]):
            return text[:place], text[place + 1 :]
    name, rule = _split_column(text)
    parse_rule(rule, "" if name is None else f" for column {name!r}")  # raises
    raise AssertionError(text)


def _split_column(text: str) -> tuple[str | None, str]:
    """Split COLUMN=VALUE at the last "=", so that a name may hold one; a text that begins with "=" has no column."""
    name, _, value = text.rpartition("=")
    return (None, text) if not name or text.startswith("=") else (name, value)


def _is_rule(text: str) -> bool:
    try:
        parse_rule(text)
    except OptionError:
        return False
    return True


def _split_cuts(text: str) -> tuple[str, list[Any]]:
    name, cuts = _split_column(text)
    if name is None:
        raise OptionError(f"--cut {text} has no column; cuts are typed as in --cut age=18,35,65")
    return name, [_cut(cut.strip()) for cut in cuts.split(",")]


def _cut(text: str) -> Any:
    numbers = read_numbers([text])
    number = numbers[0] if numbers else text
    return float(number) if isinstance(number, Decimal) else number


def markers_in(texts: Sequence[str] | None) -> Markers:
    """Return the markers of the table, and those of the columns that were typed as COLUMN=MARKERS."""
    if texts is None:
        return None
    by_column: dict[Hashable | None, list[Hashable]] = {}
    for text in texts:
        name, markers = _split_column(text)
        by_column.setdefault(name, []).extend(markers.split(","))
    return by_column


def files_of(data: Path) -> list[Path]:
    """Return the files that DATA names; none for standard input."""
    return [] if str(data) == "-" else find_paths(data)


def split_names(texts: Sequence[str], names: Iterable[Hashable]) -> list[str]:
    """Split texts at commas, unless a text is itself a name; quotes have their meaning in CSV."""
    known = set(names)
    found: list[str] = []
    for text in texts:
        cells = csv.reader(io.StringIO(text, newline=""))
        parts = [text] if text in known else [cell for line in cells for cell in line] or [text]
        found += [part if part in known else part.strip() for part in parts]
    return found


def targets_in(texts: Sequence[str], names: Sequence[Hashable]) -> list[str]:
    """Return the names that were typed, with those in files that were typed as @FILE."""
    found: list[str] = []
    for text in texts:
        if text.startswith("@") and text not in names:
            found += _names_in_file(Path(text[1:]), names)
        else:
            found += split_names([text], names)
    return found


def _names_in_file(file: Path, names: Iterable[Hashable]) -> list[str]:
    """Return the names in a file, one per line; a comma needs no quotes there."""
    known = set(names)
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            found = [",".join(cells) for cells in csv.reader(lines) if cells]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise OptionError(
            f"--targets @{file} cannot be read: {reason}; it has to be a text file in UTF-8 with one name per line"
        ) from None
    return [name if name in known else name.strip() for name in found]
