"""The commands graph and orient: what the functions return, in files that the next command reads."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

import climbfast as cf

SUFFIXES = ("csv", "json", "graphml", "dot")


@pytest.fixture(scope="module")
def found(health):
    return cf.pc(cf.read(health))


def edges(graph):
    return set(graph.directed), {frozenset(edge) for edge in graph.undirected}, set(graph.names)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_graph_to_a_file(run, health, found, tmp_path, suffix):
    out = tmp_path / f"graph.{suffix}"
    code, shown, said = run("graph", health, "--method", "pc", "--out", out)
    assert (code, shown) == (0, "")
    assert said == f"{str(found).splitlines()[0]}; written to {out}\n"
    assert edges(cf.read_graph(out)) == edges(found)


def test_graph_as_json(run, health, found, tmp_path):
    code, shown, said = run("graph", health, "--method", "pc", "--json", "--jobs", 2)
    plain = json.loads(shown)
    assert (code, said) == (0, "")
    expected = json.loads(found.to_json())
    assert {**plain, "seconds": 0} == {**expected, "seconds": 0}
    run("graph", health, "--method", "pc", "--json", "--out", tmp_path / "graph.json")
    assert edges(cf.read_graph(tmp_path / "graph.json")) == edges(found)


def test_graph_for_people(run, health, found):
    code, shown, _ = run("graph", health, "--method", "pc")
    assert code == 0
    for x, y in found.directed:
        assert f"{x} -> {y} " in shown
    for x, y in found.undirected:
        assert f"{x} -- {y} " in shown
    assert f"3,000 rows, {len(found.names)} columns; method pc; test sci; {found.tests:,} tests; " in shown


def test_options_of_graph(run, health):
    options = [
        "--method", "pc", "--test", "g2", "--alpha", 0.05, "--min-rows-per-df", 5, "--conflicts", "overwrite",
        "--max-given", "none",
    ]  # fmt: skip
    plain = json.loads(run("graph", health, "--json", "--orient", "climb", *options).out)
    data = cf.read(health)
    graph = cf.pc(data, cf.G2(alpha=0.05, min_rows_per_df=5), conflicts="overwrite", max_given=None)
    expected = json.loads(cf.orient(graph, data).to_json())
    assert {**plain, "seconds": 0} == {**expected, "seconds": 0}
    assert plain["options"]["orient"] == "climb"


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        ((), {}),
        (("--perturbations", 5, "--seed", 2, "--parent-code", 1), {"score": cf.AIC(1), "perturbations": 5, "seed": 2}),
        (("--score", "bic", "--penalty", 2), {"score": cf.BIC(2)}),
    ],
)
def test_the_best_graph_is_the_default(run, health, typed, options):
    plain = json.loads(run("graph", health, "--json", *typed).out)
    assert plain["method"] == "best"
    expected = json.loads(cf.causal_graph(cf.read(health), **options).to_json())
    assert {**plain, "seconds": 0} == {**expected, "seconds": 0}


def test_options_of_the_best_graph_are_its_own(run, health):
    code, _, said = run("graph", health, "--method", "pc", "--perturbations", 5)
    assert code == 2
    assert "--perturbations is not an option of the method pc; it is for best" in said
    code, _, said = run("graph", health, "--method", "pc", "--score", "bic")
    assert code == 2
    assert "--score is not an option of the method pc; it is for best and fges" in said
    for option in (("--alpha", 0.05), ("--test", "g2"), ("--max-given", 2), ("--jobs", 2)):
        code, _, said = run("graph", health, *option)
        assert code == 2
        assert f"{option[0]} is not an option of the method best; it is for pc" in said


@pytest.mark.parametrize(
    ("typed", "score"),
    [((), "bdeu"), (("--score", "bic", "--penalty", 2), cf.BIC(2)), (("--structure-prior", 2), cf.BDeu(1, 2))],
)
def test_fges(run, health, typed, score):
    plain = json.loads(run("graph", health, "--method", "fges", "--json", *typed).out)
    expected = json.loads(cf.fges(cf.read(health), score).to_json())
    assert {**plain, "seconds": 0} == {**expected, "seconds": 0}


@pytest.mark.parametrize("bits", ["7", "auto"])
def test_min_bits_of_pc(run, health, bits):
    plain = json.loads(run("graph", health, "--method", "pc", "--min-bits", bits, "--json").out)
    graph = cf.pc(cf.read(health), min_bits=bits if bits == "auto" else float(bits))
    assert {**plain, "seconds": 0} == {**json.loads(graph.to_json()), "seconds": 0}


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


def test_pages_show_the_figures_that_there_are(run, health, tmp_path):
    _, page, _ = run("graph", health)
    lines = page.splitlines()
    assert lines[2].split() == ["edge", "strength"]
    assert "3,000 rows, 15 columns; method best; score aic; " in lines[-1]
    cf.causal_graph(cf.read(health)).save(tmp_path / "dag.csv")
    _, page, _ = run("orient", tmp_path / "dag.csv", health)
    lines = page.splitlines()
    assert lines[2].split() == ["edge", "margin", "(bits)"]
    assert "3,000 rows, 15 columns; method climb; " in lines[-1]


def test_orient_and_compare_with_the_network(run, health, tmp_path):
    network = tmp_path / "health.bif"
    cf.write_bif(cf.load_example(), network)
    run("orient", network, health, "--out", tmp_path / "dag.csv")
    comparison = json.loads(run("compare", network, tmp_path / "dag.csv", "--json").out)
    assert comparison["shd"] == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--method", "ges"], "--method is 'ges'; it is one of best, pc, fges"),
        (["--method", "pc", "--conflicts", "maybe"], "--conflicts is 'maybe'; it is one of majority"),
        (["--orient", "maybe"], "--orient is 'maybe'; it is one of none, climb, global"),
        (["--method", "pc", "--max-given", "few"], "--max-given is 'few'"),
        (["--method", "pc", "--jobs", 0], "--jobs is 0; it is a number of workers"),
        (["--method", "pc", "--test", "sci", "--alpha", 0.1], "--alpha is not an option of the test sci"),
        (["--out", "graph.txt"], "graph.txt: unknown suffix; known are .csv, .json, .graphml, .dot"),
        (["--out", "no/such/graph.csv"], "the folder no/such does not exist"),
    ],
)
def test_graph_refuses(refused, health, options, says):
    assert says in refused("graph", health, *options)


def test_a_graph_in_the_place_of_what_it_is_made_from(refused, health, found, tmp_path):
    data, graph = tmp_path / "data.csv", tmp_path / "graph.csv"
    data.write_bytes(Path(health).read_bytes())
    found.save(graph)
    before = data.read_bytes(), graph.read_bytes()
    again = tmp_path / "folder" / ".." / "data.csv"
    (tmp_path / "folder").mkdir()
    assert "the same file as DATA; name another one for --out" in refused("graph", data, "--out", again)
    assert "the same file as DATA" in refused("orient", graph, data, "--out", data)
    assert "the same file as GRAPH" in refused("orient", graph, data, "--out", graph)
    assert (data.read_bytes(), graph.read_bytes()) == before


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--method", "best"], "--method is 'best'; it is one of climb, global"),
        (["--seed", 1], "seed is for the method global"),
        (["--method", "global", "--restarts", -1], "--restarts is -1"),
        (["--edges", "few"], "--edges is 'few'; it is one of undirected, all"),
        (["--out", "graph.txt"], "graph.txt: unknown suffix"),
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
        _, page, _ = run("orient", *chain)
        lines = page.splitlines()
        assert sum(" -> " in line for line in lines) == 100
        assert "... and 140 more; --out FILE or --json gives all" in lines
        (without,) = [line for line in lines if line.startswith("Without edges: x241, x242, ")]
        assert without.endswith(", x339, x340 and 139 more")

    def test_files_and_json_are_complete(self, run, chain, tmp_path):
        _, plain, _ = run("orient", *chain, "--json", "--out", tmp_path / "dag.csv")
        assert len(json.loads(plain)["edges"]) == len(cf.read_graph(tmp_path / "dag.csv").directed) == 240
        assert len(cf.read_graph(tmp_path / "dag.csv").names) == 480

    def test_a_hundred_edges_are_shown_without_a_note(self, run, chain, tmp_path):
        names = [f"x{i:03}" for i in range(101)]
        cf.Graph(names, (), list(pairwise(names))).save(tmp_path / "chain.csv")
        _, page, _ = run("orient", *chain)
        assert page.count(" -> ") == 100
        assert "more" not in page

    def test_no_edges(self, run, chain, tmp_path):
        (tmp_path / "chain.csv").write_text("source,target,type\nx001,,node\nx002,,node\n")
        _, page, _ = run("orient", *chain)
        assert page.startswith("2 nodes, 0 directed and 0 undirected edges, DAG")
        assert "\n\nNo edges.\n\nWithout edges: x001, x002\n\n" in page


def test_formulas_are_quoted_if_asked_for(run, tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("=a,b\n" + "0,0\n1,1\n" * 20 + "0,1\n1,0\n")
    for command in ("graph", "blankets"):
        out = tmp_path / f"{command}.csv"
        assert run(command, data, "--out", out, "--quote-formulas").code == 0
        assert ",'=a," in out.read_text() or "\n'=a," in out.read_text()
    oriented = tmp_path / "oriented.csv"
    assert run("orient", tmp_path / "graph.csv", data, "--out", oriented, "--quote-formulas").code == 0
    assert set(cf.read_graph(oriented).names) == {"=a", "b"}
