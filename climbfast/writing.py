"""Files that are replaced whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["replacing"]


@contextmanager
def replacing(file: Path) -> Iterator[Path]:
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
