"""The progress of reading, on a terminal and elsewhere."""

from __future__ import annotations

import io
import sys
import time

import pytest

from climbfast import activity
from climbfast.dataset import reading_progress
from climbfast.dataset.reading_progress import announce_reading, count_bytes, expect_bytes
from tests.notebook.kernels import fake_kernel, wait_until


class Terminal(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLIMBFAST_PROGRESS", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(reading_progress, "seconds_of_silence", 0.05)
    monkeypatch.setattr(activity, "always_shown", True)


def wait_for(text: str, stream: io.StringIO) -> str:
    end = time.monotonic() + 30
    while text not in stream.getvalue() and time.monotonic() < end:
        time.sleep(0.01)
    return stream.getvalue()


def test_one_line_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with (
        announce_reading("reading a.csv", 2_500_000, counts_bytes=True),
        announce_reading("reading b.csv", 0, counts_bytes=True),
    ):
        count_bytes(7)
        wait_for("\n", stream)
        time.sleep(0.2)
    assert stream.getvalue() == "climbfast: reading a.csv (2.5 MB)\n"
    with announce_reading("reading c.csv", 1_200_000_000, counts_bytes=True):
        assert wait_for("c.csv", stream).endswith("climbfast: reading c.csv (1.2 GB)\n")


def test_a_bar_on_a_terminal_that_disappears(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with announce_reading("reading [b]a.csv", 10_000_000, counts_bytes=True):
        count_bytes(1_000_000)
        assert "reading [b]a.csv" in wait_for("1.0/10.0", stream)
        count_bytes(8_000_000)
        wait_for("9.0/10.0", stream)
    assert "9.0/10.0" in stream.getvalue()
    assert stream.getvalue().endswith("\x1b[2K")  # the line is erased
    assert sys.stderr is stream


def test_a_line_until_bytes_are_counted_and_known(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with announce_reading("reading a pipe", 0, counts_bytes=True):
        assert wait_for("\n", stream) == "climbfast: reading a pipe\n"
        count_bytes(1_000_000)
        wait_for("1.0/?", stream)
        expect_bytes(2_000_000)
        assert "1.0/2.0" in wait_for("1.0/2.0", stream)
        bar = reading_progress._now._bar
        reading_progress._now._show()  # as another thread that counts at the same moment
        assert reading_progress._now._bar is bar is not None


def test_a_line_on_a_terminal_where_bytes_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with announce_reading("reading a.parquet", 0, counts_bytes=False):
        wait_for("\n", stream)
    assert stream.getvalue() == "climbfast: reading a.parquet\n"


def test_nothing_for_quick_reading_and_where_it_is_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    for _ in range(20):
        with announce_reading("reading a.csv", 10, counts_bytes=True):
            count_bytes(10)
    monkeypatch.setenv("CLIMBFAST_PROGRESS", "0")
    with announce_reading("reading a.csv", 10, counts_bytes=True):
        time.sleep(0.2)
    monkeypatch.delenv("CLIMBFAST_PROGRESS")
    monkeypatch.setattr(activity, "always_shown", False)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with announce_reading("reading a.csv", 10, counts_bytes=True):
        time.sleep(0.2)
    assert stream.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", None)
    with announce_reading("reading a.csv", 10, counts_bytes=True):
        count_bytes(10)


@pytest.mark.parametrize(
    ("size", "counts", "text"),
    [
        (10_000_000, True, "reading a.csv 90 %, 9.0 MB of 10.0 MB"),
        (10_000_000, False, "reading a.csv, 10.0 MB"),
        (0, False, "reading a.csv"),
    ],
)
def test_it_disappears_in_a_notebook(monkeypatch, capsys, size, counts, text) -> None:
    monkeypatch.setattr(activity, "always_shown", False)
    outputs = fake_kernel(monkeypatch)
    with announce_reading("reading a.csv", size, counts_bytes=counts):
        count_bytes(9_000_000)
        wait_until(lambda: outputs)
    assert [version["text/plain"] for version in outputs[0]] == [text, ""]
    assert capsys.readouterr().err == ""
    with announce_reading("reading b.csv", size, counts_bytes=counts):
        pass
    assert len(outputs) == 1


def test_a_size_known_later_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activity, "always_shown", False)
    outputs = fake_kernel(monkeypatch)
    with announce_reading("reading a pipe", 0, counts_bytes=True):
        count_bytes(1_000_000)
        expect_bytes(2_000_000)
        wait_until(lambda: outputs)
    assert outputs[0][0]["text/plain"] == "reading a pipe 50 %, 1.0 MB of 2.0 MB"
