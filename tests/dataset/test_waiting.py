"""Ctrl-C during a call into a library that is not Python."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from climbfast.dataset.waiting import call_in_thread, raise_if_abandoned


def nothing() -> None: ...


def test_the_result_and_the_error_are_those_of_the_call() -> None:
    assert call_in_thread(lambda: 7, nothing) == 7
    with pytest.raises(ZeroDivisionError):
        call_in_thread(lambda: 1 // 0, nothing)


def test_it_looks_around_while_the_call_lasts() -> None:
    looks: list[int] = []
    call_in_thread(lambda: time.sleep(0.5), lambda: looks.append(1))
    assert looks


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system sends no signals to threads")
def test_an_interrupt_is_heard_during_the_call() -> None:
    released = threading.Event()
    main = threading.main_thread().ident or 0
    timer = threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        call_in_thread(lambda: released.wait(60), nothing)
    released.set()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system sends no signals to threads")
def test_the_work_ends_after_an_interrupt() -> None:
    ended = threading.Event()

    def work() -> None:
        try:
            while True:
                raise_if_abandoned()
                time.sleep(0.01)
        finally:
            ended.set()

    main = threading.main_thread().ident or 0
    threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        call_in_thread(work, nothing)
    assert ended.wait(60)
    raise_if_abandoned()  # nothing was abandoned in this thread
    assert call_in_thread(lambda: raise_if_abandoned() or 7, nothing) == 7


def test_another_thread_calls_directly() -> None:
    callers: list[threading.Thread] = []
    thread = threading.Thread(
        target=lambda: call_in_thread(lambda: callers.append(threading.current_thread()), nothing)
    )
    thread.start()
    thread.join()
    assert callers == [thread]
