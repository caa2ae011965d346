"""The causal graph in one call: hill climbing against every neighbor, the best of all graphs, the member of a class."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.causal import METHODS
from climbfast.graphs.class_member import best_member, order_copies
from climbfast.graphs.hill_climbing import HillClimber, iterated_search
from climbfast.graphs.pdag import PDAG
from tests.factories import named, quiet
from tests.graphs.classes import every_dag, is_acyclic, members, signature
from tests.graphs.naive import arcs, pdag_of
from tests.graphs.test_fges import best_by_brute_force, sampled, small_data
from tests.oracle import DAG, random_dag
from tests.shared_data import network

TOLERANCE = 1e-6
SCORE = cf.AIC(parent_code=2)


def total(scores: cf.LocalScores, dag: DAG) -> float:
    return math.fsum(scores.score(x, sorted(parents)) for x, parents in enumerate(dag))


def frozen(climber: HillClimber) -> DAG:
    return tuple(frozenset(parents) for parents in climber.dag.parents)


def one_step_away(dag: DAG):
    """Every DAG with one edge more, fewer or reversed."""
    for x, y in permutations(range(len(dag)), 2):
        changed = list(dag)
        changed[y] = dag[y] ^ {x}
        if x not in dag[y] and y in dag[x]:
            changed[x] = dag[x] - {y}
        if is_acyclic(changed):
            yield tuple(changed)


def named_dag(graph: cf.Graph) -> DAG:
    return tuple(frozenset(graph.index(x) for x, y in graph.directed if y == name) for name in graph.names)


# Hill climbing


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


# The member of a class


@pytest.mark.parametrize("seed", range(8))
def test_a_member_that_no_covered_edge_improves(seed):
    dag = random_dag(5, seed, edge_probability=0.5)
    scores = cf.LocalScores(sampled(dag, 400, seed, (2, 3, 4, 2, 3)), cf.FNML())
    pdag = PDAG(5, ((x, y) for y, parents in enumerate(dag) for x in parents))
    best_member(pdag, scores, TOLERANCE)
    found = tuple(frozenset(parents) for parents in pdag.parents)
    assert signature(found) == signature(dag)
    assert total(scores, found) >= total(scores, dag) - TOLERANCE
    for other in members(found):
        changed = [y for y in range(5) if other[y] != found[y]]
        if sum(len(other[y] - found[y]) for y in changed) == 1:
            assert total(scores, other) <= total(scores, found) + 2 * TOLERANCE


def test_of_copies_the_first_is_the_cause():
    draw = np.random.default_rng(1)
    a, noise = draw.integers(3, size=(2, 400))
    z = np.where(draw.random(400) < 0.7, a, noise)
    data = quiet({"a": a, "b": z, "c": (z + 1) % 3})
    likelihood = cf.LocalScores(data, cf.BIC(0))
    for arcs in ([(0, 2), (2, 1)], [(0, 1), (1, 2)]):
        assert list(order_copies(PDAG(3, arcs), likelihood).arcs()) == [(0, 1), (1, 2)]
    assert list(order_copies(PDAG(3, [(1, 0)]), likelihood).arcs()) == [(1, 0)]
    constant = cf.LocalScores(quiet({"a": np.zeros(9, int), "b": np.zeros(9, int)}), cf.BIC(0))
    assert list(order_copies(PDAG(2, [(1, 0)]), constant).arcs()) == [(1, 0)]


# The call


@pytest.mark.parametrize("seed", range(4))
def test_the_same_for_every_order_of_rows_and_columns(seed):
    data = small_data(seed)
    graph = cf.causal_graph(data)
    assert is_acyclic(named_dag(graph))
    draw = np.random.default_rng(seed)
    columns = {name: data.codes[data.index(name)] for name in data.names}
    rows = draw.permutation(data.rows)
    shuffled = [str(name) for name in draw.permutation(list(columns))]
    other = cf.causal_graph(quiet({name: columns[name][rows] for name in shuffled}))
    assert other.directed == graph.directed
    assert other.figures == graph.figures
    assert dict(other.strengths) == dict(graph.strengths)


def test_strengths_are_what_the_score_loses():
    data = small_data(7)
    graph = cf.causal_graph(data)
    scores = cf.LocalScores(data, SCORE)
    dag = named_dag(graph)
    assert graph.figures["score"] == pytest.approx(total(scores, dag))
    for (x, y), strength in graph.strengths.items():
        a, b = graph.index(x), graph.index(y)
        assert strength == pytest.approx(scores.score(b, sorted(dag[b])) - scores.score(b, sorted(dag[b] - {a})))
        assert strength > 0


def test_methods_are_the_searches_they_name():
    data = small_data(5)
    pc, fges = cf.pc(data), cf.fges(data, cf.BDeu(1, 1))
    expected = {
        "pc": pc,
        "pc+climb": cf.orient(pc, data),
        "pc+global": cf.orient(pc, data, "global"),
        "fges": fges,
        "fges+climb": cf.orient(fges, data),
        "fges+global": cf.orient(fges, data, "global"),
    }
    assert {*expected, "best"} == {*METHODS}
    for method, graph in expected.items():
        found = cf.causal_graph(data, method)
        assert (found.directed, found.undirected, found.method) == (graph.directed, graph.undirected, graph.method)
    assert cf.causal_graph(data, "pc", test="g2").test_or_score == "g2"
    assert cf.causal_graph(data, "fges", score="bic").test_or_score == "bic"
    assert cf.causal_graph(data, score="bic", perturbations=3, seed=5).options["perturbations"] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "ges"}, "method is 'ges'; it is one of best, pc"),
        ({"test": "g2"}, "best does not take test; it takes score, perturbations, seed"),
        ({"method": "pc", "score": "bic"}, "pc does not take score"),
        ({"method": "fges+climb", "seed": 1}, r"fges\+climb does not take seed"),
        ({"perturbations": -1}, "perturbations is -1"),
        ({"score": "fnml"}, "has to be score equivalent"),
        ({"score": "bdue"}, "no score named 'bdue'"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(cf.OptionError, match=message):
        cf.causal_graph(small_data(0), **options)


@pytest.mark.parametrize("columns", [1, 2])
def test_few_columns(columns):
    data = quiet(named(np.random.default_rng(0).integers(2, size=(columns, 40))))
    assert len(cf.causal_graph(data).names) == columns


def test_alarm_at_20_000_rows():
    alarm = network("alarm")
    graph = cf.causal_graph(alarm.sample(20_000, 1))
    assert cf.compare(alarm, graph).arrows_paper.f1 >= 0.95
