"""``climbfast warm``."""

from __future__ import annotations

from climbfast.cli.streams import say

__all__ = ["warm"]


def warm() -> None:
    """Compile the kernels ahead, for columns of up to 256 levels, so that no later command has to."""
    from climbfast.warm import kernel_cache, warm_up

    warmed = warm_up()
    say(f"kernels: {'compiled' if warmed.compiled else 'nothing to compile'}, {warmed.seconds:.1f} s")
    if directory := kernel_cache():
        say(f"kept in {directory}")
