"""Data made by seed, and the table at the end of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.roofline import Line
from bench.simulate import simulated
from climbfast import Dataset, Network, load_example, read_bif

LINES = pytest.StashKey[list[Line]]()
NETWORKS = Path(__file__).parents[2] / "shared" / "networks"


def loaded(data: Dataset) -> Dataset:
    """Make what is made on first use."""
    for part in ("bits", "log_tables"):
        getattr(data, part)
    return data


@cache
def uniform(rows: int, columns: int, arity: int) -> Dataset:
    """Independent uniform columns."""
    codes = np.random.default_rng(1).integers(arity, size=(rows, columns), dtype=np.uint8)
    return loaded(Dataset.from_frame(codes))


@cache
def chained(rows: int, columns: int, arity: int) -> Dataset:
    """Columns of which each copies the one before in half of the rows: neighbors stay dependent."""
    rng = np.random.default_rng(1)
    codes = rng.integers(arity, size=(columns, rows), dtype=np.uint8)
    for x in range(1, columns):
        copied = rng.random(rows) < 0.5
        codes[x, copied] = codes[x - 1, copied]
    return loaded(Dataset.from_frame(codes.T))


@cache
def genes(columns: int, rows: int, dependence: float = 0.5) -> Dataset:
    """Columns of three levels in a sparse network; less is more dependence (see simulate.py)."""
    return loaded(simulated(columns, rows, levels=3, concentration=dependence, seed=1)[1])


def network(name: str) -> Network:
    """Read a network of the shared folder; skip where there is none."""
    path = NETWORKS / f"{name}.bif"
    if not path.exists():
        pytest.skip(f"no {path.name} in a folder shared/networks next to the repository")
    return read_bif(path)


@pytest.fixture(scope="session")
def alarm() -> Dataset:
    return loaded(network("alarm").sample(20_000, seed=1))


@pytest.fixture(scope="session")
def hepar2() -> Dataset:
    return loaded(network("hepar2").sample(20_000, seed=1))


@pytest.fixture(scope="session")
def example() -> Dataset:
    return loaded(load_example().sample(20_000, seed=1))


@pytest.fixture
def report(request: pytest.FixtureRequest, benchmark: Any) -> Iterator[Callable[..., None]]:
    """A call with the work of one round, its unit, and the seconds that yardsticks take for it, adds a line.

    The yardstick of nearly all is ``roofline``; another one's name may be any.
    """
    lines: list[Line] = []

    def add(work: float, unit: str, **yardsticks: float) -> None:
        named = {name.replace("_", " "): seconds for name, seconds in yardsticks.items()}
        lines.append(Line(request.node.name.removeprefix("test_"), benchmark, work, unit, named))
        lines[-1].attach()

    yield add
    request.config.stash.setdefault(LINES, []).extend(lines)


def pytest_configure(config: pytest.Config) -> None:
    # The summary below says what matters here; -v brings back the table of pytest-benchmark.
    config.option.benchmark_quiet = True


def pytest_sessionfinish() -> None:
    # Data made anew lie elsewhere in memory: bench.check measures what looks slow in several sessions of one process.
    for made in (uniform, chained, genes):
        made.cache_clear()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    lines = [line for line in config.stash.get(LINES, []) if line.seconds is not None]
    if not lines:
        return
    width = max(len(line.name) for line in lines)
    terminalreporter.section("climbfast")
    terminalreporter.write_line(f"{'':{width}}  {'least':>10}  {'rate':>20}  times its yardsticks")
    for line in lines:
        rate = f"{_short(line.work / line.seconds)} {line.unit}/s"
        ratios = (f"{line.seconds / seconds:6.2f} {name}" for name, seconds in line.yardsticks.items())
        terminalreporter.write_line(
            f"{line.name:{width}}  {_duration(line.seconds):>10}  {rate:>20}  {' '.join(ratios)}"
        )


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
