"""CSV and similar text files as a frame of text.

polars parses the file, strictly. This module handles the variants of such files: separators, byte order marks,
encodings, blank lines and separators at the end of every line. It also finds the line of an error.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from climbfast.compiling import announce_compilation
from climbfast.dataset.options import check_names
from climbfast.dataset.sources import Source
from climbfast.dataset.texts import categorical
from climbfast.errors import DataError, Option, OptionError
from climbfast.names import escaped

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TextTable", "read_delimited"]

_SEPARATORS = ",;\t|"
_QUOTE = b'"'
_SEPARATOR_LINE = re.compile(rb'(?:\xef\xbb\xbf)?"?sep=([!-~\t])"?\r?\n', re.IGNORECASE)
_BYTES_A_PIECE = 1 << 24
_LINE_FEED, _CARRIAGE_RETURN = 10, 13


class TextTable(NamedTuple):
    """A text file: the names of its columns, and a frame of categorical columns named "0", "1", ...

    ``empty_last`` is the name of an empty last column that is left out because every line ends with a separator.
    """

    names: list[str]
    frame: pl.DataFrame
    empty_last: str | None = None


class _Form(NamedTuple):
    """The form of a file according to its first line; ``skipped`` lines come before the first record."""

    separator: str
    header: bool
    width: int
    skipped: int = 0


def read_delimited(
    source: Source, *, separator: str | None, header: bool, encoding: str, tabs: bool = False
) -> TextTable:
    """Read every column of a text file as text; its separator is a tab by default where ``tabs`` is true.

    Raises
    ------
    DataError
        If the file is empty, not in the encoding, or not regular; the message gives the line.
    OptionError
        If the separator is not one ASCII character, or the encoding is unknown.
    """
    if separator is not None and (len(separator) != 1 or not separator.isascii() or separator in '"\r\n'):
        raise OptionError(Option("separator", separator), " is not an option; use one ASCII character")
    source = _decoded(source, encoding)
    _refuse_null_characters(source)
    named = _separator_line(source)
    separator = separator or named or ("\t" if tabs else None)
    first, separator = _first_record(source, separator, skipped=int(named is not None))
    names = [name if name and header else f"column_{i}" for i, name in enumerate(first, start=1)]
    check_names(names)
    form = _Form(separator, header, len(first), int(named is not None))
    frame = _parse(source, form)
    if form.width > 1 and not (header and first[-1]) and _is_empty(frame, form.width - 1):
        return TextTable(names[:-1], frame.drop(str(form.width - 1)), empty_last=names[-1])
    return TextTable(names, frame)


def _decoded(source: Source, encoding: str) -> Source:
    """Return the source in UTF-8."""
    try:
        if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
            return source
        with source.open() as file:
            return source._replace(content=file.read().decode(encoding).encode())
    except LookupError:
        raise OptionError(
            Option("encoding", encoding), " is unknown; use one such as 'utf-8', 'latin-1' or 'cp1252'"
        ) from None
    except UnicodeError as error:
        raise DataError(f"not in the encoding {encoding!r}: {error}") from None


def _refuse_null_characters(source: Source) -> None:
    """Refuse a file with a null character, as one in UTF-16 without a mark has at every second byte."""
    content = source.buffer()
    place = content.find(b"\0")
    if place < 0:
        return
    line = content[:place].count(b"\n") + 1
    says = f"line {line} has a null character"
    if encoding := _encoding_with_nulls(content[:4096]):
        raise DataError(f"{says}; a file in UTF-16 is read with ", Option("encoding", encoding))
    raise DataError(f"{says}, which no text file has")


def _encoding_with_nulls(head: bytes) -> str | None:
    """Return the kind of UTF-16 that a file begins with; None if its null characters are not those of text."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = head[::2].count(0), head[1::2].count(0)
    if 4 * max(even, odd) < len(head) or min(even, odd) * 8 > max(even, odd):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _separator_line(source: Source) -> str | None:
    """Return the separator that Excel names in a line of its own before the header, such as ``sep=;``."""
    with source.open() as file:
        found = _SEPARATOR_LINE.fullmatch(file.readline(16))
    return found[1].decode() if found else None


