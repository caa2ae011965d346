"""Markov blankets that are read off the graph of ``causal_graph(method="best")``: the method "best" of blankets.

The graph is that of all columns where that takes seconds; for one target of wide data it is the graph of the columns
around it: its neighbors by GetPCD, theirs, and what depends on it most; with knowledge also the columns that have a
required edge with one of these. A run over many targets searches one graph.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import numpy as np

from climbfast._version import __version__
from climbfast.activity import show_activity
from climbfast.compiling import seconds_of_work
from climbfast.dataset import Dataset
from climbfast.errors import Option, OptionError
from climbfast.graphs.best import BestResult, find_best
from climbfast.graphs.class_directions import DECIDED_ODDS, with_decided
from climbfast.graphs.pdag import PDAG
from climbfast.independence.screen import ScreenResult, ScreenWorker, units_of_screen
from climbfast.independence.tester import Tester, as_tester
from climbfast.independence.tests import TestCounts, is_custom, options_of_test
from climbfast.interrupts import interruptible
from climbfast.knowledge import AllowedArcs, Knowledge
from climbfast.local.blanket import Blanket
from climbfast.local.find import name_blanket, searched_columns
from climbfast.local.methods import BEST
from climbfast.local.plan import DIRECTIONS, plan_neighbors
from climbfast.local.target_search import TargetResult, TargetSearch
from climbfast.local.unexplained import dependent_among, outside, unexplained_each
from climbfast.options import choice

__all__ = ["best_blanket", "best_blankets", "refuse_other_options"]

MOST_COLUMNS_OF_ONE_TARGET = 100  # up to which one target is read off the graph of all columns
MOST_AROUND = 80  # columns around a target
STRONGEST_AROUND = 10  # columns around a target because they depend on it most
FEWEST_TARGETS_OF_SCREEN = 1 / 8  # share of the columns from which one screen of all pairs is cheaper than sweeps


class _Graph(NamedTuple):
    """A graph that was searched.

    Attributes
    ----------
    found : BestResult
        By position in ``columns``.
    pdag : PDAG
        Its graph with the directions asked for.
    columns : tuple of int
        The columns of the graph, sorted.
    search : str
        What it was, for the results.
    seconds : float
    allowed : AllowedArcs or None
        The arcs that knowledge allows, by column number of the data.
    """

    found: BestResult
    pdag: PDAG
    columns: tuple[int, ...]
    search: str
    seconds: float
    allowed: AllowedArcs | None


def refuse_other_options(given: Mapping[str, object]) -> None:
    """Refuse options of searches around a target, which are given by name with None where they were left out."""
    for name, value in given.items():
        if value is not None:
            raise OptionError(
                "the method best does not take ",
                Option(name),
                "; it takes ",
                Option("directions"),
                ", ",
                Option("test"),
                ", ",
                Option("min_bits"),
                " and ",
                Option("representative"),
            )


@interruptible
def best_blanket(
    data: Dataset, target: Hashable, test: Any = "sci", *, directions: str = "decided",
    min_bits: float | str | None = None, known: Knowledge | None = None,
) -> Blanket:  # fmt: skip
    """Find the blanket of one column in a graph.

    Parameters
    ----------
    data : Dataset
    target : Hashable
        Name of a column.
    test : {"sci", "g2", "x2", "cmi"} or SCI or G2 or X2 or CMI
        By it the columns around a target are found, and the blanket is checked.
    directions, min_bits
        See ``markov_blanket``.
    known : Knowledge or None
        What is known beforehand, checked.
    """
    begun = seconds_of_work()
    _check(test, directions)
    target = data.canonical[data.index(target)]
    searched, names, chosen = searched_columns(data, test, known, [target])
    tester = as_tester(searched, chosen, min_bits=min_bits)
    assert isinstance(tester, Tester)  # a custom test was refused
    before = TestCounts.start(tester)
    column = names.column(target)
    if searched.columns <= MOST_COLUMNS_OF_ONE_TARGET:
        graph = _whole_graph(searched, directions, names.allowed)
    else:
        graph = _graph_around(searched, tester, column, directions, known, names.allowed)
    made = TestCounts.of(tester).since(before)
    how = _how(graph, tester, data, directions) | {"tests_by_size": made.by_size, "skipped": made.skipped}
    sets = {column: dependent_among(tester, column, _others(column, searched.columns, names.allowed))}
    found = _checked({column: _read_off(graph, column)}, sets, tester)[column]
    return name_blanket(names, target, found, {**how, "seconds": seconds_of_work() - begun})


def best_blankets(
    data: Dataset, targets: Sequence[Hashable], test: Any = "sci", *, directions: str = "decided",
    known: Knowledge | None = None, shown: bool = True, checked: bool = True,
) -> tuple[list[Blanket], dict[str, Any]]:  # fmt: skip
    """Find the blankets of many columns in the graph of all; return them, and how they were found.

    Parameters
    ----------
    data, test, directions, known
        See ``best_blanket``.
    targets : sequence of Hashable
        Names of columns.
    shown : bool
        Whether a line on standard error shows that the search lasts.
    checked : bool
        Whether to check what each blanket leaves unexplained.
    """
    _check(test, directions)
    searched, names, chosen = searched_columns(data, test, known, targets)
    tester = as_tester(searched, chosen)
    assert isinstance(tester, Tester)
    with show_activity("markov_blankets") if shown else nullcontext():
        graph = _whole_graph(searched, directions, names.allowed)
    begun = seconds_of_work()
    columns = [names.column(target) for target in targets]
    read = {x: _read_off(graph, x) for x in sorted(set(columns))}
    how = _how(graph, tester, data, directions)
    found = _checked(read, _dependent_of_each(tester, list(read), names.allowed), tester) if checked else read
    each = graph.seconds / len(targets)
    blankets = [
        name_blanket(names, target, found[x], {**how, "seconds": each})
        for target, x in zip(targets, columns, strict=True)
    ]
    seconds = {"graph": graph.seconds, "blankets": seconds_of_work() - begun}
    of_knowledge = {} if known is None else {"knowledge": known.to_dict()}
    return blankets, {**_how_of_run(graph, tester, data, directions), **of_knowledge, "seconds_by_pass": seconds}


def _check(test: object, directions: str) -> None:
    choice("directions", directions, DIRECTIONS)
    if is_custom(test):
        raise OptionError(Option("test"), " is a custom test; the method best needs a test by its name or options")


def _whole_graph(searched: Dataset, directions: str, allowed: AllowedArcs | None) -> _Graph:
    begun = seconds_of_work()
    found = find_best(searched, allowed=allowed)
    columns, search = tuple(range(searched.columns)), "graph of all columns"
    return _Graph(found, _directed(found, directions), columns, search, seconds_of_work() - begun, allowed)


def _graph_around(
    searched: Dataset,
    tester: Tester,
    target: int,
    directions: str,
    known: Knowledge | None,
    allowed: AllowedArcs | None,
) -> _Graph:
    """Return the graph of the columns around a target."""
    begun = seconds_of_work()
    columns = _columns_around(searched, tester, target, allowed)
    around = searched.restricted_to(columns)
    found = find_best(around, allowed=None if known is None else known.allowed_arcs(around.canonical))
    search = f"graph of {len(columns):,} columns around the target"
    return _Graph(found, _directed(found, directions), tuple(columns), search, seconds_of_work() - begun, allowed)


def _directed(found: BestResult, directions: str) -> PDAG:
    """Return the graph with the directions asked for."""
    chosen = found.directions
    return chosen.dag if directions == "all" else with_decided(found.cpdag, chosen, DECIDED_ODDS)


def _columns_around(searched: Dataset, tester: Tester, target: int, allowed: AllowedArcs | None) -> list[int]:
    """Return the target, its neighbors, their neighbors, and the columns that depend on it most; at most MOST_AROUND.

    The neighbors of a neighbor that depends on the target more strongly come first. With knowledge the columns with a
    required edge at the target come before all others, and those with one at a neighbor before its other neighbors.
    """
    plan = plan_neighbors("getpcd", max_given="default", symmetry=None)
    search = TargetSearch(tester, tester, searched.columns, plan, allowed=allowed)
    others = _others(target, searched.columns, allowed)
    strengths = np.asarray(tester.sweep(target, others, ())) if others else np.zeros(0)
    strongest = [others[i] for i in np.argsort(-strengths, kind="stable")[:STRONGEST_AROUND] if strengths[i] > 0]
    own = search.search_of(target)
    first = sorted(own.members, key=lambda x: (-own.strengths[x], x))
    required = _required_at(target, allowed)
    around = dict.fromkeys((target, *required, *first, *strongest))
    for x in dict.fromkeys((*required, *first)):
        of_x = search.search_of(x)
        members = sorted(of_x.members, key=lambda y: (-of_x.strengths[y], y))
        around |= dict.fromkeys((*_required_at(x, allowed), *members))
    return sorted(list(around)[: max(MOST_AROUND, 1 + len(required))])


def _others(target: int, columns: int, allowed: AllowedArcs | None) -> list[int]:
    """Return the columns that may be adjacent to a target."""
    if allowed is None:
        return [x for x in range(columns) if x != target]
    return np.flatnonzero(allowed.neighbors_of(target)).tolist()


def _required_at(x: int, allowed: AllowedArcs | None) -> Sequence[int]:
    return () if allowed is None else allowed.required_at(x)


def _read_off(graph: _Graph, target: int) -> TargetResult:
    """Return the blanket of a column, by column number of the data."""
    found, pdag, number = graph.found, graph.pdag, graph.columns
    place = bisect_left(number, target)
    spouses: dict[int, dict[int, float]] = {}
    for child in sorted(pdag.children[place]):
        for parent in sorted(pdag.parents[child] - pdag.adjacent[place] - {place}):
            spouses.setdefault(number[parent], {})[number[child]] = found.strengths[parent, child]
    strengths = {
        number[x]: found.strengths.get((x, place), found.strengths.get((place, x), 0.0)) for x in pdag.adjacent[place]
    }
    margins = {
        number[x]: found.directions.margins[arc]
        for x in sorted(pdag.parents[place] | pdag.children[place])
        for arc in ((x, place), (place, x))
        if arc in found.directions.margins
    }
    allowed = graph.allowed
    return TargetResult(
        parents=_numbers(number, pdag.parents[place]),
        children=_numbers(number, pdag.children[place]),
        undecided=_numbers(number, pdag.undirected[place]),
        spouses=dict(sorted(spouses.items())),
        strengths=dict(sorted(strengths.items())),
        margins=margins,
        known=() if allowed is None else tuple(x for x in sorted(strengths) if _is_known(allowed, x, target)),
        whole_blanket=True,
    )


def _is_known(allowed: AllowedArcs, x: int, y: int) -> bool:
    return allowed.directs(x, y) or allowed.directs(y, x)


def _numbers(number: Sequence[int], places: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(number[x] for x in places))


def _dependent_of_each(tester: Tester, targets: Sequence[int], allowed: AllowedArcs | None) -> dict[int, list[int]]:
    """Return for each target the columns that depend on it marginally, and may be adjacent to it."""
    columns = tester.data.columns
    if len(targets) < FEWEST_TARGETS_OF_SCREEN * columns:
        return {x: dependent_among(tester, x, _others(x, columns, allowed)) for x in targets}
    worker = ScreenWorker(Tester(tester.data, tester.test), allowed)  # the tests of the check are not counted
    parts = [worker.unit(unit) for unit in range(len(units_of_screen(tester.data, allowed)))]
    screened = ScreenResult.gather(parts, columns)
    return {x: screened.of(x)[0] for x in targets}


def _checked(
    found: Mapping[int, TargetResult], dependent: Mapping[int, Sequence[int]], tester: Tester
) -> dict[int, TargetResult]:
    """Return the blankets of targets with what they leave unexplained of the columns that depend on each."""
    sets = [outside(x, each.members, dependent[x]) for x, each in found.items()]
    checks = unexplained_each(tester, sets)
    return {x: replace(each, unexplained=check) for (x, each), check in zip(found.items(), checks, strict=True)}


def _how(graph: _Graph, tester: Tester, data: Dataset, directions: str) -> dict[str, Any]:
    """Return the fields of a result that say how it was found."""
    return {
        "method": BEST,
        "search": graph.search,
        "symmetry": "none",
        "max_given": None,
        "test": tester.test.name,
        "options": {"directions": directions, **options_of_test(tester)},
        "tests_by_size": (),
        "skipped": 0,
        "fewest_rows": min(graph.found.fewest_rows, tester.fewest_rows),
        "rows": data.rows,
        "columns": data.columns,
        "data": data,
    }


def _how_of_run(graph: _Graph, tester: Tester, data: Dataset, directions: str) -> dict[str, Any]:
    """Return how all blankets of a run were found, under the names that other runs have."""
    return {
        "method": BEST,
        "search": graph.search,
        "symmetry": "none",
        "max_given": None,
        "directed": True,
        "directions": directions,
        "test": tester.test.name,
        "test_options": asdict(tester.test),
        "data": data.fingerprint,
        "rows": data.rows,
        "columns": data.columns,
        "tests": 0,
        "skipped": 0,
        "version": __version__,
    }
