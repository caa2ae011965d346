"""What counts as right in the study of directions, and what would be right by chance."""

from __future__ import annotations

import pytest

import climbfast as cf
from bench.reports.directions import Counts, counts, shares
from climbfast.graphs.equivalence import orientations
from tests.oracle import random_dag

INF = float("inf")


def test_edges_of_the_truth_are_counted_by_their_margin():
    margins = {("a", "b"): 0.0, ("c", "b"): 0.7, ("c", "d"): -2.0, ("d", "e"): 99.0, ("a", "e"): 1.0}
    truth = [("a", "b"), ("b", "c"), ("d", "c"), ("d", "e")]
    found = counts(truth, margins, {("a", "b"): 0.5, ("b", "c"): 0.25, ("d", "c"): 0.0, ("d", "e"): 1.0})
    assert found == {
        0.0: Counts(1, 1, 0.5), 0.5: Counts(1, 0, 0.25), -INF: Counts(1, 0, 0.0), 32.0: Counts(1, 1, 1.0)
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_shares_of_the_dags_of_a_class(seed):
    dag = random_dag(6, seed, edge_probability=0.5)
    graph = cf.Graph(range(6), [(x, y) for y, parents in enumerate(dag) for x in parents]).to_cpdag()
    everyone = [set(member.arcs()) for member in orientations(graph.pdag)]
    expected = {
        arc: sum(arc in member for member in everyone) / len(everyone)
        for x, y in graph.undirected
        for arc in ((x, y), (y, x))
    }
    assert shares(graph) == pytest.approx(expected)
