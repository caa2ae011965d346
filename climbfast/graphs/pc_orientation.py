"""V-structures of a skeleton, and the rules for those that contradict each other.

Columns x - y - z with x and z apart are a collider x → y ← z when y did not separate x and z. In samples two colliders
may want an edge in opposite directions, or close a directed cycle. Colombo and Maathuis (2014), JMLR 15, for the
majority rule; Ramsey, Spirtes and Zhang (2006), "Adjacency-Faithfulness and Conservative Causal Inference", UAI, for
the conservative one; Kalisch et al. (2012), "Causal Inference Using Graphical Models with the R Package pcalg", for
the order in which later ones overwrite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import NamedTuple

from climbfast.graphs.meek import close_pdag
from climbfast.graphs.pc_skeleton import Skeleton
from climbfast.graphs.pdag import PDAG, Arc, Pair, pair
from climbfast.graphs.runner import Sweep, TestRunner

__all__ = ["CONFLICTS", "direct"]

Triple = tuple[int, int, int]


class Orientation(NamedTuple):
    """What the colliders of a skeleton say.

    Attributes
    ----------
    arcs : set of (int, int)
        Edges that colliders direct.
    contradicted : set of pair
        Edges that they do not agree on, which stay undirected.
    doubtful : set of pair
        Columns apart, ends of a triple of which it is not known whether it is a collider.
    """

    arcs: set[Arc]
    contradicted: set[Pair]
    doubtful: set[Pair]


def direct(runner: TestRunner, skeleton: Skeleton, conflicts: str, max_given: int | None) -> PDAG:
    """Direct edges by colliders and by what follows from them.

    Parameters
    ----------
    runner : TestRunner
        For the rules that test again.
    skeleton : Skeleton
    conflicts : str
        One of ``CONFLICTS``.
    max_given : int or None
        Largest conditioning set.

    Notes
    -----
    No rule leaves a directed cycle: edges that lie on one that colliders close are contradicted as well. A contradicted
    edge stays undirected; Meek's rules, which would take a side, do not touch it. Nor do they conclude anything from
    two columns that are the ends of a doubtful triple.
    """
    found = CONFLICTS[conflicts](runner, skeleton, max_given)
    circular = PDAG(len(skeleton.order), found.arcs).arcs_on_cycles()
    contradicted = found.contradicted | {pair(*arc) for arc in circular}
    arcs = found.arcs - circular
    pdag = PDAG(len(skeleton.order), arcs, skeleton.strengths.keys() - {pair(*arc) for arc in arcs})
    _close(pdag, contradicted, found.doubtful)
    return pdag


def _close(pdag: PDAG, contradicted: Iterable[Pair], doubtful: Iterable[Pair]) -> None:
    """Apply Meek's rules to all other edges."""
    for x, y in contradicted:  # they stay adjacent
        pdag.undirected[x].remove(y)
        pdag.undirected[y].remove(x)
    for x, z in doubtful:  # adjacent ends force nothing
        pdag.adjacent[x].add(z)
        pdag.adjacent[z].add(x)
    close_pdag(pdag)
    for x, z in doubtful:
        pdag.adjacent[x].remove(z)
        pdag.adjacent[z].remove(x)
    for x, y in contradicted:
        pdag.undirected[x].add(y)
        pdag.undirected[y].add(x)


# ---- the rules


def _overwrite(_asker: TestRunner, skeleton: Skeleton, _max_given: int | None) -> Orientation:
    """Later colliders overwrite earlier ones, in pcalg's order."""
    towards: dict[Pair, int] = {}
    for x, y, z in _triples(skeleton, permutations=True):
        if y not in skeleton.separators[pair(x, z)]:
            towards[pair(x, y)] = towards[pair(z, y)] = y
    return Orientation({(a + b - to, to) for (a, b), to in towards.items()}, set(), set())


def _keep_first(_asker: TestRunner, skeleton: Skeleton, _max_given: int | None) -> Orientation:
    """A collider that contradicts an earlier one, or closes a directed cycle with earlier ones, is left out."""
    kept = PDAG(len(skeleton.order))
    for x, y, z in _triples(skeleton):
        if y in skeleton.separators[pair(x, z)]:
            continue
        if not any(kept.has_directed_path(y, end) for end in (x, z)):
            kept.add_arc(x, y)
            kept.add_arc(z, y)
    return Orientation(set(kept.arcs()), set(), set())


