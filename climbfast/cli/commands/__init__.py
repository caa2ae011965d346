"""The commands, one module for each, with the page that it alone shows."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from climbfast._version import __version__
from climbfast.cli.examples import EXAMPLES, epilog_of
from climbfast.cli.options.messages import with_messages
from climbfast.cli.output import has_room_for_tables, tell_more, write

__all__ = ["COMMANDS", "command_line", "commands_for"]

# In the order of the help; the module and its function have the name of the command.
COMMANDS = (
    "inspect",
    "blanket",
    "blankets",
    "status",
    "neighbors",
    "methods",
    "test",
    "sample",
    "graph",
    "orient",
    "fit",
    "bootstrap",
    "report",
    "plot",
    "compare",
    "convert",
    "schema",
    "warm",
    "demo",
)
_FIRST_COMMANDS = ("inspect", "blanket", "graph", "demo")  # of which the help of the program has an example


def commands_for(typed: Sequence[str]) -> tuple[str, ...]:
    """Return the command that is typed first, or all of them if none is; none if only the version is asked for.

    Importing and describing all of them took a tenth of a small search.

    Parameters
    ----------
    typed : sequence of str
        The words behind the name of the program.
    """
    if typed and {*typed} <= {"--version", "--verbose", "-v"}:
        return ()
    return tuple(name for name in COMMANDS if name in typed[:1]) or COMMANDS


def command_line(commands: Sequence[str] = COMMANDS, *, completes: bool = False) -> typer.Typer:
    """Return the program with some of its commands.

    Parameters
    ----------
    commands : sequence of str
        The names of the commands.
    completes : bool
        Whether a shell wants words completed.
    """
    program = typer.Typer(
        help="Causal Markov blankets and causal graphs from discrete data.",
        epilog="\n\n".join(("Examples:", *(EXAMPLES[name][0] for name in _FIRST_COMMANDS))),
        add_completion=completes or tuple(commands) == COMMANDS,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich" if has_room_for_tables() else None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    program.callback(invoke_without_command=True)(_before_any_command)
    for name in commands:
        command = with_messages(getattr(import_module(f"{__name__}.{name}"), name))
        program.command(name, epilog=epilog_of(name))(command)
    return program


Version = Annotated[bool, typer.Option("--version", help="Show the version and exit.")]
Verbose = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="With --version: show all that a report of a fault should hold."),
]


def _before_any_command(context: typer.Context, *, version: Version = False, verbose: Verbose = False) -> None:
    if version:
        write(_versions() if verbose else f"climbfast {__version__}")
        raise typer.Exit
    if verbose:
        tell_more()
    if context.invoked_subcommand is None:
        context.fail("Missing command.")


def _versions() -> str:
    from climbfast.versions import versions_text

    return versions_text()
