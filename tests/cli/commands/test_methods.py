"""`climbfast methods`: what it prints is what the function returns."""

from __future__ import annotations

import json
import re
from pathlib import Path


def test_list(run):
    code, out, _ = run("methods")
    listed = json.loads(run("methods", "--json").out)["methods"]
    assert code == 0 and len(listed) == 20
    assert all(method["name"] in out and method["paper"] in out for method in listed)


def test_best_is_listed_behind_the_default(run):
    listed = json.loads(run("methods", "--json").out)["methods"]
    assert [method["name"] for method in listed[:2]] == ["climb", "best"]
    assert listed[1] == {
        "name": "best",
        "finds": "causal blanket",
        "symmetry": "none",
        "paper": "this project: causal_graph",
        "cost": "a graph",
        "use": "most complete and best directions",
    }
    assert {*listed[1]} == {*listed[0]}


def test_every_method_that_finds_blankets_is_in_the_message_for_another(refused, health):
    message = refused("blanket", health, "--target", "sleep", "--method", "worst")
    assert message.startswith("climbfast: no --method named 'worst'; the methods are climb, ")
    assert message.endswith(", best\n")


def test_the_headings_are_those_of_the_documentation(run):
    page = (Path(__file__).parents[3] / "docs" / "howto" / "choosing.md").read_text(encoding="utf-8")
    headings = next(line for line in page.splitlines() if line.startswith("| method | finds |"))
    assert re.split(r"\s{2,}", run("methods").out.splitlines()[0].strip()) == headings.strip("| ").split(" | ")
