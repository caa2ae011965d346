"""Graphs of causal-learn: there and back, its results, and its files."""

from __future__ import annotations

import numpy as np
import pytest
from causallearn.graph.Edge import Edge
from causallearn.graph.Endpoint import Endpoint
from causallearn.graph.GeneralGraph import GeneralGraph
from causallearn.graph.GraphNode import GraphNode
from causallearn.search.ConstraintBased.PC import pc
from causallearn.utils.DAG2CPDAG import dag2cpdag
from causallearn.utils.GraphUtils import GraphUtils
from causallearn.utils.TXT2GeneralGraph import txt2generalgraph

import climbfast as cf
from tests.exchange.graphs import KINDS, ODD, PLAIN, edges_of, random_graphs


@pytest.mark.parametrize("names", [PLAIN, ODD], ids=["plain", "odd"])
def test_there_and_back(names):
    for graph in random_graphs(KINDS, names, 15):
        found = graph.to_causal_learn()
        assert found.get_node_names() == list(graph.names)
        assert cf.Graph.from_causal_learn(found) == graph


def test_a_class_of_causal_learn_is_the_same_class():
    for graph in random_graphs(["dag"], PLAIN, 20):
        assert edges_of(cf.Graph.from_causal_learn(dag2cpdag(graph.to_causal_learn()))) == edges_of(graph.to_cpdag())


def test_the_result_of_a_search_and_of_ges():
    draw = np.random.default_rng(0)
    a, b = draw.integers(0, 2, (2, 2000))
    data = np.column_stack([a, b, (a + b + (draw.random(2000) < 0.1)) % 3])
    result = pc(data, 0.01, "gsq", show_progress=False)
    assert cf.Graph.from_causal_learn(result, "abc").directed == (("a", "c"), ("b", "c"))
    assert cf.Graph.from_causal_learn(result).names == ("X1", "X2", "X3")
    assert cf.Graph.from_causal_learn({"G": result.G, "score": 1}).directed == (("X1", "X3"), ("X2", "X3"))
    assert cf.Graph.from_causal_learn((result.G, [])).directed == (("X1", "X3"), ("X2", "X3"))  # as fci returns it
    with pytest.raises(cf.GraphError, match="there are 2 names for 3 nodes"):
        cf.Graph.from_causal_learn(result, "ab")


@pytest.mark.parametrize("ends", [("CIRCLE", "ARROW"), ("CIRCLE", "CIRCLE"), ("ARROW", "ARROW"), ("TAIL", "CIRCLE")])
def test_other_marks_are_refused(ends):
    nodes = [GraphNode("a"), GraphNode("b")]
    graph = GeneralGraph(nodes)
    graph.add_edge(Edge(*nodes, *(Endpoint[end] for end in ends)))
    with pytest.raises(cf.GraphError, match=r"the edge of '[ab]' and '[ab]': .*('circle'|two arrowheads)"):
        cf.Graph.from_causal_learn(graph)


def test_its_drawings_are_read(tmp_path):
    """``to_pydot`` names the nodes by number, with labels."""
    for graph in random_graphs(KINDS, PLAIN, 5):
        (tmp_path / "graph.dot").write_text(GraphUtils.to_pydot(graph.to_causal_learn()).to_string(), "utf-8")
        assert cf.read_graph(tmp_path / "graph.dot") == graph


def test_its_text_is_read_and_it_reads_ours(tmp_path):
    for graph in random_graphs(KINDS, PLAIN, 5):
        (tmp_path / "theirs.txt").write_text(str(graph.to_causal_learn()), "utf-8")
        assert cf.read_graph(tmp_path / "theirs.txt") == graph
        graph.save(tmp_path / "ours.txt")
        assert cf.Graph.from_causal_learn(txt2generalgraph(str(tmp_path / "ours.txt"))) == graph


def test_what_is_no_graph():
    for other in ([], (), {"score": 1}):
        with pytest.raises(cf.GraphError, match=f"{type(other).__name__} is not a graph of causal-learn"):
            cf.Graph.from_causal_learn(other)
    with pytest.raises(cf.GraphError, match="names 1 and '1' are the same text"):
        cf.Graph((1, "1")).to_causal_learn()
