"""V-structures of a skeleton, and the rules for those that conflict with each other.

An unshielded triple x - y - z, where x and z are not adjacent, is a v-structure x → y ← z if y is not in the set that
separates x and z. In samples two v-structures may direct an edge in opposite directions, or form a directed cycle.
Colombo and Maathuis (2014), JMLR 15, for the majority rule; Ramsey, Spirtes and Zhang (2006), "Adjacency-Faithfulness
and Conservative Causal Inference", UAI, for the conservative one; Kalisch et al. (2012), "Causal Inference Using
Graphical Models with the R Package pcalg", for the order in which later v-structures overwrite earlier ones.

With knowledge, the edges that it allows in one direction only come first, then the v-structures that do not contradict
them, then Meek's rules R1 to R4. Two columns whose edge is forbidden both ways were not tested, yet the unshielded
triples of which they are the ends have to be decided: sets that separate them are searched for this purpose alone. If
there is none, the triple is ambiguous.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from climbfast.graphs.meek import ALL_RULES, RULES, close_pdag
from climbfast.graphs.pc_skeleton import Skeleton
from climbfast.graphs.pdag import PDAG, Arc, Pair, pair
from climbfast.graphs.runner import SweepQuery, TestRunner, WeakestQuery
from climbfast.graphs.separating_votes import count_separating_sets
from climbfast.independence.nearest import BoundedPools
from climbfast.independence.tests import Separator
from climbfast.knowledge import AllowedArcs

__all__ = ["CONFLICTS", "Orientation", "orient_skeleton"]

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
    forbidden : dict of (int, int, int) to separating set
        The v-structures x → y ← z that contradict what is known, each once, with a set without y that separates x
        and z.
    """

    arcs: set[Arc]
    conflicting: set[Pair]
    ambiguous: set[Pair]
    forbidden: Mapping[Triple, Separator]


class Orientation(NamedTuple):
    """The directions of a skeleton.

    Attributes
    ----------
    pdag : PDAG
    known : set of (int, int)
        Those of its directed edges whose direction knowledge gives.
    colliders : set of (int, int)
        Those of the others that v-structures direct; Meek's rules direct the rest.
    contradicted : dict of tuple of int to float
        What contradicts knowledge, with its strength, see ``Graph.contradicted``.
    """

    pdag: PDAG
    known: set[Arc]
    colliders: set[Arc]
    contradicted: dict[tuple[int, ...], float]

    def reason(self, x: int, y: int) -> str:
        """Return why the directed edge x → y has its direction."""
        if (x, y) in self.known:
            return "known"
        return "collider" if (x, y) in self.colliders else "compelled"


def orient_skeleton(runner: TestRunner, skeleton: Skeleton, conflicts: str, max_given: int | None) -> Orientation:
    """Direct the edges of which the direction is known, those of v-structures, and those that follow by Meek's rules.

    Parameters
    ----------
    runner : TestRunner
        For the rules that make more tests; it has what knowledge allows as well.
    skeleton : Skeleton
        Edges with which the known directions form a cycle are left out of it.
    conflicts : str
        One of ``CONFLICTS``.
    max_given : int or None
        Largest conditioning set.

    Returns
    -------
    Orientation

    Notes
    -----
    The graph has no directed cycle: edges on a cycle of v-structures are conflicting as well. A conflicting edge stays
    undirected; Meek's rules, which would decide for one direction, are not applied to it. Nor are they applied because
    the two ends of an ambiguous triple are not adjacent.
    """
    size = len(skeleton.order)
    contradicted: dict[tuple[int, ...], float] = {}
    known = PDAG(size)
    if runner.allowed is not None:
        contradicted |= _refuted(skeleton, runner.allowed)
        known, left_out = _known(skeleton, runner.allowed)
        contradicted |= left_out
    found = CONFLICTS[conflicts](Evidence(runner, skeleton, max_given, known))
    arcs_known = set(known.arcs())
    circular = PDAG(size, found.arcs | arcs_known).arcs_on_cycles() - arcs_known
    conflicting = found.conflicting | {pair(*arc) for arc in circular}
    directed = (found.arcs | arcs_known) - circular
    pdag = PDAG(size, directed, skeleton.strengths.keys() - {pair(*arc) for arc in directed})
    _close(pdag, conflicting, found.ambiguous, RULES if runner.allowed is None else ALL_RULES)
    contradicted |= _strengths_of(runner, found.forbidden)
    return Orientation(pdag, arcs_known, directed - arcs_known, contradicted)


def _close(pdag: PDAG, conflicting: Iterable[Pair], ambiguous: Iterable[Pair], rules: Collection[int]) -> None:
    """Apply Meek's rules, but not to conflicting edges and not because of ambiguous triples."""
    for x, y in conflicting:  # they stay adjacent
        pdag.undirected[x].remove(y)
        pdag.undirected[y].remove(x)
    for x, z in ambiguous:  # no rule applies to a triple whose ends are adjacent
        pdag.adjacent[x].add(z)
        pdag.adjacent[z].add(x)
    close_pdag(pdag, rules)
    for x, z in ambiguous:
        pdag.adjacent[x].remove(z)
        pdag.adjacent[z].remove(x)
    for x, y in conflicting:
        pdag.undirected[x].add(y)
        pdag.undirected[y].add(x)


