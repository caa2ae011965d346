"""Definitions of v-structures, classes, Meek's rules and effects, by trial of all graphs, sets or paths.

A partly directed graph is a frozenset of ordered pairs, the ones of its matrix: (x, y) alone is x -> y, and (x, y) with
(y, x) is an undirected edge. DAGs are those of `tests.oracle`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from itertools import combinations, pairwise, permutations

import networkx as nx
import numpy as np

from climbfast.graphs.pdag import PDAG
from tests.graphs.classes import every_class
from tests.oracle import DAG, ancestors

Mixed = frozenset[tuple[int, int]]


# Between the shapes of a graph


def mixed(pdag: PDAG) -> Mixed:
    undirected = set(pdag.undirected_edges())
    return frozenset({*pdag.arcs(), *undirected, *((y, x) for x, y in undirected)})


def pdag_of(graph: Collection[tuple[int, int]], size: int) -> PDAG:
    directed = [(x, y) for x, y in graph if (y, x) not in graph]
    return PDAG(size, directed, [(x, y) for x, y in graph if (y, x) in graph and x < y])


def arcs(dag: DAG) -> Mixed:
    return frozenset((parent, node) for node, parents in enumerate(dag) for parent in parents)


def skeleton(graph: Mixed) -> frozenset[frozenset[int]]:
    return frozenset(map(frozenset, graph))


def all_mixed(size: int) -> Iterator[Mixed]:
    """Every graph: between any two nodes no edge, an arc in either direction, or an undirected edge."""
    found: list[Mixed] = [frozenset()]
    for x, y in combinations(range(size), 2):
        edges: list[set[tuple[int, int]]] = [set(), {(x, y)}, {(y, x)}, {(x, y), (y, x)}]
        found = [graph | edge for graph in found for edge in edges]
    return iter(found)


def random_mixed(size: int, draw: np.random.Generator, density: float) -> Mixed:
    graph: set[tuple[int, int]] = set()
    for x, y in combinations(range(size), 2):
        if draw.random() < density:
            graph |= [{(x, y)}, {(y, x)}, {(x, y), (y, x)}, {(x, y), (y, x)}][draw.integers(4)]
    return frozenset(graph)


# Equivalence


def v_structures(graph: Mixed) -> frozenset[tuple[frozenset[int], int]]:
    """Every x -> z <- y without an edge between x and y."""
    directed = {(x, y) for x, y in graph if (y, x) not in graph}
    return frozenset(
        (frozenset((x, y)), z)
        for x, z in directed
        for y, other in directed
        if z == other and x != y and (x, y) not in graph and (y, x) not in graph
    )


@cache
def classes(size: int) -> dict[object, list[Mixed]]:
    """All DAGs of a size by skeleton and v-structures (Verma and Pearl 1990)."""
    return {shared: list(map(arcs, dags)) for shared, dags in every_class(size).items()}


def members(dag: Mixed, size: int) -> list[Mixed]:
    return classes(size)[skeleton(dag), v_structures(dag)]


def cpdag(dag: Mixed, size: int) -> Mixed:
    """All directions that some member of the class has."""
    return frozenset().union(*members(dag, size))


def extensions(graph: Mixed, size: int) -> list[Mixed]:
    """DAGs with the same skeleton, the directed edges and no v-structure that is not there."""
    return [dag for dag in classes(size).get((skeleton(graph), v_structures(graph)), []) if dag <= graph]


# Meek's rules


def close(graph: Mixed, size: int, rules: Collection[int]) -> Mixed:
    """Find all edges that a rule orients; orient those on no directed cycle at once; repeat until nothing changes."""
    while True:
        undirected = [(x, y) for x, y in graph if (y, x) in graph]
        oriented = [(x, y) for x, y in undirected if forced(graph, size, x, y, rules)]
        if not oriented:
            return graph
        directed = {(x, y) for x, y in graph if (y, x) not in graph}
        all_applied = nx.DiGraph([*directed, *oriented])
        applied = [(x, y) for x, y in oriented if not nx.has_path(all_applied, y, x)]
        if not applied:
            return graph
        graph = graph - {(y, x) for x, y in applied}


def forced(graph: Mixed, size: int, a: int, b: int, rules: Collection[int]) -> bool:
    """Whether one of the rules directs a -> b."""

    def adjacent(x: int, y: int) -> bool:
        return (x, y) in graph or (y, x) in graph

    def arc(x: int, y: int) -> bool:
        return (x, y) in graph and (y, x) not in graph

    def undirected(x: int, y: int) -> bool:
        return (x, y) in graph and (y, x) in graph

    others = [x for x in range(size) if x not in (a, b)]
    one = (arc(c, a) and not adjacent(c, b) for c in others)
    two = (arc(a, c) and arc(c, b) for c in others)
    three = (
        undirected(a, c) and undirected(a, d) and arc(c, b) and arc(d, b) and not adjacent(c, d)
        for c, d in combinations(others, 2)
    )
    four = (
        undirected(a, c) and undirected(a, d) and arc(d, c) and arc(c, b) and not adjacent(d, b)
        for c, d in permutations(others, 2)
    )
    return any(rule in rules and any(found) for rule, found in enumerate((one, two, three, four), start=1))


# Effects


@lru_cache(2**12)
def paths(dag: Mixed, x: int, y: int) -> list[list[int]]:
    graph = nx.Graph(list(dag))
    return list(nx.all_simple_paths(graph, x, y)) if x in graph and y in graph else []


def is_open(dag: DAG, path: list[int], given: Collection[int]) -> bool:
    """Whether no chain or fork on the path is given, and every collider has a descendant that is."""
    above = ancestors(dag, given)
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        collides = before in dag[node] and after in dag[node]
        if (node not in above) if collides else (node in given):
            return False
    return True


def wrong_effects(dag: DAG, x: int, parents: Collection[int]) -> set[int]:
    """Nodes on which the effect of x is wrong by the graphical criterion of Peters and Bühlmann, path by path."""
    wrong = set()
    for y in set(range(len(dag))) - {x}:
        if y in parents:
            if x in ancestors(dag, [y]):
                wrong.add(y)
            continue
        for path in paths(arcs(dag), x, y):
            if all(a in dag[b] for a, b in pairwise(path)):
                bad = any(set(path[1:]) & ancestors(dag, [z]) for z in parents)
            else:
                bad = is_open(dag, path, parents)
            if bad:
                wrong.add(y)
    return wrong


def wrong_effects_in_numbers(dag: DAG, x: int, parents: Collection[int], draw: np.random.Generator) -> set[int]:
    """The same, from the probabilities of a network of binary nodes with random tables."""
    size = len(dag)
    cells = np.indices((2,) * size).reshape(size, -1)
    factors = []
    for node in range(size):
        table = draw.uniform(0.1, 0.9, size=(2,) * len(dag[node]))
        one = table[tuple(cells[p] for p in sorted(dag[node]))]
        factors.append(np.where(cells[node] == 1, one, 1 - one))
    joint = np.prod(factors, axis=0)
    under_do = np.prod([factor for node, factor in enumerate(factors) if node != x], axis=0)
    wrong = set()
    for y in set(range(size)) - {x}:
        true = under_do[(cells[x] == 1) & (cells[y] == 1)].sum()
        claimed = joint[cells[y] == 1].sum() if y in parents else adjusted(joint, cells, x, y, sorted(parents))
        if abs(true - claimed) > 1e-9:
            wrong.add(y)
    return wrong


def adjusted(joint: np.ndarray, cells: np.ndarray, x: int, y: int, parents: list[int]) -> float:
    """Sum over z of P(y = 1 | x = 1, z) P(z)."""
    total = 0.0
    for z in np.ndindex((2,) * len(parents)):
        stratum = np.all(z == cells[parents].T, axis=1) if parents else np.ones(joint.size, dtype=bool)
        both = joint[stratum & (cells[x] == 1) & (cells[y] == 1)].sum()
        total += joint[stratum].sum() * both / joint[stratum & (cells[x] == 1)].sum()
    return float(total)


def sid(truth: DAG, found: Mixed) -> int:
    """The distance of two DAGs, node by node."""
    parents_of = [{x for x, y in found if y == node} for node in range(len(truth))]
    return sum(len(wrong_effects(truth, x, parents)) for x, parents in enumerate(parents_of))
