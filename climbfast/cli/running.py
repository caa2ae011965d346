"""From what was typed to the exit code: 0; 2 for what cannot be used; 1 for a fault of ours; 130; 141."""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import typer

from climbfast.cli.app import app
from climbfast.cli.exit_codes import CANNOT_BE_USED, INTERRUPTED, NOBODY_READS, Stopped
from climbfast.cli.option_names import as_typed
from climbfast.cli.refusals import refuse
from climbfast.cli.streams import discard_output, ready_streams, say
from climbfast.compiling import before_first_compilation
from climbfast.errors import ClimbfastWarning, Parts

__all__ = ["main"]

OBJECTS_TO_A_COLLECTION = 100_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        What was typed behind the name of the program; by default that of this process.

    Returns
    -------
    int
        The exit code: 0; 2 for input that cannot be used; 1 for a fault of climbfast; 130 when interrupted; 141
        when standard output is a pipe that nobody reads.
    """
    typed = list(sys.argv[1:] if arguments is None else arguments)
    ready_streams()
    with warnings.catch_warnings(record=True) as heard, before_first_compilation(_compile_all), _few_collections():
        if not sys.warnoptions:  # who passes -W decides
            warnings.simplefilter("always", ClimbfastWarning)
        code = _outcome(typed or ["--help"])
    # Input that cannot be used is answered in one line: what else is odd about it can wait.
    if code not in (CANNOT_BE_USED, NOBODY_READS):
        for warning in heard:
            message = warning.message
            say(f"warning: {as_typed(message) if isinstance(message, Parts) else message}")
    return code


def _compile_all() -> None:
    from climbfast.warm import compile_in_processes

    compile_in_processes()


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look through the objects for cycles less often: modules are made of objects that stay, a tenth of a short run."""
    before = gc.get_threshold()
    gc.set_threshold(OBJECTS_TO_A_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _outcome(arguments: list[str]) -> int:
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return _interrupted()
    except Stopped as stopped:
        return _interrupted(as_typed(stopped))
    except Exception as error:
        return refuse(error)


def _run(arguments: list[str]) -> int:
    try:
        # Not app(): that would replace the hook for exceptions of the whole process.
        code = typer.main.get_command(app).main(arguments, prog_name="climbfast", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # what typer and rich make of a pipe that nobody reads
        discard_output()
        return NOBODY_READS
    except typer.Abort:
        return _interrupted()
    return _interrupted() if code == INTERRUPTED else int(code or 0)


def _interrupted(how: str = "") -> int:
    say(f"climbfast: {how or 'interrupted'}")
    return INTERRUPTED
