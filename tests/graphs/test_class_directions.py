"""The directions of a class against all its DAGs one by one, and what follows from thresholds."""

from __future__ import annotations

import random
from functools import cache
from math import log2

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.background import disobeying, with_knowledge
from climbfast.graphs.class_directions import (
    _Component,
    _Families,
    _odds,
    _rooted,
    _Tree,
    direct_class,
    undecided,
    with_decided,
)
from climbfast.graphs.equivalence import chain_components, cpdag, orientations
from climbfast.graphs.meek import ALL_RULES, close_pdag
from climbfast.graphs.pdag import PDAG
from tests.graphs.classes import is_acyclic, members, signature
from tests.graphs.obeying import allowed_among, obeys, true_knowledge
from tests.graphs.score_searches import sampled
from tests.oracle import random_dag

NOTHING = cf.Knowledge()


class RandomScore:
    """Another normal number for each family."""

    def __init__(self, seed):
        self.seed = seed

    def score(self, x, parents):
        assert list(parents) == sorted(parents)
        return _draw(self.seed, x, parents)


@cache
def _draw(seed, x, parents):
    return random.Random(f"{seed} {x} {parents}").gauss(0, 5)


def class_of(dag):
    return cpdag(PDAG(len(dag), ((x, y) for y, parents in enumerate(dag) for x in parents)))


def total(score, dag):
    return sum(score.score(x, tuple(sorted(parents))) for x, parents in enumerate(dag))


def naive(score, dag, weight, known=NOTHING):
    """Log2 of the odds of each direction, and the members with their expected numbers of right directions."""
    everyone = [other for other in members(dag) if obeys(other, known)]
    bits = [total(score, other) for other in everyone]
    shares = [2 ** (weight * (each - max(bits))) for each in bits]
    pairs = [(x, y) for x in range(len(dag)) for y in range(len(dag)) if any(x in other[y] for other in everyone)]
    having = {(x, y): sum(s for s, other in zip(shares, everyone, strict=True) if x in other[y]) for x, y in pairs}
    expected = {
        other: sum(having[x, y] / sum(shares) for y, parents in enumerate(other) for x in parents) for other in everyone
    }
    return {(x, y): log2(having[x, y] / having[y, x]) for x, y in pairs if (y, x) in having}, expected


@pytest.mark.parametrize("weight", [0, 0.35, 1])
@pytest.mark.parametrize("seed", range(30))
def test_all_members_are_weighed(seed, weight):
    dag, score = random_dag(6, seed, edge_probability=0.5), RandomScore(seed)
    found = direct_class(class_of(dag), score, weight=weight)
    odds, expected = naive(score, dag, weight)
    best = tuple(frozenset(parents) for parents in found.dag.parents)
    assert found.exact
    assert signature(best) == signature(dag)
    assert expected[best] == pytest.approx(max(expected.values()), abs=1e-4)
    assert {frozenset(arc) for arc in found.margins} == {frozenset(arc) for arc in odds}
    assert set(found.margins) <= set(found.dag.arcs())
    for arc, margin in found.margins.items():
        assert margin == pytest.approx(odds[arc], abs=1e-4)


@pytest.mark.parametrize("seed", range(30))
def test_hill_climbing_where_there_are_too_many_parts(seed):
    """With so large a weight one DAG has nearly all of it, and hill climbing ends where no covered edge gains."""
    dag, score = random_dag(6, seed, edge_probability=0.5), RandomScore(seed)
    exact, found = (direct_class(class_of(dag), score, weight=5, most_parts=most) for most in (3000, 0))
    best = tuple(frozenset(parents) for parents in found.dag.parents)
    assert found.exact is not any(class_of(dag).undirected)
    assert signature(best) == signature(dag)
    assert {frozenset(arc) for arc in found.margins} == {frozenset(arc) for arc in exact.margins}
    for x, y in found.margins:
        turned = [parents ^ {x} if z == y else parents | {y} if z == x else parents for z, parents in enumerate(best)]
        if is_acyclic(turned) and signature(tuple(turned)) == signature(dag):
            assert found.margins[x, y] > 0
            assert total(score, turned) <= total(score, best)


