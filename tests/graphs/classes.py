"""Equivalence classes of DAGs by definition: the DAGs with the same edges and the same v-structures, one by one.

DAGs are those of tests/oracle.py: for every node the frozenset of its parents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.oracle import DAG


class Signature(NamedTuple):
    """What the DAGs of one class share (Verma and Pearl 1990)."""

    edges: frozenset[frozenset[int]]
    v_structures: frozenset[tuple[frozenset[int], int]]


def is_acyclic(dag: Sequence[frozenset[int]]) -> bool:
    left = set(range(len(dag)))
    while sources := {node for node in left if not dag[node] & left}:
        left -= sources
    return not left


def signature(dag: DAG) -> Signature:
    edges = frozenset(frozenset({parent, node}) for node in range(len(dag)) for parent in dag[node])
    return Signature(
        edges,
        frozenset(
            (frozenset(couple), node)
            for node in range(len(dag))
            for couple in combinations(dag[node], 2)
            if frozenset(couple) not in edges
        ),
    )


@cache
def every_matrix(n: int) -> NDArray[np.bool_]:
    """The matrices of all DAGs of n nodes, one after the other; [d, i, j] says whether i → j in the d-th."""
    pairs = list(combinations(range(n), 2))
    directions = np.array(list(product((0, 1, 2), repeat=len(pairs))))
    matrices = np.zeros((len(directions), n, n), np.bool_)
    for (a, b), direction in zip(pairs, directions.T, strict=True):
        matrices[:, a, b], matrices[:, b, a] = direction == 1, direction == 2
    walks = matrices
    for _ in range(n - 1):
        walks = walks @ matrices
    return matrices[~walks.any(axis=(1, 2))]  # a walk over n edges passes a node twice


@cache
def every_dag(n: int) -> list[DAG]:
    """All DAGs of n named nodes: 543 of four, 29,281 of five."""
    sets = [frozenset(x for x in range(n) if bits >> x & 1) for bits in range(2**n)]
    parents = np.tensordot(2 ** np.arange(n), every_matrix(n), (0, 1))
    return [tuple(sets[bits] for bits in of_dag) for of_dag in parents.tolist()]


@cache
def every_class(n: int) -> dict[Signature, list[DAG]]:
    """All classes of DAGs of n named nodes: 185 of four, 8,782 of five."""
    matrices = every_matrix(n)
    joined = matrices | matrices.transpose(0, 2, 1)
    shared = [joined[:, a, b] for a, b in combinations(range(n), 2)]
    shared += [
        matrices[:, a, node] & matrices[:, b, node] & ~joined[:, a, b]
        for a, b in combinations(range(n), 2)
        for node in range(n)
    ]
    alike: dict[bytes, list[DAG]] = {}
    for dag, of_dag in zip(every_dag(n), np.array(shared).reshape(-1, len(matrices)).T, strict=True):
        alike.setdefault(of_dag.tobytes(), []).append(dag)
    return {signature(dags[0]): dags for dags in alike.values()}


@lru_cache(2**12)
def members(dag: DAG) -> Sequence[DAG]:
    """All DAGs that are equivalent to this one: every direction is tried of every edge that is in no v-structure.

    Up to fifteen such edges.
    """
    wanted = signature(dag)
    colliding = {(parent, node) for couple, node in wanted.v_structures for parent in couple}
    edges = [tuple(sorted(edge)) for edge in wanted.edges - {frozenset(edge) for edge in colliding}]
    found = []
    for directions in product((False, True), repeat=len(edges)):
        parents = [{parent for parent, child in colliding if child == node} for node in range(len(dag))]
        for (a, b), forward in zip(edges, directions, strict=True):
            parents[b if forward else a].add(a if forward else b)
        other = tuple(frozenset(p) for p in parents)
        if is_acyclic(other) and signature(other) == wanted:
            found.append(other)
    return tuple(found)


def cpdag(dags: Sequence[DAG]) -> NDArray[np.bool_]:
    """The matrix whose [i, j] says whether i → j in any of the DAGs."""
    matrix = np.zeros((len(dags[0]), len(dags[0])), np.bool_)
    for node, parents in enumerate(zip(*dags, strict=True)):
        matrix[list(frozenset().union(*parents)), node] = True
    return matrix


def one_edge_more(dag: DAG) -> Iterator[tuple[int, int, DAG]]:
    """Every DAG with x → y added, after x and y."""
    for x, y in product(range(len(dag)), repeat=2):
        if x != y and x not in dag[y] and y not in dag[x]:
            more = (*dag[:y], dag[y] | {x}, *dag[y + 1 :])
            if is_acyclic(more):
                yield x, y, more


def one_edge_fewer(dag: DAG) -> Iterator[tuple[int, int, DAG]]:
    """Every DAG with x → y left out, after x and y."""
    for y in range(len(dag)):
        for x in dag[y]:
            yield x, y, (*dag[:y], dag[y] - {x}, *dag[y + 1 :])


def one_edge_turned(dag: DAG) -> Iterator[tuple[int, int, DAG]]:
    """Every DAG of another class with y → x replaced by x → y, after x and y."""
    for y, x, without in one_edge_fewer(dag):
        turned = (*without[:y], without[y] | {x}, *without[y + 1 :])
        if is_acyclic(turned) and signature(turned) != signature(dag):
            yield x, y, turned


def total(score: Any, dag: DAG) -> float:
    """The score of a DAG."""
    return sum(score.score(x, tuple(sorted(parents))) for x, parents in enumerate(dag))


def best_gain(score: Any, dags: Sequence[DAG]) -> float:
    """The most that one edge more, fewer or turned in any of the DAGs adds to their score.

    A score is a sum over columns, of which only those whose parents changed are looked at.
    """
    gains = [
        sum(
            score.score(x, tuple(sorted(after))) - score.score(x, tuple(sorted(before)))
            for x, (before, after) in enumerate(zip(dag, changed, strict=True))
            if before != after
        )
        for dag in dags
        for step in (one_edge_more, one_edge_fewer, one_edge_turned)
        for *_, changed in step(dag)
    ]
    return max(gains, default=0.0)


def subsets(columns: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(columns) + 1):
        yield from combinations(columns, size)
