"""From what was typed to the exit code."""

from __future__ import annotations

import gc
import os
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer

from climbfast.cli.commands import app
from climbfast.cli.exit_codes import (
    BROKEN_PIPE,
    INTERNAL_ERROR,
    INTERRUPTED,
    INVALID_INPUT,
    Interruption,
    code_and_message,
)
from climbfast.cli.option_names import as_typed
from climbfast.cli.output import discard_output, prepare_streams, say
from climbfast.compiling import before_first_compilation
from climbfast.errors import ClimbfastWarning, Parts

__all__ = ["main"]

ALLOCATIONS_TO_A_COLLECTION = 100_000
SECONDS_TO_HOLD_WARNINGS = 2.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        What was typed after the name of the program; by default the arguments of this process.

    Returns
    -------
    int
        The exit code: 0; 2 for input that cannot be used; 1 for an internal error of climbfast; 130 when interrupted;
        141 when standard output is a pipe that nobody reads.
    """
    typed = list(sys.argv[1:] if arguments is None else arguments)
    prepare_streams()
    with _warnings_in_one_line() as held, before_first_compilation(_compile_all), _few_collections():
        code = _exit_code(typed or ["--help"])
        # Input that cannot be used is answered in one line; what else is unusual about it is not shown.
        if code in (INVALID_INPUT, BROKEN_PIPE):
            held.clear()
    return code


@contextmanager
def _warnings_in_one_line() -> Iterator[list[str]]:
    """Show each warning as one line: at the end, or as soon as the command has taken two seconds.

    Yields the warnings that are not shown yet.
    """
    held: list[str] = []
    lock = threading.Lock()
    waiting = True

    def show_all() -> None:
        nonlocal waiting
        with lock:
            waiting = False
            for message in held:
                say(f"warning: {message}")
            held.clear()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        with lock:
            held.append(as_typed(message) if isinstance(message, Parts) else str(message))
        if not waiting:
            show_all()

    timer = threading.Timer(SECONDS_TO_HOLD_WARNINGS, show_all)
    timer.daemon = True
    with warnings.catch_warnings():
        if not sys.warnoptions:  # else the user decided with -W
            warnings.simplefilter("always", ClimbfastWarning)
        warnings.showwarning = show
        timer.start()
        try:
            yield held
        finally:
            timer.cancel()
            show_all()


def _compile_all() -> None:
    from climbfast.warm import compile_in_processes

    compile_in_processes()


@contextmanager
def _few_collections() -> Iterator[None]:
    """Search for cycles of objects less often: imported modules are many objects that stay, a tenth of a short run."""
    before = gc.get_threshold()
    gc.set_threshold(ALLOCATIONS_TO_A_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _exit_code(arguments: list[str]) -> int:
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return _interrupted()
    except Interruption as interruption:
        return _interrupted(as_typed(interruption))
    except Exception as error:
        return _failed(error)


def _run(arguments: list[str]) -> int:
    try:
        # Not app(): that would replace the hook for exceptions of the whole process.
        code = typer.main.get_command(app).main(arguments, prog_name="climbfast", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # what typer and rich raise for a pipe that nobody reads
        discard_output()
        return BROKEN_PIPE
    except typer.Abort:
        return _interrupted()
    return _interrupted() if code == INTERRUPTED else int(code or 0)


def _interrupted(message: str = "interrupted") -> int:
    say(f"climbfast: {message}")
    return INTERRUPTED


def _failed(error: Exception) -> int:
    code, message = code_and_message(error)
    if os.environ.get("CLIMBFAST_TRACEBACK", "0") not in ("", "0"):
        traceback.print_exception(error)
    elif code == INTERNAL_ERROR:
        message += "; set CLIMBFAST_TRACEBACK=1 in the environment to see where"
    say(f"climbfast: {message}")
    return code
