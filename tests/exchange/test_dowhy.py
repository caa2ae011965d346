"""The graph for DoWhy; what DoWhy does with it is in ``python -m bench.exchange``."""

from __future__ import annotations

import networkx as nx
import pytest

import climbfast as cf
from tests.exchange.graphs import ODD, random_graphs


def test_nodes_and_edges_and_nothing_else():
    for graph in random_graphs(["dag", "empty"], ODD, 15):
        found = graph.to_dowhy()
        assert type(found) is nx.DiGraph
        assert list(found.nodes(data=True)) == [(name, {}) for name in graph.names]
        assert list(found.edges(data=True)) == [(x, y, {}) for x, y in graph.directed]
        assert cf.Graph.from_networkx(found) == graph


def test_figures_stay_here():
    graph = cf.Graph("ab", [("a", "b")], strengths={("a", "b"): 1.5})
    assert graph.to_dowhy().edges["a", "b"] == {}


def test_only_dags():
    with pytest.raises(cf.GraphError, match=r"DoWhy takes a DAG, and \('a', 'b'\) are undirected; direct them"):
        cf.Graph("ab", (), [("a", "b")]).to_dowhy()
    with pytest.raises(cf.GraphError, match="DoWhy takes a DAG; the directed edges of this graph form a cycle"):
        cf.Graph("abc", [("a", "b"), ("b", "c"), ("c", "a")]).to_dowhy()
