"""Runs to compare: reporters that count and that stop a run, and blankets without what it cost to find them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import climbfast as cf


class Counting:
    """Counts the units of every pass that were not in the journal, and the tests."""

    def __init__(self) -> None:
        self.units: dict[str, int] = {}
        self.known: dict[str, int] = {}
        self.tests = 0
        self.ended = 0

    def begin(self, name: str, done: int, units: int) -> None:
        self._pass = name
        self.units.setdefault(name, 0)
        self.known[name] = done

    def advance(self, units: int, tests: int) -> None:
        self.units[self._pass] += units
        self.tests += tests

    def end(self) -> None:
        self.ended += 1


class Stopping(Counting):
    """Stops a run after so many tasks as Ctrl-C does, or by another exception."""

    def __init__(self, tasks: int, error: type[BaseException] = KeyboardInterrupt) -> None:
        super().__init__()
        self._tasks, self._error = tasks, error

    def advance(self, units: int, tests: int) -> None:
        super().advance(units, tests)
        self._tasks -= 1
        if self._tasks == 0:
            raise self._error


def without_cost(blanket: cf.Blanket) -> cf.Blanket:
    """Return a blanket but for its tests: in a run those with nothing given are made once for all."""
    return replace(blanket, tests_by_size=(), skipped=0)


def found_alone(data: cf.Dataset, **options: Any) -> dict[Any, cf.Blanket]:
    """Find every blanket by itself."""
    return {name: without_cost(cf.markov_blanket(data, name, **options)) for name in data.names}
