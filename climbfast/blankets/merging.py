"""Merges the blankets of many targets into one graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
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
class _EdgeInBlanket:
    """An edge in the blanket of one of its ends; `arc` is None if the neighbor is undecided there."""

    arc: Pair | None
    margin: float | None
    strength: float | None


def merge(blankets: Mapping[Hashable, Blanket], rule: Rule, direction: Direction) -> Graph:
    """Merge the neighbors of all targets, see ``Blankets.merge``."""
    for option, value, legal in (("rule", rule, get_args(Rule)), ("direction", direction, get_args(Direction))):
        if value not in legal:
            raise OptionError(Option(option), f" is {value!r}; it is one of {', '.join(legal)}")
    copies = {name: others for blanket in blankets.values() for name, others in blanket.copies.items()}
    nodes = {*copies, *blankets, *(x for blanket in blankets.values() for x in blanket.neighbors)}
    names = tuple(sorted(nodes, key=canonical_key))
    directed: list[Pair] = []
    undirected: list[Pair] = []
    strengths: dict[Pair, float] = {}
    margins: dict[Pair, float] = {}
    searched = _without_copies(blankets, copies) if copies else blankets
    for pair in _pairs(searched, names):
        ends = [edge for end, other in (pair, pair[::-1]) if (edge := _edge_in(searched.get(end), other))]
        if rule == "and" and len(ends) < 2:
            continue
        arc, margin = _direct(ends, direction)
        edge_key = arc or pair
        (directed if arc else undirected).append(edge_key)
        known = [end.strength for end in ends if end.strength is not None]
        if known:
            strengths[edge_key] = min(known)
        if margin is not None:
            margins[edge_key] = margin
    return Graph(
        names=names,
        directed=tuple(directed),
        undirected=tuple(undirected),
        strengths=strengths,
        margins=margins,
        copies={name: tuple(x for x in others if x in nodes) for name, others in copies.items()},
        method="merge",
        options={"rule": rule, "direction": direction},
    )


def _without_copies(
    blankets: Mapping[Hashable, Blanket], copies: Mapping[Hashable, tuple[Hashable, ...]]
) -> dict[Hashable, Blanket]:
    """Return one blanket for each group of copies, in which one name stands for all of a group: a target, if any is."""

    def first(name: Hashable) -> Hashable:
        return min((name, *copies.get(name, ())), key=lambda x: (x not in blankets, canonical_key(x)))

    def by_first(figures: Mapping[Hashable, float]) -> dict[Hashable, float]:
        return {first(name): value for name, value in figures.items()}

    def renamed(blanket: Blanket) -> Blanket:
        return replace(
            blanket,
            parents=tuple(map(first, blanket.parents)),
            children=tuple(map(first, blanket.children)),
            undecided=tuple(map(first, blanket.undecided)),
            margins=by_first(blanket.margins),
            strengths=by_first(blanket.strengths),
        )

    return {target: renamed(blanket) for target, blanket in blankets.items() if first(target) == target}


def _pairs(blankets: Mapping[Hashable, Blanket], names: Iterable[Hashable]) -> Iterator[Pair]:
    """Return every pair of columns of which one is a neighbor of the other, once, in the order of the names."""
    place = {name: i for i, name in enumerate(names)}
    pairs = {tuple(sorted((place[x], place[y]))) for x, blanket in blankets.items() for y in blanket.neighbors}
    name = tuple(place)
    return ((name[x], name[y]) for x, y in sorted(pairs))


def _edge_in(blanket: Blanket | None, other: Hashable) -> _EdgeInBlanket | None:
    """Return the edge of a target and another column in the blanket of the target; None if it has none."""
    if blanket is None or other not in blanket.neighbors:
        return None
    arc = None
    if other in blanket.parents:
        arc = (other, blanket.target)
    elif other in blanket.children:
        arc = (blanket.target, other)
    return _EdgeInBlanket(arc, blanket.margins.get(other), blanket.strengths.get(other))


def _direct(ends: list[_EdgeInBlanket], direction: Direction) -> tuple[Pair | None, float | None]:
    """Return the arc of an edge and its margin; None for an undirected edge."""
    directed = [end for end in ends if end.arc is not None]
    agree = len({end.arc for end in directed}) == 1
    known = [end.margin for end in directed if end.margin is not None]
    if direction == "none" or not directed:
        return None, None
    if direction == "agreement":
        both = agree and len(directed) == 2
        return (directed[0].arc, min(known, default=None)) if both else (None, None)
    surest = max(directed, key=lambda end: end.margin or 0.0)
    others = [end.margin or 0.0 for end in directed if end is not surest]
    tied = not agree and (surest.margin or 0.0) in others
    return (None, None) if tied else (surest.arc, surest.margin)
