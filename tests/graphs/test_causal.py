"""The causal graph in one call: the same for every order of rows and columns, and its methods and options."""

from __future__ import annotations

import itertools
import signal

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.background import disobeying, known_arcs
from climbfast.graphs.best import Budget
from climbfast.graphs.causal import METHODS
from tests import incomplete
from tests.factories import named, quiet
from tests.graphs.classes import is_acyclic
from tests.graphs.obeying import random_knowledge
from tests.graphs.score_searches import by_name, small_data, total
from tests.oracle import DAG
from tests.shared_data import network

SCORE = cf.AIC(parent_code=2)


def named_dag(graph: cf.Graph) -> DAG:
    return tuple(frozenset(graph.index(x) for x, y in graph.directed if y == name) for name in graph.names)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_for_every_order_of_rows_and_columns(seed):
    data = small_data(seed)
    draw = np.random.default_rng(seed)
    columns = {name: data.codes[data.index(name)] for name in data.names}
    graph = cf.causal_graph(quiet(columns), directions="all")
    assert is_acyclic(named_dag(graph))
    rows = draw.permutation(data.rows)
    shuffled = [str(name) for name in draw.permutation(list(columns))]
    other = cf.causal_graph(quiet({name: columns[name][rows] for name in shuffled}), directions="all")
    assert other.directed == graph.directed
    assert other.figures == graph.figures
    assert dict(other.strengths) == dict(graph.strengths)


def test_strengths_are_what_the_score_loses():
    data = small_data(7)
    graph = cf.causal_graph(data, directions="all")
    scores = cf.LocalScores(data, SCORE)
    dag = named_dag(graph)
    assert graph.figures["score"] == pytest.approx(total(scores, dag))
    for (x, y), strength in graph.strengths.items():
        a, b = graph.index(x), graph.index(y)
        assert strength == pytest.approx(scores.score(b, sorted(dag[b])) - scores.score(b, sorted(dag[b] - {a})))
        assert strength > 0


@pytest.mark.parametrize("seed", range(4))
def test_all_directions_or_those_that_are_decided(seed):
    data = small_data(seed)
    everything, decided = cf.causal_graph(data, directions="all"), cf.causal_graph(data)
    assert everything.is_dag
    assert set(decided.directed) <= set(everything.directed)
    assert {frozenset(e) for e in decided.edges} == {frozenset(e) for e in everything.edges}
    for graph in (everything, decided):
        assert set(graph.reasons) == set(graph.directed)
        assert set(graph.reasons.values()) <= {"compelled", "chosen"}
        assert set(graph.margins) == {edge for edge, reason in graph.reasons.items() if reason == "chosen"}
        for joined, directed in graph.votes.values():
            assert 0 <= directed <= joined <= graph.figures["searches"]
            assert joined >= 3
    left_open = set(everything.directed) - set(decided.directed)
    assert all(everything.reasons[edge] == "chosen" for edge in left_open)
    assert all(everything.margins[edge] < 0.5 for edge in left_open)


def test_time_that_is_over_is_said():
    with pytest.warns(cf.ClimbfastWarning, match="the time was over after 0 of 1,") as warned:
        graph = cf.causal_graph(small_data(7), seconds=0, perturbations=300, directions="all")
    assert len(warned) == 1
    assert graph.is_dag
    assert graph.figures["perturbations_left"] == 1500 - graph.figures["perturbations"] > 0
    assert graph.options["seconds"] == 0
    assert cf.causal_graph(small_data(7), seconds=600).figures["perturbations_left"] == 0


def press_at(monkeypatch, *looks):
    """Ctrl-C at some of the looks at whether time is left."""
    seen = itertools.count(1)
    is_left = Budget.is_left

    def press(budget):
        if next(seen) in looks:
            signal.raise_signal(signal.SIGINT)
        return is_left(budget)

    monkeypatch.setattr(Budget, "is_left", press)


def test_the_first_interrupt_ends_with_the_best_so_far(monkeypatch):
    press_at(monkeypatch, 10)
    with pytest.warns(cf.ClimbfastWarning, match="Ctrl-C was pressed after"):
        graph = cf.causal_graph(small_data(7), perturbations=200, directions="all")
    assert graph.is_dag
    assert graph.figures["perturbations_left"] > 0


