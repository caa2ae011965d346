"""CPDAGs and extensions of all graphs of up to five nodes, against all DAGs there are."""

from __future__ import annotations

import numpy as np
import pytest

from climbfast.graphs.equivalence import (
    chain_components,
    cpdag,
    extension,
    is_cpdag,
    obstacle_to_extension,
    orientations,
    v_structures,
)
from climbfast.graphs.meek import ALL_RULES, close_pdag
from climbfast.graphs.pdag import PDAG
from tests.graphs import naive
from tests.graphs.naive import all_mixed, arcs, extensions, members, mixed, pdag_of
from tests.oracle import all_dags, random_dag

SIZES = [1, 2, 3, 4, 5]


@pytest.mark.parametrize("size", SIZES)
def test_cpdag_of_every_dag(size):
    for dag in map(arcs, all_dags(size)):
        found = cpdag(pdag_of(dag, size))
        assert mixed(found) == naive.cpdag(dag, size)
        assert is_cpdag(found)
        assert mixed(extension(found)) in members(dag, size)


@pytest.mark.parametrize("size", [3, 4])
def test_members_of_a_class_have_one_cpdag_and_one_extension(size):
    for dags in naive.classes(size).values():
        found = {mixed(cpdag(pdag_of(dag, size))) for dag in dags}
        assert len(found) == 1


@pytest.mark.parametrize("size", [2, 3, 4])
def test_extension_of_every_graph(size):
    """Found whenever there is one; and one of those there are."""
    for graph in all_mixed(size):
        pdag, possible = pdag_of(graph, size), extensions(graph, size)
        dag = extension(pdag)
        assert mixed(pdag) == graph
        assert (dag is None) == (not possible) == bool(obstacle_to_extension(pdag))
        assert dag is None or mixed(dag) in possible


@pytest.mark.parametrize("size", [2, 3, 4])
def test_is_cpdag_of_every_graph(size):
    true = {naive.cpdag(dags[0], size) for dags in naive.classes(size).values()}
    assert {graph for graph in all_mixed(size) if is_cpdag(pdag_of(graph, size))} == true


@pytest.mark.parametrize("size", [3, 4, 5])
def test_orientations_of_every_cpdag_are_its_members(size):
    for dag in map(arcs, all_dags(size)):
        found = list(map(mixed, orientations(cpdag(pdag_of(dag, size)))))
        assert sorted(map(sorted, found)) == sorted(map(sorted, members(dag, size)))


def test_orientations_with_directions_known():
    draw = np.random.default_rng(1)
    for dag in map(arcs, all_dags(5)):
        graph = dag | {(y, x) for x, y in sorted(naive.cpdag(dag, 5)) if (x, y) in dag and draw.random() < 0.7}
        possible = extensions(graph, 5)
        if not possible:
            continue
        pdag = pdag_of(graph, 5)
        close_pdag(pdag, ALL_RULES)
        assert sorted(map(sorted, map(mixed, orientations(pdag)))) == sorted(map(sorted, possible))


@pytest.mark.parametrize("seed", range(5))
def test_large_graphs(seed):
    parents = random_dag(300, seed, edge_probability=0.01)
    dag = pdag_of(arcs(parents), 300)
    found = cpdag(dag)
    again = extension(found)
    assert not again.cycle()
    assert cpdag(again) == found
    assert [set(others) for others in again.adjacent] == [set(others) for others in dag.adjacent]
    assert v_structures(again) == v_structures(dag)


def test_chain_components_are_what_undirected_edges_connect():
    pdag = PDAG(7, [(0, 1), (1, 2)], [(2, 5), (5, 3), (4, 6)])
    assert chain_components(pdag) == [[2, 3, 5], [4, 6]]
