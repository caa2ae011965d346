"""The separating sets of a search by name, made when they are first asked for."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from climbfast.graphs.pdag import Pair
from climbfast.independence.tests import Separator
from climbfast.names import sorted_by_name

__all__ = ["SeparatingSets"]

Names = tuple[Hashable, ...]


class SeparatingSets(Mapping[tuple[Hashable, Hashable], Names]):
    """The separating sets of pairs of columns by name; read-only.

    Most pairs of many columns have one, and to name all of them took a third of the time of a search.

    Parameters
    ----------
    names : tuple
        The names of the graph, in whose order a pair has its two names.
    columns : sequence of names
        Those searched, by column number.
    separators : mapping of pair to tuple of int
        By column number; it does not change.
    further : mapping of pair of names to tuple of names
        Sets of other pairs, in either order; these come last.
    """

    def __init__(
        self, names: Names, columns: Sequence[Hashable], separators: Mapping[Pair, Separator],
        further: Mapping[tuple[Hashable, Hashable], Names] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.names = names
        self._columns, self._separators, self._further = columns, separators, further

    def extended(self, names: Names, further: Mapping[tuple[Hashable, Hashable], Names]) -> SeparatingSets:
        """Return these and the sets of other pairs, for a graph that has more names."""
        return SeparatingSets(names, self._columns, self._separators, {**self._further, **further})

    @cached_property
    def _named(self) -> dict[tuple[Hashable, Hashable], Names]:
        place = {name: i for i, name in enumerate(self.names)}
        name, place_of = self._columns, [place[name] for name in self._columns]
        found = {
            (name[x], name[y]) if place_of[x] < place_of[y] else (name[y], name[x]): (
                sorted_by_name([name[z] for z in given]) if given else ()
            )
            for (x, y), given in sorted(self._separators.items())
        }
        found |= {(x, y) if place[x] < place[y] else (y, x): given for (x, y), given in self._further.items()}
        return found

    def __getitem__(self, pair: tuple[Hashable, Hashable]) -> Names:
        return self._named[pair]

    def __iter__(self) -> Iterator[tuple[Hashable, Hashable]]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._separators) + len(self._further)

    def __repr__(self) -> str:
        return repr(self._named)
