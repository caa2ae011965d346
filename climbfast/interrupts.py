"""Ctrl-C in the middle of a search, or of a run: there what is under way is finished, and what takes too long cut off.

A kernel hears no signals. When it is done, numba makes Python's objects of what it returns, by a function in Python
that is the first to hear of them, and what is raised there it does not expect: the process dies of it.
"""

from __future__ import annotations

import _thread
import _weakrefset
import os
import signal
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FrameType
from typing import ParamSpec, TypeVar

__all__ = ["hearing_interrupts", "interruptible", "raise_if_interrupted", "undisturbed"]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
PATIENCE = 1.0  # seconds for what is under way; most of it takes some 30 ms
AGAIN = 0.1
# Where Python calls back as objects die, what is raised is printed and forgotten; in what numba calls, see above.
FINALIZERS = frozenset({weakref.__file__, _weakrefset.__file__})
CALLED_BACK = frozenset({"__del__", "_numba_unpickle"})

_late = False  # whether an interrupt came where it could not be raised


def interruptible(search: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Have Ctrl-C raise KeyboardInterrupt in a search: where it comes or, if need be, by ``raise_if_interrupted``.

    Threads other than the main one hear no signals, and a handler of the caller's stays.
    """

    @wraps(search)
    def searching(*arguments: Parameters.args, **options: Parameters.kwargs) -> Result:
        if not _is_ours():
            return search(*arguments, **options)
        signal.signal(signal.SIGINT, _raise_where_possible)
        try:
            found = search(*arguments, **options)
            raise_if_interrupted()
            return found
        finally:
            _forget()
            signal.signal(signal.SIGINT, signal.default_int_handler)

    return searching


def raise_if_interrupted() -> None:
    """Raise what could not be raised where it came; for a search to call after every kernel.

    Nearly all the time of a search is in kernels, so that an interrupt is nearly always one that comes too early.
    """
    if _late and threading.current_thread() is threading.main_thread():
        _forget()
        raise KeyboardInterrupt


def _forget() -> None:
    global _late
    _late = False


def _is_ours() -> bool:
    """Whether nobody else handles Ctrl-C."""
    main = threading.current_thread() is threading.main_thread()
    return main and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _raise_where_possible(number: int, frame: FrameType | None) -> None:
    global _late
    if not (_is_called_back(frame) or _is_importing(frame)):
        raise KeyboardInterrupt
    _late = True


@contextmanager
def hearing_interrupts() -> Iterator[Callable[[], bool]]:
    """Give a function that says whether Ctrl-C came, so that the run can end by itself.

    KeyboardInterrupt is raised at the second Ctrl-C, or after ``PATIENCE``. Raised at the first, anywhere, it becomes a
    SystemError in a kernel, is printed and forgotten in a finalizer, and has joblib kill processes as they are fed.
    Threads other than the main one hear no signals, and a handler of the caller's stays.
    """
    if not _is_ours():
        yield lambda: False
        return
    came, over, raised = threading.Event(), threading.Event(), False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal raised
        if not came.is_set():
            came.set()
        elif not raised and not _is_called_back(frame):
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


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a search imports something, of which half would stay behind."""
    while frame is not None and (frame.f_code.co_filename, frame.f_code.co_name) != (__file__, "searching"):
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _is_called_back(frame: FrameType | None) -> bool:
    """Whether what is raised here would be lost, or worse."""
    while frame is not None:
        if frame.f_code.co_name in CALLED_BACK or frame.f_code.co_filename in FINALIZERS:
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
