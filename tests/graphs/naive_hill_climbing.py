"""Hill climbing by trial: every DAG that differs by one edge is scored as a whole, in the exact units of the scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.graphs.classes import is_acyclic
from tests.oracle import DAG


def one_step_away(dag: DAG) -> Iterator[DAG]:
    """Every DAG with one edge more, fewer or reversed; of equals the search takes the first in this order."""
    for y in range(len(dag)):
        changes = [{y: dag[y] | {x}} for x in range(len(dag)) if x != y and x not in dag[y]]
        for x in sorted(dag[y]):
            changes += [{y: dag[y] - {x}}, {y: dag[y] - {x}, x: dag[x] | {y}}]
        for change in changes:
            changed = tuple(change.get(z, dag[z]) for z in range(len(dag)))
            if is_acyclic(changed):
                yield changed


def units(scores: Any, dag: DAG) -> int:
    """The score of a DAG in units."""
    return sum(scores.units_of(x, tuple(sorted(parents))) for x, parents in enumerate(dag))


def climb(scores: Any, dag: DAG, obeys: Callable[[DAG], bool] = lambda _: True) -> DAG:
    """Take the best step to a DAG that obeys while one improves the score."""
    while True:
        best = max((dag, *filter(obeys, one_step_away(dag))), key=lambda other: units(scores, other))
        if units(scores, best) <= units(scores, dag):
            return dag
        dag = best
