"""What is done when kernels have to be compiled: it is said, and a program may have all of them compiled at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

__all__ = ["announce_compilation", "compiling_ahead", "compiling_quietly"]

_listening = _quiet = False
_ahead: Callable[[], None] | None = None


def announce_compilation() -> None:
    """Say so on standard error, once, when the first kernel of a process has to be compiled."""
    global _listening
    if not _listening:
        from climbfast_kernels._jit import on_first_compilation

        on_first_compilation(_begin)
        _listening = True


def _begin() -> None:
    from climbfast_kernels._jit import CACHE

    if not _quiet and sys.stderr is not None:
        kept = "kept for later runs" if CACHE else "and again in the next run, since they cannot be kept"
        with suppress(OSError):  # nobody reads it; the kernel is compiled all the same
            print(f"climbfast: compiling kernels (about half a minute, {kept})", file=sys.stderr)
    # This thread has numba's lock: were it not the main one, others might wait for it while it waits for them.
    if _ahead is not None and threading.current_thread() is threading.main_thread():
        _ahead()


def compiling_quietly() -> None:
    """Say nothing in this process."""
    global _quiet
    _quiet = True


@contextmanager
def compiling_ahead(ahead: Callable[[], None]) -> Iterator[None]:
    """Call ``ahead`` before the first kernel is compiled."""
    global _ahead
    before, _ahead = _ahead, ahead
    try:
        yield
    finally:
        _ahead = before
