"""Telling parents from children: the partition of the neighbors of a target with the smallest score.

Marx and Vreeken (2018), section "Telling apart parents and children": score(PA) = SC(T|PA) + Σ_{P∈PA} SC(P) +
Σ_{C∈CH} SC(C|T), minimized over all 2^m partitions. The paper searches greedily for many neighbors; here the
minimum is exact, by branch and bound (``climbfast_kernels.partition``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from climbfast.independence.tester import Tester
from climbfast.local.compiled import partition_each
from climbfast.options import whole_number

__all__ = ["NODE_BUDGET", "Partition", "PartitionRule", "partition"]

NODE_BUDGET = 200_000


@dataclass(frozen=True)
class Partition:
    """Parents and children of one target, by column number, and how sure they are.

    Attributes
    ----------
    parents, children : tuple of int
        Sorted.
    margins : mapping of int to float
        For each neighbor whose side was not known the bits lost when it alone changes side.
    score : float
        Bits.
    exact : bool
        Whether it is proved that no partition has a smaller score.
    gap : float
        Bits by which another partition could still be better; 0 when exact.
    nodes : int
        Nodes of the search.
    """

    parents: tuple[int, ...]
    children: tuple[int, ...]
    margins: Mapping[int, float]
    score: float = 0.0
    exact: bool = True
    gap: float = 0.0
    nodes: int = 0


PartitionRule = Callable[[int, Sequence[int]], Partition]
"""A function that tells parents from children: (target, neighbors) -> Partition."""


def partition(
    tester: Tester,
    target: int,
    neighbors: Sequence[int],
    known_parents: Collection[int] = (),
    known_children: Collection[int] = (),
    *,
    node_budget: int = NODE_BUDGET,
) -> Partition:
    """Tell the parents of a target from its children.

    Ties go to fewer parents, then to the first columns.

    Parameters
    ----------
    tester : Tester
        Its data and counting strategy; the score is the stochastic complexity whatever the test.
    target : int
    neighbors : sequence of int
    known_parents, known_children : collection of int
        Neighbors whose side is known; the best partition of the others is found.
    node_budget : int
        Nodes of the search after which the best partition so far is returned with its proven gap.
    """
    from climbfast_kernels.partition import CHILD, OPEN, PARENT

    budget = whole_number("node_budget", node_budget, least=1)
    columns, units = sorted(neighbors), tester.data.log_tables.units
    known = {**dict.fromkeys(known_parents, PARENT), **dict.fromkeys(known_children, CHILD)}
    sides = np.array([known.get(x, OPEN) for x in columns], dtype=np.int64)
    found = partition_each(tester, (target,), (columns,), budget, sides)
    is_parent = found.is_parent.tolist()
    return Partition(
        parents=tuple(x for x, parent in zip(columns, is_parent, strict=True) if parent),
        children=tuple(x for x, parent in zip(columns, is_parent, strict=True) if not parent),
        margins={
            x: margin for x, margin in zip(columns, (found.margins / units).tolist(), strict=True) if x not in known
        },
        score=float(found.scores[0] / units),
        exact=bool(found.gaps[0] == 0),
        gap=float(found.gaps[0] / units),
        nodes=int(found.nodes[0]),
    )
