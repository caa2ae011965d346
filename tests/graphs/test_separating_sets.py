"""Separating sets by name: those of a search, and those of copies."""

from __future__ import annotations

import copy
import pickle

import climbfast as cf
from climbfast.graphs.separating_sets import SeparatingSets

SETS = SeparatingSets(("a", "b", "c", "d"), ("c", "a", "b"), {(1, 2): (), (0, 1): (2,)})
NAMED = {("a", "c"): ("b",), ("a", "b"): ()}


def test_a_pair_has_its_names_in_the_order_of_the_graph():
    assert SETS == NAMED
    assert list(SETS) == [("a", "c"), ("a", "b")], "by column number"
    assert (len(SETS), repr(SETS)) == (2, repr(NAMED))
    assert SETS["a", "c"] == ("b",)
    assert ("c", "a") not in SETS


def test_sets_of_copies_come_last():
    more = SETS.extended(("a", "b", "c", "d"), {("d", "a"): ("b",)})
    assert more == {**NAMED, ("a", "d"): ("b",)}
    assert len(more) == 3
    both = more.extended(("a", "b", "c", "d", "e"), {("e", "a"): ()})
    assert both == {**more, ("a", "e"): ()}


def test_a_graph_checks_the_sets_of_other_names():
    graph = cf.Graph(names=("a", "b", "c", "d", "e"), separating_sets=SETS)
    assert not isinstance(graph.separating_sets, SeparatingSets)
    assert graph.separating_sets == NAMED


def test_a_graph_with_them_is_compared_copied_and_pickled():
    graph = cf.Graph(names=("a", "b", "c", "d"), separating_sets=SETS)
    assert graph.separating_sets is SETS
    plain = cf.Graph(names=graph.names, separating_sets=NAMED)
    for other in (plain, copy.copy(graph), copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))):
        assert graph == other
        assert other == graph
