"""The causal graph of all columns in one call: which name means which search and which rule of direction."""

from __future__ import annotations

import math
import time
from dataclasses import asdict
from typing import Any, Literal, get_args

from climbfast.dataset import Dataset, as_dataset
from climbfast.errors import Option, OptionError
from climbfast.graphs.class_member import best_member, order_copies
from climbfast.graphs.equivalence import extension
from climbfast.graphs.fges import fges, search
from climbfast.graphs.graph import Graph
from climbfast.graphs.hill_climbing import HillClimbing, iterated_search
from climbfast.graphs.orient import orient
from climbfast.graphs.pc import pc
from climbfast.graphs.pdag import PDAG
from climbfast.independence.tests import Test, TestOptions, rounding
from climbfast.interrupts import interruptible
from climbfast.options import whole_number
from climbfast.scores import AIC, BIC, FNML, BDeu, LocalScores, ScoreOptions, as_score

__all__ = ["METHODS", "causal_graph"]

SCORE = AIC(parent_code=2.0)
START = BDeu(1.0, 1.0)
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
) -> Graph:
    """Find the causal graph of all columns.

    Parameters
    ----------
    data : Dataset or frame
        A frame goes through ``Dataset.from_frame``.
    method : {"best", "pc", "pc+climb", "pc+global", "fges", "fges+climb", "fges+global"}
        "best" searches all DAGs by score and directs by stochastic complexity within the class that it finds; see
        below. The others are what ``pc`` and ``fges`` find with their default options, alone, or with the edges that
        they leave undirected directed by ``orient`` with the method climb, or with all edges directed by global.
    test
        pc: the test; None is SCI.
    score
        best: the score of the search, which has to be equivalent; None is AIC(parent_code=2). fges: None is BDeu(1, 1).
    perturbations : int or None
        best: how often the best graph so far is perturbed and climbed from again; None is 4 for every column.
    seed : int or None
        best: random seed of the perturbations. None is 0.

    Returns
    -------
    Graph
        A DAG for every method but "pc" and "fges". The strength of an edge of "best" is what the score loses without
        it.

    Raises
    ------
    OptionError
        For an option outside its legal values, or one that the method has no use for.
    DataError
        For a frame that cannot be read as discrete data.

    Notes
    -----
    "best" has three parts, each with a paper.

    1. The class, by a score that is the same for all its members: the log likelihood less Akaike's log2 e bits a
       parameter, and less twice the log2 C(m − 1, j) bits that name the j parents of a column among the m − 1 others.
       The light price of parameters lets columns of many levels keep their parents; that of edges keeps chance out.
    2. The search: FGES by BDeu finds the start; hill climbing over DAGs, perturbed again and again at one to three
       nodes, leaves its local optima.
    3. The member of the class: the one that fNML, the stochastic complexity of each column given its parents,
       prefers, by reversals of covered edges, which make and destroy no v-structure.

    Columns that are one-to-one functions of each other are interchangeable to every score; where two of them are
    joined, the first by name is made the cause. That is a convention, not a finding.

    "best" holds two tables of columns × columns and copies them for every perturbation. It is made for some hundreds of
    columns; beyond a thousand or so take "fges+climb", or fewer perturbations.

    References
    ----------
    Akaike (1974), "A new look at the statistical model identification"; Chen and Chen (2008), "Extended Bayesian
    information criteria for model selection with large model spaces", Biometrika 95. Chickering (2002), "Optimal
    Structure Identification With Greedy Search", JMLR 3. Lourenço, Martin and Stützle (2003), "Iterated Local Search".
    Chickering (1995), "A Transformational Characterization of Equivalent Bayesian Network Structures". Silander, Roos,
    Kontkanen and Myllymäki (2008), for fNML. Marx and Vreeken (2018), arXiv 1808.06356, for climb.
    """
    _check(method, test, score, perturbations, seed)
    data = as_dataset(data)
    if method == "best":
        return _best(data, SCORE if score is None else as_score(score), perturbations, 0 if seed is None else seed)
    searched, _, directed = method.partition("+")
    graph = pc(data, "sci" if test is None else test) if searched == "pc" else fges(data, score or START)
    if not directed:
        return graph
    return orient(graph, data, "global" if directed == "global" else "climb")


def _check(method: str, test: object, score: object, perturbations: int | None, seed: int | None) -> None:
    if method not in METHODS:
        raise OptionError(Option("method"), f" is {method!r}; it is one of {', '.join(METHODS)}")
    uses = {"best": ("score", "perturbations", "seed"), "pc": ("test",), "fges": ("score",)}[method.partition("+")[0]]
    for name, value in (("test", test), ("score", score), ("perturbations", perturbations), ("seed", seed)):
        if value is not None and name not in uses:
            raise OptionError(
                f"the method {method} has no use for ", Option(name), f"; its options are {', '.join(uses)}"
            )
    for name, count in (("perturbations", perturbations), ("seed", seed)):
        if count is not None:
            whole_number(name, count)
    if method == "best" and score is not None and isinstance(as_score(score), FNML):
        raise OptionError("the score of best has to be equivalent; fNML is not, and chooses the member of the class")


def _best(data: Dataset, chosen: ScoreOptions, perturbations: int | None, seed: int) -> Graph:
    """Find the class by score, then its member by fNML."""
    begun = time.perf_counter()
    tolerance = rounding(data.rows)
    perturbations = PERTURBATIONS_PER_COLUMN * data.columns if perturbations is None else perturbations
    scores, fnml = LocalScores(data, chosen), LocalScores(data, FNML())
    climbing = HillClimbing(scores, _start(data, tolerance), tolerance)
    found = iterated_search(climbing, perturbations, seed, tolerance)
    dag = found.dag.copy()
    best_member(dag, fnml, tolerance)
    dag = order_copies(dag, LocalScores(data, BIC(0.0)))
    final = HillClimbing(scores, dag, tolerance)
    name = data.canonical
    strengths = {(name[x], name[y]): final.strength(x, y) for x, y in dag.arcs()}
    return Graph(
        names=name,
        directed=tuple(strengths),
        strengths=strengths,
        method="best",
        test_or_score=chosen.name,
        options={"perturbations": perturbations, "seed": seed, **asdict(chosen)},
        figures={
            "score": final.total(),
            "fnml": math.fsum(fnml.score(x, tuple(sorted(own))) for x, own in enumerate(dag.parents)),
            "families": scores.families + fnml.families,
        },
        rows=data.rows,
        columns=data.columns,
        seconds=time.perf_counter() - begun,
    )


def _start(data: Dataset, tolerance: float) -> PDAG:
    """Return a DAG of the class that FGES finds by BDeu."""
    found = search(LocalScores(data, START), data.columns, tolerance=tolerance)
    dag = extension(found.cpdag)
    assert dag is not None  # FGES returns a CPDAG
    return dag
