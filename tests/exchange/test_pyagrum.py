"""Graphs of pyAgrum: there and back, and what it learns."""

from __future__ import annotations

import networkx as nx
import pyagrum
import pytest

import climbfast as cf
from tests.exchange.graphs import KINDS, ODD, PLAIN, random_graphs


@pytest.mark.parametrize("names", [PLAIN, ODD], ids=["plain", "odd"])
def test_there_and_back(names):
    for graph in random_graphs(KINDS, names, 15):
        found = graph.to_pyagrum()
        assert [found.nameFromId(i) for i in range(len(graph.names))] == list(graph.names)
        assert cf.Graph.from_pyagrum(found) == graph


def test_the_kind_that_fits():
    assert isinstance(cf.Graph("ab", [("a", "b")]).to_pyagrum(), pyagrum.DAG)
    assert isinstance(cf.Graph("abc", [("a", "b")], [("b", "c")]).to_pyagrum(), pyagrum.PDAG)
    cycle = cf.Graph("abc", [("a", "b"), ("b", "c")], [("c", "a")]).to_pyagrum()
    assert isinstance(cycle, pyagrum.MixedGraph) and not isinstance(cycle, pyagrum.PDAG)


def test_a_class_of_pyagrum_is_the_same_class():
    for graph in random_graphs(["dag"], PLAIN, 20):
        network = pyagrum.BayesNet()
        for name in graph.names:
            network.add(pyagrum.LabelizedVariable(name, "", 2))
        for x, y in graph.directed:
            network.addArc(x, y)
        assert cf.Graph.from_pyagrum(network) == graph
        assert cf.Graph.from_pyagrum(pyagrum.EssentialGraph(network)) == cf.Graph(
            graph.names, graph.to_cpdag().directed, graph.to_cpdag().undirected
        )


def test_names_by_text_by_number_and_given():
    assert cf.Graph.from_pyagrum(cf.Graph((1, "b"), [(1, "b")]).to_pyagrum()).names == ("1", "b")
    with pytest.raises(cf.GraphError, match="names 1 and '1' are the same text"):
        cf.Graph((1, "1")).to_pyagrum()
    graph = pyagrum.DAG()
    for number in (3, 1, 7):
        graph.addNodeWithId(number)
    graph.addArc(3, 1)
    assert cf.Graph.from_pyagrum(graph) == cf.Graph((1, 3, 7), [(3, 1)])
    assert cf.Graph.from_pyagrum(graph, ["x", "y", "z"]) == cf.Graph("xyz", [("y", "x")])
    with pytest.raises(cf.GraphError, match="there are 2 names for 3 nodes"):
        cf.Graph.from_pyagrum(graph, ["x", "y"])


def test_a_pag_by_its_marks():
    graph = pyagrum.PAG()
    for number, name in enumerate("abc"):
        graph.addNodeWithId(number)
        graph.setName(number, name)
    graph.addEdge(0, 1)
    graph.addEdge(1, 2)
    tail, arrow = pyagrum.EdgeMark_Tail, pyagrum.EdgeMark_Arrowhead
    for x, y, mark in ((0, 1, arrow), (1, 0, tail), (1, 2, tail), (2, 1, tail)):
        graph.setMarkAt(x, y, mark)  # at y
    assert cf.Graph.from_pyagrum(graph) == cf.Graph("abc", [("a", "b")], [("b", "c")])
    graph.setMarkAt(1, 2, pyagrum.EdgeMark_Circle)
    with pytest.raises(cf.GraphError, match=r"the edge of 'b' and 'c': .* the marks 'tail' and 'circle'"):
        cf.Graph.from_pyagrum(graph)


def test_what_is_no_graph():
    with pytest.raises(cf.GraphError, match="list is not a graph of pyAgrum"):
        cf.Graph.from_pyagrum([(0, 1)])
    with pytest.raises(cf.GraphError, match="DiGraph is not a graph of pyAgrum"):
        cf.Graph.from_pyagrum(nx.DiGraph([(0, 1)]))
