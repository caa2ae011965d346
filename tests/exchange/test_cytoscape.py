"""JSON of Cytoscape. That cytoscape.js reads ours the same is in ``python -m bench.exchange``."""

from __future__ import annotations

import json
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import climbfast as cf
from climbfast.exchange.cytoscape import cytoscape_text, from_cytoscape, to_cytoscape
from tests.exchange.graphs import KINDS, ODD, random_graphs

FULL = cf.Graph(
    (1, "b", ("x", 2), "edge 1"),
    [(1, "b"), ("b", ("x", 2))],
    [("b", "edge 1")],
    strengths={(1, "b"): 12.5},
    margins={(1, "b"): 0.25},
    reasons={(1, "b"): "chosen"},
    votes={(1, "b"): (6, 4)},
    frequencies={("edge 1", "b"): (0.75, 0.5)},
)


def test_there_and_back(tmp_path):
    for graph in random_graphs(KINDS, ODD, 15):
        assert from_cytoscape(to_cytoscape(graph)) == graph
        assert from_cytoscape(cytoscape_text(graph)) == graph
        graph.save(tmp_path / "graph.cyjs")
        assert cf.read_graph(tmp_path / "graph.cyjs") == graph
        assert cf.read_graph(tmp_path / "graph.cyjs", format="json") == graph


@given(st.lists(st.text(min_size=1, max_size=5), unique=True, max_size=4))
def test_any_names(names):
    graph = cf.Graph(tuple(names), list(pairwise(names)))
    assert from_cytoscape(json.loads(json.dumps(to_cytoscape(graph)))) == graph


def test_figures_are_data():
    written = to_cytoscape(FULL)
    assert written["elements"]["nodes"][0] == {"data": {"id": "1", "name": "1", "json_name": "1"}}
    assert written["elements"]["edges"][0]["data"] == {
        "id": "edge 0", "source": "1", "target": "b", "type": "directed", "interaction": "directed",
        "strength": 12.5, "margin": 0.25, "reason": "chosen", "votes_edge": 6, "votes_direction": 4,
    }  # fmt: skip
    assert written["elements"]["edges"][1]["data"]["id"] == "edge 1'"  # a node has the other
    assert from_cytoscape(written) == FULL


def test_of_networkx():
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "b")])
    assert from_cytoscape(nx.cytoscape_data(graph)) == cf.Graph("abc", [("a", "b")], [("b", "c")])
    assert from_cytoscape(nx.cytoscape_data(nx.Graph(graph))) == cf.Graph("abc", (), [("a", "b"), ("b", "c")])


def elements(*edges: dict) -> dict:
    data = [{"data": {"id": name}} for name in "abc"] + [
        {"data": {"source": "a", "target": "b", **edge}} for edge in edges
    ]
    return {"elements": data}


@pytest.mark.parametrize("key", ["interaction", "type", "endpoints"])
def test_marks(key):
    assert from_cytoscape(elements({key: "-->"})) == cf.Graph("abc", [("a", "b")])
    assert from_cytoscape(elements({key: "undirected"})["elements"]) == cf.Graph("abc", (), [("a", "b")])
    with pytest.raises(cf.GraphError, match=r"edge 1, from 'a' to 'b': .* the marks 'circle' and 'arrow'"):
        from_cytoscape(elements({key: "o->"}))
    with pytest.raises(cf.GraphError, match="'a' <-> 'b' has two arrowheads"):
        from_cytoscape(elements({key: "bidirected"}))


@pytest.mark.parametrize(
    ("graph", "says"),
    [
        (elements({}), "edge 1, from 'a' to 'b': nothing says whether it is directed"),
        (elements({"interaction": "pp"}), "edge 1, from 'a' to 'b': nothing says whether it is directed"),
        ({"directed": True, **elements({}, {})}, "edge 2, from 'a' to 'b': it occurs twice"),
        ({"directed": False, **elements({}, {"source": "b", "target": "a"})}, "edge 2, .* have an edge already"),
        (elements({"type": "directed", "target": "d"}), "edge 1, from 'a' to 'd': an end is not among the nodes"),
        (elements({"type": "directed", "target": "a"}), "edge 1, from 'a' to 'a': 'a' has an edge to itself"),
        ({"elements": [{"data": {"id": "a"}}, {"data": {"id": "a"}}]}, "the node 'a' occurs twice"),
        ({"elements": [{"data": {"id": "a", "parent": "g"}}]}, "the node 'a' is in the group 'g'"),
        ({"elements": [{"data": {}}]}, "a node has no id"),
        ({"elements": [{}]}, '"elements" are nodes and edges'),
        ({"elements": 5}, '"elements" are nodes and edges'),
        ({"elements": {"nodes": 5}}, '"elements" are nodes and edges'),
        ({"nodes": []}, 'a graph of Cytoscape is JSON with "elements"'),
        ("{", "line 1: "),
    ],
)
def test_what_is_refused(graph, says):
    with pytest.raises(cf.GraphError, match=says):
        from_cytoscape(graph)


def test_the_empty_name():
    with pytest.raises(cf.GraphError, match="Cytoscape cannot have the empty name"):
        to_cytoscape(cf.Graph(("", "a")))
