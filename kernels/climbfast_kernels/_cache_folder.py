"""The private folder of the compiled kernels: ``<user cache>/climbfast/<hash of what the machine code depends on>``.

numba's own cache checks only the file of the function itself: after an edit in another file that the function calls,
or an upgrade of numba, the old machine code would stay in use without any warning. Therefore the hash is that of all
kernel sources and of the versions of numba and llvmlite.

What lies in the cache is unpickled, which can run any code. So the folder has to be ours alone: owned by this user,
mode 0700, no link. What cannot be loaded or saved there is compiled again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba

_CONFIG: Any = numba.config
# Code that calls Intel's vector functions (SVML) would end a process where they are not installed.
_SETTINGS = ("USING_SVML", "OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")


def hash_of_sources() -> str:
    """Return a hash of all kernel sources."""
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()


def version_of_kernels() -> str:
    """Return a hash of all kernel sources, of the versions of the compilers and of how they compile."""
    versions = hash_of_sources(), numba.__version__, llvmlite.__version__
    settings = [getattr(_CONFIG, name, None) for name in _SETTINGS]
    return hashlib.blake2b(repr((versions, settings)).encode(), digest_size=8).hexdigest()


def cache_directory() -> Path:
    """Return the directory of the compiled kernels: one for each version of the sources and of the compilers."""
    return _user_cache() / "climbfast" / version_of_kernels()


def _user_cache() -> Path:
    # platformdirs would return the same, but the kernels import only numpy and numba.
    if chosen := os.environ.get("CLIMBFAST_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local)
    try:
        home = Path.home()
    except RuntimeError:  # neither HOME nor a password entry
        return Path(tempfile.gettempdir()) / f"climbfast-{os.geteuid() if hasattr(os, 'geteuid') else 'cache'}"
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")


@cache
def private_cache() -> Path | None:
    """Return the directory of the compiled kernels, made if need be; None and one warning if it is not ours alone."""
    directory = cache_directory()
    try:
        _user_cache().mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (_user_cache(), directory.parent, directory):
            folder.mkdir(exist_ok=True, mode=0o700)
            _check_private(folder, shared=folder == _user_cache())
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except OSError as error:
        warn_of_cache(directory, error)
        return None


def _check_private(folder: Path, *, shared: bool) -> None:
    """Refuse a folder into which another user could put files; make one of ours private.

    A ``shared`` folder, or a link to it, may be the administrator's: it is enough that others cannot rename or replace
    it or what is in it.
    """
    if not hasattr(os, "geteuid"):  # Windows, where the folder lies in the user's profile
        return
    found = folder.stat() if shared else folder.lstat()
    writable_by_others = bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    if shared:
        if {found.st_uid, folder.lstat().st_uid} - {0, os.geteuid()} or (
            writable_by_others and not found.st_mode & stat.S_ISVTX
        ):
            raise PermissionError(None, f"other users can replace files in {folder}")
        return
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(None, f"{folder} is a link or no folder")
    if found.st_uid != os.geteuid():
        raise PermissionError(None, f"{folder} belongs to another user")
    if writable_by_others:
        raise PermissionError(None, f"other users can write to {folder}")
    if stat.S_IMODE(found.st_mode) != 0o700:
        folder.chmod(0o700)


_warned_of_cache = False


def warn_of_cache(directory: Path, error: Exception) -> None:
    global _warned_of_cache
    if _warned_of_cache:
        return
    _warned_of_cache = True
    reason = getattr(error, "strerror", None) or error
    warnings.warn(
        f"compiled kernels cannot be kept in {directory} ({reason}); each process compiles them again. "
        "Set CLIMBFAST_CACHE_DIR to a writable folder of your own.",
        RuntimeWarning,
        stacklevel=2,
    )
