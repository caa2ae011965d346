"""Every public name is in the reference, with an example."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

import climbfast as cf

DOCS = Path(__file__).parents[2] / "docs"
API = (DOCS / "reference" / "api.md").read_text("utf-8")
SUBMODULES = {  # those that a page tells its readers to import from
    module
    for page in DOCS.rglob("*.md")
    for module in re.findall(r"^(?:>>> )?from (climbfast\.\w+) import", page.read_text("utf-8"), re.MULTILINE)
}
NAMES = [("climbfast", name) for name in cf.__all__ if name != "__version__"] + [
    (module, name) for module in sorted(SUBMODULES) for name in importlib.import_module(module).__all__
]


def listed() -> set[tuple[str, str]]:
    """The names of the reference, each with the module that stands above it."""
    module, found = "", set()
    for line in API.splitlines():
        if begins := re.match(r"\.\. currentmodule:: (\S+)", line):
            module = begins[1]
        elif name := re.match(r"   (\w+)$", line):
            found.add((module, name[1]))
    return found


def test_submodules_are_found() -> None:
    assert {"climbfast.sklearn"} == SUBMODULES


def test_the_reference_has_all_names_and_no_others() -> None:
    assert listed() == {*NAMES}
    assert "climbfast.__version__" in API


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_has_an_example(module: str, name: str) -> None:
    """Under a heading, with a prompt; ``tests/test_docstrings.py`` runs them all."""
    text = inspect.getdoc(getattr(importlib.import_module(module), name)) or ""
    _, heading, example = text.partition("\nExamples\n--------\n")
    assert heading and ">>> " in example
