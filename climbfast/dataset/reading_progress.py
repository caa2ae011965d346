"""The progress of reading a file, on standard error, as soon as reading has taken two seconds.

It is a bar that disappears at the end where the bytes that are read are counted and standard error is a terminal; else,
and until some are counted, it is one line; in a notebook it disappears in either case. As with searches
(``climbfast.activity``), from Python it is shown on a terminal and in a notebook alone, and ``CLIMBFAST_PROGRESS=0``
turns it off.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from climbfast.activity import is_shown
from climbfast.notebook_output import ProgressLine, WatchedOutput, in_notebook

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["announce_reading", "count_bytes", "expect_bytes"]

seconds_of_silence = 2.0


class _Progress:
    """What is read, and how many of its bytes have been."""

    def __init__(self, text: str, size: int, *, counts_bytes: bool) -> None:
        self._text, self._size, self._read = text, size, 0
        # Asked now: while polars reads, standard error is a file (``climbfast.dataset.panics``).
        self._has_bar = counts_bytes and sys.stderr.isatty()
        self._bar: Progress | None = None
        self._is_over = self._has_line = False
        self._lock = threading.Lock()  # of the bar, which one thread begins and another one ends
        self._timer = threading.Timer(seconds_of_silence, self._show)
        self._timer.daemon = True
        self._timer.start()

    def count(self, number: int) -> None:
        """Count bytes that have been read."""
        self._read += number
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._read)
        elif self._has_bar and self._has_line:
            self._show()

    def expect(self, size: int) -> None:
        """Expect so many bytes."""
        self._size = size
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], total=size)

    def end(self) -> None:
        """End it, and remove the bar."""
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            if self._bar is not None:
                self._bar.stop()

    def _show(self) -> None:
        with self._lock, suppress(OSError, ValueError):  # a closed stream
            if self._is_over or self._bar is not None:
                return
            if self._has_bar and self._read:
                self._bar = _bar(self._text, self._size, self._read)
                self._bar.start()
                return
            self._has_line = True
            size = f" ({_size_text(self._size)})" if self._size else ""
            print(f"climbfast: {self._text}{size}", file=sys.stderr, flush=True)


class _NotebookProgress:
    """The same below the cell of a notebook."""

    def __init__(self, text: str, size: int, *, counts_bytes: bool) -> None:
        self._text, self._size, self._read = text, size, 0
        self._has_bar = counts_bytes
        self._output = WatchedOutput(self._lines, seconds_of_silence)

    def count(self, number: int) -> None:
        """Count bytes that have been read."""
        self._read += number

    def expect(self, size: int) -> None:
        """Expect so many bytes."""
        self._size = size

    def end(self) -> None:
        """Remove it."""
        self._output.end()

    def _lines(self) -> list[ProgressLine]:
        if not (self._has_bar and self._size and self._read):
            return [ProgressLine(self._text, figures=_size_text(self._size) if self._size else "")]
        figures = f"{_size_text(self._read)} of {_size_text(self._size)}"
        return [ProgressLine(self._text, self._read / self._size, figures)]


_now: _Progress | _NotebookProgress | None = None


@contextmanager
def announce_reading(text: str, size: int, *, counts_bytes: bool) -> Iterator[None]:
    """Say that something is read; of several readings at once the first one is announced.

    Parameters
    ----------
    text : str
        Such as "reading data.csv".
    size : int
        Its bytes; 0 if unknown.
    counts_bytes : bool
        Whether ``count_bytes`` may be called.
    """
    global _now
    if _now is not None or sys.stderr is None or not is_shown():
        yield
        return
    progress = _NotebookProgress if in_notebook() else _Progress
    _now = reading = progress(text, size, counts_bytes=counts_bytes)
    try:
        yield
    finally:
        _now = None
        reading.end()


def count_bytes(number: int) -> None:
    """Count bytes that have been read for the bar."""
    if (reading := _now) is not None:
        reading.count(number)


def expect_bytes(size: int) -> None:
    """Say how many bytes there are, if this was not known at the beginning."""
    if (reading := _now) is not None:
        reading.expect(size)


def _bar(text: str, size: int, read: int) -> Progress:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn(),
        # It is a terminal, though a file while polars reads.
        console=Console(stderr=True, force_terminal=True), transient=True,
    )  # fmt: skip
    bar.add_task(escape(f"climbfast: {text}"), total=size or None, completed=read)
    return bar


def _size_text(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"
