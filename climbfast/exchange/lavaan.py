"""Models of lavaan, an R package, as text: ``y ~ x + z`` for x -> y and z -> y."""

from __future__ import annotations

import re
from collections.abc import Iterator

from climbfast.errors import GraphError
from climbfast.graphs.edge_list import GraphBuilder, texts_of
from climbfast.graphs.graph import Graph
from climbfast.names import listing

__all__ = ["from_lavaan", "lavaan_text"]

_IDENTIFIER = re.compile(r"(?:[^\W\d_]|\.(?!\d))[\w.]*")  # of R; \w has the letters of all scripts
_WORD_OF_R = re.compile(
    "if|else|repeat|while|function|for|next|break|in|TRUE|FALSE|NULL|Inf|NaN|NA(_(integer|real|character|complex)_)?"
)
_OPERATOR = re.compile(r"=~|<~|~\*~|~~|~|\||:=|==|<|>")
_ARROW = re.compile(r"->|<-(?![\d.])")  # which would pass for constraints
_SKIPPED = ("~*~", "|", ":=", "==", "<", ">")  # scales, thresholds, parameters that are defined, and constraints
_ZERO = re.compile(r"[+-]?0*\.?0*")


def lavaan_text(graph: Graph) -> str:
    """Return a DAG as a model of lavaan: a line for each node with parents, and ``x ~~ x`` for each without edges.

    Raises
    ------
    GraphError
        For undirected edges, and for a name that lavaan cannot have.
    """
    if graph.undirected:
        raise GraphError(
            f"lavaan has no undirected edges, and the graph has {listing(graph.undirected, limit=3)}; direct them by "
            "the data with orient, or in any way with to_dag()"
        )
    texts = texts_of(graph)
    for text in texts.values():
        if not _IDENTIFIER.fullmatch(text) or _WORD_OF_R.fullmatch(text):
            raise GraphError(
                f"lavaan cannot have the name {text!r}: names have letters, digits, dots and underscores, and begin "
                "with a letter or a dot"
            )
    lines = []
    for name in graph.names:
        if parents := graph.parents_of(name):
            lines.append(f"{texts[name]} ~ {' + '.join(texts[parent] for parent in parents)}")
        elif not graph.neighbors_of(name):
            lines.append(f"{texts[name]} ~~ {texts[name]}")
    return "".join(f"{line}\n" for line in lines)


def from_lavaan(text: str) -> Graph:
    """Read a model of lavaan, see ``Graph.from_lavaan``."""
    found = GraphBuilder()
    formulas = list(_formulas(text))
    if not formulas:
        raise GraphError("it has no formulas of lavaan, such as y ~ x")
    for line, formula in formulas:
        place = f"line {line}"
        if _ARROW.search(formula):
            raise GraphError(
                f"{place}: {formula!r:.60} has an arrow, which lavaan does not have; write y ~ x for x -> y"
            )
        operator = _OPERATOR.search(formula)
        if operator is None:
            raise GraphError(f"{place}: {formula!r:.60} has no operator of lavaan, such as ~")
        left, right = formula[: operator.start()], formula[operator.end() :]
        if operator[0] not in _SKIPPED:
            _add(found, operator[0], _terms(left, place), _terms(right, place), place)
    return found.graph()


def _formulas(text: str) -> Iterator[tuple[int, str]]:
    """Yield each formula with its line; one goes on where a line ends with an operator, or the next begins with +."""
    kept, start = "", 1
    for number, written in enumerate(text.splitlines(), start=1):
        for part in re.split("[#!]", written)[0].split(";"):
            piece = part.strip()
            if not piece:
                continue
            if kept and (kept[-1] in "+~*" or piece[0] in "+*"):
                kept += f" {piece}"
                continue
            if kept:
                yield start, kept
            kept, start = piece, number
    if kept:
        yield start, kept


def _terms(side: str, place: str) -> list[tuple[str, bool]]:
    """Return the names on one side of a formula, each with whether its coefficient is fixed at zero."""
    terms = []
    for written in side.split("+"):
        *modifiers, name = (part.strip() for part in written.split("*"))
        if name in ("0", "1"):  # an intercept
            continue
        if ":" in name:
            raise GraphError(f"{place}: {name!r:.60} is an interaction, which a graph does not have")
        if not _IDENTIFIER.fullmatch(name):
            raise GraphError(f"{place}: {name!r:.60} is not a name of lavaan")
        is_zero = any(modifier and _ZERO.fullmatch(modifier) for modifier in modifiers)
        terms.append((name, is_zero))
    return terms


def _add(
    found: GraphBuilder, operator: str, left: list[tuple[str, bool]], right: list[tuple[str, bool]], place: str
) -> None:
    for name, _ in (*left, *right):
        found.node(name)
    for x, _ in left:
        for y, is_zero in right:
            if is_zero or (operator == "~~" and x == y):  # fixed at zero; a variance
                continue
            if operator == "~~":
                raise GraphError(
                    f"{place}: {x!r} ~~ {y!r} is {x!r} <-> {y!r}, which has two arrowheads; an edge has one"
                )
            source, target = (x, y) if operator == "=~" else (y, x)
            found.edge(source, target, "directed", place, {})
