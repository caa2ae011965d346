"""The progress of a run: a bar per pass on a terminal and in a notebook, a line every few seconds elsewhere."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING, Protocol

from climbfast.errors import Option, OptionError
from climbfast.notebook_output import ProgressLine, WatchedOutput, in_notebook

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["NoProgress", "NotebookBars", "ProgressBars", "ProgressLines", "ProgressReporter", "progress_reporter"]

SECONDS_PER_LINE = 5.0
seconds_without_bars = 1.0  # of a run in a notebook; a shorter one leaves no output


class ProgressReporter(Protocol):
    """An object that a run calls with its progress."""

    def begin(self, name: str, done: int, units: int) -> None:
        """Begin a pass of ``units`` units of work, of which the journal has ``done``."""

    def advance(self, units: int, tests: int) -> None:
        """Count finished units, and the tests that they took."""

    def end(self) -> None:
        """End the run, whether it is complete or stopped."""


class NoProgress:
    """Reports nothing."""

    def begin(self, name: str, done: int, units: int) -> None:
        """See ``ProgressReporter``."""

    def advance(self, units: int, tests: int) -> None:
        """See ``ProgressReporter``."""

    def end(self) -> None:
        """See ``ProgressReporter``."""


class _PassProgress:
    """The counters of the pass that is running."""

    def __init__(self, name: str, done: int, units: int) -> None:
        self.name, self.done, self.units, self.tests = name, done, units, 0
        self._done_before, self._begun = done, time.monotonic()

    def advance(self, units: int, tests: int) -> None:
        """Count finished units, and the tests that they took."""
        self.done, self.tests = self.done + units, self.tests + tests

    @property
    def rate(self) -> str:
        """The tests per second; nothing for a pass that makes none, or nearly none."""
        tests = self.tests / self._seconds
        return f"{tests:,.0f} tests/s" if tests >= 0.5 else ""

    @property
    def seconds_left(self) -> float:
        """Expected seconds until the pass ends; infinite if unknown."""
        finished = self.done - self._done_before
        return self._seconds / finished * (self.units - self.done) if finished else math.inf

    @property
    def _seconds(self) -> float:
        return max(time.monotonic() - self._begun, 1e-9)


class ProgressLines:
    """Plain lines: when a pass begins, every few seconds, and when it ends."""

    def __init__(self) -> None:
        self._pass: _PassProgress | None = None
        self._printed = 0.0  # time of the last line
        self._is_open = True

    def begin(self, name: str, done: int, units: int) -> None:
        """See ``ProgressReporter``."""
        self._pass, self._printed = _PassProgress(name, done, units), time.monotonic()
        known = f", {done:,} of them done" if done else ""
        self._print(f"climbfast: {name}: {units:,} {'unit' if units == 1 else 'units'}{known}")

    def advance(self, units: int, tests: int) -> None:
        """See ``ProgressReporter``."""
        now = self._pass
        assert now is not None
        now.advance(units, tests)
        if time.monotonic() - self._printed >= SECONDS_PER_LINE or now.done == now.units:
            self._printed = time.monotonic()
            left = f"{now.seconds_left:,.0f} s left"
            self._print(", ".join(filter(None, [f"climbfast: {now.name}: {now.done:,}/{now.units:,}", now.rate, left])))

    def end(self) -> None:
        """See ``ProgressReporter``."""

    def _print(self, line: str) -> None:
        """Print a line, as long as standard error is open: a closed pipe must not end the run."""
        if self._is_open:
            try:
                print(line, file=sys.stderr, flush=True)
            except OSError:
                self._is_open = False


class ProgressBars:
    """One bar per pass."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bars: Progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
            console=Console(stderr=True),
        )  # fmt: skip
        self._pass: _PassProgress | None = None
        self._bar: TaskID | None = None

    def begin(self, name: str, done: int, units: int) -> None:
        """See ``ProgressReporter``."""
        self._pass = _PassProgress(name, done, units)
        self._bars.start()
        self._bar = self._bars.add_task(name, total=units, completed=done, rate="")

    def advance(self, units: int, tests: int) -> None:
        """See ``ProgressReporter``."""
        assert self._pass is not None
        assert self._bar is not None
        self._pass.advance(units, tests)
        self._bars.update(self._bar, advance=units, rate=self._pass.rate)

    def end(self) -> None:
        """See ``ProgressReporter``."""
        self._bars.stop()


class NotebookBars:
    """One bar per pass below the cell of a notebook; they disappear when the run ends."""

    def __init__(self) -> None:
        self._passes: list[_PassProgress] = []
        self._output: WatchedOutput | None = None

    def begin(self, name: str, done: int, units: int) -> None:
        """See ``ProgressReporter``."""
        self._passes.append(_PassProgress(name, done, units))
        if self._output is None:
            self._output = WatchedOutput(self._lines, seconds_without_bars)

    def advance(self, units: int, tests: int) -> None:
        """See ``ProgressReporter``."""
        self._passes[-1].advance(units, tests)

    def end(self) -> None:
        """See ``ProgressReporter``."""
        if self._output is not None:
            self._output.end()

    def _lines(self) -> list[ProgressLine]:
        return list(map(_line_of, self._passes))


def _line_of(now: _PassProgress) -> ProgressLine:
    left = now.seconds_left
    figures = [f"{now.done:,} of {now.units:,}"]
    if now.done < now.units:
        figures += [now.rate, "" if math.isinf(left) else f"{left:,.0f} s left"]
    return ProgressLine(now.name, now.done / max(now.units, 1), ", ".join(filter(None, figures)))


def progress_reporter(*, progress: bool | ProgressReporter) -> ProgressReporter:
    """Return the reporter of an option: bars, or lines where bars cannot be; none; or the object of the caller.

    Raises
    ------
    OptionError
        For an object that lacks a method of ``ProgressReporter``.
    """
    if not isinstance(progress, bool):
        if not all(callable(getattr(progress, method, None)) for method in ("begin", "advance", "end")):
            raise OptionError(
                Option("progress"), f" is {progress!r}; it is True, False or an object with begin, advance and end"
            )
        return progress
    if not progress or sys.stderr is None:
        return NoProgress()
    if in_notebook():
        return NotebookBars()
    return ProgressBars() if sys.stderr.isatty() else ProgressLines()
