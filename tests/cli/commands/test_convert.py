"""`climbfast convert`: from any format that is read to any that is written."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.graphs.formats import WRITTEN

GRAPH = cf.Graph("abc", [("a", "b"), ("c", "b")])
TEXT = "Graph Nodes:\na;b;c\n\nGraph Edges:\n1. a --> b\n2. b --- c\n"


@pytest.mark.parametrize("suffix", WRITTEN)
def test_there_and_back(run, suffix, tmp_path):
    GRAPH.save(tmp_path / "graph.json")
    there, back = tmp_path / f"there{suffix}", tmp_path / "back.csv"
    code, out, err = run("convert", tmp_path / "graph.json", "--out", there)
    assert (code, out) == (0, "")
    assert err == f"3 nodes, 2 directed and 0 undirected edges, DAG and CPDAG; written to {there}\n"
    assert run("convert", there, "--out", back)[0] == 0
    assert cf.read_graph(back) == GRAPH


def test_without_a_file_it_is_shown(run, tmp_path):
    (tmp_path / "graph.txt").write_text(TEXT)
    code, out, err = run("convert", tmp_path / "graph.txt")
    assert (code, err) == (0, "")
    assert "3 nodes, 1 directed and 1 undirected edges" in out
    assert "method" not in out, "how the graph was found is not known"
    code, out, err = run("convert", tmp_path / "graph.txt", "--json")
    assert [edge["type"] for edge in json.loads(out)["edges"]] == ["directed", "undirected"]


def test_to_standard_output(run, tmp_path):
    (tmp_path / "graph.txt").write_text(TEXT)
    code, out, _ = run("convert", tmp_path / "graph.txt", "--out", "-", "--out-format", "dagitty")
    assert (code, out) == (0, "pdag {\n  a\n  b\n  c\n  a -> b\n  b -- c\n}\n")


@pytest.mark.parametrize(
    ("name", "content", "out", "says"),
    [
        ("graph.txt", TEXT, "new.lavaan", "lavaan has no undirected edges"),
        (
            "graph.txt",
            TEXT.replace("-->", "o->"),
            "new.csv",
            "graph.txt: line 5: the edge from 'a' to 'b' has the marks",
        ),
        ("graph.dagitty", "dag { 'a b' -> c }", "new.txt", "Tetrad cannot read the name 'a b'"),
        ("graph.txt", TEXT, "new.xls", "new.xls: unknown suffix; known are .csv, .json"),
        ("graph.txt", TEXT, "graph.txt", "GRAPH"),
    ],
)
def test_what_is_refused(run, name, content, out, says, tmp_path):
    (tmp_path / name).write_text(content)
    code, shown, err = run("convert", tmp_path / name, "--out", tmp_path / out)
    assert (code, shown) == (2, "")
    assert says in err
    assert (tmp_path / name).read_text() == content
