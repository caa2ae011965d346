"""DAGs that tell the same independences: the CPDAG of a DAG, the extension of a partly directed graph to a DAG.

D. Dor and M. Tarsi (1992), "A simple algorithm to construct a consistent extension of a partially oriented graph",
UCLA report R-185; T. Verma and J. Pearl (1990), "Equivalence and synthesis of causal models", UAI; Meek (1995).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations

from climbfast.graphs.meek import ALL_RULES, close_pdag
from climbfast.graphs.pdag import PDAG

__all__ = ["chain_components", "cpdag", "extension", "is_cpdag", "not_extended", "orientations", "v_structures"]


def v_structures(pdag: PDAG) -> list[tuple[int, int, int]]:
    """Every x -> z <- y of nodes x < y that are not adjacent, as (x, z, y)."""
    return [
        (x, z, y)
        for z, parents in enumerate(pdag.parents)
        for x, y in combinations(sorted(parents), 2)
        if y not in pdag.adjacent[x]
    ]


def cpdag(dag: PDAG) -> PDAG:
    """Return the class of a DAG: directed are the edges that have one direction in all its members."""
    directed = {arc for x, z, y in v_structures(dag) for arc in ((x, z), (y, z))}
    found = PDAG(dag.size, directed, (arc for arc in dag.arcs() if arc not in directed))
    close_pdag(found)
    return found


def is_cpdag(pdag: PDAG) -> bool:
    """Whether this is the class of some DAG."""
    dag = extension(pdag)
    return dag is not None and cpdag(dag) == pdag


def extension(pdag: PDAG) -> PDAG | None:
    """Return a DAG that directs the undirected edges without a new v-structure or a cycle; None if there is none.

    Parameters
    ----------
    pdag : PDAG
        Left as it is.

    Notes
    -----
    Dor and Tarsi's: a node that may come last is taken off, and its undirected edges point to it; and so on. Any such
    node will do, so each is looked at anew only when a neighbor is gone.
    """
    order, left = _from_last(pdag)
    if left:
        return None
    place = {x: i for i, x in enumerate(order)}
    directed = ((x, y) if place[x] > place[y] else (y, x) for x, y in pdag.undirected_edges())
    return PDAG(pdag.size, (*pdag.arcs(), *directed))


def not_extended(pdag: PDAG) -> list[int]:
    """Nodes none of which may come last among them: why there is no extension; empty if there is one."""
    return _from_last(pdag)[1]


def _from_last(pdag: PDAG) -> tuple[list[int], list[int]]:
    """Take off nodes that may come last; return them in that order, and the others."""
    rest = pdag.copy()
    order: list[int] = []
    gone = [False] * pdag.size
    waiting = deque(range(pdag.size))
    while waiting:
        x = waiting.popleft()
        if gone[x] or not _may_come_last(rest, x):
            continue
        gone[x] = True
        order.append(x)
        for y in sorted(rest.adjacent[x]):
            rest.remove(x, y)
            waiting.append(y)
    return order, [x for x in range(pdag.size) if not gone[x]]


def _may_come_last(pdag: PDAG, x: int) -> bool:
    """Whether nothing leaves x, and pointing its undirected edges to it makes no v-structure."""
    if pdag.children[x]:
        return False
    adjacent = pdag.adjacent[x]
    return all(len(adjacent - pdag.adjacent[y]) == 1 for y in pdag.undirected[x])  # that one is y itself


def chain_components(pdag: PDAG) -> list[list[int]]:
    """Groups of nodes that undirected edges connect, each sorted; nodes without any are left out."""
    seen: set[int] = set()
    found = []
    for start in range(pdag.size):
        if start in seen or not pdag.undirected[start]:
            continue
        bucket, waiting = {start}, [start]
        while waiting:
            new = pdag.undirected[waiting.pop()] - bucket
            bucket |= new
            waiting += new
        seen |= bucket
        found.append(sorted(bucket))
    return found


def orientations(pdag: PDAG) -> Iterator[PDAG]:
    """Every extension to a DAG, one at a time.

    Parameters
    ----------
    pdag : PDAG
        A graph that has an extension, closed under all of Meek's rules. Then each undirected edge has either
        direction in some extension (Meek 1995), and no branch of this search ends without one.
    """
    waiting = [pdag.copy()]
    while waiting:
        last = waiting.pop()
        line = next(last.undirected_edges(), None)
        if line is None:
            yield last
            continue
        x, y = line
        for source, target in ((y, x), (x, y)):
            branch = last.copy()
            branch.orient(source, target)
            close_pdag(branch, ALL_RULES, (source, target))
            waiting.append(branch)
