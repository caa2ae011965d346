"""What a picture of a graph shows of its edges, and that of many blankets."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.plots.graph_picture import picture_of_blankets, picture_of_graph
from climbfast.plots.picture import FULL_MARGIN, Line
from tests.plots.graphs import random_graph

NAMES = ("a", "b", "c", "d", "e", "f")
GRAPH = cf.Graph(
    NAMES,
    directed=[("b", "a"), ("b", "c"), ("c", "d"), ("d", "e")],
    undirected=[("f", "e")],
    strengths={("b", "a"): 4.0, ("f", "e"): 100.0},
    margins={("d", "e"): 5.0},
    reasons={("b", "a"): "known", ("b", "c"): "compelled", ("c", "d"): "collider", ("d", "e"): "chosen"},
    test_or_score="sci",
)


def lines_of(graph, columns=None):
    """Lines by the texts of their ends."""
    picture = picture_of_graph(graph, columns)
    texts = [node.text for node in picture.nodes]
    return {(texts[line.source], texts[line.target]): line for line in picture.lines}


def test_heads_say_why():
    heads = {ends: line.head for ends, line in lines_of(GRAPH).items()}
    assert heads == {
        ("b", "a"): "filled", ("b", "c"): "filled", ("c", "d"): "filled", ("d", "e"): "open", ("e", "f"): "none",
    }  # fmt: skip
    assert picture_of_graph(GRAPH).heads == {
        "filled": "direction known, compelled or seen by a collider",
        "open": "direction chosen by a score",
        "none": "direction open",
    }


def test_arbitrary_directions_are_open():
    dag = cf.Graph(NAMES[:3], (), [("a", "b"), ("b", "c")]).to_dag()
    assert {line.head for line in lines_of(dag).values()} == {"open"}
    assert picture_of_graph(dag).heads == {"open": "direction arbitrary"}


def test_without_reasons_heads_are_filled_and_need_no_legend():
    picture = picture_of_graph(cf.Graph(NAMES, [("a", "b")]))
    assert [line.head for line in picture.lines] == ["filled"]
    assert not picture.heads
    both = picture_of_graph(cf.Graph(NAMES, [("a", "b")], [("b", "c")]))
    assert both.heads == {"filled": "directed", "none": "direction open"}


def test_width_is_strength_and_shade_is_margin():
    picture = picture_of_graph(GRAPH)
    assert picture.width.text() == "strength 4.0 to 100 bits"
    assert picture.shade.text() == "margin of the direction 5.0 bits"
    lines = lines_of(GRAPH)
    assert lines["b", "a"].width == 4.0
    assert lines["b", "c"].width is None
    assert lines["d", "e"].shade == 5.0
    assert lines["c", "d"].shade == FULL_MARGIN  # it needs no margin
    assert lines["e", "f"].shade is None


def test_shade_is_frequency_where_there_is_one():
    graph = cf.Graph(NAMES, [("a", "b")], margins={("a", "b"): 3.0}, frequencies={("a", "b"): (0.75, 0.5)})
    picture = picture_of_graph(graph)
    assert picture.shade.text() == "frequency 0.75"
    assert picture.lines == (Line(0, 1, "filled", None, 0.75),)


def test_named_columns_are_marked():
    picture = picture_of_graph(GRAPH, ["c"])
    assert {node.text: node.role for node in picture.nodes} == {"b": "node", "c": "named", "d": "node"}
    assert len(picture.lines) == 2


def test_the_order_of_names_and_edges_does_not_matter():
    graph = random_graph(20, 30, 1)
    other = cf.Graph(
        graph.names[::-1], graph.directed[::-1], [edge[::-1] for edge in graph.undirected[::-1]],
        strengths=graph.strengths, margins=graph.margins, reasons=graph.reasons,
    )  # fmt: skip
    assert picture_of_graph(graph) == picture_of_graph(other)


# ---- blankets of many targets


@pytest.fixture(scope="module")
def data():
    return cf.load_example().sample(2000, seed=1)


@pytest.fixture(scope="module")
def blankets(data):
    return cf.markov_blankets(data, n_jobs=1, progress=False)


def edges_in(picture):
    return {tuple(sorted((picture.nodes[x].text, picture.nodes[y].text))) for x, y, *_ in picture.lines}


def test_all_blankets_are_the_graph_on_which_both_ends_agree(blankets):
    merged = blankets.merge("and")
    picture = picture_of_blankets(blankets)
    assert {node.text for node in picture.nodes} == set(merged.names)
    assert edges_in(picture) == {tuple(sorted(edge)) for edge in merged.edges}
    assert picture.width.unit == "bits"
    assert not picture.notes


def test_a_neighborhood_is_that_of_the_whole_graph(blankets):
    merged = blankets.merge("and")
    picture = picture_of_blankets(blankets, ["heart_disease", "sleep"])
    shown = {"heart_disease", "sleep", *merged.neighbors_of("heart_disease"), *merged.neighbors_of("sleep")}
    assert {node.text for node in picture.nodes} == shown
    assert edges_in(picture) == {tuple(sorted(edge)) for edge in merged.edges if {*edge} <= shown}
    assert {node.text for node in picture.nodes if node.role == "named"} == {"heart_disease", "sleep"}


@pytest.mark.parametrize("columns", [None, "fatigue"])
def test_columns_that_were_no_targets_have_the_edges_of_one_blanket(data, columns):
    some = cf.markov_blankets(data, ["fatigue"], n_jobs=1, progress=False)
    assert some["fatigue"].neighbors == ("heart_disease", "sleep")
    picture = picture_of_blankets(some, columns)
    assert edges_in(picture) == {("fatigue", "heart_disease"), ("fatigue", "sleep")}
    assert picture.notes == ("heart_disease, sleep were no targets: their edges are those of one blanket",)


def test_a_column_must_be_a_target(data):
    some = cf.markov_blankets(data, ["fatigue"], n_jobs=1, progress=False)
    with pytest.raises(cf.UnknownColumnError, match="no target named 'sleep'"):
        picture_of_blankets(some, ["sleep"])
