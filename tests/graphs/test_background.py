"""What knowledge directs in a class, against the DAGs of the class that obey, one by one."""

from __future__ import annotations

import random

import pytest

import climbfast as cf
from climbfast.graphs.background import can_obey, disobeying, known_arcs, with_knowledge
from climbfast.graphs.equivalence_class import EquivalenceClass
from climbfast.graphs.pdag import PDAG
from tests.graphs.classes import every_class
from tests.graphs.obeying import allowed_among, in_common, obeys, random_knowledge, true_knowledge
from tests.graphs.test_equivalence_class import as_class, valid_deletions, valid_insertions


def check_class(cpdag: PDAG, dags, known: cf.Knowledge) -> bool:
    """Compare with the DAGs that obey; return whether there are any."""
    found = with_knowledge(cpdag, allowed_among(known, cpdag.size))
    obeying = [dag for dag in dags if obeys(dag, known)]
    assert found == (in_common(obeying) if obeying else None)
    return bool(obeying)


def test_the_class_with_knowledge_has_the_directions_that_all_dags_which_obey_have():
    """All classes of three and four columns, and some of five; knowledge that is true of a DAG, and any."""
    possible = []
    for columns, step, seeds in ((3, 1, 12), (4, 1, 5), (5, 37, 3)):
        for number, dags in enumerate(list(every_class(columns).values())[::step]):
            cpdag = in_common(dags)
            for seed in range(seeds):
                assert check_class(cpdag, dags, true_knowledge(random.Random(seed).choice(dags), seed))
                possible.append(check_class(cpdag, dags, random_knowledge(columns, number * seeds + seed)))
    assert 0.1 < sum(possible) / len(possible) < 0.9


def test_nothing_known_changes_nothing():
    cpdag = PDAG(3, undirected=[(0, 1), (1, 2)])
    found = with_knowledge(cpdag, None)
    assert found == cpdag
    assert found is not cpdag


def test_what_knowledge_directs():
    """The chain 0 – 1 – 2 – 3 with 1 before all others: the rest follows by rule 1."""
    cpdag = PDAG(4, undirected=[(0, 1), (1, 2), (2, 3)])
    allowed = allowed_among(cf.Knowledge(tiers=[[1], [0, 2, 3]]), 4)
    assert known_arcs(cpdag, allowed) == [(1, 0), (1, 2)]
    assert known_arcs(cpdag, allowed, [0, 2, 3]) == []
    assert with_knowledge(cpdag, allowed) == PDAG(4, [(1, 0), (1, 2), (2, 3)])
    assert cpdag == PDAG(4, undirected=[(0, 1), (1, 2), (2, 3)])


def test_what_disobeys():
    known = cf.Knowledge(tiers=[[0], [1, 2]], closed=[1], required=[(0, 2), (3, 0)])
    allowed = allowed_among(known, 4)
    assert disobeying(PDAG(4, [(0, 2), (3, 0)]), allowed) == []
    assert disobeying(PDAG(4, [(1, 0), (0, 2), (3, 0)]), allowed) == [(1, 0)]
    assert disobeying(PDAG(4, [(0, 2), (3, 0)], [(1, 2)]), allowed) == [(1, 2)]
    assert disobeying(PDAG(4, [(0, 2)]), allowed) == [(3, 0)]


def check_step(graph: EquivalenceClass, known: cf.Knowledge, step: str, operator) -> bool:
    """Compare the verdict near one operator with that of the whole graph; the operator stays only if it may."""
    allowed = allowed_among(known, graph.pdag.size)
    before, skeleton = graph.pdag.copy(), graph.skeleton.copy()
    getattr(graph, step)(*operator)
    verdict = can_obey(graph.pdag, graph.changed_pairs(), allowed)
    x, y, _ = operator
    permitted = step == "delete" or allowed.allows_edge(x, y)
    required = {(x, y), (y, x)} & allowed.required if step == "delete" else set()
    if permitted and not required:
        assert verdict == (with_knowledge(graph.pdag, allowed) is not None)
    if not (verdict and permitted and not required):
        graph.undo()
        assert graph.pdag == before
        assert (graph.skeleton == skeleton).all()
        assert [before.adjacent, before.children] == [graph.pdag.adjacent, graph.pdag.children]
        return False
    return True


def test_a_step_is_judged_near_it_as_by_the_whole_graph():
    """Every operator on every class of four columns, and on some of five, that holds a DAG which obeys."""
    verdicts = []
    for columns, every in ((4, 1), (5, 293)):
        for number, dags in enumerate(list(every_class(columns).values())[::every]):
            known = true_knowledge(dags[number % len(dags)], number)
            graph = as_class(in_common(dags).to_adjacency())
            for step, operators in (("insert", valid_insertions), ("delete", valid_deletions)):
                for operator in list(operators(graph)):
                    one = as_class(graph.pdag.to_adjacency())
                    verdicts.append(check_step(one, known, step, operator))
    assert 0.1 < sum(verdicts) / len(verdicts) < 0.9


@pytest.mark.parametrize("seed", range(12))
def test_walks_stay_among_the_classes_that_hold_a_dag_which_obeys(seed):
    """Many operators in turn on one object, those that are refused taken back; eight columns."""
    draw, known = random.Random(seed), random_knowledge(8, seed)
    allowed = allowed_among(known, 8)
    graph = EquivalenceClass(8, sorted(allowed.required))
    assert with_knowledge(graph.pdag, allowed) is not None
    for _ in range(60):
        few = graph.skeleton.sum() / 2 < draw.randint(4, 12)
        steps = list(valid_insertions(graph) if few else valid_deletions(graph))
        check_step(graph, known, "insert" if few else "delete", draw.choice(steps))
        assert with_knowledge(graph.pdag, allowed) is not None
