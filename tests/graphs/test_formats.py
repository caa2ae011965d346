"""Graphs as files: everything is read back, files of other programs are read, errors name the line."""

from __future__ import annotations

import gzip
import json
import os
import re
import threading
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import climbfast as cf
from climbfast.graphs import graphml
from climbfast.graphs.graph import REASONS
from tests.graphs.naive import pdag_of, random_mixed
from tests.shared_data import NETWORKS, bif_text

ALL_FORMATS = [".csv", ".json", ".graphml", ".dot", ".gv"]
ODD_NAMES = [
    "a b",
    "a,b",
    'say "so"',
    "a & b",
    "a --> b",
    "a -> b",
    "a -- b",
    "<b>",
    "{x}",
    "[x=1]; // /* #",
    "line\nbreak",
    "carriage\rreturn",
    "both\r\n",
    "tab\t",
    " leading",
    "trailing ",
    "back\\slash",
    "end\\",
    '\\"',
    "\\n",
    "é中🎈",
    "\u2028",
    "n" * 300,
    "A",
    "a",
    "1",
    "node",
    "digraph",
    "source",
    "+",
    ";",
    "'",
    "\ufeffbom",
]
_ABOUT_EDGES = ("strengths", "margins", "reasons", "votes", "frequencies")
TYPED_NAMES = (1, "2", ("x", 1), ("x", ("y", 2.5)), -3, 2.5, False, "é", "z")

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8) | st.sampled_from(ODD_NAMES)
in_xml = names.filter(lambda name: not graphml._NOT_IN_XML.search(name))
scalars = st.integers() | st.text(max_size=5) | st.floats(allow_nan=False)
typed = scalars | st.tuples(scalars, scalars) | st.tuples(st.tuples(scalars))


def graph_with(found: list, seed: int = 0) -> cf.Graph:
    """A random graph; of some of its edges it is known why they have their direction, and how many searches have it."""
    size = len(found)
    draw = np.random.default_rng(seed)
    graph = cf.Graph.from_adjacency(found, pdag_of(random_mixed(size, draw, 0.4), size).to_adjacency())
    reasons = {edge: str(draw.choice(list(REASONS))) for edge in graph.directed if draw.random() < 0.7}
    votes = {
        edge: tuple(sorted(draw.integers(9, size=2).tolist())[::-1]) for edge in graph.edges if draw.random() < 0.4
    }
    frequencies = {
        edge: tuple(sorted(draw.random(2).tolist(), reverse=True)) for edge in graph.edges if draw.random() < 0.4
    }
    return replace(graph, reasons=reasons, votes=votes, frequencies=frequencies)


def there_and_back(graph: cf.Graph, suffix: str, folder: Path) -> cf.Graph:
    file = folder / f"graph{suffix}"
    graph.save(file)
    return cf.read_graph(file)


def in_order(graph: cf.Graph) -> cf.Graph:
    """The graph with its names sorted, as CSV gives it."""
    order = sorted(graph.names, key=str)
    about_edges = {name: getattr(graph, name) for name in ("reasons", "votes", "frequencies")}
    return cf.Graph(order, graph.directed, graph.undirected, **about_edges)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("graphs")


@pytest.fixture
def full():
    """A graph with everything that JSON keeps."""
    return cf.Graph(
        TYPED_NAMES,
        [(1, "2"), (("x", 1), 2.5)],
        [("é", "z"), (("x", ("y", 2.5)), -3)],
        separating_sets={(1, "é"): (("x", 1), False), ("2", "z"): ()},
        strengths={(1, "2"): 0.1, ("z", "é"): 1e-300},
        margins={(1, "2"): 1 / 3},
        reasons={(1, "2"): "chosen", (("x", 1), 2.5): "collider"},
        votes={(1, "2"): (6, 4), ("z", "é"): (3, 0)},
        frequencies={(1, "2"): (0.9, 1 / 3), ("z", "é"): (1.0, 0.0)},
        method="fges",
        test_or_score="bdeu",
        figures={"score": -1.5, "insertions": 2, "local_optimum": True},
        options={"prior": 1.5, "faithful": True, "limit": None},
        tests_by_size=(3, 2),
        skipped=1,
        rows=10,
        columns=9,
        fewest_rows=7,
        seconds=1.5,
        version="0.0.1",
    )


