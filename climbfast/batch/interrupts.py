"""Ctrl-C in the middle of a run: what is under way is finished, what takes too long is cut off."""

from __future__ import annotations

import _thread
import _weakrefset
import os
import signal
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

__all__ = ["hearing_interrupts", "undisturbed"]

Result = TypeVar("Result")
PATIENCE = 1.0  # seconds for what is under way; most of it takes some 30 ms
AGAIN = 0.1
# Where Python calls back as objects die; what is raised there is printed and forgotten.
FINALIZERS = frozenset({weakref.__file__, _weakrefset.__file__})


@contextmanager
def hearing_interrupts() -> Iterator[Callable[[], bool]]:
    """Give a function that says whether Ctrl-C came, so that the run can end by itself.

    KeyboardInterrupt is raised at the second Ctrl-C, or after ``PATIENCE``. Raised at the first, anywhere, it becomes a
    SystemError in a kernel, is printed and forgotten in a finalizer, and has joblib kill processes as they are fed.
    Threads other than the main one hear no signals, and a handler of the caller's stays.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    came, over, raised = threading.Event(), threading.Event(), False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal raised
        if not came.is_set():
            came.set()
        elif not raised and not _in_finalizer(frame):
            raised = True
            raise KeyboardInterrupt

    def watch() -> None:
        came.wait()
        patience = PATIENCE
        while not over.wait(patience) and not raised:
            _interrupt_main()
            patience = AGAIN

    signal.signal(signal.SIGINT, handle)
    watcher = threading.Thread(target=watch, name="climbfast-interrupts", daemon=True)
    watcher.start()
    try:
        yield came.is_set
        if came.is_set():
            raise KeyboardInterrupt
    except Exception:
        if raised:
            raise KeyboardInterrupt from None
        raise
    finally:
        raised = True  # from here on the handler does nothing, and then the watcher is gone
        over.set()
        came.set()
        watcher.join()
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt_main() -> None:
    if hasattr(signal, "pthread_kill"):  # which wakes it from sleep and from waiting for a file, too
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _in_finalizer(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "__del__" or frame.f_code.co_filename in FINALIZERS:
            return True
        frame = frame.f_back
    return False


def undisturbed(work: Callable[..., Result], home: int, *arguments: object) -> Result:
    """Do some work; in a process other than ``home`` with no ear for Ctrl-C, which a terminal sends to all of them.

    The parent hears it and ends its workers. They would tell of it in tracebacks of their own, most of them from the
    finalizers of memory maps, after the work: so they stay deaf.
    """
    if os.getpid() != home and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return work(*arguments)
