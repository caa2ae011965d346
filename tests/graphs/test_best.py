"""Several searches and their vote: wide data, little time, and what is counted."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs import best
from climbfast.graphs.background import disobeying, known_arcs, with_knowledge
from climbfast.graphs.best import SCORES, Budget, find_best
from climbfast.graphs.class_directions import direct_class, with_decided
from climbfast.graphs.equivalence import cpdag
from climbfast.graphs.pdag import PDAG
from climbfast.scores import scores_of
from tests.factories import quiet_codes
from tests.graphs.classes import is_acyclic
from tests.graphs.naive import arcs, pdag_of
from tests.graphs.obeying import allowed_among, every_true_tiering, random_knowledge
from tests.graphs.score_searches import frozen, sampled, small_data
from tests.oracle import all_dags, random_dag


def edges(dag: PDAG) -> set[frozenset[int]]:
    return {frozenset(arc) for arc in dag.arcs()}


@pytest.mark.parametrize("widest", [2, 1200], ids=["screen", "fges"])
def test_wide_data_have_about_the_same_graph(monkeypatch, widest):
    data = sampled(random_dag(14, 3, edge_probability=0.15, max_parents=3), 3_000, 3)
    expected = edges(find_best(data).directions.dag)
    monkeypatch.setattr(best, "ALL_ARE_CANDIDATES", 2)
    monkeypatch.setattr(best, "STRONGEST_CANDIDATES", 6)
    monkeypatch.setattr(best, "MOST_COLUMNS_OF_FGES", widest)
    found = find_best(data)
    assert is_acyclic(frozen(found.directions.dag))
    assert len(edges(found.directions.dag) ^ expected) <= 1
    start, _ = best._start(scores_of(data, best.START_SCORE), data, Budget())
    assert bool(list(start.arcs())) == (widest > 14)


def test_candidates_are_mutual_and_have_the_start(monkeypatch):
    monkeypatch.setattr(best, "ALL_ARE_CANDIDATES", 2)
    monkeypatch.setattr(best, "STRONGEST_CANDIDATES", 1)
    data = small_data(5)
    start = PDAG(data.columns, [(0, 5), (1, 5)])
    candidates = [set(c.tolist()) for c in best._candidates(data, scores_of(data, best.START_SCORE), start)]
    assert {0, 1} <= candidates[5]
    assert all((x in candidates[y]) == (y in candidates[x]) for x in range(8) for y in range(8))
    assert all(x not in candidates[x] for x in range(8))


def test_without_time_there_is_a_dag():
    data = small_data(7)
    found = find_best(data, budget=Budget(0.0))
    assert is_acyclic(frozen(found.directions.dag))
    assert found.perturbations < found.wanted == len(SCORES) * best.PERTURBATIONS_PER_COLUMN * data.columns


def test_the_user_can_end_it():
    data = small_data(7)
    looks = iter(range(10))
    found = find_best(data, perturbations=500, budget=Budget(None, lambda: next(looks, 99) > 8))
    assert is_acyclic(frozen(found.directions.dag))
    assert found.perturbations < found.wanted


def test_shares_of_a_budget(monkeypatch):
    now = [10.0]
    monkeypatch.setattr(best.time, "perf_counter", lambda: now[0])
    budget = Budget(6.0)
    now[0] = 12.0
    share = budget.share(2)
    now[0] = 13.5
    assert share.is_left()
    now[0] = 14.0
    assert not share.is_left()
    assert budget.is_left()
    now[0] = 20.0
    assert not budget.is_left()
    assert not budget.share(3).is_left()
    assert Budget().share(3).is_left()
    assert not Budget(None, lambda: True).share(3).is_left()


def test_votes_and_figures():
    data = small_data(8)
    found = find_best(data)
    dag = found.directions.dag
    assert found.searches == len(SCORES) + 1
    assert found.perturbations == found.wanted
    for x, y in dag.arcs():
        votes = found.votes[x, y]
        assert best.FEWEST_VOTES <= votes.edge <= found.searches
        assert votes.direction + found.votes[y, x].direction == votes.edge
    fnml, first = cf.LocalScores(data, "fnml"), cf.LocalScores(data, SCORES[0])
    parents = [tuple(sorted(of_column)) for of_column in dag.parents]
    assert found.fnml == pytest.approx(sum(fnml.score(x, p) for x, p in enumerate(parents)))
    assert found.score == pytest.approx(sum(first.score(x, p) for x, p in enumerate(parents)))
    for (x, y), bits in found.strengths.items():
        others = tuple(p for p in parents[y] if p != x)
        assert bits == pytest.approx(first.score(y, parents[y]) - first.score(y, others))
    assert set(found.strengths) == set(dag.arcs())
    assert set(found.cpdag.arcs()) == set(cpdag(dag).arcs())
    assert found.directions.margins == direct_class(found.cpdag, scores_of(data, cf.FNML())).margins


def test_one_score_has_no_vote():
    found = find_best(small_data(3), (cf.BIC(),), perturbations=3)
    assert (found.votes, found.searches, found.perturbations, found.wanted) == ({}, 1, 3, 3)


def test_independent_columns_have_no_edges():
    data = quiet_codes(np.random.default_rng(0).integers(2, size=(6, 2_000)).astype(np.uint8))
    assert not edges(find_best(data).directions.dag)


# Knowledge


class Watched:
    """A score that refuses families with a forbidden parent."""

    def __init__(self, scores, allowed):
        self._scores, self._allowed = scores, allowed

    def __getattr__(self, name):
        return getattr(self._scores, name)

    def _check(self, x, parents):
        assert all(self._allowed.allows(int(p), x) for p in parents), (x, parents)

    def score(self, x, parents):
        self._check(x, parents)
        return self._scores.score(x, parents)

    def units_of(self, x, parents):
        self._check(x, parents)
        return self._scores.units_of(x, parents)

    def gains(self, x, parents, others):
        self._check(x, (*parents, *others))
        return self._scores.gains(x, parents, others)


@pytest.mark.parametrize("widest", [None, 2, 1200], ids=["narrow", "screen", "fges"])
@pytest.mark.parametrize("seed", range(12))
def test_no_result_contradicts_knowledge(monkeypatch, seed, widest):
    """Also false knowledge; and no family with a forbidden parent is scored."""
    data, known = small_data(seed), random_knowledge(6 + seed % 3, seed)
    allowed = allowed_among(known, data.columns)
    monkeypatch.setattr(best, "scores_of", lambda *of: Watched(scores_of(*of), allowed))
    if widest is not None:
        monkeypatch.setattr(best, "ALL_ARE_CANDIDATES", 2)
        monkeypatch.setattr(best, "STRONGEST_CANDIDATES", 2)
        monkeypatch.setattr(best, "MOST_COLUMNS_OF_FGES", widest)
    scores = SCORES if seed % 2 else SCORES[:1]
    found = find_best(data, scores, perturbations=5, allowed=allowed)
    for graph in (found.cpdag, found.directions.dag, with_decided(found.cpdag, found.directions)):
        assert disobeying(graph, allowed) == []
        assert known_arcs(graph, allowed) == []
        assert graph.cycle() == []
    assert found.cpdag == with_knowledge(cpdag(found.directions.dag), allowed)
    open_edges = {frozenset(edge) for edge in found.cpdag.undirected_edges()}
    assert {frozenset(arc) for arc in found.directions.margins} == open_edges


def test_every_tiering_of_small_graphs():
    """Tiers that are true make no direction of the truth wrong, and lose no edge that is found without them.

    Of the tierings of four columns every eighteenth.
    """
    fewer = 0
    for number, dag in enumerate(dag for n in (2, 3, 4) for dag in all_dags(n)):
        data = sampled(dag, 20_000, number, (2, 3, 2, 3)[: len(dag)])
        without = find_best(data, perturbations=3)
        for tiers in list(every_true_tiering(dag))[:: 18 if len(dag) == 4 else 1]:
            allowed = allowed_among(cf.Knowledge(tiers=tiers), len(dag))
            found = find_best(data, perturbations=3, allowed=allowed)
            assert edges(found.directions.dag) == edges(without.directions.dag)
            assert all(
                x in dag[y] for x, y in found.cpdag.arcs() if frozenset((x, y)) in edges(pdag_of(arcs(dag), len(dag)))
            )
            fewer += found.families < without.families
    assert fewer > 30


def test_contradictions_are_those_of_fges():
    draw = np.random.default_rng(0)
    x, z = draw.integers(0, 2, (2, 2_000))
    y = np.where(draw.random(2_000) < 0.9, x & z, draw.integers(0, 2, 2_000))
    data = quiet_codes(np.array([x, y, z], np.uint8))
    found = find_best(data, allowed=cf.Knowledge(roots=["c01"]).allowed_arcs(data.canonical))
    assert list(found.contradicted) == [(0, 1, 2)]
    assert found.contradicted[0, 1, 2] > 0
    assert find_best(data).contradicted == {}


def test_more_required_parents_than_a_search_holds():
    data = quiet_codes(np.random.default_rng(0).integers(2, size=(40, 50)).astype(np.uint8))
    names = data.canonical
    required = [(x, names[0]) for x in names[1:]]
    with pytest.raises(cf.KnowledgeError, match="'c00' has 39 required parents; the method best takes at most 32"):
        find_best(data, allowed=cf.Knowledge(required=required).allowed_arcs(names))
    found = find_best(data, perturbations=1, allowed=cf.Knowledge(required=required[:32]).allowed_arcs(names))
    assert found.directions.dag.parents[0] == set(range(1, 33))


def test_without_time_the_graph_obeys():
    for seed in range(10):
        data, known = small_data(seed), random_knowledge(6 + seed % 3, seed)
        allowed = allowed_among(known, data.columns)
        found = find_best(data, budget=Budget(0.0), allowed=allowed)
        assert disobeying(found.directions.dag, allowed) == []
        assert found.directions.dag.cycle() == []
