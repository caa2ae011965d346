"""Files as other programs write them, read by ``read_graph`` as they are meant."""

from __future__ import annotations

import json
from pathlib import Path

import igraph
import networkx as nx
import pyagrum
import pytest

import climbfast as cf
from tests.exchange.graphs import KINDS, ODD, PLAIN, edges_of, random_graphs

MIXED = cf.Graph("abcd", [("a", "b")], [("b", "c")])


def read(tmp_path: Path, name: str, content: str) -> cf.Graph:
    (tmp_path / name).write_text(content, encoding="utf-8")
    return cf.read_graph(tmp_path / name)


class TestPyagrum:
    @pytest.mark.parametrize("names", [PLAIN, ODD], ids=["plain", "odd"])
    def test_drawings_of_graphs(self, tmp_path, names):
        """Nodes are numbers; their labels are numbers and names: (0) a."""
        for graph in random_graphs(("dag", "cpdag"), names, 10):
            assert edges_of(read(tmp_path, "graph.dot", graph.to_pyagrum().toDot())) == edges_of(graph)

    def test_drawings_of_networks(self, tmp_path):
        network = pyagrum.fastBN("a->b<-c;d")
        assert edges_of(read(tmp_path, "graph.dot", network.toDot())) == edges_of(cf.Graph.from_pyagrum(network))
        essential = pyagrum.EssentialGraph(network)
        assert edges_of(read(tmp_path, "graph.dot", essential.toDot())) == edges_of(cf.Graph.from_pyagrum(essential))

    def test_drawings_of_pags_are_refused(self, tmp_path):
        graph = pyagrum.PAG()
        for number in range(2):
            graph.addNodeWithId(number)
        graph.addEdge(0, 1)
        with pytest.raises(cf.GraphError, match="has the marks"):
            read(tmp_path, "graph.dot", graph.toDot())


def test_xml_of_tetrad_and_of_a_network(tmp_path):
    """Both have the suffix .xml; the content says which it is."""
    tetrad = "<graph><variables><variable>BIF</variable><variable>b</variable></variables><edges>{}</edges></graph>"
    edge = "<edge>BIF --- b</edge>"
    assert read(tmp_path, "graph.xml", tetrad.format(edge)) == cf.Graph(("BIF", "b"), (), [("BIF", "b")])
    network = pyagrum.fastBN("a->b<-c")
    network.saveBIFXML(str(tmp_path / "network.xml"))
    content = (tmp_path / "network.xml").read_text(encoding="utf-8")
    begin = content.index("<BIF")
    commented = f"{content[:begin]}<!-- {'of many lines ' * 1000} -->{content[begin:]}"
    assert edges_of(read(tmp_path, "network.xml", commented)) == edges_of(cf.Graph.from_pyagrum(network))
    with pytest.raises(cf.GraphError, match=r"other\.xml: it is not a graph of Tetrad"):
        read(tmp_path, "other.xml", "<model/>")


class TestNetworkx:
    def test_gml(self, tmp_path):
        for graph in random_graphs(KINDS, [*PLAIN, "a b", "Größe", "x,y", "a&b"], 10):
            nx.write_gml(graph.to_networkx(), tmp_path / "graph.gml")
            assert edges_of(cf.read_graph(tmp_path / "graph.gml")) == edges_of(graph)
        with pytest.raises(cf.GraphError, match=r"graph\.gml: it is not GML that NetworkX reads"):
            read(tmp_path, "graph.gml", "digraph { a -> b }")

    @pytest.mark.parametrize("edges", ["links", "edges"])
    def test_node_link(self, tmp_path, edges):
        for graph in random_graphs(KINDS, ODD, 5):
            plain = nx.node_link_data(graph.to_networkx(), edges=edges)
            assert read(tmp_path, "graph.json", json.dumps(plain)) == graph
        plain = nx.node_link_data(nx.Graph([("a", "b")]), edges=edges)
        assert read(tmp_path, "graph.json", json.dumps(plain)) == cf.Graph("ab", (), [("a", "b")])
        plain["nodes"] = 5
        with pytest.raises(cf.GraphError, match="it is not a graph of NetworkX"):
            read(tmp_path, "graph.json", json.dumps(plain))

    def test_node_link_of_andrey(self, tmp_path):
        graph = nx.DiGraph()
        graph.add_nodes_from("abcd")
        graph.add_edge("a", "b", endpoints=(1, 2))
        graph.add_edge("b", "c", endpoints=(1, 1))
        plain = nx.node_link_data(graph, edges="edges")
        assert read(tmp_path, "graph.json", json.dumps(plain)) == MIXED
        plain["edges"][1]["endpoints"] = (3, 2)
        with pytest.raises(cf.GraphError, match=r"the edge of 'b' and 'c': .* 'circle' and 'arrow'"):
            read(tmp_path, "graph.json", json.dumps(plain))