@pytest.mark.parametrize("most_parts", [3000, 0])
@pytest.mark.parametrize("seed", range(30))
def test_decided_directions_are_closed_and_of_the_class(seed, most_parts):
    graph = class_of(random_dag(7, seed, edge_probability=0.45))
    found = direct_class(graph, RandomScore(seed), most_parts=most_parts)
    for threshold in (0.5, 2.0, 6.0):
        decided = with_decided(graph, found, threshold)
        large = {arc for arc, bits in found.margins.items() if bits >= threshold}
        assert set(graph.arcs()) | large <= set(decided.arcs()) <= set(found.dag.arcs())
        assert close_pdag(decided.copy(), ALL_RULES) == []
        possible = list(orientations(decided))
        assert possible
        assert all(cpdag(dag) == graph for dag in possible)
    assert with_decided(graph, found, float("inf")) == graph
    assert with_decided(graph, found, float("-inf")) == found.dag


@pytest.mark.parametrize("seed", range(6))
def test_the_numbers_of_the_columns_decide_nothing(seed):
    dag = random_dag(7, seed, edge_probability=0.4)
    data = sampled(dag, 300, seed, (2, 3, 4, 2, 3, 2, 2))
    scores = cf.LocalScores(data, cf.FNML())
    new = np.random.default_rng(seed).permutation(7).tolist()

    class Renumbered:
        def score(self, x, parents):
            return scores.score(new.index(x), sorted(new.index(y) for y in parents))

    graph = class_of(dag)
    turned = PDAG(
        7, ((new[x], new[y]) for x, y in graph.arcs()), ((new[x], new[y]) for x, y in graph.undirected_edges())
    )
    found, again = direct_class(graph, scores), direct_class(turned, Renumbered())
    decided = {(new[x], new[y]) for x, y in with_decided(graph, found, 0.01).arcs()}
    assert set(with_decided(turned, again, 0.01).arcs()) == decided
    for (x, y), margin in found.margins.items():
        if (new[x], new[y]) in again.margins:
            assert again.margins[new[x], new[y]] == margin
        else:
            assert again.margins[new[y], new[x]] == -margin


def test_most_dags_of_a_star_point_outwards():
    """It has one DAG for each root: without a score all but one of them direct an edge away from the middle."""
    star = PDAG(9, (), ((0, x) for x in range(1, 9)))
    found = direct_class(star, RandomScore(0), weight=0)
    assert found.margins == {(0, x): pytest.approx(3, abs=1e-5) for x in range(1, 9)}


def test_large_components():
    """A star, a chain, and a strip of triangles; a clique has too many parts, and is searched."""
    star = PDAG(60, (), ((0, x) for x in range(1, 60)))
    chain = PDAG(60, (), ((x, x + 1) for x in range(59)))
    strip = PDAG(40, (), [*((x, x + 1) for x in range(39)), *((x, x + 2) for x in range(38))])
    clique = PDAG(12, (), ((x, y) for y in range(12) for x in range(y)))
    for graph, exact in ((star, True), (chain, True), (strip, True), (clique, False)):
        found = direct_class(graph, RandomScore(0))
        assert found.exact is exact
        assert cpdag(found.dag) == graph
        assert len(found.margins) == len(list(graph.undirected_edges()))


def test_scores_far_apart_are_no_overflow():
    class Decided:
        def score(self, x, parents):
            return 1e7 * len(parents) * x

    found = direct_class(PDAG(3, (), [(0, 1), (1, 2)]), Decided())
    assert set(found.dag.arcs()) == {(0, 1), (1, 2)}
    assert min(found.margins.values()) > 1e5


def test_nothing_to_direct():
    graph = PDAG(4, [(0, 2), (1, 2)])
    found = direct_class(graph, RandomScore(0))
    assert (found.dag, found.margins, found.exact) == (graph, {}, True)


def test_an_edge_that_others_imply_stays_directed():
    dag = PDAG(4, [(0, 1), (1, 2), (0, 2), (2, 3)])
    margins = {(0, 1): 5.0, (1, 2): 3.0, (0, 2): -2.0, (2, 3): 0.5}
    assert undecided(dag, margins, 1.0) == PDAG(4, [(0, 1), (1, 2), (0, 2)], [(2, 3)])
    assert undecided(dag, {**margins, (0, 1): 0.9}, 1.0) == PDAG(4, [(1, 2)], [(0, 1), (0, 2), (2, 3)])
    assert dag == PDAG(4, [(0, 1), (1, 2), (0, 2), (2, 3)])


def class_with_knowledge(seed):
    """A DAG, and knowledge that is true of some DAG of its class."""
    dag = random_dag(6, seed, edge_probability=0.5)
    everyone = members(dag)
    return dag, true_knowledge(everyone[seed % len(everyone)], seed)