class TestThereAndBack:
    @given(st.lists(names, min_size=1, max_size=6, unique=True), st.integers(0, 99))
    @settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @pytest.mark.parametrize("suffix", [".csv", ".json", ".dot"])
    def test_any_names(self, folder, suffix, names, seed):
        graph = graph_with(names, seed)
        back = there_and_back(graph, suffix, folder)
        assert back == (in_order(graph) if suffix == ".csv" else graph)

    @given(st.lists(in_xml, min_size=1, max_size=6, unique=True), st.integers(0, 99))
    def test_any_names_that_xml_has(self, folder, names, seed):
        graph = graph_with(names, seed)
        assert there_and_back(graph, ".graphml", folder) == graph

    @given(st.lists(typed, min_size=1, max_size=6, unique_by=str), st.integers(0, 99))
    @settings(max_examples=40)
    @pytest.mark.parametrize("suffix", [".json", ".dot"])
    def test_names_that_are_no_text(self, folder, suffix, names, seed):
        graph = graph_with(names, seed)
        back = there_and_back(graph, suffix, folder)
        assert back == graph
        assert list(map(repr, back.names)) == list(map(repr, graph.names))

    @pytest.mark.parametrize("suffix", ALL_FORMATS)
    @pytest.mark.parametrize("seed", range(3))
    def test_the_odd_ones_all_at_once(self, folder, suffix, seed):
        graph = graph_with(ODD_NAMES, seed)
        assert in_order(there_and_back(graph, suffix, folder)) == in_order(graph)

    @pytest.mark.parametrize("suffix", ALL_FORMATS)
    def test_nodes_without_edges(self, folder, suffix):
        for graph in (cf.Graph(("b", "a", "c,d"), [("b", "c,d")]), cf.Graph(("a b",)), cf.Graph("ba")):
            back = there_and_back(graph, suffix, folder)
            assert back == (in_order(graph) if suffix == ".csv" else graph)

    @pytest.mark.parametrize("suffix", ALL_FORMATS)
    def test_cyclic_graphs_and_large_ones(self, folder, suffix):
        for graph in (
            cf.Graph("abc", [("a", "b"), ("b", "c"), ("c", "a")]),
            graph_with([f"n{i:04}" for i in range(60)]),
        ):
            assert there_and_back(graph, suffix, folder) == graph

    def test_json_keeps_everything(self, folder, full):
        back = there_and_back(full, ".json", folder)
        assert back == full
        assert (back.seconds, back.version) == (1.5, "0.0.1")
        assert list(map(type, back.names)) == list(map(type, full.names))
        assert json.loads(full.to_json())["names"][2] == {"tuple": ["x", 1]}

    @pytest.mark.parametrize("suffix", [".graphml", ".dot"])
    def test_types_of_names_and_figures_stay(self, folder, suffix, full):
        back = there_and_back(full, suffix, folder)
        about_edges = {name: getattr(full, name) for name in _ABOUT_EDGES}
        assert back == cf.Graph(full.names, full.directed, full.undirected, **about_edges)
        assert list(map(type, back.names)) == list(map(type, full.names))

    @pytest.mark.parametrize("names", [TYPED_NAMES, (3, 10, -2), (1, "1"), ("", "a"), ("\ud800", "b"), (1.5, True)])
    def test_csv_keeps_the_types_of_names(self, folder, names):
        graph = graph_with(names)
        back = there_and_back(graph, ".csv", folder)
        assert back == replace(graph, names=back.names)
        assert sorted(map(repr, back.names)) == sorted(map(repr, names))

    def test_every_name_is_read_as_itself_by_networkx(self, folder):
        graph = graph_with(ODD_NAMES)
        graph.save(folder / "plain.graphml")
        assert set(nx.read_graphml(folder / "plain.graphml").edges) == set(graph.to_networkx().edges)


