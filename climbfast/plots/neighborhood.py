"""The part of a graph that a picture shows: all of a small one, of others the neighborhood of named columns."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Sequence
from typing import NamedTuple, cast

from climbfast.errors import Option, OptionError
from climbfast.graphs.graph import Graph
from climbfast.names import excerpt, sorted_by_name
from climbfast.plots.picture import MOST_NODES

__all__ = ["Shown", "named_columns", "shown_of"]

MOST_WITH_ISOLATED = 20  # in a larger graph nodes without edges are only counted


class Shown(NamedTuple):
    """The names in a picture in their order, those that were named, and notes on what is left out."""

    names: tuple[Hashable, ...]
    named: frozenset[Hashable]
    notes: tuple[str, ...]


def named_columns(columns: Hashable | Iterable[Hashable] | None, names: Container[Hashable]) -> tuple[Hashable, ...]:
    """Return the columns that were named, each once; one of the names alone, and any text, is one column.

    Raises
    ------
    OptionError
        For more columns than a picture shows, and for what can be no name.
    """
    if columns is None:
        return ()
    if isinstance(columns, str) or not isinstance(columns, Iterable) or _is_among(columns, names):
        return (cast("Hashable", columns),)
    try:
        named = tuple(dict.fromkeys(columns))
    except TypeError:  # a list in a list
        raise OptionError(Option("columns"), f" is {excerpt(columns)}; it is a name or several names") from None
    if len(named) > MOST_NODES:
        raise OptionError(Option("columns"), f" has {len(named):,} names; a picture shows at most {MOST_NODES} columns")
    return named


def _is_among(columns: object, names: Container[Hashable]) -> bool:
    """Whether this is itself a name, as a tuple can be."""
    return isinstance(columns, tuple) and columns in names


def shown_of(graph: Graph, columns: Hashable | Iterable[Hashable] | None) -> Shown:
    """Return what a picture of the graph shows.

    Parameters
    ----------
    graph : Graph
    columns : name, iterable of names, or None
        The columns that are shown with their neighbors; None is the whole graph.

    Raises
    ------
    OptionError
        For a whole graph that is too large, and for too many columns.
    UnknownColumnError
        For a name that is no node.
    """
    named = tuple(graph.names[graph.index(name)] for name in named_columns(columns, graph.names))
    if named:
        return _neighborhood(graph, named)
    isolated = frozenset(graph.isolated)
    joined = [name for name in graph.names if name not in isolated]
    if len(joined) > MOST_NODES:
        raise OptionError(
            f"the graph has {len(joined):,} columns with edges, and a picture shows at most {MOST_NODES}; name those "
            "whose neighborhood is to be drawn with ",
            Option("columns"),
        )
    if not joined:
        shown = sorted_by_name(graph.names)[:MOST_NODES]
        return Shown(shown, frozenset(), _more(len(graph.names) - len(shown), "more column", "without edges"))
    if len(graph.names) <= MOST_WITH_ISOLATED:
        return Shown(sorted_by_name(graph.names), frozenset(), ())
    return Shown(sorted_by_name(joined), frozenset(), _more(len(isolated), "column", "without edges"))


def _neighborhood(graph: Graph, named: Sequence[Hashable]) -> Shown:
    """Return columns and their neighbors; if these are too many, the strongest."""
    strongest: dict[Hashable, float] = {}
    chosen = frozenset(named)
    for x, y in graph.edges:
        weight = _weight(graph, (x, y))
        for name, other in ((x, y), (y, x)):
            if name in chosen and other not in chosen:
                strongest[other] = max(weight, strongest.get(other, weight))
    ranked = sorted(sorted_by_name(strongest), key=lambda name: -strongest[name])
    kept = ranked[: MOST_NODES - len(chosen)]
    return Shown(sorted_by_name({*chosen, *kept}), chosen, _more(len(ranked) - len(kept), "neighbor", "not shown"))


def _weight(graph: Graph, edge: tuple[Hashable, Hashable]) -> float:
    if edge in graph.strengths:
        return graph.strengths[edge]
    return graph.frequencies[edge][0] if edge in graph.frequencies else 0.0


def _more(number: int, noun: str, what: str) -> tuple[str, ...]:
    return (f"and {number:,} {noun if number == 1 else f'{noun}s'} {what}",) if number else ()
