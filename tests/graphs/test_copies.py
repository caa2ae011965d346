"""Copies in graphs: their edges are drawn once, and each has one to the column that stands for them."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.copies import edges_between_copies, with_copies
from tests.factories import quiet

DRAW = np.random.default_rng(5)
X, Z = DRAW.integers(0, 2, (2, 2_000))
BOTH = X + Z
TABLE = {"x": X, "z": Z, "both": BOTH, "same": 2 - BOTH, "again": BOTH}
OTHERS = (("again", "both"), ("again", "same"))
DATA = quiet(TABLE)


def test_fields():
    found = {"directed": [("x", "again"), ("z", "again")], "separating_sets": {("x", "z"): ()}}
    fields = with_copies(found, DATA, strength_of={"again": 7.0}.get)
    graph = cf.Graph(**fields)
    assert graph.names == ("again", "both", "same", "x", "z")
    assert (graph.directed, graph.undirected) == ((("x", "again"), ("z", "again")), OTHERS)
    assert graph.strengths == dict.fromkeys(OTHERS, 7.0)
    assert graph.separating_sets["both", "x"] == ("again",)
    assert graph.copies == DATA.copies


def test_directed_by_convention_and_named_by_the_user():
    chosen = DATA.represented_by("same")
    fields = with_copies({"directed": [("x", "same")]}, chosen, directed=True)
    assert cf.Graph(**fields).directed == (("same", "again"), ("same", "both"), ("x", "same"))


def test_no_edge_without_strength():
    fields = with_copies({"directed": [("x", "again")]}, DATA, strength_of=lambda _: 0.0)
    graph = cf.Graph(**fields)
    assert graph.edges == (("x", "again"),)
    assert graph.separating_sets["again", "same"] == ()


@pytest.mark.parametrize(
    "search",
    [cf.pc, cf.fges, cf.causal_graph, lambda data: cf.causal_graph(data, "fges+climb")],
    ids=["pc", "fges", "best", "fges+climb"],
)
def test_searches(search):
    graph = search(DATA)
    assert graph.undirected == OTHERS
    assert set(graph.directed) == {("x", "again"), ("z", "again")}
    assert graph.to_dag().parents_of("same") == ("again",)


@pytest.mark.parametrize("method", ["climb", "global"])
@pytest.mark.parametrize("edges", ["undirected", "all"])
def test_orient_leaves_edges_between_copies_as_they_are(method, edges):
    names = tuple(TABLE)
    graph = cf.Graph(names, [("same", "both")], [("again", "both"), ("x", "both"), ("z", "both"), ("again", "x")])
    found = cf.orient(graph, DATA, method, edges=edges)
    assert ("same", "both") in found.directed
    assert set(found.undirected) == {tuple(sorted(("again", "both"), key=names.index))}
    assert len(found.edges) == len(graph.edges)
    assert {*found.margins} == {*found.directed} - {("same", "both")}


def test_edges_between_copies():
    edges = [("x", "both"), ("both", "same"), ("again", "both"), ("x", "z")]
    assert edges_between_copies(edges, DATA) == edges[1:3]


def test_a_custom_score_sees_all_columns():
    class Zero:
        def score(self, x, parents):
            assert max((x, *parents)) < len(TABLE)
            return 0.0

    assert cf.fges(DATA, Zero()).edges == ()
    assert set(cf.fges(DATA, Zero()).names) == set(TABLE)
