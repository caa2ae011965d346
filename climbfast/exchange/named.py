"""Names of the nodes of other programs: their own, or those that the caller has for them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from climbfast.errors import GraphError

__all__ = ["names_of_nodes"]


def names_of_nodes(own: Sequence[Hashable], given: Sequence[Hashable] | None) -> tuple[Hashable, ...]:
    """Return the names that were given for the nodes, in their order, or their own.

    Raises
    ------
    GraphError
        If there are more or fewer names than nodes, or a name occurs twice.
    """
    names = tuple(own if given is None else given)
    if len(names) != len(own):
        raise GraphError(f"there are {len(names):,} names for {len(own):,} nodes")
    seen: set[Hashable] = set()
    for name in names:
        if name in seen:
            raise GraphError(f"the name {name!r} occurs twice")
        seen.add(name)
    return names
