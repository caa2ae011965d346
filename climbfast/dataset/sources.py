"""The file or stream that a table comes from: its path, its format, and its content if that is in memory."""

from __future__ import annotations

import glob
import gzip
import io
import mmap
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple

from climbfast.dataset.pipe_copies import copy_pipe, path_of_copy
from climbfast.errors import DataError, Legal, Option, OptionError
from climbfast.names import name_text

__all__ = [
    "FOREIGN_FORMATS",
    "FORMATS",
    "SHARE_OF_MEMORY",
    "TEXT_FORMATS",
    "PlacedError",
    "Source",
    "find_format",
    "find_paths",
    "open_source",
    "physical_memory",
    "place_of",
    "read_all",
]

_COMPRESSIONS = (".gz", ".zst")
_FORMAT_OF_SUFFIX = {
    ".csv": "csv", ".tsv": "tsv", ".txt": "txt", ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow",
    ".feather": "arrow", ".ipc": "arrow", ".arff": "arff", ".sav": "sav", ".zsav": "sav", ".dta": "dta",
    ".sas7bdat": "sas7bdat", ".rds": "rds", ".rda": "rds", ".rdata": "rds",
}  # fmt: skip
FORMATS = tuple(dict.fromkeys(_FORMAT_OF_SUFFIX.values()))
TEXT_FORMATS = ("csv", "tsv", "txt")
FOREIGN_FORMATS = ("sav", "dta", "sas7bdat", "rds")
_COMPRESSIBLE = (*TEXT_FORMATS, "arff")
_BYTES_A_PIECE = 1 << 20
SHARE_OF_MEMORY = 0.25  # that a content in memory may take: its codes are beside it
BYTES_OF_A_SHORT_PIPE = 1 << 24  # which stays in memory


class PlacedError(DataError):
    """An error of one of several files, whose message begins with that file."""


class Source(NamedTuple):
    """The path of a file, or the content of what can be read only once; and what a stream of it goes through.

    ``layers`` are functions that take a stream and return another one: they unpack a compressed file, and change its
    encoding. ``copy`` is the temporary file at this path, which exists as long as it is open.
    """

    path: Path
    content: bytes | None
    layers: tuple[Callable[[BinaryIO], io.RawIOBase], ...] = ()
    copy: IO[bytes] | None = None

    def through(self, layer: Callable[[BinaryIO], io.RawIOBase]) -> Source:
        """Return a source that is this one behind one more layer."""
        return self._replace(layers=(*self.layers, layer))

    def open(self) -> BinaryIO:
        """Open the content as a file."""
        return self._layered(self._bottom())

    @contextmanager
    def open_counted(self) -> Iterator[tuple[BinaryIO, Callable[[], int]]]:
        """Open the content as a file; yield also a function that returns how many of the bytes of ``size`` are read."""
        bottom = self._bottom()
        with self._layered(bottom) as file:
            yield file, bottom.tell

    def _bottom(self) -> BinaryIO:
        return self.path.open("rb") if self.content is None else io.BytesIO(self.content)

    def _layered(self, file: BinaryIO) -> BinaryIO:
        for layer in self.layers:
            file = io.BufferedReader(layer(file))
        return file

    def buffer(self) -> bytes | mmap.mmap:
        """Return the content, mapped into memory if it is a file.

        Raises
        ------
        DataError
            If a compressed file has too much content.
        """
        if self.layers:
            with self.open() as unpacked:
                return read_all(unpacked, "it unpacks to")
        if self.content is not None:
            return self.content
        with self.path.open("rb") as file:
            # An empty file has no memory map.
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if self.path.stat().st_size else b""

    def size(self) -> int:
        """Return the number of bytes; those of a compressed file as it is."""
        return self.path.stat().st_size if self.content is None else len(self.content)

    def for_polars(self) -> Path | bytes:
        """Return what polars reads."""
        return self.path if self.content is None else self.content


def place_of(path: Path) -> str:
    """Return a path as messages begin with it."""
    return f"{name_text(path)}: "


def find_paths(path: Any) -> list[Path]:
    """Return the files that a path, a pattern or a list of paths names; a path that exists is no pattern.

    Raises
    ------
    DataError
        If no file matches a pattern, and for a list that is empty or has a file twice.
    """
    if isinstance(path, (str, os.PathLike)):
        return _matching(Path(path))
    paths = [Path(each) for each in path]
    if not paths:
        raise DataError("no files to read: the list of paths is empty")
    if len(set(paths)) < len(paths):
        twice = next(each for each in paths if paths.count(each) > 1)
        raise DataError(f"{place_of(twice)}it is twice in the list of paths")
    return paths


def _matching(path: Path) -> list[Path]:
    text = str(path)
    if "\0" in text or not glob.has_magic(text) or os.path.lexists(path):
        return [path]
    matching = map(Path, glob.glob(text, recursive=True))  # noqa: PTH207  # Path.glob has no absolute patterns
    found = sorted(each for each in matching if not each.is_dir())
    if not found:
        raise DataError(f"{place_of(path)}there is no such file, and none that matches this pattern")
    return found


