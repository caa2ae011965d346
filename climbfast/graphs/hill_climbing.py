"""Hill climbing over DAGs, one edge at a time, and iterated local search, which climbs again from perturbed DAGs.

Heckerman, Geiger and Chickering (1995), "Learning Bayesian Networks: The Combination of Knowledge and Statistical
Data", for hill climbing by additions, deletions and reversals of edges. Lourenço, Martin and Stützle (2003), "Iterated
Local Search", for leaving local optima: perturb the best DAG so far, climb, and keep the result if it is as good.

::

    best = climb(start)
    repeat: dag = climb(perturb(best));  if score(dag) >= score(best): best = dag

A DAG is perturbed at one to three nodes: a node loses all its edges, or becomes a source or a sink among its
neighbors. A DAG with the same score is accepted: with a score that is equivalent it may be in the same class, and each
DAG of a class has other neighbors in the space of DAGs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from climbfast.graphs.pdag import PDAG
from climbfast.scores import Gains

__all__ = ["HillClimber", "iterated_search"]

MOST_PERTURBED = 3

_APPLY: dict[str, Callable[[PDAG, int, int], None]] = {
    "add": PDAG.add_arc,
    "delete": PDAG.remove,
    "reverse": PDAG.reverse,
}


class Step(NamedTuple):
    """A change of one edge: x → y is added, deleted or reversed."""

    gain: float
    kind: str
    x: int
    y: int


class HillClimber:
    """A DAG, and what each change of one edge gains.

    Parameters
    ----------
    scores : Gains
        A score that also answers for many candidates at once, as ``LocalScores`` does.
    dag : PDAG
        The DAG to start from; it is copied.
    tolerance : float
        Bits that count as no improvement.

    Attributes
    ----------
    dag : PDAG
    """

    def __init__(self, scores: Gains, dag: PDAG, tolerance: float) -> None:
        self._scores = scores
        self._tolerance = tolerance
        columns = dag.size
        self._adding = np.full((columns, columns), -np.inf)
        self._deleting = np.full((columns, columns), -np.inf)
        self._families = np.zeros(columns)
        self.dag = dag.copy()
        self._rescore(range(columns))

    def copy(self) -> HillClimber:
        """Return an independent copy."""
        twin = object.__new__(HillClimber)
        twin._scores, twin._tolerance = self._scores, self._tolerance
        twin._adding, twin._deleting = self._adding.copy(), self._deleting.copy()
        twin._families = self._families.copy()
        twin.dag, twin._descendants = self.dag.copy(), list(self._descendants)
        return twin

    def total(self) -> float:
        """Return the score of the DAG in bits."""
        return math.fsum(self._families.tolist())

    def strength(self, x: int, y: int) -> float:
        """Return the bits that the DAG loses without its edge x → y."""
        return -float(self._deleting[x, y])

    def climb(self) -> None:
        """Take the best step while one improves the score; of equals additions first, then the first columns."""
        while (step := self._best_step()) is not None:
            _, kind, x, y = step
            _APPLY[kind](self.dag, x, y)
            self._rescore((x, y) if kind == "reverse" else (y,))

    def perturb(self, draw: np.random.Generator) -> None:
        """Change the edges of a random node, whatever that costs."""
        x, move = int(draw.integers(self.dag.size)), int(draw.integers(3))
        parents, children = sorted(self.dag.parents[x]), sorted(self.dag.children[x])
        for y in (*parents, *children):
            self.dag.remove(x, y)
        if move == 1:
            self._make_source(x, parents, children)
        elif move == 2:
            self._make_sink(x, parents, children)
        self._rescore([x, *parents, *children])

    def _make_source(self, x: int, parents: list[int], children: list[int]) -> None:
        for y in (*parents, *children):
            self.dag.add_arc(x, y)

    def _make_sink(self, x: int, parents: list[int], children: list[int]) -> None:
        for y in (*parents, *children):
            self.dag.add_arc(y, x)

    def _rescore(self, columns: Sequence[int] | range) -> None:
        """Update the figures of columns whose parents changed, and the descendants of all."""
        for y in columns:
            parents = tuple(sorted(self.dag.parents[y]))
            now = self._families[y] = self._scores.score(y, parents)
            self._adding[:, y] = self._deleting[:, y] = -np.inf
            others = np.setdiff1d(np.arange(self.dag.size), [y, *self.dag.adjacent[y]])
            # A child of y becomes its parent when their edge is reversed.
            possible = np.union1d(others, np.array(sorted(self.dag.children[y]), np.int64))
            if len(possible):
                self._adding[possible, y] = self._scores.gains(y, parents, possible)
            for x in parents:
                self._deleting[x, y] = self._scores.score(y, tuple(z for z in parents if z != x)) - now
        self._find_descendants()

    def _find_descendants(self) -> None:
        """Bit y of ``_descendants[x]`` is whether a directed path leads from x to y, or they are the same."""
        self._descendants = [1 << x for x in range(self.dag.size)]
        for x in reversed(self.dag.topological_order()):
            for y in self.dag.children[x]:
                self._descendants[x] |= self._descendants[y]

    def _best_step(self) -> Step | None:
        """Return the step that gains most and closes no cycle; None if none improves the score."""
        best = self._best_addition()
        most = best.gain if best else self._tolerance
        for x, y in self.dag.arcs():
            deletion = float(self._deleting[x, y])
            if deletion > most:
                most, best = deletion, Step(deletion, "delete", x, y)
            reversal = deletion + float(self._adding[y, x])
            if reversal > most and self._is_reversible(x, y):
                most, best = reversal, Step(reversal, "reverse", x, y)
        return best

    def _best_addition(self) -> Step | None:
        gains = self._adding.ravel()
        better = np.flatnonzero(gains > self._tolerance)
        for i in better[np.argsort(-gains[better], kind="stable")].tolist():
            x, y = divmod(i, self.dag.size)
            if not self._descendants[y] >> x & 1 and y not in self.dag.adjacent[x]:
                return Step(float(gains[i]), "add", x, y)
        return None

    def _is_reversible(self, x: int, y: int) -> bool:
        """Whether y → x instead of x → y closes no cycle."""
        return not any(self._descendants[child] >> y & 1 for child in self.dag.children[x] if child != y)


def iterated_search(start: HillClimber, perturbations: int, seed: int, tolerance: float) -> HillClimber:
    """Climb, then perturb the best DAG and climb again, as many times as asked for; return the best.

    Parameters
    ----------
    start : HillClimber
        It climbs itself, and may be returned.
    perturbations : int
    seed : int
        Random seed of the perturbations.
    tolerance : float
        Bits that count as no loss.
    """
    draw = np.random.default_rng(seed)
    start.climb()
    best, best_total = start, start.total()
    for _ in range(perturbations if start.dag.size > 1 else 0):
        perturbed = best.copy()
        for _ in range(int(draw.integers(1, MOST_PERTURBED + 1))):
            perturbed.perturb(draw)
        perturbed.climb()
        total = perturbed.total()
        if total >= best_total - tolerance:
            best, best_total = perturbed, total
    return best
