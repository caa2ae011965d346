"""How the calibrated clock goes through its rounds, by a made-up clock."""

from __future__ import annotations

import pytest

from bench.shared.calibrated_clock import single, window


def test_a_window_repeats_short_calls_and_leaves_setup_and_the_first_call_out():
    now, calls = [0.0], []

    def call():
        calls.append("call")
        now[0] += 1.0 if len(calls) == 1 else 1e-4

    found = window(call, clock=lambda: now[0], loops={"compute": lambda: None})
    assert found.seconds == pytest.approx(1e-4)
    assert len(calls) > 100

    def setup():
        calls.append("setup")
        now[0] += 5.0

    calls.clear()
    now[0] = 0.0
    found = window(call, setup=setup, clock=lambda: now[0], loops={"compute": lambda: None})
    assert found.seconds == pytest.approx(1e-4)
    assert calls == ["setup", "call"] * (len(calls) // 2)


def test_a_long_call_is_measured_twice():
    now, calls = [0.0], []

    def call():
        calls.append("call")
        now[0] += 20.0

    assert window(call, clock=lambda: now[0], loops={"compute": lambda: None}).seconds == 20.0
    assert len(calls) == 3  # the first of which does not count


def test_a_single_call_is_made_once_between_the_loops():
    now, calls = [0.0], []

    def passes(kind, seconds):
        def call():
            calls.append(kind)
            now[0] += seconds

        return call

    found = single(passes("call", 3.0), clock=lambda: now[0], loops={"compute": passes("loop", 2.0)})
    assert (found.seconds, found.times("compute")) == (3.0, 1.5)
    assert calls.count("call") == 1
    assert calls[0] == calls[-1] == "loop"
