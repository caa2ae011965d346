"""Levels that are one word in several spellings: they differ by case, blanks or Unicode form alone."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from climbfast.inspection.inspected_table import InspectedTable
from climbfast.inspection.report import Finding, listed, shown
from climbfast.names import listing

__all__ = ["alike_levels", "differences", "find_spellings"]

_MOST_SHOWN = 3
_BLANKS = re.compile(r"[ \t\r\n]+")  # all others are Unicode forms of these


def _without_blanks(text: str) -> str:
    return _BLANKS.sub(" ", text).strip(" ")


def _in_one_form(text: str) -> str:
    """Return a text in NFKC, without characters that are not seen, such as a zero-width space."""
    if text.isascii():
        return text
    normal = unicodedata.normalize("NFKC", text)
    return "".join(char for char in normal if unicodedata.category(char) != "Cf")


_STEPS: dict[str, Callable[[str], str]] = {
    "Unicode form": _in_one_form,
    "blanks": _without_blanks,
    "case": str.casefold,
}


def _plain(text: str, without: str = "") -> str:
    for name, step in _STEPS.items():
        if name != without:
            text = step(text)
    return text


def alike_levels(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the groups of texts that are one word, each sorted."""
    groups: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        groups[_plain(text)].append(text)
    return [tuple(sorted(group)) for _, group in sorted(groups.items()) if len(group) > 1]


def differences(group: Sequence[str]) -> list[str]:
    """Return by what the spellings of a word differ: "case", "blanks", "Unicode form"."""
    needed = [name for name in sorted(_STEPS) if len({_plain(text, without=name) for text in group}) > 1]
    if needed:
        return needed
    # Several steps do the same, as both of "fit" with and without a ligature do.
    return [next(name for name, step in _STEPS.items() if len(set(map(step, group))) < len(group))]


def find_spellings(table: InspectedTable) -> Iterator[Finding]:
    """Yield the columns that have levels in several spellings, by these."""
    found: dict[tuple[tuple[str, ...], ...], list[int]] = defaultdict(list)
    for i, column in enumerate(table.columns):
        if i not in table.ids and column.kind in ("text", "categories", "mixed"):
            alike = alike_levels([level for level in column.encoded.levels if isinstance(level, str)])
            if alike:
                found[tuple(alike)].append(i)
    for groups, columns in found.items():
        names = table.names(columns)
        by = sorted({difference for group in groups for difference in differences(group)})
        # Two forms of a letter look alike: only their numbers tell them apart.
        show = ascii if by == ["Unicode form"] else shown
        words = listing([" = ".join(map(show, group)) for group in groups], limit=_MOST_SHOWN, each=str)
        yield Finding(
            "alike-levels", "check", names,
            f"levels of {listed(names)} differ only by {' and '.join(by)}: {words}",
            ("write them alike in the table: they are kept apart",),
            {"groups": [list(group) for group in groups], "differ_by": by},
        )  # fmt: skip