def test_the_second_interrupt_is_raised(monkeypatch):
    press_at(monkeypatch, 10, 11)
    with pytest.raises(KeyboardInterrupt):
        cf.causal_graph(small_data(7), perturbations=200)


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
    for method, orientation in (("fges+climb", "climb"), ("fges+global", "global")):
        everything = cf.causal_graph(data, method, directions="all")
        assert everything.directed == cf.orient(fges, data, orientation, directions="all").directed
        assert everything.is_dag
    assert cf.causal_graph(data, "pc", test="g2").test_or_score == "g2"
    assert cf.causal_graph(data, "fges", score="bic").test_or_score == "bic"
    assert cf.causal_graph(data, score="bic", perturbations=3, seed=5).options["perturbations"] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"directions": "none"}, "directions is 'none'; it is one of decided, all"),
        ({"method": "pc", "directions": "all"}, "pc does not take directions"),
        ({"method": "ges"}, "method is 'ges'; it is one of best, pc"),
        ({"test": "g2"}, "best does not take test; it takes score, perturbations, seconds, seed"),
        ({"method": "pc", "score": "bic"}, "pc does not take score"),
        ({"method": "fges+climb", "seed": 1}, r"fges\+climb does not take seed"),
        ({"perturbations": -1}, "perturbations is -1"),
        ({"seconds": -1}, "seconds is -1"),
        ({"seconds": "1 s"}, "seconds is '1 s'"),
        ({"method": "pc", "seconds": 1}, "pc does not take seconds"),
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


def test_missing_cells():
    cells = incomplete.net_with_gaps(3, rows=300)
    data = incomplete.as_read({**cells, "empty": [None] * 300})
    graph = cf.causal_graph(data, directions="all")
    assert is_acyclic(named_dag(graph))
    assert graph.directed
    assert not any("empty" in edge for edge in graph.directed)
    assert 0 < graph.fewest_rows < 300
    draw = np.random.default_rng(0)
    rows, names = draw.permutation(300).tolist(), draw.permutation(list(cells)).tolist()
    shuffled = {name: [cells[name][i] for i in rows] for name in names}
    other = cf.causal_graph(incomplete.as_read({"empty": [None] * 300, **shuffled}), directions="all")
    assert (other.directed, other.fewest_rows) == (graph.directed, graph.fewest_rows)
    assert dict(other.strengths) == dict(graph.strengths)


# Knowledge


def with_a_copy(seed: int) -> cf.Dataset:
    """Small data in which the last column is a copy of the first."""
    data = small_data(seed)
    return quiet({**{name: data.codes[data.index(name)] for name in data.names}, "copy": data.codes[0]})


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(0, 12, 2))
def test_no_graph_contradicts_knowledge(seed, method):
    data, directions = with_a_copy(seed), ("decided", "all")[seed // 6]
    known = by_name(random_knowledge(data.columns, seed), data.sorted_names)
    options = {} if method in ("pc", "fges") else {"directions": directions}
    options |= {"perturbations": 3} if method == "best" else {}
    graph = cf.causal_graph(data, method, knowledge=known, **options)
    allowed = known.allowed_arcs(graph.names)
    assert disobeying(graph.pdag, allowed) == []
    assert known_arcs(graph.pdag, allowed) == []
    assert graph.is_acyclic
    of_known = {edge for edge in graph.directed if allowed.directs(*map(graph.index, edge))}
    assert {edge for edge, reason in graph.reasons.items() if reason == "known"} == of_known
    assert not of_known & set(graph.margins)
    assert graph.options["knowledge"] == known.to_dict()


def test_the_order_of_rows_and_columns_changes_nothing_with_knowledge():
    for seed in range(3):
        data, draw = with_a_copy(seed), np.random.default_rng(seed)
        known = by_name(random_knowledge(data.columns, seed), data.sorted_names)
        columns = {name: data.codes[data.index(name)] for name in data.names}
        rows = draw.permutation(data.rows)
        shuffled = quiet({str(name): columns[name][rows] for name in draw.permutation(list(columns))})
        for method in METHODS:
            graph, other = (cf.causal_graph(each, method, knowledge=known) for each in (data, shuffled))
            assert (other.directed, other.undirected) == (graph.directed, graph.undirected)
            assert dict(other.contradicted) == dict(graph.contradicted)
            assert dict(other.margins) == dict(graph.margins)


def test_best_says_what_knowledge_decides():
    data = cf.load_example().sample(2000, seed=1)
    names = data.names
    known = cf.Knowledge(tiers=[["smoking", "diet"], [name for name in names if name not in ("smoking", "diet")]])
    graph = cf.causal_graph(data, knowledge=known)
    assert graph.reasons["diet", "cholesterol"] == graph.reasons["smoking", "heart_disease"] == "known"
    assert ("diet", "cholesterol") not in graph.margins
    assert "compelled" in graph.reasons.values()
    false = cf.causal_graph(data, knowledge=cf.Knowledge(roots=["heart_disease"]))
    assert false.contradicted
    assert all(y == "heart_disease" and bits > 0 for (_, y, _), bits in false.contradicted.items())
    assert cf.causal_graph(data).contradicted == {}


def test_knowledge_is_checked():
    data = small_data(0)
    for method in METHODS:
        with pytest.raises(cf.UnknownColumnError):
            cf.causal_graph(data, method, knowledge=cf.Knowledge(roots=["nothing"]))
        assert "knowledge" not in cf.causal_graph(data, method, knowledge=cf.Knowledge()).options
