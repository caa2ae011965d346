"""The compiled kernels in files: one for each kernel, processor and types of arguments.

A kernel that Python calls is machine code. A kernel that other kernels call is bitcode, which is linked into theirs:
neither machine code nor what unpacks Python's arguments is made for it, which would take half of all the time.

numba would keep both in one file. To load it, numba first loads all that it can compile, with scipy where that is
installed, and parses the bitcode: both together took a third of the time of a small search.
"""

from __future__ import annotations

import gc
import hashlib
import pickle
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from llvmlite.binding import parse_bitcode
from numba.core import types
from numba.core.caching import _Cache
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from climbfast_kernels._cache_folder import private_cache, warn_of_cache
from climbfast_kernels._jit import tell_of_compilation, timed_compilation
from climbfast_kernels._shipped import shipped_kernel

CALLED, LINKED = ".kernel", ".linked"
_SUFFIXES = (CALLED, LINKED)
_BYTES_OF_DIGEST = 16
_ALLOCATIONS_TO_A_COLLECTION = 100_000


class Kernel(CPUDispatcher):
    """A kernel. For the kernels that call it, it is compiled without what only Python needs: a third of the time."""

    def __init__(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> None:
        super().__init__(function, *arguments, **options)
        self._cache = KernelCache(function, private_cache(), linked=False)

    @cached_property
    def _linked(self) -> Any:
        options = self.targetoptions | {"no_cpython_wrapper": True}
        linked: Any = CPUDispatcher(self.py_func, targetoptions=options, pipeline_class=LinkedCompiler)
        linked._cache = KernelCache(self.py_func, private_cache(), linked=True)
        return linked

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock, _few_collections(), timed_compilation():
            return super().compile(sig)

    def __reduce__(self) -> Any:
        """Pickle the name: what another version sends must not lie in this version's cache."""
        return self.py_func.__qualname__

    @property
    def _numba_type_(self) -> Any:
        """What the compiler takes the kernel for in another one."""
        return types.Dispatcher(self._linked)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Search for cycles of objects less often: the compiler makes millions of objects, which took a quarter longer."""
    before = gc.get_threshold()
    if 0 < before[0] < _ALLOCATIONS_TO_A_COLLECTION:
        gc.set_threshold(_ALLOCATIONS_TO_A_COLLECTION, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class KernelCache(_Cache):
    """numba's cache of one function, in which a damaged file or a full disk only means to compile again."""

    def __init__(self, function: Callable[..., Any], directory: Path | None, *, linked: bool) -> None:
        self._name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        self._linked = linked
        self._directory = directory

    @property
    def cache_path(self) -> str:
        return str(self._directory)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel for these types, kept or shipped; None if there is none."""
        file = self._file(sig, target_context.codegen())
        found = _load_kept(file, target_context) or self._load_shipped(sig, target_context, file)
        if found is None and tell_of_compilation():
            found = _load_kept(file, target_context)
        return found

    def _load_shipped(self, sig: Any, target_context: Any, file: Path | None) -> Any:
        if self._linked:  # only what Python calls is shipped
            return None
        try:
            content = shipped_kernel(self._portable_name(sig))
            if content is None:
                return None
            compiled = _load(content, target_context)
        except Exception:  # as above
            return None
        if file is not None:
            _keep(file, content)
        return compiled

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel."""
        # The annotations, for people who look at types, would take longer than all else.
        (name, _, (machine_code, bitcode)), *parts, environments = data._replace(type_annotation="")._reduce()
        # Compiled code reads the constants of an environment and nothing else of it.
        environments = [environment for environment in environments if environment.consts]
        if not self._linked:  # numba has set its own environment, but not those of the kernels that it contains
            for environment in environments:
                data.codegen.set_env(environment.env_name, environment)
        file = self._file(sig, data.codegen)
        if file is None or data.library.has_dynamic_globals:  # these are addresses in this process
            return
        library = name, self._linked, bitcode if self._linked else machine_code
        _keep(file, _content((library, *parts, environments)))

    def _file(self, sig: Any, codegen: Any) -> Path | None:
        if self._directory is None:
            return None
        return self._directory / f"{self._portable_name(sig)}-{_key(codegen.magic_tuple())}{_SUFFIXES[self._linked]}"

    def _portable_name(self, sig: Any) -> str:
        """Return what a kernel is called on all processors."""
        return f"{self._name}-{_key(str(sig), sys.implementation.cache_tag, getattr(sys, 'abiflags', ''))}"

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...


def portable_name(file: Path) -> str:
    """Return the part of a file's name that is the same on all processors."""
    return file.stem.rpartition("-")[0]


def _key(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def _keep(file: Path, content: bytes) -> None:
    try:
        _write(file, content)
    except OSError as error:
        warn_of_cache(file.parent, error)


def _write(file: Path, content: bytes) -> None:
    """Write a file at once, whatever other processes do."""
    written = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        written.write_bytes(content)
        written.replace(file)
    except OSError:
        written.unlink(missing_ok=True)
        if not file.exists():  # Windows refuses to replace a file that another process reads; it has the same content
            raise


def _load_kept(file: Path | None, target_context: Any) -> Any:
    if file is None or not file.exists():
        return None
    try:
        return _load(file.read_bytes(), target_context)
    except Exception:  # unpickling what is damaged may raise anything
        with suppress(OSError):
            file.unlink(missing_ok=True)
        return None


def _content(parts: Any) -> bytes:
    """Return what is written for a compiled kernel: a digest, then the pickled parts."""
    content: bytes = dumps(parts)  # type: ignore[no-untyped-call]
    return _digest(content) + content


def _load(content: bytes, target_context: Any) -> Any:
    if _digest(content[_BYTES_OF_DIGEST:]) != content[:_BYTES_OF_DIGEST]:
        raise ValueError("a damaged file")
    # numba would call target_context.refresh() here, which also loads what only the compiler needs.
    rtsys.initialize(target_context)
    codegen = target_context.codegen()
    library, description, *others = pickle.loads(content[_BYTES_OF_DIGEST:])
    codegen._engine._defined_symbols.add(description.llvm_cpython_wrapper_name)
    codegen._library_class = _LoadedLibrary  # the caller holds numba's lock
    try:
        rebuild: Callable[..., Any] = CompileResult._rebuild
        return rebuild(target_context, library, description, *others)
    finally:
        del codegen._library_class


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_BYTES_OF_DIGEST).digest()


class _LoadedLibrary(JITCodeLibrary):
    """What lies in a file: machine code to call, or bitcode to link."""

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, linked, code = state
        if linked:
            return LinkedLibrary.loaded(codegen, name, code)
        library: Any = cls(codegen, name)
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        return library


class LinkedLibrary(CPUCodeLibrary):
    """What other kernels link: bitcode without machine code, which cannot be called from Python."""

    _shared_module: Any

    @classmethod
    def loaded(cls, codegen: Any, name: str, bitcode: bytes) -> LinkedLibrary:
        """Return what was kept in a file."""
        library: Any = cls(codegen, name)
        library._shared_module = parse_bitcode(bitcode)
        library._finalized = True
        return cast(LinkedLibrary, library)

    def _finalize_final_module(self) -> None:
        # As in numba, but nothing is added to the engine that makes machine code.
        library: Any = self
        library._finalize_dynamic_globals()
        library._verify_declare_only_symbols()
        self._finalized = True

    def _optimize_final_module(self) -> None:
        """Leave it to the kernel that Python calls: done here as well, all took a third longer and were no faster."""

    def _get_compiled_object(self) -> None:
        return None

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    @property
    def codegen(self) -> Any:
        return self  # numba sets an environment there

    def set_env(self, name: str, environment: Any) -> None:
        """Leave the environment to the kernels that link this library."""


class LinkedCompiler(Compiler):
    """Compiles a kernel for other kernels."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        compiler: Any = super()
        codegen = self.state.targetctx.codegen()
        self.state.library = LinkedLibrary(codegen, func.__qualname__)  # type: ignore[no-untyped-call]
        return compiler.compile_extra(func)
