"""``climbfast warm``."""

from __future__ import annotations

from climbfast.cli.output import say

__all__ = ["warm"]


def warm() -> None:
    """Compile the kernels ahead, for columns of up to 256 levels, so that no later command has to."""
    from climbfast.warm import kept_in, warm_up

    warmed = warm_up()
    say(f"kernels: {'compiled' if warmed.compiled else 'nothing to compile'}, {warmed.seconds:.1f} s")
    if directory := kept_in():
        say(f"kept in {directory}")
