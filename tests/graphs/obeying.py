"""Knowledge about small graphs, true or drawn at random, and by definition the DAGs that obey it.

DAGs are those of tests/oracle.py, and the names of their nodes are their numbers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

import climbfast as cf
from climbfast.graphs.pdag import PDAG
from climbfast.knowledge import AllowedArcs
from tests.graphs import knowledge_of_dags
from tests.oracle import DAG


@lru_cache(16)
def tiers_and_forbidden(known: cf.Knowledge) -> tuple[dict[int, int], set[tuple[int, int]]]:
    """The number of the tier of each node in one, and the edges that are ruled out one by one."""
    tier = {name: number for number, names in enumerate(known.tiers) for name in names}
    return tier, {*known.forbidden, *((b, a) for a, b in known.required)}


def allows(known: cf.Knowledge, x: int, y: int) -> bool:
    """Whether x → y is allowed, by the words of the documentation of Knowledge."""
    tier, against = tiers_and_forbidden(known)
    if x in tier and y in tier and (tier[x] > tier[y] or (tier[x] == tier[y] and tier[x] in known.closed)):
        return False
    return x not in known.leaves and y not in known.roots and (x, y) not in against


def obeys(dag: DAG, known: cf.Knowledge) -> bool:
    return all(x in dag[y] for x, y in known.required) and all(
        allows(known, x, y) for y in range(len(dag)) for x in dag[y]
    )


def as_pdag(dag: DAG) -> PDAG:
    return PDAG(len(dag), ((x, y) for y, parents in enumerate(dag) for x in parents))


def in_common(dags: Sequence[DAG]) -> PDAG:
    """The directed edges that all DAGs have; the others undirected."""
    arcs = {(x, y) for dag in dags for y, parents in enumerate(dag) for x in parents}
    return PDAG(
        len(dags[0]), (a for a in arcs if a[::-1] not in arcs), (a for a in arcs if a[::-1] in arcs and a[0] < a[1])
    )


@lru_cache(16)
def allowed_among(known: cf.Knowledge, columns: int) -> AllowedArcs:
    return known.allowed_arcs(range(columns))


def every_true_tiering(dag: DAG) -> Iterator[list[list[int]]]:
    """Every division of the nodes into tiers that the edges follow."""

    def rest(earlier: frozenset[int]) -> Iterator[list[list[int]]]:
        left = [x for x in range(len(dag)) if x not in earlier]
        if not left:
            yield []
        for chosen in range(1, 2 ** len(left)):
            tier = [x for i, x in enumerate(left) if chosen >> i & 1]
            if all(dag[x] <= earlier.union(tier) for x in tier):
                for tiers in rest(earlier.union(tier)):
                    yield [tier, *tiers]

    yield from rest(frozenset())


def true_knowledge(dag: DAG, seed: int) -> cf.Knowledge:
    """Some of everything that is true of a DAG."""
    return knowledge_of_dags.true_knowledge(dag, range(len(dag)), random.Random(seed))


def random_knowledge(columns: int, seed: int) -> cf.Knowledge:
    """Any knowledge that does not contradict itself."""
    return knowledge_of_dags.random_knowledge(range(columns), random.Random(seed))
