"""The two streams: what was asked for on standard output, all else, line by line, on standard error."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

import typer

from climbfast.cli.exit_codes import NOBODY_READS

__all__ = ["discard_output", "ready_streams", "say", "write"]


def write(text: str) -> None:
    """Write to standard output at once, so that a closed pipe or a full disk shows here and not at the end."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
        raise typer.Exit(NOBODY_READS) from None
    except OSError as error:  # such as a full disk behind it
        discard_output()
        raise OSError(error.errno, error.strerror, "standard output") from None


def say(message: str) -> None:
    """Write one line to standard error."""
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
    try:
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        sys.stderr = _nowhere()


def discard_output() -> None:
    """Keep the interpreter from trying again, and complaining, when it ends."""
    sys.stdout = _nowhere()


def ready_streams() -> None:
    """Make sure that both streams exist and take every character."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by who started us
            setattr(sys, name, _nowhere())
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")
