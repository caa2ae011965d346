"""Errors, in one line on standard error each, with the exit code."""

from __future__ import annotations

import os
import traceback
from typing import Any

import typer

from climbfast.cli.exit_codes import CANNOT_BE_USED, FAULT
from climbfast.cli.option_names import as_typed
from climbfast.cli.streams import say
from climbfast.errors import ClimbfastError

__all__ = ["refuse"]

# The class of click, which some versions of typer depend on and others have a copy of.
_USAGE_ERROR = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def refuse(error: Exception) -> int:
    """Say in one line what is wrong; return the exit code."""
    if _wants_traceback():
        traceback.print_exception(error)
    if (reason := _reason(error)) is not None:
        say(f"climbfast: {reason}")
        return CANNOT_BE_USED
    hint = "" if _wants_traceback() else "; CLIMBFAST_TRACEBACK=1 in the environment shows where"
    say(f"climbfast: a fault of climbfast itself, please report it: {type(error).__name__}: {error}{hint}")
    return FAULT


def _reason(error: Exception) -> str | None:
    """Why what was asked for cannot be done; None when the fault is ours."""
    if isinstance(error, _USAGE_ERROR):
        return _usage(error)
    if isinstance(error, ClimbfastError):
        return as_typed(error)
    if isinstance(error, MemoryError):
        return f"not enough memory: {error or 'no more can be had'}"
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror or error}"
    return None


def _usage(error: Any) -> str:
    message = error.format_message().rstrip(".").replace(". Did you mean ", "; did you mean ")
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "climbfast"
    see = " See" if message.endswith("?") else "; see"
    return f"{message[:1].lower()}{message[1:]}{see} {command} --help"


def _wants_traceback() -> bool:
    return os.environ.get("CLIMBFAST_TRACEBACK", "0") not in ("", "0")
