"""PyBNesian: greedy hill climbing with BIC, its default for discrete networks, or BDe with a sample size of 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow
import pybnesian
from answer import Edges, Search, main


def by(score: Callable[[Any], Any]) -> Search:
    """Return the search with that score."""

    def search(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], tuple[Edges, Edges]]]:
        columns = [pyarrow.array(column.astype(str)).dictionary_encode() for column in codes.T]
        data = pyarrow.RecordBatch.from_arrays(columns, names=names)
        scored, start = score(data), pybnesian.DiscreteBN(names)
        climber, operators = pybnesian.GreedyHillClimbing(), pybnesian.ArcOperatorSet()
        return lambda: climber.estimate(operators, scored, start), lambda network: (network.arcs(), ())

    return search


if __name__ == "__main__":
    main({"climb-bic": by(pybnesian.BIC), "climb-bde": by(lambda data: pybnesian.BDe(data, iss=1))})