def find_format(path: Path, chosen: str | None) -> str:
    """Return the format of a file: the chosen one, else that of its suffix.

    Raises
    ------
    DataError
        If the file does not exist, or is nothing that can be read.
    OptionError
        If the format is unknown, or has to be chosen.
    """
    if chosen is not None and chosen not in FORMATS:
        raise OptionError(Option("format", chosen), " does not exist; use one of ", Legal(tuple(FORMATS), quoted=True))
    _refuse_what_is_no_file(path)
    suffix, compressed = _suffix(path)
    found = chosen or _FORMAT_OF_SUFFIX.get(suffix)
    if found is None:
        suffix_is = f"unknown suffix {suffix!r}" if suffix else "no suffix"
        known = f"{', '.join(_FORMAT_OF_SUFFIX)}, and text with {' or '.join(_COMPRESSIONS)} added"
        raise DataError(f"{suffix_is}; known are {known}; say what the file is, such as ", Option("format", "csv"))
    if compressed and found not in _COMPRESSIBLE:
        raise DataError(f"unknown suffix {suffix + path.suffix!r}; only text can be compressed")
    return found


def _suffix(path: Path) -> tuple[str, bool]:
    """Return the suffix of a file without that of its compression, and whether it is compressed."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compressed = bool(suffixes) and suffixes[-1] in _COMPRESSIONS
    return "".join(suffixes[-2:-1] if compressed else suffixes[-1:]), compressed


def _refuse_what_is_no_file(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        stdin = "; only the command line takes - for standard input" if str(path) == "-" else ""
        raise DataError(f"there is no such file{stdin}") from None
    except ValueError:  # a null character in the path
        raise DataError("a path cannot have a null character") from None
    kinds = {stat.S_IFDIR: "a directory", stat.S_IFSOCK: "a socket", stat.S_IFBLK: "a device"}
    kind = kinds.get(stat.S_IFMT(mode))
    if kind:
        raise DataError(f"{kind}, not a file")


def open_source(path: Path) -> Source:
    """Return a file as it is, or the content of what can be read only once: a long one of a pipe in a temporary file.

    Raises
    ------
    DataError
        For a content that takes too much memory or room, and for a compression that this Python does not know.
    """
    suffix = path.suffix.lower()
    layers = (_unpack_gzip,) if suffix == ".gz" else (_zstd_layer(),) if suffix == ".zst" else ()
    mode = path.stat().st_mode
    if stat.S_ISREG(mode) and (layers or _is_utf8(path)):
        return Source(path, None, layers)
    with path.open("rb") as file:
        if not stat.S_ISFIFO(mode):
            return Source(path, read_all(file, "it has"), layers)
        beginning = file.read(BYTES_OF_A_SHORT_PIPE)
        if len(beginning) < BYTES_OF_A_SHORT_PIPE:
            return Source(path, beginning, layers)
        copy = copy_pipe(beginning, file)
        return Source(path_of_copy(copy), None, layers, copy)


def _is_utf8(path: Path) -> bool:
    """Whether polars can open a path, which is text in UTF-8 there."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def physical_memory() -> int:
    """Return the bytes of memory of this machine; 8 GiB where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 8 << 30


class _UnpackedStream(io.RawIOBase):
    """The content of a compressed stream; damage is a DataError."""

    def __init__(self, packed: BinaryIO, unpacked: Any, kind: str, errors: tuple[type[Exception], ...]) -> None:
        self._packed, self._unpacked, self._kind, self._errors = packed, unpacked, kind, errors

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def readinto(self, memory: Any) -> int:
        """Read some bytes; none at the end."""
        try:
            return int(self._unpacked.readinto(memory))
        except self._errors as error:
            raise DataError(f"a damaged {self._kind} file: {error}") from None

    def close(self) -> None:
        """Close both streams."""
        self._unpacked.close()
        self._packed.close()
        super().close()


def _unpack_gzip(packed: BinaryIO) -> _UnpackedStream:
    errors = EOFError, gzip.BadGzipFile, zlib.error
    return _UnpackedStream(packed, gzip.GzipFile(fileobj=packed), "gzip", errors)


def _zstd_layer() -> Callable[[BinaryIO], _UnpackedStream]:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd  # not every Python is built with it
        else:
            from backports import zstd
    except ImportError:
        raise DataError("this Python has no zstd; decompress the file first") from None
    return lambda packed: _UnpackedStream(packed, zstd.ZstdFile(packed), "zstd", (EOFError, zstd.ZstdError))


def read_all(file: Any, it_has: str) -> bytes:
    """Read a stream piece by piece, up to the share of the memory that a content may take."""
    most = int(physical_memory() * SHARE_OF_MEMORY)
    content = io.BytesIO()  # a list of pieces would be held twice while they are joined
    while piece := file.read(_BYTES_A_PIECE):
        content.write(piece)
        if content.tell() > most:
            raise DataError(
                f"{it_has} more than {most / 2**30:.1f} GiB, {SHARE_OF_MEMORY:.0%} of the memory of this machine"
            )
    return content.getvalue()
