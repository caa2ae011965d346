"""Names of columns and nodes: their order, and how they are shown to people."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

__all__ = [
    "by_text",
    "canonical_key",
    "copies_text",
    "distinct_texts",
    "escaped",
    "excerpt",
    "listing",
    "name_text",
    "quote_formula",
    "quoted_name",
    "rest",
    "sorted_by_name",
    "unquote_formula",
    "would_be_formula",
]

T = TypeVar("T")


def canonical_key(name: Hashable) -> tuple[str, str]:
    """Key of the order of names, in which results have them: by text, then by type."""
    return str(name), type(name).__name__


def sorted_by_name(names: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Return names sorted by text, then by type."""
    return tuple(sorted(names, key=canonical_key))


def by_text(values: Mapping[Hashable, T]) -> dict[str, T]:
    """Return a mapping by the text of each name; by its repr where two names have the same text, as 1 and "1"."""
    times = Counter(map(str, values))
    return {str(name) if times[str(name)] == 1 else repr(name): value for name, value in values.items()}


def distinct_texts(names: Sequence[Hashable]) -> tuple[str, ...] | None:
    """Return the text of each name, as the keys of ``by_text``; None if two of them are still the same."""
    times = Counter(map(str, names))
    texts = tuple(str(name) if times[str(name)] == 1 else repr(name) for name in names)
    return texts if len(set(texts)) == len(texts) else None


def name_text(name: Hashable) -> str:
    """Return a name as it is, or quoted where it would break the line, hide, or command the terminal."""
    text = str(name)
    return text if text.strip() and text.isprintable() else repr(text)


def escaped(text: str) -> str:
    """Return a text with escapes for what would break the line, hide, or command the terminal."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def quoted_name(name: Hashable, marks: Collection[str] = (",",)) -> str:
    """Return a name as ``name_text`` does, and in quotes where it holds one of the marks that stand between names."""
    text = name_text(name)
    return repr(text) if text == str(name) and any(mark in text for mark in marks) else text


def listing(names: Collection[T], *, limit: int | None = 20, each: Callable[[T], str] = repr) -> str:
    """List the first names with commas between, and count the rest.

    Parameters
    ----------
    names : collection of Hashable
    limit : int or None
        How many are listed; None is all.
    each : function of a name
        How each is shown; in error messages, ``repr``.
    """
    first = ", ".join(map(each, islice(names, limit)))
    return first if limit is None else first + rest(len(names) - limit)


def rest(left: int) -> str:
    """Return what stands behind the first names of a list for those that are left; empty if none are."""
    return f" and {left:,} more" if left > 0 else ""


def excerpt(value: object, *, limit: int = 60) -> str:
    """Return a value as Python writes it, a date or a time in ISO form, cut to so many characters."""
    text = str(value) if isinstance(value, dt.date | dt.time) else repr(value)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def copies_text(copies: Mapping[Hashable, tuple[Hashable, ...]]) -> str:
    """Show the groups of columns that are copies of each other, such as ``a = b, c = d = e``.

    Parameters
    ----------
    copies : mapping of name to tuple of names
        For every column the others of its group.
    """
    groups = {tuple(sorted((name, *others), key=canonical_key)) for name, others in copies.items()}
    texts = [" = ".join(quoted_name(name, (",", "=")) for name in group) for group in groups]
    return listing(sorted(texts), each=str)


def would_be_formula(text: str) -> bool:
    """Whether a spreadsheet takes a cell with this text for a formula."""
    return text.startswith(("=", "+", "-", "@", "\t", "\r"))


def quote_formula(text: str) -> str:
    """Return a text with an apostrophe before what would be a formula, and before an apostrophe."""
    return f"'{text}" if would_be_formula(text) or text.startswith("'") else text


def unquote_formula(cell: str) -> str:
    """Return the text of which ``quote_formula`` made the cell."""
    return cell.removeprefix("'")
