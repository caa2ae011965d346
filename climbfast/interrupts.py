"""Ctrl-C (SIGINT) during a search, which then raises KeyboardInterrupt, and during a run, which first stops its tasks.

Python handles no signals while a kernel runs; a thread that waits for them sets ``STOP``, at which kernels return
early. After a kernel, numba converts its results by a Python function, and Python calls the signal handler there first.
numba does not expect an exception in that function: the process crashes.
"""

from __future__ import annotations

import _thread
import _weakrefset
import os
import signal
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from types import FrameType
from typing import ParamSpec, TypeVar

import numpy as np

from climbfast.activity import show_activity

__all__ = [
    "STOP",
    "call_ignoring_interrupts",
    "defer_interrupts",
    "end_with_parent",
    "interruptible",
    "note_first_interrupt",
    "raise_if_interrupted",
    "termination_as_interrupt",
]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
PATIENCE = 0.5  # seconds that running tasks have to finish; most take some 30 ms
SECONDS_BETWEEN_ATTEMPTS = 0.1
SECONDS_TO_HANDLER = 5.0  # in which Python calls the handler of a signal after a kernel
SECONDS_BETWEEN_LOOKS = 1.0  # of a worker process at its parent
# In functions that Python calls when an object is deleted, an exception is printed and dropped; in those that numba
# calls, it crashes the process (see above).
FINALIZER_FILES = frozenset({weakref.__file__, _weakrefset.__file__})
CALLBACK_NAMES = frozenset({"__del__", "_numba_unpickle"})

# While it is not 0, kernels in the main thread return early, and what they return has no meaning.
STOP = np.zeros(1, np.int64)

_interrupting: set[int] = {signal.SIGINT}  # the signals that are an interrupt

SECONDS_TO_WATCHER = 1.0  # in which the thread that watches learns of a signal that was handled

_handled = 0  # interrupts whose handler has run
_watched = 0  # the process, if it is a worker that watches its parent
_may_raise = False  # whether the handler of a search raises KeyboardInterrupt, which it does once
_pending = False  # whether an interrupt came where KeyboardInterrupt could not be raised


