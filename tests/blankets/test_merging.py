"""Blankets of all targets as one graph."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import climbfast as cf
from bench.shared.sparse_networks import sparse_network
from tests.batch.runs import run
from tests.factories import draw_net, named, quiet, quiet_codes
from tests.graphs.knowledge_of_dags import random_knowledge


def naive(blankets, rule, direction):
    """The rules, written out for one pair after the other."""
    names = sorted({*blankets, *(x for blanket in blankets.values() for x in blanket.neighbors)})
    arcs, lines = set(), set()
    for x in names:
        for y in names:
            ends = [(end, other) for end, other in ((x, y), (y, x)) if end in blankets]
            ends = [(end, other) for end, other in ends if other in blankets[end].neighbors]
            if x >= y or len(ends) < (2 if rule == "and" else 1):
                continue
            forward = backward = None
            for end, other in ends:
                margin = blankets[end].margins.get(other, 0.0)
                to_other = other in blankets[end].children
                if not to_other and other not in blankets[end].parents:
                    continue
                if (end == x) == to_other:
                    forward = max(margin, -1.0 if forward is None else forward)
                else:
                    backward = max(margin, -1.0 if backward is None else backward)
            telling = sum(other not in blankets[end].undecided for end, other in ends)
            if direction == "agreement" and telling < 2:
                forward = backward = None
            if direction == "agreement" and forward is not None and backward is not None:
                forward = backward = None
            if direction == "none" or forward == backward:
                lines.add((x, y))
            elif backward is None or (forward is not None and forward > backward):
                arcs.add((x, y))
            else:
                arcs.add((y, x))
    return tuple(names), arcs, lines


@st.composite
def _blankets(draw):
    names = draw(st.lists(st.sampled_from("abcdef"), min_size=1, unique=True))
    found = []
    for target in names:
        roles = {x: draw(st.sampled_from(["parents", "children", "undecided", "spouses", "none"])) for x in "abcdef"}
        sides = {
            side: tuple(x for x, role in roles.items() if role == side and x != target)
            for side in ("parents", "children", "undecided", "spouses")
        }
        neighbors = (*sides["parents"], *sides["children"], *sides["undecided"])
        margins = {x: draw(st.sampled_from([0.0, 1.0, 2.0, 3.0])) for x in neighbors if draw(st.booleans())}
        strengths = {x: draw(st.sampled_from([1.0, 2.0, 3.0])) for x in neighbors}
        found.append(cf.Blanket(target, **sides, margins=margins, strengths=strengths))
    return cf.Blankets(found)


@given(blankets=_blankets(), rule=st.sampled_from(["and", "or"]), data=st.data())
def test_the_same_as_the_rules_written_out(blankets, rule, data):
    direction = data.draw(st.sampled_from(["agreement", "margin", "none"]))
    graph = blankets.merge(rule, direction, directions="all")
    assert (graph.names, {*graph.directed}, {*graph.undirected}) == naive(blankets, rule, direction)
    assert graph.reasons == dict.fromkeys(graph.margins, "chosen")
    decided = blankets.merge(rule, direction)
    too_small = {edge for edge, bits in graph.margins.items() if bits < 1}
    assert {*decided.directed} == {*graph.directed} - too_small
    assert decided.skeleton == graph.skeleton
    assert set(decided.margins) == set(decided.reasons) == set(graph.margins) - too_small
    for x, y in (*graph.directed, *graph.undirected):
        ends = [blankets[a].strengths[b] for a, b in ((x, y), (y, x)) if a in blankets and b in blankets[a].neighbors]
        assert graph.strengths[x, y] == min(ends)
    assert set(graph.margins) <= {*graph.directed}


@pytest.mark.parametrize("direction", ["agreement", "margin"])
@pytest.mark.parametrize("rule", ["and", "or"])
def test_true_blankets_are_the_network(rule, direction):
    network = sparse_network(60, levels=2, in_degree=(1, 4), concentration=1.0, seed=3)
    blankets = cf.Blankets(map(network.blanket, network.nodes))
    graph = blankets.merge(rule, direction)
    assert graph.names == network.nodes
    assert sorted(graph.directed) == sorted(network.arcs)
    assert graph.undirected == ()
    skeleton = blankets.merge(rule, "none")
    assert sorted(skeleton.undirected) == sorted(tuple(sorted(arc)) for arc in network.arcs)
    assert skeleton.directed == ()


def two(margin, other):
    """x takes y for its child, y takes x for its child."""
    return cf.Blankets([
        cf.Blanket("x", children=("y",), margins={"y": margin}, strengths={"y": 7.0}),
        cf.Blanket("y", children=("x",), margins={"x": other}, strengths={"x": 5.0}),
    ])  # fmt: skip


def test_ends_that_differ():
    assert two(2.0, 1.0).merge("and", "agreement").undirected == (("x", "y"),)
    ahead, behind = two(2.0, 1.0).merge("and", "margin"), two(1.0, 2.0).merge("and", "margin")
    assert (ahead.directed, ahead.margins, ahead.strengths) == ((("x", "y"),), {("x", "y"): 2.0}, {("x", "y"): 5.0})
    assert (behind.directed, behind.margins) == ((("y", "x"),), {("y", "x"): 2.0})
    tied = two(1.0, 1.0).merge("and", "margin")
    assert (tied.directed, tied.undirected, tied.margins) == ((), (("x", "y"),), {})


def test_it_says_how_it_was_merged():
    graph = two(2.0, 1.0).merge("or", "margin")
    assert (graph.method, graph.options["direction"]) == ("merge", "margin")
    assert graph.options == {"rule": "or", "direction": "margin", "directions": "decided"}


def test_an_end_that_says_nothing():
    found = cf.Blankets([cf.Blanket("x", children=("y",), margins={"y": 3.0}), cf.Blanket("y"), cf.Blanket("z")])
    assert found.merge("and", "margin").undirected == found.merge("and", "margin").directed == ()
    assert found.merge("or", "agreement").undirected == (("x", "y"),)
    assert found.merge("or", "margin").directed == (("x", "y"),)
    assert found.merge().names == ("x", "y", "z")


def test_agreement_has_the_smaller_margin():
    found = cf.Blankets([
        cf.Blanket("x", children=("y",), margins={"y": 3.0}),
        cf.Blanket("y", parents=("x",), margins={"x": 2.0}),
    ])  # fmt: skip
    assert found.merge(direction="agreement").margins == {("x", "y"): 2.0}
    assert found.merge(direction="margin").margins == {("x", "y"): 3.0}


def test_a_column_that_was_no_target_is_a_node_and_joined_by_or_alone():
    found = cf.Blankets([cf.Blanket(2, undecided=(10,), spouses=(7,))])
    assert (found.merge("and").names, found.merge("and").undirected) == ((10, 2), ())
    assert found.merge("or").undirected == ((10, 2),)


def test_cycles_are_not_kept_out():
    cycle = [cf.Blanket(x, parents=(before,), children=(after,)) for before, x, after in ("cab", "abc", "bca")]
    assert sorted(cf.Blankets(cycle).merge().directed) == [("a", "b"), ("b", "c"), ("c", "a")]


class Evidence(NamedTuple):
    columns: tuple[str, ...]
    bits: float


@dataclass(frozen=True, kw_only=True)
class SeenBlanket(cf.Blanket):
    """A blanket with collider evidence, which is no margin."""

    evidence: Mapping[str, Evidence] = field(default_factory=dict)


def seen(target, bits, **sides):
    (other,) = (name for names in sides.values() for name in names)
    return SeenBlanket(target, **sides, evidence={other: Evidence(("u",), bits)})


def test_a_side_that_was_seen_is_surer_than_one_that_was_weighed():
    weighed = cf.Blanket("y", children=("x",), margins={"x": 90.0})
    graph = cf.Blankets([seen("x", 5.0, children=("y",)), weighed]).merge(direction="margin")
    assert (graph.directed, graph.reasons, graph.margins) == ((("x", "y"),), {("x", "y"): "collider"}, {})
    assert cf.Blankets([seen("x", 5.0, children=("y",)), weighed]).merge().undirected == (("x", "y"),)
    more = cf.Blankets([seen("x", 5.0, children=("y",)), seen("y", 6.0, children=("x",))]).merge(direction="margin")
    assert more.directed == (("y", "x"),)
    tied = cf.Blankets([seen("x", 5.0, children=("y",)), seen("y", 5.0, children=("x",))]).merge(direction="margin")
    assert (tied.undirected, tied.reasons) == ((("x", "y"),), {})


@pytest.mark.parametrize("direction", ["agreement", "margin"])
def test_evidence_at_one_end_is_the_reason(direction):
    weighed = cf.Blanket("y", parents=("x",), margins={"x": 0.5})
    graph = cf.Blankets([seen("x", 5.0, children=("y",)), weighed]).merge(direction=direction)
    assert (graph.directed, graph.reasons, graph.margins) == ((("x", "y"),), {("x", "y"): "collider"}, {})


@pytest.mark.parametrize("rule", ["and", "or"])
def test_less_than_one_bit_decides_nothing(rule):
    for bits, directed in ((0.9, False), (1.0, True)):
        found = cf.Blankets([
            cf.Blanket("x", children=("y",), margins={"y": 3.0}), cf.Blanket("y", parents=("x",), margins={"x": bits})
        ])  # fmt: skip
        graph = found.merge(rule)
        assert (graph.directed, graph.reasons) == (((("x", "y"),), {("x", "y"): "chosen"}) if directed else ((), {}))
        assert found.merge(rule, "margin").margins == {("x", "y"): 3.0}
        assert found.merge(rule, directions="all").margins == {("x", "y"): bits}


def of_best(target, directions="decided", **fields):
    """A blanket that was read off a graph: a directed neighbor without a margin is compelled."""
    return cf.Blanket(target, method="best", options={"directions": directions}, **fields)


@pytest.mark.parametrize("direction", ["agreement", "margin"])
def test_what_the_class_compels_is_directed(direction):
    found = cf.Blankets([of_best("x", children=("y",)), of_best("y", parents=("x",))])
    graph = found.merge(direction=direction)
    assert (graph.directed, graph.reasons, graph.margins) == ((("x", "y"),), {("x", "y"): "compelled"}, {})


def test_compelled_is_surer_than_weighed_and_less_sure_than_seen():
    compelled = of_best("x", children=("y",))
    for other in (cf.Blanket("y", children=("x",), margins={"x": 90.0}), of_best("y", undecided=("x",))):
        graph = cf.Blankets([compelled, other]).merge(direction="margin")
        assert (graph.directed, graph.reasons) == ((("x", "y"),), {("x", "y"): "compelled"})
        assert cf.Blankets([compelled, other]).merge(direction="agreement").undirected == (("x", "y"),)
    graph = cf.Blankets([compelled, seen("y", 3.0, children=("x",))]).merge(direction="margin")
    assert (graph.directed, graph.reasons) == ((("y", "x"),), {("y", "x"): "collider"})
    opposed = cf.Blankets([compelled, of_best("y", children=("x",))]).merge(direction="margin")
    assert (opposed.undirected, opposed.reasons) == ((("x", "y"),), {})


@pytest.mark.parametrize("direction", ["agreement", "margin"])
def test_what_best_decided_stays_decided(direction):
    """Its margins are log2 of odds: half a bit decides. What is smaller was left undecided, or other edges imply it."""
    for directions, bits, directed in (("decided", 0.1, True), ("all", 0.49, False), ("all", 0.5, True)):
        found = cf.Blankets([
            of_best("x", directions, children=("y",), margins={"y": bits}),
            of_best("y", directions, parents=("x",), margins={"x": bits}),
        ])  # fmt: skip
        graph = found.merge(direction=direction)
        assert graph.reasons == ({("x", "y"): "chosen"} if directed else {})
        assert graph.margins == ({("x", "y"): bits} if directed else {})
        assert len(graph.directed) == directed
        assert found.merge(direction=direction, directions="all").directed == (("x", "y"),)


@pytest.mark.parametrize("directions", ["decided", "all"])
@pytest.mark.parametrize("direction", ["agreement", "margin"])
def test_blankets_of_a_graph_are_that_graph(direction, directions):
    data = quiet(named(draw_net(5, 9, 1_000)))
    found = cf.markov_blankets(data, method="best", directions=directions, progress=False)
    graph, merged = (
        cf.causal_graph(data, directions=directions),
        found.merge(direction=direction, directions=directions),
    )
    for part in ("names", "reasons", "margins"):
        assert getattr(merged, part) == getattr(graph, part)
    assert ({*merged.directed}, {*merged.undirected}) == ({*graph.directed}, {*graph.undirected})
    assert {"compelled", "chosen"} <= {*merged.reasons.values()}


@pytest.mark.parametrize(
    ("option", "legal"),
    [("rule", "and, or"), ("direction", "agreement, margin, none"), ("directions", "decided, all")],
)
def test_options_outside_their_values(option, legal):
    with pytest.raises(cf.OptionError, match=rf"{option} is 'xor'; it is one of {legal}"):
        cf.Blankets([cf.Blanket("x")]).merge(**{option: "xor"})


@pytest.fixture(scope="module")
def found_with_knowledge():
    """The columns, which arcs knowledge allows, and the blankets that were found with it."""
    found = []
    for seed in range(15):
        data = quiet_codes(draw_net(seed, columns=8, rows=150))
        known = random_knowledge(data.names, random.Random(seed))
        found.append((data.names, known.allowed_arcs(data.names), run(data, n_jobs=1, knowledge=known)))
    return found


@pytest.mark.parametrize("rule", ["and", "or"])
@pytest.mark.parametrize("direction", ["agreement", "margin", "none"])
def test_the_graph_of_all_obeys_what_all_were_found_with(found_with_knowledge, rule, direction):
    for names, allowed, blankets in found_with_knowledge:
        graph = blankets.merge(rule, direction)
        arcs = {(names.index(x), names.index(y)) for x, y in graph.directed}
        assert allowed.required <= arcs
        assert all(allowed.allows(x, y) for x, y in arcs)
        for x, y in graph.undirected:
            assert allowed.allows(names.index(x), names.index(y))
            assert allowed.allows(names.index(y), names.index(x))
        one_way = {(x, y) for x, y in graph.directed if allowed.directs(names.index(x), names.index(y))}
        assert {edge for edge, reason in graph.reasons.items() if reason == "known"} == one_way
        assert not one_way & graph.margins.keys()


def test_what_was_left_out_around_hubs_is_still_said():
    whole = cf.Blanket("a", undecided=("b",))
    hubs = [cf.Blanket("b", undecided=("a",), bounded=3), cf.Blanket("c", bounded=1)]
    assert "bounded_targets" not in cf.Blankets([whole]).merge().figures
    graph = cf.Blankets([whole, *hubs]).merge()
    assert graph.figures == {"bounded_targets": 2}
    assert str(graph).endswith("not all sets tried (max_pool): 2 targets")
    assert "not all sets tried (max_pool): 2 targets" in graph._repr_html_()
