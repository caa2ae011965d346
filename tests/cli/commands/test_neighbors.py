"""`climbfast neighbors`: what it prints is what the function returns."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.local.methods import METHODS


def test_neighbors(run, health):
    code, out, _ = run("neighbors", health, "--target", "heart_disease", "--method", "mmpc", "--json")
    found = cf.neighbors(cf.read(health), "heart_disease", "mmpc")
    plain = json.loads(out)
    assert (code, plain["neighbors"], plain["tests"]) == (0, list(found.members), found.tests)
    options = ["--method", "mmpc", "--min-bits", 300, "--json"]
    plain = json.loads(run("neighbors", health, "--target", "heart_disease", *options).out)
    assert plain["neighbors"] == list(cf.neighbors(cf.read(health), "heart_disease", "mmpc", min_bits=300).members)
    assert len(plain["neighbors"]) < len(found.members)
    page = run("neighbors", health, "--target", "heart_disease").out
    assert page.startswith("The neighbors of heart_disease\n\n")
    assert "method getpc; test sci; " in page and all(name in page for name in found.members)


def test_no_neighbors(run, tmp_path):
    path = tmp_path / "coins.csv"
    path.write_text("a,b\n" + "0,0\n0,1\n1,0\n1,1\n" * 50)
    code, out, _ = run("neighbors", path, "--target", "a")
    assert code == 0
    assert out.startswith("a has no neighbors: ")
    assert "neighbor   strength" not in out


def test_the_help_speaks_of_neighbors_alone(run):
    page = " ".join(run("neighbors", "--help").out.split())
    assert "Default: 3." in page
    assert "climb" not in page.replace("climbfast", "") and "iamb" not in page


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if method.finds == "neighbors"])
def test_the_default_rules_of_symmetry_are_those_of_the_help(method):
    assert METHODS[method].symmetry == ("none" if method == "getpcd" else "and")
