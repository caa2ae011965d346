"""The member of a class that a score prefers, and the order of copies."""

from __future__ import annotations

import numpy as np
import pytest

import climbfast as cf
from climbfast.graphs.class_member import best_member, order_copies
from climbfast.graphs.pdag import PDAG
from tests.factories import quiet
from tests.graphs.classes import members, signature
from tests.graphs.score_searches import sampled, total
from tests.oracle import random_dag

TOLERANCE = 1e-6


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
