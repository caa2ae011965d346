"""Standard input as a file, which is what readers take."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["standard_input"]

_DEVICE = Path("/dev/stdin")


@contextmanager
def standard_input() -> Iterator[Path]:
    """Yield the path of standard input; where the system has none, as on Windows, that of a copy in a file."""
    if _DEVICE.exists() or sys.stdin is None:
        yield _DEVICE
        return
    # An open memory map keeps a file on Windows from being deleted.
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder, "standard-input")
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield path
