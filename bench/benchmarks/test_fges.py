"""FGES, data loaded, and the sweep of families that it is made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.shared.factories import draw_chain, load_bitmaps
from bench.shared.pair_counts import PairCountingScores
from bench.shared.roofline import bare_loop, bare_tables
from climbfast import Dataset, LocalScores, fges

SCORES = ("bdeu", "bic", "aic", "fnml", "qnml")


def run(benchmark: Any, report: Any, data: Dataset, score: str, rounds: int) -> None:
    benchmark.pedantic(fges, (data, score), rounds=rounds, warmup_rounds=1 if rounds > 1 else 0)
    scores = PairCountingScores(data, score)
    fges(data, scores)
    report(scores.families, "families", roofline=bare_loop(data, scores.pairs))


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("sample", ["example", "alarm"])
def test_fges(benchmark: Any, report: Any, request: pytest.FixtureRequest, sample: str, score: str) -> None:
    run(benchmark, report, request.getfixturevalue(sample), score, rounds=7)


@pytest.mark.parametrize(("name", "rounds"), [("andes", 3), ("munin", 1)])
def test_fges_of_many_columns(benchmark: Any, report: Any, published: Any, name: str, rounds: int) -> None:
    """223 and 1,041 columns, 5,000 rows."""
    run(benchmark, report, load_bitmaps(published(name).sample(5_000, seed=1)), "bdeu", rounds)


@pytest.mark.parametrize("n_parents", [0, 1, 2, 3])
@pytest.mark.parametrize("arity", [2, 4])
@pytest.mark.parametrize("score", ["bdeu", "fnml"])
def test_sweep_of_families(benchmark: Any, report: Any, score: str, arity: int, n_parents: int) -> None:
    """One column with some parents and each of all others, no family cached; 20,000 rows."""
    data = draw_chain(20_000, 40, arity)
    others = np.arange(n_parents + 1, data.columns)
    scores = LocalScores(data, score)
    benchmark(scores._count, 0, tuple(range(1, n_parents + 1)), others)
    report(len(others), "families", roofline=bare_tables(data, 0, others, strata=arity**n_parents))
