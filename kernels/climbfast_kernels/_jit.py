"""The decorators of the kernels, their compilation flags, and a cache that is keyed by all kernel sources.

numba's own cache checks only the file of the function itself: after an edit in another file that the function calls,
or an upgrade of numba, the old machine code would stay in use without any warning. Therefore the kernels are cached
under ``<user cache>/climbfast/<hash of all kernel sources and numba's version>``. The directory is set only while the
decorators run; functions of the user keep the cache that the user chose.

numba unpickles what lies in the cache, which can run any code. So the folder has to be ours alone: owned by this user,
mode 0700, no link. What cannot be loaded or saved there is compiled again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event
from numba.core.caching import FunctionCache

F = TypeVar("F", bound=Callable[..., Any])


def cache_directory() -> Path:
    """Return the directory of the compiled kernels: one for each version of the sources and of numba."""
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    digest.update(numba.__version__.encode())
    return _user_cache() / "climbfast" / digest.hexdigest()


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


def _private_cache() -> Path | None:
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
        _warn_of_cache(directory, error)
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


def _warn_of_cache(directory: Path, error: Exception) -> None:
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


_CONFIG: Any = numba.config
INTERPRETED: bool = bool(_CONFIG.DISABLE_JIT)
CACHE: Path | None = None if INTERPRETED else _private_cache()


@contextmanager
def _numba_cache_in(directory: Path) -> Iterator[None]:
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        _CONFIG.CACHE_DIR = before


def kernel(function: F) -> F:
    """Compile a kernel: it releases the GIL, divides as numpy does and uses no fastmath; joblib runs the threads."""
    return _compile(function, {})


def leaf(function: F) -> F:
    """Compile a kernel without reference counting. It may neither create nor return arrays; its caller owns them.

    Counting costs one atomic operation for each array at every call, and more for tuples of arrays: this took most of
    the time of a test of two binary columns.
    """
    return _compile(function, {"_nrt": False})


def inlined(function: F) -> F:
    """Compile a leaf that LLVM inlines: passing its arrays (some 200 machine words) took half the time of a test."""
    return _compile(function, {"_nrt": False, "forceinline": True})


def spliced(function: F) -> F:
    """Insert a function into its only caller; compiled separately, it and all that it calls would be compiled twice."""
    return _compile(function, {"inline": "always"})


# no_cfunc_wrapper: no C code calls a kernel, and the wrapper for such calls takes a second to compile.
_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def _compile(function: F, options: dict[str, Any]) -> F:
    if INTERPRETED:
        return function
    dispatcher = numba.njit(**_FLAGS, **options)(function)
    if CACHE is not None:
        with _numba_cache_in(CACHE):
            dispatcher._cache = _KernelCache(function)  # type: ignore[no-untyped-call]
    return cast(F, dispatcher)


class _KernelCache(FunctionCache):
    """numba's cache of one function, in which a damaged file or a full disk only means to compile again."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # unpickling what is damaged may raise anything
            self._forget()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except Exception as error:
            self._forget()
            _warn_of_cache(Path(self.cache_path), error)

    def _forget(self) -> None:
        with suppress(OSError):
            self.flush()  # type: ignore[no-untyped-call]


class _FirstCompilation(event.Listener):
    """Call back when the first kernel is compiled, and not when a kernel is loaded from the cache."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback: Callable[[], None] | None = callback

    def on_start(self, event: Any) -> None:
        module = event.data["dispatcher"].py_func.__module__  # None for a function made by exec
        if self._callback is None or not str(module).startswith(__package__):
            return
        callback, self._callback = self._callback, None
        callback()

    def on_end(self, event: Any) -> None:
        pass


def on_first_compilation(callback: Callable[[], None]) -> None:
    """Call ``callback`` once, when the first kernel of this process has to be compiled."""
    if not INTERPRETED:
        event.register("numba:compile", _FirstCompilation(callback))  # type: ignore[no-untyped-call]
