"""Names and levels as a page shows them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

from climbfast.names import name_text

__all__ = ["Labels", "counted", "interval_text", "level_text", "level_texts", "sentence_list"]

_IN_A_SENTENCE = re.compile(r"[\w.\-]+")  # what is seen to be one name without quotes

_INTERVAL = re.compile(r"[\[(](.+), (.+)\)")


class Labels:
    """The names of columns as text; those with the same text, as 1 and "1", as Python writes them.

    Parameters
    ----------
    names : iterable of names
        All that the page may name.
    """

    def __init__(self, names: Iterable[Hashable]) -> None:
        names = tuple(names)
        times = Counter(map(str, names))
        self._text = {name: name_text(name) if times[str(name)] == 1 else repr(name) for name in names}

    def name(self, name: Hashable) -> str:
        """Return a name for a heading or a cell."""
        return self._text.get(name, name_text(name))

    def quoted(self, name: Hashable) -> str:
        """Return a name for a sentence: in quotes where it would not be seen to be one name."""
        text = self.name(name)
        return text if _IN_A_SENTENCE.fullmatch(text) else f"“{text}”"

    def listed(self, names: Iterable[Hashable], *, limit: int | None = 12) -> str:
        """Return names for a sentence, such as "a, b and c"."""
        return sentence_list([self.quoted(name) for name in names], limit=limit)


def sentence_list(texts: list[str], *, limit: int | None = None) -> str:
    """Return texts with commas and an "and"; of too many the first, and the number of the others."""
    if limit is not None and len(texts) > limit:
        return f"{', '.join(texts[:limit])} and {len(texts) - limit:,} more"
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number and what it counts: "1 row", "2,000 rows"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def level_text(level: Hashable) -> str:
    """Return a level; the one that stands for missing cells by this word."""
    return "(missing)" if level is None else name_text(level)


def level_texts(levels: Sequence[Hashable], *, are_intervals: bool = False) -> list[str]:
    """Return the levels of a column; those with the same text, as 1 and "1", as Python writes them."""
    texts = [interval_text(level) if are_intervals else level_text(level) for level in levels]
    times = Counter(texts)
    return [text if times[text] == 1 else repr(level) for text, level in zip(texts, levels, strict=True)]


def interval_text(level: Hashable) -> str:
    """Return an interval between two cuts, such as [18, 35), in words for those who do not know the notation."""
    found = _INTERVAL.fullmatch(str(level))
    if found is None:
        return level_text(level)
    low, high = found[1], found[2]
    if low == "-inf":
        return f"below {high}"
    return f"{low} or more" if high == "inf" else f"{low} to below {high}"
