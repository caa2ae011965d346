"""A partly directed graph by number: what the algorithms orient."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["PDAG", "Arc"]

Arc = tuple[int, int]


class PDAG:
    """Directed and undirected edges among the nodes 0, 1, ..., as sets of neighbors.

    Parameters
    ----------
    size : int
        Number of nodes.
    directed : iterable of (int, int)
        Arcs (source, target).
    undirected : iterable of (int, int)
        Pairs, each once. No pair is joined twice; that is for the caller to see to.

    Attributes
    ----------
    parents, children, undirected : list of set of int
        Neighbors of every node by the kind of edge.
    adjacent : list of set of int
        All neighbors.
    """

    __slots__ = ("adjacent", "children", "parents", "undirected")

    def __init__(self, size: int, directed: Iterable[Arc] = (), undirected: Iterable[Arc] = ()) -> None:
        self.parents: list[set[int]] = [set() for _ in range(size)]
        self.children: list[set[int]] = [set() for _ in range(size)]
        self.undirected: list[set[int]] = [set() for _ in range(size)]
        self.adjacent: list[set[int]] = [set() for _ in range(size)]
        for source, target in directed:
            self.add_arc(source, target)
        for x, y in undirected:
            self.add_line(x, y)

    @classmethod
    def from_adjacency(cls, adjacency: NDArray[np.bool_]) -> PDAG:
        """Read a matrix of shape (m, m): [i, j] is i -> j, and both set are an undirected edge."""
        both = adjacency & adjacency.T
        return cls(adjacency.shape[0], _where(adjacency & ~both), _where(np.triu(both)))

    def to_adjacency(self) -> NDArray[np.bool_]:
        """Return the matrix of shape (m, m) that ``from_adjacency`` reads."""
        adjacency = np.zeros((self.size, self.size), dtype=np.bool_)
        for x in range(self.size):
            adjacency[x, [*self.children[x], *self.undirected[x]]] = True
        return adjacency

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.parents)

    def arcs(self) -> Iterator[Arc]:
        """Directed edges as (source, target), in order."""
        return ((x, y) for x, children in enumerate(self.children) for y in sorted(children))

    def lines(self) -> Iterator[Arc]:
        """Undirected edges, each once and with the smaller number first, in order."""
        return ((x, y) for x, others in enumerate(self.undirected) for y in sorted(others) if x < y)

    def add_arc(self, source: int, target: int) -> None:
        """Join two nodes that are not adjacent by source -> target."""
        self.children[source].add(target)
        self.parents[target].add(source)
        self._join(source, target)

    def add_line(self, x: int, y: int) -> None:
        """Join two nodes that are not adjacent by x - y."""
        self.undirected[x].add(y)
        self.undirected[y].add(x)
        self._join(x, y)

    def _join(self, x: int, y: int) -> None:
        self.adjacent[x].add(y)
        self.adjacent[y].add(x)

    def remove(self, x: int, y: int) -> None:
        """Take the edge of two nodes away, whatever its kind."""
        for a, b in ((x, y), (y, x)):
            for kind in (self.parents, self.children, self.undirected, self.adjacent):
                kind[a].discard(b)

    def orient(self, source: int, target: int) -> None:
        """Make the undirected edge of two nodes source -> target."""
        self.undirected[source].remove(target)
        self.undirected[target].remove(source)
        self.children[source].add(target)
        self.parents[target].add(source)

    def copy(self) -> PDAG:
        """Return an independent copy."""
        twin = PDAG(0)
        for kind in self.__slots__:
            setattr(twin, kind, [set(others) for others in getattr(self, kind)])
        return twin

    def induced(self, nodes: Iterable[int]) -> PDAG:
        """Return the edges among some nodes, which are numbered anew in the order given."""
        number = {node: i for i, node in enumerate(nodes)}
        directed = [(i, number[y]) for x, i in number.items() for y in self.children[x] if y in number]
        undirected = [(i, number[y]) for x, i in number.items() for y in self.undirected[x] if i < number.get(y, -1)]
        return PDAG(len(number), directed, undirected)

    def topological_order(self) -> list[int]:
        """Nodes with every parent before its children; without those on a directed cycle and behind one."""
        missing = [len(parents) for parents in self.parents]
        order = [x for x, count in enumerate(missing) if count == 0]
        for x in order:  # grows while it is walked
            for child in self.children[x]:
                missing[child] -= 1
                if missing[child] == 0:
                    order.append(child)
        return order

    def cycle(self) -> list[int]:
        """One directed cycle, its first node repeated at the end; empty if there is none."""
        stuck = set(range(self.size)).difference(self.topological_order())
        if not stuck:
            return []
        path = [min(stuck)]
        while path[-1] not in path[:-1]:  # every node left has a parent that is left, so this comes round
            path.append(min(self.parents[path[-1]] & stuck))
        return path[path.index(path[-1]) :][::-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PDAG):
            return NotImplemented
        return (self.parents, self.undirected) == (other.parents, other.undirected)

    __hash__ = None  # type: ignore[assignment]  # it changes


def _where(matrix: NDArray[np.bool_]) -> Iterator[Arc]:
    rows, columns = np.nonzero(matrix)
    return zip(rows.tolist(), columns.tolist(), strict=True)
