"""Meek's rules: the orientations that others force, if no v-structure and no cycle may be new.

C. Meek (1995), "Causal inference and causal explanation with background knowledge", UAI. An undirected a - b becomes
a -> b when

1. c -> a, and c and b are not adjacent;
2. a -> c -> b;
3. a - c -> b and a - d -> b, and c and d are not adjacent;
4. a - d -> c -> b and a - c, and d and b are not adjacent; it is only needed with background knowledge.

The paper's inputs have a solution. Where there is none, as after conflicting v-structures in small samples, the rules
contradict each other and the order in which they are applied would decide. Here they go in rounds: all that the rules
ask for is applied at once, except arcs that would lie on a directed cycle (a -> b and b -> a at the same time is the
shortest), which wait. So no cycle is made, and the result does not depend on how the nodes are numbered.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from climbfast.graphs.pdag import PDAG, Arc

__all__ = ["ALL_RULES", "RULES", "close", "close_pdag"]

RULES = (1, 2, 3)
ALL_RULES = (1, 2, 3, 4)


def close(adjacency: NDArray[np.bool_], rules: Collection[int] = RULES) -> NDArray[np.bool_]:
    """Apply the rules until none applies.

    Parameters
    ----------
    adjacency : ndarray of bool, shape (m, m)
        [i, j] is i -> j, and both set are an undirected edge.
    rules : collection of int
        ``RULES``, or ``ALL_RULES`` with background knowledge.

    Returns
    -------
    ndarray of bool, shape (m, m)
        A new matrix: directed edges stay, some undirected ones are directed.
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
        Nodes at which edges were changed since the rules were last applied and left no contradiction, as in a CPDAG;
        only what these changes reach is looked at. By default everything is.

    Returns
    -------
    list of (int, int)
        The arcs that were undirected before.
    """
    # The children as well: without an edge c - d, rule 3 may apply at a common child.
    waiting = _lines_at(pdag, range(pdag.size) if around is None else _with_children(pdag, around))
    oriented: list[Arc] = []
    while waiting:
        asked = [arc for x, y in waiting for arc in ((x, y), (y, x)) if _forced(pdag, *arc, rules)]
        applied = _on_no_cycle(pdag, asked)
        if not applied:
            break
        for arc in applied:
            pdag.orient(*arc)
        oriented += applied
        near: Iterable[int] = {x for arc in applied for x in arc}
        waiting = {_line(*arc) for arc in asked}.difference(_line(*arc) for arc in applied)
        waiting |= _lines_at(pdag, _with_children(pdag, near) if 4 in rules else near)
    return oriented


def _forced(pdag: PDAG, a: int, b: int, rules: Collection[int]) -> bool:
    """Whether a rule makes the undirected a - b into a -> b."""
    if 1 in rules and not pdag.parents[a] <= pdag.adjacent[b]:
        return True
    if 2 in rules and not pdag.children[a].isdisjoint(pdag.parents[b]):
        return True
    between = pdag.undirected[a] & pdag.parents[b]
    if 3 in rules and len(between) > 1 and any(len(between - pdag.adjacent[c]) > 1 for c in between):
        return True
    return 4 in rules and any(not pdag.parents[c] & pdag.undirected[a] <= pdag.adjacent[b] for c in between)


def _on_no_cycle(pdag: PDAG, asked: list[Arc]) -> list[Arc]:
    """Drop the arcs that lie on a directed cycle when all are applied."""
    more: dict[int, list[int]] = {}
    for x, y in asked:
        more.setdefault(x, []).append(y)
    behind: dict[int, set[int]] = {}
    for _, y in asked:
        if y not in behind:
            behind[y] = _descendants(pdag, y, more)
    return [(x, y) for x, y in asked if x not in behind[y]]


def _descendants(pdag: PDAG, x: int, more: dict[int, list[int]]) -> set[int]:
    found: set[int] = set()
    waiting = [x]
    while waiting:
        at = waiting.pop()
        for child in (*pdag.children[at], *more.get(at, ())):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def _with_children(pdag: PDAG, nodes: Iterable[int]) -> set[int]:
    near = set(nodes)
    return near.union(*(pdag.children[x] for x in near))


def _lines_at(pdag: PDAG, nodes: Iterable[int]) -> set[Arc]:
    return {_line(x, y) for x in nodes for y in pdag.undirected[x]}


def _line(x: int, y: int) -> Arc:
    return (x, y) if x < y else (y, x)
