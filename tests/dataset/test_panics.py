"""Errors of polars in messages; and standard error during a read: what is written there arrives, but for panics."""

from __future__ import annotations

import os
import threading

import pytest

from climbfast.dataset.panics import reason_of, without_panics

PANIC = (
    b"\nthread '<unnamed>' (5) panicked at crates/x.rs:1:2:\nout of range\nstack backtrace:\n   0: begin\n"
    b"note: run with `RUST_BACKTRACE=1`\n"
)


def test_panics_are_left_out(capfd: pytest.CaptureFixture[str]) -> None:
    with without_panics():
        os.write(2, b"before\n" + PANIC + b"between\n" + PANIC)
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "before\nbetween\nafter\n"


def test_a_panic_without_note_at_the_end(capfd: pytest.CaptureFixture[str]) -> None:
    with without_panics():
        os.write(2, b"before\n\nthread 'polars-1' panicked at x.rs:1:2:\nwhy\n")
    assert capfd.readouterr().err == "before\n"


@pytest.mark.skipif(not hasattr(os, "pread"), reason="standard error is left as it is there")
def test_other_messages_are_shown_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    with without_panics() as show:
        os.write(2, b"reading\n")
        assert capfd.readouterr().err == ""
        show()
        assert capfd.readouterr().err == "reading\n"
        show()
    assert capfd.readouterr().err == ""


def test_it_ends_with_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), without_panics():
        os.write(2, b"before\n")
        raise KeyboardInterrupt
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "before\nafter\n"


def test_many_threads(capfd: pytest.CaptureFixture[str]) -> None:
    def write() -> None:
        for _ in range(50):
            with without_panics():
                os.write(2, b"x\n" + PANIC)

    threads = [threading.Thread(target=write) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os.write(2, b"after\n")
    lines = capfd.readouterr().err.splitlines()
    assert lines[-1] == "after"
    assert lines.count("x") > 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("why\nmore", ": why"),
        ("", ""),
        ("called `Result::unwrap()` on an `Err` value: JoinError", ""),
        ("parquet error: Error { byte_offset: 120 }", ""),
        ("a\x1b[2Jb", ": a\\x1b[2Jb"),
    ],
)
def test_the_reason_in_a_message(text: str, reason: str) -> None:
    assert reason_of(ValueError(text)) == reason
