"""The exit codes, and the code and the message of every error."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

import typer

from climbfast._version import __version__
from climbfast.cli.option_names import as_typed, option_name
from climbfast.errors import ClimbfastError, Parts, UnknownColumnError

__all__ = [
    "BROKEN_PIPE",
    "INTERNAL_ERROR",
    "INTERRUPTED",
    "INVALID_INPUT",
    "TERMINATED",
    "InterruptMessage",
    "code_and_message",
    "has_no_json",
    "is_json_asked_for",
    "json_of_error",
]

INTERNAL_ERROR = 1
INVALID_INPUT = 2
# As shells count: 128 and the number of the signal, SIGINT, SIGPIPE and SIGTERM.
INTERRUPTED = 130
BROKEN_PIPE = 141
TERMINATED = 143

_MOST_LEGAL = 100  # names of columns that an error lists

# The class of click, which some versions of typer depend on and others have a copy of.
_USAGE_ERROR = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


class InterruptMessage(Parts, Exception):  # noqa: N818  # it is not an error
    """Ctrl-C, with a message that says how to continue; typer would replace a KeyboardInterrupt by its own."""


def code_and_message(error: Exception) -> tuple[int, str]:
    """Return the exit code and one line that says what is wrong."""
    if (reason := _reason(error)) is not None:
        return INVALID_INPUT, reason
    return INTERNAL_ERROR, f"internal error of climbfast {__version__}: {type(error).__name__}: {error}"


def _reason(error: Exception) -> str | None:
    """Say why the input cannot be used; None when the error is ours."""
    if isinstance(error, _USAGE_ERROR):
        return _usage(error)
    if isinstance(error, ClimbfastError):
        return as_typed(error)
    if isinstance(error, MemoryError):
        return f"not enough memory: {error}" if str(error) else "not enough memory"
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}"
    return None


def _usage(error: Any) -> str:
    message = error.format_message().rstrip(".").replace(". Did you mean ", "; did you mean ")
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "climbfast"
    see = " See" if message.endswith("?") else "; see"
    return f"{message[:1].lower()}{message[1:]}{see} {command} --help"


def is_json_asked_for(typed: Sequence[str]) -> bool:
    """Whether ``--json`` is among the options that were typed, and so a failure is told as JSON."""
    return "--json" in (typed[: typed.index("--")] if "--" in typed else typed)


def has_no_json(error: BaseException) -> bool:
    """Whether the error is that the command does not take ``--json``."""
    return getattr(error, "option_name", None) == "--json"


def json_of_error(error: BaseException, code: int, message: str, typed: Sequence[str] = ()) -> str:
    """Return one line of JSON that says what is wrong: for which option, and what is legal.

    The schema is ``climbfast schema error``.

    Parameters
    ----------
    error : BaseException
    code : int
        The exit code.
    message : str
    typed : sequence of str
        What was typed after the name of the program: an unknown column is a value of one of its options.
    """
    option, legal = _option_of_column(error, typed) if isinstance(error, UnknownColumnError) else _option_of(error)
    about = {"kind": _kind_of(error), "message": message, "option": option, "legal": legal}
    return json.dumps({"error": about, "exit_code": code, "version": __version__})


def _kind_of(error: BaseException) -> str:
    if isinstance(error, _USAGE_ERROR):
        return "UsageError"
    if isinstance(error, KeyboardInterrupt | InterruptMessage):
        return "Interrupted"
    return "OSError" if isinstance(error, OSError) and not isinstance(error, ClimbfastError) else type(error).__name__


def _option_of(error: BaseException) -> tuple[str | None, tuple[str, ...] | str | None]:
    """Return the option that is wrong as it is typed, and its legal values; None where there is none."""
    if isinstance(error, Parts):
        if error.option is None and error.legal is None:
            return None, None
        return error.option and option_name(error.option), error.legal
    if (typed := getattr(error, "option_name", None)) is not None:  # one that there is not
        return str(typed), None
    parameter = getattr(error, "param", None)
    if parameter is None:
        return None, None
    typed = next((name for name in parameter.opts if name.startswith("--")), parameter.metavar or parameter.name)
    return str(typed), _kind_of_number(parameter)


def _option_of_column(error: UnknownColumnError, typed: Sequence[str]) -> tuple[str | None, tuple[str, ...] | str]:
    """Return the option that names a column that there is not, and the columns that there are."""
    asked = str(error.name)
    option = next((option for option, name in _names_typed(typed) if name == asked), None)
    return option, tuple(error.names) if len(error.names) <= _MOST_LEGAL else "the name of a column"


def _names_typed(typed: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield every name that an option may have as its value, ``a``, ``a,b`` or ``a=auto``, with the option."""
    for before, word in zip(("", *typed), typed, strict=False):
        option, is_one_word, value = word.partition("=") if word.startswith("--") else (before, "", word)
        if not option.startswith("--") or (word.startswith("--") and not is_one_word):
            continue
        column, _, _ = value.partition("=")
        for name in (value, column, *_cells(value)):
            yield option, name


def _cells(text: str) -> list[str]:
    try:
        return [cell.strip() for line in csv.reader(io.StringIO(text, newline="")) for cell in line]
    except csv.Error:  # of a text longer than any name
        return []


def _kind_of_number(parameter: Any) -> str | None:
    """Return which numbers an option takes; None if it takes no number."""
    described = getattr(parameter, "type_descriptor", None)  # of newer versions of typer
    names = getattr(parameter.type, "name", "") if described is None else getattr(described.annotation, "__name__", "")
    return {"integer": "a whole number", "int": "a whole number", "float": "a number"}.get(names)
