"""Votes counted by hand, and the DAG that is elected."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.pdag import PDAG
from climbfast.graphs.votes import CHOSEN, COMPELLED, Votes, count_votes, elect
from tests.graphs.classes import is_acyclic
from tests.graphs.naive import arcs, pdag_of
from tests.graphs.obeying import allowed_among, obeys, random_knowledge
from tests.graphs.score_searches import frozen
from tests.oracle import random_dag

COLLIDER = PDAG(3, [(0, 2), (1, 2)])
CHAIN = PDAG(3, [(2, 0), (1, 2)])
EDGE = PDAG(3, [(0, 2)])


def test_votes_are_counted():
    votes = count_votes([COLLIDER, CHAIN, EDGE])
    assert votes == {
        (0, 2): Votes(3, 2, COMPELLED + CHOSEN),
        (2, 0): Votes(3, 1, CHOSEN),
        (1, 2): Votes(2, 2, COMPELLED + CHOSEN),
        (2, 1): Votes(2, 0, 0),
    }


def test_a_compelled_direction_counts_more():
    assert set(elect(count_votes([EDGE, COLLIDER, CHAIN, PDAG(3, [(2, 0)])]), 3, 3).arcs()) == {(0, 2)}
    assert set(elect(count_votes([COLLIDER, CHAIN]), 2, 3).arcs()) == {(0, 2), (1, 2)}


@pytest.mark.parametrize(("fewest", "arcs"), [(1, 2), (2, 2), (3, 1), (4, 0)])
def test_edges_need_enough_votes(fewest, arcs):
    assert len(list(elect(count_votes([COLLIDER, CHAIN, EDGE]), fewest, 3).arcs())) == arcs


def test_an_arc_that_would_close_a_cycle_is_reversed():
    votes = {(0, 1): Votes(3, 3, 9), (1, 2): Votes(3, 3, 9), (2, 0): Votes(3, 2, 6), (0, 2): Votes(3, 1, 3)}
    assert set(elect(votes, 3, 3).arcs()) == {(0, 1), (1, 2), (0, 2)}


def test_no_votes():
    assert not list(elect(count_votes([]), 1, 4).arcs())


@pytest.mark.parametrize("seed", range(20))
def test_the_elected_is_acyclic_and_the_same_for_every_order(seed):
    dags = [pdag_of(arcs(random_dag(7, 10 * seed + i, edge_probability=0.4)), 7) for i in range(6)]
    votes = count_votes(dags)
    found = elect(votes, 2, 7)
    assert is_acyclic(frozen(found))
    joined = {frozenset(arc) for arc, count in votes.items() if count.edge >= 2}
    assert {frozenset(arc) for arc in found.arcs()} == joined
    draw = np.random.default_rng(seed)
    others = [dags[i] for i in draw.permutation(6)]
    keys = [list(votes)[i] for i in draw.permutation(len(votes))]
    assert count_votes(others) == votes
    assert set(elect({arc: votes[arc] for arc in keys}, 2, 7).arcs()) == set(found.arcs())


def test_required_arcs_need_no_votes():
    allowed = cf.Knowledge(required=[(3, 0), (0, 1)]).allowed_arcs(range(4))
    votes = {(1, 3): Votes(3, 3, 12), (3, 1): Votes(3, 0, 0)}
    assert set(elect(votes, 3, 4, allowed=allowed).arcs()) == {(3, 0), (0, 1), (3, 1)}
    assert set(elect({}, 3, 4, allowed=allowed).arcs()) == {(3, 0), (0, 1)}


def test_an_arc_whose_other_direction_is_forbidden_is_left_out():
    allowed = cf.Knowledge(forbidden=[(0, 2)]).allowed_arcs(range(3))
    votes = {(0, 1): Votes(3, 3, 9), (1, 2): Votes(3, 3, 9), (2, 0): Votes(3, 3, 6), (0, 2): Votes(3, 0, 0)}
    assert set(elect(votes, 3, 3, allowed=allowed).arcs()) == {(0, 1), (1, 2)}


@pytest.mark.parametrize("seed", range(40))
def test_the_elected_obeys(seed):
    known = random_knowledge(7, seed)
    dags = [pdag_of(arcs(random_dag(7, 10 * seed + i, edge_probability=0.4)), 7) for i in range(6)]
    found = frozen(elect(count_votes(dags), 2, 7, allowed=allowed_among(known, 7)))
    assert is_acyclic(found)
    assert obeys(found, known)
