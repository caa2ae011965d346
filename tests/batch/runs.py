"""Runs to compare: reporters that count and that stop a run, and blankets without what it cost to find them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import climbfast as cf


class CountingReporter:
    """Counts the units of every pass that were in the journal and those that were not, and the tests.

    Attributes
    ----------
    passes : list of (str, int, int)
        As they begin: the name, units in the journal, and units. The search of neighbors may begin several times.
    """

    def __init__(self) -> None:
        self.passes: list[tuple[str, int, int]] = []
        self.units: dict[str, int] = {}
        self.tests = 0
        self.ended = 0

    @property
    def known(self) -> dict[str, int]:
        """The units of every pass that were in the journal when it last began."""
        return {name: done for name, done, _ in self.passes}

    def begin(self, name: str, done: int, units: int) -> None:
        self.passes.append((name, done, units))
        self.units.setdefault(name, 0)

    def advance(self, units: int, tests: int) -> None:
        self.units[self.passes[-1][0]] += units
        self.tests += tests

    def end(self) -> None:
        self.ended += 1


class StoppingReporter(CountingReporter):
    """Stops a run after so many tasks as Ctrl-C does, or by another exception."""

    def __init__(self, tasks: int, error: type[BaseException] = KeyboardInterrupt) -> None:
        super().__init__()
        self._tasks, self._error = tasks, error

    def advance(self, units: int, tests: int) -> None:
        super().advance(units, tests)
        self._tasks -= 1
        if self._tasks == 0:
            raise self._error


def without_cost(blankets: Mapping[Any, cf.Blanket]) -> dict[Any, cf.Blanket]:
    """Return the blankets but for their tests: a run makes the marginal ones once for all targets."""
    return {name: replace(blanket, tests_by_size=(), skipped=0) for name, blanket in blankets.items()}


def run(data: cf.Dataset, targets: Any = None, **options: Any) -> cf.Blankets:
    """Find the blankets of many columns, telling nothing."""
    return cf.markov_blankets(data, targets, progress=False, **options)


def run_serially(data: cf.Dataset, journal: str | Path, progress: Any = False, **options: Any) -> cf.Blankets:
    """Find the blankets of many columns, with a journal."""
    return cf.markov_blankets(data, journal=journal, progress=progress, n_jobs=1, **options)


def interrupt(data: cf.Dataset, journal: Path, tasks: int = 20, **options: Any) -> None:
    """Stop a run after so many tasks."""
    with pytest.raises(cf.Interrupted):
        run_serially(data, journal, StoppingReporter(tasks), **options)


def units_in(journal: Path) -> dict[str, int]:
    """Return how many units of every pass a journal has."""
    return {each.name: each.done for each in cf.journal_status(journal).passes}


def found_alone(data: cf.Dataset, **options: Any) -> dict[Any, cf.Blanket]:
    """Find every blanket by itself."""
    return without_cost({name: cf.markov_blanket(data, name, **options) for name in data.names})
