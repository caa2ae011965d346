"""Data made by seed, and the table at the end of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.roofline import Line
from climbfast import Dataset, Network, load_example, read_bif

LINES = pytest.StashKey[list[Line]]()
NETWORKS = Path(__file__).parents[2] / "shared" / "networks"


@cache
def uniform(rows: int, columns: int, arity: int) -> Dataset:
    """Independent uniform columns."""
    codes = np.random.default_rng(1).integers(arity, size=(rows, columns), dtype=np.uint8)
    return Dataset.from_frame(codes)


@cache
def skewed(rows: int, columns: int, arity: int) -> Dataset:
    """Independent columns whose first level has most of the rows, as real ones do."""
    rng = np.random.default_rng(1)
    codes = rng.integers(arity, size=(rows, columns), dtype=np.uint8)
    codes[rng.random((rows, columns)) < 0.7] = 0
    return Dataset.from_frame(codes)


@cache
def chained(rows: int, columns: int, arity: int) -> Dataset:
    """Columns of which each copies the one before in half of the rows: neighbors stay dependent."""
    rng = np.random.default_rng(1)
    codes = rng.integers(arity, size=(columns, rows), dtype=np.uint8)
    for x in range(1, columns):
        copied = rng.random(rows) < 0.5
        codes[x, copied] = codes[x - 1, copied]
    return Dataset.from_frame(codes.T)


def network(name: str) -> Network:
    """Read a network of the shared folder; skip where there is none."""
    path = NETWORKS / f"{name}.bif"
    if not path.exists():
        pytest.skip(f"no {path.name} in a folder shared/networks next to the repository")
    return read_bif(path)


@pytest.fixture(scope="session")
def alarm() -> Dataset:
    return network("alarm").sample(20_000, seed=1)


@pytest.fixture(scope="session")
def hepar2() -> Dataset:
    return network("hepar2").sample(20_000, seed=1)


@pytest.fixture(scope="session")
def example() -> Dataset:
    return load_example().sample(20_000, seed=1)


@pytest.fixture
def report(request: pytest.FixtureRequest, benchmark: Any) -> Iterator[Callable[..., None]]:
    """A call with the work of one round, its unit and the seconds of its yardstick adds a line to the summary."""
    lines: list[Line] = []

    def add(work: float = 1.0, unit: str = "calls", **yardstick: Any) -> None:
        lines.append(Line(request.node.name.removeprefix("test_"), benchmark, work, unit, **yardstick))
        lines[-1].attach()

    yield add
    request.config.stash.setdefault(LINES, []).extend(lines)


def pytest_configure(config: pytest.Config) -> None:
    # The summary below says what matters here; -v brings back the table of pytest-benchmark.
    config.option.benchmark_quiet = True


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    lines = [line for line in config.stash.get(LINES, []) if line.seconds is not None]
    if not lines:
        return
    width = max(len(line.name) for line in lines)
    terminalreporter.section("climbfast")
    terminalreporter.write_line(f"{'':{width}}  {'least':>10}  {'rate':>20}  times the yardstick")
    for line in lines:
        rate = f"{_short(line.work / line.seconds)} {line.unit}/s"
        ratio = f"{line.seconds / line.yardstick:6.2f} {line.yardstick_name}" if line.yardstick else "     -"
        terminalreporter.write_line(f"{line.name:{width}}  {_duration(line.seconds):>10}  {rate:>20}  {ratio}")


def _short(number: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {letter}"
    return f"{number:.3g} "


def _duration(seconds: float) -> str:
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
