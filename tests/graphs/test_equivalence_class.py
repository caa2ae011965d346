"""Operators on classes of DAGs against the definition: an edge more or fewer in one of the DAGs."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from climbfast.graphs.equivalence_class import EquivalenceClass
from climbfast.graphs.pdag import PDAG
from tests.graphs.classes import (
    Signature,
    cpdag,
    every_class,
    every_dag,
    is_acyclic,
    members,
    one_edge_fewer,
    one_edge_more,
    one_edge_turned,
    signature,
    subsets,
)
from tests.oracle import DAG, random_dag


def as_class(matrix: np.ndarray) -> EquivalenceClass:
    """The class of a CPDAG."""
    graph = EquivalenceClass(len(matrix))
    graph.pdag = PDAG.from_adjacency(matrix)
    graph.skeleton = matrix | matrix.T
    return graph


def is_clique(graph: EquivalenceClass, columns: set[int]) -> bool:
    return all(graph.skeleton[a, b] for a in columns for b in columns if a < b)


def semi_directed_paths(matrix: np.ndarray, start: int, end: int):
    """All of them, without repeated columns."""
    unfinished = [(start,)]
    while unfinished:
        path = unfinished.pop()
        if path[-1] == end:
            yield path
            continue
        unfinished.extend((*path, b) for b in np.flatnonzero(matrix[path[-1]]).tolist() if b not in path)


def valid_insertions(graph: EquivalenceClass):
    """x, y, T by Theorem 15."""
    matrix = graph.pdag.to_adjacency()
    for x, y in product(range(len(matrix)), repeat=2):
        if x == y or graph.skeleton[x, y]:
            continue
        na = {z for z in graph.pdag.undirected[y] if graph.skeleton[z, x]}
        for t in subsets(sorted(graph.pdag.undirected[y] - na)):
            clique = na | set(t)
            if is_clique(graph, clique) and all(clique & set(p) for p in semi_directed_paths(matrix, y, x)):
                yield x, y, t


def valid_deletions(graph: EquivalenceClass):
    """x, y, H by Theorem 17."""
    for y in range(len(graph.skeleton)):
        for x in sorted(graph.pdag.parents[y] | graph.pdag.undirected[y]):
            na = {z for z in graph.pdag.undirected[y] if graph.skeleton[z, x]}
            for h in subsets(sorted(na)):
                if is_clique(graph, na - set(h)):
                    yield x, y, h


def valid_turnings(graph: EquivalenceClass):
    """x, y, C by Propositions 31 and 34 of Hauser and Bühlmann."""
    for y, near in enumerate(graph.pdag.undirected):
        for x in sorted(graph.pdag.children[y] | near):
            for clique in subsets(sorted(near - {x})):
                if (
                    is_clique(graph, set(clique))
                    and graph.can_turn(x, y, clique)
                    and not (x in graph.pdag.children[y] and graph.path_around(x, y, clique))
                ):
                    yield x, y, clique


def check_change(old: np.ndarray, before: EquivalenceClass, after: EquivalenceClass, change, x: int, y: int) -> None:
    """A change names the columns into which edges changed, and the steps that are no longer possible."""
    new = after.pdag.to_adjacency()
    assert change.broken == {(a, b) for a, b in np.argwhere(old & ~new).tolist()}
    for z in range(len(old)):
        if (before.pdag.parents[z], before.pdag.undirected[z]) != (after.pdag.parents[z], after.pdag.undirected[z]):
            assert z in change.columns
        if after.pdag.undirected[z] & {x, y}:
            assert z in change.columns


def by_change(dags: list[DAG], one_edge_changed) -> dict[tuple[int, int], list[tuple[DAG, DAG]]]:
    """For all x and y the DAGs in which the edge between them can be changed, each with what it becomes."""
    found = defaultdict(list)
    for dag in dags:
        for x, y, changed in one_edge_changed(dag):
            found[x, y].append((dag, changed))
    return found


def insertions_reach(dags: list[DAG]) -> set[Signature]:
    """The classes that the valid insertions lead to; each is checked on the way."""
    reached, possible = set(), by_change(dags, one_edge_more)
    start = cpdag(dags)
    before = as_class(start)
    for x, y, t in valid_insertions(before):
        graph = as_class(start)
        na = set(graph.common_neighbors(x, y))
        parents = graph.pdag.parents[y] | na | set(t)
        change = graph.insert(x, y, t)
        expected = {signature(more) for d, more in possible[x, y] if d[y] == parents}
        assert len(expected) == 1
        (wanted,) = expected
        assert np.array_equal(graph.pdag.to_adjacency(), cpdag(every_class(len(start))[wanted]))
        check_change(start, before, graph, change, x, y)
        reached.add(wanted)
    return reached


def deletions_reach(dags: list[DAG]) -> set[Signature]:
    """The classes that the valid deletions lead to; each is checked on the way."""
    reached, possible = set(), by_change(dags, one_edge_fewer)
    start = cpdag(dags)
    before = as_class(start)
    for x, y, h in valid_deletions(before):
        graph = as_class(start)
        kept = set(graph.common_neighbors(x, y)) - set(h)
        parents = (graph.pdag.parents[y] | kept) - {x}
        change = graph.delete(x, y, h)
        expected = {signature(fewer) for d, fewer in possible[x, y] if d[y] - {x} == parents}
        assert len(expected) == 1
        (wanted,) = expected
        assert np.array_equal(graph.pdag.to_adjacency(), cpdag(every_class(len(start))[wanted]))
        check_change(start, before, graph, change, x, y)
        reached.add(wanted)
    return reached


def turnings_reach(dags: list[DAG]) -> set[Signature]:
    """The classes that the valid turnings lead to; each is checked on the way, and taken back."""
    reached, possible = set(), by_change(dags, one_edge_turned)
    start = cpdag(dags)
    before = as_class(start)
    for x, y, clique in valid_turnings(before):
        graph = as_class(start)
        parents = graph.pdag.parents[y] | set(clique)
        of_x = (graph.pdag.parents[x] | graph.parents_beside(x, y, clique)) - {y}
        change = graph.turn(x, y, clique)
        expected = {signature(turned) for d, turned in possible[x, y] if d[y] == parents and turned[x] == of_x}
        assert len(expected) == 1
        (wanted,) = expected
        assert np.array_equal(graph.pdag.to_adjacency(), cpdag(every_class(len(start))[wanted]))
        check_change(start, before, graph, change, x, y)
        graph.undo()
        assert np.array_equal(graph.pdag.to_adjacency(), start)
        assert np.array_equal(graph.skeleton, start | start.T)
        reached.add(wanted)
    return reached


def some_classes() -> list[list[DAG]]:
    """All classes of three and four columns, and every fiftieth of five."""
    return [*every_class(3).values(), *every_class(4).values(), *list(every_class(5).values())[::50]]


def test_there_are_as_many_graphs_as_published():
    assert [len(every_dag(n)) for n in (3, 4, 5)] == [25, 543, 29_281]
    assert [len(every_class(n)) for n in (3, 4, 5)] == [11, 185, 8_782]


def test_insertions_lead_to_every_class_with_an_edge_more_and_to_no_other():
    for dags in some_classes():
        assert insertions_reach(dags) == {signature(more) for dag in dags for _, _, more in one_edge_more(dag)}


def test_deletions_lead_to_every_class_with_an_edge_fewer_and_to_no_other():
    for dags in some_classes():
        assert deletions_reach(dags) == {signature(fewer) for dag in dags for _, _, fewer in one_edge_fewer(dag)}


def test_turnings_lead_to_every_class_with_an_edge_turned_and_to_no_other():
    for dags in some_classes():
        assert turnings_reach(dags) == {signature(turned) for dag in dags for _, _, turned in one_edge_turned(dag)}


def test_a_copy_changes_by_itself():
    graph = EquivalenceClass(3, [(0, 1), (2, 1)])
    twin = graph.copy()
    twin.delete(0, 1, ())
    assert sorted(graph.pdag.arcs()) == [(0, 1), (2, 1)]
    assert graph.skeleton[0, 1]
    assert not twin.skeleton[0, 1]


@pytest.mark.parametrize("seed", range(8))
def test_walks_stay_among_the_classes(seed):
    """Many operators in turn on one object; up to twelve edges between eight columns."""
    draw, graph = random.Random(seed), EquivalenceClass(8)
    for _ in range(40):
        few = graph.skeleton.sum() / 2 < draw.randint(4, 12)
        kind, valid = (graph.insert, valid_insertions) if few else (graph.delete, valid_deletions)
        if draw.random() < 0.3 and any(valid_turnings(graph)):
            kind, valid = graph.turn, valid_turnings
        x, y, others = draw.choice(list(valid(graph)))
        before = as_class(graph.pdag.to_adjacency())
        change = kind(x, y, others)
        check_change(before.pdag.to_adjacency(), before, graph, change, x, y)
        dag = tuple(map(frozenset, graph.extension()))
        assert is_acyclic(dag)
        assert np.array_equal(graph.pdag.to_adjacency(), cpdag(members(dag)))
        assert np.array_equal(graph.skeleton, graph.pdag.to_adjacency() | graph.pdag.to_adjacency().T)


def test_extensions_are_members():
    for dags in every_class(4).values():
        assert tuple(map(frozenset, as_class(cpdag(dags)).extension())) in dags


@pytest.mark.parametrize("seed", range(6))
def test_paths(seed):
    dag = random_dag(7, seed, edge_probability=0.35)
    graph = as_class(cpdag(members(dag)))
    matrix = graph.pdag.to_adjacency()
    for start in range(7):
        for avoided in subsets([z for z in range(7) if z != start][:3]):
            reached = graph.reach(start, avoided)
            for end in set(range(7)) - {start, *avoided}:
                paths = [p for p in semi_directed_paths(matrix, start, end) if not set(p) & set(avoided)]
                found = graph.path_to(end, reached)
                assert bool(paths) == bool(found)
                assert not found or (found in paths and len(found) == min(map(len, paths)))


def test_cliques():
    dag = random_dag(8, 1, edge_probability=0.6)
    graph = as_class(cpdag([dag]))
    found = list(graph.pdag.cliques([6, 1, 2, 3, 4, 0]))
    assert sorted(found) == sorted(s for s in subsets([0, 1, 2, 3, 4, 6]) if is_clique(graph, set(s)))
    assert len(set(found)) == len(found) > 10
