"""climbfast itself; runs in the environment of the script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from measurement import ALPHA, MAX_GIVEN, REPLICATES, Edges, Task, main

import climbfast as cf


def load(names: list[str], codes: np.ndarray) -> cf.Dataset:
    """Return the data with their bitmaps and tables, which are part of loading."""
    data = cf.Dataset.from_frame({name: codes[:, x] for x, name in enumerate(names)})
    assert data.bits.n_rows == data.rows  # made on first use, as are the tables
    assert data.log_tables.units > 0
    return data


def edges(graph: cf.Graph) -> Edges:
    return [*graph.directed, *graph.undirected]


def pairs(blankets: cf.Blankets) -> Edges:
    return [(target, member) for target in blankets for member in blankets[target].members]


def stable_pc(settings: str, **options: Any) -> Task:
    def task(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
        data = load(names, codes)
        given = {"test": cf.G2(alpha=ALPHA, df="nominal"), "max_given": MAX_GIVEN} | options
        return lambda: cf.pc(data, **given), edges

    task.__doc__ = settings
    return task


def blankets(settings: str, **options: Any) -> Task:
    def task(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
        data = load(names, codes)
        return lambda: cf.markov_blankets(data, n_jobs=1, progress=False, **options), pairs

    task.__doc__ = settings
    return task


def fges(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """FGES, BDeu(1, 1)."""
    data = load(names, codes)
    return lambda: cf.fges(data, cf.BDeu(1, 1)), edges


def replicates(settings: str, search: str, **options: Any) -> Task:
    def task(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
        data = load(names, codes)
        given = {"replicates": REPLICATES, "n_jobs": 1, "progress": False} | options
        return lambda: cf.bootstrap(data, search, **given), in_most_replicates

    task.__doc__ = settings
    return task


def in_most_replicates(sure: cf.Bootstrap) -> Edges:
    return [(pair["x"], pair["y"]) for pair in sure.to_frame().iter_rows(named=True) if pair["edge"] > 1 / 2]


TEN = cf.G2(alpha=ALPHA, df="nominal", min_rows_per_df=10)
ADJUSTED = cf.G2(alpha=ALPHA, df="adjusted")
TASKS: dict[str, Task] = {
    "pc": stable_pc("stable, G², majority"),
    "pc-ten-rows": stable_pc("stable, G² with 10 rows a df, majority", test=TEN),
    "pc-adjusted": stable_pc("stable, G² with df of the levels that occur, majority", test=ADJUSTED),
    "pc-no-limit": stable_pc("stable, G², majority, no limit", max_given=None),
    "pc-found-sets": stable_pc("stable, G², sets found", conflicts="keep-first"),
    "pc-chi-squared": stable_pc("stable, χ², sets found, no limit", conflicts="keep-first", max_given=None,
                                test=cf.X2(alpha=ALPHA, df="nominal")),
    "blankets": blankets("Climb, SCI"),
    "blankets-iamb": blankets("IAMB, G²", method="iamb", test=cf.G2(alpha=ALPHA, df="nominal")),
    "bdeu": fges,
    "bootstrap_pc": replicates("stable, G², majority", "pc", test=cf.G2(alpha=ALPHA, df="nominal"),
                               max_given=MAX_GIVEN),
    "bootstrap_bdeu": replicates("FGES, BDeu(1, 1)", "fges", score=cf.BDeu(1, 1)),
}  # fmt: skip

if __name__ == "__main__":
    main("climbfast", TASKS, version=cf.__version__, warm=True)
