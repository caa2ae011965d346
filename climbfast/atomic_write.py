"""Files that are replaced completely or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["atomic_write", "check_writable"]


def check_writable(file: Path) -> None:
    """Check that a file can be written, before the hours of work that produce its content.

    Raises
    ------
    OSError
        If it is a directory, or no file can be written next to it.
    """
    if file.is_dir():
        raise IsADirectoryError(None, "it is a directory")
    if not file.parent.is_dir():
        raise FileNotFoundError(None, f"the folder {file.parent} does not exist")
    with tempfile.TemporaryFile(dir=file.parent):
        pass


@contextmanager
def atomic_write(file: Path) -> Iterator[Path]:
    """Yield the path of a new file next to ``file``; at the end the new file replaces ``file``.

    A reader sees the complete old file or the complete new one. After an exception the old file stays, and the new
    file is deleted.
    """
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(file)
    finally:
        with suppress(OSError):  # a folder that does not exist or is not accessible: then there is no new file
            part.unlink(missing_ok=True)
