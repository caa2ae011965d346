"""Pictures of results: on axes, as a file, and as an element for a page."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from climbfast.atomic_write import atomic_write, check_writable
from climbfast.blankets.blankets import Blankets
from climbfast.errors import Legal, Option, OptionError
from climbfast.extras import require
from climbfast.graphs.graph import Graph
from climbfast.local.blanket import Blanket
from climbfast.local.saving import PICTURES
from climbfast.names import name_text
from climbfast.plots.blanket_picture import picture_of_blanket
from climbfast.plots.graph_picture import picture_of_blankets, picture_of_graph
from climbfast.plots.picture import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["check_file", "content", "plot", "save", "svg"]

Result = Graph | Blanket | Blankets
Columns = Hashable | Iterable[Hashable] | None


def svg(result: Result, columns: Columns = None, *, width: str | float | None = None) -> str:
    """Return the picture of a result as an element ``<svg>`` for a page of HTML, without ids and style sheets.

    Parameters
    ----------
    result : Graph, Blanket or Blankets
    columns : name or iterable of names, optional
        The columns whose neighborhood is shown; not for a Blanket. Without them all is shown.
    width : str or number, optional
        The width that it takes on the page, such as "100%", or in pixels; its height follows. Default: its own size.

    Raises
    ------
    MissingPackageError
        If the extra ``plots`` is not installed.
    OptionError
        For a graph that is too large without ``columns``.
    UnknownColumnError
        For a column that is not in the result.
    """
    from climbfast.plots.saving import svg_of

    return svg_of(_picture(result, columns), width)


def plot(result: Result, columns: Columns = None, ax: Axes | None = None) -> Axes:
    """Draw a result on axes, by default those of a new figure; see ``Graph.plot``."""
    from climbfast.plots.drawing import draw, page_of

    page = page_of(_picture(result, columns))
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.figure(figsize=(page.width, page.height)).add_axes((0, 0, 1, 1))
    draw(page, ax)
    return ax


def content(result: Result, suffix: str, columns: Columns = None) -> bytes:
    """Return the picture of a result as a file with the suffix ``.svg``, ``.png`` or ``.pdf`` has it."""
    from climbfast.plots.saving import content_of

    return content_of(_picture(result, columns), suffix[1:])


def save(result: Result, path: str | os.PathLike[str], columns: Columns = None) -> None:
    """Write the picture of a result to a file with the suffix ``.svg``, ``.png`` or ``.pdf``.

    Raises
    ------
    OptionError
        For another suffix, a file that cannot be written, and what ``svg`` raises it for.
    """
    file = Path(path)
    _check_suffix(file)
    found = content(result, file.suffix.lower(), columns)
    try:
        with atomic_write(file) as out:
            out.write(found)
    except (OSError, ValueError) as error:
        raise _cannot_be_written(file, error) from None


def check_file(file: Path) -> None:
    """Check before the work that a picture can be drawn and written to this file.

    Raises
    ------
    OptionError
        For an unknown suffix, and a file that cannot be written.
    MissingPackageError
        If the extra ``plots`` is not installed.
    """
    _check_suffix(file)
    _require_drawing()
    try:
        check_writable(file)
    except (OSError, ValueError) as error:
        raise _cannot_be_written(file, error) from None


def _cannot_be_written(file: Path, error: OSError | ValueError) -> OptionError:
    return OptionError(f"{name_text(file)} cannot be written: {getattr(error, 'strerror', None) or error}")


def _check_suffix(file: Path) -> None:
    if file.suffix.lower() not in PICTURES:
        raise OptionError(f"{name_text(file)}: unknown suffix; pictures are in ", Legal(tuple(PICTURES)))


def _require_drawing() -> None:
    require("matplotlib", "plots", "a picture")


def _picture(result: Result, columns: Columns) -> Picture:
    _require_drawing()
    if isinstance(result, Graph):
        return picture_of_graph(result, columns)
    if isinstance(result, Blankets):
        return picture_of_blankets(result, columns)
    if columns is not None:
        raise OptionError(
            Option("columns"), " is for graphs and the blankets of many targets; a blanket is drawn whole"
        )
    return picture_of_blanket(result)
