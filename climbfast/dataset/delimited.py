"""CSV and similar text files as columns of small integers and their distinct texts.

Kernels read the file piece by piece, strictly. This module handles the variants of such files: separators, byte order
marks, encodings and separators at the end of every line. What the kernels do not read, the csv module writes anew for
them, or it finds the line of the error.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import sys
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, BinaryIO, NamedTuple

from climbfast.dataset.options import check_names
from climbfast.dataset.reading_progress import count_bytes
from climbfast.dataset.sources import Source
from climbfast.dataset.text_columns import TextColumns, number_texts
from climbfast.dataset.text_pieces import IrregularTextError, PieceReader
from climbfast.dataset.waiting import raise_if_abandoned
from climbfast.errors import DataError, Option, OptionError

__all__ = ["TextTable", "read_delimited"]

_SEPARATORS = ",;\t|"
_SEPARATOR_LINE = re.compile(rb'(?:\xef\xbb\xbf)?"?sep=([!-~\t])"?\r?\n', re.IGNORECASE)
_BYTES_A_PIECE = 1 << 20


class TextTable(NamedTuple):
    """A text file: the names of its columns, and the texts of their cells.

    ``empty_last`` is the name of an empty last column that is left out because every line ends with a separator.
    """

    names: list[str]
    columns: TextColumns
    empty_last: str | None = None


class _Form(NamedTuple):
    """The form of a file according to its first line; ``skipped`` lines come before the first record."""

    separator: str
    header: bool
    width: int
    skipped: int = 0


def read_delimited(
    source: Source,
    *,
    separator: str | None,
    header: bool,
    encoding: str,
    tabs: bool = False,
    check: Callable[[Sequence[Hashable]], None] = check_names,
) -> TextTable:
    """Read every column of a text file as text; its separator is a tab by default where ``tabs`` is true.

    ``check`` refuses names.

    Raises
    ------
    DataError
        If the file is empty, not in the encoding, or not regular; the message gives the line.
    OptionError
        If the separator is not one ASCII character, or the encoding is unknown.
    """
    if separator is not None and (len(separator) != 1 or not separator.isascii() or separator in '"\r\n'):
        raise OptionError(Option("separator", separator), " does not exist; use one ASCII character")
    source = _decoded(source, encoding)
    try:
        return _read(source, separator, header=header, tabs=tabs, check=check)
    except DataError:
        # Null characters, and what is not in the encoding, explain every other error.
        _refuse_null_characters(source)
        raise


def _read(
    source: Source, separator: str | None, *, header: bool, tabs: bool, check: Callable[[Sequence[Hashable]], None]
) -> TextTable:
    named = _separator_line(source)
    separator = separator or named or ("\t" if tabs else None)
    first, separator = _first_record(source, separator, skipped=int(named is not None))
    names = [name if name and header else f"column_{i}" for i, name in enumerate(first, start=1)]
    check(names)
    form = _Form(separator, header, len(first), int(named is not None))
    columns = _number_texts(source, form)
    if form.width > 1 and not (header and first[-1]) and columns.is_empty(form.width - 1):
        return TextTable(names[:-1], columns, empty_last=names[-1])
    return TextTable(names, columns)


def _decoded(source: Source, encoding: str) -> Source:
    """Return the source in UTF-8."""
    try:
        if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
            return source
        codecs.getincrementaldecoder(encoding)
        b"".decode(encoding)  # of no text encodings, such as base64, there are decoders, too
    except LookupError:
        raise OptionError(
            Option("encoding", encoding), " is unknown; use one such as 'utf-8', 'latin-1' or 'cp1252'"
        ) from None
    except UnicodeError as error:
        raise DataError(f"not in the encoding {encoding!r}: {error}") from None
    return source.through(lambda file: _Utf8Stream(file, encoding, source.open))


class _Utf8Stream(io.RawIOBase):
    """A stream of text in some encoding as one in UTF-8."""

    def __init__(self, file: BinaryIO, encoding: str, reopen: Callable[[], BinaryIO]) -> None:
        self._file, self._encoding, self._reopen = file, encoding, reopen
        self._decoder: codecs.IncrementalDecoder | None = None
        self._left = b""

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def readinto(self, memory: Any) -> int:
        """Read some bytes; none at the end."""
        is_at_end = False
        while not self._left and not is_at_end:
            piece = self._file.read(_BYTES_A_PIECE)
            is_at_end = not piece
            self._decoder = self._decoder or _decoder(self._encoding, piece)
            try:
                self._left = self._decoder.decode(piece, is_at_end).encode()
            except UnicodeError:
                raise self._error() from None
        number = min(len(memory), len(self._left))
        memory[:number] = self._left[:number]
        self._left = self._left[number:]
        return number

    def _error(self) -> DataError:
        """Return the error with the place in the file, which the decoder of a part does not know."""
        try:
            with self._reopen() as file:
                file.read().decode(self._encoding).encode()
        except UnicodeError as error:
            return DataError(f"not in the encoding {self._encoding!r}: {error}")
        return DataError(f"not in the encoding {self._encoding!r}")

    def close(self) -> None:
        """Read no more; the file stays open."""
        self._file.close()
        super().close()


def _decoder(encoding: str, head: bytes) -> codecs.IncrementalDecoder:
    """Return a decoder of a file that begins with these bytes; without a byte order mark it has the machine's order."""
    name = codecs.lookup(encoding).name
    marks = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE
    if name in ("utf-16", "utf-32") and not head.startswith(marks):
        name += "-le" if sys.byteorder == "little" else "-be"
    return codecs.getincrementaldecoder(name)()