# ---- what is known


def _refuted(skeleton: Skeleton, allowed: AllowedArcs) -> dict[tuple[int, ...], float]:
    """Return the required edges that a test separates."""
    return {arc: skeleton.strengths[pair(*arc)] for arc in allowed.required if pair(*arc) in skeleton.refuted}


def _known(skeleton: Skeleton, allowed: AllowedArcs) -> tuple[PDAG, dict[tuple[int, ...], float]]:
    """Return the edges whose direction is known, and those left out, since they form a cycle: first the weakest."""
    both_ways = chain.from_iterable(((x, y), (y, x)) for x, y in skeleton.strengths)
    known = PDAG(len(skeleton.order), [arc for arc in both_ways if allowed.directs(*arc)])
    left_out: dict[tuple[int, ...], float] = {}
    while circular := known.arcs_on_cycles() - allowed.required:
        weakest = min(circular, key=lambda arc: (skeleton.strengths[pair(*arc)], arc))
        left_out[weakest] = skeleton.strengths[pair(*weakest)]
        known.remove(*weakest)
        skeleton.leave_out(*weakest)
    return known, left_out


def _strengths_of(runner: TestRunner, forbidden: Mapping[Triple, Separator]) -> dict[tuple[int, ...], float]:
    """Return how strongly the ends of each triple depend on each other given its middle as well; if they do."""
    queries = [SweepQuery(x, [z], sorted((*given, y))) for (x, y, z), given in forbidden.items()]
    found = {triple: float(strengths[0]) for triple, strengths in zip(forbidden, runner.run(queries), strict=True)}
    return {triple: strength for triple, strength in found.items() if strength > 0}


# ---- the rules


@dataclass(frozen=True)
class Evidence:
    """What the rules decide by.

    Attributes
    ----------
    runner : TestRunner
    skeleton : Skeleton
    max_given : int or None
        Largest conditioning set.
    known : PDAG
        The edges whose direction is known.
    """

    runner: TestRunner
    skeleton: Skeleton
    max_given: int | None
    known: PDAG

    def contradicts(self, x: int, y: int, z: int) -> bool:
        """Whether a v-structure x → y ← z has a direction that is not allowed, or closes a cycle with known ones."""
        if self.runner.allowed is None:
            return False
        return any(not self.runner.allowed.allows(end, y) or self.known.has_directed_path(y, end) for end in (x, z))


def _overwrite(evidence: Evidence) -> VStructures:
    """Later v-structures overwrite earlier ones, in pcalg's order."""
    triples, ambiguous = _by_separators(evidence, permutations=True)
    agreeing, forbidden = _agreeing(evidence, triples)
    towards: dict[Pair, int] = {}
    for x, y, z in agreeing:
        towards[pair(x, y)] = towards[pair(z, y)] = y
    return VStructures({(a + b - to, to) for (a, b), to in towards.items()}, set(), ambiguous, forbidden)


def _keep_first(evidence: Evidence) -> VStructures:
    """A v-structure that conflicts with an earlier one, or closes a directed cycle with them, is omitted."""
    triples, ambiguous = _by_separators(evidence)
    agreeing, forbidden = _agreeing(evidence, triples)
    kept = evidence.known.copy()
    for x, y, z in agreeing:
        if not any(kept.has_directed_path(y, end) for end in (x, z)):
            kept.add_arc(x, y)
            kept.add_arc(z, y)
    return VStructures(set(kept.arcs()), set(), ambiguous, forbidden)


def _undirected(evidence: Evidence) -> VStructures:
    """An edge that v-structures direct in both directions stays undirected."""
    return _without_conflicts(evidence, *_by_separators(evidence))


def _majority(evidence: Evidence) -> VStructures:
    """A v-structure if y is in fewer than half of the sets that separate x and z; ambiguous if in half, or no set."""
    return _by_votes(evidence, lambda votes, sets: 2 * votes < sets, lambda v, s: 2 * v == s)


def _conservative(evidence: Evidence) -> VStructures:
    """A v-structure if y is in none of the sets that separate x and z; ambiguous unless it is in none or in all."""
    return _by_votes(evidence, lambda votes, sets: votes == 0 < sets, lambda v, s: 0 < v < s or s == 0)