class TestFiles:
    def test_csv_is_as_documented(self, folder):
        cf.Graph(("c", "a b", "x,y", "d"), [("a b", "c")], [("x,y", "a b")]).save(folder / "a.csv")
        content = (folder / "a.csv").read_bytes()
        assert content == b'source,target,type\na b,c,directed\na b,"x,y",undirected\nd,,node\n'

    def test_dot_is_as_documented(self, folder):
        graph = cf.Graph(('q"', "b", 3), [('q"', "b")], [("b", 3)], strengths={("b", 3): 1e-7})
        graph.save(folder / "a.dot")
        assert (folder / "a.dot").read_text().splitlines() == [
            "digraph {",
            r'  "q\"";',
            '  "b";',
            '  "3" [json_name="3"];',
            r'  "q\"" -> "b";',
            '  "b" -> "3" [dir=none, strength="1e-07"];',
            "}",
        ]

    def test_suffixes_in_capitals_and_paths_as_text(self, folder):
        graph = cf.Graph("ab", [("a", "b")])
        graph.save(str(folder / "A.CSV"))
        assert cf.read_graph(str(folder / "A.CSV")) == graph

    @pytest.mark.parametrize("suffix", [".graphml", ".dot"])
    def test_two_names_of_one_text_are_refused(self, tmp_path, suffix):
        with pytest.raises(cf.GraphError, match="names 1 and '1' are the same text"):
            cf.Graph((1, "1")).save(tmp_path / f"a{suffix}")
        assert not list(tmp_path.iterdir())
        assert there_and_back(cf.Graph((1, "1")), ".json", tmp_path).names == (1, "1")

    def test_names_that_a_format_cannot_have(self, tmp_path):
        with pytest.raises(cf.GraphError, match=r"'\\x1b\[31m' has characters that XML forbids"):
            cf.Graph(("\x1b[31m",)).save(tmp_path / "a.graphml")
        with pytest.raises(cf.GraphError, match="cannot be encoded in UTF-8"):
            cf.Graph(("half \ud83c",)).save(tmp_path / "a.dot")
        assert not list(tmp_path.iterdir())
        for suffix in (".json", ".dot", ".graphml"):
            assert there_and_back(cf.Graph(("", "b"), [("", "b")]), suffix, tmp_path).directed == (("", "b"),)

    def test_what_cannot_be_written(self, tmp_path):
        graph = cf.Graph("ab")
        with pytest.raises(cf.GraphError, match=r"a\.xls: unknown suffix; known are \.csv, \.json"):
            graph.save(tmp_path / "a.xls")
        with pytest.raises(cf.GraphError, match=r"a\.csv cannot be written: No such file"):
            graph.save(tmp_path / "none" / "a.csv")
        (tmp_path / "folder.csv").mkdir()
        with pytest.raises(cf.GraphError, match="it is a directory"):
            graph.save(tmp_path / "folder.csv")
        assert os.listdir(tmp_path) == ["folder.csv"]  # noqa: PTH208

    def test_the_old_file_stays_when_the_new_one_fails(self, tmp_path, monkeypatch):
        file = tmp_path / "a.csv"
        file.write_text("old")

        def full_disk(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "replace", full_disk)
        with pytest.raises(cf.GraphError, match=r"a\.csv cannot be written: No space left"):
            cf.Graph("ab").save(file)
        assert file.read_text() == "old"
        assert list(tmp_path.iterdir()) == [file]


def read(tmp_path: Path, suffix: str, content: str | bytes) -> cf.Graph:
    file = tmp_path / f"graph{suffix}"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return cf.read_graph(file)


ABC = cf.Graph("abc", [("a", "b")], [("b", "c")])


