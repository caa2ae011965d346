"""The file of the data, and how it is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from climbfast.dataset import Dataset, read

__all__ = ["Data", "Reading"]

_PANEL = "Reading DATA"

Data = Annotated[Path, typer.Argument(metavar="DATA", help="CSV, TSV, Parquet or Arrow file.", show_default=False)]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The options of `climbfast.read`."""

    missing: Annotated[
        str,
        typer.Option(help="Missing cells: refuse, drop-rows or level.", rich_help_panel=_PANEL),
    ] = "refuse"
    missing_markers: Annotated[
        list[str] | None,
        typer.Option(
            help="What stands for a missing cell besides the empty one; commas between, or given again. "
            "Default: in text files NA, NaN, null and the like.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    treat_floats_as_levels: Annotated[
        bool,
        typer.Option(
            "--treat-floats-as-levels", help="Accept fractional numbers, each a level.", rich_help_panel=_PANEL
        ),
    ] = False
    leave_out: Annotated[
        list[str] | None,
        typer.Option(help="A column not to read; may be given again.", show_default=False, rich_help_panel=_PANEL),
    ] = None
    separator: Annotated[
        str | None,
        typer.Option(
            "--separator",
            help="Between the cells of a text file. Default: the most frequent of , ; tab | in its first line.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None
    no_header: Annotated[
        bool,
        typer.Option("--no-header", help="The first line is data: column_1, column_2, ...", rich_help_panel=_PANEL),
    ] = False
    encoding: Annotated[str, typer.Option(help="Of a text file.", rich_help_panel=_PANEL)] = "utf-8"

    def read(self, path: Path) -> Dataset:
        """Return the data in a file."""
        texts = self.missing_markers
        return read(
            path,
            missing=self.missing,
            missing_markers=None if texts is None else [marker for text in texts for marker in text.split(",")],
            treat_floats_as_levels=self.treat_floats_as_levels,
            leave_out=self.leave_out or (),
            separator=self.separator,
            header=not self.no_header,
            encoding=self.encoding,
        )
