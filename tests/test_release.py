"""What is said about a release agrees in all places: version, dependencies, licenses, Pythons."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from climbfast._version import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ABOUT = PROJECT["project"]
# Of packages that have another name there.
IN_CONDA = {"matplotlib": "matplotlib-base", "igraph": "python-igraph", "dask": "dask-core"}
NOT_IN_CONDA = {"rdata", "pyagrum"}  # under this name
FOR_DEVELOPERS = {"bench", "dev", "docs"}


def bounds(requirements):
    """Return the lower bound of each package."""
    pairs = (re.match(r"([\w.-]+)\s*>=\s*([\w.]+)", requirement) for requirement in requirements)
    return {IN_CONDA.get(found[1], found[1]): found[2] for found in pairs if found}


@pytest.fixture(scope="module")
def recipe():
    return (ROOT / "conda" / "recipe.yaml").read_text("utf-8")


def listed(recipe, section):
    """Return the entries below a heading of the recipe."""
    lines = recipe.partition(f"\n  {section}:\n")[2].splitlines()
    entries = []
    for line in lines:
        if not line.startswith("    - "):
            break
        entries.append(line.removeprefix("    - "))
    return entries


def test_the_version_is_the_same_everywhere(recipe):
    assert f'version: "{__version__}"' in recipe
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.search(rf"^## \[{re.escape(__version__)}\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)


def test_the_recipe_has_the_dependencies_of_the_package(recipe):
    run = listed(recipe, "run")
    assert run[0] == "python >=${{ python_min }}"
    assert bounds(run[1:]) == bounds(ABOUT["dependencies"])
    assert f'python_min: "{ABOUT["requires-python"].removeprefix(">=")}"' in recipe
    assert bounds(listed(recipe, "host")) == bounds(PROJECT["build-system"]["requires"])


def test_the_recipe_bounds_what_extras_need(recipe):
    extras = [
        requirement
        for name, requirements in ABOUT["optional-dependencies"].items()
        if name not in FOR_DEVELOPERS
        for requirement in requirements
    ]
    known = {name: bound for name, bound in bounds(extras).items() if name not in NOT_IN_CONDA}
    assert bounds(listed(recipe, "run_constraints")) == known


def test_every_python_has_its_classifier():
    named = [line.rpartition(" ")[2] for line in ABOUT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert named == ["3.11", "3.12", "3.13", "3.14"]
    assert ABOUT["requires-python"] == f">={named[0]}"


def test_the_license_is_the_same_everywhere(recipe):
    assert f"\n  license: {ABOUT['license']}\n" in recipe
    assert f"\nlicense: {ABOUT['license']}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_the_paper_is_cited():
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert "title: Causal Discovery by Telling Apart Parents and Children" in text
    assert f"\n    url: {ABOUT['urls']['Paper']}\n" in text


def test_what_is_in_the_source_distribution_is_there():
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    missing = [name for name in included if not (ROOT / name).exists()]
    assert not missing
    assert {"tests", "docs", "examples", "bench", "CITATION.cff"} <= set(included)
