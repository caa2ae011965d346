"""Equivalence classes of DAGs: the CPDAG of a DAG, and the extension of a partly directed graph to a DAG.

D. Dor and M. Tarsi (1992), "A simple algorithm to construct a consistent extension of a partially oriented graph",
UCLA report R-185; T. Verma and J. Pearl (1990), "Equivalence and synthesis of causal models", UAI; Meek (1995).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations

from climbfast.graphs.meek import ALL_RULES, close_pdag
from climbfast.graphs.pdag import PDAG

__all__ = [
    "chain_components",
    "cpdag",
    "extension",
    "is_cpdag",
    "obstacle_to_extension",
    "orientations",
    "v_structures",
]


def v_structures(pdag: PDAG) -> list[tuple[int, int, int]]:
    """Every x -> z <- y of nodes x < y that are not adjacent, as (x, z, y)."""
    return [
        (x, z, y)
        for z, parents in enumerate(pdag.parents)
        for x, y in combinations(sorted(parents), 2)
        if y not in pdag.adjacent[x]
    ]


def cpdag(dag: PDAG) -> PDAG:
    """Return the CPDAG of a DAG: an edge is directed where all DAGs of its equivalence class agree."""
    directed = {arc for x, z, y in v_structures(dag) for arc in ((x, z), (y, z))}
    found = PDAG(dag.size, directed, (arc for arc in dag.arcs() if arc not in directed))
    close_pdag(found)
    return found


def is_cpdag(pdag: PDAG) -> bool:
    """Whether this is the CPDAG of some DAG."""
    dag = extension(pdag)
    return dag is not None and cpdag(dag) == pdag


def extension(pdag: PDAG) -> PDAG | None:
    """Return a DAG that directs the undirected edges without a new v-structure or a cycle; None if there is none.

    Parameters
    ----------
    pdag : PDAG
        It is not changed.

    Notes
    -----
    The algorithm of Dor and Tarsi: find a node that can be a sink, direct its undirected edges towards it, and remove
    it; and so on. The order of such nodes does not matter, so a node is examined again only if a neighbor was removed.
    """
    order, left = _remove_sinks(pdag)
    if left:
        return None
    place = {x: i for i, x in enumerate(order)}
    directed = ((x, y) if place[x] > place[y] else (y, x) for x, y in pdag.undirected_edges())
    return PDAG(pdag.size, (*pdag.arcs(), *directed))


def obstacle_to_extension(pdag: PDAG) -> list[int]:
    """Nodes none of which can be a sink among them, so that there is no extension; empty if there is one."""
    return _remove_sinks(pdag)[1]


def _remove_sinks(pdag: PDAG) -> tuple[list[int], list[int]]:
    """Remove nodes that can be a sink; return them in that order, and the nodes that are left."""
    rest = pdag.copy()
    order: list[int] = []
    removed = [False] * pdag.size
    waiting = deque(range(pdag.size))
    while waiting:
        x = waiting.popleft()
        if removed[x] or not _can_be_sink(rest, x):
            continue
        removed[x] = True
        order.append(x)
        for y in sorted(rest.adjacent[x]):
            rest.remove(x, y)
            waiting.append(y)
    return order, [x for x in range(pdag.size) if not removed[x]]


def _can_be_sink(pdag: PDAG, x: int) -> bool:
    """Whether x has no children, and directing its undirected edges towards it makes no v-structure."""
    if pdag.children[x]:
        return False
    adjacent = pdag.adjacent[x]
    return all(len(adjacent - pdag.adjacent[y]) == 1 for y in pdag.undirected[x])  # that one is y itself


def chain_components(pdag: PDAG) -> list[list[int]]:
    """Return the sets of nodes that undirected edges connect, each sorted, without those of a single node."""
    seen: set[int] = set()
    found = []
    for start in range(pdag.size):
        if start in seen or not pdag.undirected[start]:
            continue
        component, waiting = {start}, [start]
        while waiting:
            new = pdag.undirected[waiting.pop()] - component
            component |= new
            waiting += new
        seen |= component
        found.append(sorted(component))
    return found


def orientations(pdag: PDAG) -> Iterator[PDAG]:
    """Yield every extension to a DAG.

    Parameters
    ----------
    pdag : PDAG
        A graph that has an extension, closed under all of Meek's rules. Then each undirected edge has either
        direction in some extension (Meek 1995), so every branch of this search finds one.
    """
    waiting = [pdag.copy()]
    while waiting:
        last = waiting.pop()
        edge = next(last.undirected_edges(), None)
        if edge is None:
            yield last
            continue
        x, y = edge
        for source, target in ((y, x), (x, y)):
            branch = last.copy()
            branch.orient(source, target)
            close_pdag(branch, ALL_RULES, (source, target))
            waiting.append(branch)
