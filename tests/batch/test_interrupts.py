"""Ctrl-C where Python would swallow it."""

from __future__ import annotations

import gc
import signal
import threading
import weakref

import pytest

from climbfast.batch.interrupts import hearing_interrupts


class Thing:
    """Something that can be finalized."""


class Dying:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)


def finalized():
    thing = Thing()
    weakref.finalize(thing, signal.raise_signal, signal.SIGINT)
    del thing
    gc.collect()


def deleted():
    Dying()
    gc.collect()


@pytest.mark.parametrize("swallowing", [finalized, deleted])
def test_one_in_a_finalizer_is_raised_later(swallowing):
    """A message of an ignored exception would fail the test: it is a warning to pytest."""
    with hearing_interrupts() as heed:
        heed()
        swallowing()
        with pytest.raises(KeyboardInterrupt):
            heed()


def test_one_elsewhere_is_raised_at_once():
    with hearing_interrupts(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_the_handler_is_that_of_before():
    with hearing_interrupts():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_the_caller_stays():
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        with hearing_interrupts() as heed:
            signal.raise_signal(signal.SIGINT)
            heed()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [1]


def test_in_another_thread():
    raised = []

    def run():
        with hearing_interrupts() as heed:
            heed()
            raised.append(False)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert raised == [False]
