"""``climbfast warm``."""

from __future__ import annotations

from typing import Annotated

import typer

from climbfast.cli.output import say

__all__ = ["warm"]


def warm(
    *,
    clear: Annotated[
        bool, typer.Option("--clear", help="First delete the compiled kernels of all versions of climbfast.")
    ] = False,
) -> None:
    """Compile the kernels now, so that no later command has to wait for it.

    Kernels for columns of more than 256 levels are compiled when they are first needed.
    """
    from climbfast.warm import clear_kernel_cache, kernel_cache, warm_up

    if clear:
        say(f"kernels: {clear_kernel_cache():,} files deleted")
    warmed = warm_up()
    say(f"kernels: {'compiled' if warmed.compiled else 'already compiled'}, {warmed.seconds:.1f} s")
    if directory := kernel_cache():
        say(f"kept in {directory}")
