"""What the truth itself gets when copies are exchanged, counted by hand."""

from __future__ import annotations

import climbfast as cf
from bench.reports.best import new_names, rate_of_truth


def test_the_truth_without_copies_is_right():
    truth = cf.Graph(("a", "b", "c"), [("a", "b"), ("b", "c")])
    assert rate_of_truth(truth, {}) == 1


def test_an_exchange_of_two_copies_turns_their_edge_and_moves_the_others():
    truth = cf.Graph(("a", "b", "c"), [("a", "b"), ("b", "c")])
    # exchanged: b -> a, a -> c, of which none is true
    assert rate_of_truth(truth, {"a": ("b",), "b": ("a",)}) == 1 / 2


def test_every_exchange_of_several_classes_counts():
    truth = cf.Graph(("a", "b", "c", "d"), [("a", "b"), ("c", "d")])
    copies = {"a": ("b",), "b": ("a",), "c": ("d",), "d": ("c",)}
    assert rate_of_truth(truth, copies) == (2 + 1 + 1 + 0) / 2 / 4


def test_shuffled_names_are_those_of_the_network():
    network = cf.load_example()
    called = new_names(network, "shuffled", 3)
    assert sorted(called.values()) == sorted(network.nodes)
    assert called != new_names(network, "shuffled", 4)
    assert [*new_names(network, "file", 1).values()] == sorted(new_names(network, "file", 1).values())
