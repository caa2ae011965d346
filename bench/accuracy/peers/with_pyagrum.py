"""pyAgrum: MIIC with its correction, its default; greedy hill climbing and tabu search with BDeu or BIC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyagrum
from answer import Edges, Search, main


def by(*settings: str, classes: bool = False) -> Search:
    """Return the search with these settings of a learner; of MIIC the graph with undirected edges."""

    def search(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], tuple[Edges, Edges]]]:
        learner = pyagrum.BNLearner(pd.DataFrame(codes, columns=names).astype(str))
        learner.setNumberOfThreads(1)
        for setting in settings:
            getattr(learner, setting)()

        def edges(graph: Any) -> tuple[Edges, Edges]:
            named = ([(learner.nameFromId(x), learner.nameFromId(y)) for x, y in each] for each in parts(graph))
            return tuple(named)

        def parts(graph: Any) -> tuple[Any, Any]:
            return graph.arcs(), graph.edges() if classes else ()

        return (learner.learnPDAG if classes else learner.learnDAG), edges

    return search


if __name__ == "__main__":
    main(
        {
            "miic": by("useMIIC", "useNMLCorrection", classes=True),
            "climb-bdeu": by("useGreedyHillClimbing", "useScoreBDeu"),
            "climb-bic": by("useGreedyHillClimbing", "useScoreBIC"),
            "tabu-bdeu": by("useLocalSearchWithTabuList", "useScoreBDeu"),
        }
    )
