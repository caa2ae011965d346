"""The member of an equivalence class, and the order of columns that are copies of each other.

Chickering (1995), "A Transformational Characterization of Equivalent Bayesian Network Structures": two DAGs are
equivalent just if reversals of covered edges, those x → y with PA_y = PA_x ∪ {x}, lead from one to the other. So a
climb over them by a score that is not equivalent, fNML, chooses a member and never leaves the class.
"""

from __future__ import annotations

from climbfast.graphs.pdag import PDAG
from climbfast.scores import Score

__all__ = ["best_member", "order_copies"]


def best_member(dag: PDAG, score: Score, tolerance: float) -> None:
    """Reverse the covered edge that gains most while one improves the score, in place; of equals the first.

    Parameters
    ----------
    dag : PDAG
    score : Score
        One that is not equivalent, as fNML.
    tolerance : float
        Bits that count as no improvement.
    """
    while True:
        best, chosen = tolerance, None
        for x, y in dag.arcs():
            if dag.parents[y] - {x} == dag.parents[x]:
                gain = _reversal(dag, score, x, y)
                if gain > best:
                    best, chosen = gain, (x, y)
        if chosen is None:
            return
        dag.reverse(*chosen)


def _reversal(dag: PDAG, score: Score, x: int, y: int) -> float:
    """Return what y → x instead of the covered x → y gains."""
    common = dag.parents[x]
    alone, behind_x, behind_y = (tuple(sorted(own)) for own in (common, common | {x}, common | {y}))
    return score.score(x, behind_y) + score.score(y, alone) - score.score(x, alone) - score.score(y, behind_x)


def _is_function(likelihood: Score, y: int, x: int) -> bool:
    """Whether y varies, and has one value for every value of x."""
    return likelihood.score(y, (x,)) == 0 > likelihood.score(y, ())


def order_copies(dag: PDAG, likelihood: Score) -> PDAG:
    """Let each of two copies that are joined point to the one behind it, in canonical order.

    Columns that are functions of each other are one column to every score: to swap them in the graph changes nothing
    but names, and no data can tell which is the cause. This is a convention, that of ``orient`` for equals.

    Parameters
    ----------
    dag : PDAG
    likelihood : Score
        Zero bits for a column that is a function of its parents.
    """
    while True:
        pair = next(((x, y) for x, y in dag.arcs() if x > y and _are_copies(likelihood, x, y)), None)
        if pair is None:
            return dag
        swapped = {pair[0]: pair[1], pair[1]: pair[0]}
        dag = PDAG(dag.size, ((swapped.get(x, x), swapped.get(y, y)) for x, y in dag.arcs()))


def _are_copies(likelihood: Score, x: int, y: int) -> bool:
    return _is_function(likelihood, y, x) and _is_function(likelihood, x, y)
