"""What a shell completes: options by typer, and here the names of columns and the values of options.

Of the data only the names are read: the first line of a text file, or the schema of a Parquet or Arrow file.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

__all__ = ["column_names", "offer_names_and_values", "words_to_complete"]

_ASKED = "_CLIMBFAST_COMPLETE"  # set by the script that a shell runs, with the name of the shell
_CHOICES = re.compile(r"[a-z0-9][\w+-]*(\|[a-z0-9][\w+-]*)+")
_ONE_COLUMN = {"target", "x", "y", "leave_out", "weights", "representative"}
_COLUMNS = {"targets", "given", "columns", "plot_columns", "tier", "require", "forbid"}  # with commas between
_BEHIND_A_GRAPH = {"orient", "fit"}  # commands whose data are the second file
# Where the legal values of options stand, and those of --out-format by command.
_LISTS = {
    "conflicts": "graphs.pc_orientation:CONFLICTS",
    "format": "dataset.sources:FORMATS",
    "name": "schemas:SCHEMAS",
    "orient": "graphs.orient:METHODS",
    "score": "scores:SCORES",
    "symmetry": "local.plan:SYMMETRIES",
}
_OUT_FORMATS = {"blankets": "cli.commands.blankets:FORMATS", "sample": "networks.saving:FORMATS"}
_SEPARATORS = (",", ";", "\t", "|")
_LONGEST_LINE = 1 << 22  # characters


def words_to_complete() -> list[str] | None:
    """Return the words behind the name of the program that a shell wants completed; None if it does not."""
    if not os.environ.get(_ASKED, "").startswith("complete"):
        return None
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    try:
        return shlex.split(typed)[1:]
    except ValueError:  # a quote that is not closed yet
        return typed.split()[1:]


def offer_names_and_values(program: Any) -> None:
    """Let the options of all commands be completed by the names of columns, and by their legal values.

    Parameters
    ----------
    program : the group of commands that typer makes
    """
    for name, command in program.commands.items():
        for option in command.params:
            if option.name in _ONE_COLUMN or option.name in _COLUMNS:
                option._custom_shell_complete = _complete_column
            elif (values := _values_of(name, option)) is not None:
                option._custom_shell_complete = lambda _context, _option, typed, values=values: [
                    value for value in values if value.startswith(typed)
                ]


def _complete_column(context: Any, option: Any, typed: str) -> list[str]:
    words = words_to_complete() or []
    # The file is not among the options that are parsed so far: the last of them has no value yet.
    files = [Path(word) for word in words[1:] if Path(word).is_file()]
    if not files or "--no-header" in words:
        return []
    before, comma, begun = typed.rpartition(",") if option.name in _COLUMNS else ("", "", typed)
    in_bash = os.environ.get(_ASKED, "").endswith("bash")  # other shells quote by themselves
    data = files[-1] if context.info_name in _BEHIND_A_GRAPH else files[0]
    named = [name for name in column_names(data) if name.startswith(begun)]
    return [f"{before}{comma}{shlex.quote(name) if in_bash else name}" for name in named]


def column_names(path: Path) -> list[str]:
    """Return the names of the columns in a file; none if they cannot be read at once."""
    try:
        return [name for name in _names_in(path) if name.isprintable()]
    except Exception:  # a completion must not disturb the line that is typed
        return []


def _names_in(path: Path) -> list[str]:
    *_, kind, packed = ["", "", *path.name.lower().split(".")]
    if packed not in ("gz", "zst"):
        kind, packed = packed, ""
    if kind in ("csv", "tsv", "txt") and packed != "zst":
        import csv
        import gzip

        with gzip.open(path, "rt", encoding="utf-8-sig") if packed else path.open(encoding="utf-8-sig") as lines:
            first = lines.readline(_LONGEST_LINE)
            # A name in quotes may go on in the next line; a quote that never ends is beyond the limit of csv.
            return next(csv.reader(chain((first,), lines), delimiter=max(_SEPARATORS, key=first.count)), [])
    if kind in ("parquet", "arrow", "feather"):
        import polars as pl

        return list(pl.read_parquet_schema(path) if kind == "parquet" else pl.read_ipc_schema(path))
    return []


def _values_of(command: str, option: Any) -> Sequence[str] | None:
    """Return the legal values of an option; None if they are not a few words."""
    if option.metavar and _CHOICES.fullmatch(option.metavar):
        return [value for value in option.metavar.split("|") if value != "none" or option.name != "max_given"]
    if option.name in _LISTS:
        return _listed(_LISTS[option.name])
    if option.name == "out_format":
        return _listed(_OUT_FORMATS.get(command, "cli.graph_files:FORMATS"))
    find = {"method": _methods, "search": _searches, "neighbors": _searches_of_neighbors, "missing": _missing}.get(
        option.name
    )
    return None if find is None else [*find(command)]


def _listed(place: str) -> Sequence[str]:
    module, _, name = place.partition(":")
    return [*getattr(import_module(f"climbfast.{module}"), name)]


def _methods(command: str) -> Iterator[str]:
    if command == "graph":
        from climbfast.graphs.causal import METHODS as OF_GRAPHS

        yield from OF_GRAPHS
        return
    yield from _searches_of_neighbors(command) if command == "neighbors" else _of_blankets()


def _of_blankets() -> Iterator[str]:
    from climbfast.local.methods import BEST, METHODS

    yield from (name for name, method in METHODS.items() if method.finds != "neighbors")
    yield BEST


def _searches_of_neighbors(_command: str) -> Iterator[str]:
    from climbfast.local.methods import METHODS

    yield from (name for name, method in METHODS.items() if method.finds == "neighbors")


def _searches(command: str) -> Mapping[str, Any] | Sequence[str]:
    from climbfast.graphs.causal import METHODS as OF_GRAPHS
    from climbfast.resampling.searches import SEARCHES

    return SEARCHES if command == "bootstrap" else ("blanket", "blankets", *OF_GRAPHS)


def _missing(_command: str) -> Sequence[str]:
    return ("refuse", "drop-rows", "level", "test-wise")
