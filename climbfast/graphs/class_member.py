"""The DAG of an equivalence class that a score prefers, and the order of columns that are copies of each other.

Chickering (1995), "A Transformational Characterization of Equivalent Bayesian Network Structures": two DAGs are
equivalent if and only if reversals of covered edges lead from one to the other; x → y is covered if PA_y = PA_x ∪ {x}.
So hill climbing over such reversals by a score that is not equivalent, fNML, chooses a DAG and never leaves the class.
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
        One that is not equivalent, such as fNML.
    tolerance : float
        Bits that count as no improvement.
    """
    while True:
        most, best = tolerance, None
        for x, y in dag.arcs():
            if dag.parents[y] - {x} == dag.parents[x]:
                gain = _gain_of_reversal(dag, score, x, y)
                if gain > most:
                    most, best = gain, (x, y)
        if best is None:
            return
        dag.reverse(*best)


def _gain_of_reversal(dag: PDAG, score: Score, x: int, y: int) -> float:
    """Return the bits that y → x gains over the covered edge x → y."""
    parents = dag.parents[x]
    common, with_x, with_y = (tuple(sorted(family)) for family in (parents, parents | {x}, parents | {y}))
    return score.score(x, with_y) + score.score(y, common) - score.score(x, common) - score.score(y, with_x)


def order_copies(dag: PDAG, likelihood: Score) -> PDAG:
    """Direct every edge between two copies from the smaller number to the larger one; return the new DAG.

    Columns that are functions of each other are the same column to every score. To exchange them in the graph changes
    nothing but names, and no data can tell which one is the cause. So this is a convention; ``orient`` has the same.

    Parameters
    ----------
    dag : PDAG
    likelihood : Score
        One that gives zero bits to a column that is a function of its parents.
    """
    while True:
        arc = next(((x, y) for x, y in dag.arcs() if x > y and _are_copies(likelihood, x, y)), None)
        if arc is None:
            return dag
        exchanged = {arc[0]: arc[1], arc[1]: arc[0]}
        dag = PDAG(dag.size, ((exchanged.get(x, x), exchanged.get(y, y)) for x, y in dag.arcs()))


def _are_copies(likelihood: Score, x: int, y: int) -> bool:
    return _is_function(likelihood, y, x) and _is_function(likelihood, x, y)


def _is_function(likelihood: Score, y: int, x: int) -> bool:
    """Whether y varies, and has one value for every value of x."""
    return likelihood.score(y, (x,)) == 0 > likelihood.score(y, ())
