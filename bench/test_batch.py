"""All pairs, and all targets: the screen against the bare loop, whole runs by workers."""

from __future__ import annotations

from typing import Any

import pytest

from bench.conftest import uniform
from bench.roofline import bare_loop, least_seconds
from bench.simulate import simulated
from climbfast import Dataset, Evidence, markov_blankets
from climbfast.screen import Screening, units_of_screen

WIDE = {"binary": (10_000, 2_000, 2), "ternary": (2_577, 5_716, 3)}


@pytest.mark.parametrize("test", ["sci", "g2", "x2", "cmi"])
@pytest.mark.parametrize("columns", WIDE)
def test_screen(benchmark: Any, report: Any, columns: str, test: str) -> None:
    """One core; the yardstick counts the same free cells one pair at a time and scores nothing."""
    data = uniform(*WIDE[columns])
    screening, units = Screening(Evidence(data, test)), range(len(units_of_screen(data)))

    def all_pairs() -> None:
        for unit in units:
            screening.unit(unit)

    all_pairs()
    benchmark.pedantic(all_pairs, rounds=5)
    pairs = data.columns * (data.columns - 1) / 2
    cells = pairs * int(data.arity[0] - 1) ** 2
    report(pairs, "pairs", yardstick=bare_loop(data, cells))


def test_alarm(benchmark: Any, report: Any, alarm: Dataset) -> None:
    """All 37 targets, no processes."""
    find = lambda: markov_blankets(alarm, n_jobs=1, progress=False)  # noqa: E731
    find()
    benchmark.pedantic(find, rounds=15)
    report(alarm.columns, "targets")


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("dependence", [0.5, 0.15], ids=["sparse", "dense"])
def test_genes(benchmark: Any, report: Any, dependence: float, workers: int) -> None:
    """5,716 × 2,577, three levels; two workers against one, the pool of workers being up."""
    _, data = simulated(5_716, 2_577, levels=3, concentration=dependence, seed=1)
    benchmark.pedantic(lambda: markov_blankets(data, n_jobs=workers, progress=False), rounds=3, warmup_rounds=1)
    if workers == 1:
        return report(data.columns, "targets")
    alone = least_seconds(lambda: markov_blankets(data, n_jobs=1, progress=False), rounds=2)
    return report(data.columns, "targets", yardstick=alone, yardstick_name="one worker")
