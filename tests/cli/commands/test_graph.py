"""`climbfast graph`: what the function returns, in files that the next command reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import climbfast as cf
from tests.cli.commands.expected import SUFFIXES, edges


@pytest.fixture(scope="module")
def found(health):
    return cf.pc(cf.read(health))


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


@pytest.mark.parametrize("method", ["pc+climb", "pc+global", "fges+climb", "fges+global"])
def test_methods_with_an_orientation(run, health, method):
    plain = json.loads(run("graph", health, "--method", method, "--json").out)
    assert plain["method"] == method
    expected = json.loads(cf.causal_graph(cf.read(health), method).to_json())
    assert {**plain, "seconds": 0} == {**expected, "seconds": 0}
    search, _, orientation = method.partition("+")
    again = json.loads(run("graph", health, "--method", search, "--orient", orientation, "--json").out)
    assert {**again, "seconds": 0} == {**plain, "seconds": 0}


@pytest.mark.parametrize("bits", ["7", "auto"])
def test_min_bits_of_pc(run, health, bits):
    plain = json.loads(run("graph", health, "--method", "pc", "--min-bits", bits, "--json").out)
    graph = cf.pc(cf.read(health), min_bits=bits if bits == "auto" else float(bits))
    assert {**plain, "seconds": 0} == {**json.loads(graph.to_json()), "seconds": 0}


def test_pages_show_the_figures_that_there_are(run, health, tmp_path):
    _, page, _ = run("graph", health)
    lines = page.splitlines()
    heading = lines[2]
    assert heading.split()[:3] == ["edge", "direction", "strength"]
    assert "searches with it, of 6" in heading
    assert "3,000 rows, 15 columns; method best; score vote; " in lines[-1]
    cf.fges(cf.read(health)).save(tmp_path / "dag.csv")
    _, page, _ = run("orient", tmp_path / "dag.csv", health)
    lines = page.splitlines()
    assert lines[2].split() == ["edge", "direction", "margin", "(bits)"]
    assert "3,000 rows, 15 columns; method climb; " in lines[-1]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ["--method", "ges"],
            "--method is 'ges'; it is one of best, pc, pc+climb, pc+global, fges, fges+climb, fges+global",
        ),
        (["--method", "pc", "--conflicts", "maybe"], "--conflicts is 'maybe'; it is one of majority"),
        (
            ["--method", "pc+climb", "--orient", "none"],
            "--orient is not for the method pc+climb, which directs edges by climb; use --method pc",
        ),
        (["--method", "fges+climb", "--alpha", 0.1], "--alpha is not an option of the method fges+climb; it is for pc"),
        (["--orient", "maybe"], "--orient is 'maybe'; it is one of none, climb, global"),
        (["--method", "pc", "--max-given", "few"], "--max-given is 'few'"),
        (["--method", "pc", "--jobs", 0], "--jobs is 0; it is a number of workers"),
        (["--method", "pc", "--test", "sci", "--alpha", 0.1], "--alpha is not an option of the test sci"),
        (["--out", "graph.xls"], "graph.xls: unknown suffix; known are .csv, .json, .graphml, .dot"),
        (["--out", "no/such/graph.csv"], "no/such does not exist"),
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


def test_directions_are_of_the_orientation(run, health):
    data = cf.read(health)
    for options in (("fges+climb",), ("fges", "--orient", "climb")):
        plain = json.loads(run("graph", health, "--json", "--method", *options, "--directions", "all").out)
        expected = json.loads(cf.orient(cf.fges(data), data, directions="all").to_json())
        assert {**plain, "seconds": 0} == {**expected, "seconds": 0}
    code, _, said = run("graph", health, "--method", "pc", "--directions", "all")
    assert code == 2
    assert "--directions is for directions that a score chooses; pc has none without --orient" in said
    code, _, said = run("graph", health, "--method", "fges+climb", "--directions", "sure")
    assert (code, "--directions is 'sure'; it is one of decided, all" in said) == (2, True)


class TestFrequencies:
    @pytest.mark.parametrize(
        ("typed", "search"),
        [
            (["--method", "pc", "--max-given", 2, "--jobs", 2], lambda data: cf.pc(data, max_given=2)),
            (["--method", "pc+climb"], lambda data: cf.causal_graph(data, "pc+climb")),
            (["--method", "pc", "--orient", "climb"], lambda data: cf.orient(cf.pc(data), data)),
            (
                ["--method", "fges", "--sample-prior", 5, "--jobs", 1],
                lambda data: cf.fges(data, cf.BDeu(sample_prior=5)),
            ),
            (
                ["--method", "pc", "--require", "sleep,fatigue"],
                lambda data: cf.pc(data, knowledge=cf.Knowledge(required=[("sleep", "fatigue")])),
            ),
        ],
    )
    def test_they_are_those_of_the_same_search_on_resampled_tables(self, run, health, typed, search):
        arguments = ["--bootstrap", 3, "--bootstrap-scheme", "half", "--bootstrap-seed", 7, "--json"]
        code, shown, err = run("graph", health, *typed, *arguments)
        data = cf.read(health)
        drawn = {"replicates": 3, "scheme": "half", "seed": 7, "progress": False, "n_jobs": 1}
        expected = cf.bootstrap(data, search, **drawn).added_to(search(data))
        assert code == 0
        assert json.loads(shown) | {"seconds": 0} == json.loads(expected.to_json()) | {"seconds": 0}
        assert "climbfast: replicates: 3/3" in err

    @pytest.mark.parametrize("suffix", SUFFIXES)
    def test_to_a_file(self, run, health, tmp_path, suffix):
        code, _, err = run(
            "graph",
            health,
            "--method",
            "pc",
            "--bootstrap",
            3,
            "--bootstrap-seed",
            1,
            "--out",
            tmp_path / f"g.{suffix}",
        )
        data = cf.read(health)
        expected = cf.bootstrap(data, "pc", replicates=3, seed=1, progress=False).added_to(cf.pc(data))
        assert code == 0
        assert cf.read_graph(tmp_path / f"g.{suffix}").frequencies == expected.frequencies
        assert err.splitlines()[-1].endswith(f"; written to {tmp_path / f'g.{suffix}'}")

    def test_on_the_page(self, run, health):
        _, plain, _ = run("graph", health, "--method", "pc")
        _, page, _ = run("graph", health, "--method", "pc", "--bootstrap", 3)
        heading = ["edge", "strength", "frequency", "as", "it", "is"]
        assert [word for word in page.splitlines()[2].split() if word in heading] == heading
        assert "\n\nFrequency: share of 3 replicates (bootstrap, seed 0) that have the edge; " in page
        assert "requency" not in plain

    def test_what_is_refused(self, refused, health):
        assert "--bootstrap is 0; it has to be a whole number from 1 up" in refused("graph", health, "--bootstrap", 0)
        assert "--bootstrap-scheme is 'x'; it is one of" in refused(
            "graph", health, "--bootstrap", 2, "--bootstrap-scheme", "x"
        )
        assert "--jobs is not an option of the method fges" in refused("graph", health, "--method", "fges", "--jobs", 2)
        assert "--jobs is 0" in refused("graph", health, "--method", "fges", "--jobs", 0, "--bootstrap", 2)
