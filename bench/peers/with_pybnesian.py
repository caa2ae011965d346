"""PyBNesian: PC with χ² (it has no G²), hill climbing with BDe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow
import pybnesian
from measurement import ALPHA, Edges, Task, by_a_loop, main, settings


def batch(names: list[str], codes: np.ndarray) -> pyarrow.RecordBatch:
    columns = [pyarrow.array(column.astype(str)).dictionary_encode() for column in codes.T]
    return pyarrow.RecordBatch.from_arrays(columns, names=names)


def pc(settings: str, *, use_sepsets: bool) -> Task:
    def task(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
        test = pybnesian.ChiSquare(batch(names, codes))
        return (
            lambda: pybnesian.PC().estimate(test, alpha=ALPHA, use_sepsets=use_sepsets),
            lambda graph: [*graph.arcs(), *graph.edges()],
        )

    task.__doc__ = settings
    return task


def hill_climbing(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """hill climbing, BDe(1)."""
    score = pybnesian.BDe(batch(names, codes), iss=1)
    start = pybnesian.DiscreteBN(names)
    climber, operators = pybnesian.GreedyHillClimbing(), pybnesian.ArcOperatorSet()
    return lambda: climber.estimate(operators, score, start), lambda network: network.arcs()


def loop(task: Task, found_in: Callable[[pyarrow.RecordBatch], Edges]) -> Task:
    return by_a_loop(settings(task), batch, lambda data, rows: data.take(pyarrow.array(rows)), found_in)


def found_by_pc(data: pyarrow.RecordBatch) -> Edges:
    graph = pybnesian.PC().estimate(pybnesian.ChiSquare(data), alpha=ALPHA, use_sepsets=True)
    return [*graph.arcs(), *graph.edges()]


def found_by_climbing(data: pyarrow.RecordBatch) -> Edges:
    score, start = pybnesian.BDe(data, iss=1), pybnesian.DiscreteBN(data.schema.names)
    return pybnesian.GreedyHillClimbing().estimate(pybnesian.ArcOperatorSet(), score, start).arcs()


if __name__ == "__main__":
    found_sets = pc("stable, χ², sets found, no limit", use_sepsets=True)
    majority = pc("stable, χ², majority, no limit", use_sepsets=False)
    loops = {
        "bootstrap_pc-loop": loop(found_sets, found_by_pc),
        "bootstrap_bdeu-loop": loop(hill_climbing, found_by_climbing),
    }
    main("pybnesian", {"pc": found_sets, "pc-majority": majority, "bdeu": hill_climbing, **loops})
