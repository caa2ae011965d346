"""FGES, data loaded, and the sweep of families that it is made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.conftest import network
from climbfast import Dataset, LocalScores, fges

SCORES = ("bdeu", "bic", "aic", "fnml", "qnml")


def run(benchmark: Any, report: Any, data: Dataset, score: str, rounds: int) -> None:
    data.bits, data.tables  # noqa: B018 - made on first use
    found = benchmark.pedantic(fges, (data, score), rounds=rounds, warmup_rounds=1 if rounds > 1 else 0)
    report(found.figures["families"], "families")


@pytest.mark.parametrize("score", SCORES)
def test_fges_of_alarm(benchmark: Any, report: Any, alarm: Dataset, score: str) -> None:
    run(benchmark, report, alarm, score, rounds=7)


@pytest.mark.parametrize(("name", "rounds"), [("andes", 3), ("munin", 1)])
def test_fges_of_many_columns(benchmark: Any, report: Any, name: str, rounds: int) -> None:
    """223 and 1,041 columns, 5,000 rows."""
    run(benchmark, report, network(name).sample(5_000, seed=1), "bdeu", rounds)


@pytest.mark.parametrize("n_parents", [0, 1, 2, 3])
@pytest.mark.parametrize("score", ["bdeu", "fnml"])
def test_sweep_of_families(benchmark: Any, report: Any, alarm: Dataset, score: str, n_parents: int) -> None:
    """One column with some parents and each of all others, nothing remembered."""
    others = np.arange(n_parents + 1, alarm.columns)
    scores = LocalScores(alarm, score)
    benchmark(scores._count, 0, tuple(range(1, n_parents + 1)), others)
    report(len(others), "families")
