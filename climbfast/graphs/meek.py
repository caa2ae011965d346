"""Meek's rules: orientations that follow from others, if no new v-structure and no cycle may arise.

C. Meek (1995), "Causal inference and causal explanation with background knowledge", UAI. An undirected a - b becomes
a -> b when

1. c -> a, and c and b are not adjacent;
2. a -> c -> b;
3. a - c -> b and a - d -> b, and c and d are not adjacent;
4. a - d -> c -> b and a - c, and d and b are not adjacent; it is only needed with background knowledge.

The paper assumes that there is a solution. Where there is none, as after conflicting v-structures in small samples, the
rules contradict each other, and the result would depend on the order in which they are applied. Here they are applied
in rounds: each round orients all edges to which a rule applies at once, except those that would then lie on a directed
cycle (a -> b and b -> a at the same time is the shortest), which wait. So no cycle arises, and the result does not
depend on the numbers of the nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from climbfast.graphs.pdag import PDAG, Arc, Pair, pair

__all__ = ["ALL_RULES", "RULES", "close", "close_pdag"]

RULES = (1, 2, 3)
ALL_RULES = (1, 2, 3, 4)


def close(adjacency: NDArray[np.bool_], rules: Collection[int] = RULES) -> NDArray[np.bool_]:
    """Apply the rules until none applies.

    Parameters
    ----------
    adjacency : ndarray of bool, shape (m, m)
        [i, j] is i -> j, and both [i, j] and [j, i] are an undirected edge.
    rules : collection of int
        ``RULES``, or ``ALL_RULES`` with background knowledge.

    Returns
    -------
    ndarray of bool, shape (m, m)
        A new matrix: directed edges are unchanged, some undirected ones are directed.
    """
    pdag = PDAG.from_adjacency(adjacency)
    close_pdag(pdag, rules)
    return pdag.to_adjacency()


def close_pdag(pdag: PDAG, rules: Collection[int] = RULES, around: Iterable[int] | None = None) -> list[Arc]:
    """Apply the rules until none applies, in place.

    Parameters
    ----------
    pdag : PDAG
        Changed in place.
    rules : collection of int
        ``RULES``, or ``ALL_RULES`` with background knowledge.
    around : iterable of int, optional
        Nodes whose edges were changed since the rules were last applied without a contradiction, as in a CPDAG. Then
        only edges that these changes can affect are examined. By default all are.

    Returns
    -------
    list of (int, int)
        The directed edges that were undirected before.
    """
    # The children as well: where an edge c - d was removed, rule 3 may apply at a common child.
    waiting = _undirected_at(pdag, range(pdag.size) if around is None else _with_children(pdag, around))
    oriented: list[Arc] = []
    while waiting:
        forced = [arc for x, y in waiting for arc in ((x, y), (y, x)) if _is_forced(pdag, *arc, rules)]
        applied = _on_no_cycle(pdag, forced)
        if not applied:
            break
        for arc in applied:
            pdag.orient(*arc)
        oriented += applied
        near: Iterable[int] = {x for arc in applied for x in arc}
        waiting = {pair(*arc) for arc in forced}.difference(pair(*arc) for arc in applied)
        waiting |= _undirected_at(pdag, _with_children(pdag, near) if 4 in rules else near)
    return oriented


def _is_forced(pdag: PDAG, a: int, b: int, rules: Collection[int]) -> bool:
    """Whether a rule orients the undirected a - b as a -> b."""
    if 1 in rules and not pdag.parents[a] <= pdag.adjacent[b]:
        return True
    if 2 in rules and not pdag.children[a].isdisjoint(pdag.parents[b]):
        return True
    between = pdag.undirected[a] & pdag.parents[b]
    if 3 in rules and len(between) > 1 and any(len(between - pdag.adjacent[c]) > 1 for c in between):
        return True
    return 4 in rules and any(not pdag.parents[c] & pdag.undirected[a] <= pdag.adjacent[b] for c in between)


def _on_no_cycle(pdag: PDAG, forced: list[Arc]) -> list[Arc]:
    """Drop the directed edges that lie on a directed cycle when all are applied."""
    more: dict[int, list[int]] = {}
    for x, y in forced:
        more.setdefault(x, []).append(y)
    below: dict[int, set[int]] = {}
    for _, y in forced:
        if y not in below:
            below[y] = _descendants(pdag, y, more)
    return [(x, y) for x, y in forced if x not in below[y]]


def _descendants(pdag: PDAG, x: int, more: dict[int, list[int]]) -> set[int]:
    """Return what directed paths from x reach when each node has more children."""
    found: set[int] = set()
    waiting = [x]
    while waiting:
        parent = waiting.pop()
        for child in (*pdag.children[parent], *more.get(parent, ())):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def _with_children(pdag: PDAG, nodes: Iterable[int]) -> set[int]:
    near = set(nodes)
    return near.union(*(pdag.children[x] for x in near))


def _undirected_at(pdag: PDAG, nodes: Iterable[int]) -> set[Pair]:
    return {pair(x, y) for x in nodes for y in pdag.undirected[x]}