class TestReading:
    @pytest.mark.parametrize(
        "content",
        [
            "source,target,type\na,b,directed\nb,c,undirected\n",
            "\ufeffsource,target,type\r\na,b,directed\r\nb,c,undirected\r\n",
            "source;target;type\na;b;directed\nc;b;undirected",
            'source\ttarget\ttype\n"a"\tb\tdirected\n\n"b"\tc\tundirected\n\n',
            "type,weight,Target, Source\nDirected,1,b,a\n undirected ,2,b,c\n",
            "source,target,type\nc,,node\na,b,directed\na,,node\nb,c,undirected\n",
        ],
    )
    def test_csv(self, tmp_path, content):
        assert read(tmp_path, ".csv", content) == ABC

    def test_csv_of_parents_and_children(self, tmp_path):
        graph = read(tmp_path, ".csv", "parent,child\nb,a\nc,a\nd,\n")
        assert graph == cf.Graph("abcd", [("b", "a"), ("c", "a")])

    @pytest.mark.parametrize(
        "content",
        [
            "digraph { a -> b; b -> c [dir=none]; }",
            "strict digraph G { a -> b b -> c [dir=none] }",
            'DiGraph "my graph" {\n graph [a=b]; node [shape=box]; rankdir = LR\n a -> b; edge [dir=none] b -> c }',
            'digraph { a [label=<<b>A</b>>, x=1.5]; b; c; b -> a [dir=back]; c:n -> b:s:w [dir="none"]; }',
            "digraph { a -> b [dir=both, arrowtail=none]; b -> c [arrowhead=none arrowtail=none dir=both]; }",
            "digraph { a; b; c; a -> b; b -- c; }",
            "// first\n# line 1\ndigraph { /* a -> c\n */ a -> b; // and\n b -> c [dir=none] }",
            'digraph { subgraph one { a -> b } subgraph { edge [dir=none]; "b" -> "c" } }',
            'digraph { "a" -> "" + "b"; "b" -> "\\\nc" [dir=none]; }',
            "digraph { a -> {b}; {b} -> {c} [dir=none]; }",
        ],
    )
    def test_dot(self, tmp_path, content):
        assert read(tmp_path, ".dot", content) == ABC

    def test_dot_chains_and_groups(self, tmp_path):
        graph = read(tmp_path, ".gv", "digraph { a -> b -> {c d} -> -1.5; é }")
        assert graph.names == ("a", "b", "c", "d", "-1.5", "é")
        assert graph.directed == (("a", "b"), ("b", "c"), ("b", "d"), ("c", "-1.5"), ("d", "-1.5"))
        assert read(tmp_path, ".dot", "graph { a -- b -- c }").undirected == (("a", "b"), ("b", "c"))
        assert read(tmp_path, ".dot", "digraph{}").names == ()

    def test_dot_groups_keep_their_attributes_to_themselves(self, tmp_path):
        graph = read(tmp_path, ".dot", "digraph { subgraph { edge [dir=none]; a -> b } b -> c }")
        assert (graph.undirected, graph.directed) == ((("a", "b"),), (("b", "c"),))

    def test_graphml_of_networkx(self, tmp_path):
        nx.write_graphml(nx.DiGraph([("a", "b"), ("b", "c"), ("c", "b")]), tmp_path / "a.graphml")
        assert cf.read_graph(tmp_path / "a.graphml") == ABC
        nx.write_graphml(nx.Graph([(1, 2)]), tmp_path / "b.graphml")
        assert cf.read_graph(tmp_path / "b.graphml") == cf.Graph(("1", "2"), (), [("1", "2")])

    def test_json_with_little_in_it(self, tmp_path):
        content = '{"edges": [{"source": "a", "target": "b", "type": "directed", "color": "red"}], "more": 1}'
        assert read(tmp_path, ".json", content) == cf.Graph("ab", [("a", "b")])

    @pytest.mark.parametrize("key", ["type", "endpoints", "interaction"])
    def test_json_with_marks_of_other_programs(self, tmp_path, key):
        def written(first: str, second: str) -> str:
            edges = [{"source": "a", "target": "b", key: first}, {"source": "b", "target": "c", key: second}]
            return json.dumps({"edges": edges})

        assert read(tmp_path, ".json", written("-->", "---")) == ABC
        assert read(tmp_path, ".json", written("<--", "-->")).directed == (("b", "a"), ("b", "c"))
        with pytest.raises(cf.GraphError, match=r"edge 2: the edge .* has the marks 'circle' and 'circle'"):
            read(tmp_path, ".json", written("-->", "o-o"))

    def test_the_published_networks(self, tmp_path):
        for name in NETWORKS:
            arcs = arcs_of(bif_text(name))
            assert len(arcs) == NETWORKS[name][1]
            graph = read(tmp_path, ".csv", "\n".join(["parent,child", *map(",".join, arcs)]))
            assert graph.is_dag
            assert sorted(graph.directed) == sorted(arcs)


