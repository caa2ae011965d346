"""The options by which a search also draws what it finds."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from climbfast.cli.options.reading import split_names
from climbfast.cli.output import is_standard_output, naming_option, refuse_the_same_file, say
from climbfast.errors import Option, OptionError, UnknownColumnError
from climbfast.names import name_text

if TYPE_CHECKING:
    from climbfast.blankets.blankets import Blankets
    from climbfast.graphs.graph import Graph
    from climbfast.local.blanket import Blanket

__all__ = ["NeighborhoodPictureArguments", "PictureArguments"]

PICTURE_PANEL = "Picture"
_FILE = typer.Option(
    "--plot",
    metavar="FILE",
    help="File for a picture: .svg, .png or .pdf.",
    show_default=False,
    rich_help_panel=PICTURE_PANEL,
)


@dataclass(frozen=True, kw_only=True)
class PictureArguments:
    """The file of a picture."""

    plot: Annotated[Path | None, _FILE] = None

    def check(self, others: Mapping[str, Path | Sequence[Path] | None]) -> None:
        """Check before the work that the picture can be drawn, and that it replaces no other file of the command."""
        if self.plot is None:
            return
        from climbfast.plots import check_file

        if is_standard_output(self.plot):
            raise OptionError(Option("plot"), " is a file, not standard output; name one")
        refuse_the_same_file(self.plot, others, "plot")
        with naming_option("plot"):
            check_file(self.plot)

    def draw(self, found: Graph | Blanket | Blankets, columns: Sequence[Hashable] | None = None) -> None:
        """Draw what was found, if that is asked for."""
        if self.plot is None:
            return
        from climbfast.plots import save

        save(found, self.plot, columns)
        say(f"drawn in {name_text(self.plot)}")


@dataclass(frozen=True, kw_only=True)
class NeighborhoodPictureArguments(PictureArguments):
    """The file of a picture, and the columns that it shows."""

    plot_columns: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            help="For --plot: columns that are drawn with their neighbors; comma-separated, repeatable. Needed for "
            "more than 60 columns.",
            show_default="all columns",
            rich_help_panel=PICTURE_PANEL,
        ),
    ] = None

    def check(self, others: Mapping[str, Path | Sequence[Path] | None]) -> None:
        """Check before the work that the picture can be drawn, and that it replaces no other file of the command."""
        if self.plot is None and self.plot_columns is not None:
            raise OptionError(Option("plot_columns"), " is for a picture; name its file with --plot")
        super().check(others)

    def columns_among(self, names: Sequence[Hashable]) -> list[str] | None:
        """Return the columns to draw; None is all columns, of which there must not be too many.

        Parameters
        ----------
        names : sequence
            The columns of the table or graph, or the targets.

        Raises
        ------
        OptionError
            For too many columns to draw.
        UnknownColumnError
            For a column that there is not.
        """
        if self.plot is None:
            return None
        from climbfast.plots import MOST_NODES

        if self.plot_columns is None:
            if len(names) > MOST_NODES:
                raise OptionError(
                    f"there are {len(names):,} columns, and a picture shows at most {MOST_NODES}; name those that are "
                    "to be drawn with their neighbors with --plot-columns"
                )
            return None
        found = split_names(self.plot_columns, names)
        if len(found) > MOST_NODES:
            raise OptionError(
                Option("plot_columns"), f" has {len(found):,} names; a picture shows at most {MOST_NODES} columns"
            )
        known = set(names)
        for name in found:
            if name not in known:
                raise UnknownColumnError(name, names)
        return found
