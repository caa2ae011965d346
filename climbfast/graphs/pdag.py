"""A partly directed acyclic graph (PDAG) whose nodes are numbers: the graph that all algorithms work on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["PDAG", "Arc", "Pair", "pair"]

Arc = tuple[int, int]
Pair = tuple[int, int]


def pair(x: int, y: int) -> Pair:
    """Return two nodes, the smaller number first."""
    return (x, y) if x < y else (y, x)


class PDAG:
    """Directed and undirected edges among the nodes 0, 1, ..., as sets of neighbors.

    Parameters
    ----------
    size : int
        Number of nodes.
    directed : iterable of (int, int)
        Directed edges (source, target).
    undirected : iterable of (int, int)
        Pairs, each once, in either order.

    Attributes
    ----------
    parents, children, undirected : list of set of int
        For each node its parents, its children, and its neighbors by undirected edges.
    adjacent : list of set of int
        For each node all of these.

    Notes
    -----
    No method checks its input: the caller ensures that two nodes have at most one edge, and that the directed edges
    form no cycle.
    """

    __slots__ = ("adjacent", "children", "parents", "undirected")

    def __init__(self, size: int, directed: Iterable[Arc] = (), undirected: Iterable[Pair] = ()) -> None:
        self.parents: list[set[int]] = [set() for _ in range(size)]
        self.children: list[set[int]] = [set() for _ in range(size)]
        self.undirected: list[set[int]] = [set() for _ in range(size)]
        self.adjacent: list[set[int]] = [set() for _ in range(size)]
        for source, target in directed:
            self.add_arc(source, target)
        for x, y in undirected:
            self.add_undirected_edge(x, y)

    @classmethod
    def from_adjacency(cls, adjacency: NDArray[np.bool_]) -> PDAG:
        """Read a matrix of shape (m, m): [i, j] is i -> j, and both [i, j] and [j, i] are an undirected edge."""
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

    # ---- edges

    def arcs(self) -> Iterator[Arc]:
        """Directed edges as (source, target), in order."""
        return ((x, y) for x, children in enumerate(self.children) for y in sorted(children))

    def undirected_edges(self) -> Iterator[Pair]:
        """Undirected edges, each once and with the smaller number first, in order."""
        return ((x, y) for x, others in enumerate(self.undirected) for y in sorted(others) if x < y)

    def add_arc(self, source: int, target: int) -> None:
        """Add source -> target between two nodes that are not adjacent."""
        self.children[source].add(target)
        self.parents[target].add(source)
        self.adjacent[source].add(target)
        self.adjacent[target].add(source)

    def add_undirected_edge(self, x: int, y: int) -> None:
        """Add x - y between two nodes that are not adjacent."""
        self.undirected[x].add(y)
        self.undirected[y].add(x)
        self.adjacent[x].add(y)
        self.adjacent[y].add(x)

    def remove(self, x: int, y: int) -> None:
        """Remove the edge between two nodes, directed or not."""
        for a, b in ((x, y), (y, x)):
            for neighbors in (self.parents, self.children, self.undirected, self.adjacent):
                neighbors[a].discard(b)

    def orient(self, source: int, target: int) -> None:
        """Replace source - target by source -> target."""
        self.undirected[source].remove(target)
        self.undirected[target].remove(source)
        self.children[source].add(target)
        self.parents[target].add(source)

    def undirect(self, source: int, target: int) -> None:
        """Replace source -> target by source - target."""
        self.children[source].remove(target)
        self.parents[target].remove(source)
        self.undirected[source].add(target)
        self.undirected[target].add(source)

    def reverse(self, source: int, target: int) -> None:
        """Replace source -> target by target -> source."""
        self.children[source].remove(target)
        self.parents[target].remove(source)
        self.children[target].add(source)
        self.parents[source].add(target)

    # ---- other graphs

    def copy(self) -> PDAG:
        """Return an independent copy."""
        twin = PDAG(0)
        for attribute in self.__slots__:
            setattr(twin, attribute, [set(others) for others in getattr(self, attribute)])
        return twin

    def induced(self, nodes: Iterable[int]) -> PDAG:
        """Return the induced subgraph of some nodes, which are numbered in the order given."""
        number = {node: i for i, node in enumerate(nodes)}
        directed = [(i, number[y]) for x, i in number.items() for y in self.children[x] if y in number]
        undirected = [(i, number[y]) for x, i in number.items() for y in self.undirected[x] if i < number.get(y, -1)]
        return PDAG(len(number), directed, undirected)

    # ---- paths, cycles, cliques

    def topological_order(self) -> list[int]:
        """Return the nodes with every parent before its children, but those on a directed cycle or below one."""
        missing = [len(parents) for parents in self.parents]
        order = [x for x, count in enumerate(missing) if count == 0]
        for x in order:  # grows while it is walked
            for child in self.children[x]:
                missing[child] -= 1
                if missing[child] == 0:
                    order.append(child)
        return order

    def has_directed_path(self, start: int, end: int) -> bool:
        """Whether a directed path leads from one node to another, or they are the same."""
        seen, waiting = {start}, [start]
        while waiting and end not in seen:
            new = [x for x in self.children[waiting.pop()] if x not in seen]
            seen.update(new)
            waiting += new
        return end in seen

    def cycle(self) -> list[int]:
        """Return one directed cycle, with its first node repeated at the end; empty if there is none."""
        left = set(range(self.size)).difference(self.topological_order())
        if not left:
            return []
        path = [min(left)]
        while path[-1] not in path[:-1]:  # each of these nodes has a parent among them, so the path closes
            path.append(min(self.parents[path[-1]] & left))
        return path[path.index(path[-1]) :][::-1]

    def arcs_on_cycles(self) -> set[Arc]:
        """Return the directed edges that lie on a directed cycle."""
        left = set(range(self.size)).difference(self.topological_order())
        return {(x, y) for x in left for y in self.children[x] & left if self.has_directed_path(y, x)}

    def cliques(self, nodes: Iterable[int]) -> Iterator[tuple[int, ...]]:
        """Yield every clique among some nodes, the empty one first: sets of nodes that are pairwise adjacent."""
        waiting: list[tuple[tuple[int, ...], list[int]]] = [((), sorted(nodes))]
        while waiting:
            clique, common = waiting.pop()  # the nodes of ``common`` are adjacent to all of the clique
            yield clique
            for i in range(len(common) - 1, -1, -1):  # so that they come in lexicographic order
                x = common[i]
                waiting.append(((*clique, x), [y for y in common[i + 1 :] if y in self.adjacent[x]]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PDAG):
            return NotImplemented
        return (self.parents, self.undirected) == (other.parents, other.undirected)

    __hash__ = None  # type: ignore[assignment]  # it changes


def _where(matrix: NDArray[np.bool_]) -> Iterator[Arc]:
    rows, columns = np.nonzero(matrix)
    return zip(rows.tolist(), columns.tolist(), strict=True)