@pytest.mark.parametrize("seed", range(80))
def test_with_knowledge_the_members_that_obey_are_weighed(seed):
    dag, known = class_with_knowledge(seed)
    score, allowed = RandomScore(seed), allowed_among(known, 6)
    found = direct_class(class_of(dag), score, allowed=allowed)
    odds, expected = naive(score, dag, 0.35, known)
    best = tuple(frozenset(parents) for parents in found.dag.parents)
    assert found.exact
    assert expected[best] == pytest.approx(max(expected.values()), abs=1e-4)
    assert {frozenset(arc) for arc in found.margins} == {frozenset(arc) for arc in odds}
    for arc, margin in found.margins.items():
        assert margin == pytest.approx(odds[arc], abs=1e-4)
    directed = with_knowledge(class_of(dag), allowed)
    assert {frozenset(arc) for arc in odds} == {frozenset(edge) for edge in directed.undirected_edges()}
    decided = with_decided(directed, found)
    assert disobeying(decided, allowed) == []
    assert set(directed.arcs()) <= set(decided.arcs()) <= set(found.dag.arcs())


@pytest.mark.parametrize("seed", range(80))
def test_with_knowledge_hill_climbing_meets_members_that_obey(seed):
    dag, known = class_with_knowledge(seed)
    score, allowed = RandomScore(seed), allowed_among(known, 6)
    found = direct_class(class_of(dag), score, weight=5, most_parts=0, allowed=allowed)
    best = tuple(frozenset(parents) for parents in found.dag.parents)
    assert signature(best) == signature(dag)
    assert obeys(best, known)
    directed = with_knowledge(class_of(dag), allowed)
    assert {frozenset(arc) for arc in found.margins} == {frozenset(edge) for edge in directed.undirected_edges()}
    for x, y in found.margins:
        turned = [parents ^ {x} if z == y else parents | {y} if z == x else parents for z, parents in enumerate(best)]
        if is_acyclic(turned) and signature(tuple(turned)) == signature(dag):
            assert total(score, turned) <= total(score, best)


def test_without_knowledge_about_the_class_nothing_changes():
    dag = random_dag(6, 5, edge_probability=0.5)
    x, y = next(iter(class_of(dag).arcs()), (0, 1))
    known = cf.Knowledge(forbidden=[(y, x)])
    for most in (3000, 0):
        with_known = direct_class(class_of(dag), RandomScore(5), most_parts=most, allowed=allowed_among(known, 6))
        assert with_known == direct_class(class_of(dag), RandomScore(5), most_parts=most)


def odds_of(component, score):
    return _odds(component.log_sums(_Families(score, 0.35)))


@pytest.mark.parametrize("columns", [2, 3, 8, 30])
def test_the_roots_of_a_tree_follow_from_each_other(columns):
    """The sums of a tree are those of a component whose roots are directed one by one, to the last digit."""
    draw = np.random.default_rng(columns)
    number = draw.permutation(columns).tolist()
    edges = [(number[draw.integers(i)], number[i]) for i in range(1, columns)]
    graph = PDAG(columns, (), edges)
    score = RandomScore(columns)
    for arcs in ([], [edges[0]], [edges[0][::-1], edges[-1][::-1]]):
        forbidden = frozenset(arcs)
        tree = _Tree(graph, list(range(columns)), forbidden)
        each = _Component(graph, list(range(columns)), 1, forbidden)
        odds = odds_of(tree, score)
        assert odds == odds_of(each, score)
        assert tree.likeliest(odds) == each.likeliest(odds)


@pytest.mark.parametrize("seed", range(40))
def test_a_root_directs_what_follows_by_the_rules(seed):
    graph = class_of(random_dag(9, seed, edge_probability=0.5))
    for nodes in chain_components(graph):
        near = {x: frozenset(graph.undirected[x]) for x in nodes}
        for root in nodes:
            closed = PDAG(graph.size, (), [(x, y) for x in nodes for y in near[x] if x < y])
            for x in near[root]:
                closed.orient(root, x)
            close_pdag(closed, ALL_RULES)
            found = _rooted(near, root, frozenset())
            assert found.arcs == list(closed.arcs())
            assert found.families == [(x, closed.parents[x]) for x in nodes if not closed.undirected[x]]
            assert [(sorted(part.nodes), part.parents) for part in found.left] == [
                (left, closed.parents[left[0]]) for left in chain_components(closed)
            ]


def test_the_directions_of_a_star_of_hundreds_of_columns():
    star = PDAG(400, (), [(0, x) for x in range(1, 400)])
    found = direct_class(star, RandomScore(1), weight=0)
    assert found.exact
    assert set(found.dag.arcs()) == {(0, x) for x in range(1, 400)}
    assert found.margins[0, 1] == pytest.approx(log2(399), abs=1e-4)
