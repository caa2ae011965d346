"""Results that are printed, as a page or as JSON, or written to a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from climbfast.atomic_write import atomic_write, check_writable
from climbfast.cli.output import is_standard_output, refuse_the_same_file, save_or_write, say, write
from climbfast.cli.render import as_in_a_file
from climbfast.errors import Legal, Option, OptionError
from climbfast.names import name_text

__all__ = ["ResultOut", "check_result_file", "give_result"]

_SUFFIXES = (".json", ".txt")

ResultOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="File to write: .json, or .txt for the page that is printed otherwise; - is standard output.",
        show_default=False,
    ),
]


def check_result_file(out: Path | None, inputs: Mapping[str, Path | Sequence[Path] | None]) -> None:
    """Check before the work that the result can be written, and that it replaces none of the inputs."""
    if out is None or is_standard_output(out):
        return
    if out.suffix.lower() not in _SUFFIXES:
        raise OptionError(Option("out"), f" is {name_text(out)}, of an unknown suffix; known are ", Legal(_SUFFIXES))
    refuse_the_same_file(out, inputs)
    try:
        check_writable(out)
    except OSError as error:
        raise OptionError(Option("out"), f": {name_text(out)} cannot be written: {error.strerror or error}") from None


def give_result(page: Callable[[], str], json: Callable[[], str], out: Path | None, *, as_json: bool) -> None:
    """Write a result to its file; to standard output as JSON if that is asked for, or as a page if there is no file.

    Parameters
    ----------
    page, json : callable
        Return the result for people, and for programs.
    out : Path or None
    as_json : bool
    """
    if out is None or is_standard_output(out):
        write(json() if as_json else page())
        return
    if out.suffix.lower() == ".json":
        save_or_write(lambda: _save(out, json()), json)
    else:
        with as_in_a_file():
            text = page()
        save_or_write(lambda: _save(out, text), json)
    say(f"written to {name_text(out)}")
    if as_json:
        write(json())


def _save(out: Path, text: str) -> None:
    try:
        with atomic_write(out) as file:
            file.write(f"{text}\n".encode(errors="backslashreplace"))
    except OSError as error:
        raise OptionError(f"{name_text(out)} cannot be written: {error.strerror or error}") from None
