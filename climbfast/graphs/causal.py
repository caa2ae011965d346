"""The causal graph of all columns in one call: the search, and the method that directs its edges, by one name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal, Unpack, get_args

from climbfast.activity import show_activity
from climbfast.caller_warnings import warn_caller
from climbfast.compiling import seconds_of_work
from climbfast.dataset import Dataset, ReadingOptions, Representative, as_dataset
from climbfast.errors import ClimbfastWarning, Option, OptionError
from climbfast.graphs.best import SCORES, BestResult, Budget, find_best
from climbfast.graphs.class_directions import with_decided
from climbfast.graphs.copies import with_copies
from climbfast.graphs.fges import contradicted_by_name, fges
from climbfast.graphs.graph import Graph, edges_by_name
from climbfast.graphs.orient import DIRECTIONS, Directions, orient
from climbfast.graphs.pc import pc
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import Test, TestOptions
from climbfast.interrupts import interruptible, note_first_interrupt
from climbfast.knowledge import AllowedArcs, Knowledge, KnowledgeOption, as_knowledge
from climbfast.options import choice, number, whole_number
from climbfast.scores import FNML, ScoreOptions, as_score

__all__ = ["METHODS", "causal_graph"]

Method = Literal["best", "pc", "pc+climb", "pc+global", "fges", "fges+climb", "fges+global"]
METHODS: tuple[Method, ...] = get_args(Method)


def causal_graph(
    data: Dataset | Any,
    method: Method = "best",
    *,
    test: str | TestOptions | Test | None = None,
    score: str | ScoreOptions | None = None,
    directions: Directions = "decided",
    perturbations: int | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    max_given: int | str | None = "default",
    max_pool: int | None = MAX_POOL,
    representative: Representative = None,
    min_bits: float | str | None = None,
    n_jobs: int | None = -1,
    knowledge: KnowledgeOption = None,
    **reading: Unpack[ReadingOptions],
) -> Graph:
    """Find the causal graph of all columns.

    Parameters
    ----------
    data : Dataset or frame
        A frame is encoded by ``Dataset.from_frame``.
    method : {"best", "pc", "pc+climb", "pc+global", "fges", "fges+climb", "fges+global"}
        "best" searches all DAGs by several scores, takes what several of these searches find, and within the class
        directs edges by stochastic complexity; see below. The others are the result of ``pc`` or ``fges`` with default
        options: alone; or, with "+climb", directed by ``orient`` where edges are undirected; or, with "+global", all
        edges directed by ``orient``.
    test
        pc: the test; None is SCI.
    score
        best: search by this score alone, which has to be score equivalent; None is the vote of several. fges: None is
        BDeu(1, 1).
    directions : {"decided", "all"}
        "decided": edges whose direction the data hardly prefer are undirected. "all": they are directed, too. Not for
        "pc" and "fges" alone.
    perturbations : int or None
        best: how often each search perturbs its best DAG so far and improves it again; None is 4 times the number of
        columns, with missing cells only until a search has counted 200,000 families or 5,000 for each column. The
        ``figures`` say how many were left.
    seconds : float or None
        best: time after which each search ends with the best DAG that it has, shared among the searches. What was left
        undone is said in a warning, and in the ``figures``.
    seed : int or None
        best: random seed of the perturbations. None is 0.
    representative : None, "first", name, or collection of names
        Which of several copies has the edges to other columns, see ``markov_blanket``.
    max_given, max_pool, min_bits, n_jobs
        pc: see ``pc``.
    knowledge : Knowledge, path of a file, or None
        What is known beforehand: tiers, required and forbidden edges. The result obeys it.
    **reading
        Options of ``Dataset.from_frame`` for a frame, see ``markov_blanket``.

    Returns
    -------
    Graph
        With "best" the ``reasons`` say which directions are known beforehand ("known"), which all graphs of the class
        have, or with knowledge those of them that obey ("compelled"), and which fNML chose ("chosen", by how many bits
        in ``margins``); ``votes`` how many of the ``figures["searches"]`` join two columns, and how many direct the
        edge so; the strength of an edge is the bits that the first score, AIC with a parent code of 2 unless another is
        asked for, loses without it. ``contradicted`` says what FGES asks for and knowledge forbids, see ``fges``.

    Raises
    ------
    OptionError
        For an option outside its legal values, or one that the method does not have.
    DataError
        For a frame that cannot be read as discrete data.
    UnknownColumnError
        For a name in the knowledge that is not a column.
    KnowledgeError
        For knowledge that contradicts itself, and with "best" for a column with more than 32 required parents.

    Warns
    -----
    ClimbfastWarning
        If the ``seconds`` were over, or Ctrl-C was pressed, before "best" had made all perturbations. At the first
        Ctrl-C it returns the best graph so far; the second raises KeyboardInterrupt.

    Notes
    -----
    "best" has four parts.

    1. The searches: FGES by BDeu finds the start. Hill climbing over DAGs, repeated after perturbations of one to three
       nodes, leaves its local optima. It is done once by each of five scores: AIC with an additional penalty of twice,
       and of once, the log2 C(m − 1, j) bits that name the j parents of a column among the m − 1 others; BDeu with a
       sample prior of 1, and of 10; and qNML. Every family is counted once for all of them.
    2. The vote of six DAGs, one of each search, and that of FGES with all edges directed by fNML: the edges that at
       least three of them have, each in the direction with more votes; one that the class of a DAG compels counts 4,
       another 3. Arcs are taken by falling votes, and none that closes a cycle.
    3. Within the class of this DAG the undirected edges are directed by fNML, the stochastic complexity of each column
       given its parents.
    4. With ``directions="decided"`` those that fNML hardly prefers are undirected again.

    With more than 64 columns the possible parents of a column are the 24 that gain most alone, and those at the start.
    With more than 1,200, the searches begin without edges.

    Of columns that are one-to-one functions of each other one is searched. The others have an undirected edge to it:
    they can be exchanged without a change of any score.

    With knowledge all graphs on the way obey it: FGES begins with the required edges and steps only to classes with a
    graph that obeys; hill climbing adds no forbidden edge, and neither deletes nor reverses a required one; required
    edges need no votes; and of the class only the graphs that obey are weighed. No score is computed of a column with a
    forbidden parent.

    References
    ----------
    Akaike (1974), "A new look at the statistical model identification"; Chen and Chen (2008), "Extended Bayesian
    information criteria for model selection with large model spaces", Biometrika 95. Chickering (2002), "Optimal
    Structure Identification With Greedy Search", JMLR 3. Lourenço, Martin and Stützle (2003), "Iterated Local Search".
    Silander, Roos, Kontkanen and Myllymäki (2008), for fNML; Silander, Leppä-aho, Jääsaari and Roos (2018), for qNML.
    Marx and Vreeken (2018), arXiv 1808.06356, for climb.

    Examples
    --------
    >>> import climbfast as cf
    >>> network = cf.load_example()
    >>> graph = cf.causal_graph(network.sample(2000, seed=1))
    >>> graph
    <Graph: 15 nodes, 15 directed and 3 undirected edges, CPDAG>
    >>> graph.parents_of("heart_disease")
    ('blood_pressure', 'cholesterol', 'smoking')
    >>> graph.votes["smoking", "heart_disease"], graph.reasons["smoking", "heart_disease"]
    ((6, 6), 'compelled')
    >>> cf.compare(network, graph).shd
    3
    """
    given = {"test": test, "score": score, "perturbations": perturbations, "seed": seed, "min_bits": min_bits}
    given |= {"seconds": seconds}
    given |= {"max_given": max_given} if max_given != "default" else {}
    given |= {"max_pool": max_pool} if max_pool != MAX_POOL else {}
    given |= {"n_jobs": n_jobs} if n_jobs not in (-1, None) else {}
    given |= {"directions": directions} if directions != "decided" else {}
    _check(
        method, {name: value for name, value in given.items() if value is not None or name in ("max_given", "max_pool")}
    )
    data = _read(data, representative, reading)
    known = as_knowledge(knowledge, data.names)
    if method == "best":
        scores = SCORES if score is None else (as_score(score),)
        return _best(data, scores, perturbations, seconds, seed or 0, directions, known)
    search_name, _, orientation = method.partition("+")
    if search_name == "pc":
        chosen = "sci" if test is None else test
        graph = pc(
            data, chosen, max_given=max_given, max_pool=max_pool, min_bits=min_bits, n_jobs=n_jobs, knowledge=known
        )
    else:
        graph = fges(data, score or "bdeu", knowledge=known)
    if not orientation:
        return graph
    by: Literal["climb", "global"] = "global" if orientation == "global" else "climb"
    return orient(graph, data, by, directions=directions, knowledge=known)


_TAKES = {
    "best": ("score", "perturbations", "seconds", "seed"),
    "pc": ("test", "max_given", "max_pool", "min_bits", "n_jobs"),
    "fges": ("score",),
}


def _check(method: str, given: Mapping[str, object]) -> None:
    """Refuse options that the method does not take, and values outside the legal ones."""
    choice("method", method, METHODS)
    choice("directions", given.get("directions", "decided"), DIRECTIONS)
    takes = _TAKES[method.partition("+")[0]]
    takes += () if method in ("pc", "fges") else ("directions",)
    for name in given:
        if name not in takes:
            raise OptionError(f"the method {method} does not take ", Option(name), f"; it takes {', '.join(takes)}")
    for name in ("perturbations", "seed"):
        if name in given:
            whole_number(name, given[name])
    if "seconds" in given:
        number("seconds", given["seconds"], otherwise=", or None")
    if method == "best" and "score" in given and isinstance(as_score(given["score"]), FNML):
        raise OptionError("the score of best has to be score equivalent; fNML is not, it only chooses the DAG")


@interruptible
def _read(data: Dataset | Any, representative: Representative, reading: Mapping[str, Any]) -> Dataset:
    return as_dataset(data, **reading).represented_by(representative)


def _best(
    data: Dataset,
    scores: tuple[ScoreOptions, ...],
    perturbations: int | None,
    seconds: float | None,
    seed: int,
    directions: Directions,
    known: Knowledge | None,
) -> Graph:
    """Search by the scores, and name what is found."""
    begun = seconds_of_work()
    searched = data.without_copies
    allowed = None if known is None else known.allowed_arcs(searched.canonical)
    with show_activity("causal_graph"), note_first_interrupt() as interrupted:
        budget = Budget(seconds, interrupted)
        found = find_best(searched, scores, perturbations=perturbations, seed=seed, budget=budget, allowed=allowed)
        if found.was_stopped:
            _warn_of_the_end(found, by_user=interrupted())
    options: dict[str, Any] = {"perturbations": found.wanted // len(scores), "seed": seed, "directions": directions}
    options |= {"seconds": seconds} if seconds is not None else {}
    options |= {"knowledge": known.to_dict()} if known is not None else {}
    fields = _named(found, searched, directions, allowed)
    fields["contradicted"] = contradicted_by_name(found.contradicted, searched.canonical, data.sorted_names)
    return Graph(
        **with_copies(fields, data, directed=directions == "all", known=known),
        method="best",
        test_or_score="vote" if len(scores) > 1 else scores[0].name,
        options={
            **options,
            **(asdict(scores[0]) if len(scores) == 1 else {}),
            **data.treatment.options(data.names),
        },
        figures={
            "score": found.score,
            "fnml": found.fnml,
            "families": found.families,
            "searches": found.searches,
            "perturbations": found.perturbations,
            "perturbations_left": found.wanted - found.perturbations,
        },
        rows=data.rows,
        fewest_rows=found.fewest_rows,
        columns=data.columns,
        seconds=seconds_of_work() - begun,
        data=data,
    )


def _named(found: BestResult, searched: Dataset, directions: Directions, allowed: AllowedArcs | None) -> dict[str, Any]:
    """Return the edges, and what is known of each, by name."""
    name, chosen = searched.canonical, found.directions
    graph = chosen.dag if directions == "all" else with_decided(found.cpdag, chosen)
    edges = edges_by_name(name, graph)
    reasons = {(name[x], name[y]): "compelled" if y in found.cpdag.children[x] else "chosen" for x, y in graph.arcs()}
    if allowed is not None:
        reasons |= {(name[x], name[y]): "known" for x, y in graph.arcs() if allowed.directs(x, y)}
    margins = {(name[x], name[y]): margin for (x, y), margin in chosen.margins.items() if y in graph.children[x]}
    strengths = {(name[x], name[y]): strength for (x, y), strength in found.strengths.items()}
    votes = {
        (name[x], name[y]): (found.votes[x, y].edge, found.votes[x, y].direction)
        for x, y in (*graph.arcs(), *graph.undirected_edges())
        if found.votes
    }
    return {**edges, "reasons": reasons, "margins": margins, "strengths": strengths, "votes": votes}


def _warn_of_the_end(found: BestResult, *, by_user: bool) -> None:
    made = f"{found.perturbations:,} of {found.wanted:,} perturbations"
    why = "Ctrl-C was pressed" if by_user else "the time was over"
    warn_caller(ClimbfastWarning(f"{why} after {made}; this is the best graph so far"))
