"""Merges the blankets of many targets into one graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from climbfast.graphs.class_directions import DECIDED_BITS, DECIDED_ODDS
from climbfast.graphs.graph import Graph, Reason
from climbfast.graphs.orient import DIRECTIONS, Directions
from climbfast.local.blanket import Blanket
from climbfast.local.methods import BEST
from climbfast.names import canonical_key
from climbfast.options import choice

__all__ = ["Direction", "Rule", "merge"]

Rule = Literal["and", "or"]
Direction = Literal["agreement", "margin", "none"]
Pair = tuple[Hashable, Hashable]


@dataclass(frozen=True)
class _EdgeInBlanket:
    """An edge in the blanket of one of its ends.

    `arc` is None if the neighbor is undecided there; `seen` is None if no collider evidence shows its side; `least` is
    the margin from which the direction is decided; `compelled` is whether all graphs of a class have it; `known` is
    whether it was known beforehand.
    """

    arc: Pair | None
    margin: float | None
    seen: float | None
    strength: float | None
    least: float = DECIDED_BITS
    compelled: bool = False
    known: bool = False

    @property
    def decided(self) -> bool:
        """Whether the direction is better than that of a coin."""
        return self.margin is None or self.margin >= self.least


class _Direction(NamedTuple):
    """The direction of an edge, its margin, and its reason, None where there is none; and whether it is decided."""

    arc: Pair | None = None
    margin: float | None = None
    reason: Reason | None = None
    decided: bool = True


def merge(
    blankets: Mapping[Hashable, Blanket], rule: Rule, direction: Direction, directions: Directions = "decided"
) -> Graph:
    """Merge the neighbors of all targets, see ``Blankets.merge``."""
    choice("rule", rule, get_args(Rule))
    choice("direction", direction, get_args(Direction))
    choice("directions", directions, DIRECTIONS)
    copies = {name: others for blanket in blankets.values() for name, others in blanket.copies.items()}
    nodes = {*copies, *blankets, *(x for blanket in blankets.values() for x in blanket.neighbors)}
    names = tuple(sorted(nodes, key=canonical_key))
    directed: list[Pair] = []
    undirected: list[Pair] = []
    strengths: dict[Pair, float] = {}
    margins: dict[Pair, float] = {}
    reasons: dict[Pair, Reason] = {}
    searched = _without_copies(blankets, copies) if copies else blankets
    for pair in _pairs(searched, names):
        ends = [edge for end, other in (pair, pair[::-1]) if (edge := _edge_in(searched.get(end), other))]
        if rule == "and" and len(ends) < 2:
            continue
        found = _direct(ends, direction)
        if directions == "decided" and not found.decided:
            found = _Direction()
        edge_key = found.arc or pair
        (directed if found.arc else undirected).append(edge_key)
        known = [end.strength for end in ends if end.strength is not None]
        if known:
            strengths[edge_key] = min(known)
        if found.margin is not None:
            margins[edge_key] = found.margin
        if found.reason is not None:
            reasons[edge_key] = found.reason
    return Graph(
        names=names,
        directed=tuple(directed),
        undirected=tuple(undirected),
        strengths=strengths,
        margins=margins,
        reasons=reasons,
        copies={name: tuple(x for x in others if x in nodes) for name, others in copies.items()},
        method="merge",
        options={"rule": rule, "direction": direction, "directions": directions},
        figures={"bounded_targets": hubs} if (hubs := sum(bool(of.bounded) for of in blankets.values())) else {},
        data=getattr(blankets, "data", None),
    )


def _without_copies(
    blankets: Mapping[Hashable, Blanket], copies: Mapping[Hashable, tuple[Hashable, ...]]
) -> dict[Hashable, Blanket]:
    """Return one blanket for each group of copies, in which one name stands for all of a group: a target, if any is."""

    def first(name: Hashable) -> Hashable:
        return min((name, *copies.get(name, ())), key=lambda x: (x not in blankets, canonical_key(x)))

    def by_first(figures: Mapping[Hashable, Any]) -> dict[Hashable, Any]:
        return {first(name): value for name, value in figures.items()}

    def renamed(blanket: Blanket) -> Blanket:
        evidence: dict[str, Any] = {"evidence": by_first(_evidence_in(blanket))} if _evidence_in(blanket) else {}
        return replace(
            blanket,
            parents=tuple(map(first, blanket.parents)),
            children=tuple(map(first, blanket.children)),
            undecided=tuple(map(first, blanket.undecided)),
            margins=by_first(blanket.margins),
            strengths=by_first(blanket.strengths),
            known=tuple(map(first, blanket.known)),
            **evidence,
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
    evidence = _evidence_in(blanket).get(other)
    seen = None if evidence is None else evidence.bits
    margin = blanket.margins.get(other)
    best = blanket.method == BEST
    known = other in getattr(blanket, "known", ())
    compelled = best and arc is not None and margin is None and seen is None and not known
    least = _least_of_best(blanket) if best else DECIDED_BITS
    return _EdgeInBlanket(arc, margin, seen, blanket.strengths.get(other), least, compelled, known)


def _least_of_best(blanket: Blanket) -> float:
    """Return the margin from which a direction of "best" is decided; of decided ones all that are left are."""
    return 0.0 if blanket.options.get("directions") == "decided" else DECIDED_ODDS


def _evidence_in(blanket: Blanket) -> Mapping[Hashable, Any]:
    """Return the collider evidence for the sides of the neighbors."""
    found: Mapping[Hashable, Any] = getattr(blanket, "evidence", {})
    return found


def _direct(ends: list[_EdgeInBlanket], direction: Direction) -> _Direction:
    """Return the direction of an edge; that of an undirected one is empty."""
    directed = [end for end in ends if end.arc is not None]
    known = {end.arc for end in directed if end.known}
    if len(known) == 1:
        return _Direction(known.pop(), None, "known")
    if direction == "none" or not directed:
        return _Direction()
    agree = len({end.arc for end in directed}) == 1
    if direction == "agreement":
        if not agree or len(directed) < 2:
            return _Direction()
        return _with_reason(directed)
    ranks = sorted(map(_sureness, directed))
    if not agree and ranks[0] == ranks[-1]:
        return _Direction()
    surest = max(directed, key=_sureness)
    return _with_reason([surest])


def _sureness(end: _EdgeInBlanket) -> tuple[int, float]:
    """Return what is larger for the end that decides: seen is surer than compelled, and that than weighed."""
    if end.seen is not None:
        return 2, end.seen
    return (1, 0.0) if end.compelled else (0, end.margin or 0.0)


def _with_reason(ends: list[_EdgeInBlanket]) -> _Direction:
    """Return the direction that these ends agree on, with the smallest margin if it was only weighed."""
    if any(end.seen is not None for end in ends):
        return _Direction(ends[0].arc, None, "collider")
    if any(end.compelled for end in ends):
        return _Direction(ends[0].arc, None, "compelled")
    margin = min([end.margin for end in ends if end.margin is not None], default=None)
    decided = all(end.decided for end in ends)
    return _Direction(ends[0].arc, margin, None if margin is None else "chosen", decided)
