"""V-structures of a skeleton, and the rules for those that conflict with each other.

An unshielded triple x - y - z, where x and z are not adjacent, is a v-structure x → y ← z if y is not in the set that
separates x and z. In samples two v-structures may direct an edge in opposite directions, or form a directed cycle.
Colombo and Maathuis (2014), JMLR 15, for the majority rule; Ramsey, Spirtes and Zhang (2006), "Adjacency-Faithfulness
and Conservative Causal Inference", UAI, for the conservative one; Kalisch et al. (2012), "Causal Inference Using
Graphical Models with the R Package pcalg", for the order in which later v-structures overwrite earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import NamedTuple

from climbfast.graphs.meek import close_pdag
from climbfast.graphs.pc_skeleton import Skeleton
from climbfast.graphs.pdag import PDAG, Arc, Pair, pair
from climbfast.graphs.runner import SweepQuery, TestRunner

__all__ = ["CONFLICTS", "orient_skeleton"]

Triple = tuple[int, int, int]


class VStructures(NamedTuple):
    """The v-structures of a skeleton.

    Attributes
    ----------
    arcs : set of (int, int)
        Edges that v-structures direct.
    conflicting : set of pair
        Edges that they direct in opposite directions, which stay undirected.
    ambiguous : set of pair
        Ends of the unshielded triples that may or may not be a v-structure.
    """

    arcs: set[Arc]
    conflicting: set[Pair]
    ambiguous: set[Pair]


def orient_skeleton(
    runner: TestRunner, skeleton: Skeleton, conflicts: str, max_given: int | None
) -> tuple[PDAG, set[Arc]]:
    """Direct the edges of v-structures, and those that follow by Meek's rules.

    Parameters
    ----------
    runner : TestRunner
        For the rules that make more tests.
    skeleton : Skeleton
    conflicts : str
        One of ``CONFLICTS``.
    max_given : int or None
        Largest conditioning set.

    Returns
    -------
    PDAG
        The graph.
    set of (int, int)
        Those of its directed edges that v-structures direct; Meek's rules direct the others.

    Notes
    -----
    The graph has no directed cycle: edges on a cycle of v-structures are conflicting as well. A conflicting edge stays
    undirected; Meek's rules, which would decide for one direction, are not applied to it. Nor are they applied because
    the two ends of an ambiguous triple are not adjacent.
    """
    found = CONFLICTS[conflicts](runner, skeleton, max_given)
    circular = PDAG(len(skeleton.order), found.arcs).arcs_on_cycles()
    conflicting = found.conflicting | {pair(*arc) for arc in circular}
    arcs = found.arcs - circular
    pdag = PDAG(len(skeleton.order), arcs, skeleton.strengths.keys() - {pair(*arc) for arc in arcs})
    _close(pdag, conflicting, found.ambiguous)
    return pdag, arcs


def _close(pdag: PDAG, conflicting: Iterable[Pair], ambiguous: Iterable[Pair]) -> None:
    """Apply Meek's rules, but not to conflicting edges and not because of ambiguous triples."""
    for x, y in conflicting:  # they stay adjacent
        pdag.undirected[x].remove(y)
        pdag.undirected[y].remove(x)
    for x, z in ambiguous:  # no rule applies to a triple whose ends are adjacent
        pdag.adjacent[x].add(z)
        pdag.adjacent[z].add(x)
    close_pdag(pdag)
    for x, z in ambiguous:
        pdag.adjacent[x].remove(z)
        pdag.adjacent[z].remove(x)
    for x, y in conflicting:
        pdag.undirected[x].add(y)
        pdag.undirected[y].add(x)


# ---- the rules


def _overwrite(_runner: TestRunner, skeleton: Skeleton, _max_given: int | None) -> VStructures:
    """Later v-structures overwrite earlier ones, in pcalg's order."""
    towards: dict[Pair, int] = {}
    for x, y, z in _triples(skeleton, permutations=True):
        if y not in skeleton.separators[pair(x, z)]:
            towards[pair(x, y)] = towards[pair(z, y)] = y
    return VStructures({(a + b - to, to) for (a, b), to in towards.items()}, set(), set())


def _keep_first(_runner: TestRunner, skeleton: Skeleton, _max_given: int | None) -> VStructures:
    """A v-structure that conflicts with an earlier one, or closes a directed cycle with them, is omitted."""
    kept = PDAG(len(skeleton.order))
    for x, y, z in _triples(skeleton):
        if y in skeleton.separators[pair(x, z)]:
            continue
        if not any(kept.has_directed_path(y, end) for end in (x, z)):
            kept.add_arc(x, y)
            kept.add_arc(z, y)
    return VStructures(set(kept.arcs()), set(), set())


