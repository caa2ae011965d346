"""`climbfast compare`: what it prints, what it reads, what it refuses."""

from __future__ import annotations

import csv
import json
from itertools import pairwise

import pytest

import climbfast as cf
from climbfast.networks.examples import load_example

ODD = ("a b", "x,y", 'q"q', "[red]r[/red]", "a -> b", "line\nbreak", "é中")


@pytest.fixture
def truth():
    return cf.Graph.from_networkx(load_example().to_networkx())


@pytest.fixture
def found(truth):
    """One arc turned round, one left out, one invented, one without direction."""
    kept = list(truth.directed)
    turned, _left_out, undirected, *others = kept
    names = list(truth.names)
    invented = next((x, y) for x in names for y in names if x != y and y not in truth.neighbors_of(x))
    return cf.Graph(truth.names, [turned[::-1], invented, *others], [undirected])


class TestPage:
    def test_figures_and_edges(self, run, truth, found, tmp_path):
        truth.save(tmp_path / "truth.csv")
        found.save(tmp_path / "found.dot")
        code, out, err = run("compare", tmp_path / "truth.csv", tmp_path / "found.dot")
        result = cf.compare(truth, found)
        lines = [" ".join(line.split()) for line in out.splitlines()]
        assert (code, err) == (0, "")
        assert lines[0] == "15 nodes; 18 edges in the true graph, 18 in the graph found"
        assert f"SHD {result.shd}" in lines
        assert f"SHD of the skeletons {result.shd_skeleton}" in lines
        assert f"SID {result.sid}" in lines
        assert f"directed edges 15 17 18 {15 / 17:.3f} {15 / 18:.3f} {30 / 35:.3f}" in lines
        assert f"directed, undirected counted as wrong 15 18 18 {15 / 18:.3f} {15 / 18:.3f} {15 / 18:.3f}" in lines
        for kind in ("missing", "extra", "reversed", "undecided"):
            ((x, y),) = getattr(result, kind)
            (line,) = [line for line in lines if line.startswith(kind)]
            shown = {
                "missing": f"{x} -> {y} no edge",
                "extra": f"no edge {x} -> {y}",
                "reversed": f"{x} -> {y} {y} -> {x}",
                "undecided": f"{x} -> {y} {x} -- {y}",
            }[kind]
            assert line in (f"{kind} {shown}", f"{kind} {x} -> {y} {y} -- {x}")

    def test_nothing_differs(self, run, truth, tmp_path):
        truth.save(tmp_path / "truth.json")
        _, out, _ = run("compare", tmp_path / "truth.json", tmp_path / "truth.json")
        assert out.endswith("The graphs have the same edges.\n")

    def test_odd_names(self, run, tmp_path):
        cf.Graph(ODD, [ODD[:2], ODD[3:5]]).save(tmp_path / "truth.csv")
        cf.Graph(ODD, [ODD[1::-1]], [ODD[5:7]]).save(tmp_path / "found.graphml")
        code, out, err = run("compare", tmp_path / "truth.csv", tmp_path / "found.graphml")
        assert (code, err) == (0, "")
        assert "a b -> 'x,y'" in out
        assert "[red]r[/red] -> 'a -> b'" in out
        assert r"'line\nbreak' -- é中" in out

    def test_the_best_and_the_worst_of_a_class(self, run, tmp_path, monkeypatch):
        cf.Graph("abc", [("a", "b"), ("b", "c")]).save(tmp_path / "dag.csv")
        cf.Graph("abc", (), [("a", "b"), ("b", "c")]).save(tmp_path / "class.csv")
        _, out, _ = run("compare", tmp_path / "dag.csv", tmp_path / "class.csv")
        assert "SID of the best and the worst DAG in the class" in out
        assert "  0 to 6\n" in out
        monkeypatch.setattr("climbfast.graphs.sid.MOST_ORIENTED", 1)
        assert " (bounds)\n" in run("compare", tmp_path / "dag.csv", tmp_path / "class.csv").out

    def test_without_a_distance_of_interventions(self, run, truth, tmp_path):
        truth.save(tmp_path / "dag.csv")
        truth.to_cpdag().save(tmp_path / "class.csv")
        _, out, _ = run("compare", tmp_path / "class.csv", tmp_path / "dag.csv")
        assert "SID" in out
        assert "not defined: TRUTH must be a DAG" in out
        assert "overdecided" in out

    def test_many_differences(self, run, tmp_path):
        names = [f"x{i:03}" for i in range(151)]
        arcs = list(pairwise(names))
        cf.Graph(names, arcs).save(tmp_path / "truth.csv")
        cf.Graph(names, [arc[::-1] for arc in arcs[:120]]).save(tmp_path / "found.csv")
        files = tmp_path / "truth.csv", tmp_path / "found.csv"
        _, out, _ = run("compare", *files)
        assert out.endswith("\n... and 50 more; --json gives all\n")
        assert (out.count("\nmissing "), out.count("\nreversed ")) == (30, 70)
        plain = json.loads(run("compare", *files, "--json").out)
        assert (len(plain["missing"]), len(plain["reversed"])) == (30, 120)


