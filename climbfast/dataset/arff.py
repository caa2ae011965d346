"""ARFF, the files of Weka and OpenML, as a frame: the declared levels of a nominal column are the type Enum there.

The format is described at https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/. A ``%`` begins a
comment at the start of a line and after a blank, so that ``50%`` is a value.
"""

from __future__ import annotations

import codecs
import datetime as dt
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from climbfast.dataset.options import check_names
from climbfast.dataset.sources import Source
from climbfast.dataset.waiting import raise_if_abandoned
from climbfast.errors import DataError, Option, OptionError
from climbfast.names import listing

if TYPE_CHECKING:
    import polars as pl

__all__ = ["read_arff"]

Cells = list[str | None]

_ROWS_A_BLOCK = 20_000
_CELL = re.compile(
    r"""\s*(?:'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)"|(?P<plain>[^,'"{}]*?))\s*(?P<end>,|$)"""
)
_NAME = re.compile(r"""\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{'"]+))\s*(.*)""")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_COMMENT = re.compile(r"(?:^|\s)%.*")
_WEIGHT = re.compile(r",\s*\{[^{}]*\}\s*$")
_DEFAULT_DATE = "yyyy-MM-dd'T'HH:mm:ss"
_PARTS_OF_DATES = {
    "yyyy": "%Y", "yy": "%y", "MM": "%m", "MMM": "%b", "MMMM": "%B", "dd": "%d", "HH": "%H", "hh": "%I", "a": "%p",
    "mm": "%M", "ss": "%S", "SSS": "%f", "M": "%m", "d": "%d", "H": "%H", "m": "%M", "s": "%S",
}  # fmt: skip
_PART_OF_DATE = re.compile(r"'([^']*)'|([A-Za-z])\2*|([^A-Za-z'])")


class _Attribute(NamedTuple):
    """One column: its kind, the levels of a nominal one, and the format of a date as the file and Python have it."""

    name: str
    kind: str
    levels: tuple[str, ...] = ()
    format: str = ""
    python_format: str = ""

    @property
    def default(self) -> str | None:
        """The value that a sparse row leaves out; None if it has to say it."""
        return self.levels[0] if self.kind == "nominal" else "0" if self.kind == "numeric" else None


def read_arff(source: Source, *, encoding: str = "utf-8") -> pl.DataFrame:
    """Read an ARFF file.

    Returns
    -------
    polars.DataFrame
        Nominal columns are of the type Enum, with the levels that the header declares; numeric ones are numbers, and
        strings are text.

    Raises
    ------
    DataError
        If the file is not regular; the message gives the line.
    OptionError
        If the encoding is unknown.
    """
    import polars as pl

    try:
        is_utf8 = codecs.lookup(encoding).name == "utf-8"
        with io.TextIOWrapper(source.open(), encoding="utf-8-sig" if is_utf8 else encoding) as text:
            lines = enumerate(text, start=1)
            attributes = _read_header(lines)
            check_names([attribute.name for attribute in attributes])
            blocks = [_frame_of(*block, attributes) for block in _blocks(lines, attributes)]
    except LookupError:
        raise OptionError(
            Option("encoding", encoding), " is unknown; use one such as 'utf-8', 'latin-1' or 'cp1252'"
        ) from None
    except UnicodeError:
        raise DataError(
            f"not in the encoding {encoding!r}; name the encoding of the file, such as ", Option("encoding", "latin-1")
        ) from None
    if not blocks:
        raise DataError("the file has a header and no rows")
    return pl.concat(blocks, how="vertical_relaxed", rechunk=True)


# ---- Header


def _read_header(lines: Iterator[tuple[int, str]]) -> list[_Attribute]:
    attributes: list[_Attribute] = []
    number = 0
    for number, line in lines:
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        keyword = re.split(r"[\s'\"{]", text, maxsplit=1)[0].lower()
        if keyword == "@data":
            if not attributes:
                raise DataError(f"line {number}: @data without an @attribute before it")
            return attributes
        if keyword == "@attribute":
            attributes.append(_read_attribute(text[len(keyword) :], number))
        elif keyword != "@relation":
            raise DataError(f"line {number}: {text[:40]!r} where an ARFF file has @relation, @attribute or @data")
    raise DataError(f"line {number}: the file ends before @data" if number else "the file is empty")


def _read_attribute(text: str, line: int) -> _Attribute:
    found = _NAME.fullmatch(text)
    if found is None:
        raise DataError(f"line {line}: an @attribute has a name, quoted if it has blanks, and a type")
    single, double, plain, kind = found.groups()
    name = plain if plain is not None else _unescape(double if single is None else single)
    if kind.startswith("{"):
        return _Attribute(name, "nominal", _read_levels(kind, name, line))
    word, _, rest = _COMMENT.sub("", kind).strip().partition(" ")
    if word.lower() in ("numeric", "real", "integer"):
        return _Attribute(name, "numeric")
    if word.lower() == "string":
        return _Attribute(name, "string")
    if word.lower() == "date":
        java = rest.strip()
        java = (java[1:-1] if java[:1] in ("'", '"') and java[-1:] == java[:1] else java) or _DEFAULT_DATE
        return _Attribute(name, "date", format=java, python_format=_python_format(java, name, line))
    raise DataError(
        f"line {line}: attribute {name!r} has the type {word!r}; legal are numeric, real, integer, string, date, and a "
        "list of levels in braces"
    )


