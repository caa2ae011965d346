"""The marks at the two ends of an edge, as other programs write them.

A graph has directed edges, with a tail and an arrow, and undirected ones, with two tails. Ancestral graphs also have
circles and edges with two arrows. An edge with these is refused: it is none of the two.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from climbfast.errors import GraphError

__all__ = ["CODES", "DRAWN", "EdgeType", "Marks", "drawn_marks", "edge_type", "mark_of", "marks_at", "marks_in"]


class Marks(NamedTuple):
    """The marks at the ends of an edge: "tail", "arrow", or what else the file says."""

    source: str
    target: str


class EdgeType(NamedTuple):
    """An edge as a graph has it; ``kind`` is directed or undirected."""

    source: Hashable
    target: Hashable
    kind: str


_SIGNS = {"": "tail", "-": "tail", "<": "arrow", ">": "arrow", "o": "circle", "@": "circle"}
_ARROW = re.compile(r"([<o@*x]?)-{1,3}([>o@*x]?)")
_WORDS = {
    "directed": Marks("tail", "arrow"),
    "undirected": Marks("tail", "tail"),
    "bidirected": Marks("arrow", "arrow"),
    "nondirected": Marks("circle", "circle"),
    "partially directed": Marks("circle", "arrow"),
    "partially undirected": Marks("circle", "tail"),
}
_TWO_WORDS = re.compile(r"(tail|arrow|circle)[\s,;:/_-]+(?:to[\s_-]+)?(tail|arrow|circle)")
_TYPES = ("type", "edge_type", "edgetype", "edge type", "interaction")  # their values can also mean something else
CODES = {1: "tail", 2: "arrow", 3: "circle"}  # of andrey, in pairs of numbers
_PAIRS = (("endpoint1", "endpoint2"), ("source_mark", "target_mark"))
DRAWN = ("dir", "arrowhead", "arrowtail")
_ONLY_MARKS = re.compile(r"endpoint.*|(edge_?|source_?|target_?)?marks?")

_ARROW_MODE = "arrow.mode"  # of igraph
_OF_ARROW_MODES = {
    **dict.fromkeys(("0", "-"), Marks("tail", "tail")),
    **dict.fromkeys(("1", "<", "<-"), Marks("arrow", "tail")),
    **dict.fromkeys(("2", ">", "->"), Marks("tail", "arrow")),
    **dict.fromkeys(("3", "<>", "<->"), Marks("arrow", "arrow")),
}

_SHAPES = {"none": "tail"} | {
    side + shape: "arrow"
    for shape in ("normal", "vee", "empty", "open", "halfopen")
    for side in ("", "l", "r", "o", "ol", "or")
}
_DIRECTIONS = {"forward": (False, True), "back": (True, False), "both": (True, True), "none": (False, False)}


def edge_type(source: Hashable, target: Hashable, marks: Marks, place: str) -> EdgeType:
    """Return the edge that two marks make.

    Raises
    ------
    GraphError
        For other marks than those of a directed or an undirected edge.
    """
    if marks == ("tail", "tail"):
        return EdgeType(source, target, "undirected")
    if marks == ("tail", "arrow"):
        return EdgeType(source, target, "directed")
    if marks == ("arrow", "tail"):
        return EdgeType(target, source, "directed")
    if marks == ("arrow", "arrow"):
        raise GraphError(f"{place}: {source!r} <-> {target!r} has two arrowheads; an edge has one or none")
    raise GraphError(
        f"{place}: the edge from {source!r} to {target!r} has the marks {marks.source!r:.60} and {marks.target!r:.60}; "
        "an edge has a tail and an arrow, or two tails"
    )


def marks_in(attributes: Mapping[str, Any], place: str) -> Marks | None:
    """Return the marks that the attributes of an edge state; None if they state none.

    Raises
    ------
    GraphError
        For an attribute with marks that is not understood, and for two that differ.
    """
    given = {str(key).strip().lower(): value for key, value in attributes.items() if value is not None}
    lower = {key: text for key, value in given.items() if (text := str(value))}
    stated: dict[str, Marks] = {}
    for key, text in lower.items():
        marks = _marks_of(text) if key in _TYPES or _ONLY_MARKS.fullmatch(key) else None
        if marks is None and _ONLY_MARKS.fullmatch(key):
            marks = _coded_marks(given[key])
        if marks is not None:
            stated[key] = marks
    for pair in _PAIRS:
        if all(key in lower for key in pair):
            stated[pair[0]] = stated[pair[1]] = Marks(*(mark_of(lower[key]) for key in pair))
    if mode := _OF_ARROW_MODES.get(lower.get(_ARROW_MODE, "").removesuffix(".0")):
        stated[_ARROW_MODE] = mode
    for key in lower:
        if _ONLY_MARKS.fullmatch(key) and key not in stated:
            raise GraphError(f"{place}: {key!r:.60} is {lower[key]!r:.60}, which is not understood; write -> or --")
    if any(key in lower for key in DRAWN):
        stated["dir"] = drawn_marks(lower, "forward", place)
    if len(set(stated.values())) > 1:
        texts = " and ".join(f"{key!r:.60}: {lower.get(key, '')!r:.60}" for key in stated)
        raise GraphError(f"{place}: {texts} are the marks of different edges")
    return next(iter(stated.values()), None)


def _marks_of(text: str) -> Marks | None:
    plain = text.strip().lower()
    if plain in _WORDS:
        return _WORDS[plain]
    if found := _ARROW.fullmatch(plain):
        return Marks(*(_SIGNS.get(sign, sign) for sign in found.groups()))
    if found := _TWO_WORDS.fullmatch(plain):
        return Marks(found[1], found[2])
    return None


def _coded_marks(value: Any) -> Marks | None:
    """Return the marks that a pair of numbers stands for; None for anything else."""
    if (
        isinstance(value, (tuple, list))
        and len(value) == 2
        and all(type(code) is int and code in CODES for code in value)
    ):
        return Marks(CODES[value[0]], CODES[value[1]])
    return None


def marks_at(attributes: Mapping[str, Any], source: Hashable, target: Hashable, place: str) -> Marks | None:
    """Return the marks of a mapping from the two nodes to signs, as edges of pgmpy have it; None without one.

    Raises
    ------
    GraphError
        For a mapping that lacks one of the nodes.
    """
    by_node = attributes.get("marks")
    if not isinstance(by_node, Mapping):
        return None
    if not {source, target} <= by_node.keys():
        raise GraphError(f"{place}: 'marks' has no mark at one of the nodes")
    return Marks(mark_of(str(by_node[source])), mark_of(str(by_node[target])))


def mark_of(text: str) -> str:
    """Return "tail", "arrow" or "circle" for a sign or a word; another text as it is."""
    plain = text.strip().lower()
    return _SIGNS.get(plain, plain)


def drawn_marks(attributes: Mapping[str, str], direction: str, place: str) -> Marks:
    """Return the marks that Graphviz draws by ``dir``, ``arrowhead`` and ``arrowtail``.

    Parameters
    ----------
    attributes : mapping
        Of the edge.
    direction : str
        What ``dir`` is if the attributes have none.
    place : str
        Of the edge, for messages.

    Raises
    ------
    GraphError
        For another ``dir`` than those of Graphviz, and for an edge that is not drawn.
    """
    chosen = attributes.get("dir") or direction
    if chosen not in _DIRECTIONS:
        raise GraphError(f"{place}: dir is {chosen!r:.60}; it is one of {', '.join(_DIRECTIONS)}")
    if "invis" in attributes.get("style", ""):
        raise GraphError(f"{place}: the edge is invisible (style={attributes['style']!r:.60}); leave it out")
    shapes = (attributes.get("arrowtail") or "normal", attributes.get("arrowhead") or "normal")
    marks = [
        # A mark that is neither tail nor arrow was meant, also where Graphviz draws none.
        mark if is_drawn or mark not in ("tail", "arrow") else "tail"
        for mark, is_drawn in zip((_SHAPES.get(shape, shape) for shape in shapes), _DIRECTIONS[chosen], strict=True)
    ]
    return Marks(*marks)
