"""Sides of the neighbors of many targets; tests/kernels/test_climb.py compares the tests that are left."""

from __future__ import annotations

import random

import climbfast as cf
from climbfast.local.allowed_tests import sides_of_each
from climbfast.local.known_neighbors import known_sides
from tests.graphs.knowledge_of_dags import random_knowledge


def test_sides_are_those_of_each_target():
    from climbfast_kernels.partition import CHILD, OPEN, PARENT

    names = list("abcdefgh")
    for seed in range(30):
        allowed = random_knowledge(names, random.Random(seed)).allowed_arcs(names)
        neighbors = [[y for y in range(8) if allowed.allows_edge(x, y)] for x in range(8)]
        expected = []
        for x, members in enumerate(neighbors):
            parents, children = known_sides(allowed, x, members)
            expected += [PARENT if y in parents else CHILD if y in children else OPEN for y in members]
        assert sides_of_each(allowed, range(8), neighbors).tolist() == expected


def test_no_neighbors():
    allowed = cf.Knowledge(roots=["a"]).allowed_arcs("ab")
    assert sides_of_each(allowed, (0, 1), ((), ())).tolist() == []
