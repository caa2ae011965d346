"""The options of every command that say how much it tells on standard error: ``--quiet`` and ``--verbose``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from inspect import Parameter
from typing import Annotated, Any

import typer

from climbfast.cli.output import tell_less, tell_more
from climbfast.errors import Option, OptionError

__all__ = ["with_messages"]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no notes, only warnings and errors.")]
Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        help="Also say what the command runs on, its time and its memory, and show the traceback of an internal error.",
    ),
]
_OPTIONS = tuple(
    Parameter(name, Parameter.KEYWORD_ONLY, default=False, annotation=annotation)
    for name, annotation in (("quiet", Quiet), ("verbose", Verbose))
)


def with_messages(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the two options behind its own."""
    declared = inspect.signature(command, eval_str=True)
    options = [*declared.parameters.values(), *_OPTIONS]

    @wraps(command)
    def as_typed(*, quiet: bool, verbose: bool, **values: Any) -> None:
        if quiet and verbose:
            raise OptionError(Option("quiet"), " and --verbose are opposites; leave one of them out")
        if quiet:
            tell_less()
        if verbose:
            tell_more()
        command(**values)

    # typer asks for both.
    as_typed.__annotations__ = {option.name: option.annotation for option in options}
    as_typed.__signature__ = declared.replace(parameters=options)  # type: ignore[attr-defined]  # inspect looks for it
    return as_typed