def _read_levels(text: str, name: str, line: int) -> tuple[str, ...]:
    place = f"line {line}, attribute {name!r}"
    end = next((place for place, character in _outside_quotes(text) if character == "}"), None)
    if end is None or _COMMENT.sub("", " " + text[end + 1 :]).strip():
        raise DataError(f"{place}: a list of levels begins with {{ and ends with }} on the same line")
    levels, quoted = _split(text[1:end], place)
    if "" in [level for level, is_quoted in zip(levels, quoted, strict=True) if not is_quoted]:
        raise DataError(f"{place}: a level without text between the commas")
    twice = sorted({level for level in levels if levels.count(level) > 1}) if len(set(levels)) < len(levels) else []
    if twice:
        raise DataError(f"{place}: levels that occur more than once: {listing(twice)}")
    return tuple(levels)


def _python_format(java: str, name: str, line: int) -> str:
    """Return a format of dates of Java as Python has it."""
    parts = []
    for found in _PART_OF_DATE.finditer(java):
        quoted, letter, other = found.groups()
        if letter is not None and found[0] not in _PARTS_OF_DATES:
            raise DataError(f"line {line}: attribute {name!r} has a date format with {found[0]!r}, which is not known")
        text = quoted if quoted is not None else other
        parts.append(_PARTS_OF_DATES[found[0]] if letter is not None else text.replace("%", "%%"))
    return "".join(parts)


# ---- Rows


def _blocks(
    lines: Iterable[tuple[int, str]], attributes: Sequence[_Attribute]
) -> Iterator[tuple[list[Cells], list[int]]]:
    """Yield the rows, and the number of the line of each, in blocks."""
    rows: list[Cells] = []
    numbers: list[int] = []
    split: Callable[[str, int, int], Cells] | None = None
    for number, line in lines:
        text = line.strip()
        if not text or text[0] == "%":
            continue
        if text[0] == "{":
            row = _sparse_row(text, attributes, number)
        else:
            split = split or (_split_at_blanks if _is_split_by_blanks(text, len(attributes)) else _dense_row)
            row = split(text, len(attributes), number)
        rows.append(row)
        numbers.append(number)
        if len(rows) == _ROWS_A_BLOCK:
            raise_if_abandoned()
            yield rows, numbers
            rows, numbers = [], []
    if rows:
        yield rows, numbers


def _is_split_by_blanks(text: str, width: int) -> bool:
    return width > 1 and "," not in text and not {"'", '"'} & set(text) and len(text.split()) == width


def _split_at_blanks(text: str, width: int, line: int) -> Cells:
    return _checked([None if cell == "?" else cell for cell in _COMMENT.sub("", text).split()], width, line)


def _dense_row(text: str, width: int, line: int) -> Cells:
    if not {"'", '"', "%", "{", "}", "\\"}.isdisjoint(text):
        return _dense_row_with_quotes(text, width, line)
    return _checked([None if cell in ("?", "") else cell for cell in map(str.strip, text.split(","))], width, line)


def _dense_row_with_quotes(text: str, width: int, line: int) -> Cells:
    text = _without_comment(text)
    if _WEIGHT.search(text):
        raise DataError(f"line {line}: a row with a weight in braces; write the weights as a column of their own")
    return _checked(_cells(text, f"line {line}"), width, line)


def _checked(cells: Cells, width: int, line: int) -> Cells:
    if len(cells) != width:
        raise DataError(f"line {line} has {len(cells)} cells where the header has {width} attributes")
    return cells


def _sparse_row(text: str, attributes: Sequence[_Attribute], line: int) -> Cells:
    """Return all cells of a row such as ``{1 a, 3 b}``, which counts from 0 and leaves out what is 0 or first."""
    text = _without_comment(text)
    if not text.endswith("}") or _WEIGHT.search(text):
        raise DataError(f"line {line}: a sparse row begins with {{, ends with }}, and has no weight")
    row = [attribute.default for attribute in attributes]
    said = [False] * len(attributes)
    for pair in _pairs(text[1:-1]):
        position, value = (*pair.split(maxsplit=1), "", "")[:2]
        if not position.isascii() or not position.isdigit() or not value:
            raise DataError(f"line {line}: {pair!r} where a sparse row has a number and a value")
        place = int(position) if len(position) < 10 else len(row)
        if place >= len(row) or said[place]:
            raise DataError(f"line {line}: attribute {position} of a sparse row does not exist, or occurs twice")
        (row[place],) = _checked(_cells(value, f"line {line}"), 1, line)
        said[place] = True
    for attribute, is_said in zip(attributes, said, strict=True):
        if not is_said and attribute.default is None:
            raise DataError(f"line {line}: a sparse row without {attribute.name!r}, whose kind has no zero")
    return row