def _first_record(source: Source, separator: str | None, *, skipped: int) -> tuple[list[str], str]:
    """Return the cells of the first record, which can contain quoted newlines, and their separator."""
    try:
        with io.TextIOWrapper(source.open(), encoding="utf-8-sig", newline="") as lines:
            for _ in range(skipped):
                lines.readline()
            start = lines.readline()
            separator = separator or _sniff(start)
            record = next(csv.reader(_chain(start, lines), delimiter=separator), None)
    except UnicodeDecodeError:
        raise _utf8_error(source) from None
    except csv.Error as error:
        raise DataError(f"line 1: {_reason(str(error))}") from None
    if record is None:
        raise DataError("the file is empty")
    if record in ([], [""]):
        raise DataError("line 1 is empty; it should have the names of the columns")
    return record, separator


def _chain(start: str, rest: Iterable[str]) -> Iterator[str]:
    if start:
        yield start
        yield from rest


def _sniff(line: str) -> str:
    """Return the separator that is most frequent outside quotes; a comma if none occurs."""
    outside = "".join(line.split('"')[::2])
    return max(_SEPARATORS, key=outside.count)


def _parse(source: Source, form: _Form) -> pl.DataFrame:
    if _has_lone_carriage_returns(source) or not _quotes_are_regular(source, form.separator):
        return _parse_rewritten(source, form)
    try:
        frame = _parse_strictly(source.for_polars(), form)
    except DataError:
        # The csv module finds the line of the error, or can read what polars cannot.
        return _parse_rewritten(source, form)
    if frame.height == 0:
        return _parse_rewritten(source, form)
    if not _is_suspect(frame, source, form):
        return frame
    rows, blank = _check_lines(source, form)
    if rows == 0 or (rows != frame.height and form.width > 1):
        return _parse_rewritten(source, form)
    # In a file of one column a blank line is an empty cell.
    return _without_rows(frame, blank) if blank and form.width > 1 else frame


def _parse_rewritten(source: Source, form: _Form) -> pl.DataFrame:
    """Parse what the csv module reads, written anew."""
    return _parse_strictly(_rewrite(source, form), form._replace(skipped=0))


def _has_lone_carriage_returns(source: Source) -> bool:
    """Whether a carriage return stands without a line feed behind it: an end of a row that polars does not know."""
    content = source.buffer()
    place = content.find(b"\r")
    if place < 0:
        return False
    cells = np.frombuffer(content, dtype=np.uint8)
    for start in range(place, len(cells), _BYTES_A_PIECE):
        piece = cells[start : start + _BYTES_A_PIECE + 1]
        if ((piece[:-1] == _CARRIAGE_RETURN) & (piece[1:] != _LINE_FEED)).any():
            return True
    return bool(cells[-1] == _CARRIAGE_RETURN)


def _quotes_are_regular(source: Source, separator: str) -> bool:
    """Whether every quote opens a cell, closes it, or is doubled inside a quoted cell.

    polars drops text between a closing quote and the separator, and the last character of a cell that is not closed; it
    takes a quote inside an unquoted cell for an opening quote.
    """
    content = source.buffer()
    if content.find(_QUOTE) < 0:
        return True
    from climbfast_kernels.quotes import quotes_are_regular

    announce_compilation()
    begin = len(codecs.BOM_UTF8) if content[: len(codecs.BOM_UTF8)] == codecs.BOM_UTF8 else 0
    return bool(quotes_are_regular(np.frombuffer(content, dtype=np.uint8, offset=begin), ord(separator)))


def _is_suspect(frame: pl.DataFrame, source: Source, form: _Form) -> bool:
    """Whether a line may be short or blank, or the last line too long; only then a second pass is made."""
    # polars fills short lines with nulls, and drops a surplus empty cell at the end of the file.
    return frame.to_series(-1).null_count() > 0 or source.buffer()[-1:] == form.separator.encode()


