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


@pytest.mark.parametrize(
    ("seconds", "calls"), [(0.5, 2 + 5), (1.0, 2 + 5), (1.2, 2 + 4), (2.0, 2 + 2), (4.0, 2 + 1), (6.0, 2), (60.0, 2)]
)
def test_a_call_of_more_than_a_second_has_the_rounds_that_fit_into_five(seconds, calls):
    now, made = [0.0], {"call": 0, "loop": 0}

    def passes(kind, seconds):
        def work():
            made[kind] += 1
            now[0] += seconds

        return work

    found = window(passes("call", seconds), clock=lambda: now[0], loops={"compute": passes("loop", 0.25)})
    assert found == (pytest.approx(seconds), {"compute": pytest.approx(0.25)})
    assert made["call"] == calls
    assert made["loop"] == 1 + (100 * calls if seconds > 1 else 5 * 3)


def test_the_first_of_few_calls_counts_and_the_first_of_many_does_not():
    def least(first, others):
        now, left = [0.0], iter([first])

        def call():
            now[0] += next(left, others)

        return window(call, clock=lambda: now[0], loops={"compute": lambda: None}).seconds

    assert least(6.0, 7.0) == 6.0
    assert least(0.1, 0.2) == pytest.approx(0.2)


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
