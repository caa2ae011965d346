"""Hill climbing against every neighbor of a graph, and perturbations against the best of all graphs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.hill_climbing import HillClimber, iterated_search
from climbfast.graphs.pdag import PDAG
from tests.graphs.classes import every_dag, is_acyclic
from tests.graphs.naive import arcs, pdag_of
from tests.graphs.score_searches import best_by_brute_force, frozen, sampled, small_data, total
from tests.oracle import DAG, random_dag

TOLERANCE = 1e-6
SCORE = cf.AIC(parent_code=2)


def one_step_away(dag: DAG):
    """Every DAG with one edge more, fewer or reversed."""
    for x, y in permutations(range(len(dag)), 2):
        changed = list(dag)
        changed[y] = dag[y] ^ {x}
        if x not in dag[y] and y in dag[x]:
            changed[x] = dag[x] - {y}
        if is_acyclic(changed):
            yield tuple(changed)


@pytest.mark.parametrize("score", [SCORE, cf.BDeu(), cf.FNML()], ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_no_step_from_the_top_is_better(seed, score):
    data = small_data(seed)
    scores = cf.LocalScores(data, score)
    climber = HillClimber(scores, PDAG(data.columns), TOLERANCE)
    climber.climb()
    dag = frozen(climber)
    assert is_acyclic(dag)
    assert climber.total() == pytest.approx(total(scores, dag), abs=1e-9)
    assert max(total(scores, other) for other in one_step_away(dag)) <= total(scores, dag) + 2 * TOLERANCE


@pytest.mark.parametrize("seed", range(6))
def test_each_step_is_the_best_one(seed):
    data = small_data(seed)
    scores = cf.LocalScores(data, cf.BDeu())
    start: DAG = random_dag(data.columns, seed + 50, edge_probability=0.4)
    climber = HillClimber(scores, pdag_of(arcs(start), data.columns), TOLERANCE)
    dag = start
    while (step := climber._best_step()) is not None:
        best = max(total(scores, other) for other in one_step_away(dag))
        assert total(scores, dag) + step.gain == pytest.approx(best, abs=1e-6)
        parents = list(dag)
        parents[step.y] = parents[step.y] ^ {step.x}
        if step.kind == "reverse":
            parents[step.x] = parents[step.x] | {step.y}
        dag = tuple(parents)
        climber = HillClimber(scores, pdag_of(arcs(dag), data.columns), TOLERANCE)
    assert max(total(scores, other) for other in one_step_away(dag)) <= total(scores, dag) + 2 * TOLERANCE


def test_perturbations_make_no_cycle_and_keep_the_figures():
    data = small_data(4)
    scores = cf.LocalScores(data, SCORE)
    climber = HillClimber(scores, PDAG(data.columns), TOLERANCE)
    climber.climb()
    draw = np.random.default_rng(3)
    seen = set()
    for _ in range(60):
        before = climber.copy()
        kept = frozen(before)
        climber.perturb(draw)
        anew = HillClimber(scores, climber.dag, TOLERANCE)
        assert is_acyclic(frozen(climber))
        assert np.array_equal(climber._deleting, anew._deleting)
        assert climber._descendants == anew._descendants
        assert climber.total() == anew.total()
        assert frozen(before) == kept
        seen.add(frozen(climber))
        climber.climb()
    assert len(seen) > 5


@pytest.mark.parametrize("seed", range(8))
def test_the_best_of_all_graphs_of_five_columns(seed):
    dag = random_dag(5, seed, edge_probability=0.5)
    data = sampled(dag, 200_000, seed, (2, 3, 2, 3, 2))
    scores = cf.LocalScores(data, SCORE)
    climber = HillClimber(scores, PDAG(5), TOLERANCE)
    found = frozen(iterated_search(climber, 40, 0, TOLERANCE))
    assert total(scores, found) == pytest.approx(total(scores, best_by_brute_force(scores)), abs=1e-6)


def test_perturbations_leave_local_optima():
    """They are no guarantee, but leave most of the graphs where climbing alone stops below the best one."""
    stuck = still_stuck = 0
    for seed in range(40):
        data = sampled(random_dag(4, seed, edge_probability=0.7), 300, seed)
        scores = cf.LocalScores(data, cf.BDeu())
        best = max(total(scores, dag) for dag in every_dag(4))
        climber = HillClimber(scores, PDAG(4), TOLERANCE)
        climber.climb()
        stuck += climber.total() < best - 1e-3
        still_stuck += iterated_search(climber, 60, 0, TOLERANCE).total() < best - 1e-3
    assert stuck >= 5
    assert still_stuck <= stuck / 3
