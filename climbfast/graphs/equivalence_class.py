"""The equivalence class of DAGs that a greedy search walks through, and the operators that take it to a neighbor.

A class is held as its CPDAG: an edge is directed where all DAGs of the class agree. Chickering (2002), "Optimal
Structure Identification With Greedy Search", Definitions 12 and 13 and Theorems 15 and 17, for the operators; Meek
(1995), "Causal inference and causal explanation with background knowledge", for the rules. It departs from Chickering
in that no DAG is built after an operator: edges near it that no v-structure holds any more are undirected, and Meek's
rules direct again what has to be directed, which gives the same CPDAG and leaves the rest of the graph alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Change", "EquivalenceClass", "Path", "path_to"]

Path = tuple[int, ...]


class Change(NamedTuple):
    """What an operator did.

    Attributes
    ----------
    columns : set of int
        Those whose parents or neighbors are others now, or whose neighbors are adjacent to others: operators into all
        the rest are what they were.
    broken : set of pairs of int
        Steps (a, b) that a semi-directed path could take and can no longer.
    """

    columns: set[int]
    broken: set[tuple[int, int]]


def path_to(end: int, came_from: Mapping[int, int]) -> Path:
    """Return the path that a search took from its start to the end; empty if it did not come there."""
    if end not in came_from:
        return ()
    path = [end]
    while came_from[path[-1]] != path[-1]:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))


class EquivalenceClass:
    """A CPDAG that operators change in place; at first without edges.

    Parameters
    ----------
    columns : int

    Attributes
    ----------
    parents, children, neighbors : list of set of int
        For every column those that a directed edge comes from, that one goes to, and those at undirected edges.
    adjacent : bool array, shape (columns, columns)
    """

    def __init__(self, columns: int) -> None:
        self.parents: list[set[int]] = [set() for _ in range(columns)]
        self.children: list[set[int]] = [set() for _ in range(columns)]
        self.neighbors: list[set[int]] = [set() for _ in range(columns)]
        self.adjacent = np.zeros((columns, columns), np.bool_)
        self._before: dict[int, tuple[set[int], set[int]]] = {}

    def degree(self, x: int) -> int:
        """Return the number of edges at x."""
        return len(self.parents[x]) + len(self.children[x]) + len(self.neighbors[x])

    def adjacency(self) -> NDArray[np.bool_]:
        """Return the bool matrix whose [i, j] is i → j; an undirected edge has both."""
        matrix = np.zeros_like(self.adjacent)
        for y in range(len(matrix)):
            matrix[list(self.parents[y] | self.neighbors[y]), y] = True
        return matrix

    def common_neighbors(self, x: int, y: int) -> list[int]:
        """Return NA_YX: the neighbors of y that are adjacent to x, in order."""
        return [z for z in sorted(self.neighbors[y]) if self.adjacent[z, x]]

    def cliques(self, columns: Iterable[int]) -> Iterator[tuple[int, ...]]:
        """Yield every set of pairwise adjacent columns, the empty one first; a clique grows by its common neighbors."""
        growing: list[tuple[tuple[int, ...], list[int]]] = [((), sorted(columns))]
        while growing:
            clique, common = growing.pop()
            yield clique
            for i in range(len(common) - 1, -1, -1):
                z = common[i]
                growing.append(((*clique, z), [w for w in common[i + 1 :] if self.adjacent[z, w]]))

    def reach(self, start: int, avoided: Collection[int]) -> dict[int, int]:
        """Return what semi-directed paths reach: columns, each with the one before it on a shortest path.

        A semi-directed path goes along undirected edges and arrows. The start comes before itself.
        """
        came_from = {start: start}
        closed = {start, *avoided}
        frontier = [start]
        while frontier:
            reached = []
            for a in frontier:
                for successors in (self.children[a], self.neighbors[a]):
                    for b in successors:
                        if b not in closed:
                            closed.add(b)
                            came_from[b] = a
                            reached.append(b)
            frontier = reached
        return came_from

    def insert(self, x: int, y: int, colliding: Collection[int]) -> Change:
        """Insert(x, y, T): add x → y, direct t → y for t in T, and complete the graph.

        Valid if x and y are not adjacent, T are neighbors of y that are not adjacent to x, NA_YX ∪ T is a clique, and
        every semi-directed path from y to x passes through it.
        """
        self._before.clear()
        self.adjacent[x, y] = self.adjacent[y, x] = True
        for a in (x, *colliding):
            self._direct(a, y)
        self._complete({x, y, *colliding, *(self.children[x] & self.children[y])})
        return self._change(x, y)

    def delete(self, x: int, y: int, parted: Collection[int]) -> Change:
        """Delete(x, y, H): take x – y or x → y away, direct y → h, and x → h if undirected, for h in H, and complete.

        Valid if H is part of NA_YX and the rest of NA_YX is a clique.
        """
        self._before.clear()
        self.adjacent[x, y] = self.adjacent[y, x] = False
        self._undirect(x, y)
        self.neighbors[x].discard(y)
        self.neighbors[y].discard(x)
        touched = {x, y, *parted, *(self.children[x] & self.children[y])}
        for h in parted:
            self._direct(y, h)
            if h in self.neighbors[x]:
                self._direct(x, h)
        self._complete(touched)
        return self._change(x, y)

    def extension(self) -> list[tuple[int, ...]]:
        """Return the parents of every column in one DAG of the class.

        Undirected edges follow a maximum cardinality search, which makes no v-structure in a chordal graph; ties go to
        the first column.
        """
        parents = [set(own) for own in self.parents]
        visited: set[int] = set()
        left = {y for y in range(len(parents)) if self.neighbors[y]}
        while left:
            y = min(left, key=lambda z: (-len(self.neighbors[z] & visited), z))
            left.remove(y)
            parents[y] |= self.neighbors[y] & visited
            visited.add(y)
        return [tuple(sorted(own)) for own in parents]

    def _direct(self, a: int, b: int) -> None:
        """Make the edge a → b, whatever it was."""
        self._remember(a, b)
        self.neighbors[a].discard(b)
        self.neighbors[b].discard(a)
        self.parents[b].add(a)
        self.children[a].add(b)

    def _undirect(self, a: int, b: int) -> None:
        """Make the edge a – b, whatever it was."""
        self._remember(a, b)
        for tail, head in ((a, b), (b, a)):
            self.children[tail].discard(head)
            self.parents[head].discard(tail)
            self.neighbors[head].add(tail)

    def _remember(self, *columns: int) -> None:
        """Keep what led into the columns before the operator."""
        for z in columns:
            if z not in self._before:
                self._before[z] = set(self.parents[z]), set(self.neighbors[z])

    def _change(self, x: int, y: int) -> Change:
        """Compare the graph with what it was before an operator on x and y."""
        columns = {x, y, *self.neighbors[x], *self.neighbors[y]}
        broken: set[tuple[int, int]] = set()
        for z, (parents, neighbors) in self._before.items():
            if parents != self.parents[z] or neighbors != self.neighbors[z]:
                columns.add(z)
                broken.update((a, z) for a in (parents | neighbors) - self.parents[z] - self.neighbors[z])
        return Change(columns, broken)

    def _complete(self, touched: set[int]) -> None:
        """Make the graph the CPDAG of its v-structures again, an operator having changed edges at some columns."""
        self._apply_meek_rules(touched | self._undirect_the_unheld(touched))

    def _undirect_the_unheld(self, touched: set[int]) -> set[int]:
        """Undirect the edges that a change may have held by no v-structure; return the columns at their ends.

        Meek's rules direct an edge because of edges into the same column or into its parents, so what a change can
        undo lies downstream of it, and beyond a column of which no edge was undirected nothing changes.
        """
        ends: set[int] = set()
        waiting = [*touched, *(c for b in touched for c in self.children[b])]
        seen = set(waiting)
        while waiting:
            b = waiting.pop()
            unheld = [a for a in self.parents[b] if not self._is_in_v_structure(a, b)]
            for a in unheld:
                self._undirect(a, b)
            if unheld:
                ends.update((b, *unheld))
                waiting.extend(self.children[b] - seen)
                seen |= self.children[b]
        return ends

    def _is_in_v_structure(self, a: int, b: int) -> bool:
        """Whether a → b ← c for some c that is not adjacent to a."""
        return any(c != a and not self.adjacent[c, a] for c in self.parents[b])

    def _apply_meek_rules(self, columns: set[int]) -> None:
        """Direct what has to be directed, beginning at these columns."""
        waiting = set(columns)
        while waiting:
            a = waiting.pop()
            for b in tuple(self.neighbors[a]):
                if self._has_to_point(a, b):
                    self._direct(a, b)
                elif self._has_to_point(b, a):
                    self._direct(b, a)
                else:
                    continue
                waiting.update((a, b))

    def _has_to_point(self, a: int, b: int) -> bool:
        """Whether one of Meek's rules 1 to 3 directs a – b as a → b."""
        if any(not self.adjacent[c, b] for c in self.parents[a]) or self.children[a] & self.parents[b]:
            return True
        common = self.neighbors[a] & self.parents[b]
        return any(not self.adjacent[c, d] for c in common for d in common if c < d)
