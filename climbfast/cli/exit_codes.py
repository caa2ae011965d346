"""How the process ends: the exit codes, and Ctrl-C with a word on how to go on."""

from __future__ import annotations

from climbfast.errors import Parts

__all__ = ["CANNOT_BE_USED", "FAULT", "INTERRUPTED", "NOBODY_READS", "Stopped"]

FAULT = 1
CANNOT_BE_USED = 2
# As shells say it: 128 and the number of the signal, SIGINT and SIGPIPE.
INTERRUPTED = 130
NOBODY_READS = 141


class Stopped(Parts, Exception):  # noqa: N818  # it is no error
    """Ctrl-C with a word on how to go on; typer would make its own of a KeyboardInterrupt."""
