"""Mutants of graph files: each is refused in one line, or read as an independent reader reads it."""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.formats import WRITTEN
from tests.fuzz.outcomes import outcomes
from tests.graphs.naive import pdag_of, random_mixed

pytestmark = pytest.mark.filterwarnings("ignore:unclosed")

Found = tuple[set, set, set]  # nodes, directed edges, undirected edges


def graph_with(names, seed):
    graph = random_mixed(len(names), np.random.default_rng(seed), 0.5)
    return cf.Graph.from_adjacency(names, pdag_of(graph, len(names)).to_adjacency())


GRAPHS = [
    graph_with(["smoke", "lung", "x y", "bronc", "d", *map("node {}".format, range(9))], 1),
    graph_with(["a", "b", "c"], 2),
    graph_with(["=1+1", "-x", "a;b", 'say "so"', "é中"], 3),
    graph_with([1, 2, 30, -4, *range(100, 108)], 4),
    graph_with(["a", 1, ("x", 2.5), "b", 2, ("x", ("y", True)), 0.5], 5),
    cf.Graph("abcd", [("a", "b")], [("b", "c")], strengths={("a", "b"): 1.5}, margins={("a", "b"): 0.25}),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


def saved(folder, suffix, **options):
    """The content of files with the graphs, as climbfast writes them."""
    file = folder / f"sample{suffix}"
    contents = []
    for graph in GRAPHS:
        graph.save(file, **options)
        contents.append(file.read_bytes())
    return contents


def parts(graph: cf.Graph) -> Found:
    return set(graph.names), set(graph.directed), set(map(frozenset, graph.undirected))


def compare(folder, suffix, samples, tokens, independent: Callable[[bytes], Found | None]):
    read = agreed = 0
    for seed, content, graph in outcomes(cf.read_graph, folder / f"mutant{suffix}", samples, tokens):
        read += 1
        expected = independent(content)
        if expected is not None:
            assert parts(graph) == expected, f"seed {seed}: {content!r}"
            agreed += 1
    assert agreed >= read * 0.2 > 0, "the independent reader reads too little to compare"
    print(f"{suffix}: {agreed:,} of {read:,} compared")


# ---- CSV


def csv_reader(content: bytes) -> Found | None:
    text = content.decode("utf-8-sig")
    separators = ",;\t"
    if found := re.match(r'"?sep=([,;\t])"?(\r\n|\r|\n)', text):
        text, separators = text[found.end() :], found[1]
    for separator in separators:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if row]
        if len(rows[0]) > 1 and {"target", "child"} & {name.strip().lower() for name in rows[0]}:
            break
    header = [name.strip().lower() for name in rows[0]]
    ends = ("source", "target") if {"source", "target", "type"} <= set(header) else ("parent", "child")
    nodes, directed, undirected = set(), set(), set()
    for row in rows[1:]:
        cells = dict(zip(header, row, strict=True))
        decode = {
            "integer": int,
            "json": lambda cell: from_json(json.loads(cell)),
            "quoted": lambda cell: cell[1:] if cell.startswith("'") else cell,
        }.get(cells.get("names", "").strip().lower(), str)
        x, y = (decode(cells[end]) if cells[end] else None for end in ends)
        nodes |= {x, y} - {None}
        if cells[ends[1]]:
            if cells.get("type", "directed").strip().lower() == "directed":
                directed.add((x, y))
            else:
                undirected.add(frozenset((x, y)))
    return nodes, directed, undirected


def from_json(value):
    return tuple(map(from_json, value["tuple"])) if isinstance(value, dict) else value


@pytest.mark.parametrize("quote_formulas", [False, True])
def test_csv(folder, quote_formulas):
    samples = [
        *saved(folder, ".csv", quote_formulas=quote_formulas),
        b'"source";"target";"type"\r\n"a";"b";"directed"\r\n"c";"b";"undirected"\r\n',
        b"sep=;\rsource;target;type\ra;b;directed\r",
        b"\xef\xbb\xbfparent\tchild\tweight\na\tb\t1\nb\tc\t2\nd\t\t\n",
    ]
    tokens = [b"names", b"integer", b"json", b"quoted", b"undirected", b"node", b"endpoints", b"<->", b"o->", b"-->"]
    compare(folder, ".csv", samples, tokens, csv_reader)


