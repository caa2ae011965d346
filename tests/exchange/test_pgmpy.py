"""Graphs of pgmpy: there and back, and its models of other kinds."""

from __future__ import annotations

import pgmpy.base
import pytest
from pgmpy.models import DiscreteBayesianNetwork

import climbfast as cf
from tests.exchange.graphs import KINDS, ODD, PLAIN, random_graphs

TYPED = (1, "1", ("x", 1), 2.5, "é", -3, "a b")


@pytest.mark.parametrize("names", [PLAIN, ODD, TYPED], ids=["plain", "odd", "typed"])
def test_there_and_back(names):
    for graph in random_graphs(KINDS, names, 15):
        model = graph.to_pgmpy()
        assert isinstance(model, pgmpy.base.DAG if graph.is_dag else pgmpy.base.PDAG)
        assert cf.Graph.from_pgmpy(model) == graph


def test_pgmpy_has_the_same_edges():
    graph = cf.Graph("abcd", [("a", "b")], [("b", "c")])
    model = graph.to_pgmpy()
    assert (model.directed_edges, model.undirected_edges) == ({("a", "b")}, {("b", "c")})
    assert model == pgmpy.base.PDAG([("a", "b")], [("b", "c")]) or set(model.nodes) == set("abcd")
    assert (model.directed_parents("b"), model.undirected_neighbors("c")) == ({"a"}, {"b"})
    assert set(cf.Graph("abcd", [("a", "b")]).to_pgmpy().nodes) == set("abcd")


def test_a_class_of_pgmpy_is_the_same_class():
    """pgmpy's own CPDAG of a DAG is ours."""
    for graph in random_graphs(["dag"], PLAIN, 20):
        found = cf.Graph.from_pgmpy(graph.to_pgmpy().to_pdag())
        assert set(found.directed) == set(graph.to_cpdag().directed)
        assert set(map(frozenset, found.undirected)) == set(map(frozenset, graph.to_cpdag().undirected))


def test_bayesian_networks_and_undirected_graphs():
    assert cf.Graph.from_pgmpy(DiscreteBayesianNetwork([("a", "b")])) == cf.Graph("ab", [("a", "b")])
    assert cf.Graph.from_pgmpy(pgmpy.base.UndirectedGraph([("a", "b")])) == cf.Graph("ab", (), [("a", "b")])


def test_ancestral_graphs_by_their_marks():
    def read(*edges: tuple[str, ...]) -> cf.Graph:
        return cf.Graph.from_pgmpy(pgmpy.base.AncestralBase(ebunch=edges))

    assert read(("a", "b", "-", ">"), ("b", "c", ">", "-")) == cf.Graph("abc", [("a", "b"), ("c", "b")])
    assert read(("a", "b", "-", "-")) == cf.Graph("ab", (), [("a", "b")])
    with pytest.raises(cf.GraphError, match=r"the edge of 'a' and 'b': the edge from .* 'circle' and 'arrow'"):
        read(("a", "b", "o", ">"))
    with pytest.raises(cf.GraphError, match="'a' <-> 'b' has two arrowheads"):
        read(("a", "b", ">", ">"))
    with pytest.raises(cf.GraphError, match="'a' <-> 'b' has two arrowheads"):
        cf.Graph.from_pgmpy(pgmpy.base.ADMG([("c", "a")], [("a", "b")]))


def test_what_is_no_graph():
    with pytest.raises(cf.GraphError, match="list is not a graph of pgmpy"):
        cf.Graph.from_pgmpy([("a", "b")])
