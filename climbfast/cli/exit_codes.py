"""The exit codes, and the code and the message of every error."""

from __future__ import annotations

from typing import Any

import typer

from climbfast.cli.option_names import as_typed
from climbfast.errors import ClimbfastError, Parts

__all__ = ["BROKEN_PIPE", "INTERNAL_ERROR", "INTERRUPTED", "INVALID_INPUT", "Interruption", "code_and_message"]

INTERNAL_ERROR = 1
INVALID_INPUT = 2
# As shells count: 128 and the number of the signal, SIGINT and SIGPIPE.
INTERRUPTED = 130
BROKEN_PIPE = 141

# The class of click, which some versions of typer depend on and others have a copy of.
_USAGE_ERROR = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


class Interruption(Parts, Exception):  # noqa: N818  # it is not an error
    """Ctrl-C, with a message that says how to continue; typer would replace a KeyboardInterrupt by its own."""


def code_and_message(error: Exception) -> tuple[int, str]:
    """Return the exit code and one line that says what is wrong."""
    if (reason := _reason(error)) is not None:
        return INVALID_INPUT, reason
    return INTERNAL_ERROR, f"internal error of climbfast, please report it: {type(error).__name__}: {error}"


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
