"""andrey: what it writes is read as it is meant; it codes matrices as pcalg does, without R."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from andrey.core import StructureOutput
from andrey.core.structure import ARROW, CIRCLE, TAIL, GraphStructure

import climbfast as cf
from bench.exchange.round_trips import ODD, graphs, print_line, write_line


def structure_of(graph: cf.Graph, kind: str) -> GraphStructure:
    marks = np.zeros((len(graph.names),) * 2, dtype=np.int8)  # [x, y] is the mark at x
    for x, y in graph.directed:
        marks[graph.index(x), graph.index(y)], marks[graph.index(y), graph.index(x)] = TAIL, ARROW
    for x, y in graph.undirected:
        marks[graph.index(x), graph.index(y)] = marks[graph.index(y), graph.index(x)] = TAIL
    return GraphStructure.from_numpy(marks, kind=kind, labels=tuple(graph.names))


def read_json(structure: GraphStructure) -> cf.Graph:
    with tempfile.TemporaryDirectory() as folder:
        StructureOutput.new(structure).save(Path(folder) / "result.json")
        return cf.read_graph(Path(folder) / "result.json")


def main() -> None:
    theirs = []
    for kind in ("dag", "cpdag"):
        theirs += [(graph, structure_of(graph, kind)) for graph in graphs([kind], ODD)]
    name = "andrey"
    print_line(name, "andrey-core", "its JSON is read", ((graph, read_json(found)) for graph, found in theirs), ODD)
    networkx = ((graph, cf.Graph.from_networkx(found.to_networkx())) for graph, found in theirs)
    print_line(name, "andrey-core", "its graphs of NetworkX are read", networkx, ODD)
    matrices = ((graph, cf.Graph.from_pcalg(found.to_pcalg(), graph.names)) for graph, found in theirs)
    print_line(name, "andrey-core", "its matrices of pcalg are read", matrices, ODD)
    reread = (
        (
            graph,
            cf.Graph.from_networkx(
                GraphStructure.from_pcalg(graph.to_pcalg(), found.kind, labels=graph.names).to_networkx()
            ),
        )
        for graph, found in theirs
    )
    print_line(name, "andrey-core", "reads our matrices of pcalg", reread, ODD)
    refused = 0
    for first, second in ((CIRCLE, ARROW), (CIRCLE, CIRCLE), (ARROW, ARROW), (CIRCLE, TAIL)):
        marks = np.array([[0, first], [second, 0]], dtype=np.int8)
        pag = GraphStructure.from_numpy(marks, kind="pag", labels=("a", "b"))
        for read in (read_json, lambda found: cf.Graph.from_networkx(found.to_networkx())):
            try:
                read(pag)
            except cf.GraphError:
                refused += 1
    write_line(name, "andrey-core", "its PAGs are refused", graphs=8, same=refused, names=0, odd=0, first="")


if __name__ == "__main__":
    main()
