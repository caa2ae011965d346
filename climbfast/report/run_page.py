"""The page of a run over many targets: a table to search, the strongest edges, hubs, and a part for each target."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from climbfast._version import __version__
from climbfast.blankets.blankets import Blankets
from climbfast.dataset import Dataset
from climbfast.errors import OptionError
from climbfast.graphs.graph import Graph
from climbfast.local.blanket import Blanket
from climbfast.local.unexplained import FEWEST_ROWS
from climbfast.names import canonical_key
from climbfast.plots import MOST_NODES
from climbfast.report.labels import Labels, counted
from climbfast.report.page import rendered
from climbfast.report.pair_counts import pair_counts
from climbfast.report.pictures import picture_of
from climbfast.report.result_data import data_of
from climbfast.report.run_data import has_directions, run_data, shown_names
from climbfast.report.settings import DATA, NOT_ALL_SETS, facts_of, run_again, seconds_text
from climbfast.report.strengths import bits_text, strength_text, unit_of_strengths
from climbfast.report.treatment import treatment_facts

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["run_page"]

MOST_DRAWN = 120  # edges of the picture: of more nobody can follow one
MOST_EDGES = 30  # of the table of the strongest ones
MOST_HUBS = 20
MOST_UNEXPLAINED = 20
MOST_ALONE = 300

Edge = tuple[Hashable, Hashable]


class Named(NamedTuple):
    """A column as the page shows it, and the fragment of the address that opens its part; empty if it has none."""

    text: str
    fragment: str


class Names:
    """The names of columns as the page shows them.

    Parameters
    ----------
    texts : mapping of name to str
    targets : iterable of names
        Those that have a part of their own.
    """

    def __init__(self, texts: Mapping[Hashable, str], targets: Iterable[Hashable]) -> None:
        self._texts, self._targets = texts, frozenset(targets)

    def __call__(self, name: Hashable) -> Named:
        """Return a column as the page shows it."""
        text = self._texts[name]
        return Named(text, f"#target={quote(text, safe='')}" if name in self._targets else "")


class StrongEdge(NamedTuple):
    """One of the strongest edges."""

    x: Named
    mark: str
    y: Named
    strength: str


class Hub(NamedTuple):
    """A column with many neighbors."""

    column: Named
    neighbors: int
    parents: int
    children: int
    undecided: int
    spouses: int


class LeftOpen(NamedTuple):
    """A target, and the columns that its blanket does not explain, with their bits."""

    column: Named
    others: list[tuple[Named, str]]
    more: int


def run_page(
    blankets: Blankets,
    data: Dataset | Any = None,
    *,
    title: str | None = None,
    command: str | None = None,
    source: str = DATA,
) -> str:
    """Return the page of a run; the parameters are those of ``target_page``.

    Raises
    ------
    OptionError
        See ``Blankets.report``.
    """
    if not blankets:
        raise OptionError("there are no blankets to report")
    texts = shown_names(blankets)
    table = _table(blankets, texts, data)
    names = Names(texts, blankets)
    graph = _merged(blankets)
    part = _strongest_part(graph)
    first = _first(blankets)
    return rendered(
        "run.html.j2",
        version=first.version or __version__,
        heading=title or f"Markov blankets of {counted(len(blankets), 'column')}",
        run={**run_data(blankets, texts), **pair_counts(blankets, table, texts)},
        directed=has_directions(blankets),
        size=_size(blankets, graph),
        seconds=blankets.how.get("seconds"),
        unit=unit_of_strengths(first.test, first.method, first.options),
        replicates=first.options.get("bootstrap", {}).get("replicates"),
        picture=_picture(part),
        is_part=len(part.edges) < len(graph.edges),
        edges=_strongest_edges(graph, blankets, names),
        hubs=_hubs(blankets, names),
        alone=[names(target) for target, blanket in blankets.items() if not blanket.members],
        most_alone=MOST_ALONE,
        left_open=_left_open(blankets, names),
        number_left_open=sum(bool(blanket.unexplained) for blanket in blankets.values()),
        number_unchecked=sum(map(_is_unchecked, blankets.values())),
        treatment=None if table is None else treatment_facts(table, tuple(blankets), Labels(table.names)),
        facts=_facts(blankets),
        again=run_again(blankets, table, title=title, command=command, source=source),
    )


def _table(blankets: Blankets, names: Iterable[Hashable], data: Dataset | Any) -> Dataset | None:
    """Return the data that were searched; None if they are not known."""
    given = blankets.data if data is None else data
    return None if given is None else data_of(_first(blankets), names, given)


def _facts(blankets: Blankets) -> list[tuple[str, str]]:
    """Return how the blankets were found; of what each has of its own, the figures of the run."""
    how = blankets.how
    own = ("tests made", "tests skipped", NOT_ALL_SETS, "fewest rows of a test", "time of the search", "climbfast")
    facts = [fact for fact in facts_of(_first(blankets)) if fact[0] not in own]
    if tests := _tests(blankets):
        facts.append(("tests made", f"{tests:,}"))
    if skipped := how.get("skipped"):
        facts.append(("tests skipped", f"{skipped:,}"))
    if hubs := sum(bool(blanket.bounded) for blanket in blankets.values()):
        facts.append((NOT_ALL_SETS, f"neighbors of {counted(hubs, 'target')}"))
    if "seconds" in how:
        facts.append(("time of the run", seconds_text(how["seconds"])))
    if "workers" in how:
        facts.append(("workers", f"{how['workers']:,} ({how['backend']}: {how['why']})"))
    if "data" in how:
        facts.append(("fingerprint of the data", how["data"]))
    return [*facts, ("climbfast", _first(blankets).version)]


def _tests(blankets: Blankets) -> int:
    return int(blankets.how.get("tests", sum(blanket.tests for blanket in blankets.values())))


def _size(blankets: Blankets, graph: Graph) -> dict[str, int]:
    """Return the numbers of the run."""
    first = _first(blankets)
    pairs = {frozenset((target, x)) for target, blanket in blankets.items() for x in blanket.neighbors}
    return {
        "targets": len(blankets),
        "rows": first.rows,
        "columns": first.columns,
        "pairs": len(pairs),
        "edges": len(graph.edges),
        "tests": _tests(blankets),
        "empty": sum(not blanket.members for blanket in blankets.values()),
    }


def _first(blankets: Blankets) -> Blanket:
    return next(iter(blankets.values()))


def _merged(blankets: Blankets) -> Graph:
    """Return the graph of all blankets: of edges that both ends find, if all neighbors were targets."""
    everyone = all(x in blankets for blanket in blankets.values() for x in blanket.neighbors)
    merged = blankets.merge("and" if everyone else "or")
    tests = {blanket.test for blanket in blankets.values()}
    return replace(merged, test_or_score=tests.pop() if len(tests) == 1 else "")


def _by_strength(graph: Graph) -> list[Edge]:
    """Return the edges, the strongest first; of equals the first by name."""
    return sorted(graph.edges, key=lambda edge: (-graph.strengths.get(edge, 0.0), *map(canonical_key, edge)))


def _strongest_part(graph: Graph) -> Graph:
    """Return the graph of the columns that the strongest edges join, and of those next to them, for a picture.

    In wide data the strongest edges alone are so many separate pairs; half of the places are for what is next to them.
    """
    columns: set[Hashable] = set()
    edges = _by_strength(graph)
    for most, touching in ((MOST_NODES // 2, False), (MOST_NODES, True), (MOST_NODES, False)):
        for edge in edges:
            if len(columns.union(edge)) <= most and (not touching or not columns.isdisjoint(edge)):
                columns.update(edge)
    kept = set([edge for edge in edges if columns.issuperset(edge)][:MOST_DRAWN])
    joined = {name for edge in kept for name in edge}

    def of_kept(figures: Mapping[Any, Any]) -> dict[Any, Any]:
        return {edge: value for edge, value in figures.items() if edge in kept}

    return replace(
        graph,
        names=tuple(name for name in graph.names if name in joined),
        directed=tuple(edge for edge in graph.directed if edge in kept),
        undirected=tuple(edge for edge in graph.undirected if edge in kept),
        strengths=of_kept(graph.strengths),
        margins=of_kept(graph.margins),
        reasons=of_kept(graph.reasons),
        frequencies=of_kept(graph.frequencies),
        copies={},
    )


def _picture(part: Graph) -> Markup | None:
    """Return the picture of a graph; None without edges."""
    return picture_of(part) if part.names else None


def _strongest_edges(graph: Graph, blankets: Blankets, names: Names) -> list[StrongEdge]:
    first = _first(blankets)
    test = "sci" if first.method == "best" else first.test
    alpha = first.options.get("alpha", 0.01)
    directed = set(graph.directed)
    return [
        StrongEdge(
            names(edge[0]),
            "→" if edge in directed else "–",
            names(edge[1]),
            strength_text(test, graph.strengths[edge], alpha) if edge in graph.strengths else "",
        )
        for edge in _by_strength(graph)[:MOST_EDGES]
    ]


def _hubs(blankets: Blankets, names: Names) -> list[Hub]:
    """Return the targets with most neighbors, at least two."""
    most = sorted(blankets.values(), key=lambda blanket: (-len(blanket.neighbors), canonical_key(blanket.target)))
    return [
        Hub(
            names(blanket.target), len(blanket.neighbors), len(blanket.parents), len(blanket.children),
            len(blanket.undecided), len(blanket.spouses),
        )
        for blanket in most[:MOST_HUBS]
        if len(blanket.neighbors) > 1
    ]  # fmt: skip


def _is_unchecked(blanket: Blanket) -> bool:
    """Whether so many members leave too few rows to see what else the target depends on."""
    return not blanket.unexplained and 0 < blanket.rows_per_stratum < FEWEST_ROWS


def _left_open(blankets: Blankets, names: Names) -> list[LeftOpen]:
    """Return the targets of whose blankets most bits are left unexplained."""
    most = 5  # of the columns of one target
    found = [blanket for blanket in blankets.values() if blanket.unexplained]
    found.sort(key=lambda blanket: (-max(blanket.unexplained.values()), canonical_key(blanket.target)))
    return [
        LeftOpen(
            names(blanket.target),
            [(names(name), bits_text(bits)) for name, bits in list(blanket.unexplained.items())[:most]],
            max(0, len(blanket.unexplained) - most),
        )
        for blanket in found[:MOST_UNEXPLAINED]
    ]
