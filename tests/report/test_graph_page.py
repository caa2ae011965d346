"""The page of a graph: all edges in words; of a large graph the picture around its hubs."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace

import pytest

import climbfast as cf
from climbfast.plots import MOST_NODES
from climbfast.report import graph_page as module
from climbfast.report.graph_page import around_hubs, graph_page
from climbfast.report.strengths import bits_text
from tests.report.pages import EVIL, ODD_NAMES, check_page, in_another_order, odd_columns


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(2000, seed=1)


def test_it_has_all_edges_with_what_speaks_for_them(data):
    graph = cf.causal_graph(data, perturbations=2)
    elements = check_page(graph_page(graph))
    assert len(elements.of("svg")) == 1
    assert elements.text.count("→") == len(graph.directed)
    assert "votes" in elements.text
    assert "compelled" in elements.text
    assert "In 2,000 rows of 15 columns, climbfast found" in elements.text
    assert "cf.causal_graph(data, perturbations=2)" in elements.text


def test_report_writes_it(tmp_path, data):
    graph = cf.pc(data)
    graph.report(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page == graph_page(graph)
    read = pickle.loads(pickle.dumps(graph))
    with pytest.raises(cf.OptionError, match="has no data"):
        read.report(tmp_path / "b.html")
    read.report(tmp_path / "b.html", data)
    assert (tmp_path / "b.html").read_text(encoding="utf-8") == page
    with pytest.raises(cf.OptionError, match="have no column 'nobody'"):
        cf.Graph(("nobody",)).report(tmp_path / "c.html", data)


@pytest.mark.parametrize("find", [cf.pc, cf.causal_graph])
def test_the_page_is_the_same_for_any_order_of_rows_and_columns(find):
    graphs = [find(frame) for frame in (odd_columns(), in_another_order(odd_columns()))]
    first, second = (graph_page(replace(graph, seconds=0.0), title="Again") for graph in graphs)
    assert first == second


def test_graphs_of_replicates_have_a_page(tmp_path, data):
    often = cf.bootstrap(data, "pc", replicates=2, progress=False, n_jobs=1)
    often.graph().report(tmp_path / "a.html", title="Agreed")
    assert "Agreed" in check_page((tmp_path / "a.html").read_text(encoding="utf-8")).text


def test_frequencies_known_directions_and_contradictions(data):
    known = cf.Knowledge(required=[("fatigue", "heart_disease"), ("diet", "reflux")])
    graph = cf.pc(data, knowledge=known)
    often = cf.bootstrap(data, "pc", replicates=3, progress=False, n_jobs=1, knowledge=known)
    elements = check_page(graph_page(often.added_to(graph)))
    assert graph.contradicted
    assert "it was known beforehand" in elements.text
    assert "What contradicts what was known" in elements.text
    assert "Found again" in elements.text
    assert "3 tables, drawn anew" in elements.text


def test_names_are_text():
    data = cf.Dataset.from_frame(odd_columns())
    graph = cf.fges(data)
    page = graph_page(graph)
    elements = check_page(page)
    assert "<script" not in page
    assert EVIL in elements.text
    assert len(graph.edges) >= len(ODD_NAMES) - 1


def test_copies_and_columns_without_edges_are_named():
    rng = random.Random(1)
    x = [rng.randrange(2) for _ in range(200)]
    frame = {"x": x, "twin": [1 - value for value in x], "alone": [rng.randrange(2) for _ in range(200)]}
    with pytest.warns(cf.ClimbfastWarning, match="one to one"):
        data = cf.Dataset.from_frame(frame)
    text = check_page(graph_page(cf.pc(data))).text
    assert "1 column depends on no other beyond chance alone" in text
    assert "twin and x" in text


def large(hubs: int, leaves: int) -> cf.Graph:
    names = [f"n{i:03}" for i in range(hubs * (leaves + 1) + 5)]
    edges = [(names[h * (leaves + 1)], names[h * (leaves + 1) + 1 + i]) for h in range(hubs) for i in range(leaves)]
    return cf.Graph(tuple(names), edges)


def test_of_a_large_graph_the_hubs_are_drawn():
    graph = large(5, 19)
    hubs = around_hubs(graph)
    assert hubs == ["n000", "n020", "n040"]
    data = cf.Dataset.from_frame({name: [0, 1] * 4 for name in graph.names[:0]} | {"a": [0, 1]})
    columns = {name: [(i >> j) & 1 for j in range(8)] for i, name in enumerate(graph.names, start=1)}
    data = cf.Dataset.from_frame(columns)
    text = check_page(graph_page(graph, data)).text
    assert "The graph is too large for one picture: these are columns with many edges (n000, n020 and n040)" in text
    assert around_hubs(large(2, 3)) is None
    assert around_hubs(cf.Graph(tuple(range(MOST_NODES + 1)))) == []


def test_of_very_many_edges_the_strongest_are_in_the_table(monkeypatch, data):
    monkeypatch.setattr(module, "MOST_EDGES", 4)
    graph = cf.pc(data)
    elements = check_page(graph_page(graph))
    assert f"And {len(graph.edges) - 4} weaker edges" in elements.text
    rows = elements.text.partition(" Direction ")[2].partition(" And ")[0]
    strongest = sorted(graph.strengths.values(), reverse=True)
    for strength in strongest[:4]:
        assert bits_text(strength) in rows
    assert bits_text(strongest[4]) not in rows


def test_figures_that_a_graph_does_not_have_have_no_column(data):
    columns = ("Strength", "Votes", "Found again")
    text = check_page(graph_page(cf.Graph(data.sorted_names, [("age", "ecg")]), data)).text
    assert not any(column in text for column in columns)


def test_a_graph_without_edges_has_a_page():
    data = cf.Dataset.from_frame({"a": [0, 1, 0, 1], "b": [0, 0, 1, 1]})
    assert "No edge was found." in check_page(graph_page(cf.pc(data))).text
