"""The options of reading data: the file, how it is read, and names of its columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from climbfast.dataset import Dataset, read
from climbfast.errors import OptionError

__all__ = ["Data", "ReadOptions", "split_names", "targets_in"]

_PANEL = "Reading DATA"

Data = Annotated[
    Path, typer.Argument(metavar="DATA", help="The data: a CSV, TSV, Parquet or Arrow file.", show_default=False)
]


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """The options of `climbfast.read`."""

    missing: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Missing cells: refuse (an error), drop-rows (rows with a missing cell are left out) or level (they "
            "are one more level).",
            rich_help_panel=_PANEL,
        ),
    ] = "refuse"
    missing_markers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            help="Values that mean a missing cell, besides the empty cell: comma-separated, repeatable. "
            "Default: NA, NaN, null and similar words in text files.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    treat_floats_as_levels: Annotated[
        bool,
        typer.Option(
            "--treat-floats-as-levels",
            help="Accept numbers with a fraction; each distinct number is a level.",
            rich_help_panel=_PANEL,
        ),
    ] = False
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
    encoding: Annotated[str, typer.Option(metavar="NAME", help="Encoding of a text file.", rich_help_panel=_PANEL)] = (
        "utf-8"
    )

    def read(self, path: Path) -> Dataset:
        """Return the data in a file."""
        texts = self.missing_markers
        return read(
            path,
            missing=self.missing,
            missing_markers=None if texts is None else [marker for text in texts for marker in text.split(",")],
            treat_floats_as_levels=self.treat_floats_as_levels,
            keep_ids=self.keep_ids,
            leave_out=self.leave_out or (),
            separator=self.separator,
            header=not self.no_header,
            encoding=self.encoding,
        )


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