def _refuse_null_characters(source: Source) -> None:
    """Refuse a file with a null character, as one in UTF-16 without a mark has at every second byte."""
    head, line, found = b"", 1, 0
    with source.open() as file:
        while piece := file.read(_BYTES_A_PIECE):  # to the end, where damage and what is not in the encoding are found
            raise_if_abandoned()
            head = head or piece[:4096]
            place = -1 if found else piece.find(b"\0")
            if place >= 0:
                found = line + piece[:place].count(b"\n")
            line += piece.count(b"\n")
    if not found:
        return
    says = f"line {found} has a null character"
    if encoding := _encoding_with_nulls(head):
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


def _number_texts(source: Source, form: _Form) -> TextColumns:
    try:
        columns = _number_regular_texts(source, form)
    except IrregularTextError:
        _refuse_null_characters(source)
        columns = None
    if columns is None or columns.rows == 0:
        return _number_rewritten_texts(source, form)
    if not columns.is_utf8():
        raise _utf8_error(source)
    return columns


class _Counter:
    """Counts the bytes of a file for the progress, while its pieces are read."""

    def __init__(self, place: Callable[[], int], size: int) -> None:
        self._place, self._size, self._counted = place, max(size, 1), 0

    def share(self) -> float:
        """Return the share of the file that is read."""
        return self._place() / self._size

    def after_pieces(self) -> None:
        """Count what is read."""
        raise_if_abandoned()
        place = self._place()
        count_bytes(place - self._counted)
        self._counted = place

    def begin_again(self) -> None:
        """Count nothing, because the file will be read from its start again."""
        count_bytes(-self._counted)


def _number_regular_texts(source: Source, form: _Form) -> TextColumns:
    with source.open_counted() as (file, place):
        reader = PieceReader(file, form.separator, mark=codecs.BOM_UTF8, lines=form.skipped, records=int(form.header))
        counter = _Counter(place, source.size())
        try:
            return _number(reader, form, counter, source.size())
        except IrregularTextError:
            counter.begin_again()
            raise


def _number_rewritten_texts(source: Source, form: _Form) -> TextColumns:
    """Number what the csv module reads, written anew."""
    with source.open_counted() as (file, place), closing(_RegularText(file, source, form)) as text:
        reader = PieceReader(text, form.separator, is_regular=True)
        return _number(reader, form, _Counter(place, source.size()), source.size())


def _number(reader: PieceReader, form: _Form, counter: _Counter, size: int) -> TextColumns:
    return number_texts(
        reader, form.width, form.separator, share_read=counter.share, size=max(size, 1),
        after_pieces=counter.after_pieces,
    )  # fmt: skip


class _RegularText(io.RawIOBase):
    """The rows of a text file with regular quotes and line ends; an error at the first line of another width."""

    def __init__(self, file: BinaryIO, source: Source, form: _Form) -> None:
        self._records, self._form = _records(file, source, form), form
        self._rows = -int(form.header)
        self._left = memoryview(b"")
        self.is_at_end = False

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def readinto(self, memory: Any) -> int:
        """Read some bytes; none at the end."""
        while not self._left and not self.is_at_end:
            self._left = memoryview(self._write())
        number = min(len(memory), len(self._left))
        memory[:number] = self._left[:number]
        self._left = self._left[number:]
        return number

    def _write(self) -> bytes:
        """Return some rows; raise at a line of another width, and at the end if there was no row."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=self._form.separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
        width = self._form.width
        for line, record in self._records:
            if len(record) not in (0, width):
                raise _width_error(line, len(record), width)
            if record or width == 1:
                if self._rows >= 0:
                    writer.writerow(record or [""])
                self._rows += 1
            if text.tell() >= _BYTES_A_PIECE:
                return text.getvalue().encode()
        self.is_at_end = True
        if self._rows < 1:
            raise DataError("the file has a header and no rows" if self._form.header else "the file has no rows")
        return text.getvalue().encode()

    def close(self) -> None:
        """Read no more; the file stays open."""
        self._records.close()
        super().close()


def _records(file: BinaryIO, source: Source, form: _Form) -> Generator[tuple[int, list[str]], None, None]:
    """Yield the line number and the cells of each record of an open source: exact, but slower than the kernels."""
    line = 1 + form.skipped
    lines = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
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
    finally:
        lines.detach()  # it would close the file, whose place is still asked for


def _reason(error: str) -> str:
    """Return an error of the csv module in plain words."""
    if "expected after" in error:
        return "a quoted cell with text after its closing quote, perhaps a blank"
    if "field limit" in error:
        return f"a cell of more than {csv.field_size_limit():,} characters, or a quoted cell that does not end"
    return f"a quoted cell that does not end ({error})"


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