def arcs_of(text: str) -> list[tuple[str, str]]:
    """The arcs of a published network, all of which have their parents in one form; quicker than to read its tables."""
    families = re.findall(r"^probability \( (\S+) \| (.+) \) \{", text, re.MULTILINE)
    return [(parent, child) for child, parents in families for parent in parents.split(", ")]


class TestNetworks:
    @pytest.mark.parametrize("suffix", [".bif", ".BIF", ".bif.gz"])
    def test_the_dag_of_a_network_in_the_order_of_its_file(self, tmp_path, suffix):
        network = cf.load_example()
        cf.write_bif(network, tmp_path / f"network{suffix}")
        graph = cf.read_graph(tmp_path / f"network{suffix}")
        assert graph == cf.Graph(network.nodes, network.arcs)
        assert graph.names == network.nodes != tuple(sorted(network.nodes))

    def test_errors_name_the_file_and_the_line(self, tmp_path):
        with pytest.raises(cf.GraphError, match=r"graph\.bif, line 3: ") as refused:
            read(tmp_path, ".bif", "network x {\n}\nvariables")
        with pytest.raises(cf.NetworkError) as expected:
            cf.read_bif(tmp_path / "graph.bif")
        assert str(refused.value) == str(expected.value)
        with pytest.raises(cf.GraphError, match=r"none\.bif\.gz: there is no such file"):
            cf.read_graph(tmp_path / "none.bif.gz")


