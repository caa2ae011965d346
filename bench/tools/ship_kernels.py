"""Compiled kernels for a wheel, by families of processors: ``python -m bench.tools.ship_kernels``.

They are for the Python, numba and system that run this; run it with each Python to ship more. Archives that were made
from other sources are removed.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from climbfast_kernels import _shipped
from climbfast_kernels._cache_folder import hash_of_sources
from climbfast_kernels._machine_code import CALLED, portable_name
from climbfast_kernels._shipped import FAMILIES, INDEX, Family, archive_name, digest_of, families_of_host

EVERY_KERNEL = ("-m", "climbfast", "warm")


def main() -> None:
    """Compile all kernels for each family to which this processor belongs, and pack them."""
    here = families_of_host()
    for family in FAMILIES:
        if family not in here:
            print(f"{family.name}: left out, since this processor cannot run it")
            continue
        archive = ship(family, compile_for(family))
        print(f"{archive.name}: {archive.stat().st_size / 1e6:.1f} MB")


def compile_for(family: Family, program: Sequence[str] = EVERY_KERNEL) -> dict[str, bytes]:
    """Return the compiled kernels that a program uses, by their names."""
    with TemporaryDirectory() as cache:
        variables = family.environment | {"CLIMBFAST_CACHE_DIR": cache}
        subprocess.run([sys.executable, *program], env=os.environ | variables, check=True)
        return {portable_name(file): file.read_bytes() for file in sorted(Path(cache).rglob(f"*{CALLED}"))}


def ship(family: Family, kernels: Mapping[str, bytes]) -> Path:
    """Pack compiled kernels into the archive of a family, and return it."""
    content = io.BytesIO()
    with ZipFile(content, "w") as archive:
        for name, kernel in sorted(kernels.items()):
            archive.writestr(ZipInfo(name), kernel, ZIP_DEFLATED, compresslevel=9)
    file = _shipped.FOLDER / archive_name(family)
    digests = _digests()
    file.write_bytes(content.getvalue())
    index = {"sources": hash_of_sources(), "archives": digests | {file.name: digest_of(content.getvalue())}}
    file.with_name(INDEX).write_text(json.dumps(index, indent=1))
    return file


def _digests() -> dict[str, str]:
    """Return the digests of the archives made from the present sources; remove the others."""
    _shipped.FOLDER.mkdir(exist_ok=True)
    file = _shipped.FOLDER / INDEX
    index = json.loads(file.read_bytes()) if file.exists() else {}
    if index.get("sources") == hash_of_sources():
        return dict(index["archives"])
    for archive in _shipped.FOLDER.glob("*.zip"):
        archive.unlink()
    return {}


if __name__ == "__main__":
    main()
