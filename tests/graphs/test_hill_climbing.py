"""Hill climbing against every neighbor of a graph, and perturbations against the best of all graphs."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast import interrupts
from climbfast.graphs import hill_climbing
from climbfast.graphs.hill_climbing import iterated_search
from climbfast.graphs.pdag import PDAG
from tests.graphs.classes import every_dag, is_acyclic
from tests.graphs.naive import arcs, pdag_of
from tests.graphs.naive_hill_climbing import climb, one_step_away, units
from tests.graphs.score_searches import best_by_brute_force, frozen, sampled, small_data, tables_of
from tests.oracle import random_dag

SCORES = (cf.AIC(parent_code=2), cf.BDeu(), cf.QNML(), cf.FNML())


@pytest.mark.parametrize("perturbations", [0, 30])
@pytest.mark.parametrize("seed", range(6))
def test_no_step_from_what_is_returned_is_better(seed, perturbations):
    data = small_data(seed)
    tables = tables_of(data, *SCORES)
    for number, score in enumerate(SCORES):
        scores = cf.LocalScores(data, score)
        found, made = iterated_search(tables, number, PDAG(data.columns), perturbations, 0)
        dag = frozen(found)
        assert is_acyclic(dag)
        assert made == perturbations
        assert max(units(scores, other) for other in one_step_away(dag)) <= units(scores, dag)


@pytest.mark.parametrize("score", SCORES, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_without_perturbations_it_is_greedy(seed, score):
    data = small_data(seed)
    start = random_dag(data.columns, seed + 50, edge_probability=0.3)
    scores = cf.LocalScores(data, score)
    found, _ = iterated_search(tables_of(data, score), 0, pdag_of(arcs(start), data.columns), 0, 0)
    assert frozen(found) == climb(scores, start)


@pytest.mark.parametrize("seed", range(8))
def test_the_best_of_all_graphs_of_five_columns(seed):
    dag = random_dag(5, seed, edge_probability=0.5)
    data = sampled(dag, 200_000, seed, (2, 3, 2, 3, 2))
    scores = cf.LocalScores(data, SCORES[0])
    found, _ = iterated_search(tables_of(data, SCORES[0]), 0, PDAG(5), 40, 0)
    assert units(scores, frozen(found)) == units(scores, best_by_brute_force(scores))


def test_perturbations_leave_local_optima():
    """They are no guarantee, but leave most of the graphs where climbing alone stops below the best one."""
    stuck = still_stuck = 0
    for seed in range(40):
        data = sampled(random_dag(4, seed, edge_probability=0.7), 300, seed)
        scores, tables = cf.LocalScores(data, cf.BDeu()), tables_of(data, cf.BDeu())
        best = max(units(scores, dag) for dag in every_dag(4))
        reached = [units(scores, frozen(iterated_search(tables, 0, PDAG(4), n, 0)[0])) for n in (0, 60)]
        assert reached[0] <= reached[1] <= best
        stuck += reached[0] < best
        still_stuck += reached[1] < best
    assert stuck >= 5
    assert still_stuck <= stuck / 3


def test_the_search_can_end_at_any_time(monkeypatch):
    """After any number of looks the result is a DAG, and never worse than that of fewer."""
    monkeypatch.setattr(hill_climbing, "STEPS_BETWEEN_LOOKS", 3)
    data = small_data(7)
    scores, tables = cf.LocalScores(data, SCORES[0]), tables_of(data, SCORES[0])
    start = PDAG(data.columns)
    climbed = units(scores, frozen(iterated_search(tables, 0, start, 0, 0)[0]))
    reached, numbers = [units(scores, frozen(start))], []
    for looks in range(60):
        answers = iter([True] * looks)
        dag, made = iterated_search(tables, 0, start, 50, 0, lambda answers=answers: next(answers, False))
        assert is_acyclic(frozen(dag))
        reached.append(units(scores, frozen(dag)))
        numbers.append(made)
        if made > 0:
            assert reached[-1] >= climbed
    assert reached == sorted(reached)
    assert numbers == sorted(numbers)
    assert 0 < numbers[-1] < 50


def test_looks_change_nothing(monkeypatch):
    data = small_data(5)
    expected = iterated_search(tables_of(data, SCORES[0]), 0, PDAG(data.columns), 30, 1)
    monkeypatch.setattr(hill_climbing, "STEPS_BETWEEN_LOOKS", 1)
    found = iterated_search(tables_of(data, SCORES[0]), 0, PDAG(data.columns), 30, 1)
    assert (frozen(found[0]), found[1]) == (frozen(expected[0]), expected[1])


def test_an_interrupt_that_is_pending_ends_the_search(monkeypatch):
    """Its handler could not raise it: without that the search would ask the stopped kernel for ever."""
    data = small_data(0)
    monkeypatch.setattr(interrupts, "_pending", True)
    interrupts.STOP[0] = 1
    try:
        with pytest.raises(KeyboardInterrupt):
            iterated_search(tables_of(data, SCORES[0]), 0, PDAG(data.columns), 5, 0)
    finally:
        interrupts.STOP[0] = 0


@pytest.mark.parametrize("columns", [1, 2])
def test_few_columns(columns):
    data = sampled(random_dag(columns, 0), 100, 0)
    dag, made = iterated_search(tables_of(data, SCORES[0]), 0, PDAG(columns), 5, 0)
    assert is_acyclic(frozen(dag))
    assert made == (5 if columns > 1 else 0)


def test_draws_are_of_all_columns_and_moves():
    drawn = hill_climbing._draw(4, 200, 0)
    assert np.unique(drawn[:, 0]).tolist() == [1, 2, 3]
    assert np.unique(drawn[:, 1::2]).tolist() == [0, 1, 2, 3]
    assert np.unique(drawn[:, 2::2]).tolist() == [0, 1, 2]
