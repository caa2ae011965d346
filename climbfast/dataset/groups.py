"""Groups of what is linked in pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

__all__ = ["linked_groups"]


def linked_groups(size: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the connected components of 0, 1, ..., size - 1, each ascending, by their first members."""
    root = list(range(size))

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for a, b in pairs:
        low, high = sorted((find(a), find(b)))
        root[high] = low
    groups = defaultdict(list)
    for i in range(size):
        groups[find(i)].append(i)
    return list(groups.values())