def _parse_strictly(data: Path | bytes, form: _Form) -> pl.DataFrame:
    import polars as pl

    try:
        return pl.read_csv(
            data,
            # Numbers, not the names in the file: polars would rename duplicates, and would compare the names.
            schema=dict.fromkeys(map(str, range(form.width)), categorical()),
            has_header=False,
            skip_rows=form.skipped + int(form.header),
            separator=form.separator,
            glob=False,
        ).rechunk()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise DataError(escaped(str(error).strip().partition("\n")[0])) from None


def _is_empty(frame: pl.DataFrame, position: int) -> bool:
    distinct = frame.get_column(str(position)).drop_nulls().unique().to_list()
    return all(text == "" for text in distinct)


def _without_rows(frame: pl.DataFrame, rows: list[int]) -> pl.DataFrame:
    import polars as pl

    keep = np.ones(frame.height, dtype=np.bool_)
    keep[rows] = False
    return frame.filter(pl.Series(keep))


def _check_lines(source: Source, form: _Form) -> tuple[int, list[int]]:
    """Return the number of rows, and those that are blank lines; raise at the first line of another width."""
    if source.buffer().find(_QUOTE) >= 0:
        widths: Iterable[tuple[int, int]] = ((line, len(record)) for line, record in _records(source, form))
    else:
        widths = _widths(source, form)
    blank, row = [], -1
    for row, (line, width) in enumerate(widths, start=-int(form.header)):
        if not width:
            blank.append(row)
        elif width != form.width:
            raise _width_error(line, width, form.width)
    return row + 1, blank


def _widths(source: Source, form: _Form) -> Iterator[tuple[int, int]]:
    """Yield the line number and the number of cells of each line of a file without quotes."""
    separator = form.separator.encode()
    with source.open() as lines:
        for number, line in islice(enumerate(lines, start=1), form.skipped, None):
            yield number, line.count(separator) + 1 if line.rstrip(b"\r\n") else 0


def _records(source: Source, form: _Form) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each record of a file with quotes: exact, but much slower."""
    line = 1 + form.skipped
    try:
        with io.TextIOWrapper(source.open(), encoding="utf-8-sig", newline="") as lines:
            for _ in range(form.skipped):
                lines.readline()
            reader = csv.reader(lines, delimiter=form.separator, strict=True)
            for record in reader:
                yield line, record
                line = reader.line_num + 1 + form.skipped
    except UnicodeDecodeError:
        raise _utf8_error(source) from None
    except csv.Error as error:
        raise DataError(f"line {line}: {_reason(str(error))}") from None


def _reason(error: str) -> str:
    """Return an error of the csv module in plain words."""
    if "expected after" in error:
        return "a quoted cell with text after its closing quote, perhaps a blank"
    if "field limit" in error:
        return f"a cell of more than {csv.field_size_limit():,} characters, or a quoted cell that does not end"
    return f"a quoted cell that does not end ({error})"


def _rewrite(source: Source, form: _Form) -> bytes:
    """Return the file with regular quotes and line ends; raise at the first line of another width."""
    regular = io.StringIO()
    writer = csv.writer(regular, delimiter=form.separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
    rows = -int(form.header)
    for line, record in _records(source, form):
        if len(record) not in (0, form.width):
            raise _width_error(line, len(record), form.width)
        if record or form.width == 1:
            writer.writerow(record or [""])
            rows += 1
    if rows < 1:
        raise DataError("the file has a header and no rows" if form.header else "the file has no rows")
    return regular.getvalue().encode()


def _width_error(line: int, found: int, expected: int) -> DataError:
    return DataError(f"line {line} has {found} cells where the first line has {expected}")


def _utf8_error(source: Source) -> DataError:
    with source.open() as file:
        for number, line in enumerate(file, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                return DataError(
                    f"line {number}, byte {error.start + 1} is not UTF-8 ({line[error.start]:#04x}); name "
                    "the encoding of the file, such as ",
                    Option("encoding", "latin-1"),
                )
    return DataError("the file is not in UTF-8; name its encoding, such as ", Option("encoding", "latin-1"))
