"""The equivalence class of DAGs that a greedy search has reached, and the operators that lead to the next one.

A class is represented by its CPDAG: an edge is directed where all DAGs of the class agree. Chickering (2002), "Optimal
Structure Identification With Greedy Search", Definitions 12 and 13 and Theorems 15 and 17, for insertions and
deletions; Hauser and Bühlmann (2012), "Characterization and Greedy Learning of Interventional Markov Equivalence
Classes of Directed Acyclic Graphs", JMLR 13, Propositions 31 and 34, for turnings; Meek (1995), "Causal inference and
causal explanation with background knowledge", for the rules. It departs from Chickering
in that no DAG is built after an operator: edges near it that are in no v-structure any more become undirected, and
Meek's rules orient again those that are forced. That gives the same CPDAG and leaves the rest of the graph untouched.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from climbfast.graphs.equivalence import cpdag
from climbfast.graphs.meek import close_pdag
from climbfast.graphs.pdag import PDAG, Arc, Pair

__all__ = ["Change", "EquivalenceClass", "Path", "Reached"]

Path = tuple[int, ...]
Reached = list[set[int]]


class Change(NamedTuple):
    """What an operator changed.

    Attributes
    ----------
    columns : set of int
        Columns whose parents or neighbors changed, or two of whose neighbors became adjacent or ceased to be. The
        operators into all other columns are the same as before.
    broken : set of (int, int)
        Steps (a, b) that a semi-directed path could take before and no longer can.
    """

    columns: set[int]
    broken: set[Arc]


class EquivalenceClass:
    """A CPDAG that operators change in place.

    Parameters
    ----------
    columns : int
    dag : collection of (int, int)
        The directed edges of a DAG whose class is the first one; by default it has no edges.

    Attributes
    ----------
    pdag : PDAG
        The CPDAG. Its nodes are the columns. As in the paper, neighbors are adjacent by an undirected edge.
    skeleton : bool array, shape (columns, columns)
        Which columns are adjacent, as a matrix, so that a search can examine all columns at once.
    """

    def __init__(self, columns: int, dag: Collection[Arc] = ()) -> None:
        self.pdag = cpdag(PDAG(columns, dag))
        self.skeleton = np.zeros((columns, columns), np.bool_)
        for x, y in dag:
            self.skeleton[x, y] = self.skeleton[y, x] = True
        self._before: dict[Arc, bool] = {}

    def common_neighbors(self, x: int, y: int) -> list[int]:
        """Return NA_YX, the neighbors of y that are adjacent to x, in order."""
        return sorted(self.pdag.undirected[y] & self.pdag.adjacent[x])

    def reach(self, start: int, avoided: Collection[int]) -> Reached:
        """Return the columns that semi-directed paths reach, by the length of a shortest one: the start alone first.

        A semi-directed path follows undirected edges, and directed ones in their direction.
        """
        children, undirected = self.pdag.children, self.pdag.undirected
        seen = {start, *avoided}
        reached = [{start}]
        while last := reached[-1]:
            layer = set().union(*(children[x] for x in last), *(undirected[x] for x in last)) - seen
            seen |= layer
            reached.append(layer)
        return reached

    def path_to(self, end: int, reached: Reached) -> Path:
        """Return a shortest path from the start of ``reach`` to the end; empty if it was not reached."""
        length = next((i for i, layer in enumerate(reached) if end in layer), 0)
        if length == 0:
            return (end,) if end in reached[0] else ()
        path = [end]
        for layer in reversed(reached[:length]):
            path.append(min((self.pdag.parents[path[-1]] | self.pdag.undirected[path[-1]]) & layer))
        return tuple(reversed(path))

    def insert(self, x: int, y: int, t: Collection[int]) -> Change:
        """Insert(x, y, T): add x → y, orient z → y for z in T, and complete the graph.

        Valid if x and y are not adjacent, T are neighbors of y that are not adjacent to x, NA_YX ∪ T is a clique, and
        every semi-directed path from y to x passes through it.
        """
        self._before.clear()
        return self._insert(x, y, t)

    def delete(self, x: int, y: int, h: Collection[int]) -> Change:
        """Delete(x, y, H): remove x – y or x → y, orient y → z, and x → z if undirected, for z in H, and complete.

        Valid if H is part of NA_YX and the rest of NA_YX is a clique.
        """
        self._before.clear()
        return self._delete(x, y, h)

    def turn(self, x: int, y: int, clique: Collection[int]) -> Change:
        """Turn(x, y, C): replace y → x by x → y in a DAG in which the clique C are the parents among neighbors of y.

        That is Delete(y, x, H), where H are the neighbors of x that are its children in such a DAG, and
        Insert(x, y, T), where T are those of C that are neighbors of y then. ``can_turn`` says when it is valid.
        """
        self._before.clear()
        parents = self.pdag.parents[y].union(clique)
        h = set(self.common_neighbors(y, x)) - self.parents_beside(x, y, clique)
        self._delete(y, x, h)
        return self._insert(x, y, (self.pdag.undirected[y] & parents) - self.pdag.adjacent[x])

    def can_turn(self, x: int, y: int, clique: Collection[int]) -> bool:
        """Whether Turn(x, y, C) is valid and leads to another class; for y → x also ``path_around`` has to be empty.

        With N the neighbors of y that are adjacent to x: for y → x, N has to be part of C; for x – y, C has to have
        columns outside of N, and C ∩ N to separate these from N without C in the graph of the neighbors of y.
        """
        near = self.pdag.undirected[y]
        adjacent = near & self.pdag.adjacent[x]
        if x in self.pdag.children[y]:
            return adjacent.issubset(clique)
        waiting = [z for z in clique if z not in adjacent]
        found = bool(waiting)
        left = near.difference(clique, (x,))
        while waiting and found:
            new = left & self.pdag.adjacent[waiting.pop()]
            found = adjacent.isdisjoint(new)
            left -= new
            waiting += new
        return found

    def parents_beside(self, x: int, y: int, clique: Collection[int]) -> set[int]:
        """Return the parents among neighbors of x in a DAG with y → x in which C are those among neighbors of y.

        For y → x, a neighbor of x is a child of y; it can be no parent of x when x becomes one of y.
        """
        return self.pdag.undirected[x].intersection(clique) if y in self.pdag.undirected[x] else set()

    def path_around(self, x: int, y: int, clique: Collection[int]) -> Path:
        """Return a semi-directed path beside y → x from y to x that avoids C and the neighbors of x; empty if none."""
        reached = self.reach(y, {x, *clique, *self.pdag.undirected[x]})
        for last in sorted(self.pdag.parents[x] - {y}):
            if any(last in layer for layer in reached):
                return (*self.path_to(last, reached), x)
        return ()

    def copy(self) -> EquivalenceClass:
        """Return an independent copy, which cannot take back an operator of this one."""
        twin = EquivalenceClass(0)
        twin.pdag, twin.skeleton = self.pdag.copy(), self.skeleton.copy()
        return twin

    def _insert(self, x: int, y: int, t: Collection[int]) -> Change:
        self._remember(x, y)
        self.skeleton[x, y] = self.skeleton[y, x] = True
        self.pdag.add_arc(x, y)
        for z in t:
            self._orient(z, y)
        return self._complete(x, y, t)

    def _delete(self, x: int, y: int, h: Collection[int]) -> Change:
        self._remember(x, y)
        self.skeleton[x, y] = self.skeleton[y, x] = False
        self.pdag.remove(x, y)
        for z in h:
            self._orient(y, z)
            if z in self.pdag.undirected[x]:
                self._orient(x, z)
        return self._complete(x, y, h)

    def changed_pairs(self) -> list[Pair]:
        """Return the pairs whose edge the last operator changed, and some that it left as they were."""
        return [(a, b) for a, b in self._before if a < b]

    def undo(self) -> None:
        """Take back the last operator."""
        for a, b in self.changed_pairs():
            forward, backward = self._before[a, b], self._before[b, a]
            self.pdag.remove(a, b)
            self.skeleton[a, b] = self.skeleton[b, a] = forward or backward
            if forward and backward:
                self.pdag.add_undirected_edge(a, b)
            elif forward or backward:
                self.pdag.add_arc(*((a, b) if forward else (b, a)))
        self._before.clear()

    def extension(self) -> list[tuple[int, ...]]:
        """Return the parents of every column in one DAG of the class.

        Undirected edges follow a maximum cardinality search, which makes no v-structure because the chain components
        of a CPDAG are chordal; of equals it takes the first column. ``equivalence.extension`` is for other graphs too.
        """
        undirected = self.pdag.undirected
        parents = [set(fixed) for fixed in self.pdag.parents]
        visited: set[int] = set()
        left = {y for y in range(self.pdag.size) if undirected[y]}
        while left:
            y = min(left, key=lambda z: (-len(undirected[z] & visited), z))
            left.remove(y)
            parents[y] |= undirected[y] & visited
            visited.add(y)
        return [tuple(sorted(family)) for family in parents]

    def _orient(self, a: int, b: int) -> None:
        """Make a – b into a → b."""
        self._remember(a, b)
        self.pdag.orient(a, b)

    def _remember(self, a: int, b: int) -> None:
        """Keep whether a path could step from a to b and from b to a before the operator."""
        for step in ((a, b), (b, a)):
            self._before.setdefault(step, self._can_step(*step))

    def _can_step(self, a: int, b: int) -> bool:
        """Whether a semi-directed path can step from a to b."""
        return b in self.pdag.children[a] or b in self.pdag.undirected[a]

    def _complete(self, x: int, y: int, others: Collection[int]) -> Change:
        """Make the graph a CPDAG again after an operator on x, y and others; return what changed in all."""
        touched = {x, y, *others, *(self.pdag.children[x] & self.pdag.children[y])}
        for a, b in close_pdag(self.pdag, around=touched | self._undirect_around(touched)):
            self._before.setdefault((a, b), True)  # it was undirected when the rules oriented it
            self._before.setdefault((b, a), True)
        columns = {x, y, *self.pdag.undirected[x], *self.pdag.undirected[y]}
        broken: set[Arc] = set()
        for step, possible in self._before.items():
            if self._can_step(*step) != possible:
                columns.update(step)
                if possible:
                    broken.add(step)
        return Change(columns, broken)

    def _undirect_around(self, touched: set[int]) -> set[int]:
        """Undirect the edges that a change may have left in no v-structure; return the columns at their ends.

        Meek's rules orient an edge because of edges into the same column or into its parents. So a change can only
        undo what lies downstream of it, and nothing changes below a column of which no edge became undirected.
        """
        ends: set[int] = set()
        waiting = [*touched, *(c for b in touched for c in self.pdag.children[b])]
        seen = set(waiting)
        while waiting:
            b = waiting.pop()
            tails = [a for a in self.pdag.parents[b] if not self._is_in_v_structure(a, b)]
            for a in tails:
                self._remember(a, b)
                self.pdag.undirect(a, b)
            if tails:
                ends.update((b, *tails))
                waiting.extend(self.pdag.children[b] - seen)
                seen |= self.pdag.children[b]
        return ends

    def _is_in_v_structure(self, a: int, b: int) -> bool:
        """Whether a → b ← c for some c that is not adjacent to a."""
        return len(self.pdag.parents[b] - self.pdag.adjacent[a]) > 1  # one of these is a itself