def _undirected(_asker: TestRunner, skeleton: Skeleton, _max_given: int | None) -> Orientation:
    """An edge that colliders want in both directions stays undirected."""
    return _agreed(t for t in _triples(skeleton) if t[1] not in skeleton.separators[pair(t[0], t[2])])


def _majority(runner: TestRunner, skeleton: Skeleton, max_given: int | None) -> Orientation:
    """A collider when y is in fewer than half of the sets that separate x and z; doubtful at half, or without any."""
    return _by_votes(runner, skeleton, max_given, lambda having, sets: 2 * having < sets, lambda h, s: 2 * h == s)


def _conservative(runner: TestRunner, skeleton: Skeleton, max_given: int | None) -> Orientation:
    """A collider when y is in none of the sets that separate x and z; doubtful unless it is in none or in all."""
    return _by_votes(
        runner, skeleton, max_given, lambda having, sets: having == 0 < sets, lambda h, s: 0 < h < s or s == 0
    )


def _by_votes(
    runner: TestRunner,
    skeleton: Skeleton,
    max_given: int | None,
    is_collider: Callable[[int, int], bool],
    is_doubtful: Callable[[int, int], bool],
) -> Orientation:
    """Decide by how many sets separate x and z, and how many of them have y."""
    sets = _separating_sets(runner, skeleton, max_given)
    votes = {
        (x, y, z): (sum(y in given for given in sets[pair(x, z)]), len(sets[pair(x, z)]))
        for x, y, z in _triples(skeleton)
    }
    found = _agreed(triple for triple, vote in votes.items() if is_collider(*vote))
    return found._replace(doubtful={pair(x, z) for (x, _, z), vote in votes.items() if is_doubtful(*vote)})


def _agreed(colliders: Iterable[Triple]) -> Orientation:
    """Direct what all colliders agree on."""
    arcs = {arc for x, y, z in colliders for arc in ((x, y), (z, y))}
    both = {(x, y) for x, y in arcs if (y, x) in arcs}
    return Orientation(arcs - both, {pair(*arc) for arc in both}, set())


CONFLICTS: Mapping[str, Callable[[TestRunner, Skeleton, int | None], Orientation]] = {
    "majority": _majority,
    "conservative": _conservative,
    "overwrite": _overwrite,
    "keep-first": _keep_first,
    "undirected": _undirected,
}


# ---- what they look at


def _triples(skeleton: Skeleton, *, permutations: bool = False) -> Iterator[Triple]:
    """Yield x - y - z with x and z apart: for y, then x, then z, in the order of the columns."""
    for y in skeleton.order:
        others = skeleton.adjacent[y]
        for i, x in enumerate(others):
            for z in chain(others[:i], others[i + 1 :]) if permutations else others[i + 1 :]:
                if pair(x, z) in skeleton.separators:
                    yield x, y, z


def _separating_sets(runner: TestRunner, skeleton: Skeleton, max_given: int | None) -> dict[Pair, set[frozenset[int]]]:
    """Return for the ends of every triple all sets of neighbors of either end that separate them."""
    found: dict[Pair, set[frozenset[int]]] = {pair(x, z): set() for x, _, z in _triples(skeleton)}
    partners: dict[int, list[int]] = {x: [] for x in skeleton.order}
    for x, z in sorted(found):
        partners[x].append(z)
        partners[z].append(x)
        if skeleton.separators[x, z] == ():
            found[x, z].add(frozenset())
    near = [frozenset(others) for others in skeleton.adjacent]
    queries: list[Sweep] = []
    for x in skeleton.order:
        for given in _subsets(skeleton.adjacent[x] if partners[x] else [], max_given):
            # A set of neighbors of both is tested once.
            candidates = [z for z in partners[x] if z > x or not near[z].issuperset(given)]
            if candidates:
                queries.append(Sweep(x, candidates, given))
    for query, strengths in zip(queries, runner.run(queries), strict=True):
        for z, strength in zip(query.candidates, strengths.tolist(), strict=True):
            if strength <= 0:
                found[pair(query.target, z)].add(frozenset(query.given))
    return found


def _subsets(columns: list[int], max_given: int | None) -> Iterator[tuple[int, ...]]:
    """Yield the subsets with a member, the small ones first."""
    largest = len(columns) if max_given is None else min(len(columns), max_given)
    return chain.from_iterable(combinations(columns, size) for size in range(1, largest + 1))
