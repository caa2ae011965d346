"""The pages of ``--help`` on narrow terminals, and without colors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from climbfast.cli.output import colors_are_unwanted, has_room_for_tables, width_of_terminal

__all__ = ["fit_colors", "fit_help"]

_WIDEST_OPTION = 8  # longer ones stand on a line of their own, with what they mean below
_NARROWEST = 20


def fit_help(program: Any, *, has_room: bool) -> None:
    """Fit the help of a program and of its commands to the terminal, and show defaults without brackets around them.

    Parameters
    ----------
    program : the group of commands that typer makes
    has_room : bool
        Whether the terminal has room for tables.
    """
    for command in program.commands.values():
        for option in command.params:
            if isinstance(option.show_default, str):
                _show_default_as_it_is(option)
    if not has_room:
        for command in (program, *program.commands.values()):
            command.context_class = _narrow(command.context_class)


def fit_colors(typed: Sequence[str]) -> None:
    """Show the help without colors if it is typed and the environment asks for that.

    Parameters
    ----------
    typed : sequence of str
        The arguments of the program.
    """
    if has_room_for_tables() and colors_are_unwanted() and not {"-h", "--help"}.isdisjoint(typed):
        from typer import rich_utils

        rich_utils.COLOR_SYSTEM = None


def _show_default_as_it_is(option: Any) -> None:
    """Have the help say ``[default: 32]`` for a default that is given as text, where typer writes ``(32)``."""
    text = option.show_default
    option._get_default_string = lambda **_: text


def _narrow(context_class: Any) -> Any:
    """Return a context whose help is plain text, as wide as the terminal."""
    formatter = context_class.formatter_class

    def write_dl(self: Any, rows: Any, col_max: int = 30, col_spacing: int = 2) -> None:
        formatter.write_dl(self, rows, min(col_max, _WIDEST_OPTION), col_spacing)

    narrow = type("NarrowFormatter", (formatter,), {"write_dl": write_dl})

    def make_formatter(self: Any) -> Any:
        return narrow(width=max(width_of_terminal() - 1, _NARROWEST))

    return type("NarrowContext", (context_class,), {"make_formatter": make_formatter})
