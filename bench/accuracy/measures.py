"""What is measured of an answer, as counts that can be added up over samples: right, found and true.

Of a graph:

- ``skeleton``: pairs that are adjacent.
- ``directed``: by the rule of the paper, an undirected edge counts once as found and never as right.
- ``compelled``, ``open``: true edges that the graph found joins, and that the class of the true graph directs, or
  leaves open; how many of them the graph directs right, directs wrong, or leaves undirected. No independence tells the
  direction of an open edge: what is right of them is the merit of a score, or luck.
- ``said``: what the graph says of its own directions, by ``Graph.reasons`` where it has them, or by its own class: of
  edges between columns that are truly adjacent how many are right, by reason.
- ``shd``, ``shd_class``: the structural Hamming distance to the true DAG, and between the two classes.

Of the blankets of all columns, read off a graph or found one by one: ``members`` (pairs of a target and a member),
``neighbors``, and ``roles`` (neighbors as parents or children; an undecided one counts as found and never as right).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import climbfast as cf
from climbfast.graphs.graph import Edge

__all__ = ["Counts", "blankets_of", "class_of", "measure"]

Counts = tuple[int, int, int]
"""Right, found, true."""
Role = tuple[object, str, object]


def measure(truth: cf.Graph, answer: Any) -> dict[str, Any]:
    """Return the figures of a Graph, or of what has a blanket for each column."""
    if isinstance(answer, cf.Graph):
        return {**_of_graph(truth, answer), **_of_blankets(truth, blankets_of(answer))}
    return _of_blankets(truth, {target: _by_role(answer[target]) for target in truth.names})


def _of_graph(truth: cf.Graph, found: cf.Graph) -> dict[str, Any]:
    comparison = cf.compare(truth, found)
    classes = cf.compare(truth.to_cpdag(), class_of(found))
    compelled, open_edges = _by_true_class(truth, found)
    return {
        "skeleton": _counts(comparison.skeleton),
        "directed": _counts(comparison.arrows_paper),
        "compelled": compelled,
        "open": open_edges,
        "said": _by_reason(truth, found),
        "shd": comparison.shd,
        "shd_class": classes.shd,
    }


def _counts(rates: Any) -> Counts:
    return rates.right, rates.found, rates.true


def class_of(found: cf.Graph) -> cf.Graph:
    """Return the CPDAG of a graph, or the graph itself if it belongs to no class, as one of PC may."""
    try:
        return found.to_cpdag()
    except cf.GraphError:
        return found


def _by_true_class(truth: cf.Graph, found: cf.Graph) -> tuple[dict[str, int], dict[str, int]]:
    """Return how many edges of the true class's directed and undirected pairs are right, wrong and undirected."""
    fates = {"compelled": Counter[str](), "open": Counter[str]()}
    compelled = {*truth.to_cpdag().directed}
    directed, undirected = {*found.directed}, {frozenset(edge) for edge in found.undirected}
    for edge in truth.directed:
        kind = fates["compelled" if edge in compelled else "open"]
        if edge in directed:
            kind["right"] += 1
        elif edge[::-1] in directed:
            kind["wrong"] += 1
        elif frozenset(edge) in undirected:
            kind["undirected"] += 1
    names = ("right", "wrong", "undirected")
    return {name: fates["compelled"][name] for name in names}, {name: fates["open"][name] for name in names}


def _by_reason(truth: cf.Graph, found: cf.Graph) -> dict[str, list[int]]:
    """Return for each reason how many directions are right, and how many there are on true adjacencies."""
    reasons: Mapping[Edge, str] = getattr(found, "reasons", None) or _reasons_of_class(found)
    right, known = {*truth.directed}, {frozenset(edge) for edge in truth.edges}
    said: dict[str, list[int]] = {}
    for edge in found.directed:
        if frozenset(edge) in known:
            of_reason = said.setdefault(reasons.get(edge, "unknown"), [0, 0])
            of_reason[0] += edge in right
            of_reason[1] += 1
    return said


def _reasons_of_class(found: cf.Graph) -> dict[Edge, str]:
    compelled = {*class_of(found).directed}
    return {edge: "compelled" if edge in compelled else "chosen" for edge in found.directed}


def blankets_of(graph: cf.Graph) -> dict[object, dict[str, set[object]]]:
    """Return the blankets of all columns, as a graph has them; spouses are other parents of children."""
    found: dict[object, dict[str, set[object]]] = {}
    for target in graph.names:
        parents, children = {*graph.parents_of(target)}, {*graph.children_of(target)}
        neighbors = {*graph.neighbors_of(target)}
        spouses = {x for child in children for x in graph.parents_of(child)} - neighbors - {target}
        undecided = neighbors - parents - children
        found[target] = {"parents": parents, "children": children, "undecided": undecided, "spouses": spouses}
    return found


def _by_role(blanket: Any) -> dict[str, set[object]]:
    return {role: {*getattr(blanket, role)} for role in ("parents", "children", "undecided", "spouses")}


def _of_blankets(truth: cf.Graph, found: Mapping[Any, Mapping[str, set[object]]]) -> dict[str, Any]:
    true = blankets_of(truth)
    return {
        "members": _agreement(_members(true), _members(found)),
        "neighbors": _agreement(_members(true, spouses=False), _members(found, spouses=False)),
        "roles": _agreement(_roles(true), _roles(found)),
    }


def _agreement(true: Iterable[object], found: Iterable[object]) -> Counts:
    true, found = {*true}, {*found}
    return len(true & found), len(found), len(true)


def _members(
    blankets: Mapping[Any, Mapping[str, set[object]]], *, spouses: bool = True
) -> Iterator[tuple[object, object]]:
    roles = ("parents", "children", "undecided", *(("spouses",) if spouses else ()))
    return ((target, x) for target, blanket in blankets.items() for role in roles for x in blanket[role])


def _roles(blankets: Mapping[Any, Mapping[str, set[object]]]) -> Iterator[Role]:
    roles = ("parents", "children", "undecided")
    return ((target, role, x) for target, blanket in blankets.items() for role in roles for x in blanket[role])
