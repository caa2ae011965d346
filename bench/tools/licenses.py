"""The licenses of all packages that climbfast depends on, as a table: ``python -m bench.tools.licenses``.

The licenses are what the installed packages say of themselves; LICENSES.md is written anew.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import metadata
from pathlib import Path
from typing import cast

ROOT = Path(__file__).parents[2]
FILE = ROOT / "LICENSES.md"
LONGEST = 60  # characters; a longer text is the license itself, not its name
INDIRECT = {"llvmlite": "numba"}  # packages that are imported without being among the dependencies
OF_DEVELOPERS = {"bench", "dev", "docs"}  # extras that no user needs

HEAD = """# Licenses of dependencies

climbfast itself is under the license BSD-3-Clause, see LICENSE. No package is copied into it: pip and conda install
these beside it, those of an extra only if it is asked for. Written by `python -m bench.tools.licenses`.

| package | license | for |
|---|---|---|
"""
FOOT = """
igraph, of the extra `plots`, is under the GPL: who passes on a program together with igraph has to follow its terms.
Pictures and pages that are made with it are not affected, and without the extra no such package is installed.
"""


def main() -> None:
    """Write the file."""
    FILE.write_text(text(), encoding="utf-8")


def text() -> str:
    """Return the content of the file."""
    rows = "".join(f"| {name} | {license_of(name)} | {what} |\n" for name, what in sorted(packages().items()))
    return HEAD + rows + FOOT


def packages() -> dict[str, str]:
    """Return what each dependency is for: climbfast itself, or one of the extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, list[str]] = {}
    for name in _names_in(project["dependencies"]):
        found.setdefault(name, []).append("climbfast")
    for extra, requirements in project["optional-dependencies"].items():
        if extra not in OF_DEVELOPERS:
            for name in _names_in(requirements):
                found.setdefault(name, []).append(f"extra {extra}")
    return {name: ", ".join(uses) for name, uses in found.items()} | {
        k: f"climbfast, by {v}" for k, v in INDIRECT.items()
    }


def _names_in(requirements: list[str]) -> Iterator[str]:
    for requirement in requirements:
        name = re.split(r"[\[<>=;~ ]", requirement, maxsplit=1)[0].lower()
        if name != "climbfast":
            yield name


def license_of(package: str) -> str:
    """Return the license that an installed package names.

    Raises
    ------
    ValueError
        If it names none.
    """
    return name_in(package, metadata(package).json)


def name_in(package: str, about: Mapping[str, object]) -> str:
    """Return the license that the metadata of a package name, in the newest of the three fields for it."""
    field, classifiers = str(about.get("license", "")), cast("Sequence[str]", about.get("classifier", []))
    named = [line.rpartition("::")[2].strip() for line in classifiers if line.startswith("License ::")]
    first = field.strip().splitlines()[0].strip() if field.strip() else ""
    candidates = [str(about.get("license_expression", "")), first if len(field) <= LONGEST else "", " or ".join(named)]
    found = next((name for name in candidates if name), first)
    if not found:
        raise ValueError(f"{package} names no license")
    return found


if __name__ == "__main__":
    main()
