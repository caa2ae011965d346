"""Numbers and dates that are hidden in text, and values that seem to mean a missing cell."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from climbfast.dataset.numbers import read_numbers
from climbfast.dataset.raw_columns import MOST_TEXTS, RawColumn
from climbfast.errors import Option
from climbfast.inspection.inspected_table import InspectedTable
from climbfast.inspection.report import Finding, listed, shown
from climbfast.names import listing

__all__ = ["find_dates", "find_hidden_numbers", "find_markers", "missing_numbers", "pattern_of"]

_FEWEST_NUMBERS = 3
_SHARE_OF_NUMBERS = 4  # at least so many numbers for each text that is none
_MOST_WORDS = 5
_MOST_NAMED = 3  # columns in an option
_ENDS = 6  # the numbers at each end of a column among which markers are looked for

_NUMBER = r"[+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?"
_PATTERNS = {
    "leading zeros": re.compile(r"[+-]?0[0-9]+"),
    "thousands": re.compile(
        r"[+-]?[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+|(?:,[0-9]{3})+|(?:['’   ][0-9]{3})+)(?:[.,][0-9]+)?"
    ),
    "decimal comma": re.compile(r"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?"),
    "bound": re.compile(rf"(?:[<>≤≥~≈]=?\s*{_NUMBER}|{_NUMBER}\s*\+)"),
    "unit": re.compile(rf"(?:[$€£¥]\s*{_NUMBER}|{_NUMBER}\s*(?:[^\W\d_][^\d]{{0,11}}|[%‰°$€£¥][^\d]{{0,5}}))"),
}
_WORDS_OF = {
    "thousands": "marks between thousands",
    "decimal comma": "decimal commas",
    "bound": "bounds",
    "unit": "units",
    "exponent": "exponents",
    "plain": "",
}
_EXPONENT = re.compile(r"\s*[+-]?[0-9]+[eE][0-9]+\s*")
_THREE_DECIMALS = re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}")

# Words that mean a missing cell; "none" and "refused" are levels as often as they are markers.
_MISSING_WORDS = frozenset([
    "?", "??", "-", "--", "---", ".", "..", "*", "unknown", "unk", "missing", "na", "n.a.", "n.a", "n/a", "nan", "null",
    "nd", "n.d.", "undefined", "unspecified", "#n/a", "#value!", "#ref!", "#div/0!", "#name?", "#num!", "#null!",
    "not available", "not known", "not applicable", "no data", "no answer", "no response", "don't know", "dont know",
])  # fmt: skip
_MISSING_NUMBER = re.compile(r"-[1789]|[789]|-?(?:7{2,}|8{2,}|9{2,}|9+[78])")


class _Words(NamedTuple):
    """The texts of a column by their pattern."""

    by_pattern: dict[str, list[str]]
    others: list[str]


def pattern_of(text: str) -> str | None:
    """Return how a number is written in a text: "plain", "exponent", or a pattern; None if there is none."""
    text = text.strip()
    if not any(map(str.isdigit, text)):
        return None
    if read_numbers([text]) is not None:
        return "exponent" if _EXPONENT.fullmatch(text) else "plain"
    return next((name for name, pattern in _PATTERNS.items() if pattern.fullmatch(text)), None)


def _words(texts: Sequence[str]) -> _Words:
    by_pattern: dict[str, list[str]] = {}
    others = []
    for text in texts[:: 1 + len(texts) // MOST_TEXTS]:
        pattern = pattern_of(text)
        if pattern is None:
            others.append(text)
        else:
            by_pattern.setdefault(pattern, []).append(text)
    return _Words(by_pattern, others)


def find_hidden_numbers(table: InspectedTable) -> Iterator[Finding]:
    """Yield the columns of text whose levels are numbers with something beside them, by what that is."""
    hidden: dict[tuple[str, ...], list[int]] = defaultdict(list)
    examples: dict[tuple[str, ...], list[str]] = {}
    for i, column in enumerate(table.columns):
        if column.kind in ("text", "mixed"):
            words = _words([level for level in column.encoded.levels if isinstance(level, str)])
            marks = _marks_of_numbers(words)
            if marks:
                hidden[marks].append(i)
                examples.setdefault(marks, [min(words.by_pattern[mark]) for mark in marks])
        elif column.kind in ("whole", "fractional") and column.texts:
            yield from _hidden_in_numbers(column)
    for marks, columns in hidden.items():
        names = table.names(columns)
        is_text = "is text, and its" if len(names) == 1 else "are text, and their"
        how = "" if marks == ("plain",) else f" with {' and '.join(_WORDS_OF[mark] for mark in marks)}"
        yield Finding(
            "hidden-numbers", "check", names,
            f"{listed(names)} {is_text} levels are numbers{how}, such as {listing(examples[marks], each=shown)}",
            ("write plain numbers into the table, then cut them with ", Option("numbers", "auto")),
            {"patterns": list(marks), "examples": examples[marks]},
        )  # fmt: skip


def _marks_of_numbers(words: _Words) -> tuple[str, ...]:
    """Return the patterns of a column that is hidden numbers, "plain" if they have nothing beside them; else none."""
    by_pattern, others = words
    found = sum(map(len, by_pattern.values()))
    if "leading zeros" in by_pattern or found < _FEWEST_NUMBERS or found < _SHARE_OF_NUMBERS * len(others):
        return ()
    if "unit" in by_pattern and not _is_one_unit(by_pattern["unit"]):
        return ()
    if others and by_pattern.keys() <= {"plain", "exponent"}:
        return ()  # the others seem to mean a missing cell
    return tuple(mark for mark in _WORDS_OF if mark in by_pattern and mark != "plain") or ("plain",)


def _is_one_unit(texts: Sequence[str]) -> bool:
    """Whether most texts have the same unit, as 12 mg and 5 mg have; 1a and 2b are no numbers."""
    units = Counter(re.sub(r"[\s\d.,+-]+", "", text) for text in texts)
    return units.most_common(1)[0][1] * 5 >= len(texts) * 4


def _hidden_in_numbers(column: RawColumn) -> Iterator[Finding]:
    texts = [text.strip() for text in column.texts]
    fractions = [text for text in texts if "." in text]
    if len(fractions) >= _FEWEST_NUMBERS and all(map(_THREE_DECIMALS.fullmatch, fractions)):
        yield Finding(
            "hidden-numbers", "check", (column.name,),
            f"numbers of column {column.name!r} have three digits behind every dot, such as {shown(min(fractions))}: "
            "the dots may stand between thousands, and are read as decimal points",
            ("write them without dots if they are whole",), {"examples": sorted(fractions)[:_MOST_WORDS]},
        )  # fmt: skip
    exponents = [text for text in texts if _EXPONENT.fullmatch(text)]
    if exponents:
        first = min(exponents)
        number = read_numbers([first])
        yield Finding(
            "hidden-numbers", "check", (column.name,),
            f"column {column.name!r} has {shown(first)}, which is read as the number {number[0] if number else first}",
            ("if it is a code, write it so that it is none, such as with a letter in front",),
            {"examples": sorted(exponents)[:_MOST_WORDS]},
        )  # fmt: skip


# ---- dates

_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ].*)?")
_OTHER_DATE = re.compile(r"[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})|[0-9]{4}([./])[0-9]{1,2}\2[0-9]{1,2}")
_FEWEST_DATES = 20  # as of whole numbers, whose order is of use from there on


def find_dates(table: InspectedTable) -> Iterator[Finding]:
    """Yield the columns of text that are dates: in ISO form, which reading can cut, and in other forms."""
    iso: list[int] = []
    other: list[int] = []
    for i, column in enumerate(table.columns):
        if column.kind in ("text", "mixed") and table.occurring[i] > _FEWEST_DATES:
            texts = [level.strip() for level in column.encoded.levels if isinstance(level, str)]
            texts = texts[:: 1 + len(texts) // MOST_TEXTS]
            for pattern, found in ((_ISO_DATE, iso), (_OTHER_DATE, other)):
                if 10 * sum(map(bool, map(pattern.fullmatch, texts))) >= 9 * len(texts):
                    found.append(i)
    if iso:
        names = table.names(iso)
        yield Finding(
            "dates", "check", names, f"dates, their order unused: {listed(names)}",
            ("cut them into intervals with ", Option("numbers", "auto")), {"form": "iso"},
        )  # fmt: skip
    if other:
        names = table.names(other)
        yield Finding(
            "dates", "check", names, f"dates that are read as text, since they are not in ISO form: {listed(names)}",
            ("write them as 2024-12-31, then cut them with ", Option("numbers", "auto")), {"form": "other"},
        )  # fmt: skip


# ---- values that seem to mean a missing cell


def find_markers(table: InspectedTable) -> Iterator[Finding]:
    """Yield the columns with values that seem to mean a missing cell, by these values."""
    found: dict[tuple[str, ...], list[int]] = defaultdict(list)
    rows: dict[Hashable, int] = {}
    for i, column in enumerate(table.columns):
        markers = [] if i in table.unknown else _markers_in(column)
        if markers:
            found[tuple(marker if isinstance(marker, str) else _text(marker) for marker in markers)].append(i)
            rows[column.name] = sum(_rows_of(table, i, marker) for marker in markers)
    for values, columns in found.items():
        names = table.names(columns)
        verb = "seems to mean a missing cell" if len(values) == 1 else "seem to mean missing cells"
        first = {name: list(values) for name in names[:_MOST_NAMED]}
        others = ", and so for the other columns" if len(names) > _MOST_NAMED else ""
        yield Finding(
            "marker", "check", names, f"{listing(values, each=shown)} in {listed(names)} {verb}",
            ("mark as missing with ", Option("missing_markers", first), others),
            {"markers": list(values), "rows": {str(name): rows[name] for name in names}},
        )  # fmt: skip


def _rows_of(table: InspectedTable, column: int, marker: Hashable) -> int:
    raw = table.columns[column]
    if raw.encoded.numeric is not None:
        return int(table.counts[column][:-1][raw.encoded.numeric.values == marker].sum())
    return int(table.counts[column][raw.encoded.levels.index(marker)])


def _markers_in(column: RawColumn) -> list[Any]:
    if column.kind in ("whole", "fractional"):
        codes = range(column.size)
        return missing_numbers([column.level(code) for code in sorted({*codes[:_ENDS], *codes[-_ENDS:]})])
    if column.kind not in ("text", "categories", "mixed"):
        return []
    texts = [level for level in column.encoded.levels if isinstance(level, str)]
    markers = [text for text in texts if text.strip().casefold() in _MISSING_WORDS]
    if column.kind != "categories" and len(texts) <= MOST_TEXTS:
        by_pattern, others = _words(texts)
        found = sum(map(len, by_pattern.values()))
        is_numeric = by_pattern.keys() <= {"plain", "exponent"} and found >= max(
            _FEWEST_NUMBERS, _SHARE_OF_NUMBERS * len(others)
        )
        if is_numeric and len(others) <= _MOST_WORDS:  # all others are numbers
            markers += [text for text in others if text not in markers]
            markers += _missing_texts(by_pattern.get("plain", []))
    return markers


def _missing_texts(texts: Sequence[str]) -> list[str]:
    """Return the texts that are numbers such as -99 which seem to mean a missing cell."""
    by_number = {float(text): text for text in texts}
    return [by_number[number] for number in missing_numbers(sorted(by_number))]


def missing_numbers(levels: Sequence[Any]) -> list[Any]:
    """Return the numbers such as -9 and 999 that lie farther from the other numbers than these from each other.

    One below 0 is also returned where no other number is below 0, such as -99 among incomes.

    Parameters
    ----------
    levels : sequence of numbers
        Ascending; of a column of many, those at both ends.
    """
    candidates = [level for level in (*levels[:3], *levels[-3:]) if _MISSING_NUMBER.fullmatch(_text(level))]
    if 9 not in candidates:  # 7 and 8 alone are numbers as often
        candidates = [level for level in candidates if level not in (7, 8)]
    while candidates:
        others = [level for level in levels if level not in candidates]
        if len(others) < 2:
            return []
        low, high = others[0], others[-1]
        far = [x for x in candidates if x < 0 <= low or low - x >= high - low or x - high >= high - low]
        if len(far) == len(candidates):
            break
        candidates = far  # those that are near are among the others
    return sorted(set(candidates))


def _text(number: Any) -> str:
    return str(int(number)) if number == int(number) else str(number)