class TestRefusals:
    @pytest.mark.parametrize(
        ("content", "says"),
        [
            ("", "line 1: the columns of a graph are source,target,type or parent,child"),
            ("a,b\n1,2\n", "line 1: the columns"),
            ("source,target\na,b\n", "line 1: the columns"),
            ("source,source,target,type\na,a,b,directed\n", "line 1: the columns"),
            ("source,target,type\na,b,directed\na,b\n", "line 3 has 2 cells where the first line has 3"),
            (
                "source,target,type\na,b,arrow\n",
                "line 2: the type is 'arrow'; it has to be directed, undirected or node",
            ),
            ("source,target,type\n\na,,directed\n", "line 3: the edge from 'a' to '' has an empty name"),
            ("source,target,type\n,b,undirected\n", "line 2: the edge from '' to 'b' has an empty name"),
            ("parent,child\n,b\n", "line 2: the edge from '' to 'b' has an empty name"),
            ("source,target,type\na,b,node\n", "line 2: a line of type node has one name, not 'a' and 'b'"),
            ("source,target,type\na,a,directed\n", "line 2: 'a' has an edge to itself"),
            (
                'source,target,type\n"a\nb",c,directed\nc,"a\nb",directed\n',
                r"line 4: 'c' and 'a\\nb' have an edge already",
            ),
            ("parent,child\na,b\nb,a\n", "line 3: 'b' and 'a' have an edge already, in line 2"),
            ('source,target,type\na,"b,directed\n', "line 2: unexpected end of data"),
            (b"source,target,type\na,b,directed\n\xe9,b,directed\n", "line 3: byte 0xe9 is not UTF-8"),
        ],
    )
    def test_csv(self, tmp_path, content, says):
        with pytest.raises(cf.GraphError, match=rf"graph\.csv: {says}"):
            read(tmp_path, ".csv", content)

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            ("", "line 1: found 'end of file' where digraph or graph should be"),
            ("digraph {\n a ->\n}", "line 3: found '}' where a name should be"),
            ("digraph {\n a -> b", "line 2: found 'end of file' where a name should be"),
            ("digraph {\n a -> b [dir]\n}", "line 2: found ']' where '=' should be"),
            ("digraph {} }", "line 1: found '}' where the end of the file should be"),
            ("digraph { }\n digraph { }", "line 2: found 'digraph' where the end of the file should be"),
            ("digraph {\n a -> b [dir=both]\n}", "line 2: 'a' <-> 'b' has two arrowheads"),
            ("digraph {\n a -> b\n b -> a\n}", "line 3: 'b' and 'a' have an edge already, in line 2"),
            ("digraph {\n a -> b -> b\n}", "line 2: 'b' has an edge to itself"),
            ('digraph {\n "a -> b\n}', "line 2: found '\"a -> b"),
            ("digraph {\n a % b\n}", "line 2: found '% b"),
            ("digraph " + "{" * 100_000, "it is nested too deeply"),
        ],
    )
    def test_dot(self, tmp_path, content, says):
        with pytest.raises(cf.GraphError) as refused:
            read(tmp_path, ".dot", content)
        assert f"graph.dot: {says}" in str(refused.value)

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            ("", "line 1: Expecting value"),
            ('{"edges": [\n}', "line 2: "),
            ("[]", 'a graph is a JSON object with "names" and "edges"'),
            ('{"names": ["a"]}', "a graph is a JSON object"),
            ('{"edges": {}}', '"edges" is not a list'),
            ('{"edges": [], "names": "ab"}', '"names" is not a list'),
            ('{"edges": [], "names": ["a", "a"]}', "a name occurs twice"),
            ('{"edges": [], "names": [null]}', "null is not a name"),
            ('{"edges": [], "names": [{"a": 1}]}', '{"a": 1} is not a name'),
            ('{"edges": ["ab"]}', "edge 1: an edge has a source, a target, and the type"),
            ('{"edges": [{"source": "a", "target": "b", "type": "bent"}]}', "edge 1: an edge has"),
            ('{"edges": [{"source": "a", "target": "a", "type": "directed"}]}', "edge 1: 'a' has an edge to itself"),
            ('{"edges": [], "separating_sets": [1]}', "a separating set has x, y and given"),
            (
                '{"edges": [], "names": ["b"], "separating_sets": [{"x": "a", "y": "b", "given": []}]}',
                "no node named 'a'",
            ),
            ('{"edges": [], "rows": "many"}', '"rows" is "many", which is not a legal value'),
            ('{"edges": [], "tests_by_size": 5}', '"tests_by_size" is 5'),
            ('{"edges": [], "tests_by_size": [{}]}', '"tests_by_size" has values that are not whole'),
            ('{"edges": [], "options": [1]}', '"options" is [1]'),
            (
                '{"edges": [{"source": "a", "target": "b", "type": "directed"}], "names": ["a"]}',
                "edge 1, from 'a' to 'b'",
            ),
            (
                '{"edges": [{"source": "a", "target": "b", "type": "directed", "endpoints": "o->"}]}',
                "edge 1: 'type': 'directed' and 'endpoints': 'o->' are the marks of different edges",
            ),
            (
                '{"edges": [{"source": "a", "target": "b", "type": "directed", "endpoints": "---"}]}',
                "edge 1: 'type': 'directed' and 'endpoints': '---' are the marks of different edges",
            ),
            ("[" * 100_000, "it is nested too deeply"),
        ],
    )
    def test_json(self, tmp_path, content, says):
        with pytest.raises(cf.GraphError) as refused:
            read(tmp_path, ".json", content)
        assert f"graph.json: {says}" in str(refused.value)

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            ("", "line 1: not XML"),
            ("<graphml>\n<graph>\n</graphml>", "line 3: not XML"),
            ("<html></html>", "not GraphML: it begins with 'html'"),
            ('<?xml version="1.0" encoding="utf-9"?><graphml><graph/></graphml>', "not XML: unknown encoding: utf-9"),
            ("<graphml><graph edgedefault='directed'><node/></graph></graphml>", "a node has no id"),
            (
                "<graphml><graph edgedefault='directed'><node id='a'/><edge source='a'/></graph></graphml>",
                "an edge has no source or no target",
            ),
            ("<graphml><graph/><graph/></graphml>", "it has 2 graphs; a file may have one"),
            (
                "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/>"
                "<edge source='a' target='b'/><edge source='a' target='b'/></graph></graphml>",
                "the edge from 'a' to 'b' occurs twice",
            ),
            (
                "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/>"
                "<edge source='a' target='b'/><edge source='b' target='a'/></graph></graphml>",
                "the edge from 'b' to 'a' occurs twice",
            ),
            ("<graphml><graph><node id='a'/><node id='a'/></graph></graphml>", "the node 'a' occurs twice"),
        ],
    )
    def test_graphml(self, tmp_path, content, says):
        with pytest.raises(cf.GraphError) as refused:
            read(tmp_path, ".graphml", content)
        assert f"graph.graphml: {says}" in str(refused.value)

    def test_names_that_are_the_same_in_json(self, tmp_path):
        with pytest.raises(cf.GraphError, match=r"""the names "b'x'" and b'x' are the same in JSON"""):
            cf.Graph(("b'x'", b"x")).save(tmp_path / "graph.json")

    def test_what_no_file_takes(self, tmp_path):
        with pytest.raises(cf.GraphError, match=r"graph\.dot cannot be written: '\\ud800' cannot be encoded in UTF-8"):
            cf.Graph(("a" * 200, "\ud800")).save(tmp_path / "graph.dot")
        with pytest.raises(cf.GraphError, match="null"):
            cf.Graph("ab").save(tmp_path / "a\0.csv")
        with pytest.raises(cf.GraphError):
            cf.read_graph(tmp_path / "a\0.csv")

    @pytest.mark.skipif(os.name != "posix", reason="paths are bytes there")
    @pytest.mark.parametrize("suffix", ALL_FORMATS)
    def test_a_path_that_is_no_utf_8(self, tmp_path, suffix):
        graph = cf.Graph("abc", [("a", "b")], [("b", "c")])
        file = tmp_path / f"bad\udcff\x1b{suffix}"
        graph.save(file)
        assert cf.read_graph(file) == graph
        file.write_text("\x1b")
        with pytest.raises(cf.GraphError) as refused:
            cf.read_graph(file)
        assert str(refused.value).isprintable()
        with pytest.raises(cf.GraphError) as refused:
            graph.save(tmp_path / "none\udcff" / "a.csv")
        assert str(refused.value).isprintable()

    def test_files(self, tmp_path):
        with pytest.raises(cf.GraphError, match=r"none\.csv: there is no such file"):
            cf.read_graph(tmp_path / "none.csv")
        with pytest.raises(cf.GraphError, match="a directory, not a file"):
            cf.read_graph(tmp_path)
        with pytest.raises(cf.GraphError, match=r"unknown suffix; known are \.csv, \.json"):
            read(tmp_path, ".xls", "")

    @settings(max_examples=300)
    @given(st.text(st.sampled_from('digraph{}[]->=;,"\\ \n/*#<>+:abc1.-'), max_size=30))
    def test_any_text_is_a_graph_or_is_refused(self, folder, text):
        for suffix in (".dot", ".csv", ".json"):
            file = folder / f"any{suffix}"
            file.write_text(f"digraph {{{text}", encoding="utf-8")
            try:
                cf.read_graph(file)
            except cf.GraphError as error:
                assert str(file) in str(error)


