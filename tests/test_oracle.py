"""The oracle is checked too: against the d-separation of networkx."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest

from tests.oracle import (
    DAG,
    GradedOracle,
    Oracle,
    all_dags,
    d_separated,
    moral_distance,
    random_dag,
    true_blanket,
    true_children,
    true_neighbors,
)


def as_networkx(dag: DAG) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(dag)))
    graph.add_edges_from((parent, node) for node, parents in enumerate(dag) for parent in parents)
    return graph


@pytest.mark.parametrize(("n", "classes"), [(1, 1), (2, 2), (3, 6), (4, 31), (5, 302)])
def test_number_of_dags_up_to_renaming(n: int, classes: int) -> None:
    dags = all_dags(n)
    assert len(dags) == classes
    assert all(nx.is_directed_acyclic_graph(as_networkx(dag)) for dag in dags)


def test_random_dags_are_acyclic_and_keep_their_limits() -> None:
    dags = [random_dag(8, seed, edge_probability=0.7, max_parents=2) for seed in range(20)]
    assert all(nx.is_directed_acyclic_graph(as_networkx(dag)) for dag in dags)
    assert {len(parents) for dag in dags for parents in dag} == {0, 1, 2}
    assert dags[0] == random_dag(8, 0, edge_probability=0.7, max_parents=2)
    assert len(set(dags)) == 20


@pytest.mark.parametrize("seed", range(12))
def test_d_separation_agrees_with_networkx(seed: int) -> None:
    dag = random_dag(6, seed, edge_probability=0.4)
    graph = as_networkx(dag)
    for x, y in combinations(range(6), 2):
        others = sorted(set(range(6)) - {x, y})
        for given in (set(g) for size in range(5) for g in combinations(others, size)):
            assert d_separated(dag, x, y, given) == nx.is_d_separator(graph, {x}, {y}, given)


def test_a_collider_opens_when_its_descendant_is_given() -> None:
    dag = (frozenset[int](), frozenset[int](), frozenset({0, 1}), frozenset({2}))  # 0 → 2 ← 1, 2 → 3
    assert d_separated(dag, 0, 1, [])
    assert not d_separated(dag, 0, 1, [3])
    assert moral_distance(dag, 0, 1, [3]) == 1
    assert moral_distance(dag, 0, 3, []) == 2
    with pytest.raises(ValueError, match="neither be among given"):
        d_separated(dag, 0, 1, [0])


@pytest.mark.parametrize("oracle", [Oracle, GradedOracle])
def test_neighbors_are_what_no_set_separates(oracle: type[Oracle] | type[GradedOracle]) -> None:
    for seed in range(5):
        dag = random_dag(5, seed, edge_probability=0.5)
        for target in range(5):
            others = [node for node in range(5) if node != target]
            _, separating_sets = oracle(dag).weakest(target, others, others, [], range(4))
            inseparable = [node for node, found in zip(others, separating_sets, strict=True) if found is None]
            assert tuple(inseparable) == true_neighbors(dag, target)


def test_graded_oracle_ranks_neighbors_first() -> None:
    chain = (frozenset[int](), frozenset({0}), frozenset({1}), frozenset({2}))
    assert GradedOracle(chain).sweep(0, [1, 2, 3], []).tolist() == [1, 1 / 2, 1 / 3]
    assert GradedOracle(chain).sweep(0, [2, 3], [1]).tolist() == [-1, -1]
    assert Oracle(chain).sweep(0, [1, 2, 3], []).tolist() == [1, 1, 1]


def test_true_blanket() -> None:
    """0 → 1 → 3 ← 2, 1 → 4 ← 2, and 0 → 4 besides: 0 is a parent of 1 and no spouse."""
    dag = (frozenset[int](), frozenset({0}), frozenset[int](), frozenset({1, 2}), frozenset({0, 1, 2}))
    assert true_blanket(dag, 1) == ((0,), (3, 4), {2: (3, 4)})
    assert true_neighbors(dag, 1) == (0, 3, 4)
    assert true_children(dag, 0) == (1, 4)


def test_a_blanket_separates_its_node_from_all_others() -> None:
    for dag in [*all_dags(4), *(random_dag(7, seed) for seed in range(10))]:
        for node in range(len(dag)):
            blanket = true_blanket(dag, node)
            members = {*blanket.parents, *blanket.children, *blanket.spouses}
            for other in set(range(len(dag))) - members - {node}:
                assert d_separated(dag, node, other, members)
