"""Graphs of NetworkX: an edge is what its attributes say, else what its order says."""

from __future__ import annotations

import networkx as nx
import pytest

import climbfast as cf


def read(*edges: tuple, kind: type = nx.DiGraph) -> cf.Graph:
    graph = kind()
    graph.add_nodes_from("abc")
    for x, y, attributes in edges:
        graph.add_edge(x, y, **attributes)
    return cf.Graph.from_networkx(graph)


def test_andrey_writes_one_arc_for_every_edge():
    """Whatever the direction: the marks are in ``endpoints``, 1 a tail, 2 an arrow, 3 a circle."""
    graph = read(("a", "b", {"endpoints": (2, 1)}), ("b", "c", {"endpoints": (1, 1)}))
    assert graph == cf.Graph("abc", [("b", "a")], [("b", "c")])
    assert read(("a", "b", {"endpoints": (1, 2)})).directed == (("a", "b"),)
    for marks, says in (((3, 2), "'circle' and 'arrow'"), ((3, 3), "'circle' and 'circle'")):
        with pytest.raises(cf.GraphError, match=rf"the edge of 'a' and 'b': .* the marks {says}"):
            read(("a", "b", {"endpoints": marks}))
    with pytest.raises(cf.GraphError, match="'a' <-> 'b' has two arrowheads"):
        read(("a", "b", {"endpoints": (2, 2)}))
    with pytest.raises(cf.GraphError, match=r"'endpoints' is '\(0, 2\)', which is not understood"):
        read(("a", "b", {"endpoints": (0, 2)}))


@pytest.mark.parametrize("key", ["type", "endpoints", "edge_type"])
def test_marks_in_words_and_signs(key):
    assert read(("a", "b", {key: "undirected"})) == cf.Graph("abc", (), [("a", "b")])
    assert read(("a", "b", {key: "<--"})) == cf.Graph("abc", [("b", "a")])
    assert read(("a", "b", {key: "---"}), ("b", "a", {key: "---"})) == cf.Graph("abc", (), [("a", "b")])
    with pytest.raises(cf.GraphError, match=r"the edge of 'a' and 'b'"):
        read(("a", "b", {key: "o->"}))


def test_marks_of_drawings():
    assert read(("a", "b", {"dir": "none"}), ("b", "c", {"arrowhead": "normal"})) == cf.Graph(
        "abc", [("b", "c")], [("a", "b")]
    )
    with pytest.raises(cf.GraphError, match="'odot'"):
        read(("a", "b", {"arrowhead": "odot"}))


def test_marks_by_node():
    """As pgmpy has them, whose graph is undirected: it says itself which mark is at which node."""
    assert read(("a", "b", {"marks": {"b": "-", "a": ">"}}), kind=nx.Graph) == cf.Graph("abc", [("b", "a")])
    with pytest.raises(cf.GraphError, match="'marks' has no mark at one of the nodes"):
        read(("a", "b", {"marks": {"b": "-"}}), kind=nx.Graph)


def test_an_undirected_graph_has_no_order():
    assert read(("a", "b", {"type": "undirected"}), kind=nx.Graph) == cf.Graph("abc", (), [("a", "b")])
    with pytest.raises(cf.GraphError, match="'a' and 'b' is directed, but an undirected graph of NetworkX"):
        read(("a", "b", {"type": "directed"}), kind=nx.Graph)


def test_two_edges_of_two_nodes():
    with pytest.raises(cf.GraphError, match="'a' and 'b' have edges that differ; write one of them"):
        read(("a", "b", {"type": "directed"}), ("b", "a", {"type": "directed"}))
    with pytest.raises(cf.GraphError, match="'a' and 'b' have edges that differ"):
        read(("a", "b", {"type": "directed"}), ("b", "a", {}))
    assert read(("a", "b", {"type": "undirected"}), ("b", "a", {})) == cf.Graph("abc", (), [("a", "b")])
    twice = read(("a", "b", {"type": "directed"}), ("a", "b", {"type": "directed"}), kind=nx.MultiDiGraph)
    assert twice == cf.Graph("abc", [("a", "b")])
    with pytest.raises(cf.GraphError, match="'a' and 'b' have edges that differ"):
        read(("a", "b", {"type": "directed"}), ("a", "b", {"type": "undirected"}), kind=nx.MultiDiGraph)


def test_words_that_mean_something_else():
    assert read(("a", "b", {"type": "causes", "weight": 2, "label": "o->"})) == cf.Graph("abc", [("a", "b")])


def test_figures_of_a_turned_edge():
    graph = read(("a", "b", {"endpoints": (2, 1), "strength": 1.5, "reason": "chosen"}))
    assert (graph.strengths, graph.reasons) == ({("b", "a"): 1.5}, {("b", "a"): "chosen"})
