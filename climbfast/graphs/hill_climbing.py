"""Hill climbing over DAGs, one edge at a time, and iterated local search, which climbs again from perturbed DAGs.

Heckerman, Geiger and Chickering (1995), "Learning Bayesian Networks: The Combination of Knowledge and Statistical
Data", for hill climbing by additions, deletions and reversals of edges. Lourenço, Martin and Stützle (2003), "Iterated
Local Search", for leaving local optima: perturb the best DAG so far, climb, and keep the result if it is as good.

::

    best = climb(start)
    repeat: dag = climb(perturb(best));  if score(dag) >= score(best): best = dag

A DAG is perturbed at one to three nodes: a node loses all its edges, or becomes a source or a sink among its
neighbors. A DAG with the same score is accepted: with a score that is equivalent it may be in the same class, and each
DAG of a class has other neighbors in the space of DAGs. With knowledge no forbidden edge is added, and no required one
deleted or reversed.

The search is compiled (``climbfast_kernels.hill_climbing``); here the families that it asks for are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from climbfast.graphs.families import FamilyTables
from climbfast.graphs.pdag import PDAG
from climbfast.interrupts import STOP, raise_if_interrupted

__all__ = ["iterated_search"]

MOST_PERTURBED = 3
MOVES = 3
STEPS_BETWEEN_LOOKS = 2000
FAMILIES_BETWEEN_LOOKS = 100  # the first climb asks for those of all columns, which can take seconds


def iterated_search(
    tables: FamilyTables,
    score: int,
    start: PDAG,
    perturbations: int,
    seed: int,
    goes_on: Callable[[], bool] = lambda: True,
    most_families: int | None = None,
) -> tuple[PDAG, int]:
    """Climb, then perturb the best DAG and climb again, as many times as asked for.

    Parameters
    ----------
    tables : FamilyTables
    score : int
        The number of the score in the tables.
    start : PDAG
        A DAG that obeys the knowledge of the tables.
    perturbations : int
    seed : int
        Random seed of the perturbations.
    goes_on : function, optional
        Asked now and then; the search ends when it returns False.
    most_families : int, optional
        Families that the search may count; once it has counted more and the first climb is over, it ends.

    Returns
    -------
    dag : PDAG
        The best DAG.
    made : int
        Number of perturbations made.
    """
    from climbfast_kernels.hill_climbing import (
        DONE,
        MISSING,
        MOST_PARENTS,
        PAUSED,
        S_MADE,
        S_MISSING,
        advance,
        give_up,
        search_from,
    )

    columns = start.size
    search = search_from([_first_parents(tables, x, parents, MOST_PARENTS) for x, parents in enumerate(start.parents)])
    before = tables.families
    drawn = _draw(columns, perturbations if columns > 1 else 0, seed)
    status = PAUSED
    while status != DONE:
        over = most_families is not None and search.state[S_MADE] > 0 and tables.families - before > most_families
        if over or not goes_on():
            give_up(tables.arrays, search)
            break
        status = advance(tables.arrays, score, search, drawn, STEPS_BETWEEN_LOOKS, STOP)
        raise_if_interrupted()
        if status == MISSING:
            missing = search.missing[: search.state[S_MISSING]].tolist()
            for begin in range(0, len(missing), FAMILIES_BETWEEN_LOOKS):
                some = missing[begin : begin + FAMILIES_BETWEEN_LOOKS]
                tables.add(some, [tuple(search.parents[y, : search.size[y]].tolist()) for y in some])
                if not goes_on():
                    break
    parents = [search.parents[y, : search.size[y]].tolist() for y in range(columns)]
    return PDAG(columns, ((x, y) for y in range(columns) for x in parents[y])), int(search.state[S_MADE])


def _first_parents(tables: FamilyTables, x: int, parents: Iterable[int], most: int) -> list[int]:
    """Return so many parents of a column that the search can hold, the required ones among them."""
    required = tables.required_of(x)
    return sorted(sorted(parents, key=lambda p: (p not in required, p))[:most])


def _draw(columns: int, perturbations: int, seed: int) -> np.ndarray:
    """Return for each perturbation the number of columns to perturb, and a column and a move for each of these."""
    draw = np.random.default_rng(seed)
    drawn = np.empty((perturbations, 1 + 2 * MOST_PERTURBED), np.int64)
    drawn[:, 0] = draw.integers(1, MOST_PERTURBED + 1, perturbations)
    drawn[:, 1::2] = draw.integers(columns, size=(perturbations, MOST_PERTURBED))
    drawn[:, 2::2] = draw.integers(MOVES, size=(perturbations, MOST_PERTURBED))
    return drawn