# ---- JSON


def json_reader(content: bytes) -> Found | None:
    plain = json.loads(content.decode("utf-8-sig"))
    nodes = {from_json(name) for name in plain.get("names", [])}
    directed, undirected = set(), set()
    for edge in plain["edges"]:
        x, y = from_json(edge["source"]), from_json(edge["target"])
        nodes |= {x, y}
        if edge["type"] == "directed":
            directed.add((x, y))
        else:
            undirected.add(frozenset((x, y)))
    return nodes, directed, undirected


def test_json(folder):
    tokens = [b'"directed"', b'"undirected"', b'{"tuple": []}', b'"names"', b'"edges"', b"1e999", b'"\\ud800"', b"-0"]
    compare(folder, ".json", saved(folder, ".json"), tokens, json_reader)


# ---- GraphML


def graphml_reader(content: bytes) -> Found | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            graph = nx.read_graphml(io.BytesIO(content))
        except Exception:
            return None
    if graph.is_multigraph() or b"endpoint" in content.lower():
        return None
    names = {}
    for text, data in graph.nodes(data=True):
        names[text] = text
        try:
            name = from_json(json.loads(data["json_name"]))
            names[text] = name if str(name) == text else text
        except (KeyError, ValueError):
            pass
    directed, undirected = set(), set()
    for x, y, data in graph.edges(data=True):
        plain = str(data.get("type")).strip().lower() != "undirected"
        if graph.is_directed() and plain and not graph.has_edge(y, x):
            directed.add((names[x], names[y]))
        elif not graph.is_directed() and data.get("type") == "directed":
            return None  # the order in which NetworkX has the ends is not that of the file
        else:
            undirected.add(frozenset((names[x], names[y])))
    return set(names.values()), directed, undirected


def test_graphml(folder):
    undirected = io.BytesIO()
    nx.write_graphml_xml(nx.Graph([("a", "b"), ("b", "c")]), undirected)
    tokens = [
        *(b"<node id='n'/>", b"<graph>", b"</graph>", b'directed="false"', b'edgedefault="undirected"', b"<![CDATA["),
        *(b'<data key="d0">', b"</data>", b"&amp;", b"&#0;", b"&x;", b'<!DOCTYPE a [<!ENTITY x "y">]>', b"<edge/>"),
        *(b'attr.name="endpoints"', b"undirected", b"o->", b"encoding='utf-16'", b'"', b"<hyperedge/>", b"<port/>"),
    ]
    compare(folder, ".graphml", [*saved(folder, ".graphml"), undirected.getvalue()], tokens, graphml_reader)


# ---- DOT

_QUOTED = r'"((?:[^"\\\n]|\\["\\])*)"'
_NODE = re.compile(rf"\s*{_QUOTED};")
_EDGE = re.compile(rf"\s*{_QUOTED} -> {_QUOTED}( \[dir=none\])?;")


def dot_reader(content: bytes) -> Found | None:
    """Read files in which every line is as climbfast writes it."""
    first, *lines = content.decode("utf-8-sig").split("\n")
    if first != "digraph {" or lines[-2:] != ["}", ""]:
        return None
    nodes, directed, undirected = set(), set(), set()
    for line in lines[:-2]:
        if found := _EDGE.fullmatch(line):
            x, y = (re.sub(r"\\(.)", r"\1", text) for text in found.groups()[:2])
            nodes |= {x, y}
            if found[3]:
                undirected.add(frozenset((x, y)))
            else:
                directed.add((x, y))
        elif found := _NODE.fullmatch(line):
            nodes.add(re.sub(r"\\(.)", r"\1", found[1]))
        else:
            return None
    return nodes, directed, undirected


def test_dot(folder):
    tokens = [
        *(b"->", b"--", b"{", b"}", b"[dir=both]", b"[arrowhead=odot]", b"subgraph", b"edge [dir=none]", b"a -> b"),
        *(b"o->", b"<->", b"<-", b"/*", b"//", b"#", b"<b>", b'"+"', b"strict", b"[label=x]", b"[json_name=1]"),
    ]
    compare(folder, ".dot", saved(folder, ".dot"), tokens, dot_reader)


# ---- BIF