# ---- The format of a file without a suffix


@pytest.mark.parametrize("suffix", ALL_FORMATS)
def test_a_format_stands_above_the_suffix(suffix, tmp_path):
    graph = graph_with(["a", "b", "c", "d"])
    graph.save(tmp_path / f"graph{suffix}")
    for name in ("plain", "odd.json", "odd.csv"):
        (tmp_path / name).write_bytes((tmp_path / f"graph{suffix}").read_bytes())
        assert in_order(cf.read_graph(tmp_path / name, format=suffix[1:])) == in_order(graph)


def test_formats_that_do_not_exist(tmp_path):
    with pytest.raises(cf.GraphError, match=r"graph: format='xls' does not exist; use one of 'csv', 'json'"):
        cf.read_graph(tmp_path / "graph", format="xls")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("suffix", [".csv", ".json", ".graphml", ".dot", ".bif", ".bif.gz"])
def test_pipes(suffix, tmp_path):
    if suffix.startswith(".bif"):
        cf.write_bif(cf.load_example(), tmp_path / "file.bif")
        content = (tmp_path / "file.bif").read_bytes()
        content = gzip.compress(content) if suffix == ".bif.gz" else content
        (tmp_path / f"file{suffix}").write_bytes(content)
    else:
        graph_with(["a", "b", "c", "d"]).save(tmp_path / f"file{suffix}")
        content = (tmp_path / f"file{suffix}").read_bytes()
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[content])
    writer.start()
    found = cf.read_graph(tmp_path / "pipe", format=suffix[1:])
    writer.join()
    assert found == cf.read_graph(tmp_path / f"file{suffix}")


