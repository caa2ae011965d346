"""From what was typed to the exit code."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import typer

from climbfast.cli.commands import command_line, commands_for
from climbfast.cli.completion import offer_names_and_values, words_to_complete
from climbfast.cli.exit_codes import (
    BROKEN_PIPE,
    INTERNAL_ERROR,
    INTERRUPTED,
    INVALID_INPUT,
    TERMINATED,
    InterruptMessage,
    code_and_message,
    has_no_json,
    is_json_asked_for,
    json_of_error,
)
from climbfast.cli.help_pages import fit_colors, fit_help
from climbfast.cli.interpreted import Answer, answer_during
from climbfast.cli.option_names import as_typed
from climbfast.cli.output import (
    complain,
    discard_output,
    has_room_for_tables,
    is_verbose,
    prepare_streams,
    tell_as_usual,
)
from climbfast.compiling import before_first_compilation, wait_for_first_compilation_again
from climbfast.errors import ClimbfastWarning, Parts
from climbfast.interrupts import termination_as_interrupt

__all__ = ["main"]

ALLOCATIONS_TO_A_COLLECTION = 100_000
SECONDS_TO_HOLD_WARNINGS = 2.0
FOR_ONE_TARGET = ("demo", "blanket", "neighbors")  # commands, by the kernels that they need
FOR_ALL_COLUMNS = ("blankets", "graph", "orient", "bootstrap")


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
        143 when ended by SIGTERM; 141 when standard output is a pipe that nobody reads.
    """
    typed = list(sys.argv[1:] if arguments is None else arguments)
    begun = time.perf_counter()
    _end_without_collections()
    prepare_streams()
    tell_as_usual()
    with (
        termination_as_interrupt() as is_terminated,
        _warnings_in_one_line() as held,
        before_first_compilation(lambda: _compile_ahead(typed, held)),
        _few_collections(),
    ):
        code = _exit_code(typed or ["--help"], is_terminated)
        if is_verbose():
            _show_details(begun)
        # Input that cannot be used is answered in one line; what else is unusual about it is not shown.
        if code in (INVALID_INPUT, BROKEN_PIPE):
            held.clear()
    tell_as_usual()
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
                complain(f"warning: {message}")
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


def _compile_ahead(typed: Sequence[str], held: list[str]) -> None:
    """Let two processes compile what the command will need; commands that need few kernels compile them themselves.

    Meanwhile kernels that are not compiled may give the answer, which is raised.
    """
    from climbfast import warm

    command = "".join(typed[:1])
    if command not in (*FOR_ONE_TARGET, *FOR_ALL_COLUMNS):
        return
    compilation = warm.compile_ahead(warm.ONE_TARGET if command in FOR_ONE_TARGET else warm.EVERYTHING)
    if compilation is None:
        return
    if command in FOR_ONE_TARGET:
        unshown = held[:]
        held.clear()  # an answer has them, too
        if answer := answer_during(compilation, typed):
            wait_for_first_compilation_again()  # of the next command in this process
            raise answer
        held.extend(unshown)
    compilation.wait()


@contextmanager
def _few_collections() -> Iterator[None]:
    """Search for cycles of objects less often: imported modules are many objects that stay, a tenth of a short run."""
    before = gc.get_threshold()
    gc.set_threshold(ALLOCATIONS_TO_A_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _end_without_collections() -> None:
    """Let the process end without a last search for cycles of objects, which took a fifth of a small search."""
    atexit.unregister(gc.freeze)  # of an earlier call in this process
    atexit.register(gc.freeze)


def _exit_code(arguments: list[str], is_terminated: Callable[[], bool]) -> int:
    as_json = is_json_asked_for(arguments)
    try:
        return _run(arguments)
    except (KeyboardInterrupt, typer.Abort, InterruptMessage) as error:
        interruption = error if isinstance(error, InterruptMessage) else InterruptMessage("interrupted")
        return _interrupted(interruption, TERMINATED if is_terminated() else INTERRUPTED, as_json=as_json)
    except Exception as error:
        return _failed(error, arguments, as_json=as_json)


def _run(arguments: list[str]) -> int:
    try:
        completed = words_to_complete()
        commands = commands_for(arguments if completed is None else completed)
        program = _program(commands, completes=completed is not None, has_room=has_room_for_tables())
        fit_colors(arguments)
        code = program.main(arguments, prog_name="climbfast", standalone_mode=False)
        sys.stdout.flush()
    except Answer as answer:
        code = answer.give()
    except SystemExit as end:
        if end.code in (0, None):  # what typer raises after it has written or installed a completion
            return 0
        discard_output()  # what typer and rich raise for a pipe that nobody reads
        return BROKEN_PIPE
    except BrokenPipeError:
        discard_output()
        return BROKEN_PIPE
    finally:
        _end_processes()
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    return int(code or 0)


@cache  # for further calls in this process: building it takes longer than many a command
def _program(commands: tuple[str, ...], *, completes: bool, has_room: bool) -> Any:
    # Not called as typer's program: that would replace the hook for exceptions of the whole process.
    program = typer.main.get_command(command_line(commands, completes=completes))
    if completes:
        offer_names_and_values(program)
    fit_help(program, has_room=has_room)
    return program


def _end_processes() -> None:
    """End the worker processes that are left; a command that has not imported their module has none."""
    if "climbfast.task_pool" in sys.modules:
        from climbfast.task_pool import end_processes

        end_processes()


def _show_details(begun: float) -> None:
    """Say what the command ran on, how long it took, and how much memory it had at most."""
    from climbfast.versions import peak_memory, versions_in_short

    seconds, memory = time.perf_counter() - begun, peak_memory()
    most = "" if memory is None else f", at most {memory / 10**6:,.0f} MB of memory"
    complain(f"climbfast: {versions_in_short()}")
    complain(f"climbfast: {seconds:.2f} s{most}")


def _interrupted(interruption: InterruptMessage, code: int, *, as_json: bool) -> int:
    message = as_typed(interruption)
    complain(json_of_error(interruption, code, message) if as_json else f"climbfast: {message}")
    return code


def _failed(error: Exception, typed: Sequence[str], *, as_json: bool) -> int:
    code, message = code_and_message(error)
    is_asked_for = os.environ.get("CLIMBFAST_TRACEBACK", "0") not in ("", "0")
    if is_asked_for or (is_verbose() and code == INTERNAL_ERROR):
        traceback.print_exception(error)
    elif code == INTERNAL_ERROR:
        message += (
            "; please report it with this line, the command, what it prints with --verbose, and climbfast --version "
            "--verbose, without the data if they are confidential"
        )
    is_json = as_json and not has_no_json(error)
    complain(json_of_error(error, code, message, typed) if is_json else f"climbfast: {message}")
    return code
