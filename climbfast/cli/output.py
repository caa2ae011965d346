"""Where results and messages go: results to standard output, messages to standard error, line by line."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from climbfast import activity
from climbfast.cli.exit_codes import BROKEN_PIPE
from climbfast.errors import ClimbfastError, Legal, Option, OptionError

__all__ = [
    "AsJson",
    "QuoteFormulas",
    "colors_are_unwanted",
    "complain",
    "discard_output",
    "format_of_output",
    "has_room_for_tables",
    "is_quiet",
    "is_standard_output",
    "is_verbose",
    "naming_option",
    "prepare_streams",
    "refuse_the_same_file",
    "save_or_write",
    "say",
    "tell_as_usual",
    "tell_less",
    "tell_more",
    "width_of_terminal",
    "write",
    "write_bytes",
]

AsJson = Annotated[
    bool, typer.Option("--json", help="Print the result as one JSON object; an error too, on standard error.")
]
QuoteFormulas = Annotated[
    bool,
    typer.Option(
        "--quote-formulas",
        help="Put an apostrophe before names in CSV that a spreadsheet would take for formulas: those that begin with "
        "= + - @.",
    ),
]
NARROWEST_HELP = 80


def write(text: str) -> None:
    """Write to standard output at once, so that a closed pipe or a full disk is noticed here and not at the end."""
    with _errors_of_output():
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def write_bytes(content: bytes) -> None:
    """Write the content of a file to standard output."""
    with _errors_of_output():
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()


@contextmanager
def _errors_of_output() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        discard_output()
        raise typer.Exit(BROKEN_PIPE) from None
    except OSError as error:  # such as a full disk behind it
        discard_output()
        raise OSError(error.errno, error.strerror, "standard output") from None


def is_standard_output(out: Path | None) -> bool:
    """Whether a result goes to standard output as its file would be."""
    return str(out) == "-"


def format_of_output(out: Path | None, typed: str | None, legal: Sequence[str], *, as_json: bool = False) -> str:
    """Return the format of a result on standard output: the one typed as --out-format, else the first legal one.

    Raises
    ------
    OptionError
        For a format that is not legal, one for a file, which has it by its suffix, and for two results on standard
        output.
    """
    if typed is not None and not is_standard_output(out):
        raise OptionError(Option("out_format"), " is for --out -; a file has its format by its suffix")
    if typed is not None and typed not in legal:
        raise OptionError(Option("out_format", typed), " does not exist; use one of ", Legal(tuple(legal)))
    if as_json and is_standard_output(out):
        raise OptionError(Option("json"), " and --out - both write to standard output; leave one of them out")
    return legal[0] if typed is None else typed


@contextmanager
def naming_option(name: str) -> Iterator[None]:
    """Put the option in front of an error that is about its value, such as a file that cannot be written."""
    try:
        yield
    except OptionError as error:
        raise OptionError(Option(name), ": ", *error.parts) from None


def save_or_write(save: Callable[[], None], text: Callable[[], str]) -> None:
    """Save a result; if that fails, write it to standard output, so that it is not lost, and raise the error.

    Parameters
    ----------
    save : callable
        Writes the file.
    text : callable
        Returns the result as text.
    """
    try:
        save()
    except ClimbfastError as error:
        write(text())
        raise OptionError(*error.parts, "; the result is on standard output, as JSON") from None


class _Telling:
    """How much the command that runs tells on standard error."""

    notes = True
    details = False


def tell_as_usual() -> None:
    """Show notes, and no details; the beginning of every command."""
    _Telling.notes, _Telling.details = True, False
    activity.always_shown, activity.never_shown = True, False


def tell_less() -> None:
    """Show no notes and no progress, as ``--quiet`` asks."""
    _Telling.notes = False
    activity.never_shown = True


def tell_more() -> None:
    """Show details, as ``--verbose`` asks."""
    _Telling.details = True


def is_quiet() -> bool:
    """Whether to show no progress."""
    return not _Telling.notes


def is_verbose() -> bool:
    """Whether to show details."""
    return _Telling.details


def colors_are_unwanted() -> bool:
    """Whether the environment asks for text without colors: NO_COLOR is set and not empty, see no-color.org."""
    return bool(os.environ.get("NO_COLOR"))


def has_room_for_tables() -> bool:
    """Whether the tables of the help can be read: not on a terminal of fewer than 80 columns."""
    return width_of_terminal() >= NARROWEST_HELP


def width_of_terminal() -> int:
    """Return the number of characters on a line; 80 where there is no terminal."""
    return shutil.get_terminal_size().columns


def say(message: str) -> None:
    """Write one line to standard error, unless notes are unwanted."""
    if _Telling.notes:
        complain(message)


def complain(message: str) -> None:
    """Write one line of a warning or an error to standard error."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
    try:
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        sys.stderr = _null_device()


def discard_output() -> None:
    """Keep the interpreter from writing again, and from complaining, when it ends."""
    sys.stdout = _null_device()


def prepare_streams() -> None:
    """Make sure that both streams exist and take every character."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the program that started us
            setattr(sys, name, _null_device())
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _null_device() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def refuse_the_same_file(out: Path, others: Mapping[str, Path | Iterable[Path] | None], option: str = "out") -> None:
    """Refuse to write over a file that the command reads or keeps.

    Parameters
    ----------
    out : Path
        The file to write.
    others : mapping of str to Path, paths or None
        The other files, by what they are called on the command line.
    option : str
        The option that names the file to write.

    Raises
    ------
    OptionError
    """
    if is_standard_output(out):
        return
    for what, files in others.items():
        for other in [files] if isinstance(files, Path) else files or ():
            if _is_same_file(out, other):
                raise OptionError(f"{out}: the same file as {what}; name another one for ", Option(option))


def _is_same_file(one: Path, other: Path) -> bool:
    try:
        return one.resolve() == other.resolve() or one.samefile(other)
    except OSError:  # one does not exist, so it is no link to the other
        return False
