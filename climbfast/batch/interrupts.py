"""Ctrl-C, heard wherever it comes in."""

from __future__ import annotations

import signal
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["hearing_interrupts"]


@contextmanager
def hearing_interrupts() -> Iterator[Callable[[], None]]:
    """Give a function that raises KeyboardInterrupt if Python has swallowed one.

    It does so in finalizers, of which joblib runs some for every task in processes: a Ctrl-C that comes in one would
    be printed and forgotten. Threads other than the main one hear no signals, and a handler of the caller's stays.
    """
    swallowed = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal swallowed
        if _in_finalizer(frame):
            swallowed = True
        else:
            raise KeyboardInterrupt

    def check() -> None:
        if swallowed:
            raise KeyboardInterrupt

    ours = threading.current_thread() is threading.main_thread()
    ours = ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not ours:
        yield check
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _in_finalizer(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "__del__" or frame.f_code.co_filename == weakref.__file__:
            return True
        frame = frame.f_back
    return False
