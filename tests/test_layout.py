"""The tests of a module have its name, or CONTRIBUTING says which tests it has."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import LONG, TESTS

ROOT = Path(__file__).parents[1]
RINGS = {ROOT / "climbfast": ROOT / "tests", ROOT / "kernels" / "climbfast_kernels": ROOT / "tests" / "kernels"}


def test_every_module_has_its_tests():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("| module | its tests |")[2].partition("\n\n")[0]
    exceptions = {name for line in table.splitlines() for name in re.findall(r"`([^`]+)`", line.split(" | ")[0])}
    without = {
        module.relative_to(ring).with_suffix("").as_posix()
        for ring, tests in RINGS.items()
        for module in ring.rglob("*.py")
        if module.stem not in ("__init__", "__main__", "_version")
        and not (tests / module.relative_to(ring).with_name(f"test_{module.stem.lstrip('_')}.py")).exists()
    }
    assert without == exceptions


def test_the_long_files_exist():
    assert [name for name in LONG if not (TESTS / name).exists()] == []


def test_no_pattern_has_a_possessive_quantifier_of_a_group():
    """Python before 3.11.5, as in Debian 12, misreads one: the example network could not be read there."""
    found = {
        f"{module.relative_to(ROOT)}: {line.strip()}"
        for ring in RINGS
        for module in ring.rglob("*.py")
        for line in module.read_text(encoding="utf-8").splitlines()
        if re.search(r"(?<!\\)\)[*+?]\+", line)
    }
    assert not found, "write (?>(?:...)*)"
