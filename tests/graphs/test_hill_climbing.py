"""Hill climbing against every neighbor of a graph, and perturbations against the best of all graphs."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import climbfast as cf
from climbfast import interrupts
from climbfast.graphs import hill_climbing
from climbfast.graphs.families import FamilyTables
from climbfast.graphs.hill_climbing import iterated_search
from climbfast.graphs.pdag import PDAG
from tests.graphs.classes import every_dag, is_acyclic
from tests.graphs.naive import arcs, pdag_of
from tests.graphs.naive_hill_climbing import climb, one_step_away, units
from tests.graphs.obeying import allowed_among, obeys, random_knowledge
from tests.graphs.score_searches import best_by_brute_force, frozen, sampled, small_data, tables_of
from tests.oracle import DAG, random_dag

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


def obeying_start(columns: int, known: cf.Knowledge, seed: int) -> DAG:
    """A random DAG that obeys: the required edges, and others in an order that these allow."""
    draw = np.random.default_rng(seed)
    dag = tuple(frozenset(x for x, z in known.required if z == y) for y in range(columns))
    for x, y in draw.permutation([(x, y) for x in range(columns) for y in range(columns) if x != y]).tolist():
        more = tuple(parents | {x} if z == y else parents for z, parents in enumerate(dag))
        if draw.random() < 0.2 and is_acyclic(more) and obeys(more, known):
            dag = more
    return dag


@pytest.mark.parametrize("score", SCORES, ids=str)
@pytest.mark.parametrize("seed", range(9))
def test_with_knowledge_it_is_greedy_among_what_obeys(seed, score):
    data, known = small_data(seed), random_knowledge(6 + seed % 3, seed)
    allowed, scores = allowed_among(known, data.columns), cf.LocalScores(data, score)
    start = obeying_start(data.columns, known, seed)
    tables = tables_of(data, score, allowed=allowed)
    found, _ = iterated_search(tables, 0, pdag_of(arcs(start), data.columns), 0, 0)
    assert frozen(found) == climb(scores, start, partial(obeys, known=known))


@pytest.mark.parametrize("seed", range(20))
def test_perturbed_graphs_obey_as_well(seed):
    """No family that is forbidden was counted, so every graph on the way obeyed."""
    data, known = small_data(seed), random_knowledge(6 + seed % 3, seed)
    allowed, scores = allowed_among(known, data.columns), cf.LocalScores(data, SCORES[0])
    tables = tables_of(data, SCORES[0], allowed=allowed)
    start = obeying_start(data.columns, known, seed)
    found, made = iterated_search(tables, 0, pdag_of(arcs(start), data.columns), 60, 0)
    dag = frozen(found)
    assert made == 60
    assert is_acyclic(dag)
    assert obeys(dag, known)
    better = [other for other in one_step_away(dag) if units(scores, other) > units(scores, dag)]
    assert not any(obeys(other, known) for other in better)
    for y, parents in families_in(tables):
        assert all(allowed.allows(x, y) for x in parents)
        assert {x for x, z in allowed.required if z == y} <= set(parents)


def families_in(tables: FamilyTables) -> list[tuple[int, list[int]]]:
    arrays = tables.arrays
    numbers = arrays.slots[arrays.slots >= 0].tolist()
    return [(int(arrays.child[f]), arrays.parents[f, : arrays.size[f]].tolist()) for f in numbers]


def test_required_parents_come_first_where_there_are_too_many(monkeypatch):
    data = small_data(2)
    allowed = allowed_among(cf.Knowledge(required=[(6, 7), (4, 7)]), data.columns)
    tables = tables_of(data, SCORES[0], allowed=allowed)
    assert hill_climbing._first_parents(tables, 7, {0, 1, 2, 4, 6}, 3) == [0, 4, 6]


def test_no_perturbation_is_begun_when_enough_families_are_counted():
    """The first climb is made to its end all the same."""
    data = small_data(3)
    candidates = [np.array([x for x in range(data.columns) if x != y]) for y in range(data.columns)]
    start = PDAG(data.columns)
    found = []
    for perturbations, most in ((0, None), (50, 0), (50, None)):
        tables = FamilyTables(data, [cf.BDeu()], candidates)
        dag, made = iterated_search(tables, 0, start, perturbations, 1, most_families=most)
        found.append((tables.total(0, dag), made))
    (climbed, _), (bounded, made), (_, all_made) = found
    assert bounded >= climbed
    assert made < all_made == 50


def test_the_search_can_end_between_parts_of_what_it_counts(monkeypatch):
    data = small_data(7)
    whole = iterated_search(tables_of(data, SCORES[0]), 0, PDAG(data.columns), 20, 0)
    monkeypatch.setattr(hill_climbing, "FAMILIES_BETWEEN_LOOKS", 2)
    assert iterated_search(tables_of(data, SCORES[0]), 0, PDAG(data.columns), 20, 0) == whole
    tables, answers = tables_of(data, SCORES[0]), iter([True, True])
    added = []
    monkeypatch.setattr(tables, "add", lambda children, parents: added.append(list(children)))
    dag, made = iterated_search(tables, 0, PDAG(data.columns), 20, 0, lambda: next(answers, False))
    assert (list(dag.arcs()), made, added) == ([], 0, [[0, 1], [2, 3]])
