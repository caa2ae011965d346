"""The vote of several DAGs on the same columns: the edges that many of them have, in the direction with more votes.

A direction that the class of a DAG compels counts more than one that its class leaves open, or ties between directions
would be decided by luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from climbfast.graphs.equivalence import cpdag
from climbfast.graphs.pdag import PDAG, Arc, pair
from climbfast.knowledge import AllowedArcs

__all__ = ["Votes", "count_votes", "elect"]

COMPELLED, CHOSEN = 4, 3  # what a direction counts; ratios from 1/2 to 9/10 did alike on the networks for choosing


class Votes(NamedTuple):
    """The votes for an arc.

    Attributes
    ----------
    edge : int
        Number of DAGs in which its ends are adjacent.
    direction : int
        Number of DAGs that have the arc.
    weight : int
        COMPELLED for each DAG whose class compels the arc, CHOSEN for each other DAG that has it.
    """

    edge: int
    direction: int
    weight: int


def count_votes(dags: Sequence[PDAG]) -> Mapping[Arc, Votes]:
    """Count the votes for every arc that some DAG has, and for its reverse.

    Parameters
    ----------
    dags : sequence of PDAG
        Of the same columns, without undirected edges.
    """
    directed, weight = Counter[Arc](), Counter[Arc]()
    for dag in dags:
        compelled = cpdag(dag)
        for x, y in dag.arcs():
            directed[x, y] += 1
            weight[x, y] += COMPELLED if y in compelled.children[x] else CHOSEN
    either = sorted({arc for x, y in directed for arc in ((x, y), (y, x))})
    return {(x, y): Votes(directed[x, y] + directed[y, x], directed[x, y], weight[x, y]) for x, y in either}


def elect(
    votes: Mapping[Arc, Votes],
    fewest: int,
    columns: int,
    *,
    most_parents: int | None = None,
    allowed: AllowedArcs | None = None,
) -> PDAG:
    """Return the DAG of the edges that at least ``fewest`` DAGs have.

    Required arcs come first. The others are taken by falling weight, then by votes for the edge, then by column
    numbers. One that would close a cycle is taken in the other direction, if that is allowed.

    Parameters
    ----------
    votes : mapping
        See ``count_votes``.
    fewest : int
    columns : int
    most_parents : int or None
        Parents of a column beyond which an arc is left out.
    allowed : AllowedArcs, optional
    """
    most = columns if most_parents is None else most_parents
    found = PDAG(columns, () if allowed is None else sorted(allowed.required))
    enough = [arc for arc, count in votes.items() if count.edge >= fewest]
    for x, y in sorted(enough, key=lambda arc: (-votes[arc].weight, -votes[arc].edge, pair(*arc), arc)):
        if y not in found.adjacent[x]:
            # At most one of the two directions closes a cycle.
            source, target = (y, x) if found.has_directed_path(y, x) else (x, y)
            if len(found.parents[target]) < most and (allowed is None or allowed.allows(source, target)):
                found.add_arc(source, target)
    return found
