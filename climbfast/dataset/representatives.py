"""Which of several copies stands for them in searches: the first by name, the first of the source, or one by name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from climbfast.errors import Option, OptionError

if TYPE_CHECKING:
    from climbfast.dataset.dataset import Dataset

__all__ = ["FIRST", "Choice", "Representative", "check_representative", "represented"]

FIRST = "first"

Representative = Hashable | Iterable[Hashable] | None  # as users name it
Choice = str | tuple[Hashable, ...] | None  # checked: None, "first", or the names


def check_representative(data: Dataset, chosen: Representative) -> Choice:
    """Return the columns that stand for their copies.

    Raises
    ------
    UnknownColumnError
        For a name that is not a column.
    OptionError
        For two names of columns that are copies of each other.
    """
    if chosen is None or (isinstance(chosen, str) and chosen == FIRST):
        return chosen
    names = tuple(dict.fromkeys(data.canonical[data.index(name)] for name in _as_names(data, chosen)))
    for name in names:
        other = next((x for x in data.copies.get(name, ()) if x in names), None)
        if other is not None:
            raise OptionError(
                Option("representative"), f" names {name!r} and {other!r}, which are copies of each other; name one"
            )
    return names


def _as_names(data: Dataset, chosen: Hashable | Iterable[Hashable]) -> Sequence[Hashable]:
    if isinstance(chosen, str) or not isinstance(chosen, Iterable):
        return (chosen,)
    if isinstance(chosen, tuple) and chosen in data.positions:  # a tuple can be a name
        return (chosen,)
    return tuple(chosen)


def represented(data: Dataset) -> dict[Hashable, Hashable]:
    """Return for every column that has copies the one that stands for them."""
    chosen, found = data.representative, dict[Hashable, Hashable]()
    places = {name: place for place, name in enumerate(data.names)} if chosen == FIRST else data.positions
    wanted = frozenset(chosen) if isinstance(chosen, tuple) else frozenset()
    for group in data.one_to_one if data.copies else ():
        first = next((name for name in group if name in wanted), min(group, key=places.__getitem__))
        found |= dict.fromkeys(group, first)
    return found
