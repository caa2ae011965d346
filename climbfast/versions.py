"""What a good report of a fault holds: the versions of all that takes part, the processor, and the kernels."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from climbfast._version import __version__

__all__ = ["peak_memory", "show_versions", "versions_in_short", "versions_text"]

REQUIRED = ("numba", "llvmlite", "numpy", "joblib", "polars", "narwhals", "networkx", "typer", "rich")
EXTRAS = {
    "formats": ("pyreadstat", "rdata", "pyagrum"),
    "exchange": ("pgmpy", "pyagrum", "causal-learn"),
    "plots": ("matplotlib", "igraph"),
    "report": ("jinja2",),
    "sklearn": ("scikit-learn",),
    "cluster": ("dask", "distributed"),
}
FRAMES = ("pandas", "pyarrow")
# Of a processor, by LLVM's names, what the kernels gain from: counting of bits, and wide registers.
_FEATURES = ("popcnt", "avx2", "avx512f", "avx512bw", "avx512vpopcntdq", "neon", "sve")


def show_versions() -> None:
    """Print what a good report of a fault holds.

    The versions of climbfast, of Python and of the packages that take part, those of the extras that are installed, the
    system, the processor with its instruction set, the number of its cores, and where compiled kernels come from.
    Nothing of the data, no name and no path outside the folder of the kernels is in it.

    Examples
    --------
    >>> import climbfast as cf
    >>> cf.show_versions()  # doctest: +ELLIPSIS
    climbfast ...
    """
    print(versions_text())


def versions_text() -> str:
    """Return what ``show_versions`` prints."""
    lines = {
        "climbfast": __version__,
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": platform.platform(),
        "processor": _processor(),
        "instruction set": _instruction_set(),
        "cores": _cores(),
        "kernels": _kernels(),
        **{name: _version_of(name) for name in REQUIRED},
        **{f"extra {extra}": _all_of(packages) for extra, packages in EXTRAS.items()},
        "frames": _all_of(FRAMES),
    }
    width = max(map(len, lines))
    return "\n".join(f"{name:{width}}  {text}" for name, text in lines.items())


def versions_in_short() -> str:
    """Return the versions that matter most, in one line."""
    packages = ", ".join(f"{name} {_version_of(name)}" for name in ("numba", "numpy", "polars"))
    return f"climbfast {__version__}, Python {platform.python_version()}, {packages}; {_cores()} cores"


def peak_memory() -> int | None:
    """Return the most memory that this process has had, in bytes; None if the system does not say."""
    try:
        import resource
    except ImportError:  # on Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _all_of(packages: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {_version_of(name)}" for name in packages)


def _processor() -> str:
    """Return the name of the processor, as its maker and as LLVM call it."""
    from llvmlite.binding import get_host_cpu_name

    return f"{_name_of_processor()} ({get_host_cpu_name()})"


def _name_of_processor() -> str:
    file = Path("/proc/cpuinfo")
    if file.exists():
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _instruction_set() -> str:
    from llvmlite.binding import get_host_cpu_features

    try:
        known = get_host_cpu_features()
    except RuntimeError:  # of a processor that LLVM does not know
        return platform.machine()
    found = " ".join(feature for feature in _FEATURES if known.get(feature))
    return f"{platform.machine()}: {found or 'none of ' + ' '.join(_FEATURES)}"


def _cores() -> str:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{usable} of {os.cpu_count()}"


def _kernels() -> str:
    """Return where compiled kernels come from."""
    from climbfast_kernels import _jit, _shipped

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "interpreted (NUMBA_DISABLE_JIT)"
    kept = f"kept in {_jit.CACHE}" if _jit.CACHE else "not kept: no private folder can be written"
    if _shipped._archive() is not None:
        return f"shipped with the package; others compiled, {kept}"
    return f"compiled at their first use, {kept}"
