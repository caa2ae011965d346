"""Files that are replaced whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["atomic_write", "check_writable"]


def check_writable(file: Path) -> None:
    """Make sure that a file can be written when its content is there, which may be in hours.

    Raises
    ------
    OSError
        If it is a directory, or nothing can be written beside it.
    """
    if file.is_dir():
        raise IsADirectoryError(None, "it is a directory")
    if not file.parent.is_dir():
        raise FileNotFoundError(None, f"the folder {file.parent} does not exist")
    with tempfile.TemporaryFile(dir=file.parent):
        pass


@contextmanager
def atomic_write(file: Path) -> Iterator[Path]:
    """Give a path beside the file to write to; at the end it takes the place of the file.

    A reader sees the old file or the new one, whole; after an exception the old one stays, and nothing else does.
    """
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(file)
    finally:
        with suppress(OSError):  # a folder that is none, or not ours: then there is no such file either
            part.unlink(missing_ok=True)
