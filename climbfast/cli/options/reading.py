"""The options of reading data: the file, how it is read, and names of its columns."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from climbfast.cli.output import say
from climbfast.dataset import Dataset, read
from climbfast.errors import OptionError

__all__ = ["Data", "ReadOptions", "split_names", "targets_in"]

_PANEL = "Reading DATA"

Data = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="The data: a CSV, TSV, Parquet or Arrow file; - is standard input, with --format.",
        show_default=False,
    ),
]
_STANDARD_INPUT = Path("/dev/stdin")
_SECONDS_OF_SILENCE = 2.0


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """The options of `climbfast.read`."""

    format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What DATA is, whatever its suffix: csv, tsv, txt, parquet or arrow.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    missing: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Missing cells: refuse (an error), drop-rows (leave out rows with any) or level (one more level).",
            rich_help_panel=_PANEL,
        ),
    ] = "refuse"
    missing_markers: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            help="Values that mean a missing cell, besides the empty cell: comma-separated, repeatable. "
            "Default: in text files NA, NaN, null and similar ones.",
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
            help="Take columns with about as many levels as rows as they are; else nothing depends on them.",
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
            help="Separator of cells in a text file. Default: the most frequent of , ; tab | in its first line.",
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
        """Return the data in a file; after two seconds of reading, say so."""
        texts = self.missing_markers
        path = _STANDARD_INPUT if str(path) == "-" else path
        with _announcement(path):
            return read(
                path,
                format=self.format,
                missing=self.missing,
                missing_markers=None if texts is None else [marker for text in texts for marker in text.split(",")],
                treat_floats_as_levels=self.treat_floats_as_levels,
                keep_ids=self.keep_ids,
                leave_out=self.leave_out or (),
                separator=self.separator,
                header=not self.no_header,
                encoding=self.encoding,
            )


@contextmanager
def _announcement(path: Path) -> Iterator[None]:
    """Say on standard error that a file is read, as soon as that has taken two seconds."""
    timer = threading.Timer(_SECONDS_OF_SILENCE, lambda: say(f"climbfast: reading {path}{_size(path)}"))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _size(path: Path) -> str:
    """Return the size of a file in parentheses; nothing for a pipe."""
    try:
        size = path.stat().st_size
    except (OSError, ValueError):
        return ""
    if not size:
        return ""
    return f" ({size / 1e9:.1f} GB)" if size >= 1e8 else f" ({size / 1e6:.1f} MB)"


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
