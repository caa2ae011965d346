"""`climbfast neighbors`: what it prints is what the function returns."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.local.methods import METHODS
from tests.factories import draw_hub, quiet_codes


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


def test_a_hub(run, tmp_path):
    path = tmp_path / "hub.csv"
    data = quiet_codes(draw_hub(7, 400))
    rows = zip(*(data.codes[data.index(name)] for name in data.sorted_names), strict=True)
    path.write_text("\n".join([",".join(data.sorted_names), *(",".join(map(str, row)) for row in rows)]))
    page = run("neighbors", path, "--target", "c00", "--max-pool", 3).out
    found = cf.neighbors(cf.read(path), "c00", max_pool=3)
    assert page.endswith(
        f"For {found.bounded} neighbors not all sets were tried: those of two columns only among the 3 nearest, "
        "larger ones among half as many; a larger --max-pool tries more.\n"
    )
    full = json.loads(run("neighbors", path, "--target", "c00", "--max-pool", "none", "--json").out)
    assert (full["bounded"], full["options"]["max_pool"]) == (0, None)
    blanket = json.loads(run("blanket", path, "--target", "c00", "--max-pool", 3, "--json").out)
    assert (blanket["bounded"] > 0, blanket["options"]["max_pool"]) == (True, 3)
    graph = run("graph", path, "--method", "pc", "--max-pool", 3)
    assert " edges not all sets were tried: " in graph.out
    out = tmp_path / "graph.csv"
    said = run("graph", path, "--method", "pc", "--max-pool", 3, "--out", out).err
    edges = cf.pc(cf.read(path), max_pool=3).figures["bounded"]
    assert said.endswith(f"; for {edges} edges not all sets were tried (--max-pool); written to {out}\n")
    code, _, said = run("neighbors", path, "--target", "c00", "--max-pool", 0)
    assert code != 0
    assert "--max-pool is '0'; it is a whole number from 1 up, or none for no bound" in said
