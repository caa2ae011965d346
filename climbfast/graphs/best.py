"""The search behind ``causal_graph(method="best")``: several searches by score, which share all counts, and a vote.

1. FGES by BDeu finds the DAG at which every search begins; beyond ``MOST_COLUMNS_OF_FGES`` columns they begin with
   the required edges only.
2. Each search climbs by a score of its own, again and again from perturbed DAGs (``hill_climbing``), and its class is
   directed by fNML (``class_directions``). One more DAG is that of FGES with all its edges directed by fNML.
3. The vote has the edges that at least ``FEWEST_VOTES`` of these DAGs have (``votes``).
4. The class of this DAG is directed by fNML.

No score is best everywhere: those with a small penalty find the weak edges of columns with few levels, and join too
much where columns have many levels; with others it is the reverse. What several of them find is right more often.

With knowledge every one of these DAGs obeys, and no family with a forbidden parent is scored.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.dataset import Dataset
from climbfast.errors import KnowledgeError
from climbfast.graphs.background import with_knowledge
from climbfast.graphs.class_directions import ClassDirections, direct_class
from climbfast.graphs.equivalence import cpdag, extension
from climbfast.graphs.families import FamilyTables
from climbfast.graphs.fges import search_without_turning
from climbfast.graphs.hill_climbing import iterated_search
from climbfast.graphs.orient import MIN_GAIN, EdgeOrienter
from climbfast.graphs.pdag import PDAG, Arc, pair
from climbfast.graphs.votes import Votes, count_votes, elect
from climbfast.independence.screen import ScreenResult, ScreenWorker, units_of_screen
from climbfast.independence.tester import Tester, as_tester
from climbfast.independence.tests import rounding
from climbfast.knowledge import AllowedArcs
from climbfast.scores import AIC, FNML, QNML, BDeu, ScoreOptions, scores_of

__all__ = ["PERTURBATIONS_PER_COLUMN", "SCORES", "BestResult", "Budget", "find_best"]

SCORES: tuple[ScoreOptions, ...] = (AIC(2.0), AIC(1.0), BDeu(1.0, 1.0), BDeu(10.0, 1.0), QNML())
FEWEST_VOTES = 3
START_SCORE = BDeu(1.0, 1.0)
PERTURBATIONS_PER_COLUMN = 4
MOST_COLUMNS_OF_FGES = 1200
ALL_ARE_CANDIDATES = 64  # columns up to which every column is a possible parent of every other
# With missing cells a family takes counts of its own for most of its smaller ones. A search that has counted so many
# makes no further perturbation, unless their number was asked for. It is a guard: loanapp (1,989 × 59, eight columns
# with gaps) takes 139,000 for all five searches, Alarm with a tenth of the cells missing 28,000.
FEWEST_FAMILIES = 200_000
FAMILIES_PER_COLUMN = 5_000
STRONGEST_CANDIDATES = 24  # of wider data: the possible parents by their gain without other parents


class Budget:
    """How long a search may go on.

    Parameters
    ----------
    seconds : float or None
        None is no limit.
    interrupted : function
        Whether the user has asked for an end.
    """

    def __init__(self, seconds: float | None = None, interrupted: Callable[[], bool] = lambda: False) -> None:
        self._begun = time.perf_counter()
        self._seconds = seconds
        self.interrupted = interrupted

    def is_left(self) -> bool:
        """Whether time is left."""
        return not self.interrupted() and (self._seconds is None or self._elapsed() < self._seconds)

    def share(self, parts: int) -> Budget:
        """Return a budget with one of equal parts of the time that is left."""
        left = None if self._seconds is None else max(self._seconds - self._elapsed(), 0.0) / parts
        return Budget(left, self.interrupted)

    def _elapsed(self) -> float:
        return time.perf_counter() - self._begun


@dataclass(frozen=True)
class BestResult:
    """What the searches found, by column number.

    Attributes
    ----------
    cpdag : PDAG
        The class that was found; with what knowledge directs, and all that follows.
    directions : ClassDirections
        The DAG of the class, and by how much its directions are better.
    votes : mapping of arc to Votes
        Of several searches the votes for every arc that one of them found; empty for one search.
    searches : int
        Number of DAGs that voted.
    score, fnml : float
        Bits of the DAG, by the first score and by fNML.
    strengths : mapping of arc to float
        For the arcs of the DAG the bits that the first score loses without the arc.
    families, fewest_rows : int
        See ``LocalScores``.
    perturbations, wanted : int
        Perturbations made in all searches, and those that were to be made.
    was_stopped : bool
        Whether the budget was used up before these were made.
    contradicted : mapping of tuple of int to float
        What the data ask for and knowledge forbids, see ``FGESResult``.
    """

    cpdag: PDAG
    directions: ClassDirections
    votes: Mapping[Arc, Votes]
    searches: int
    score: float
    fnml: float
    strengths: Mapping[Arc, float]
    families: int
    fewest_rows: int
    perturbations: int
    wanted: int
    was_stopped: bool
    contradicted: Mapping[tuple[int, ...], float]


def find_best(
    data: Dataset,
    scores: Sequence[ScoreOptions] = SCORES,
    *,
    perturbations: int | None = None,
    seed: int = 0,
    budget: Budget | None = None,
    allowed: AllowedArcs | None = None,
) -> BestResult:
    """Search by every score, and let the DAGs vote if there are several scores.

    Parameters
    ----------
    data : Dataset
        Without copies.
    scores : sequence of BIC or AIC or BDeu or QNML
    perturbations : int or None
        Of each search; None is ``PERTURBATIONS_PER_COLUMN`` times the number of columns.
    seed : int
    budget : Budget, optional
        Once it is used up, each search ends with its best DAG so far.
    allowed : AllowedArcs, optional
        By column number of the data.

    Returns
    -------
    BestResult

    Raises
    ------
    KnowledgeError
        For a column with more required parents than a search can hold.
    """
    from climbfast_kernels.hill_climbing import MOST_PARENTS

    _check_required(data, allowed, MOST_PARENTS)
    budget = budget or Budget()
    each = PERTURBATIONS_PER_COLUMN * data.columns if perturbations is None else perturbations
    each = each if data.columns > 1 else 0
    fnml, start_scores = scores_of(data, FNML()), scores_of(data, START_SCORE)
    start, contradicted = _start(start_scores, data, budget.share(len(scores) + 1), allowed)
    candidates = _candidates(data, start_scores, start, allowed)
    tables = FamilyTables(data, scores, candidates, allowed)
    bounded = bool(data.incomplete.any()) and perturbations is None
    most = max(FEWEST_FAMILIES, FAMILIES_PER_COLUMN * data.columns) if bounded else None
    found: list[PDAG] = []
    made = 0
    for number in range(len(scores)):
        share = budget.share(len(scores) - len(found))
        dag, done = iterated_search(tables, number, start, each, seed, share.is_left, most)
        found.append(dag)
        made += done
    if len(found) == 1:
        votes: Mapping[Arc, Votes] = {}
        elected = found[0]
    else:
        members = [direct_class(cpdag(dag), fnml, allowed=allowed).dag for dag in found]
        if budget.is_left():
            members.append(_directed_by_fnml(start, fnml, allowed))
        votes = count_votes(members)
        elected = elect(votes, FEWEST_VOTES, data.columns, most_parents=MOST_PARENTS, allowed=allowed)
    directions = direct_class(cpdag(elected), fnml, allowed=allowed)
    directed = with_knowledge(cpdag(elected), allowed)
    assert directed is not None  # the elected DAG obeys
    counted = (tables, fnml, start_scores)
    return BestResult(
        cpdag=directed,
        directions=directions,
        votes=votes,
        searches=len(found) + bool(votes),
        score=tables.total(0, directions.dag),
        fnml=_total(fnml, directions.dag),
        strengths=tables.strengths(0, directions.dag),
        families=sum(scores.families for scores in counted),
        fewest_rows=min(scores.fewest_rows for scores in counted),
        perturbations=made,
        wanted=each * len(scores),
        was_stopped=not budget.is_left() and made < each * len(scores),
        contradicted=contradicted,
    )


def _check_required(data: Dataset, allowed: AllowedArcs | None, most: int) -> None:
    counts = Counter(y for _, y in allowed.required) if allowed is not None else Counter[int]()
    for y in sorted(y for y, count in counts.items() if count > most):
        raise KnowledgeError(
            f"{data.canonical[y]!r} has {counts[y]} required parents; the method best takes at most {most} of a column"
        )


def _start(
    scores: Any, data: Dataset, budget: Budget, allowed: AllowedArcs | None = None
) -> tuple[PDAG, Mapping[tuple[int, ...], float]]:
    """Return the DAG at which the searches begin, and what the data ask for and knowledge forbids."""
    if data.columns > MOST_COLUMNS_OF_FGES:
        return PDAG(data.columns, () if allowed is None else sorted(allowed.required)), {}
    found = search_without_turning(
        scores, data.columns, tolerance=rounding(data.rows), goes_on=budget.is_left, allowed=allowed
    )
    dag = extension(found.directed)
    assert dag is not None  # FGES returns a class with a DAG that obeys
    return dag, found.contradicted


def _directed_by_fnml(dag: PDAG, fnml: Any, allowed: AllowedArcs | None = None) -> PDAG:
    """Return the DAG with all its edges directed by fNML, as ``orient(method="global", restarts=0)`` does."""
    known = [arc for arc in dag.arcs() if allowed is not None and allowed.directs(*arc)]
    others = set(dag.arcs()).difference(known)
    orienter = EdgeOrienter(fnml, known, [pair(*arc) for arc in others], dag.size)
    orienter.climb()
    orienter.climb_globally(0, 0, MIN_GAIN)
    return orienter.pdag


def _candidates(data: Dataset, scores: Any, start: PDAG, allowed: AllowedArcs | None = None) -> list[NDArray[np.int64]]:
    """Return the possible neighbors of each column: in wide data those that gain most, and those at the start."""
    columns = np.arange(data.columns)
    if data.columns <= ALL_ARE_CANDIDATES:
        return [_possible(y, columns[columns != y], allowed, as_parents=False) for y in range(data.columns)]
    wide = data.columns > MOST_COLUMNS_OF_FGES
    strongest = _strongest(data, allowed) if wide else _most_gaining(scores, columns, allowed)
    possible: list[set[int]] = [set() for _ in range(data.columns)]
    for y, others in enumerate(strongest):
        for x in (*others, *start.parents[y]):
            possible[y].add(x)
            possible[x].add(y)
    return [np.array(sorted(others), np.int64) for others in possible]


def _possible(y: int, others: NDArray[np.int64], allowed: AllowedArcs | None, *, as_parents: bool) -> NDArray[np.int64]:
    """Return which of some columns may be parents of y, or adjacent to it."""
    if allowed is None:
        return others
    return others[allowed.matrix(others, [y])[:, 0] if as_parents else allowed.pairs([y], others)[0]]


def _most_gaining(scores: Any, columns: NDArray[np.int64], allowed: AllowedArcs | None) -> Iterator[list[int]]:
    """Yield for each column those that gain most as its only parent, of equals the first."""
    for y in columns.tolist():
        others = _possible(y, columns[columns != y], allowed, as_parents=True)
        best = np.argsort(-scores.gains(y, (), others), kind="stable")[:STRONGEST_CANDIDATES]
        yield others[best].tolist()


def _strongest(data: Dataset, allowed: AllowedArcs | None) -> Iterator[list[int]]:
    """Yield for each column those that depend on it most by SCI, of equals the first."""
    tester = as_tester(data, "sci", min_bits="auto")
    assert isinstance(tester, Tester)  # SCI is no custom test
    worker = ScreenWorker(tester, allowed)
    units = [worker.unit(unit) for unit in range(len(units_of_screen(data, allowed)))]
    screened = ScreenResult.gather(units, data.columns)
    for y in range(data.columns):
        partners, strengths = screened.of(y)
        strongest = np.array(partners, np.int64)[np.argsort(-strengths, kind="stable")]
        yield _possible(y, strongest, allowed, as_parents=True)[:STRONGEST_CANDIDATES].tolist()


def _total(score: Any, dag: PDAG) -> float:
    """Return the score of a DAG in bits."""
    units: int = sum(score.units_of(x, tuple(sorted(parents))) for x, parents in enumerate(dag.parents))
    return units / float(score.units)