_VARIABLE = re.compile(r'variable\s+([^\s"{]+)\s*\{')
_PROBABILITY = re.compile(r'probability\s*\(\s*([^\s"|,()]+)\s*(?:[|,\s]([^")]*))?\)\s*\{')


def bif_reader(content: bytes) -> Found | None:
    text = content.decode("utf-8-sig")
    if re.search(r'//|/\*|property|"', text):
        return None
    nodes = set(_VARIABLE.findall(text))
    arcs = set()
    for node, parents in _PROBABILITY.findall(text):
        arcs |= {(parent, node) for parent in re.split(r"[\s,|]+", parents.strip()) if parent}
    return nodes, arcs, set()


def test_bif(folder):
    file = folder / "sample.bif"
    cf.write_bif(cf.load_example(), file)
    samples = [file.read_bytes()] * 2 + [
        b"network x {\n}\nvariable a {\n type discrete [ 2 ] { yes, no };\n}\nvariable b {\n type discrete [ 2 ] "
        b"{ low, high };\n}\nprobability ( a ) {\n table 0.5, 0.5;\n}\nprobability ( b | a ) {\n (yes) 0.1, 0.9;\n"
        b" (no) 0.4, 0.6;\n}\n"
    ]
    tokens = [
        b"default",
        b"table",
        b"[ 2 ]",
        b"[ 99 ]",
        b"variable",
        b"probability",
        b"property x;",
        b"/*",
        b"//",
        b"|",
    ]
    compare(folder, ".bif", samples, tokens, bif_reader)


# ---- Formats of other programs, for which there is no independent reader


TETRAD_XML = (
    b"<graph><variables><variable>a</variable><variable>b c</variable></variables>"
    b"<edges><edge>a --&gt; b c</edge></edges></graph>"
)
GML = b'graph [ directed 1 node [ id 0 label "a" ] node [ id 1 label "b" ] edge [ source 0 target 1 type "directed" ] ]'
ANDREY = (
    b'{"structure_type": "graph", "labels": ["a", "b"], "n_nodes": 2, "indptr": [0, 1, 2], "indices": [1, 0], '
    b'"marks": [1, 2]}'
)
TETRAD = (
    b'{"nodes": [{"name": "a"}, {"name": "b"}], "edgesSet": [{"node1": {"name": "a"}, "node2": {"name": "b"}, '
    b'"endpoint1": "TAIL", "endpoint2": "ARROW"}]}'
)
LINKS = (
    b'{"directed": true, "multigraph": false, "nodes": [{"id": "a"}, {"id": "b"}], '
    b'"links": [{"source": "a", "target": "b", "type": "directed"}]}'
)
FLAT = b'[{"data": {"id": "a"}}, {"data": {"id": "b"}}, {"data": {"source": "a", "target": "b", "type": "-->"}}]'


@pytest.mark.parametrize(
    ("suffix", "more"),
    [
        (".dagitty", [b'pdag G { bb="0,0,1,1" a [exposure,pos="1,2"] ; a -> {b c} ; c -- "d e" + "f" <- a }']),
        (".lavaan", [b"y ~ a*x + 0*z\nf =~ u + v # c\ny ~~ y; y ~ 1\n", b"y ~ x +\n z"]),
        (".txt", [b"Graph Nodes:\nX1,(L 2)\n\nGraph Edges:\n1. X1 --> L 2 dd nl\n"]),
        (".xml", [TETRAD_XML]),
        (".gml", [GML]),
        (".cyjs", [FLAT]),
        (".json", [ANDREY, TETRAD, LINKS, FLAT]),
    ],
)
def test_formats_of_other_programs(folder, suffix, more):
    samples = list(more)
    for graph in (cf.Graph("abcd", [("a", "b"), ("c", "b")]), cf.Graph("ab", (), [("a", "b")])):
        if suffix in WRITTEN and not (suffix == ".lavaan" and graph.undirected):
            graph.save(folder / f"sample{suffix}")
            samples.append((folder / f"sample{suffix}").read_bytes())
    tokens = [b"o->", b"<->", b"@->", b"-->", b"---", b"null", b"[]", b"{}", b"1e999", b'"\\ud800"', b"~~", b"graph"]
    assert sum(1 for _ in outcomes(cf.read_graph, folder / f"mutant{suffix}", samples, tokens))
