"""Compiled kernels that come with the package: one archive for each family of processors, Python and numba.

They are loaded where everything fits: the sources, the versions of Python, numba and llvmlite, the system, and a
processor that has all features of the family. Elsewhere, or where an archive is damaged, kernels are compiled as if
there were none. The archives are as trusted as the code that they lie beside; digests only tell what is damaged.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import numba
from llvmlite.binding import get_process_triple
from numba.core.codegen import get_host_cpu_features

from climbfast_kernels._cache_folder import version_of_kernels

FOLDER = Path(__file__).with_name("compiled")
INDEX = "index.json"  # the hash of the sources; the name of each archive, and the digest of its content

_CONFIG: Any = numba.config
_V3 = (
    "avx avx2 bmi bmi2 cmov crc32 cx16 cx8 f16c fma fxsr lzcnt mmx movbe popcnt sahf sse sse2 sse3 sse4.1 sse4.2 ssse3"
)
_V4 = f"{_V3} avx512f avx512bw avx512cd avx512dq avx512vl"


class Family(NamedTuple):
    """Processors that run the same machine code.

    Parameters
    ----------
    name : str
    processor : str
        LLVM's name of the processor that the code is made for.
    needs : frozenset of str
        LLVM's names of the features that a processor must have.
    options : tuple of str
        What else LLVM is told.
    """

    name: str
    processor: str
    needs: frozenset[str]
    options: tuple[str, ...] = ()

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables with which numba compiles for this family."""
        features = [f"+{feature}" for feature in sorted(self.needs)]
        return {"NUMBA_CPU_NAME": self.processor, "NUMBA_CPU_FEATURES": ",".join([*features, *self.options])}


# The best one first. Processors with AVX-512 and without vpopcntdq are of the second family: LLVM uses 256 bits there.
FAMILIES = (
    Family(
        "x86-64-v4-vpopcntdq",
        "x86-64-v4",
        frozenset(f"{_V4} avx512vpopcntdq avx512bitalg avx512ifma avx512vbmi avx512vbmi2 avx512vnni".split()),
        ("-prefer-256-bit",),
    ),
    Family("x86-64-v3", "x86-64-v3", frozenset(_V3.split())),
)


def families_of_host() -> list[Family]:
    """Return the families to which this processor belongs, the best one first."""
    known: str = get_host_cpu_features()  # type: ignore[no-untyped-call]
    features = {feature[1:] for feature in known.split(",") if feature.startswith("+")}
    return [family for family in FAMILIES if family.needs <= features]


def archive_name(family: Family) -> str:
    """Return the name of the archive that fits a family and everything else of this process."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    return f"{family.name}-{get_process_triple()}-{python}-{version_of_kernels()}.zip"


def digest_of(content: bytes) -> str:
    """Return the digest of an archive as it stands in the index."""
    return hashlib.blake2b(content, digest_size=32).hexdigest()


def shipped_kernel(name: str) -> bytes | None:
    """Return the compiled kernel of this name; None if none fits."""
    archive = _archive()
    if archive is None or name not in archive.NameToInfo:
        return None
    return archive.read(name)


@cache
def _archive() -> ZipFile | None:
    """Return the archive that fits best."""
    if _CONFIG.CPU_NAME is not None or _CONFIG.CPU_FEATURES is not None or not (FOLDER / INDEX).exists():
        return None
    try:
        digests = json.loads((FOLDER / INDEX).read_bytes())["archives"]
        names = [name for name in map(archive_name, families_of_host()) if name in digests]
        if not names:
            return None
        content = (FOLDER / names[0]).read_bytes()
        return ZipFile(io.BytesIO(content)) if digest_of(content) == digests[names[0]] else None
    except Exception:  # what is damaged may raise anything
        return None
