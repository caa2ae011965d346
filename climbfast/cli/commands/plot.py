"""``climbfast plot``."""

from __future__ import annotations

import csv
import json
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from climbfast.cli.graph_files import GRAPH_ARGUMENT, GraphFormat, read_graph_file
from climbfast.cli.options.reading import split_names
from climbfast.cli.output import is_standard_output, refuse_the_same_file, say
from climbfast.errors import DataError, Option, OptionError
from climbfast.graphs.graph import Graph
from climbfast.names import name_text

if TYPE_CHECKING:
    from climbfast.blankets.blankets import Blankets

__all__ = ["plot"]

_FILES_OF_BLANKETS = (".jsonl", ".parquet")
_FIELDS_OF_BLANKETS = {"target", "member", "role"}  # of the head of a CSV file


def plot(
    graph: Annotated[
        Path,
        typer.Argument(
            metavar="GRAPH",
            help="Blankets, as `climbfast blankets` writes and `climbfast blanket --json` prints them, or a graph: "
            f"{GRAPH_ARGUMENT}",
            show_default=False,
        ),
    ],
    *,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="File for the picture: .svg, .png or .pdf.", show_default=False)
    ],
    columns: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            help="Columns that are drawn with their neighbors; comma-separated, repeatable. Needed for more than 60 "
            "columns.",
            show_default="all columns",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of blankets, the one of this target, with all roles.", show_default=False),
    ] = None,
    graph_format: GraphFormat = None,
) -> None:
    """Draw a graph, causes before their effects; or blankets."""
    from climbfast.plots import check_file, save

    if is_standard_output(out):
        raise OptionError(Option("out"), " is a file, not standard output; name one")
    if target is not None and columns is not None:
        raise OptionError(
            Option("target"), " draws one blanket, and --columns draws neighborhoods; leave one of them out"
        )
    refuse_the_same_file(out, {"GRAPH": graph})
    check_file(out)
    found = _read(graph, graph_format)
    if isinstance(found, Graph):
        if target is not None:
            raise OptionError(Option("target"), f" is for blankets, and {name_text(graph)} is a graph; use --columns")
        save(found, out, _names(columns, found.names))
    elif target is not None or (len(found) == 1 and columns is None):
        (name,) = found if target is None else _typed([target], found)
        save(found[name], out)
    else:
        save(found, out, _names(columns, found))
    say(f"drawn in {name_text(out)}")


def _names(typed: Sequence[str] | None, names: Iterable[Hashable]) -> list[Hashable] | None:
    if typed is None:
        return None
    by_text = {str(name): name for name in names}
    return _typed(split_names(typed, by_text), by_text.values())


def _typed(texts: Iterable[str], names: Iterable[Hashable]) -> list[Hashable]:
    """Return the names that have these texts; a text that none has, as it is."""
    by_text = {str(name): name for name in names}
    return [by_text.get(text, text) for text in texts]


def _read(path: Path, form: str | None) -> Graph | Blankets:
    """Return the graph or the blankets in a file."""
    from climbfast.blankets.blankets import Blankets, read_blankets
    from climbfast.blankets.jsonl_format import read_lines

    suffix = path.suffix.lower()
    if suffix in _FILES_OF_BLANKETS or (suffix == ".csv" and _has_members(path)):
        return read_blankets(path)
    if suffix == ".json" and _has_target(path):
        try:
            return Blankets(*read_lines(path))
        except DataError as error:
            raise DataError(f"{name_text(path)}, ", *error.parts) from None
    return read_graph_file(path, form)


def _has_members(path: Path) -> bool:
    """Whether a CSV file is of blankets, by its first line; what cannot be read is for the reader of graphs to say."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            return {*next(csv.reader(lines), ())} >= _FIELDS_OF_BLANKETS
    except (OSError, ValueError, csv.Error):
        return False


def _has_target(path: Path) -> bool:
    """Whether a JSON file is of a blanket."""
    try:
        with path.open("rb") as lines:
            fields = json.loads(next(lines, b""))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(fields, dict) and "target" in fields
