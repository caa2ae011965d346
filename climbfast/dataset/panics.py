"""Errors and panics of polars, as messages tell of them.

The threads of polars write each panic to standard error, although Python gets it as an exception. Nothing but the file
descriptor can be changed about that. So during a read standard error goes to a temporary file, and what is in it then
goes to standard error, without the panics.
"""

from __future__ import annotations

import os
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from climbfast.names import escaped

__all__ = ["reason_of", "without_panics"]

_STANDARD_ERROR = 2
_PANIC = re.compile(rb"\n?thread '[^\n]* panicked at .*?(?:\nnote: [^\n]*(?:\n|\Z)|\Z)", re.DOTALL)
_INSIDE_OF_A_PROGRAM = re.compile(r"::|[{}]")
_SECONDS_OF_A_WRITE = 0.001
_one_at_a_time = threading.Lock()


def reason_of(error: BaseException) -> str:
    """Return a colon and what an error says, to end a message; nothing if that shows the inside of a program."""
    line = (str(error).strip().splitlines() or [""])[0]
    return "" if not line or _INSIDE_OF_A_PROGRAM.search(line) else f": {escaped(line[:200])}"


@contextmanager
def without_panics() -> Iterator[Callable[[], None]]:
    """Keep panics from standard error; yield a function that shows at once what else was written there.

    A thread that reads while another one does is covered by that one.
    """
    if not hasattr(os, "pread") or not _one_at_a_time.acquire(blocking=False):
        yield lambda: None
        return
    detour = None
    try:
        with suppress(OSError):  # no temporary folder, or standard error is closed: panics are shown
            detour = _Detour()
        yield detour.forward if detour else lambda: None
    finally:
        if detour:
            detour.end()
        _one_at_a_time.release()


class _Detour:
    """Standard error on its way through a file."""

    def __init__(self) -> None:
        self.file = _new_file()
        self.place = 0
        self.before = os.dup(_STANDARD_ERROR)
        os.dup2(self.file.fileno(), _STANDARD_ERROR)

    def forward(self) -> None:
        """Write what has come since the last time, unless a panic is in it."""
        text = self._new_text()
        if _PANIC.search(text):
            self.place -= len(text)
        else:
            self._write(text)

    def end(self) -> None:
        """Give standard error back, and write what is left, without panics."""
        os.dup2(self.before, _STANDARD_ERROR)
        text = self._new_text()
        self._write(_PANIC.sub(b"", text))
        if text and threading.active_count() > 1:  # what another thread was writing at this moment
            time.sleep(_SECONDS_OF_A_WRITE)
            self._write(_PANIC.sub(b"", self._new_text()))
        os.close(self.before)
        self.file.close()

    def _new_text(self) -> bytes:
        # pread, because the file has one position, which is that of the next text.
        text = os.pread(self.file.fileno(), os.fstat(self.file.fileno()).st_size - self.place, self.place)
        self.place += len(text)
        return text

    def _write(self, text: bytes) -> None:
        with suppress(OSError), open(self.before, "wb", closefd=False) as stream:
            stream.write(text)


def _new_file() -> IO[bytes]:
    if hasattr(os, "memfd_create"):  # needs no temporary folder
        return os.fdopen(os.memfd_create("climbfast"), "w+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)
