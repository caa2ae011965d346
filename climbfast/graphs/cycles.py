"""Directed paths and cycles, for those who direct edges."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from climbfast.graphs.pdag import PDAG, Arc

__all__ = ["arcs_on_cycles", "leads_to"]


def leads_to(children: Sequence[Collection[int]], start: int, end: int) -> bool:
    """Whether a directed path goes from one node to another, or they are the same.

    Parameters
    ----------
    children : sequence of collections of int
        For every node those that it has an arc to.
    start, end : int
    """
    seen, waiting = {start}, [start]
    while waiting and end not in seen:
        new = [x for x in children[waiting.pop()] if x not in seen]
        seen.update(new)
        waiting += new
    return end in seen


def arcs_on_cycles(size: int, arcs: Collection[Arc]) -> set[Arc]:
    """Return the arcs among ``size`` nodes that lie on a directed cycle."""
    pdag = PDAG(size, arcs)
    stuck = set(range(size)).difference(pdag.topological_order())
    return {(x, y) for x, y in arcs if {x, y} <= stuck and leads_to(pdag.children, y, x)}
