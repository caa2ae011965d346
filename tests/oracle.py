"""The truth that searches are tested against: d-separation in a known graph.

A DAG is a tuple with one entry for each node 0, 1, …: the frozenset of its parents. So ``dag[2]`` are the
parents of node 2, ``len(dag)`` is the number of nodes, and equal graphs compare and hash equal. The chain
0 → 1 → 2 is ``(frozenset(), frozenset({0}), frozenset({1}))``.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, compress, permutations
from typing import NamedTuple

from tests.reference import NaiveTester, Strength

DAG = tuple[frozenset[int], ...]


# Graphs to test on


def renamed(dag: DAG, names: Sequence[int]) -> DAG:
    """The same graph with node i called names[i]."""
    parents = {names[node]: frozenset(names[p] for p in dag[node]) for node in range(len(dag))}
    return tuple(parents[node] for node in range(len(dag)))


@cache
def all_dags(n: int) -> tuple[DAG, ...]:
    """One DAG of n nodes for each class of DAGs that are equal up to renaming; n ≤ 5 is fast.

    Every DAG has a topological order, so it is enough to look at those in which edges go from lower to
    higher numbers. The representative is therefore always in topological order.
    """
    pairs = list(combinations(range(n), 2))
    # A graph is a number with a bit for every edge, which is renamed faster than sets of parents are.
    bits = [[1 << names[a] * n + names[b] for a, b in pairs] for names in permutations(range(n))]
    representatives = []
    seen: set[int] = set()
    for number in range(2 ** len(pairs)):
        present = [number >> i & 1 for i in range(len(pairs))]
        if sum(compress(bits[0], present)) not in seen:
            edges = list(compress(pairs, present))
            representatives.append(tuple(frozenset(a for a, b in edges if b == node) for node in range(n)))
            seen.update(sum(compress(of_pairs, present)) for of_pairs in bits)
    return tuple(representatives)


def random_dag(n: int, seed: int, *, edge_probability: float = 0.3, max_parents: int | None = None) -> DAG:
    """A DAG of n nodes in which each pair is joined with the given probability, in a random order.

    A node that would get more than `max_parents` parents keeps that many of them.
    """
    draw = random.Random(seed)
    order = list(range(n))
    draw.shuffle(order)
    parents: dict[int, frozenset[int]] = {}
    for place, node in enumerate(order):
        chosen = [earlier for earlier in order[:place] if draw.random() < edge_probability]
        if max_parents is not None and len(chosen) > max_parents:
            chosen = draw.sample(chosen, max_parents)
        parents[node] = frozenset(chosen)
    return tuple(parents[node] for node in range(n))


# d-separation


def ancestors(dag: DAG, nodes: Collection[int]) -> frozenset[int]:
    """The nodes themselves and everything from which a directed path leads to one of them."""
    return frozenset[int]().union(*map(lineages(dag).__getitem__, nodes))


@lru_cache(2**10)
def lineages(dag: DAG) -> tuple[frozenset[int], ...]:
    """For every node, itself and everything from which a directed path leads to it."""
    found = []
    for node in range(len(dag)):
        lineage: set[int] = set()
        waiting = [node]
        while waiting:
            node = waiting.pop()
            if node not in lineage:
                lineage.add(node)
                waiting.extend(dag[node])
        found.append(frozenset(lineage))
    return tuple(found)


@lru_cache(2**14)
def moral_graph(dag: DAG, nodes: frozenset[int]) -> Mapping[int, set[int]]:
    """Whom each of the nodes is joined with: its parents, its children, and the other parents of its children.

    The nodes must be closed under taking parents, as sets of ancestors are.
    """
    joined: dict[int, set[int]] = {node: set() for node in nodes}
    for node in nodes:
        family = {node, *dag[node]}
        for member in family:
            joined[member] |= family - {member}
    return joined


def moral_distance(dag: DAG, x: int, y: int, given: Collection[int]) -> int | None:
    """Edges on the shortest path from x to y in the moral graph of the ancestors of x, y and `given`.

    The path must avoid `given`. None when there is no such path, which is to say that x and y are
    d-separated by `given` (Lauritzen et al. 1990).
    """
    if x == y or x in given or y in given:
        raise ValueError(f"x = {x} and y = {y} must differ, and neither be among given = {sorted(given)}")
    joined = moral_graph(dag, ancestors(dag, {x, y, *given}))
    distance = 0
    reached = {x}
    frontier = {x}
    while frontier and y not in reached:
        distance += 1
        frontier = set().union(*map(joined.__getitem__, frontier)).difference(reached, given)
        reached |= frontier
    return distance if y in reached else None


def d_separated(dag: DAG, x: int, y: int, given: Collection[int]) -> bool:
    """Whether `given` blocks every path between x and y."""
    return moral_distance(dag, x, y, given) is None


class Oracle(NaiveTester):
    """A test that is never wrong: +1 for every d-connected pair, −1 for every d-separated one.

    All dependent candidates tie, so that a search shows its rule for ties. Answers are remembered.
    """

    def __init__(self, dag: DAG) -> None:
        self.dag = dag
        super().__init__(remembered(lambda x, y, given: -1.0 if d_separated(dag, x, y, given) else 1.0))


class GradedOracle(NaiveTester):
    """A test that is never wrong and ranks: 1/d for nodes at moral distance d, −1 for d-separated ones.

    Adjacent nodes have strength 1, more distant ones less, as in data. Answers are remembered.
    """

    def __init__(self, dag: DAG) -> None:
        self.dag = dag

        def strength(x: int, y: int, given: Sequence[int]) -> float:
            distance = moral_distance(dag, x, y, given)
            return -1.0 if distance is None else 1.0 / distance

        super().__init__(remembered(strength))


def remembered(strength: Strength) -> Strength:
    """The same strengths, each found once: searches ask many questions again."""
    found = cache(strength)
    return lambda x, y, given: found(x, y, tuple(given))


@cache
def shared(kind: type[Oracle | GradedOracle], dag: DAG) -> Oracle | GradedOracle:
    """The one oracle of this kind and graph, so that all tests share its answers; for small graphs."""
    return kind(dag)


# What a search should find


class TrueBlanket(NamedTuple):
    """The Markov blanket of a node; each spouse comes with the children that it shares with the node."""

    parents: tuple[int, ...]
    children: tuple[int, ...]
    spouses: dict[int, tuple[int, ...]]


def true_children(dag: DAG, node: int) -> tuple[int, ...]:
    """The nodes of which this one is a parent."""
    return tuple(other for other in range(len(dag)) if node in dag[other])


def true_neighbors(dag: DAG, node: int) -> tuple[int, ...]:
    """Parents and children together."""
    return tuple(sorted({*dag[node], *true_children(dag, node)}))


def true_blanket(dag: DAG, node: int) -> TrueBlanket:
    """Parents, children and spouses. A neighbor that also shares a child counts as a neighbor only."""
    children = true_children(dag, node)
    neighbors = true_neighbors(dag, node)
    others = {parent for child in children for parent in dag[child]} - {node, *neighbors}
    return TrueBlanket(
        parents=tuple(sorted(dag[node])),
        children=children,
        spouses={other: tuple(child for child in children if other in dag[child]) for other in sorted(others)},
    )
