"""The searches of graphs, and their options in the order of the help; one that was not typed is None.

A new search is one more function and its line in `GRAPH_METHODS`, which says which options it takes; a new option is a
field of one of the groups.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Annotated, Any, NamedTuple, Protocol

import typer

from climbfast.cli.options.blanket_searches import (
    SEARCH_PANEL,
    RepresentativeNames,
    parse_max_given,
    parse_max_pool,
    representative_in,
)
from climbfast.cli.options.groups import refuse_options_of_others, typed_in
from climbfast.cli.options.tests import TEST_PANEL, TestArguments
from climbfast.dataset import Dataset
from climbfast.errors import Option, OptionError
from climbfast.graphs.causal import METHODS, causal_graph
from climbfast.graphs.fges import fges
from climbfast.graphs.graph import Graph
from climbfast.graphs.orient import DIRECTIONS, orient
from climbfast.graphs.orient import METHODS as ORIENTATIONS
from climbfast.graphs.pc import pc
from climbfast.graphs.pc_orientation import CONFLICTS
from climbfast.independence.nearest import MAX_POOL
from climbfast.independence.tests import TESTS, TestOptions
from climbfast.knowledge import Knowledge
from climbfast.options import choice
from climbfast.scores import SCORES, ScoreOptions, as_score

__all__ = [
    "GRAPH_METHODS",
    "GraphMethod",
    "GraphScore",
    "GraphSearch",
    "GraphTest",
    "search_in_a_worker",
    "search_with",
]

_SCORE_PANEL = "Score"


@dataclass(frozen=True, kw_only=True)
class GraphSearch:
    """The options of a search itself; every search takes ``orient``, unless its name says how edges are directed.

    So does it take ``representative``.
    """

    conflicts: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="pc: how v-structures are found, and what happens when two of them contradict each other; one of "
            f"{', '.join(CONFLICTS)}.",
            show_default="majority",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    orient: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Direct edges after the search: climb directs the edges that are still undirected, global directs all "
            "edges again, none directs no edge. See `climbfast orient --help`.",
            show_default="none",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    directions: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(DIRECTIONS),
            help="best, and with --orient: decided leaves an edge undirected where the data hardly prefer one "
            "direction; all directs every edge.",
            show_default="decided",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    max_given: Annotated[
        str | None,
        typer.Option(
            metavar="N|none",
            help="pc: largest number of columns to condition on; none is no limit.",
            show_default="3",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    max_pool: Annotated[
        str | None,
        typer.Option(
            metavar="N|none",
            help="pc: most neighbors of which all sets are given. Around a hub, sets of two columns are drawn from "
            "as many that are nearest to the column tested, and larger sets from half as many; none is no bound.",
            show_default=str(MAX_POOL),
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    max_degree: Annotated[
        int | None,
        typer.Option(
            help="fges: largest number of edges of one column.", show_default="no limit", rich_help_panel=SEARCH_PANEL
        ),
    ] = None
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            help="best: time after which the best graph so far is returned.",
            show_default="none",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    perturbations: Annotated[
        int | None,
        typer.Option(
            help="best: number of perturbations of the best graph so far, each followed by a new search.",
            show_default="4 per column",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(help="best: random seed of the perturbations.", show_default="0", rich_help_panel=SEARCH_PANEL),
    ] = None
    representative: RepresentativeNames = None
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            help="pc, and with --bootstrap: number of workers; -1 is one for every core.",
            show_default="-1",
            rich_help_panel=SEARCH_PANEL,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class GraphScore:
    """The score of a search, and the options of all scores."""

    score: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"best, fges: the score, one of {', '.join(SCORES)}.",
            show_default="bdeu for fges; a vote of several for best",
            rich_help_panel=_SCORE_PANEL,
        ),
    ] = None
    penalty: Annotated[
        float | None,
        typer.Option(help="bic: factor of the penalty term.", show_default="1", rich_help_panel=_SCORE_PANEL),
    ] = None
    parent_code: Annotated[
        float | None,
        typer.Option(
            help="aic: factor of the bits that say which columns are the parents.",
            show_default="0",
            rich_help_panel=_SCORE_PANEL,
        ),
    ] = None
    sample_prior: Annotated[
        float | None,
        typer.Option(help="bdeu: equivalent sample size, in rows.", show_default="1", rich_help_panel=_SCORE_PANEL),
    ] = None
    structure_prior: Annotated[
        float | None,
        typer.Option(
            help="bdeu: expected number of parents of a column.", show_default="1", rich_help_panel=_SCORE_PANEL
        ),
    ] = None

    def choose(self, default: str) -> ScoreOptions:
        """Return the score; refuse the options of others."""
        kind = type(as_score(self.score or default))
        typed = typed_in(self)
        typed.pop("score", None)
        refuse_options_of_others(typed, "score", kind.name, _TAKEN)
        return kind(**typed)


_TAKEN = {name: {field.name for field in fields(score)} for name, score in SCORES.items()}


@dataclass(frozen=True, kw_only=True)
class GraphTest(TestArguments):
    """The test of a search, and the options of all tests."""

    test: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(TESTS),
            help="pc: test of independence.",
            show_default="sci",
            rich_help_panel=TEST_PANEL,
        ),
    ] = None

    def choose(self, default: str) -> TestOptions:
        """Return the test; refuse the options of others."""
        return self.of(self.test or default)


# ---- which search takes which options


class Search(Protocol):
    """A search with its options: it finds a graph that obeys what is known."""

    def __call__(self, data: Dataset, knowledge: Knowledge | None) -> Graph: ...


_OF_TESTS = frozenset(field.name for field in fields(GraphTest))
_OF_SCORES = frozenset(field.name for field in fields(GraphScore))
_OF_ALL = frozenset({"orient", "directions", "representative"})


class GraphMethod(NamedTuple):
    """A search of graphs: the options that it takes, and the function that checks them and returns the search."""

    takes: frozenset[str]
    with_options: Callable[[GraphSearch, GraphScore, GraphTest], Search]


# An option that was not typed is left out, so that the defaults are those of the functions.


def _best(search: GraphSearch, score: GraphScore, _: GraphTest) -> Search:
    options: dict[str, Any] = {"score": score.choose("aic")} if typed_in(score) else {}
    options |= {"directions": search.directions} if search.directions is not None else {}
    options |= {"seconds": search.seconds} if search.seconds is not None else {}
    return _by_keyword(
        partial(causal_graph, method="best", perturbations=search.perturbations, seed=search.seed, **options)
    )


def _pc(search: GraphSearch, _: GraphScore, test: GraphTest) -> Search:
    options: dict[str, Any] = {"test": test.choose("sci")} if typed_in(test) else {}
    if search.conflicts is not None:
        options["conflicts"] = search.conflicts
    if search.max_given is not None:
        options["max_given"] = parse_max_given(search.max_given)
    if search.max_pool is not None:
        options["max_pool"] = parse_max_pool(search.max_pool)
    if search.jobs is not None:
        options["n_jobs"] = search.jobs
    return _by_keyword(partial(pc, **options))


def _fges(search: GraphSearch, score: GraphScore, _: GraphTest) -> Search:
    options: dict[str, Any] = {"score": score.choose("bdeu")} if typed_in(score) else {}
    return _by_keyword(partial(fges, max_degree=search.max_degree, **options))


def _by_keyword(find: Callable[..., Graph]) -> Search:
    return lambda data, knowledge: find(data, knowledge=knowledge)


GRAPH_METHODS = {
    "best": GraphMethod(frozenset({"perturbations", "seconds", "seed"}) | _OF_SCORES, _best),
    "pc": GraphMethod(frozenset({"conflicts", "max_given", "max_pool", "jobs"}) | _OF_TESTS, _pc),
    "fges": GraphMethod(frozenset({"max_degree"}) | _OF_SCORES, _fges),
}


def search_with(method: str, search: GraphSearch, score: GraphScore, test: GraphTest) -> Search:
    """Return the search of this name with its options, and with the orientation after it.

    Parameters
    ----------
    method : str
        One of `climbfast.graphs.causal.METHODS`; "pc+climb" is pc, after which climb directs edges.

    Raises
    ------
    OptionError
        For an option that only other searches take, and for ``orient`` beside a method that names an orientation.
    """
    choice("method", method, METHODS)
    name, _, orientation = method.partition("+")
    if orientation and search.orient is not None:
        raise OptionError(
            Option("orient"),
            f" is not for the method {method}, which directs edges by {orientation}; use --method {name}",
        )
    choice("orient", search.orient or "none", ("none", *ORIENTATIONS))
    choice("directions", search.directions or "decided", DIRECTIONS)
    taken = {each: options.takes | _OF_ALL for each, options in GRAPH_METHODS.items()}
    taken[method] = taken[name]
    refuse_options_of_others(typed_in(search) | typed_in(score) | typed_in(test), "method", method, taken)
    find = GRAPH_METHODS[name].with_options(search, score, test)
    if search.representative is not None:
        find = partial(_find_represented, find, representative_in(search.representative))
    rule = orientation or search.orient or "none"
    if rule == "none":
        if search.directions is not None and name != "best":
            raise OptionError(
                Option("directions"), f" is for directions that a score chooses; {name} has none without --orient"
            )
        return find
    return partial(_find_and_orient, find, rule, search.directions or "decided")


def search_in_a_worker(method: str, search: GraphSearch, score: GraphScore, test: GraphTest) -> Search:
    """Return the search as ``search_with`` does, to run in a worker: it has no workers of its own."""
    return search_with(method, replace(search, jobs=1 if method.startswith("pc") else None), score, test)


def _find_represented(find: Search, representative: Any, data: Dataset, knowledge: Knowledge | None) -> Graph:
    return find(data.represented_by(representative), knowledge)


def _find_and_orient(find: Search, rule: Any, directions: Any, data: Dataset, knowledge: Knowledge | None) -> Graph:
    return orient(find(data, knowledge), data, rule, directions=directions, knowledge=knowledge)
