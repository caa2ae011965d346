"""The command and the lines of Python on a page find the result again."""

from __future__ import annotations

import shlex

import numpy as np
import pytest

import climbfast as cf
from climbfast.cli import main
from climbfast.networks.saving import save_sample
from climbfast.report.settings import blanket_again, facts_of, graph_again, seconds_text


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    file = tmp_path_factory.mktemp("tables") / "health.csv"
    save_sample(cf.load_example(), 400, 1, file)
    return file


def again_in_python(again, tmp_path, monkeypatch, result):
    """Run the lines, which write a page into the current folder."""
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    exec(again.python, scope)
    assert [each.suffix for each in tmp_path.iterdir()] == [".html"]
    return scope[result]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"test": "g2"},
        {"test": cf.G2(alpha=0.05, df="nominal", min_rows_per_df=2)},
        {"test": cf.CMI(cutoff=0.01)},
        {"test": cf.SCI(min_bits="auto")},
        {"method": "iamb", "max_given": 2},
        {"method": "hiton-mb", "orient": True, "symmetry": "or"},
        {"neighbors": "mmpc", "colliders": False, "min_margin": 3.0, "node_budget": 100, "max_given": None},
        {"max_pool": 2},
        {"method": "hiton-mb", "max_pool": None},
        {"directions": "all"},
        {"method": "best", "directions": "all"},
    ],
    ids=str,
)
def test_a_blanket_is_found_again(table, tmp_path, monkeypatch, options):
    data = cf.read(table)
    blanket = cf.markov_blanket(data, "heart_disease", **options)
    again = blanket_again(blanket, data, source=str(table))
    assert again.notes == ()
    assert again_in_python(again, tmp_path, monkeypatch, "blanket") == blanket
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    (tmp_path / "report.html").unlink()
    assert main(shlex.split(again.command)[1:]) == 0
    typed = (tmp_path / "report.html").read_text(encoding="utf-8")
    for part in ("members", "absent", "data"):
        begin, end = f'<section aria-labelledby="{part}">', "</section>"
        assert page.partition(begin)[2].partition(end)[0] == typed.partition(begin)[2].partition(end)[0]


def test_frequencies_are_found_again(table, tmp_path, monkeypatch):
    data = cf.read(table)
    often = cf.bootstrap(data, "blanket", target="fatigue", replicates=3, seed=5, progress=False, n_jobs=1)
    blanket = often.added_to(cf.markov_blanket(data, "fatigue"))
    again = blanket_again(blanket, data, source=str(table))
    assert "--bootstrap 3 --bootstrap-seed 5" in again.command
    assert again_in_python(again, tmp_path, monkeypatch, "blanket").frequencies == blanket.frequencies


@pytest.mark.parametrize(
    "find",
    [
        lambda data: cf.pc(data),
        lambda data: cf.pc(data, cf.G2(alpha=0.05), conflicts="conservative", max_given=None),
        lambda data: cf.pc(data, max_pool=2),
        lambda data: cf.fges(data, max_degree=2),
        lambda data: cf.fges(data, cf.BIC(penalty=2)),
        lambda data: cf.fges(data, cf.BDeu(10, 2)),
        lambda data: cf.causal_graph(data, perturbations=3, seed=2),
        lambda data: cf.causal_graph(data, "pc+climb", directions="all"),
        lambda data: cf.causal_graph(data, "fges+global"),
    ],
)
def test_a_graph_is_found_again(table, tmp_path, monkeypatch, find):
    data = cf.read(table)
    graph = find(data)
    again = graph_again(graph, data, source=str(table))
    assert again_in_python(again, tmp_path, monkeypatch, "graph") == graph
    (tmp_path / "graph.html").unlink()
    assert main(shlex.split(again.command)[1:]) == 0
    page = (tmp_path / "graph.html").read_text(encoding="utf-8")
    assert page.count("<td>→</td>") == len(graph.directed)
    assert page.count("<td>–</td>") == len(graph.undirected)


def test_a_merged_graph_has_lines_of_python_alone(table, tmp_path, monkeypatch):
    data = cf.read(table)
    graph = cf.markov_blankets(data, n_jobs=1, progress=False).merge("or", "margin")
    again = graph_again(graph, data, source=str(table))
    assert again.command == ""
    assert again_in_python(again, tmp_path, monkeypatch, "graph") == graph


def test_a_graph_of_another_program_has_no_command():
    again = graph_again(cf.Graph(("a", "b")), cf.Dataset.from_frame({"a": [0, 1], "b": [0, 1]}))
    assert (again.command, again.python) == ("", "")


def test_how_the_table_was_read_is_said():
    random = np.random.default_rng(1)
    x = random.normal(size=300)
    frame = {"x": x, "y": x + random.normal(size=300), "z": [None, *"ab" * 149, "a"]}
    with pytest.warns(cf.ClimbfastWarning, match="cells are missing"):
        data = cf.Dataset.from_frame(frame, numbers="quantile:3", missing="test-wise")
    known = cf.Knowledge(forbidden=[("y", "x")])
    again = blanket_again(cf.markov_blanket(data, "x", knowledge=known), data)
    assert "cf.read('DATA.csv', missing=\"test-wise\", numbers='quantile:3')" in again.python
    assert "--missing test-wise --numbers quantile:3 --target x" in again.command
    assert "knowledge=knowledge" in again.python
    assert "--knowledge FILE" in again.command
    assert len(again.notes) == 2


def test_a_typed_command_is_shown_as_it_is(table):
    data = cf.read(table)
    again = blanket_again(cf.markov_blanket(data, "ecg"), data, command="climbfast report x.csv", source="x.csv")
    assert again.command == "climbfast report x.csv"


def test_facts(table):
    facts = dict(facts_of(cf.markov_blanket(cf.read(table), "ecg", test=cf.G2(alpha=0.05), max_given=2)))
    assert (facts["method"], facts["test"], facts["alpha"]) == ("climb", "g2", "0.05")
    assert facts["largest set of given columns"] == "2"
    assert facts["climbfast"] == cf.__version__
    assert [seconds_text(seconds) for seconds in (0.2, 3.4, 4000)] == ["less than a second", "3 s", "4,000 s"]


def test_what_was_left_out_around_hubs_is_a_fact(table):
    data, what = cf.read(table), "most columns of which all sets are given"
    blanket, graph = cf.markov_blanket(data, "heart_disease", max_pool=2), cf.pc(data, max_pool=2)
    facts = dict(facts_of(blanket))
    assert (facts[what], facts["not all sets tried for"]) == ("2", f"{blanket.bounded} neighbors")
    assert dict(facts_of(graph))["not all sets tried for"] == f"{graph.figures['bounded']} edges"
    facts = dict(facts_of(cf.markov_blanket(data, "heart_disease", max_pool=None)))
    assert facts[what] == "no limit"
    assert "not all sets tried for" not in facts


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        ({}, "3 (the default)"),
        ({"max_given": 2}, "2"),
        ({"max_given": None}, "no limit"),
        ({"method": "iamb"}, "no limit while the blanket grows, else 3 (the default)"),
    ],
)
def test_the_largest_set_of_given_columns_is_a_number(options, limit):
    blanket = cf.markov_blanket(cf.load_example().sample(300, seed=1), "ecg", **options)
    assert ("largest set of given columns", limit) in facts_of(blanket)