def _by_votes(
    evidence: Evidence, is_v_structure: Callable[[int, int], bool], is_ambiguous: Callable[[int, int], bool]
) -> VStructures:
    """Decide by how many sets separate x and z, and how many of these contain y."""
    triples = list(_triples(evidence.skeleton))
    pairs = {pair(x, z) for x, _, z in triples}
    votes = count_separating_sets(evidence.runner, evidence.skeleton, pairs, evidence.max_given)
    v_structures: dict[Triple, Separator] = {}
    ambiguous: set[Pair] = set()
    for x, y, z in triples:
        vote = votes.of(x, y, z)
        if is_v_structure(*vote):
            v_structures[x, y, z] = votes.smallest_without(x, z, y)
        if is_ambiguous(*vote):
            ambiguous.add(pair(x, z))
    return _without_conflicts(evidence, v_structures, ambiguous)


def _by_separators(evidence: Evidence, *, permutations: bool = False) -> tuple[dict[Triple, Separator], set[Pair]]:
    """Return the v-structures by one separating set for each triple, in order, and the ends of ambiguous triples."""
    triples = list(_triples(evidence.skeleton, permutations=permutations))
    separators = evidence.skeleton.separators
    if evidence.runner.allowed is not None:
        separators = separators | _separators_of_untested(evidence)
    v_structures = {
        (x, y, z): given for x, y, z in triples if (given := separators.get(pair(x, z))) is not None and y not in given
    }
    return v_structures, {pair(x, z) for x, _, z in triples if pair(x, z) not in separators}


def _agreeing(
    evidence: Evidence, v_structures: Mapping[Triple, Separator]
) -> tuple[list[Triple], dict[Triple, Separator]]:
    """Divide v-structures into those that agree with knowledge, and the others, each once."""
    if evidence.runner.allowed is None:
        return list(v_structures), {}
    agreeing: list[Triple] = []
    others: dict[Triple, Separator] = {}
    for (x, y, z), given in v_structures.items():
        if not evidence.contradicts(x, y, z):
            agreeing.append((x, y, z))
        elif (z, y, x) not in others:
            others[x, y, z] = given
    return agreeing, others


def _without_conflicts(
    evidence: Evidence, v_structures: Mapping[Triple, Separator], ambiguous: set[Pair]
) -> VStructures:
    """Direct the edges that all v-structures direct alike."""
    agreeing, forbidden = _agreeing(evidence, v_structures)
    arcs = {arc for x, y, z in agreeing for arc in ((x, y), (z, y))}
    both = {(x, y) for x, y in arcs if (y, x) in arcs}
    return VStructures(arcs - both, {pair(*arc) for arc in both}, ambiguous, forbidden)


CONFLICTS: Mapping[str, Callable[[Evidence], VStructures]] = {
    "majority": _majority,
    "conservative": _conservative,
    "overwrite": _overwrite,
    "keep-first": _keep_first,
    "undirected": _undirected,
}


# ---- the triples, and the sets that separate their ends


def _triples(skeleton: Skeleton, *, permutations: bool = False) -> Iterator[Triple]:
    """Yield the unshielded triples x - y - z: for y, then x, then z, in the order of the columns."""
    adjacent = [{*others} for others in skeleton.adjacent]
    for y in skeleton.order:
        others = skeleton.adjacent[y]
        for i, x in enumerate(others):
            near = adjacent[x]
            for z in chain(others[:i], others[i + 1 :]) if permutations else others[i + 1 :]:
                if z not in near:
                    yield x, y, z


def _untested(skeleton: Skeleton) -> list[Pair]:
    """Return the ends of the unshielded triples that were not tested, or that nothing separates."""
    return sorted({pair(x, z) for x, _, z in _triples(skeleton)} - skeleton.separators.keys())


def _separators_of_untested(evidence: Evidence) -> dict[Pair, Separator]:
    """Search one separating set for the ends of each untested triple, as the skeleton has one for all others."""
    runner, skeleton = evidence.runner, evidence.skeleton
    place = {x: i for i, x in enumerate(skeleton.order)}
    left = [tuple(sorted(ends, key=place.__getitem__)) for ends in _untested(skeleton)]
    pools = {x: skeleton.pool(x, runner.allowed) for ends in left for x in ends}
    bounded = BoundedPools(runner.test, pools, runner.max_pool)
    largest = max(map(len, pools.values()), default=0)
    found: dict[Pair, Separator] = {}
    for size in range(1 + (largest if evidence.max_given is None else min(evidence.max_given, largest))):
        # Sets of the column that comes first are tested before those of the other one; the empty set once.
        for first in (True, False) if size else (True,):
            ends_of = [ends if first else ends[::-1] for ends in left]
            partners: dict[int, list[int]] = {}
            for x, z in ends_of:
                partners.setdefault(x, []).append(z)
            queries = [
                WeakestQuery(x, among, pool, range(size, size + 1), [math.inf] * len(among))
                for x, others in partners.items()
                if len(pools[x]) >= size
                for among, pool in bounded.of(x, others, size)
            ]
            for query, (_, separators) in zip(queries, runner.run(queries), strict=True):
                for z, separator in zip(query.candidates, separators, strict=True):
                    if separator is not None:
                        found[pair(query.target, z)] = tuple(sorted(separator))
            left = [ends for ends in left if pair(*ends) not in found]
    return found
