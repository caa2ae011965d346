"""Hooks and fixtures of pytest: samples of networks, and the summary at the end of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bench.shared.factories import forget_all, load_bitmaps
from bench.shared.networks import network
from bench.shared.summary import SummaryLine, summary
from climbfast import Dataset, Network, load_example

LINES = pytest.StashKey[list[SummaryLine]]()


@pytest.fixture(scope="session")
def published() -> Callable[[str], Network]:
    """A call with the name of a published network reads it, and skips the benchmark where there is none."""

    def read(name: str) -> Network:
        try:
            return network(name)
        except FileNotFoundError as error:
            pytest.skip(str(error))

    return read


@pytest.fixture(scope="session")
def alarm(published: Callable[[str], Network]) -> Dataset:
    return load_bitmaps(published("alarm").sample(20_000, seed=1))


@pytest.fixture(scope="session")
def hepar2(published: Callable[[str], Network]) -> Dataset:
    return load_bitmaps(published("hepar2").sample(20_000, seed=1))


@pytest.fixture(scope="session")
def example() -> Dataset:
    return load_bitmaps(load_example().sample(20_000, seed=1))


@pytest.fixture
def report(request: pytest.FixtureRequest, benchmark: Any) -> Iterator[Callable[..., None]]:
    """A call with the work of one round, its unit, and the seconds that yardsticks take for it, adds a line.

    The yardstick of nearly all is ``roofline``; another one's name may be any.
    """
    lines: list[SummaryLine] = []

    def add(work: float, unit: str, **yardsticks: float) -> None:
        named = {name.replace("_", " "): seconds for name, seconds in yardsticks.items()}
        lines.append(SummaryLine(request.node.name.removeprefix("test_"), benchmark, work, unit, named))
        lines[-1].attach()

    yield add
    request.config.stash.setdefault(LINES, []).extend(lines)


def pytest_configure(config: pytest.Config) -> None:
    # The summary below says what matters here; -v brings back the table of pytest-benchmark.
    config.option.benchmark_quiet = True


def pytest_sessionfinish() -> None:
    # Data made anew lie elsewhere in memory: bench.tools.check measures what looks slow in several sessions.
    forget_all()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if lines := [line for line in config.stash.get(LINES, []) if line.seconds is not None]:
        terminalreporter.section("climbfast")
        for text in summary(lines):
            terminalreporter.write_line(text)
