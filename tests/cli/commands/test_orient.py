"""`climbfast orient`: what the function returns, in files that the next command reads."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

import climbfast as cf
from tests.cli.commands.expected import SUFFIXES, edges


@pytest.fixture(scope="module")
def found(health):
    return cf.pc(cf.read(health))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("method", ["climb", "global"])
def test_orient_what_graph_wrote(run, health, found, tmp_path, suffix, method):
    graph, dag = tmp_path / f"graph.{suffix}", tmp_path / f"dag.{suffix}"
    found.save(graph)
    code, shown, said = run("orient", graph, health, "--method", method, "--out", dag)
    assert (code, shown) == (0, "")
    assert said.endswith(f"DAG; written to {dag}\n")
    assert edges(cf.read_graph(dag)) == edges(cf.orient(found, cf.read(health), method))


def test_orient_for_people_and_as_json(run, health, found, tmp_path):
    found.save(tmp_path / "graph.json")
    options = ["--method", "global", "--edges", "undirected", "--restarts", 2, "--seed", 7]
    expected = cf.orient(found, cf.read(health), "global", edges="undirected", restarts=2, seed=7)
    plain = json.loads(run("orient", tmp_path / "graph.json", health, "--json", *options).out)
    assert {**plain, "seconds": 0} == {**json.loads(expected.to_json()), "seconds": 0}
    shown = run("orient", tmp_path / "graph.json", health, *options).out
    for (x, y), margin in expected.margins.items():
        line = next(line for line in shown.splitlines() if line.startswith(f"{x} -> {y} "))
        assert line.endswith(f" {margin:,.1f}")


def test_orient_and_compare_with_the_network(run, health, tmp_path):
    network = tmp_path / "health.bif"
    cf.write_bif(cf.load_example(), network)
    run("orient", network, health, "--out", tmp_path / "dag.csv")
    comparison = json.loads(run("compare", network, tmp_path / "dag.csv", "--json").out)
    assert comparison["shd"] == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--method", "best"], "--method is 'best'; it is one of climb, global"),
        (["--seed", 1], "seed is for the method global"),
        (["--method", "global", "--restarts", -1], "--restarts is -1"),
        (["--edges", "few"], "--edges is 'few'; it is one of undirected, all"),
        (["--out", "graph.xls"], "graph.xls: unknown suffix"),
    ],
)
def test_orient_refuses(refused, health, found, tmp_path, options, says):
    found.save(tmp_path / "graph.csv")
    assert says in refused("orient", tmp_path / "graph.csv", health, *options)


def test_orient_refuses_graphs_that_do_not_fit(refused, health, tmp_path):
    path = tmp_path / "graph.csv"
    assert "no such file" in refused("orient", path, health)
    path.write_text("source,target,type\nage,weigth,undirected\n")
    assert "no column named 'weigth'; the nearest are 'weight'" in refused("orient", path, health)
    path.write_text("source,target,type\nage,weight,directed\nweight,diet,directed\ndiet,age,directed\n")
    assert "the directed edges form a cycle" in refused("orient", path, health)


@pytest.fixture
def chain_of_two(tmp_path):
    rows = [(a, b) for a, b, times in ((0, 0, 30), (0, 1, 10), (1, 0, 8), (1, 1, 25)) for _ in range(times)]
    (tmp_path / "data.csv").write_text("\n".join(["a,b", *(f"{a},{b}" for a, b in rows), ""]))
    cf.Graph("ab", (), [("a", "b")]).save(tmp_path / "graph.csv")
    return tmp_path / "graph.csv", tmp_path / "data.csv"


def test_what_the_data_hardly_prefer_is_left_open(run, chain_of_two):
    """Two columns alone: only regrets decide, by less than one bit."""
    graph, data = chain_of_two
    _, page, _ = run("orient", graph, data)
    assert "\na -- b" in page
    assert "Directions:" not in page
    _, page, _ = run("orient", graph, data, "--directions", "all")
    row = next(line for line in page.splitlines() if " -> " in line)
    bits = cf.orient(cf.read_graph(graph), cf.read(data), directions="all").margins
    assert row.split()[3:] == ["chosen", f"{next(iter(bits.values())):.1f}"]
    assert "Directions: chosen: a score chose it, by so many bits." in page
    code, _, said = run("orient", graph, data, "--directions", "sure")
    assert code == 2
    assert "--directions is 'sure'; it is one of decided, all" in said


class TestLargeGraphs:
    """The page shows the first 100 edges and names; files and JSON have all."""

    @pytest.fixture
    def chain(self, tmp_path):
        """A file of data, and one of a graph whose first half of the nodes is a chain without directions."""
        names = [f"x{i:03}" for i in range(480)]
        rows = (",".join("01"[i == j] for i in range(len(names))) for j in range(4))
        (tmp_path / "data.csv").write_text("\n".join([",".join(names), *rows, ""]))
        chain = cf.Graph(names, (), list(pairwise(names[:241])))
        chain.save(tmp_path / "chain.csv")
        return tmp_path / "chain.csv", tmp_path / "data.csv"

    def test_page(self, run, chain):
        _, page, _ = run("orient", *chain, "--directions", "all")
        lines = page.splitlines()
        assert sum(" -> " in line for line in lines) == 100
        assert "... and 140 more; --out FILE or --json gives all" in lines
        (without,) = [line for line in lines if line.startswith("Without edges: x241, x242, ")]
        assert without.endswith(", x339, x340 and 139 more")

    def test_files_and_json_are_complete(self, run, chain, tmp_path):
        _, plain, _ = run("orient", *chain, "--directions", "all", "--json", "--out", tmp_path / "dag.csv")
        assert len(json.loads(plain)["edges"]) == len(cf.read_graph(tmp_path / "dag.csv").directed) == 240
        assert len(cf.read_graph(tmp_path / "dag.csv").names) == 480

    def test_a_hundred_edges_are_shown_without_a_note(self, run, chain, tmp_path):
        names = [f"x{i:03}" for i in range(101)]
        cf.Graph(names, (), list(pairwise(names))).save(tmp_path / "chain.csv")
        _, page, _ = run("orient", *chain, "--directions", "all")
        assert page.count(" -> ") == 100
        assert "more" not in page

    def test_no_edges(self, run, chain, tmp_path):
        (tmp_path / "chain.csv").write_text("source,target,type\nx001,,node\nx002,,node\n")
        _, page, _ = run("orient", *chain)
        assert page.startswith("2 nodes, 0 directed and 0 undirected edges, DAG")
        assert "\n\nNo edges.\n\nWithout edges: x001, x002\n\n" in page