def interruptible(search: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Let Ctrl-C raise KeyboardInterrupt in a search, at once or when the kernel returns, and show if the search lasts.

    Only the main thread handles signals, and a handler of the caller stays in use.
    """

    @wraps(search)
    def interruptible_search(*arguments: Parameters.args, **options: Parameters.kwargs) -> Result:
        with show_activity(search.__name__):
            return call(*arguments, **options)

    def call(*arguments: Parameters.args, **options: Parameters.kwargs) -> Result:
        if not _has_default_handler():
            return search(*arguments, **options)
        global _may_raise
        _clear_pending()
        signal.signal(signal.SIGINT, _raise_if_possible)
        try:
            with _watching_signals(_stop_kernels):
                try:
                    _may_raise = True  # not before: an exception between it and the block would skip what is below
                    result = search(*arguments, **options)
                    raise_if_interrupted()
                    return result
                finally:
                    _may_raise = False
        finally:
            # From here on the handler only notes an interrupt, so that all of this is done.
            _may_raise = False
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if _pending:
                _clear_pending()
                raise KeyboardInterrupt

    return interruptible_search


def raise_if_interrupted() -> None:
    """Raise KeyboardInterrupt if an interrupt is pending; only in the main thread.

    A search calls this after every kernel. Nearly all the time of a search is spent in kernels, so nearly every
    interrupt is pending first.
    """
    if not (_pending or STOP[0]):
        return
    if threading.current_thread() is not threading.main_thread():
        return
    # A kernel can end before Python calls the handler, which then raises KeyboardInterrupt here, and not again later.
    end = time.monotonic() + SECONDS_TO_HANDLER
    while not _pending and STOP[0] and time.monotonic() < end:
        time.sleep(0.001)
    _clear_pending()
    raise KeyboardInterrupt


def _clear_pending() -> None:
    global _pending
    _pending = False


def _stop_kernels() -> None:
    STOP[0] = 1


class _SignalWatcher:
    """A thread that waits for SIGINT while a kernel runs in the main thread, which handles no signals meanwhile.

    Python writes the number of each signal to a socket at once, and calls its handler when the kernel has returned.
    """

    def __init__(self) -> None:
        self.process = os.getpid()
        self.lock = threading.Lock()
        self.on_interrupt: Callable[[], None] | None = None
        self.forward_to = -1
        self.interrupts = 0  # that it has learned of
        self._reader, self.writer = socket.socketpair()
        self.writer.setblocking(False)
        threading.Thread(target=self._watch, name="climbfast-signals", daemon=True).start()

    def _watch(self) -> None:
        while numbers := self._reader.recv(64):
            with self.lock:
                if self.on_interrupt is not None and not _interrupting.isdisjoint(numbers):
                    self.on_interrupt()
                self.interrupts += sum(number in _interrupting for number in numbers)
                if self.forward_to >= 0:
                    with suppress(OSError):
                        os.write(self.forward_to, numbers)


_watcher: _SignalWatcher | None = None


@contextmanager
def _watching_signals(on_interrupt: Callable[[], None]) -> Iterator[None]:
    """Call a function in another thread at SIGINT; only for the main thread. At the end ``STOP`` is reset."""
    global _watcher
    if _watcher is None or _watcher.process != os.getpid():  # threads do not survive a fork
        _watcher = _SignalWatcher()
    watcher = _watcher
    STOP[0] = 0
    before = signal.set_wakeup_fd(watcher.writer.fileno(), warn_on_full_buffer=False)
    unknown = _handled - watcher.interrupts
    try:
        with watcher.lock:
            watcher.on_interrupt = on_interrupt
            watcher.forward_to = -1 if before == watcher.writer.fileno() else before
        yield
    finally:
        signal.set_wakeup_fd(before)
        # A signal that the thread learns of later would stop the next search.
        end = time.monotonic() + SECONDS_TO_WATCHER
        while _handled - watcher.interrupts > unknown and time.monotonic() < end:
            time.sleep(0.0005)
        with watcher.lock:
            watcher.on_interrupt, watcher.forward_to = None, -1
            STOP[0] = 0


def _has_default_handler() -> bool:
    """Whether this is the main thread, and Python's own handler of SIGINT is in use."""
    main = threading.current_thread() is threading.main_thread()
    return main and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _raise_if_possible(number: int, frame: FrameType | None) -> None:
    global _handled, _may_raise, _pending
    _handled += 1
    if _may_raise and not (_is_in_callback(frame) or _is_importing(frame)):
        _may_raise = False
        raise KeyboardInterrupt
    _pending = True


@contextmanager
def defer_interrupts() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed, so that a run can stop its tasks in order.

    KeyboardInterrupt is raised at the second Ctrl-C, or after ``PATIENCE``. If it were raised at the first, it would
    become a SystemError in a kernel, be printed and dropped in a finalizer, and let joblib kill processes while it
    sends them tasks. Only the main thread handles signals, and a handler of the caller stays in use.
    """
    if not _has_default_handler():
        yield lambda: False
        return
    pressed, ended, handled, raised = threading.Event(), threading.Event(), False, False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal handled, raised
        global _handled
        _handled += 1
        pressed.set()
        if not handled:
            handled = True
        elif not raised and not _is_in_callback(frame):
            raised = True
            raise KeyboardInterrupt

    def watch() -> None:
        pressed.wait()
        patience = PATIENCE
        while not ended.wait(patience) and not raised:
            _stop_kernels()
            _interrupt_main()
            patience = SECONDS_BETWEEN_ATTEMPTS

    signal.signal(signal.SIGINT, handle)
    watcher = threading.Thread(target=watch, name="climbfast-interrupts", daemon=True)
    watcher.start()
    try:
        with _watching_signals(pressed.set):
            yield pressed.is_set
        if pressed.is_set():
            raise KeyboardInterrupt
    except Exception:
        if raised:
            raise KeyboardInterrupt from None
        raise
    finally:
        raised = True  # from here on the handler does nothing, and the watcher ends
        ended.set()
        pressed.set()
        watcher.join()
        STOP[0] = 0
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def note_first_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed, for a search that then ends with what it has found.

    The second Ctrl-C raises KeyboardInterrupt, at once or when the kernel returns. Only the main thread handles
    signals, and a handler of the caller stays in use.
    """
    if not _has_default_handler():
        yield lambda: False
        return
    global _pending
    seen, noticed = 0, 0

    def notice() -> None:
        nonlocal noticed
        noticed += 1
        if noticed > 1:
            _stop_kernels()

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal seen
        global _handled, _pending
        _handled += 1
        seen += 1
        if seen == 2 and not (_is_in_callback(frame) or _is_importing(frame)):
            raise KeyboardInterrupt
        _pending = _pending or seen == 2

    _clear_pending()
    signal.signal(signal.SIGINT, handle)
    try:
        with _watching_signals(notice):
            yield lambda: seen > 0
            raise_if_interrupted()
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _clear_pending()


@contextmanager
def termination_as_interrupt() -> Iterator[Callable[[], bool]]:
    """Treat SIGTERM as Ctrl-C, so that files are closed and unfinished ones deleted; yield whether it came."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield lambda: False
        return
    terminated = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal terminated
        terminated = True
        at_interrupt = signal.getsignal(signal.SIGINT)
        if not callable(at_interrupt):  # a shell has it ignored by what runs in the background
            raise KeyboardInterrupt
        at_interrupt(signal.SIGINT, frame)

    signal.signal(signal.SIGTERM, handle)
    _interrupting.add(signal.SIGTERM)
    try:
        yield lambda: terminated
    finally:
        _interrupting.discard(signal.SIGTERM)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _interrupt_main() -> None:
    if hasattr(signal, "pthread_kill"):  # it also wakes the main thread from sleep and from reading a file
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a search is importing a module, which an exception would leave half imported."""
    while frame is not None and (frame.f_code.co_filename, frame.f_code.co_name) != (__file__, "interruptible_search"):
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _is_in_callback(frame: FrameType | None) -> bool:
    """Whether an exception raised here would be dropped, or crash the process."""
    while frame is not None:
        if frame.f_code.co_name in CALLBACK_NAMES or frame.f_code.co_filename in FINALIZER_FILES:
            return True
        frame = frame.f_back
    return False


def call_ignoring_interrupts(work: Callable[..., Result], home: int, *arguments: object) -> Result:
    """Call ``work``; in a worker process, that is any process but ``home``, SIGINT is ignored from then on.

    A terminal sends Ctrl-C to all processes, and the parent ends its workers. Workers that handled it would print
    tracebacks of their own, most of them from the finalizers of memory maps after the work.
    """
    if os.getpid() != home:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        end_with_parent(home)
    return work(*arguments)


def end_with_parent(parent: int) -> None:
    """Let this worker process end soon after its parent; a parent that is killed cannot end its workers itself.

    A worker of another machine, or one that another program has started, is left alone.
    """
    global _watched
    if os.name == "nt" or _watched == os.getpid() or os.getppid() != parent:
        return
    _watched = os.getpid()  # a forked child of this worker has no thread that watches
    threading.Thread(target=_watch_parent, args=(parent,), name="climbfast-parent", daemon=True).start()


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)
