"""Blankets of many targets as one graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from climbfast.errors import Option, OptionError
from climbfast.graphs.graph import Graph
from climbfast.local.blanket import Blanket
from climbfast.names import canonical_key

__all__ = ["Direction", "Rule", "merge"]

Rule = Literal["and", "or"]
Direction = Literal["agreement", "margin", "none"]
Pair = tuple[Hashable, Hashable]


@dataclass(frozen=True)
class _View:
    """What the blanket of one end says of an edge; `arc` is None where it does not tell parent from child."""

    arc: Pair | None
    margin: float | None
    strength: float | None


def merge(blankets: Mapping[Hashable, Blanket], rule: Rule, direction: Direction) -> Graph:
    """Join the neighbors of all targets, see ``Blankets.merge``."""
    for option, value, legal in (("rule", rule, get_args(Rule)), ("direction", direction, get_args(Direction))):
        if value not in legal:
            raise OptionError(Option(option), f" is {value!r}; it is one of {', '.join(legal)}")
    nodes = {*blankets, *(x for blanket in blankets.values() for x in blanket.neighbors)}
    names = tuple(sorted(nodes, key=canonical_key))
    directed: list[Pair] = []
    undirected: list[Pair] = []
    strengths: dict[Pair, float] = {}
    margins: dict[Pair, float] = {}
    for pair in _pairs(blankets, names):
        views = [view for end, other in (pair, pair[::-1]) if (view := _view(blankets.get(end), other))]
        if rule == "and" and len(views) < 2:
            continue
        arc, margin = _decided(views, direction)
        edge = arc or pair
        (directed if arc else undirected).append(edge)
        known = [view.strength for view in views if view.strength is not None]
        if known:
            strengths[edge] = min(known)
        if margin is not None:
            margins[edge] = margin
    return Graph(
        names=names, directed=tuple(directed), undirected=tuple(undirected), strengths=strengths, margins=margins
    )


def _pairs(blankets: Mapping[Hashable, Blanket], names: Iterable[Hashable]) -> Iterator[Pair]:
    """Yield every pair of which one is a neighbor of the other, in the order of the names, once."""
    place = {name: i for i, name in enumerate(names)}
    found = {tuple(sorted((place[x], place[y]))) for x, blanket in blankets.items() for y in blanket.neighbors}
    name = tuple(place)
    return ((name[x], name[y]) for x, y in sorted(found))


def _view(blanket: Blanket | None, other: Hashable) -> _View | None:
    """Return what a blanket says of the edge to another column; None if the two are no neighbors to it."""
    if blanket is None or other not in blanket.neighbors:
        return None
    arc = None
    if other in blanket.parents:
        arc = (other, blanket.target)
    elif other in blanket.children:
        arc = (blanket.target, other)
    return _View(arc, blanket.margins.get(other), blanket.strengths.get(other))


def _decided(views: list[_View], direction: Direction) -> tuple[Pair | None, float | None]:
    """Return the direction of an edge and the bits that decided it."""
    said = [view for view in views if view.arc is not None]
    agreed = len({view.arc for view in said}) == 1
    known = [view.margin for view in said if view.margin is not None]
    if direction == "none" or not said:
        return None, None
    if direction == "agreement":
        both = agreed and len(said) == 2
        return (said[0].arc, min(known, default=None)) if both else (None, None)
    surest = max(said, key=lambda view: view.margin or 0.0)
    others = [view.margin or 0.0 for view in said if view is not surest]
    tied = not agreed and (surest.margin or 0.0) in others
    return (None, None) if tied else (surest.arc, surest.margin)
