"""Partly directed graphs: paths, cycles, and methods that change the edges that they name."""

from __future__ import annotations

import itertools

import networkx as nx

from climbfast.graphs.pdag import PDAG
from tests.graphs.naive import mixed


def test_paths_and_arcs_on_cycles():
    pdag = PDAG(7, [(0, 1), (1, 2), (2, 3), (3, 1), (3, 4), (5, 1)], [(4, 6)])
    assert pdag.arcs_on_cycles() == {(1, 2), (2, 3), (3, 1)}
    reached = {(x, y) for x in range(7) for y in range(7) if pdag.has_directed_path(x, y)}
    graph = nx.DiGraph(list(pdag.arcs()))
    graph.add_node(6)
    assert reached == {(x, y) for x in range(7) for y in range(7) if nx.has_path(graph, x, y)}


def test_a_cycle_is_one():
    pdag = PDAG(6, [(0, 1), (1, 2), (2, 3), (3, 1), (3, 4), (5, 1)])
    cycle = pdag.cycle()
    assert cycle[0] == cycle[-1]
    assert set(cycle) == {1, 2, 3}
    assert all(y in pdag.children[x] for x, y in itertools.pairwise(cycle))
    assert PDAG(3, [(0, 1), (1, 2)], []).cycle() == []


def test_methods_change_only_the_edges_that_they_name():
    pdag = PDAG(4, [(0, 1)], [(1, 2)])
    twin = pdag.copy()
    twin.orient(2, 1)
    twin.remove(0, 1)
    twin.add_undirected_edge(0, 3)
    again = twin.copy()
    again.reverse(2, 1)
    assert mixed(again) == {(1, 2), (0, 3), (3, 0)}
    again.undirect(1, 2)
    assert mixed(again) == {(1, 2), (2, 1), (0, 3), (3, 0)}
    assert again.adjacent == twin.adjacent
    assert mixed(pdag) == {(0, 1), (1, 2), (2, 1)}
    assert mixed(twin) == {(2, 1), (0, 3), (3, 0)}
    assert [sorted(others) for others in twin.adjacent] == [[3], [2], [1], [0]]
    assert mixed(pdag.induced([2, 1])) == {(0, 1), (1, 0)}
    assert PDAG.from_adjacency(pdag.to_adjacency()) == pdag != twin