def _without_comment(text: str) -> str:
    """Return a row without a comment, which begins with a percent sign outside quotes and after a blank."""
    if "%" not in text:
        return text
    starts = (place for place, character in _outside_quotes(text) if character == "%" and text[place - 1].isspace())
    return text[: next(starts, len(text))].rstrip()


def _outside_quotes(text: str) -> Iterator[tuple[int, str]]:
    """Yield the places and the characters that are not quoted."""
    quote, place = "", 0
    while place < len(text):
        character = text[place]
        if quote and character == "\\":
            place += 1  # the next character is escaped
        elif quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        else:
            yield place, character
        place += 1


def _cells(text: str, place: str) -> Cells:
    return [
        None if not is_quoted and cell in ("?", "") else cell
        for cell, is_quoted in zip(*_split(text, place), strict=True)
    ]


def _split(text: str, place: str) -> tuple[list[str], list[bool]]:
    """Split at commas outside quotes; return the cells without their quotes, and which of them had some."""
    cells: list[str] = []
    quoted: list[bool] = []
    for found in _matches(text, place):
        inside = found["single"] if found["single"] is not None else found["double"]
        cells.append(found["plain"] if inside is None else _unescape(inside))
        quoted.append(inside is not None)
    return cells, quoted


def _pairs(text: str) -> list[str]:
    """Return the pairs of a sparse row, which commas outside quotes separate."""
    commas = [place for place, character in _outside_quotes(text) if character == ","]
    starts, ends = [0, *(place + 1 for place in commas)], [*commas, len(text)]
    return [text[start:end].strip() for start, end in zip(starts, ends, strict=True)] if text.strip() else []


def _matches(text: str, place: str) -> Iterator[re.Match[str]]:
    position = 0
    while True:
        found = _CELL.match(text, position)
        if found is None:
            raise DataError(f"{place}: a quote or a brace that is not regular; a value with them is quoted")
        yield found
        if not found["end"]:
            return
        position = found.end()


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    code = found[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPED.get(code, code)


# ---- Columns


def _frame_of(rows: list[Cells], lines: Sequence[int], attributes: Sequence[_Attribute]) -> pl.DataFrame:
    import polars as pl

    columns = []
    for attribute, cells in zip(attributes, zip(*rows, strict=True), strict=True):
        texts = pl.Series(cells, dtype=pl.String)  # named at last: polars takes a name such as "^a.*$" for a pattern
        column = _CONVERSIONS[attribute.kind](texts, attribute)
        if column.null_count() > texts.null_count():
            row = (column.is_null() & texts.is_not_null()).arg_max() or 0
            _refuse(texts[row], attribute, lines[row])
        columns.append(column.alias(attribute.name))
    return pl.DataFrame(columns)


def _refuse(value: str, attribute: _Attribute, line: int) -> None:
    if attribute.kind == "nominal":
        raise DataError(
            f"line {line}: {value!r} is not a declared level of {attribute.name!r}; it has "
            f"{listing(attribute.levels, limit=5)}"
        )
    kind = "a number" if attribute.kind == "numeric" else f"a date of the format {attribute.format}"
    raise DataError(f"line {line}: {value!r} is not {kind}, as {attribute.name!r} is declared")


def _nominal(texts: pl.Series, attribute: _Attribute) -> pl.Series:
    import polars as pl

    return texts.cast(pl.Enum(attribute.levels), strict=False)


def _numeric(texts: pl.Series, _attribute: _Attribute) -> pl.Series:
    import polars as pl

    numbers = texts.cast(pl.Int64, strict=False)
    return numbers if numbers.null_count() == texts.null_count() else texts.cast(pl.Float64, strict=False)


def _date(texts: pl.Series, attribute: _Attribute) -> pl.Series:
    import polars as pl

    distinct = texts.drop_nulls().unique().to_list()
    times = {text: _time_of(text, attribute.python_format) for text in distinct}
    cells = [None if text is None else times[text] for text in texts]
    series = pl.Series(cells, dtype=pl.Datetime("us"))
    return series if any(part in attribute.python_format for part in ("%H", "%I")) else series.cast(pl.Date)


def _time_of(text: str, form: str) -> dt.datetime | None:
    try:
        return dt.datetime.strptime(text, form)
    except ValueError:
        return None


_CONVERSIONS: dict[str, Callable[[pl.Series, _Attribute], pl.Series]] = {
    "nominal": _nominal,
    "numeric": _numeric,
    "string": lambda texts, _: texts,
    "date": _date,
}
