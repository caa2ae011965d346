"""Calls during which Ctrl-C is heard, although they spend minutes in a library that is not Python."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["call_in_thread"]

Result = TypeVar("Result")
_SECONDS_BETWEEN_LOOKS = 0.1


def call_in_thread(work: Callable[[], Result], look: Callable[[], None]) -> Result:
    """Call ``work`` in a thread and wait for it, so that the main thread can raise KeyboardInterrupt meanwhile.

    After an interrupt the thread goes on until ``work`` is done; nobody waits for it.

    Parameters
    ----------
    work : function without arguments
    look : function without arguments
        Called now and then while the thread works.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread hears Ctrl-C
        return work()
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # also a panic of polars
            errors.append(error)

    thread = threading.Thread(target=run, name="climbfast-reading", daemon=True)
    thread.start()
    thread.join(_SECONDS_BETWEEN_LOOKS)
    while thread.is_alive():
        look()
        thread.join(_SECONDS_BETWEEN_LOOKS)
    if errors:
        raise errors[0]
    return results[0]
