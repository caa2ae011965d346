"""The decorators of the kernels: their flags, and a cache that a change of any kernel source leaves behind.

numba's own cache looks only at the file of the function itself: an edit in a file that it calls, or an
upgrade of numba, would leave the old machine code in use without a word. So the kernels are cached under
``<user cache>/climbfast/<hash of all kernel sources and numba's version>``. The directory is set only
while they run; the user's own functions keep the cache that the user gave them.
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
    """Return the directory of the compiled kernels: one for each state of the sources and of numba."""
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    digest.update(numba.__version__.encode())
    return _user_cache() / "climbfast" / digest.hexdigest()


def _user_cache() -> Path:
    # platformdirs would say the same, but the kernels import numpy and numba alone.
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
            "anew. Set CLIMBFAST_CACHE_DIR to a folder that can be written.",
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
    """Compile a kernel: without the GIL, numpy's division, no fastmath, joblib and not numba owns the cores."""
    return _compiled(function, {})


def leaf(function: F) -> F:
    """Compile a kernel that makes no array and returns none: its arrays are its caller's, so it counts no references.

    A reference an array at every call, atomic, and more for tuples of them: these took most of the time of a test of
    two binary columns.
    """
    return _compiled(function, {"_nrt": False})


def inlined(function: F) -> F:
    """Compile a leaf into its callers: its arrays are some two hundred words to hand over, half the time of a test."""
    return _compiled(function, {"_nrt": False, "forceinline": True})


def spliced(function: F) -> F:
    """Make a function part of its one caller; by itself, it and all that it calls would be compiled once more."""
    return _compiled(function, {"inline": "always"})


# The last: no C calls a kernel, and what it would call takes a second to compile.
_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def _compiled(function: F, options: dict[str, Any]) -> F:
    if INTERPRETED:
        return function
    decorate = numba.njit(cache=CACHE is not None, **_FLAGS, **options)
    if CACHE is None:
        return cast(F, decorate(function))
    with _numba_cache_in(CACHE):
        return cast(F, decorate(function))


class _FirstCompilation(event.Listener):
    """Call back at the first kernel that is really compiled, not one that comes from the cache."""

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
