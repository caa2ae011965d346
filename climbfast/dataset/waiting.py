"""Calls during which Ctrl-C is heard, although they spend minutes in a library that is not Python."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["call_in_thread", "raise_if_abandoned"]

Result = TypeVar("Result")
_SECONDS_BETWEEN_LOOKS = 0.1
_thread = threading.local()


class _AbandonedError(Exception):
    """Nobody waits for the work of this thread any more."""


def raise_if_abandoned() -> None:
    """End the work of a thread that ``call_in_thread`` does not wait for any more."""
    if (abandoned := getattr(_thread, "abandoned", None)) and abandoned.is_set():
        raise _AbandonedError


def call_in_thread(work: Callable[[], Result], look: Callable[[], None]) -> Result:
    """Call ``work`` in a thread and wait for it, so that the main thread can raise KeyboardInterrupt meanwhile.

    After an interrupt nobody waits for the thread; ``work`` ends at its next call of ``raise_if_abandoned``.

    Parameters
    ----------
    work : function without arguments
    look : function without arguments
        Called now and then while the thread works.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread hears Ctrl-C
        return work()
    abandoned = threading.Event()
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        _thread.abandoned = abandoned
        try:
            results.append(work())
        except BaseException as error:  # also a panic of polars
            errors.append(error)

    thread = threading.Thread(target=run, name="climbfast-reading", daemon=True)
    thread.start()
    try:
        thread.join(_SECONDS_BETWEEN_LOOKS)
        while thread.is_alive():
            look()
            thread.join(_SECONDS_BETWEEN_LOOKS)
    except BaseException:
        abandoned.set()
        raise
    if errors:
        raise errors[0]
    return results[0]
