"""pyAgrum: PC with G², greedy hill climbing with BDeu."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd
import pyagrum
from measurement import ALPHA, MAX_GIVEN, REPLICATES, Edges, Task, by_a_loop, in_most_replicates, main, settings
from pyagrum.bnmixture import BNMBootstrapLearner


def frame(names: list[str], codes: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(codes, columns=names).astype(str)


def learner(data: pd.DataFrame) -> Any:
    learner = pyagrum.BNLearner(data)
    learner.setNumberOfThreads(1)
    return learner


def learner_by_pc(data: pd.DataFrame) -> Any:
    pc = learner(data)
    pc.usePC()
    pc.useG2Test()
    pc.setPCAlpha(ALPHA)
    pc.setPCStable(True)
    pc.setPCMaxCondSetSize(MAX_GIVEN)
    return pc


def learner_by_climbing(data: pd.DataFrame) -> Any:
    climber = learner(data)
    climber.useGreedyHillClimbing()
    climber.useScoreBDeu()
    return climber


def pc(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """stable, G², sets found."""
    pc = learner_by_pc(frame(names, codes))
    return pc.learnPDAG, lambda graph: named(pc, [*graph.arcs(), *graph.edges()])


def hill_climbing(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """hill climbing, its BDeu."""
    climber = learner_by_climbing(frame(names, codes))
    return climber.learnDAG, lambda dag: named(climber, dag.arcs())


def named(learner: Any, edges: Iterable[tuple[int, int]]) -> Edges:
    return [(learner.nameFromId(x), learner.nameFromId(y)) for x, y in edges]


def loop(task: Task, found_in: Callable[[pd.DataFrame], Edges]) -> Task:
    return by_a_loop(settings(task), frame, lambda data, rows: data.iloc[rows], found_in)


def found_by_pc(data: pd.DataFrame) -> Edges:
    pc = learner_by_pc(data)
    graph = pc.learnPDAG()
    return named(pc, [*graph.arcs(), *graph.edges()])


def found_by_climbing(data: pd.DataFrame) -> Edges:
    climber = learner_by_climbing(data)
    return named(climber, climber.learnDAG().arcs())


def weighted(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
    """hill climbing, its BDeu, its weights of rows, parameters too."""
    replicates = BNMBootstrapLearner(frame(names, codes), N=REPLICATES)
    replicates._ref_learner.setNumberOfThreads(1)
    replicates.useGreedyHillClimbing()
    replicates.useScoreBDeu()

    def edges(found: Any) -> Edges:
        return in_most_replicates([(net.variable(x).name(), net.variable(y).name()) for x, y in net.arcs()]
                                  for net in found.BNs())  # fmt: skip

    return replicates.learnBNM, edges


if __name__ == "__main__":
    loops = {
        "bootstrap_pc-loop": loop(pc, found_by_pc),
        "bootstrap_bdeu-loop": loop(hill_climbing, found_by_climbing),
    }
    main("pyagrum", {"pc": pc, "bdeu": hill_climbing, "bootstrap_bdeu": weighted, **loops})
