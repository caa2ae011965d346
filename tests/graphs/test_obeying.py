"""Graphs made to obey: no cycle, nothing forbidden, all that is required, and as little else changed as possible."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.background import disobeying, known_arcs
from climbfast.graphs.obeying import obeying
from climbfast.graphs.pdag import PDAG, Arc
from tests.graphs.naive import pdag_of, random_mixed
from tests.graphs.obeying import allowed_among, random_knowledge


def made(directed: list[Arc], undirected: list[Arc], known: cf.Knowledge, strengths: dict[Arc, float] | None = None):
    return obeying(PDAG(4, directed, undirected), known.allowed_arcs(range(4)), strengths or {})


def test_one_direction_only():
    known = cf.Knowledge(forbidden=[(0, 1), (2, 1), (3, 0)])
    found = made([(0, 1), (0, 3)], [(1, 2)], known, {(0, 1): 5.0})
    assert found.known == {(1, 0), (1, 2), (0, 3)}
    assert set(found.pdag.arcs()) == found.known
    assert found.contradicted == {(0, 1): 5.0}


def test_forbidden_both_ways_and_required():
    known = cf.Knowledge(tiers=[[0, 1, 2]], closed=True, required=[(3, 0)])
    found = made([(0, 1)], [(1, 2)], known, {(2, 1): 2.0})
    assert set(found.pdag.arcs()) == found.known == {(3, 0)}
    assert found.contradicted == {(0, 1): 0.0, (1, 2): 2.0}


def test_other_edges_of_a_cycle_are_released():
    found = made([(0, 1), (1, 2), (2, 3)], [], cf.Knowledge(required=[(2, 0)]))
    assert set(found.pdag.arcs()) == {(2, 0), (2, 3)}
    assert set(found.pdag.undirected_edges()) == {(0, 1), (1, 2)}
    assert found.contradicted == {}


def test_a_cycle_of_known_edges_loses_the_weakest():
    known = cf.Knowledge(forbidden=[(1, 0), (2, 1)], required=[(2, 0)])
    found = made([], [(0, 1), (1, 2)], known, {(0, 1): 3.0, (2, 1): 2.0})
    assert set(found.pdag.arcs()) == found.known == {(0, 1), (2, 0)}
    assert found.contradicted == {(1, 2): 2.0}


@pytest.mark.parametrize("seed", range(150))
def test_random_graphs(seed):
    draw, known = np.random.default_rng(seed), random_knowledge(6, seed)
    pdag, allowed = pdag_of(random_mixed(6, draw, 0.5), 6), allowed_among(known, 6)
    for arc in pdag.arcs_on_cycles():
        pdag.undirect(*arc)
    strengths = {edge: float(draw.integers(5)) for edge in (*pdag.arcs(), *pdag.undirected_edges())}
    before = pdag.copy()
    found = obeying(pdag, allowed, strengths)
    assert pdag == before
    assert disobeying(found.pdag, allowed) == []
    assert known_arcs(found.pdag, allowed) == []
    assert found.pdag.cycle() == []
    assert found.known == {arc for arc in found.pdag.arcs() if allowed.directs(*arc)}
    joined = {frozenset(edge) for edge in (*found.pdag.arcs(), *found.pdag.undirected_edges())}
    gone = {frozenset(arc) for arc in found.contradicted if not joined & {frozenset(arc)}}
    assert joined == {frozenset(edge) for edge in strengths} - gone | {frozenset(arc) for arc in known.required}
    for x, y in pdag.arcs():
        if not allowed.allows(x, y):
            assert found.contradicted[x, y] == strengths[x, y]
