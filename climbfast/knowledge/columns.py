"""Which columns an entry of knowledge stands for: one by its name, or several by a pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from fnmatch import translate
from functools import cached_property
from typing import Any

from climbfast.errors import KnowledgeError, UnknownColumnError
from climbfast.names import listing

__all__ = ["Columns", "is_pattern"]

Names = tuple[Hashable, ...]
_WILDCARDS = "*?["


class Columns:
    """The columns of a table, as the entries of knowledge find them.

    An entry is the column of just this name. Where there is none, it is the column with the same text, since names in
    files and on the command line are texts: ``"1"`` is the column 1. Where there is none either, it is a pattern.

    Parameters
    ----------
    names : iterable of names
    """

    def __init__(self, names: Iterable[Hashable]) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._known = frozenset(self.names)
        self._found: dict[Hashable, Names] = {}

    def fitting(self, entry: Hashable) -> Names:
        """Return the columns that an entry stands for, in their order; none for an unknown one.

        Raises
        ------
        KnowledgeError
            For a text that several columns have, such as 1.0 and "1.0" for another type of name.
        """
        if entry in self._known:
            return (entry,)
        if (entry, type(entry)) not in self._found:
            self._found[entry, type(entry)] = self._search(entry)
        return self._found[entry, type(entry)]

    def refuse_unknown(self, entries: Iterable[Hashable]) -> None:
        """Raise UnknownColumnError for the first entry that stands for no column."""
        for entry in entries:
            if not self.fitting(entry):
                kind = "column fits the pattern or is" if is_pattern(entry) else "column"
                raise UnknownColumnError(entry, self.names, kind)

    def _search(self, entry: Hashable) -> Names:
        same = self._by_text.get(str(entry), [])
        if len(same) > 1:
            raise KnowledgeError(f"{entry!r} can be each of the columns {listing(same)}; write the name as it is")
        if same or not isinstance(entry, str) or not is_pattern(entry):
            return tuple(same)
        fits = _matcher(entry)
        return tuple([name for text, names in self._by_text.items() if fits(text) for name in names])

    @cached_property
    def _by_text(self) -> dict[str, list[Hashable]]:
        found: dict[str, list[Hashable]] = {}
        for name in self.names:
            found.setdefault(str(name), []).append(name)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Columns, (self.names,)


def is_pattern(entry: Hashable) -> bool:
    """Whether an entry can stand for several columns."""
    return isinstance(entry, str) and any(char in entry for char in _WILDCARDS)


def _matcher(pattern: str) -> Callable[[str], object]:
    return re.compile(translate(pattern)).match
