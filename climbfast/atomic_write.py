"""Files that are replaced completely or not at all."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

__all__ = ["atomic_write", "check_writable"]


def check_writable(file: Path) -> None:
    """Check that a file can be written, before the hours of work that produce its content.

    Raises
    ------
    OSError
        If it is a directory, is read-only, has too long a name, or no file can be written next to it.
    """
    status = _status(file)
    if status is not None and not os.access(file, os.W_OK):
        raise PermissionError(None, "it is read-only")
    if _is_written_in_place(file, status):
        return
    folder = _target(file).parent
    if not folder.is_dir():
        raise FileNotFoundError(None, f"the folder {folder} does not exist")
    with tempfile.TemporaryFile(dir=folder):
        pass


@contextmanager
def atomic_write(file: Path) -> Iterator[IO[bytes]]:
    """Yield a new binary file in the folder of ``file``; at the end the new file replaces ``file``.

    A reader sees the complete old file or the complete new one. After an exception the old file stays, and the new
    file is deleted. Links are followed, and the new file has the mode and the owner of the old one. What is not a
    regular file, such as a named pipe or a device, is written directly.

    Raises
    ------
    OSError
        If ``file`` is a directory or cannot be written.
    """
    status = _status(file)
    if _is_written_in_place(file, status):
        with file.open("wb") as out:
            yield out
        return
    target = _target(file)
    # Nobody can guess the name, and an existing file or link of this name is an error, never followed.
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    number = os.open(part, flags, 0o666 if status is None else stat.S_IMODE(status.st_mode) & 0o666)
    try:
        with os.fdopen(number, "wb") as out:
            if status is not None and hasattr(os, "fchown"):
                with suppress(OSError):  # only the administrator can give a file away
                    os.fchown(number, status.st_uid, status.st_gid)
                os.fchmod(number, stat.S_IMODE(status.st_mode))
            yield out
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _status(file: Path) -> os.stat_result | None:
    """Return the status of an existing file, links followed, and None of a new one."""
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(None, "it is a directory")
    return status


def _is_written_in_place(file: Path, status: os.stat_result | None) -> bool:
    """Whether this is a pipe or a device, or a file that another program holds open, such as ``/dev/stdout``."""
    if status is None:
        return False
    return not stat.S_ISREG(status.st_mode) or str(file.absolute()).startswith(("/dev/", "/proc/"))


def _target(file: Path) -> Path:
    """Return the file behind all links."""
    return Path(os.path.realpath(file))
