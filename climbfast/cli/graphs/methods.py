"""The searches that ``climbfast graph`` knows: which options each takes, and how it is made of them.

One more search is one more function and its line in `GRAPH_METHODS`; options that are new stand in
`climbfast.cli.graphs.options`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any, NamedTuple

from climbfast.cli.graphs.options import GraphScore, GraphSearch, GraphTest
from climbfast.cli.option_names import dashed
from climbfast.cli.options.groups import typed_in
from climbfast.cli.options.searching import most_given
from climbfast.dataset import Dataset
from climbfast.errors import OptionError
from climbfast.graphs.causal import causal_graph
from climbfast.graphs.fges import fges
from climbfast.graphs.graph import Graph
from climbfast.graphs.pc import pc

__all__ = ["GRAPH_METHODS", "GraphMethod", "ready_search"]

Find = Callable[[Dataset], Graph]

_OF_TESTS = frozenset(field.name for field in fields(GraphTest))
_OF_SCORES = frozenset(field.name for field in fields(GraphScore))
_OF_ALL = frozenset({"orient"})


class GraphMethod(NamedTuple):
    """A search of graphs: the options it takes, and the function that makes it of them and checks them."""

    takes: frozenset[str]
    made_of: Callable[[GraphSearch, GraphScore, GraphTest], Find]


def _pc(search: GraphSearch, _: GraphScore, test: GraphTest) -> Find:
    chosen = test.chosen("sci")
    limit: Any = most_given(search.max_given or "3")  # which pc checks
    jobs = 1 if search.jobs is None else search.jobs
    return partial(pc, test=chosen, conflicts=search.conflicts or "majority", max_given=limit, n_jobs=jobs)


def _fges(search: GraphSearch, score: GraphScore, _: GraphTest) -> Find:
    return partial(fges, score=score.chosen("bdeu"), max_degree=search.max_degree)


def _best(search: GraphSearch, score: GraphScore, _: GraphTest) -> Find:
    chosen = score.chosen("aic") if typed_in(score) else None
    return partial(causal_graph, score=chosen, perturbations=search.perturbations, seed=search.seed)


GRAPH_METHODS = {
    "pc": GraphMethod(frozenset({"conflicts", "max_given", "jobs"}) | _OF_TESTS, _pc),
    "fges": GraphMethod(frozenset({"max_degree"}) | _OF_SCORES, _fges),
    "best": GraphMethod(frozenset({"perturbations", "seed"}) | _OF_SCORES, _best),
}


def ready_search(method: str, search: GraphSearch, score: GraphScore, test: GraphTest) -> Find:
    """Return the search of this name with its options; those of others are refused, not ignored."""
    takes = GRAPH_METHODS[method].takes | _OF_ALL
    for option in typed_in(search) | typed_in(score) | typed_in(test):
        if option not in takes:
            raise OptionError(f"{dashed(option)} is no option of the method {method}")
    return GRAPH_METHODS[method].made_of(search, score, test)
