"""CSV and similar text files as a frame of text.

polars parses the file, strictly. This module handles the variants of such files: separators, byte order marks,
encodings, blank lines and separators at the end of every line. It also finds the line of an error.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import mmap
import os
import re
import sys
import warnings
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from climbfast.compiling import announce_compilation
from climbfast.dataset.options import check_names
from climbfast.dataset.texts import categorical
from climbfast.errors import ClimbfastWarning, DataError, Option, OptionError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TextTable", "read_delimited"]

_SEPARATORS = ",;\t|"
_QUOTE = b'"'
_SEPARATOR_LINE = re.compile(rb'(?:\xef\xbb\xbf)?"?sep=([!-~\t])"?\r?\n', re.IGNORECASE)
_BYTES_A_PIECE = 1 << 24
SHARE_OF_MEMORY = 0.25  # that an unpacked text may take: it is held twice for a moment, and its codes beside it
_LINE_FEED, _CARRIAGE_RETURN = 10, 13


class TextTable(NamedTuple):
    """A text file: the names of its columns, and a frame of categorical columns named "0", "1", ..."""

    names: list[str]
    frame: pl.DataFrame


class _Source(NamedTuple):
    """The path of a file that polars can read directly, or the decoded content of another file."""

    path: Path
    content: bytes | None

    def open(self) -> BinaryIO:
        return self.path.open("rb") if self.content is None else io.BytesIO(self.content)

    def buffer(self) -> bytes | mmap.mmap:
        if self.content is not None:
            return self.content
        with self.path.open("rb") as file:
            # An empty file has no memory map.
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if self.path.stat().st_size else b""

    def for_polars(self) -> Path | bytes:
        return self.path if self.content is None else self.content


class _Form(NamedTuple):
    """The form of a file according to its first line; ``skipped`` lines come before the first record."""

    separator: str
    header: bool
    width: int
    skipped: int = 0


def read_delimited(path: Path, *, separator: str | None, header: bool, encoding: str) -> TextTable:
    """Read every column of a text file as text.

    Raises
    ------
    DataError
        If the file is empty, not in the encoding, or not regular; the message gives the line.
    OptionError
        If the separator is not one ASCII character, or the encoding is unknown.
    """
    if separator is not None and (len(separator) != 1 or not separator.isascii() or separator in '"\r\n'):
        raise OptionError(Option("separator", separator), " is not an option; use one ASCII character")
    source = _source(path, encoding)
    _refuse_null_characters(source)
    named = _separator_line(source)
    separator = separator or named or ("\t" if ".tsv" in path.name.lower() else None)
    first, separator = _first_record(source, separator, skipped=int(named is not None))
    names = [name if name and header else f"column_{i}" for i, name in enumerate(first, start=1)]
    check_names(names)
    form = _Form(separator, header, len(first), int(named is not None))
    frame = _parse(source, form)
    if form.width > 1 and not (header and first[-1]) and _is_empty(frame, form.width - 1):
        warnings.warn(
            f"every line ends with a separator; the empty last column {names[-1]!r} is left out",
            ClimbfastWarning,
            stacklevel=3,
        )
        return TextTable(names[:-1], frame.drop(str(form.width - 1)))
    return TextTable(names, frame)


def _source(path: Path, encoding: str) -> _Source:
    content = _decompress(path)
    try:
        if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
            return _Source(path, content)
        raw = path.read_bytes() if content is None else content
        return _Source(path, raw.decode(encoding).encode())
    except LookupError:
        raise OptionError(
            Option("encoding", encoding), " is unknown; use one such as 'utf-8', 'latin-1' or 'cp1252'"
        ) from None
    except UnicodeError as error:
        raise DataError(f"not in the encoding {encoding!r}: {error}") from None


def physical_memory() -> int:
    """Return the bytes of memory of this machine; 8 GiB where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 8 << 30


