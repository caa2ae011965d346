"""What is counted of an answer, on graphs small enough to count by hand."""

from __future__ import annotations

import climbfast as cf
from bench.accuracy.measures import blankets_of, measure

NAMES = ("a", "b", "c", "d", "e")
# The class compels a -> c and b -> c (a v-structure) and c -> d; d - e would be open were it not for c -> d.
TRUTH = cf.Graph(NAMES, [("a", "c"), ("b", "c"), ("c", "d"), ("d", "e")])
OPEN = cf.Graph(("x", "y", "z"), [("x", "y"), ("y", "z")])


def test_the_truth_is_all_right():
    found = measure(TRUTH, TRUTH)
    assert found["skeleton"] == found["directed"] == (4, 4, 4)
    assert found["compelled"] == {"right": 4, "wrong": 0, "undirected": 0}
    assert found["open"] == {"right": 0, "wrong": 0, "undirected": 0}
    assert (found["shd"], found["shd_class"]) == (0, 0)
    assert found["said"] == {"compelled": [4, 4]}
    assert found["members"] == (10, 10, 10)  # eight of neighbors, and the spouses a and b


def test_an_undirected_edge_is_found_and_not_right():
    found = measure(TRUTH, cf.Graph(NAMES, [("a", "c"), ("d", "c")], [("d", "e"), ("a", "b")]))
    assert found["skeleton"] == (3, 4, 4)
    assert found["directed"] == (1, 4, 4)
    assert found["compelled"] == {"right": 1, "wrong": 1, "undirected": 1}


def test_open_edges_are_those_of_the_true_class():
    found = measure(OPEN, cf.Graph(OPEN.names, [("y", "x"), ("y", "z")]))
    assert found["compelled"] == {"right": 0, "wrong": 0, "undirected": 0}
    assert found["open"] == {"right": 1, "wrong": 1, "undirected": 0}
    assert found["said"] == {"chosen": [1, 2]}
    assert (found["shd"], found["shd_class"]) == (1, 0)


def test_reasons_of_the_graph_count_if_it_has_them():
    found = measure(OPEN, cf.Graph(OPEN.names, OPEN.directed, reasons={("x", "y"): "collider", ("y", "z"): "chosen"}))
    assert found["said"] == {"collider": [1, 1], "chosen": [1, 1]}


def test_a_graph_of_no_class_is_compared_as_it_is():
    no_class = cf.Graph(("w", "x", "y", "z"), (), [("w", "x"), ("x", "y"), ("y", "z"), ("w", "z")])
    truth = cf.Graph(no_class.names, [("w", "x"), ("x", "y"), ("y", "z")])
    assert measure(truth, no_class)["shd_class"] == 1


def test_blankets_of_a_graph():
    of = blankets_of(cf.Graph(NAMES, TRUTH.directed[:3], [("d", "e")]))
    assert of["a"] == {"parents": set(), "children": {"c"}, "undecided": set(), "spouses": {"b"}}
    assert of["d"] == {"parents": {"c"}, "children": set(), "undecided": {"e"}, "spouses": set()}


def test_blankets_one_by_one():
    blankets = {name: cf.Blanket(name) for name in NAMES} | {
        "a": cf.Blanket("a", children=("c",), spouses=("e",)),
        "d": cf.Blanket("d", parents=("e",), undecided=("c",)),
    }
    found = measure(TRUTH, blankets)
    assert found["members"] == (3, 4, 10)
    assert found["neighbors"] == (3, 3, 8)
    assert found["roles"] == (1, 3, 8)
    assert "skeleton" not in found
