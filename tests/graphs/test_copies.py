"""Copies in graphs: their edges are drawn once, and each has one to the column that stands for them."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.background import disobeying
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


FOUND = {"directed": [("x", "again"), ("z", "again")], "strengths": {("x", "again"): 3.0, ("z", "again"): 2.0}}


@pytest.mark.parametrize("directed", [True, False])
def test_knowledge_directs_the_edge_between_copies_or_forbids_it(directed):
    known = cf.Knowledge(tiers=[["both"], ["again"]], forbidden=[("again", "same"), ("same", "again")])
    fields = with_copies(FOUND, DATA, strength_of={"again": 7.0}.get, directed=directed, known=known)
    graph = cf.Graph(**fields)
    assert graph.directed == (("both", "again"), ("x", "again"), ("z", "again"))
    assert graph.undirected == ()
    assert graph.reasons == {("both", "again"): "known"}
    assert graph.strengths == {**FOUND["strengths"], ("both", "again"): 7.0}
    assert graph.copies == DATA.copies
    free = cf.Graph(**with_copies(FOUND, DATA, directed=directed, known=cf.Knowledge(roots=["x"])))
    assert free.edges == cf.Graph(**with_copies(FOUND, DATA, directed=directed)).edges
    assert free.reasons == {}


def test_required_edges_of_copies_are_there():
    known = cf.Knowledge(required=[("same", "x"), ("both", "same"), ("again", "both")])
    found = {**FOUND, "directed": [("z", "again")], "undirected": [("x", "again")], "separating_sets": {("x", "z"): ()}}
    graph = cf.Graph(**with_copies(found, DATA, strength_of={"again": 0.0}.get, known=known))
    assert set(graph.directed) == {("z", "again"), *known.required}
    assert graph.reasons == dict.fromkeys(known.required, "known")
    assert graph.contradicted == {("again", "both"): 0.0}
    assert graph.separating_sets[("again", "same")] == ()
    assert ("same", "x") not in graph.separating_sets
    assert graph.separating_sets["both", "x"] == ("again",)


def test_edges_that_would_form_a_cycle_with_required_ones_are_left_out():
    """again -> both -> x is required, so that x -> again closes a cycle; again -> same -> z has only one free edge."""
    known = cf.Knowledge(required=[("again", "both"), ("both", "x"), ("same", "z")], forbidden=[("same", "again")])
    graph = cf.Graph(**with_copies(FOUND, DATA, strength_of={"again": 7.0}.get, known=known))
    assert set(graph.directed) == {*known.required, ("z", "again")}
    assert graph.contradicted == {("x", "again"): 3.0, ("again", "same"): 7.0}
    assert graph.is_acyclic


def test_an_edge_between_copies_that_paths_direct():
    known = cf.Knowledge(required=[("same", "z")])
    graph = cf.Graph(**with_copies(FOUND, DATA, known=known))
    assert graph.reasons == {("same", "z"): "known", ("same", "again"): "compelled"}
    assert graph.undirected == (("again", "both"),)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("seed", range(60))
def test_graphs_with_copies_obey_random_knowledge(seed, directed):
    """Three classes of copies among seven columns, and a random graph of those searched."""
    draw = np.random.default_rng(seed)
    a, b, c = draw.integers(0, 2, (3, 200))
    data = quiet({"a": a, "b": b, "c": c, "a1": 1 - a, "a2": a, "b1": 1 - b, "c1": c})
    names = data.sorted_names
    order = draw.permutation(7).tolist()
    arcs = [(names[order[i]], names[order[j]]) for i in range(7) for j in range(i + 1, 7)]
    kinds = draw.choice(4, len(arcs), p=[0.2, 0.2, 0.1, 0.5])
    required = [arc for arc, kind in zip(arcs, kinds, strict=True) if kind == 0]
    forbidden = [arc for arc, kind in zip(arcs, kinds, strict=True) if kind in (1, 2)]
    forbidden += [arc[::-1] for arc, kind in zip(arcs, kinds, strict=True) if kind == 2]
    known = cf.Knowledge(required=required, forbidden=forbidden)
    allowed = known.allowed_arcs(names)
    searched = data.without_copies.canonical
    rank = {x: i for i, x in enumerate(draw.permutation(searched).tolist())}
    found = {"directed": [], "strengths": {}}
    for i, x in enumerate(searched):
        for y in searched[i + 1 :]:
            for edge in ((x, y), (y, x)):
                is_required = edge in known.required
                possible = allowed.allows(names.index(edge[0]), names.index(edge[1])) and rank[edge[0]] < rank[edge[1]]
                if is_required or (possible and not any({x, y} == set(other) for other in required)):
                    found["directed"].append(edge)
                    found["strengths"][edge] = float(draw.integers(9))
    if cf.Graph(searched, found["directed"]).is_acyclic:
        graph = cf.Graph(**with_copies(found, data, strength_of=lambda _: 1.0, directed=directed, known=known))
        assert disobeying(graph.pdag, allowed) == []
        assert graph.is_acyclic
        assert set(required) <= set(graph.directed)


def test_a_custom_score_sees_all_columns():
    class Zero:
        def score(self, x, parents):
            assert max((x, *parents)) < len(TABLE)
            return 0.0

    assert cf.fges(DATA, Zero()).edges == ()
    assert set(cf.fges(DATA, Zero()).names) == set(TABLE)
