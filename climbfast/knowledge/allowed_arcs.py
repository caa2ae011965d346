"""Which arcs between columns, by number, knowledge allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["AllowedArcs", "ForbiddenGroup"]

Arc = tuple[int, int]
Bools = NDArray[np.bool_]


class ForbiddenGroup(NamedTuple):
    """Columns from which no arc leads to any of the others; two bool arrays of shape (columns,)."""

    sources: Bools
    targets: Bools


class AllowedArcs:
    """The arcs that knowledge allows between columns.

    An arc x → y is forbidden if y is in an earlier tier than x, if both are in one closed tier, if y is a root or x is
    a leaf, if it is forbidden by itself or by a group, or if y → x is required.

    Parameters
    ----------
    tier : int64 array, shape (columns,)
        The tier of each column, from 0 up; -1 for a column in none.
    is_closed : bool array, shape (columns,)
        Whether the column is in a tier without edges inside.
    is_root, is_leaf : bool array, shape (columns,)
    forbidden : mapping of int to set of int
        For columns the sources of arcs that are forbidden one by one.
    groups : sequence of ForbiddenGroup
    required : collection of (int, int)
        Arcs that have to be there.
    """

    def __init__(
        self,
        tier: NDArray[np.int64],
        is_closed: Bools,
        is_root: Bools,
        is_leaf: Bools,
        forbidden: Mapping[int, frozenset[int]],
        groups: Sequence[ForbiddenGroup],
        required: frozenset[Arc],
    ) -> None:
        self.required = required
        self._tier, self._is_closed, self._is_root, self._is_leaf = tier, is_closed, is_root, is_leaf
        self._groups = tuple(groups)
        sources = {y: set(xs) for y, xs in forbidden.items() if xs}
        for x, y in required:
            sources.setdefault(x, set()).add(y)
        self._forbidden = {y: (frozenset(xs), np.array(sorted(xs), np.int64)) for y, xs in sources.items()}
        arcs = [x * len(tier) + y for y, xs in sources.items() for x in xs]
        self._forbidden_arcs = np.array(sorted(arcs), np.int64)
        # Lists, which are faster one element at a time.
        self._of_one = tier.tolist(), is_closed.tolist(), is_root.tolist(), is_leaf.tolist()
        self._partners: dict[int, list[int]] = {}
        for x, y in sorted(required):
            self._partners.setdefault(x, []).append(y)
            self._partners.setdefault(y, []).append(x)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self._tier)

    def matrix(self, sources: ArrayLike, targets: ArrayLike) -> Bools:
        """Return which arcs are allowed, shape (sources, targets); none from a column to itself."""
        s, t = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
        forbidden = self._forbidden_in_general(s[:, np.newaxis], t)
        if self._forbidden:
            place = np.full(self.columns, -1)
            place[s] = np.arange(len(s))
            for j, y in enumerate(t.tolist()):
                if y in self._forbidden:
                    places = place[self._forbidden[y][1]]
                    forbidden[places[places >= 0], j] = True
        allowed: Bools = ~forbidden
        return allowed

    def allows(self, x: int, y: int) -> bool:
        """Whether x → y is allowed."""
        tier, is_closed, is_root, is_leaf = self._of_one
        if x == y or is_leaf[x] or is_root[y] or tier[x] > tier[y] >= 0 or (tier[x] == tier[y] and is_closed[y]):
            return False
        if y in self._forbidden and x in self._forbidden[y][0]:
            return False
        return not any(group.sources[x] and group.targets[y] for group in self._groups)

    def allows_each(self, sources: ArrayLike, targets: ArrayLike) -> Bools:
        """Return whether the arc from each source to the target at the same place is allowed, shape (arcs,)."""
        s, t = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
        forbidden = self._forbidden_in_general(s, t)
        if self._forbidden:
            forbidden |= np.isin(s * self.columns + t, self._forbidden_arcs)
        allowed: Bools = ~forbidden
        return allowed

    def _forbidden_in_general(self, s: NDArray[np.int64], t: NDArray[np.int64]) -> Bools:
        """Return which arcs are forbidden by all but those that are forbidden one by one; the shapes are broadcast."""
        of_source, of_target = self._tier[s], self._tier[t]
        forbidden: Bools = (s == t) | ((of_source > of_target) & (of_target >= 0))
        forbidden |= (of_source == of_target) & self._is_closed[t]
        forbidden |= self._is_leaf[s] | self._is_root[t]
        for group in self._groups:
            forbidden |= group.sources[s] & group.targets[t]
        return forbidden

    def allows_edge(self, x: int, y: int) -> bool:
        """Whether the two columns may be adjacent."""
        return self.allows(x, y) or self.allows(y, x)

    def directs(self, x: int, y: int) -> bool:
        """Whether an edge between the two can only be x → y."""
        return self.allows(x, y) and not self.allows(y, x)

    def parents_of(self, y: int) -> Bools:
        """Return which columns may be parents of y, shape (columns,)."""
        allowed: Bools = self.matrix(np.arange(self.columns), [y])[:, 0]
        return allowed

    def children_of(self, x: int) -> Bools:
        """Return which columns may be children of x, shape (columns,)."""
        allowed: Bools = self.matrix([x], np.arange(self.columns))[0]
        return allowed

    def neighbors_of(self, x: int) -> Bools:
        """Return which columns may be adjacent to x, shape (columns,)."""
        return self.parents_of(x) | self.children_of(x)

    def required_at(self, x: int) -> Sequence[int]:
        """Return the columns that have a required edge with x, ascending."""
        return sorted(self._partners.get(x, ()))

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Bools:
        """Return which columns of ``a`` may be adjacent to which of ``b``, shape (a, b)."""
        allowed: Bools = self.matrix(a, b) | self.matrix(b, a).T
        return allowed

    def classes(self) -> NDArray[np.int64]:
        """Return numbers of columns, equal for columns that tiers, roots and leaves treat alike, shape (columns,).

        Pairs that are forbidden both ways lie mostly within a class or between two, so blocks of one class can often be
        left out as a whole.
        """
        kinds = np.stack([self._tier, self._is_closed, self._is_root, self._is_leaf], axis=1)
        numbers: NDArray[np.int64] = np.unique(kinds, axis=0, return_inverse=True)[1].reshape(-1)
        return numbers
