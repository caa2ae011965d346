"""Knowledge about given columns: patterns replaced by names, contradictions refused, and the arcs that it allows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbfast.errors import KnowledgeError
from climbfast.knowledge.allowed_arcs import AllowedArcs, ForbiddenGroup
from climbfast.knowledge.columns import Columns, Names
from climbfast.names import canonical_key, quoted_name

__all__ = ["MOST_REQUIRED", "Resolved", "entry_text"]

Edge = tuple[Hashable, Hashable]
MOST_REQUIRED = 1_000_000  # required edges, which patterns multiply
MOST_ONE_BY_ONE = 1_000  # forbidden arcs of one group


def entry_text(name: Hashable) -> str:
    """Return a name or pattern for a line of text, in quotes if it holds what stands between names."""
    return quoted_name(name, (",", "|", "->"))


class Resolved:
    """Knowledge about given columns, without patterns and without contradictions.

    Parameters
    ----------
    columns : Columns
    tiers : sequence of sequences of entries
    required, forbidden : iterable of pairs of entries
    roots, leaves : iterable of entries
    closed : iterable of int
        The tiers without edges inside, from 0.

    Raises
    ------
    KnowledgeError
        For what contradicts itself.
    """

    def __init__(
        self,
        columns: Columns,
        tiers: Sequence[Iterable[Hashable]],
        required: Iterable[Edge],
        forbidden: Iterable[Edge],
        roots: Iterable[Hashable],
        leaves: Iterable[Hashable],
        closed: Iterable[int],
    ) -> None:
        self._columns = columns
        self._closed = frozenset(closed)
        self._tier = self._tiers(tiers)
        self._roots = self._all(roots)
        self._leaves = self._all(leaves)
        self._forbidden = _merged(forbidden)
        self._required = self._edges(required)
        self._check_edges()
        self._check_cycles()

    def _all(self, entries: Iterable[Hashable]) -> frozenset[Hashable]:
        return frozenset(name for entry in entries for name in self._columns.fitting(entry))

    def _tiers(self, tiers: Sequence[Iterable[Hashable]]) -> dict[Hashable, int]:
        found: dict[Hashable, int] = {}
        for number, tier in enumerate(tiers):
            for entry in tier:
                for name in self._columns.fitting(entry):
                    if found.setdefault(name, number) != number:
                        raise KnowledgeError(f"{name!r} is in two tiers, {found[name] + 1} and {number + 1}")
        return found

    def _edges(self, required: Iterable[Edge]) -> dict[Edge, None]:
        found: dict[Edge, None] = {}
        for source, target in required:
            xs, ys = self._columns.fitting(source), self._columns.fitting(target)
            if len(xs) * len(ys) + len(found) > MOST_REQUIRED:
                raise KnowledgeError(
                    f"{entry_text(source)} -> {entry_text(target)} makes more than {MOST_REQUIRED:,} required edges"
                )
            # A pattern beside a column that it fits as well does not mean the column itself.
            found |= {(x, y): None for x in xs for y in ys if x != y or len(xs) == len(ys) == 1}
        return found

    # ---- contradictions

    def _check_edges(self) -> None:
        forbidden: dict[Hashable, list[frozenset[Hashable]]] = {}
        for sources, targets in self._forbidden if self._required else ():
            children = self._all(targets)
            for x in self._all(sources):
                forbidden.setdefault(x, []).append(children)
        for x, y in self._required:
            edge = f"the required edge {entry_text(x)} -> {entry_text(y)}"
            if x == y:
                raise KnowledgeError(f"{edge} leads from a column to itself")
            if any(y in children for children in forbidden.get(x, ())):
                raise KnowledgeError(f"{edge} is forbidden as well")
            if y in self._roots:
                raise KnowledgeError(f"{edge} cannot be there: {y!r} is a root, a column without parents")
            if x in self._leaves:
                raise KnowledgeError(f"{edge} cannot be there: {x!r} is a leaf, a column without children")
            self._check_tiers(x, y, edge)

    def _check_tiers(self, x: Hashable, y: Hashable, edge: str) -> None:
        if x not in self._tier or y not in self._tier:
            return
        before, after = self._tier[x], self._tier[y]
        if before > after:
            raise KnowledgeError(f"{edge} leads from tier {before + 1} back to tier {after + 1}")
        if before == after and before in self._closed:
            raise KnowledgeError(f"{edge} is inside tier {before + 1}, which has no edges inside")

    def _check_cycles(self) -> None:
        """Refuse required edges that form a cycle, alone or with the order of the tiers."""
        before: dict[Any, list[Any]] = {}
        for x, y in self._required:
            before.setdefault(y, []).append(x)
        # A column of a tier comes before the mark of its tier, and this before the columns of the next tier.
        for name in dict.fromkeys(x for edge in self._required for x in edge):
            if name in self._tier:
                number = self._tier[name]
                before.setdefault(_Mark(number), []).append(name)
                before.setdefault(name, []).append(_Mark(number - 1))
        for number in range(1, 1 + max(self._tier.values(), default=0)):
            before.setdefault(_Mark(number), []).append(_Mark(number - 1))
        try:
            TopologicalSorter(before).prepare()
        except CycleError as error:
            raise KnowledgeError(f"the required edges form a cycle{_cycle_text(error.args[1][:-1])}") from None

    # ---- what is allowed

    def allowed_arcs(self, names: Sequence[Hashable]) -> AllowedArcs:
        """Return the arcs that are allowed between some of the columns, by their place in ``names``."""
        place = {name: number for number, name in enumerate(names)}
        tier = np.array([self._tier.get(name, -1) for name in names], np.int64)
        forbidden: dict[int, set[int]] = {}
        groups = []
        for sources, targets in self._forbidden:
            xs = [place[x] for x in self._all(sources) if x in place]
            ys = [place[y] for y in self._all(targets) if y in place]
            if len(xs) * len(ys) > MOST_ONE_BY_ONE:
                groups.append(ForbiddenGroup(_marked(xs, len(place)), _marked(ys, len(place))))
                continue
            for y in ys:
                forbidden.setdefault(y, set()).update(xs)
        return AllowedArcs(
            tier,
            np.isin(tier, list(self._closed)) & (tier >= 0),
            _marked([place[x] for x in self._roots if x in place], len(place)),
            _marked([place[x] for x in self._leaves if x in place], len(place)),
            {y: frozenset(sources) for y, sources in forbidden.items()},
            groups,
            frozenset((place[x], place[y]) for x, y in self._required if x in place and y in place),
        )


def _merged(forbidden: Iterable[Edge]) -> list[tuple[Names, Names]]:
    """Return forbidden edges as pairs of groups: all sources of the same targets together.

    A thousand columns that must not be parents of ``"gene_*"`` are one group, and not a thousand.
    """
    targets: dict[Hashable, list[Hashable]] = {}
    for x, y in forbidden:
        targets.setdefault(x, []).append(y)
    sources: dict[Names, list[Hashable]] = {}
    for x, ys in targets.items():
        sources.setdefault(tuple(ys), []).append(x)
    return [(tuple(xs), ys) for ys, xs in sources.items()]


def _marked(places: Iterable[int], size: int) -> NDArray[np.bool_]:
    marked = np.zeros(size, np.bool_)
    marked[list(places)] = True
    return marked


def _cycle_text(nodes: Sequence[Any]) -> str:
    """Return the columns of a cycle from the first by name; from the first behind a mark, if it leads through tiers."""
    marks = [place for place, node in enumerate(nodes) if isinstance(node, _Mark)]
    columns = [place for place, node in enumerate(nodes) if not isinstance(node, _Mark)]
    start = marks[-1] + 1 if marks else min(columns, key=lambda place: canonical_key(nodes[place]))
    path = [node for node in (*nodes[start:], *nodes[:start]) if not isinstance(node, _Mark)]
    return f"{' with the order of the tiers' if marks else ''}: {' -> '.join(map(entry_text, [*path, path[0]]))}"


@dataclass(frozen=True)
class _Mark:
    """What stands between the columns of a tier and those of the next one in the search for cycles."""

    tier: int
