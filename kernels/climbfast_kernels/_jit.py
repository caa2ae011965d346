"""The decorators of the kernels, their compilation flags, and a cache that is keyed by all kernel sources.

numba's own cache checks only the file of the function itself: after an edit in another file that the function calls,
or an upgrade of numba, the old machine code would stay in use without any warning. Therefore the kernels are cached
under ``<user cache>/climbfast/<hash of all kernel sources and numba's version>``. The directory is set only while the
decorators run; functions of the user keep the cache that the user chose.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

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
        return Path(tempfile.gettempdir())
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")


def _writable_cache() -> Path | None:
    directory = cache_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except OSError as error:
        warnings.warn(
            f"compiled kernels cannot be kept in {directory} ({error.strerror}); each process compiles them "
            "again. Set CLIMBFAST_CACHE_DIR to a writable folder.",
            RuntimeWarning,
            stacklevel=2,
        )
        return None


_CONFIG: Any = numba.config
INTERPRETED: bool = bool(_CONFIG.DISABLE_JIT)
CACHE: Path | None = None if INTERPRETED else _writable_cache()


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
    decorate = numba.njit(cache=CACHE is not None, **_FLAGS, **options)
    if CACHE is None:
        return cast(F, decorate(function))
    with _numba_cache_in(CACHE):
        return cast(F, decorate(function))


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
