"""Telling how a run goes on: a bar on a terminal, a line now and then elsewhere; always on standard error."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Protocol

from climbfast.errors import Option, OptionError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Bars", "Lines", "Reporter", "Silence", "reporter"]

SECONDS_A_LINE = 5.0


class Reporter(Protocol):
    """What a run tells of itself."""

    def begin(self, name: str, done: int, units: int) -> None:
        """A pass begins; ``done`` units of it are in the journal already."""

    def advance(self, units: int, tests: int) -> None:
        """Units were finished, with so many tests."""

    def end(self) -> None:
        """The run ends, in whatever way."""


class Silence:
    """No word."""

    def begin(self, name: str, done: int, units: int) -> None:
        """See ``Reporter``."""

    def advance(self, units: int, tests: int) -> None:
        """See ``Reporter``."""

    def end(self) -> None:
        """See ``Reporter``."""


class _Pass:
    """The figures of the pass that is running."""

    def __init__(self, name: str, done: int, units: int) -> None:
        self.name, self.done, self.units, self.tests = name, done, units, 0
        self._done_before, self._begun = done, time.monotonic()

    def figures(self) -> tuple[float, float]:
        """Return tests per second, and seconds left."""
        seconds = max(time.monotonic() - self._begun, 1e-9)
        finished = self.done - self._done_before
        left = seconds / finished * (self.units - self.done) if finished else float("nan")
        return self.tests / seconds, left


class Lines:
    """Plain lines: when a pass begins, every few seconds, and when it ends."""

    def __init__(self) -> None:
        self._pass: _Pass | None = None
        self._told = 0.0
        self._heard = True

    def begin(self, name: str, done: int, units: int) -> None:
        """See ``Reporter``."""
        self._pass, self._told = _Pass(name, done, units), time.monotonic()
        known = f", {done:,} of them in the journal" if done else ""
        self._tell(f"climbfast: {name}: {units:,} units{known}")

    def advance(self, units: int, tests: int) -> None:
        """See ``Reporter``."""
        now = self._pass
        assert now is not None
        now.done, now.tests = now.done + units, now.tests + tests
        if time.monotonic() - self._told >= SECONDS_A_LINE or now.done == now.units:
            self._told = time.monotonic()
            rate, left = now.figures()
            line = f"climbfast: {now.name}: {now.done:,}/{now.units:,}, {rate:,.0f} tests/s, {left:,.0f} s left"
            self._tell(line)

    def end(self) -> None:
        """See ``Reporter``."""

    def _tell(self, line: str) -> None:
        """Say it, until nobody listens: a closed pipe is no reason to end a run."""
        if self._heard:
            try:
                print(line, file=sys.stderr, flush=True)
            except OSError:
                self._heard = False


class Bars:
    """One bar a pass."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bars: Progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[rate]:,.0f} tests/s"), TimeRemainingColumn(),
            console=Console(stderr=True),
        )  # fmt: skip
        self._pass: _Pass | None = None
        self._bar: TaskID | None = None

    def begin(self, name: str, done: int, units: int) -> None:
        """See ``Reporter``."""
        self._pass = _Pass(name, done, units)
        self._bars.start()
        self._bar = self._bars.add_task(name, total=units, completed=done, rate=0.0)

    def advance(self, units: int, tests: int) -> None:
        """See ``Reporter``."""
        assert self._pass is not None
        assert self._bar is not None
        self._pass.done, self._pass.tests = self._pass.done + units, self._pass.tests + tests
        self._bars.update(self._bar, advance=units, rate=self._pass.figures()[0])

    def end(self) -> None:
        """See ``Reporter``."""
        self._bars.stop()


def reporter(*, wanted: bool | Reporter) -> Reporter:
    """Return a reporter: bars on a terminal, lines elsewhere, none if not wanted, or the caller's own.

    Raises
    ------
    OptionError
        For an object that lacks a method of ``Reporter``.
    """
    if not isinstance(wanted, bool):
        if not all(callable(getattr(wanted, method, None)) for method in ("begin", "advance", "end")):
            raise OptionError(
                Option("progress"), f" is {wanted!r}; it is True, False or an object with begin, advance and end"
            )
        return wanted
    if not wanted or sys.stderr is None:
        return Silence()
    return Bars() if sys.stderr.isatty() else Lines()
