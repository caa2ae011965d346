"""Telling parents from children: the partition of the neighbors of a target with the smallest score.

Marx and Vreeken (2018), section "Telling apart parents and children": score(PA) = SC(T|PA) + Σ_{P∈PA} SC(P) +
Σ_{C∈CH} SC(C|T), minimised over all 2^m partitions. The paper searches greedily for many neighbors; here the
minimum is exact, by branch and bound (``climbfast_kernels.partition``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from climbfast.evidence import Evidence
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
        For each neighbor the bits lost when it alone changes side.
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
"""A way to tell parents from children: (target, neighbors) -> Partition."""


def partition(
    evidence: Evidence, target: int, neighbors: Sequence[int], *, node_budget: int = NODE_BUDGET
) -> Partition:
    """Tell the parents of a target from its children.

    Ties go to fewer parents, then to the first columns.

    Parameters
    ----------
    evidence : Evidence
        Its data and way of counting; the score is the stochastic complexity whatever the test.
    target : int
    neighbors : sequence of int
    node_budget : int
        Nodes of the search after which the best partition so far is returned with its proven gap.
    """
    node_budget = whole_number("node_budget", node_budget, least=1)
    from climbfast_kernels.distinct import distinct_rows
    from climbfast_kernels.partition import divide, weigh

    data, tables, strata = evidence.data, evidence.data.tables, evidence.workspace(len(neighbors))
    columns = np.array(sorted(neighbors), dtype=np.int64)
    w, order, constant = weigh(data.codes, data.bits, tables, strata, evidence.way, target, columns)
    branching = columns[order]
    values, weight = distinct_rows(data.codes, data.bits, strata, evidence.way, target, branching)
    is_parent, margins, score, gap, nodes = divide(
        values, weight, data.arity[[*branching, target]], w[order], order, tables.regret_row[target], tables.clog,
        tables.log_regret, tables.units, node_budget,
    )  # fmt: skip
    return Partition(
        parents=tuple(sorted(int(x) for x in branching[is_parent])),
        children=tuple(sorted(int(x) for x in branching[~is_parent])),
        margins={int(x): float(margin / tables.units) for x, margin in sorted(zip(branching, margins, strict=True))},
        score=float((score + constant) / tables.units),
        exact=bool(gap == 0),
        gap=float(gap / tables.units),
        nodes=int(nodes),
    )
