"""A copy of what comes through a pipe in a temporary file: a text is read more than once, and is larger than its codes.

Where there is /proc, the file has no name, so that nothing is left of it whatever ends the process. Elsewhere it is
deleted when it is closed, as at Ctrl-C.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import IO

from climbfast.dataset.reading_progress import count_bytes, expect_bytes
from climbfast.errors import DataError
from climbfast.names import name_text

__all__ = ["copy_pipe", "path_of_copy"]

SHARE_OF_ROOM = 0.5  # of what is free where temporary files are, that a copy may take
_DESCRIPTORS = Path("/proc/self/fd")
_BYTES_A_PIECE = 1 << 20


def copy_pipe(beginning: bytes, rest: IO[bytes]) -> IO[bytes]:
    """Return a temporary file of a pipe of which the beginning is read; it exists as long as it is open.

    Raises
    ------
    DataError
        If there is no room for it.
    """
    try:
        folder = tempfile.gettempdir()
        most = int(shutil.disk_usage(folder).free * SHARE_OF_ROOM)
        # The caller reads the copy, so it stays open: no context manager.
        copy = tempfile.TemporaryFile() if _DESCRIPTORS.exists() else tempfile.NamedTemporaryFile()  # noqa: SIM115
    except OSError as error:
        raise DataError(f"it is long, and there is no folder for a temporary file of it: {error.strerror}") from None
    try:
        _write(copy, beginning, rest, folder, most)
    except BaseException:
        copy.close()
        raise
    return copy


def _write(copy: IO[bytes], piece: bytes, rest: IO[bytes], folder: str, most: int) -> None:
    size = 0
    while piece:
        size += len(piece)
        if size > most:
            raise DataError(
                f"it has more than {most / 2**30:.1f} GiB, {SHARE_OF_ROOM:.0%} of the room in {name_text(folder)}, "
                "where it is kept while it is read; set TMPDIR to a folder with more, or write it into a file first"
            )
        copy.write(piece)
        count_bytes(len(piece))
        piece = rest.read(_BYTES_A_PIECE)
    copy.flush()
    count_bytes(-size)  # it is read from its beginning now
    expect_bytes(size)


def path_of_copy(copy: IO[bytes]) -> Path:
    """Return the path by which the file can be opened as long as it is open."""
    return _DESCRIPTORS / str(copy.fileno()) if _DESCRIPTORS.exists() else Path(copy.name)
