"""The graph on which replicates agree.

An edge is directed if the replicates with the direction outnumber those with the opposite one by a third of all that
have the edge: two thirds of them if each directs it, one third if none has the opposite. The third was chosen on random
networks (``bench.accuracy.random_networks``) of 2,000 rows: beside the single run, precision and recall of directions
rose by 5.9 and 11 points for ``pc``, 2.6 and 8 for blankets, 5.8 and 2 for ``best``. With the rule "more than half of
those that have the edge" they rose by 4.5 and 5, 3.1 and 6, 5.2 and 4.

Arcs are taken by falling frequency, and none that closes a directed cycle. Of arcs with the same frequency none comes
first: those that form a cycle with each other are all undirected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from climbfast.graphs.pdag import PDAG, Arc
from climbfast.knowledge import AllowedArcs
from climbfast.resampling.records import Counts

__all__ = ["consensus"]


class _RankedArc(NamedTuple):
    """An arc with its rank: those that knowledge directs come first, then those that most replicates have."""

    rank: tuple[bool, int, int]
    arc: Arc


def consensus(pairs: Counts, columns: int, threshold: float, replicates: int, allowed: AllowedArcs | None) -> PDAG:
    """Return the graph of the edges that reach a threshold, with the directions that enough replicates have.

    Parameters
    ----------
    pairs : Counts
        How many replicates have each edge and each direction.
    columns : int
    threshold : float
        Share of the replicates.
    replicates : int
    allowed : AllowedArcs or None
        What knowledge requires is there, and what it forbids is not: neither an arc, nor an undirected edge that could
        only have the other direction.
    """
    required = [] if allowed is None else sorted(allowed.required)
    known = {frozenset(arc) for arc in required}
    number = pairs.counts[:, 0]
    kept = np.flatnonzero((number > 0) & (number / replicates >= threshold)).tolist()
    edges = [(int(pairs.x[i]), int(pairs.y[i]), *pairs.counts[i].tolist()) for i in kept]
    edges = [edge for edge in edges if frozenset(edge[:2]) not in known]
    found = _acyclic(columns, required, [arc for edge in edges for arc in _arcs_of(edge, allowed)])
    for x, y, *_ in edges:
        if y not in found.adjacent[x] and (allowed is None or (allowed.allows(x, y) and allowed.allows(y, x))):
            found.add_undirected_edge(x, y)
    return found


def _arcs_of(edge: Sequence[int], allowed: AllowedArcs | None) -> Iterable[_RankedArc]:
    """Yield the direction that an edge has, if it has one."""
    x, y, number, forward, backward = edge
    for arc, lead in (((x, y), forward - backward), ((y, x), backward - forward)):
        count = forward if arc == (x, y) else backward
        agrees = 3 * lead >= number
        if allowed is not None and allowed.directs(*arc):
            yield _RankedArc((False, -number, -number), arc)
        elif agrees and (allowed is None or allowed.allows(*arc)):
            yield _RankedArc((True, -count, -number), arc)


def _acyclic(columns: int, required: Iterable[Arc], ranked: Sequence[_RankedArc]) -> PDAG:
    """Return a graph of the required arcs, and of all others that close no cycle with those of a higher rank."""
    found = PDAG(columns, required)
    in_cycles = _arcs_on_cycles([*found.arcs(), *(each.arc for each in ranked)])
    doubtful = sorted(each for each in ranked if each.arc in in_cycles)
    for _, group in groupby(doubtful, key=lambda each: each.rank):
        added = [each.arc for each in group if not found.has_directed_path(*each.arc[::-1])]
        in_group = _arcs_on_cycles([*found.arcs(), *added])
        for arc in added:
            if arc not in in_group:
                found.add_arc(*arc)
    for each in ranked:
        if each.arc not in in_cycles:
            found.add_arc(*each.arc)
    return found


def _arcs_on_cycles(arcs: Sequence[Arc]) -> set[Arc]:
    """Return the arcs that lie on a directed cycle, which are those inside a strongly connected component."""
    import networkx as nx

    graph = nx.DiGraph(arcs)
    component = {x: i for i, nodes in enumerate(nx.strongly_connected_components(graph)) for x in nodes}
    return {(x, y) for x, y in arcs if component[x] == component[y]}
