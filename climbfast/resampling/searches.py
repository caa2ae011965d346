"""What is searched in a replicate, by its name, and what can be counted of its result."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from climbfast.batch.lazy_blankets import LazyBlankets
from climbfast.batch.run import markov_blankets, without_checks
from climbfast.blankets.blankets import Blankets
from climbfast.blankets.find import markov_blanket
from climbfast.dataset import Dataset
from climbfast.errors import Legal, Option, OptionError
from climbfast.graphs.causal import METHODS, causal_graph
from climbfast.graphs.fges import fges
from climbfast.graphs.graph import as_graph
from climbfast.graphs.pc import pc
from climbfast.local.blanket import Blanket
from climbfast.resampling.option_values import function_name
from climbfast.resampling.records import Records, of_blankets, of_graph, of_run

__all__ = ["SEARCHES", "Search", "check_search", "name_in_journal", "name_of_search", "records_of", "search_named"]

Search = Callable[[Dataset, Mapping[str, Any]], Any]


def _blanket(data: Dataset, options: Mapping[str, Any]) -> Any:
    return markov_blanket(data, **options)


def _blankets(data: Dataset, options: Mapping[str, Any]) -> Any:
    with without_checks():
        return markov_blankets(data, **{"n_jobs": 1, "progress": False, **options})


def _pc(data: Dataset, options: Mapping[str, Any]) -> Any:
    return pc(data, **{"n_jobs": 1, **options})


def _fges(data: Dataset, options: Mapping[str, Any]) -> Any:
    return fges(data, **options)


def _causal_graph(method: Any) -> Search:
    workers: Any = {"n_jobs": 1} if method.startswith("pc") else {}

    def search(data: Dataset, options: Mapping[str, Any]) -> Any:
        return causal_graph(data, method, **workers, **options)

    return search


SEARCHES: Mapping[str, Search] = {
    "best": _causal_graph("best"),
    "blankets": _blankets,
    "blanket": _blanket,
    "pc": _pc,
    "fges": _fges,
    **{method: _causal_graph(method) for method in METHODS if "+" in method},
}


def search_named(search: str | Callable[..., Any]) -> Search:
    """Return the search of that name, or a function of the user's own as a search.

    Raises
    ------
    OptionError
        For anything else.
    """
    if callable(search):
        return lambda data, options: search(data, **options)
    if not isinstance(search, str) or search not in SEARCHES:
        raise OptionError(Option("search"), f" is {search!r}; it is one of ", Legal(tuple(SEARCHES)), ", or a function")
    return SEARCHES[search]


def check_search(search: str | Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Check the name of a search, and the options that the searches cannot check themselves.

    Raises
    ------
    OptionError
        For another search, a blanket without its target, and a method beside the search.
    """
    search_named(search)
    if search == "blanket" and "target" not in options:
        raise OptionError("the search blanket needs the column to search around: name it as ", Option("target"))
    if not callable(search) and search not in ("blanket", "blankets") and "method" in options:
        raise OptionError(f"the search {search} does not take ", Option("method"), "; name it as ", Option("search"))


def name_of_search(search: str | Callable[..., Any]) -> str:
    """Return the name that a result has."""
    return str(getattr(search, "__name__", type(search).__name__)) if callable(search) else search


def name_in_journal(search: str | Callable[..., Any]) -> str:
    """Return the name by which a journal recognizes a search; the code of a function is not compared.

    Raises
    ------
    OptionError
        For a function without a name of its own, such as a lambda.
    """
    if not callable(search):
        return search
    name = function_name(search)
    if name is None:
        raise OptionError(
            "a journal recognizes a function by its name, which this one has not; define it with def, or leave out ",
            Option("journal"),
        )
    return name


def records_of(result: Any, place: Mapping[Hashable, int]) -> Records:
    """Return what a replicate has found, a graph or blankets, as rows.

    Raises
    ------
    GraphError
        If it is neither, or has a node that is no column.
    """
    if isinstance(result, Blanket):
        result = Blankets([result])
    if isinstance(result, Blankets):
        found = result.by_target
        return of_run(found, place) if isinstance(found, LazyBlankets) else of_blankets(found.values(), place)
    return of_graph(as_graph(result), place)