class TestJson:
    def test_is_that_of_the_function(self, run, truth, found, tmp_path):
        truth.save(tmp_path / "truth.graphml")
        found.save(tmp_path / "found.json")
        code, out, err = run("compare", tmp_path / "truth.graphml", tmp_path / "found.json", "--json")
        assert (code, err, out.count("\n")) == (0, "", 1)
        assert json.loads(out) == json.loads(cf.compare(truth, found).to_json())

    @pytest.mark.parametrize("suffix", [".csv", ".json", ".graphml", ".dot", ".gv"])
    def test_every_format_against_a_network(self, run, truth, tmp_path, suffix):
        cf.write_bif(load_example(), tmp_path / "network.bif")
        truth.save(tmp_path / f"found{suffix}")
        _, out, _ = run("compare", tmp_path / "network.bif", tmp_path / f"found{suffix}", "--json")
        plain = json.loads(out)
        assert (plain["shd"], plain["sid"], plain["skeleton"]["true"]) == (0, 0, 18)

    def test_packed_networks_and_lists_of_arcs(self, run, truth, tmp_path):
        cf.write_bif(load_example(), tmp_path / "network.bif.gz")
        with (tmp_path / "arcs.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("parent", "child"), *truth.directed])
        _, out, _ = run("compare", tmp_path / "arcs.csv", tmp_path / "network.bif.gz", "--json")
        assert json.loads(out)["shd"] == 0

    def test_json_of_a_graph_is_read_by_the_next_command(self, run, found, tmp_path):
        (tmp_path / "found.json").write_text(found.to_json())
        _, out, _ = run("compare", tmp_path / "found.json", tmp_path / "found.json", "--json")
        assert json.loads(out)["shd"] == 0


class TestRefusals:
    def test_other_nodes(self, refused, tmp_path):
        (tmp_path / "truth.csv").write_text("parent,child\na,b\n")
        (tmp_path / "found.csv").write_text("source,target,type\na,B,directed\nc,,node\n")
        said = refused("compare", tmp_path / "truth.csv", tmp_path / "found.csv")
        assert f"{tmp_path / 'truth.csv'} and {tmp_path / 'found.csv'}: the graphs have different nodes" in said
        assert "only in the truth: 'b'; only in the graph found: 'B', 'c'. Nodes without edges" in said

    @pytest.mark.parametrize(
        ("name", "content", "says"),
        [
            ("g.csv", "parent,child\na,b\na\n", "g.csv: line 3 has 1 cells"),
            ("g.csv", "parent,child\na,b\nb,a\n", "g.csv: line 3: 'b' and 'a' have an edge already, in line 2"),
            ("g.csv", "from,to\na,b\n", "g.csv: line 1: the columns of a graph are source,target,type or parent,child"),
            ("g.json", '{"edges": [{"source": "a"}]}', "g.json: edge 1: an edge has a source"),
            ("g.dot", "digraph {\n a -> \n}", "g.dot: line 3: found '}'"),
            ("g.graphml", "<graphml>", "g.graphml: line 1: not XML"),
            ("g.bif", "network x {\n}\nvariables", "g.bif, line 3: "),
            ("g.xlsx", "", "g.xlsx: unknown suffix; known are .csv, .json, .graphml, .dot, .gv, .cyjs, "),
        ],
    )
    def test_a_file(self, refused, tmp_path, name, content, says):
        (tmp_path / "good.csv").write_text("parent,child\na,b\n")
        (tmp_path / name).write_text(content)
        assert says in refused("compare", tmp_path / name, tmp_path / "good.csv")
        assert says in refused("compare", tmp_path / "good.csv", tmp_path / name)

    def test_usage(self, refused, tmp_path):
        assert "missing argument 'FOUND'" in refused("compare", tmp_path / "a.csv")
        assert "there is no such file" in refused("compare", tmp_path / "a.csv", tmp_path / "b.csv")
