"""`climbfast fit`: the file is what the function returns."""

from __future__ import annotations

import pytest

import climbfast as cf
from climbfast.networks.examples import load_example


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    path = tmp_path_factory.mktemp("fit") / "graph.csv"
    truth = load_example()
    cf.Graph(tuple(sorted(truth.nodes)), truth.arcs).save(path)
    return path


def test_the_network_is_that_of_the_function(run, graph, health, tmp_path):
    out = tmp_path / "net.bif"
    note = "note: not every program reads all of these names and states; --plain-names writes them as words\n"
    assert run("fit", graph, health, "--out", out) == (0, "", f"network of 15 nodes and 18 arcs; written to {out}\n")
    assert cf.read_network(out) == cf.read_graph(graph).fit(cf.read(health))
    code, _, err = run("fit", graph, health, "--out", tmp_path / "zero.bif.gz", "--prior", 0)
    assert (code, note in err) == (0, False)
    assert cf.read_network(tmp_path / "zero.bif.gz") == cf.read_graph(graph).fit(cf.read(health), 0)


def test_standard_output(run, graph, health, tmp_path):
    out = tmp_path / "net.bif"
    run("fit", graph, health, "--out", out)
    assert run("fit", graph, health, "--out", "-") == (0, out.read_text(), "")


def test_names_that_other_programs_do_not_read(run, tmp_path):
    (tmp_path / "d.csv").write_text("a b,Größe\nx,0.5\nx,1.5\ny,2.5\ny,0.5\nx,0.5\n", encoding="utf-8")
    (tmp_path / "g.csv").write_text("source,target,type\na b,Größe,directed\n", encoding="utf-8")
    typed = ("fit", tmp_path / "g.csv", tmp_path / "d.csv", "--cut", "Größe=1", "--out", tmp_path / "n.bif")
    _, _, err = run(*typed)
    assert err.endswith(
        "note: not every program reads all of these names and states; --plain-names writes them as words\n"
    )
    exact = cf.read_network(tmp_path / "n.bif")
    assert exact.states["Größe"] == ("(-inf, 1)", "[1, inf)")
    _, _, err = run(*typed, "--plain-names")
    assert "note" not in err
    assert (tmp_path / "n.bif").read_text().isascii()
    assert cf.read_network(tmp_path / "n.bif") == exact


def test_what_is_refused(refused, graph, health, tmp_path):
    assert "net.txt: unknown suffix; known are .bif, .bif.gz" in refused(
        "fit", graph, health, "--out", tmp_path / "net.txt"
    )
    assert "cannot both be standard input" in refused("fit", "-", "-", "--out", tmp_path / "net.bif")
    assert "--prior is -1.0; it has to be a number" in refused(
        "fit", graph, health, "--out", tmp_path / "net.bif", "--prior", -1
    )
    assert "cannot be written: the folder" in refused("fit", graph, health, "--out", tmp_path / "none" / "net.bif")
    assert "the same file as GRAPH" in refused("fit", tmp_path / "n.bif", health, "--out", tmp_path / "n.bif")
    cf.Graph(("age", "nobody")).save(tmp_path / "g.csv")
    assert "no column named 'nobody'" in refused("fit", tmp_path / "g.csv", health, "--out", tmp_path / "net.bif")
