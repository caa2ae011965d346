"""Model strings of bnlearn."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.exchange.bnlearn import bnlearn_text, from_bnlearn
from tests.exchange.graphs import ODD, edges_of, random_graphs


def test_there_and_back():
    names = [name for name in ODD if not set(name) & set("[]|:")]
    for graph in random_graphs(["dag", "empty"], names, 20):
        back = from_bnlearn(bnlearn_text(graph))
        assert edges_of(back) == edges_of(graph)
        order = {name: number for number, name in enumerate(back.names)}
        assert all(order[x] < order[y] for x, y in graph.directed)


def test_it_is_as_documented():
    assert bnlearn_text(cf.Graph("yxz", [("x", "y"), ("z", "y")])) == "[x][z][y|x:z]"
    assert from_bnlearn("[A b][C][B|A b:C]\n") == cf.Graph(("A b", "C", "B"), [("A b", "B"), ("C", "B")])
    assert from_bnlearn("[B|A][A]").directed == (("A", "B"),)


@pytest.mark.parametrize(
    ("graph", "says"),
    [
        (cf.Graph("ab", (), [("a", "b")]), r"no undirected edges, and the graph has \('a', 'b'\)"),
        (cf.Graph("abc", [("a", "b"), ("b", "c"), ("c", "a")]), "a model string is of a DAG"),
        (cf.Graph(("a:b",)), "cannot have the name 'a:b'"),
        (cf.Graph(("",)), "cannot have the name ''"),
    ],
)
def test_what_it_cannot_have(graph, says):
    with pytest.raises(cf.GraphError, match=says):
        bnlearn_text(graph)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[A][B|D]", "'D' is a parent of 'B', and not among the nodes"),
        ("[A][A]", "the node 'A' occurs twice"),
        ("[A][B|A:A]", "have an edge already"),
        ("[A|A]", "'A' has an edge to itself"),
        ("[A][B|]", "it is not a model string of bnlearn"),
        ("[A] -> B", "it is not a model string of bnlearn"),
        ("", "it is not a model string of bnlearn"),
    ],
)
def test_what_is_refused(text, says):
    with pytest.raises(cf.GraphError, match=says):
        from_bnlearn(text)
