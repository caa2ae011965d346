"""Orienting edges: the best DAG of a small skeleton, the paper's rule step by step, and what stays as it was."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import product

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.background import disobeying, known_arcs
from climbfast.graphs.graph import edges_by_name
from climbfast.graphs.orient import EdgeOrienter
from climbfast.scores import scores_of
from tests import incomplete
from tests.factories import draw_codes, quiet, quiet_codes
from tests.graphs.naive import pdag_of, random_mixed
from tests.graphs.obeying import random_knowledge
from tests.graphs.score_searches import by_name
from tests.reference import stochastic_complexity

orienting = import_module("climbfast.graphs.orient")  # the function has the same name
ARITIES = [2, 3, 2, 3, 2, 3]

orient = partial(cf.orient, directions="all")


@pytest.fixture(scope="module")
def codes():
    codes = draw_codes(ARITIES, 400, seed=2, lean=0.5)
    codes[5] = (codes[0] + codes[3]) % 3
    return codes


@pytest.fixture(scope="module")
def data(codes):
    return quiet_codes(codes)


def complexity(codes, x, parents):
    return stochastic_complexity(codes[x].tolist(), ARITIES[x], [codes[p].tolist() for p in parents])


def open_graph(data, pairs, arcs=()):
    name = data.canonical
    return cf.Graph(name, tuple((name[x], name[y]) for x, y in arcs), tuple((name[x], name[y]) for x, y in pairs))


def total(codes, graph):
    """Σ SC(X | PA_X) over all columns."""
    return sum(complexity(codes, x, sorted(parents)) for x, parents in enumerate(graph.pdag.parents))


SKELETONS = [
    [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)],
    [(0, 1), (0, 2), (1, 2), (2, 3), (0, 5), (3, 5)],
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)],
    [(0, 5), (1, 5), (2, 5), (3, 5), (4, 5), (0, 1), (3, 4)],
]


def all_directions(data, pairs, arcs=()):
    """Every DAG with these edges."""
    for turned in product([False, True], repeat=len(pairs)):
        directed = [(y, x) if turn else (x, y) for (x, y), turn in zip(pairs, turned, strict=True)]
        graph = open_graph(data, (), [*arcs, *directed])
        if graph.is_acyclic:
            yield graph


# Global


@pytest.mark.parametrize("pairs", SKELETONS)
def test_global_finds_the_best_of_all_directions(codes, data, pairs):
    found = orient(open_graph(data, pairs), data, "global", min_gain=0)
    assert found.is_dag
    assert {frozenset(edge) for edge in found.directed} == {frozenset((f"c0{x}", f"c0{y}")) for x, y in pairs}
    best = min(total(codes, graph) for graph in all_directions(data, pairs))
    assert total(codes, found) == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("pairs", SKELETONS)
def test_global_may_keep_what_is_directed(codes, data, pairs):
    arcs, left = [(y, x) for x, y in pairs[:2]], pairs[2:]
    found = orient(open_graph(data, left, arcs), data, "global", edges="undirected", min_gain=0)
    assert set(arcs) <= set(found.pdag.arcs())
    best = min(total(codes, graph) for graph in all_directions(data, left, arcs))
    assert total(codes, found) == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("pairs", SKELETONS)
def test_global_leaves_what_too_few_bits_tell(codes, data, pairs):
    """With a bar that nothing passes all stays as climb directed it; else what is found is as good, but for the bar."""
    graph = open_graph(data, pairs)
    climbed = orient(graph, data, "climb", edges="all")
    assert orient(graph, data, "global", min_gain=1e9).directed == climbed.directed
    found, best = (orient(graph, data, "global", min_gain=bits) for bits in (1, 0))
    assert total(codes, best) <= total(codes, found) + 1e-5
    assert found.directed == climbed.directed or total(codes, found) < total(codes, climbed) - 1


@pytest.mark.parametrize("method", ["climb", "global"])
def test_figures_of_another_graph_are_left_out(data, method):
    found = cf.fges(data, "bic")
    assert found.figures["score"] < 0
    assert orient(found, data, method, edges="all").figures == {}
    hubs = cf.pc(data, max_pool=1)
    assert hubs.figures["bounded"] > 0
    assert orient(hubs, data, method).figures == hubs.figures


def test_global_does_not_look_at_the_directions_given(data):
    pairs = SKELETONS[1]
    found = orient(open_graph(data, pairs), data, "global")
    turned = orient(open_graph(data, (), [(0, 1), (2, 0), (2, 1), (2, 3), (0, 5), (3, 5)]), data, "global")
    assert turned.directed == found.directed


@pytest.mark.parametrize("min_gain", [0, 1, 20])
def test_no_single_reversal_improves_a_large_graph(min_gain):
    data = cf.load_example().sample(3000, seed=4)
    truth = cf.Graph.from_networkx(cf.load_example().to_networkx())
    found = orient(cf.Graph(data.canonical, (), truth.skeleton), data, "global", min_gain=min_gain)
    assert found.is_dag
    for x, y in found.directed:
        turned = [edge for edge in found.directed if edge != (x, y)] + [(y, x)]
        assert found.margins[x, y] >= -min_gain - 1e-6 or not cf.Graph(data.canonical, tuple(turned)).is_acyclic


def test_the_same_seed_gives_the_same_graph(data):
    graph = open_graph(data, SKELETONS[3])
    first, second = (orient(graph, data, "global", seed=5, restarts=3) for _ in range(2))
    assert first == second
    assert first.options == {
        "orient": "global", "edges": "all", "directions": "all", "restarts": 3, "seed": 5, "min_gain": 1.0
    }  # fmt: skip


# Climb


class Scores:
    """A score that is written down: a family that is not there has none."""

    def __init__(self, table):
        self.table = table

    def score(self, x, parents):
        return self.table.get((x, parents), 0.0)


def climbed(scores, arcs, edges, size):
    orienter = EdgeOrienter(Scores(scores), arcs, edges, size)
    orienter.climb()
    return list(orienter.pdag.arcs())


def test_the_most_decisive_edge_goes_first():
    """0 - 1 alone says 0 → 1 by 5 bits, 1 - 2 says 2 → 1 by 9; with 2 as its parent, 1 prefers 0 as its child."""
    scores = {(1, (0,)): 5.0, (1, (2,)): 9.0, (0, (1,)): 0.0, (1, (0, 2)): 2.0}
    assert climbed(scores, [], [(0, 1), (1, 2)], 3) == [(1, 0), (2, 1)]


def test_neighbors_without_a_direction_are_no_parents():
    scores = {(1, (0,)): 5.0, (1, (2,)): 4.0, (1, (0, 2)): 8.0}
    assert climbed(scores, [], [(0, 1), (1, 2)], 3) == [(0, 1), (2, 1)]


def test_no_edge_closes_a_cycle():
    scores = {(1, (0,)): 9.0, (2, (1,)): 8.0, (0, (2,)): 7.0}
    assert climbed(scores, [], [(0, 1), (0, 2), (1, 2)], 3) == [(0, 1), (0, 2), (1, 2)]
    assert climbed({(0, (3,)): 99.0}, [(0, 1), (1, 2), (2, 3)], [(0, 3)], 4) == [(0, 1), (0, 3), (1, 2), (2, 3)]


def test_equals_go_by_number():
    assert climbed({}, [], [(0, 1), (1, 2)], 3) == [(0, 1), (1, 2)]


@pytest.mark.parametrize("pairs", SKELETONS)
def test_climb_as_the_naive_rule(codes, data, pairs):
    parents = [set() for _ in ARITIES]
    left = list(pairs)

    def bits(x, of_x):
        return complexity(codes, x, sorted(of_x))

    def gain(x, y):
        return bits(x, parents[x] | {y}) + bits(y, parents[y]) - bits(x, parents[x]) - bits(y, parents[y] | {x})

    def reaches(x, y):
        return x == y or any(reaches(x, parent) for parent in parents[y])

    while left:
        x, y = max(left, key=lambda edge: abs(gain(*edge)))
        left.remove((x, y))
        if (gain(x, y) < 0 and not reaches(x, y)) or reaches(y, x):
            x, y = y, x
        parents[y].add(x)
    found = orient(open_graph(data, pairs), data)
    assert found.pdag.parents == parents


# What comes with it


@pytest.mark.parametrize("method", ["climb", "global"])
def test_margins_are_the_cost_of_one_reversal(codes, data, method):
    found = orient(open_graph(data, SKELETONS[1]), data, method)
    assert tuple(found.margins) == found.directed
    for edge, margin in found.margins.items():
        turned = tuple(other[::-1] if other == edge else other for other in found.directed)
        cost = total(codes, cf.Graph(found.names, turned)) - total(codes, found)
        assert margin == pytest.approx(cost, abs=1e-5)


def test_what_a_search_found_is_kept(data):
    graph = cf.pc(data)
    for method in ("climb", "global"):
        found = orient(graph, data, method)
        assert found.is_dag
        assert found.separating_sets == graph.separating_sets
        assert (found.tests_by_size, found.test_or_score) == (graph.tests_by_size, "sci")
        assert found.method == f"pc+{method}"
        assert found.options["conflicts"] == "majority"
        assert found.options["orient"] == method
        assert sorted(found.strengths.values()) == sorted(graph.strengths.values())
        if method == "climb":
            assert set(graph.directed) <= set(found.directed)


def test_the_order_of_columns_rows_and_names_changes_nothing(codes, data):
    graph = open_graph(data, SKELETONS[3])
    turned = cf.Graph(graph.names[::-1], (), graph.undirected)
    draw = np.random.default_rng(0)
    rows = draw.permutation(codes.shape[1])
    shuffled = quiet({f"c0{x}": codes[x][rows] for x in (3, 1, 5, 0, 2, 4)})
    for method in ("climb", "global"):
        found, again = orient(graph, data, method), orient(turned, shuffled, method)
        assert set(again.directed) == set(found.directed)
        assert dict(again.margins) == dict(found.margins)
        assert again.names == graph.names[::-1]


def test_a_graph_of_some_of_the_columns(data):
    found = orient(cf.Graph(("c03", "c00"), (), (("c00", "c03"),)), data)
    assert found.names == ("c03", "c00")
    assert len(found.directed) == 1
    assert orient(cf.Graph(("c01",)), data).directed == ()
    assert orient(cf.Graph(("a",)), quiet({"a": [0, 1]}), "global").directed == ()


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("best", {}, "method is 'best'; it is one of climb, global"),
        ("climb", {"seed": 1}, "seed is for the method global"),
        ("climb", {"restarts": 1}, "restarts is for the method global"),
        ("climb", {"min_gain": 1}, "min_gain is for the method global"),
        ("global", {"min_gain": -1}, "min_gain is -1"),
        ("global", {"restarts": -1}, "restarts is -1"),
        ("global", {"seed": 0.5}, "seed is 0.5"),
        ("global", {"edges": "some"}, "edges is 'some'; it is one of undirected, all"),
        ("climb", {"directions": "sure"}, "directions is 'sure'; it is one of decided, all"),
    ],
)
def test_options_outside_their_values_are_refused(data, method, options, message):
    with pytest.raises(cf.OptionError, match=message):
        orient(open_graph(data, [(0, 1)]), data, method, **options)


def test_graphs_that_do_not_fit_are_refused(data):
    circle = cf.Graph(("c00", "c01", "c02"), (("c00", "c01"), ("c01", "c02"), ("c02", "c00")))
    with pytest.raises(cf.GraphError, match="form a cycle: c00 -> c01 -> c02 -> c00"):
        orient(circle, data)
    with pytest.raises(cf.UnknownColumnError, match="'x'"):
        orient(cf.Graph(("x", "c00"), (), (("x", "c00"),)), data)
    with pytest.raises(cf.GraphError):
        orient("graph", data)


def test_missing_cells():
    """The directions of the least score over the same rows; no edge is lost, and none is new."""
    data = incomplete.encoded(incomplete.net_with_gaps(3, columns=5, rows=300))
    pairs = [(0, 1), (1, 2), (2, 3), (0, 4)]
    oriented = orient(open_graph(data, pairs), data, "global", min_gain=0)
    scores = scores_of(data, "fnml")

    def score_of(arcs):
        return sum(scores.score(x, [p for p, y in arcs if y == x]) for x in range(5))

    arcs = [(oriented.index(x), oriented.index(y)) for x, y in oriented.directed]
    assert {frozenset(arc) for arc in arcs} == {frozenset(pair) for pair in pairs}
    every = product(*(((x, y), (y, x)) for x, y in pairs))
    assert score_of(arcs) == pytest.approx(max(map(score_of, every)), abs=1e-6)
    assert 0 < oriented.fewest_rows < 300


# What is decided, and why


def naive_decided(dag, weighed):
    """The directions with at least one bit, and those whose other direction closes a cycle with what is directed."""
    kept = {edge for edge in dag.directed if edge not in weighed or weighed[edge] >= 1}

    def reaches(x, y):
        return x == y or any(reaches(child, y) for parent, child in kept if parent == x)

    while more := {edge for edge in dag.directed if edge not in kept and reaches(*edge)}:
        kept |= more
    return kept


@pytest.mark.parametrize("method", ["climb", "global"])
@pytest.mark.parametrize("edges", ["undirected", "all"])
@pytest.mark.parametrize("seed", range(6))
def test_directions_below_one_bit_are_left_open(method, edges, seed):
    """On few rows of weak dependences, where many margins are small."""
    data = quiet_codes(draw_codes([2, 2, 3, 2, 2], 60, seed=seed, lean=0.6))
    graph = open_graph(data, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)], [(0, 4)])
    everything = orient(graph, data, method, edges=edges)
    decided = cf.orient(graph, data, method, edges=edges)
    fixed = set(graph.directed) if edges == "undirected" else set()
    weighed = {edge: bits for edge, bits in everything.margins.items() if edge not in fixed}
    assert set(decided.directed) == naive_decided(everything, weighed)
    assert {frozenset(edge) for edge in decided.edges} == {frozenset(edge) for edge in everything.edges}
    assert decided.is_acyclic
    for edge in decided.directed:
        enough = edge in fixed or weighed[edge] >= 1
        assert decided.margins.get(edge) == (everything.margins[edge] if enough else None)


def test_edges_keep_the_reason_of_their_direction(data):
    arcs, pairs = [(0, 5), (1, 5)], [(2, 5), (2, 3)]
    plain = open_graph(data, pairs, arcs)
    assert not plain.is_cpdag
    a, b = plain.directed
    for graph, of_a, of_b in (
        (plain, None, None),
        (replace(plain, reasons={a: "collider", b: "arbitrary"}), "collider", "arbitrary"),
    ):
        found = orient(graph, data)
        assert (found.reasons.get(a), found.reasons.get(b)) == (of_a, of_b)
        assert {reason for edge, reason in found.reasons.items() if edge not in (a, b)} == {"chosen"}
    again = orient(replace(plain, reasons={a: "collider", b: "arbitrary"}), data, edges="all")
    assert set(again.reasons) == set(again.directed)
    for edge, reason in again.reasons.items():
        assert reason == ("collider" if edge == a else "chosen")
    cpdag = cf.Graph(data.canonical, [a, b])
    assert cpdag.is_cpdag
    assert orient(cpdag, data).reasons == {a: "compelled", b: "compelled"}


def test_votes_for_other_directions_are_left_out(data):
    graph = open_graph(data, SKELETONS[0])
    assert cf.orient(replace(graph, votes={graph.undirected[0]: (3, 0)}), data).votes == {}


@pytest.mark.parametrize("method", ["climb", "global"])
def test_frequencies_of_other_directions_are_left_out(data, method):
    graph = open_graph(data, SKELETONS[0])
    drawn = {"bootstrap": {"replicates": 10, "scheme": "bootstrap", "seed": 0}}
    found = cf.orient(replace(graph, frequencies=dict.fromkeys(graph.edges, (1.0, 0.5)), options=drawn), data, method)
    assert found.frequencies == {}
    assert "bootstrap" not in found.options


# Knowledge


class WatchedScores:
    """A score that refuses families with a forbidden parent."""

    def __init__(self, scores, allowed):
        self._scores, self._allowed, self.fewest_rows = scores, allowed, 1

    def score(self, x, parents):
        assert all(self._allowed.allows(p, x) for p in parents), (x, parents)
        return self._scores.score(x, parents)


@pytest.mark.parametrize("directions", ["decided", "all"])
@pytest.mark.parametrize("edges", ["undirected", "all"])
@pytest.mark.parametrize("method", ["climb", "global"])
@pytest.mark.parametrize("seed", range(10))
def test_no_graph_contradicts_knowledge(monkeypatch, data, method, edges, directions, seed):
    """Also false knowledge; and no family with a forbidden parent is scored."""
    draw, names = np.random.default_rng(seed), data.canonical
    pdag = pdag_of(random_mixed(6, draw, 0.5), 6)
    for arc in pdag.arcs_on_cycles():
        pdag.undirect(*arc)
    strengths = {(names[x], names[y]): float(x + 2 * y) for x, y in (*pdag.arcs(), *pdag.undirected_edges())}
    graph = cf.Graph(names, **edges_by_name(names, pdag), strengths=strengths)
    known = by_name(random_knowledge(6, seed), names)
    allowed = known.allowed_arcs(names)
    monkeypatch.setattr(orienting, "scores_of", lambda *of: WatchedScores(scores_of(*of), allowed))
    options = {"restarts": 1} if method == "global" else {}
    found = cf.orient(graph, data, method, edges=edges, directions=directions, knowledge=known, **options)
    assert disobeying(found.pdag, allowed) == []
    assert known_arcs(found.pdag, allowed) == []
    assert found.is_acyclic
    assert set(known.required) <= set(found.directed)
    of_known = {edge for edge in found.directed if allowed.directs(*map(found.index, edge))}
    assert {edge for edge, reason in found.reasons.items() if reason == "known"} == of_known
    assert not of_known & set(found.margins)
    for edge in {*graph.directed} - {*found.directed}:
        assert edges == "all" or edge in found.contradicted or edge[::-1] in found.directed or edge in found.undirected
    for edge, bits in found.contradicted.items():
        assert bits == strengths.get(edge, strengths.get(edge[::-1], 0.0))
    assert found.options["knowledge"] == known.to_dict()
    assert {edge if edge in graph.strengths else edge[::-1] for edge in found.strengths} <= set(graph.strengths)


@pytest.mark.parametrize("method", ["climb", "global"])
def test_knowledge_reverses_removes_and_adds(data, method):
    graph = open_graph(data, [(2, 3)], [(0, 1), (1, 2), (3, 4)])
    graph = replace(graph, strengths={("c00", "c01"): 7.0}, separating_sets={("c04", "c05"): ()})
    known = cf.Knowledge(
        tiers=[["c01"], ["c00"]], forbidden=[("c03", "c04"), ("c04", "c03")], required=[("c05", "c04")]
    )
    found = orient(graph, data, method, knowledge=known)
    assert found.reasons["c01", "c00"] == found.reasons["c05", "c04"] == "known"
    assert {frozenset(edge) for edge in found.edges} == {
        frozenset(f"c0{x}" for x in edge) for edge in ((0, 1), (1, 2), (2, 3), (4, 5))
    }
    assert found.contradicted == {("c00", "c01"): 7.0, ("c03", "c04"): 0.0, ("c05", "c04"): 0.0}
    assert dict(found.separating_sets) == {}
    assert set(found.margins) == set(found.directed) - {("c01", "c00"), ("c05", "c04")}
    if method == "climb":
        assert ("c01", "c02") in found.directed


def test_edges_between_copies_obey(codes):
    data = quiet({**{f"c0{x}": codes[x] for x in range(4)}, "again": codes[0], "same": codes[0]})
    names = ("again", "c00", "c01", "c02", "same")
    graph = cf.Graph(names, [("c00", "again")], [("c00", "same"), ("c00", "c01"), ("again", "same")])
    known = cf.Knowledge(
        tiers=[["again"], ["c00"]], required=[("same", "c00")], forbidden=[("again", "same"), ("same", "again")]
    )
    found = orient(graph, data, knowledge=known)
    assert {("again", "c00"), ("same", "c00")} < set(found.directed)
    assert len(found.edges) == 3
    assert found.reasons["again", "c00"] == found.reasons["same", "c00"] == "known"
    assert found.contradicted == {("c00", "again"): 0.0, ("again", "same"): 0.0}
    required = cf.Knowledge(required=[("same", "c02"), ("again", "c01")])
    assert set(required.required) < set(orient(graph, data, knowledge=required).directed)


def test_knowledge_is_checked(data):
    with pytest.raises(cf.UnknownColumnError):
        orient(open_graph(data, [(0, 1)]), data, knowledge=cf.Knowledge(roots=["c77"]))
    with pytest.raises(cf.OptionError, match="knowledge is a Knowledge"):
        orient(open_graph(data, [(0, 1)]), data, knowledge=3)
    assert "knowledge" not in orient(open_graph(data, [(0, 1)]), data, knowledge=cf.Knowledge()).options


def test_without_knowledge_known_edges_of_a_search_stay(data):
    known = cf.Knowledge(required=[("c05", "c01")])
    graph = cf.fges(data, knowledge=known)
    found = orient(graph, data)
    assert found.reasons["c05", "c01"] == "known"
    assert ("c05", "c01") not in found.margins


@pytest.mark.parametrize("method", ["climb", "global"])
def test_edges_directed_again_without_knowledge_do_not_claim_to_obey(data, method):
    known = cf.Knowledge(required=[("c05", "c00")], roots=["c05"])
    graph = cf.pc(data, knowledge=known)
    assert graph.contradicted
    found = orient(graph, data, method, edges="all")
    assert "knowledge" not in found.options
    assert not found.contradicted
    again = orient(graph, data, method, edges="all", knowledge=known)
    assert again.options["knowledge"] == known.to_dict()
    assert ("c05", "c00") in again.directed


def test_what_contradicts_other_knowledge_is_forgotten():
    data = quiet({"x": [0, 0, 1, 1] * 50, "y": [0, 1, 0, 1] * 50, "z": [0, 1, 1, 1] * 50})
    first, other = cf.Knowledge(tiers=[["z"], ["x", "y"]]), cf.Knowledge(tiers=[["x"], ["z"]])
    graph = cf.pc(data, knowledge=first)
    assert ("x", "z", "y") in graph.contradicted
    assert cf.orient(graph, data, knowledge=first).contradicted == graph.contradicted
    assert ("x", "z", "y") not in cf.orient(graph, data, knowledge=other).contradicted
