"""What happens when a kernel must be compiled: a message, and a program may first compile all kernels at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from climbfast import activity

__all__ = [
    "announce_compilation",
    "before_first_compilation",
    "seconds_of_work",
    "silence_announcement",
    "wait_for_first_compilation_again",
]

_registered = _silent = False
_callback: Callable[[], None] | None = None


def announce_compilation() -> None:
    """Print one line on standard error when the first kernel of this process must be compiled."""
    global _registered
    if not _registered:
        from climbfast_kernels._jit import on_first_compilation

        on_first_compilation(_begin)
        _registered = True


def wait_for_first_compilation_again() -> None:
    """Do at the next compilation what is done at the first one, which was not to be."""
    global _registered
    _registered = False


def seconds_of_work() -> float:
    """Return the time of a clock that stands still while this process compiles or loads a kernel."""
    from climbfast_kernels._jit import seconds_without_compilation

    return seconds_without_compilation()


def _begin() -> None:
    from climbfast_kernels._jit import CACHE

    if not _silent and not activity.never_shown and sys.stderr is not None:
        kept = "kept for later runs" if CACHE else "and again in the next run, since they cannot be kept"
        with suppress(OSError):  # standard error may be closed; the kernel is compiled nevertheless
            print(f"climbfast: compiling kernels (less than a minute, {kept})", file=sys.stderr)
    # This thread holds numba's lock. In a thread other than the main one the callback could wait for threads that wait
    # for this lock.
    if _callback is not None and threading.current_thread() is threading.main_thread():
        _callback()


def silence_announcement() -> None:
    """Print no line about compilation in this process."""
    global _silent
    _silent = True


@contextmanager
def before_first_compilation(callback: Callable[[], None]) -> Iterator[None]:
    """Call ``callback`` before the first kernel is compiled."""
    global _callback
    before, _callback = _callback, callback
    try:
        yield
    finally:
        _callback = before
