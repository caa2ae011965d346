"""A graph that was found without knowledge, made to obey it.

Edges that are allowed in one direction only get it, those that are forbidden both ways are removed, and required ones
are added. Then no directed cycle may be left: one among the edges that knowledge directs loses its weakest edge that is
not required (required edges alone form no cycle); the other directed edges on a cycle lose their direction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from climbfast.graphs.pdag import PDAG, Arc
from climbfast.knowledge import AllowedArcs

__all__ = ["Obeying", "obeying"]


class Obeying(NamedTuple):
    """A graph that obeys.

    Attributes
    ----------
    pdag : PDAG
        Without directed cycles.
    known : set of (int, int)
        Its edges that knowledge allows in one direction only.
    contradicted : dict of (int, int) to float
        The edges that were removed or reversed, as they were, with their strengths; those of no known strength have 0.
    """

    pdag: PDAG
    known: set[Arc]
    contradicted: dict[Arc, float]


def obeying(pdag: PDAG, allowed: AllowedArcs, strengths: Mapping[Arc, float]) -> Obeying:
    """Return a graph as knowledge allows it.

    Parameters
    ----------
    pdag : PDAG
        It is not changed.
    allowed : AllowedArcs
    strengths : mapping of (int, int) to float
        Of edges of the graph, an undirected one in any order.
    """
    found, known, contradicted = pdag.copy(), set[Arc](), dict[Arc, float]()

    def strength(x: int, y: int) -> float:
        return strengths.get((x, y), strengths.get((y, x), 0.0))

    for x, y in (*pdag.arcs(), *pdag.undirected_edges()):
        forward, backward = allowed.allows(x, y), allowed.allows(y, x)
        if forward and backward:
            continue
        if not forward and (not backward or y in pdag.children[x]):
            contradicted[x, y] = strength(x, y)
        found.remove(x, y)
        if forward or backward:
            known.add((x, y) if forward else (y, x))
    known |= allowed.required
    while on_cycles := PDAG(pdag.size, known).arcs_on_cycles():
        weakest = min(on_cycles - allowed.required, key=lambda arc: (strength(*arc), arc))
        known.remove(weakest)
        contradicted[weakest] = strength(*weakest)
    for arc in known:
        found.add_arc(*arc)
    for arc in found.arcs_on_cycles() - known:
        found.undirect(*arc)
    return Obeying(found, known, contradicted)