def _undirected(_runner: TestRunner, skeleton: Skeleton, _max_given: int | None) -> VStructures:
    """An edge that v-structures direct in both directions stays undirected."""
    return _without_conflicts((x, y, z) for x, y, z in _triples(skeleton) if y not in skeleton.separators[pair(x, z)])


def _majority(runner: TestRunner, skeleton: Skeleton, max_given: int | None) -> VStructures:
    """A v-structure if y is in fewer than half of the sets that separate x and z; ambiguous if in half, or no set."""
    return _by_votes(runner, skeleton, max_given, lambda votes, sets: 2 * votes < sets, lambda v, s: 2 * v == s)


def _conservative(runner: TestRunner, skeleton: Skeleton, max_given: int | None) -> VStructures:
    """A v-structure if y is in none of the sets that separate x and z; ambiguous unless it is in none or in all."""
    return _by_votes(
        runner, skeleton, max_given, lambda votes, sets: votes == 0 < sets, lambda v, s: 0 < v < s or s == 0
    )


def _by_votes(
    runner: TestRunner,
    skeleton: Skeleton,
    max_given: int | None,
    is_v_structure: Callable[[int, int], bool],
    is_ambiguous: Callable[[int, int], bool],
) -> VStructures:
    """Decide by how many sets separate x and z, and how many of these contain y."""
    sets = _separating_sets(runner, skeleton, max_given)
    votes = {
        (x, y, z): (sum(y in given for given in sets[pair(x, z)]), len(sets[pair(x, z)]))
        for x, y, z in _triples(skeleton)
    }
    found = _without_conflicts(triple for triple, vote in votes.items() if is_v_structure(*vote))
    return found._replace(ambiguous={pair(x, z) for (x, _, z), vote in votes.items() if is_ambiguous(*vote)})


def _without_conflicts(v_structures: Iterable[Triple]) -> VStructures:
    """Direct the edges that all v-structures direct alike."""
    arcs = {arc for x, y, z in v_structures for arc in ((x, y), (z, y))}
    both = {(x, y) for x, y in arcs if (y, x) in arcs}
    return VStructures(arcs - both, {pair(*arc) for arc in both}, set())


CONFLICTS: Mapping[str, Callable[[TestRunner, Skeleton, int | None], VStructures]] = {
    "majority": _majority,
    "conservative": _conservative,
    "overwrite": _overwrite,
    "keep-first": _keep_first,
    "undirected": _undirected,
}


# ---- the triples, and the sets that separate their ends


def _triples(skeleton: Skeleton, *, permutations: bool = False) -> Iterator[Triple]:
    """Yield the unshielded triples x - y - z: for y, then x, then z, in the order of the columns."""
    for y in skeleton.order:
        others = skeleton.adjacent[y]
        for i, x in enumerate(others):
            for z in chain(others[:i], others[i + 1 :]) if permutations else others[i + 1 :]:
                if pair(x, z) in skeleton.separators:
                    yield x, y, z


def _separating_sets(runner: TestRunner, skeleton: Skeleton, max_given: int | None) -> dict[Pair, set[frozenset[int]]]:
    """Return for the ends of every unshielded triple all sets of neighbors of either end that separate them."""
    found: dict[Pair, set[frozenset[int]]] = {pair(x, z): set() for x, _, z in _triples(skeleton)}
    partners: dict[int, list[int]] = {x: [] for x in skeleton.order}
    for x, z in sorted(found):
        partners[x].append(z)
        partners[z].append(x)
        if skeleton.separators[x, z] == ():
            found[x, z].add(frozenset())
    near = [frozenset(others) for others in skeleton.adjacent]
    queries: list[SweepQuery] = []
    for x in skeleton.order:
        for given in _subsets(skeleton.adjacent[x] if partners[x] else [], max_given):
            # A set of neighbors of both ends is tested once.
            candidates = [z for z in partners[x] if z > x or not near[z].issuperset(given)]
            if candidates:
                queries.append(SweepQuery(x, candidates, given))
    for query, strengths in zip(queries, runner.run(queries), strict=True):
        for z, strength in zip(query.candidates, strengths.tolist(), strict=True):
            if strength <= 0:
                found[pair(query.target, z)].add(frozenset(query.given))
    return found


def _subsets(columns: list[int], max_given: int | None) -> Iterator[tuple[int, ...]]:
    """Yield the non-empty subsets, the small ones first."""
    largest = len(columns) if max_given is None else min(len(columns), max_given)
    return chain.from_iterable(combinations(columns, size) for size in range(1, largest + 1))