class TestIgraph:
    @pytest.mark.parametrize("suffix", ["graphml", "gml"])
    def test_names_are_those_of_the_nodes(self, tmp_path, suffix):
        for graph in random_graphs(("dag", "undirected"), PLAIN, 10):
            edges = graph.directed or graph.undirected
            theirs = igraph.Graph(directed=not graph.undirected)
            theirs.add_vertices(list(graph.names))
            theirs.vs["label"] = list(graph.names)
            theirs.add_edges(edges)
            theirs.write(str(tmp_path / f"graph.{suffix}"), format=suffix)
            assert edges_of(cf.read_graph(tmp_path / f"graph.{suffix}")) == edges_of(graph)


class TestYed:
    def test_labels_are_the_names(self, tmp_path):
        nodes = "".join(
            f'<node id="n{i}"><data key="d"><y:ShapeNode><y:NodeLabel>{name}</y:NodeLabel></y:ShapeNode></data></node>'
            for i, name in enumerate(("a b", "c"))
        )
        text = (
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">'
            f'<key id="d" for="node" yfiles.type="nodegraphics"/><graph edgedefault="directed">{nodes}'
            '<edge source="n0" target="n1"/></graph></graphml>'
        )
        assert read(tmp_path, "graph.graphml", text) == cf.Graph(("a b", "c"), [("a b", "c")])
        alike = text.replace("a b", "c")
        assert read(tmp_path, "graph.graphml", alike) == cf.Graph(("n0", "n1"), [("n0", "n1")])


class TestTetrad:
    def test_drawings(self, tmp_path):
        edges = ('"b" -> "c" [arrowtail=none, arrowhead=none]', '"a" -> "b" [arrowtail=none, arrowhead=normal]')
        text = f"digraph g {{\n {edges[0]}; \n {edges[1]}; \n}}"
        assert edges_of(read(tmp_path, "graph.dot", text)) == edges_of(cf.Graph("abc", [("a", "b")], [("b", "c")]))
        with pytest.raises(cf.GraphError, match=r"line 2: .* the marks 'odot' and 'arrow'"):
            read(tmp_path, "graph.dot", 'digraph g {\n "a" -> "b" [dir=both, arrowtail=odot, arrowhead=normal]; \n}')


def test_pags_are_refused_in_every_format(tmp_path):
    circle = {
        "csv": "source,target,type,endpoints\na,b,directed,o->\n",
        "json": '{"edges": [{"source": "a", "target": "b", "type": "directed", "endpoints": "o->"}]}',
        "cyjs": '{"elements": [{"data": {"id": "a"}}, {"data": {"id": "b"}}, '
        '{"data": {"source": "a", "target": "b", "interaction": "o->"}}]}',
        "dot": "digraph { a -> b [dir=both, arrowtail=odot] }",
        "dagitty": "pag { a @-> b }",
        "txt": "Graph Nodes:\na;b\n\nGraph Edges:\n1. a o-> b\n",
        "xml": "<graph><variables><variable>a</variable><variable>b</variable></variables>"
        "<edges><edge>a o-&gt; b</edge></edges></graph>",
        "gml": 'graph [ directed 1 node [ id 0 label "a" ] node [ id 1 label "b" ] '
        'edge [ source 0 target 1 endpoints "o-&#62;" ] ]',
        "graphml": '<graphml><key id="k" for="edge" attr.name="endpoints" attr.type="string"/>'
        '<graph edgedefault="directed"><node id="a"/><node id="b"/>'
        '<edge source="a" target="b"><data key="k">o-&gt;</data></edge></graph></graphml>',
    }
    for suffix, content in circle.items():
        with pytest.raises(cf.GraphError, match=r"circle|odot|o->"):
            read(tmp_path, f"graph.{suffix}", content)
