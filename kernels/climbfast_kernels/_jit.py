"""The decorators of the kernels, and their compilation flags.

The compiled kernels are kept in a folder of their own; functions of the user keep the cache that the user chose.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

from climbfast_kernels._cache_folder import private_cache

F = TypeVar("F", bound=Callable[..., Any])


_CONFIG: Any = numba.config
INTERPRETED: bool = bool(_CONFIG.DISABLE_JIT)
# Our files of machine code rest on inner parts of numba. A newer one keeps files of its own, and is slower.
KNOWN_NUMBA: bool = numba.version_info[:2] in {(0, minor) for minor in range(60, 69)}
CACHE: Path | None = None if INTERPRETED else private_cache()


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
_FLAGS: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def _compile(function: F, options: dict[str, Any]) -> F:
    if INTERPRETED:
        return function
    if not KNOWN_NUMBA:
        return _compile_by_numba(function, _FLAGS | options)
    from climbfast_kernels._machine_code import Kernel  # another numba may have nothing of what it imports

    return cast(F, Kernel(function, targetoptions=_FLAGS | options))


def _compile_by_numba(function: F, flags: dict[str, Any]) -> F:
    """Compile a kernel with all that it calls into numba's own files."""
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = str(CACHE)
    try:
        return cast(F, numba.jit(cache=CACHE is not None, **flags)(function))
    finally:
        _CONFIG.CACHE_DIR = before


class _FirstCompilation(event.Listener):
    """Call back when the first kernel is compiled, and not when a kernel is loaded from the cache."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback: Callable[[], None] | None = callback

    def on_start(self, event: Any) -> None:
        module = event.data["dispatcher"].py_func.__module__  # None for a function made by exec
        if str(module).startswith(__package__):
            self.call()

    def call(self) -> bool:
        """Call back, and return True; nothing, and False, if that was done before."""
        callback, self._callback = self._callback, None
        if callback is None:
            return False
        callback()
        return True

    def on_end(self, event: Any) -> None:
        pass


_listeners: list[_FirstCompilation] = []


def on_first_compilation(callback: Callable[[], None]) -> None:
    """Call ``callback`` once, when the first kernel of this process has to be compiled."""
    if not INTERPRETED:
        _listeners.append(_FirstCompilation(callback))
        event.register("numba:compile", _listeners[-1])  # type: ignore[no-untyped-call]  # of numba


def tell_of_compilation() -> bool:
    """Call back all that wait for the first compilation; return whether any did: it may have compiled the kernel."""
    told = [listener.call() for listener in _listeners]
    return any(told)


# The seconds of all compilations that have ended, and when the present one has begun.
_compilation: tuple[float, float | None] = 0.0, None


@contextmanager
def timed_compilation() -> Iterator[None]:
    """Take the time of compiling a kernel, or of loading it; the caller holds numba's lock."""
    global _compilation
    seconds, begun = _compilation[0], time.perf_counter()
    _compilation = seconds, begun
    try:
        yield
    finally:
        _compilation = seconds + time.perf_counter() - begun, None


def seconds_without_compilation() -> float:
    """Return the time of a clock that stands still while a kernel is compiled or loaded, if numba is known."""
    now = time.perf_counter()
    seconds, begun = _compilation
    return (now if begun is None else begun) - seconds
