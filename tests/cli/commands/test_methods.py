"""`climbfast methods`: what it prints is what the function returns."""

from __future__ import annotations

import json
import re
from pathlib import Path


def test_list(run):
    code, out, _ = run("methods")
    listed = json.loads(run("methods", "--json").out)["methods"]
    assert code == 0 and len(listed) == 19
    assert all(method["name"] in out and method["paper"] in out for method in listed)


def test_the_headings_are_those_of_the_readme(run):
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    headings = next(line for line in readme.splitlines() if line.startswith("| method | finds |"))
    assert re.split(r"\s{2,}", run("methods").out.splitlines()[0].strip()) == headings.strip("| ").split(" | ")