def _decompress(path: Path) -> bytes | None:
    suffix = path.suffix.lower()
    try:
        if suffix == ".gz":
            with gzip.open(path) as file:
                return _unpack(file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"a damaged gzip file: {error}") from None
    return _decompress_zstd(path) if suffix == ".zst" else None


def _decompress_zstd(path: Path) -> bytes:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd  # not every Python is built with it
        else:
            from backports import zstd
    except ImportError:
        raise DataError("this Python has no zstd; decompress the file first") from None
    try:
        with zstd.open(path) as file:
            return _unpack(file)
    except (EOFError, zstd.ZstdError) as error:
        raise DataError(f"a damaged zstd file: {error}") from None


def _unpack(file: Any) -> bytes:
    """Read a compressed file piece by piece, up to the share of the memory that a text may take."""
    most = int(physical_memory() * SHARE_OF_MEMORY)
    pieces: list[bytes] = []
    size = 0
    while piece := file.read(_BYTES_A_PIECE):
        size += len(piece)
        if size > most:
            raise DataError(
                f"it unpacks to more than {most / 2**30:.1f} GiB, {SHARE_OF_MEMORY:.0%} of the memory of this machine"
            )
        pieces.append(piece)
    return b"".join(pieces)


def _refuse_null_characters(source: _Source) -> None:
    """Refuse a file with a null character, as one in UTF-16 without a mark has at every second byte."""
    content = source.buffer()
    place = content.find(b"\0")
    if place < 0:
        return
    head = content[:4096]
    marked = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    likely = "utf-16" if marked else "utf-16-be" if head[::2].count(0) > head[1::2].count(0) else "utf-16-le"
    line = content[:place].count(b"\n") + 1
    raise DataError(f"line {line} has a null character; a file in UTF-16 is read with ", Option("encoding", likely))


def _separator_line(source: _Source) -> str | None:
    """Return the separator that Excel names in a line of its own before the header, such as ``sep=;``."""
    with source.open() as file:
        found = _SEPARATOR_LINE.fullmatch(file.readline(16))
    return found[1].decode() if found else None


def _first_record(source: _Source, separator: str | None, *, skipped: int) -> tuple[list[str], str]:
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


def _parse(source: _Source, form: _Form) -> pl.DataFrame:
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


def _parse_rewritten(source: _Source, form: _Form) -> pl.DataFrame:
    """Parse what the csv module reads, written anew."""
    return _parse_strictly(_rewrite(source, form), form._replace(skipped=0))


def _has_lone_carriage_returns(source: _Source) -> bool:
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


def _quotes_are_regular(source: _Source, separator: str) -> bool:
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


def _is_suspect(frame: pl.DataFrame, source: _Source, form: _Form) -> bool:
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
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(str(error).strip().partition("\n")[0]) from None


def _is_empty(frame: pl.DataFrame, position: int) -> bool:
    distinct = frame.get_column(str(position)).drop_nulls().unique().to_list()
    return all(text == "" for text in distinct)


def _without_rows(frame: pl.DataFrame, rows: list[int]) -> pl.DataFrame:
    import polars as pl

    keep = np.ones(frame.height, dtype=np.bool_)
    keep[rows] = False
    return frame.filter(pl.Series(keep))


def _check_lines(source: _Source, form: _Form) -> tuple[int, list[int]]:
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


def _widths(source: _Source, form: _Form) -> Iterator[tuple[int, int]]:
    """Yield the line number and the number of cells of each line of a file without quotes."""
    separator = form.separator.encode()
    with source.open() as lines:
        for number, line in islice(enumerate(lines, start=1), form.skipped, None):
            yield number, line.count(separator) + 1 if line.rstrip(b"\r\n") else 0


def _records(source: _Source, form: _Form) -> Iterator[tuple[int, list[str]]]:
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


def _rewrite(source: _Source, form: _Form) -> bytes:
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


def _utf8_error(source: _Source) -> DataError:
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