@pytest.mark.parametrize("suffix", [".csv", ".json", ".graphml", ".dot"])
@pytest.mark.parametrize(
    ("kind", "reason", "edge", "direction", "reasons", "votes"),
    [
        ("directed", "chosen", "6", "4", {("a", "b"): "chosen"}, {("a", "b"): (6, 4)}),
        ("undirected", "chosen", "6", "0", {}, {("a", "b"): (6, 0)}),
        ("directed", "as Smith (2001) says", "6", "7", {}, {}),
        ("directed", "compelled", "many", "4", {("a", "b"): "compelled"}, {}),
        ("directed", "compelled", "6", "", {("a", "b"): "compelled"}, {}),
    ],
)
def test_other_programs_may_use_the_same_words(suffix, kind, reason, edge, direction, reasons, votes, tmp_path):
    figures = {"reason": reason, "votes_edge": edge, "votes_direction": direction}
    drawn = {"directed": "", "undirected": "dir=none, "}[kind]
    keys = "".join(f'<key id="{key}" for="edge" attr.name="{key}" attr.type="string"/>' for key in figures)
    data = "".join(f'<data key="{key}">{value}</data>' for key, value in figures.items())
    attributes = ", ".join(f'{key}="{value}"' for key, value in figures.items())
    written = {
        ".csv": f"source,target,type,{','.join(figures)}\na,b,{kind},{','.join(figures.values())}\n",
        ".json": json.dumps({"names": ["a", "b"], "edges": [{"source": "a", "target": "b", "type": kind, **figures}]}),
        ".graphml": f'<graphml>{keys}<graph edgedefault="{kind}"><node id="a"/><node id="b"/>'
        f'<edge source="a" target="b">{data}</edge></graph></graphml>',
        ".dot": f"digraph {{ a -> b [{drawn}{attributes}] }}",
    }
    file = tmp_path / f"graph{suffix}"
    file.write_text(written[suffix])
    graph = cf.read_graph(file)
    assert (graph.directed or graph.undirected) == (("a", "b"),)
    assert dict(graph.reasons) == reasons
    assert dict(graph.votes) == votes


@pytest.mark.parametrize("suffix", [".csv", ".json", ".graphml", ".dot"])
@pytest.mark.parametrize(
    ("edge", "direction"), [("often", "0.5"), ("0.5", ""), ("0.5", "0.6"), ("1.5", "0"), ("nan", "0")]
)
def test_frequencies_of_other_programs_are_skipped(suffix, edge, direction, tmp_path):
    file = tmp_path / f"graph{suffix}"
    cf.Graph("ab", [("a", "b")], frequencies={("a", "b"): (0.75, 0.25)}).save(file)
    assert cf.read_graph(file).frequencies
    file.write_text(
        file.read_text()
        .replace("0.75", json.dumps(edge) if suffix == ".json" else edge)
        .replace("0.25", json.dumps(direction) if suffix == ".json" else direction)
    )
    assert cf.read_graph(file) == cf.Graph("ab", [("a", "b")])
