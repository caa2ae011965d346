"""The file or stream that a table comes from: its path, its format, and its content if that is in memory."""

from __future__ import annotations

import gzip
import io
import mmap
import os
import stat
import sys
import zlib
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from climbfast.errors import DataError, Option, OptionError
from climbfast.names import name_text

__all__ = [
    "FORMATS",
    "SHARE_OF_MEMORY",
    "TEXT_FORMATS",
    "Source",
    "find_format",
    "open_source",
    "physical_memory",
    "place_of",
    "read_all",
]

_COMPRESSIONS = (".gz", ".zst")
_FORMAT_OF_SUFFIX = {
    ".csv": "csv", ".tsv": "tsv", ".txt": "txt", ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow",
    ".feather": "arrow", ".ipc": "arrow",
}  # fmt: skip
FORMATS = tuple(dict.fromkeys(_FORMAT_OF_SUFFIX.values()))
TEXT_FORMATS = ("csv", "tsv", "txt")
_BYTES_A_PIECE = 1 << 24
SHARE_OF_MEMORY = 0.25  # that a content in memory may take: it is held twice for a moment, and its codes beside it


class Source(NamedTuple):
    """The path of a file that a library can read directly, or the content of any other source."""

    path: Path
    content: bytes | None

    def open(self) -> BinaryIO:
        """Open the content as a file."""
        return self.path.open("rb") if self.content is None else io.BytesIO(self.content)

    def buffer(self) -> bytes | mmap.mmap:
        """Return the content, mapped into memory if it is a file."""
        if self.content is not None:
            return self.content
        with self.path.open("rb") as file:
            # An empty file has no memory map.
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if self.path.stat().st_size else b""

    def size(self) -> int:
        """Return the number of bytes."""
        return self.path.stat().st_size if self.content is None else len(self.content)

    def for_polars(self) -> Path | bytes:
        """Return what polars reads."""
        return self.path if self.content is None else self.content


def place_of(path: Path) -> str:
    """Return a path as messages begin with it."""
    return f"{name_text(path)}: "


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
        raise OptionError(Option("format", chosen), f" is not an option; use one of {', '.join(map(repr, FORMATS))}")
    _refuse_what_is_no_file(path)
    suffix, compressed = _suffix(path)
    found = chosen or _FORMAT_OF_SUFFIX.get(suffix)
    if found is None:
        suffix_is = f"unknown suffix {suffix!r}" if suffix else "no suffix"
        known = f"{', '.join(_FORMAT_OF_SUFFIX)}, and text with {' or '.join(_COMPRESSIONS)} added"
        raise DataError(f"{suffix_is}; known are {known}; say what the file is, such as ", Option("format", "csv"))
    if compressed and found not in TEXT_FORMATS:
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
        raise DataError("there is no such file") from None
    except ValueError:  # a null character in the path
        raise DataError("a path cannot have a null character") from None
    kinds = {stat.S_IFDIR: "a directory", stat.S_IFSOCK: "a socket", stat.S_IFBLK: "a device"}
    kind = kinds.get(stat.S_IFMT(mode))
    if kind:
        raise DataError(f"{kind}, not a file")


def open_source(path: Path) -> Source:
    """Return a file as it is, or the content of what is compressed or can be read only once, such as a pipe.

    Raises
    ------
    DataError
        For damaged compression, and for a content that takes too much memory.
    """
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return Source(path, _read_gzip(path))
    if suffix == ".zst":
        return Source(path, _read_zstd(path))
    if stat.S_ISREG(path.stat().st_mode) and _is_utf8(path):
        return Source(path, None)
    with path.open("rb", buffering=0) as file:
        return Source(path, read_all(file, "it has"))


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


def _read_gzip(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            return read_all(file, "it unpacks to")
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"a damaged gzip file: {error}") from None


def _read_zstd(path: Path) -> bytes:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd  # not every Python is built with it
        else:
            from backports import zstd
    except ImportError:
        raise DataError("this Python has no zstd; decompress the file first") from None
    try:
        with zstd.open(path) as file:
            return read_all(file, "it unpacks to")
    except (EOFError, zstd.ZstdError) as error:
        raise DataError(f"a damaged zstd file: {error}") from None


def read_all(file: Any, it_has: str) -> bytes:
    """Read a stream piece by piece, up to the share of the memory that a content may take."""
    most = int(physical_memory() * SHARE_OF_MEMORY)
    pieces: list[bytes] = []
    size = 0
    while piece := file.read(_BYTES_A_PIECE):
        size += len(piece)
        if size > most:
            raise DataError(
                f"{it_has} more than {most / 2**30:.1f} GiB, {SHARE_OF_MEMORY:.0%} of the memory of this machine"
            )
        pieces.append(piece)
    return b"".join(pieces)
