"""pyAgrum: PC with G², greedy hill climbing with BDeu."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyagrum
from measurement import ALPHA, MAX_GIVEN, Edges, main


def learner(names: list[str], codes: np.ndarray) -> Any:
    learner = pyagrum.BNLearner(pd.DataFrame(codes, columns=names).astype(str))
    learner.setNumberOfThreads(1)
    return learner


def pc(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """stable, G², sets found."""
    pc = learner(names, codes)
    pc.usePC()
    pc.useG2Test()
    pc.setPCAlpha(ALPHA)
    pc.setPCStable(True)
    pc.setPCMaxCondSetSize(MAX_GIVEN)

    def edges(graph: Any) -> Edges:
        return [(pc.nameFromId(x), pc.nameFromId(y)) for x, y in [*graph.arcs(), *graph.edges()]]

    return pc.learnPDAG, edges


def hill_climbing(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """hill climbing, its BDeu."""
    climber = learner(names, codes)
    climber.useGreedyHillClimbing()
    climber.useScoreBDeu()
    return climber.learnDAG, lambda dag: [(climber.nameFromId(x), climber.nameFromId(y)) for x, y in dag.arcs()]


if __name__ == "__main__":
    main("pyagrum", {"pc": pc, "bdeu": hill_climbing})
