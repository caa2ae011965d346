"""The causal graph of all columns in one call: the search, and the method that directs its edges, by one name."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal, Unpack, get_args

from climbfast.dataset import Dataset, ReadingOptions, as_dataset
from climbfast.errors import Option, OptionError
from climbfast.graphs.class_member import best_member, order_copies
from climbfast.graphs.equivalence import extension
from climbfast.graphs.fges import fges, search
from climbfast.graphs.graph import Graph
from climbfast.graphs.hill_climbing import HillClimber, iterated_search
from climbfast.graphs.orient import orient
from climbfast.graphs.pc import pc
from climbfast.graphs.pdag import PDAG
from climbfast.independence.tests import Test, TestOptions, rounding
from climbfast.interrupts import interruptible
from climbfast.options import choice, whole_number
from climbfast.scores import AIC, BIC, FNML, BDeu, LocalScores, ScoreOptions, as_score, scores_of

__all__ = ["METHODS", "causal_graph"]

SCORE = AIC(parent_code=2.0)
START_SCORE = BDeu(1.0, 1.0)
PERTURBATIONS_PER_COLUMN = 4

Method = Literal["best", "pc", "pc+climb", "pc+global", "fges", "fges+climb", "fges+global"]
METHODS: tuple[Method, ...] = get_args(Method)


@interruptible
def causal_graph(
    data: Dataset | Any,
    method: Method = "best",
    *,
    test: str | TestOptions | Test | None = None,
    score: str | ScoreOptions | None = None,
    perturbations: int | None = None,
    seed: int | None = None,
    max_given: int | str | None = "default",
    min_bits: float | str | None = None,
    n_jobs: int | None = -1,
    **reading: Unpack[ReadingOptions],
) -> Graph:
    """Find the causal graph of all columns.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    method : {"best", "pc", "pc+climb", "pc+global", "fges", "fges+climb", "fges+global"}
        "best" searches all DAGs by score, and within the class that it finds directs edges by stochastic complexity;
        see below. The others are the result of ``pc`` or ``fges`` with default options: alone; or, with "+climb",
        directed by ``orient`` where edges are undirected; or, with "+global", all edges directed by ``orient``.
    test
        pc: the test; None is SCI.
    score
        best: the score of the search, which has to be score equivalent; None is AIC(parent_code=2). fges: None is
        BDeu(1, 1).
    perturbations : int or None
        best: how often the best DAG so far is perturbed and improved again; None is 4 times the number of columns.
    seed : int or None
        best: random seed of the perturbations. None is 0.
    max_given, min_bits, n_jobs
        pc: see ``pc``.
    **reading
        Options of ``Dataset.from_frame`` for a frame, see ``markov_blanket``.

    Returns
    -------
    Graph
        A DAG for every method but "pc" and "fges". With "best" the strength of an edge is the bits that the score loses
        without it.

    Raises
    ------
    OptionError
        For an option outside its legal values, or one that the method does not have.
    DataError
        For a frame that cannot be read as discrete data.

    Notes
    -----
    "best" has three parts, each with a paper.

    1. The score, which is the same for all DAGs of a class: the log likelihood, minus Akaike's log2 e bits per
       parameter, minus twice the log2 C(m − 1, j) bits that name the j parents of a column among the m − 1 others. The
       small penalty for parameters lets columns of many levels keep their parents; the one for edges avoids edges by
       chance.
    2. The search: FGES by BDeu finds the start. Hill climbing over DAGs, repeated after perturbations of one to three
       nodes, leaves its local optima.
    3. The DAG of the class: the one that fNML, the stochastic complexity of each column given its parents, prefers. It
       is reached by reversals of covered edges, which do not change the v-structures.

    Columns that are one-to-one functions of each other can be exchanged without a change of any score. If two of them
    are adjacent, the first by name is the cause. This is a convention, not a finding.

    "best" has two tables of columns × columns and copies them for every perturbation. It is meant for some hundreds of
    columns; for more than about a thousand take "fges+climb", or fewer perturbations.

    References
    ----------
    Akaike (1974), "A new look at the statistical model identification"; Chen and Chen (2008), "Extended Bayesian
    information criteria for model selection with large model spaces", Biometrika 95. Chickering (2002), "Optimal
    Structure Identification With Greedy Search", JMLR 3. Lourenço, Martin and Stützle (2003), "Iterated Local Search".
    Chickering (1995), "A Transformational Characterization of Equivalent Bayesian Network Structures". Silander, Roos,
    Kontkanen and Myllymäki (2008), for fNML. Marx and Vreeken (2018), arXiv 1808.06356, for climb.

    Examples
    --------
    >>> import climbfast as cf
    >>> network = cf.load_example()
    >>> graph = cf.causal_graph(network.sample(2000, seed=1))
    >>> graph
    <Graph: 15 nodes, 18 directed and 0 undirected edges, DAG>
    >>> graph.parents_of("heart_disease")
    ('blood_pressure', 'cholesterol', 'smoking')
    >>> cf.compare(network, graph).shd
    2
    """
    given = {"test": test, "score": score, "perturbations": perturbations, "seed": seed, "min_bits": min_bits}
    given |= {"max_given": max_given} if max_given != "default" else {}
    given |= {"n_jobs": n_jobs} if n_jobs not in (-1, None) else {}
    _check(method, {name: value for name, value in given.items() if value is not None or name == "max_given"})
    data = as_dataset(data, **reading)
    if method == "best":
        return _best(data, SCORE if score is None else as_score(score), perturbations, 0 if seed is None else seed)
    search_name, _, orientation = method.partition("+")
    if search_name == "pc":
        graph = pc(data, "sci" if test is None else test, max_given=max_given, min_bits=min_bits, n_jobs=n_jobs)
    else:
        graph = fges(data, score or START_SCORE)
    if not orientation:
        return graph
    return orient(graph, data, "global" if orientation == "global" else "climb")


_TAKES = {
    "best": ("score", "perturbations", "seed"),
    "pc": ("test", "max_given", "min_bits", "n_jobs"),
    "fges": ("score",),
}


def _check(method: str, given: Mapping[str, object]) -> None:
    """Refuse options that the method does not take, and values outside the legal ones."""
    choice("method", method, METHODS)
    takes = _TAKES[method.partition("+")[0]]
    for name in given:
        if name not in takes:
            raise OptionError(f"the method {method} does not take ", Option(name), f"; it takes {', '.join(takes)}")
    for name in ("perturbations", "seed"):
        if name in given:
            whole_number(name, given[name])
    if method == "best" and "score" in given and isinstance(as_score(given["score"]), FNML):
        raise OptionError("the score of best has to be score equivalent; fNML is not, it only chooses the DAG")


def _best(data: Dataset, chosen: ScoreOptions, perturbations: int | None, seed: int) -> Graph:
    """Find the class by score, then the DAG in it by fNML."""
    begun = time.perf_counter()
    tolerance = rounding(data.rows)
    perturbations = PERTURBATIONS_PER_COLUMN * data.columns if perturbations is None else perturbations
    scores, fnml, start = (scores_of(data, each) for each in (chosen, FNML(), START_SCORE))
    climber = HillClimber(scores, _start(start, data.columns, tolerance), tolerance)
    found = iterated_search(climber, perturbations, seed, tolerance)
    dag = found.dag.copy()
    best_member(dag, fnml, tolerance)
    dag = order_copies(dag, LocalScores(data, BIC(0.0)))
    final = HillClimber(scores, dag, tolerance)
    name = data.canonical
    strengths = {(name[x], name[y]): final.strength(x, y) for x, y in dag.arcs()}
    return Graph(
        names=name,
        directed=tuple(strengths),
        strengths=strengths,
        method="best",
        test_or_score=chosen.name,
        options={
            "perturbations": perturbations,
            "seed": seed,
            **asdict(chosen),
            **data.treatment.options(data.names),
        },
        figures={
            "score": final.total(),
            "fnml": math.fsum(fnml.score(x, tuple(sorted(parents))) for x, parents in enumerate(dag.parents)),
            "families": scores.families + fnml.families,
        },
        copies=data.copies,
        rows=data.rows,
        fewest_rows=min(each.fewest_rows for each in (scores, fnml, start)),
        columns=data.columns,
        seconds=time.perf_counter() - begun,
    )


def _start(scores: Any, columns: int, tolerance: float) -> PDAG:
    """Return a DAG of the class that FGES finds."""
    found = search(scores, columns, tolerance=tolerance)
    dag = extension(found.cpdag)
    assert dag is not None  # FGES returns a CPDAG
    return dag
