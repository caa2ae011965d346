"""Graphs of Tetrad: text, XML and JSON as it writes them. That it reads ours is in ``python -m bench.exchange``."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.exchange.tetrad import from_tetrad_json, from_tetrad_text, from_tetrad_xml, tetrad_text
from tests.exchange.graphs import KINDS, PLAIN, random_graphs

NAMES = (*PLAIN, "Größe", "年齢", "a-->b", 'say"so"', "1")
TEXT = """Graph Nodes:
X1;X 2;Größe;(L1);e

Graph Edges:
1. X1 --> X 2 dd pl nl
2. Größe --- X1
3. X 2 --> e [X 2 --> e]:0.9;[no edge]:0.1;
4. e <-- L1

Ambiguous triples (i.e. list of triples for which there is ambiguous data about whether they are colliders or not):
<X1, X 2, e>
"""
READ = cf.Graph(("X1", "X 2", "Größe", "L1", "e"), [("X1", "X 2"), ("X 2", "e"), ("L1", "e")], [("X1", "Größe")])


def test_there_and_back():
    for graph in random_graphs(KINDS, NAMES, 15):
        assert from_tetrad_text(tetrad_text(graph)) == graph


def test_it_is_as_documented():
    graph = cf.Graph("abc", [("b", "a")], [("b", "c")])
    assert tetrad_text(graph) == "Graph Nodes:\na;b;c\n\nGraph Edges:\n1. b --> a\n2. b --- c\n"


def test_what_tetrad_writes():
    assert from_tetrad_text(TEXT) == READ
    assert from_tetrad_text("Graph Nodes:\nX1,X2\n\nGraph Edges:\n1. X1 --> X2\n").directed == (("X1", "X2"),)
    assert from_tetrad_text("\nGraph Nodes:\na\n\nGraph Edges:\n") == cf.Graph("a")


@pytest.mark.parametrize("name", ["a b", "x,y", "a;b", "(z)", "[y]", "", "a\nb", " lead"])
def test_names_that_it_cannot_read(name):
    with pytest.raises(cf.GraphError) as refused:
        tetrad_text(cf.Graph(("a", name)))
    assert f"Tetrad cannot read the name {name!r}" in str(refused.value)


@pytest.mark.parametrize(
    ("edge", "says"),
    [
        ("a o-> b", "line 5: the edge from 'a' to 'b' has the marks 'circle' and 'arrow'"),
        ("a o-o b", "line 5: the edge from 'a' to 'b' has the marks 'circle' and 'circle'"),
        ("a <-> b", "line 5: 'a' <-> 'b' has two arrowheads"),
        ("a <-o b", "line 5: the edge from 'a' to 'b' has the marks 'arrow' and 'circle'"),
        ("a --> c", "line 5: 'a --> c' is not an edge between two of the nodes"),
        ("a ~~> b", "line 5: 'a ~~> b' is not an edge between two of the nodes"),
    ],
)
def test_what_is_refused(edge, says):
    with pytest.raises(cf.GraphError) as refused:
        from_tetrad_text(f"Graph Nodes:\na;b\n\nGraph Edges:\n1. {edge}\n")
    assert str(refused.value).startswith(says)
    with pytest.raises(cf.GraphError, match="it is not a graph of Tetrad"):
        from_tetrad_text(f"{edge}\n")


def test_xml(tmp_path):
    content = """<?xml version="1.0" encoding="UTF-8"?>
<graph>
  <variables>
    <variable>X1</variable>
    <variable>X 2</variable>
    <variable>Größe</variable>
  </variables>
  <edges>
    <edge>X1 --&gt; X 2</edge>
    <edge>Größe {} X1</edge>
  </edges>
</graph>
"""
    graph = cf.Graph(("X1", "X 2", "Größe"), [("X1", "X 2")], [("X1", "Größe")])
    assert from_tetrad_xml(content.format("---").encode()) == graph
    (tmp_path / "graph.xml").write_text(content.format("---"), "utf-8")
    assert cf.read_graph(tmp_path / "graph.xml") == graph
    with pytest.raises(cf.GraphError, match="edge 2: the edge from 'Größe' to 'X1' has the marks 'circle' and 'arrow'"):
        from_tetrad_xml(content.format("o-&gt;").encode())
    with pytest.raises(cf.GraphError, match="it is not a graph of Tetrad"):
        from_tetrad_xml(b"<graphml/>")


def edge(marks: tuple[str, str] = ("TAIL", "ARROW")) -> dict:
    return {"node1": {"name": "a"}, "node2": {"name": "b"}, "endpoint1": marks[0], "endpoint2": marks[1]}


def test_json(tmp_path):
    nodes = [{"name": name, "nodeType": {"ordinal": 0}} for name in "abc"]
    assert from_tetrad_json({"nodes": nodes, "edgesSet": [edge()]}) == cf.Graph("abc", [("a", "b")])
    (tmp_path / "graph.json").write_text(json.dumps({"nodes": nodes, "edgesSet": [edge(("TAIL", "TAIL"))]}))
    assert cf.read_graph(tmp_path / "graph.json") == cf.Graph("abc", (), [("a", "b")])
    with pytest.raises(cf.GraphError, match="edge 1: the edge from 'a' to 'b' has the marks 'circle' and 'arrow'"):
        from_tetrad_json({"nodes": nodes, "edgesSet": [edge(("CIRCLE", "ARROW"))]})
    for broken in ({"edgesSet": []}, {"nodes": nodes, "edgesSet": [{}]}, {"nodes": 1, "edgesSet": []}):
        with pytest.raises(cf.GraphError, match="it has edgesSet, but not all that a graph of Tetrad has"):
            from_tetrad_json(broken)
