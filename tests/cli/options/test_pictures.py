"""`--plot` beside a search: a picture of what was found, checked before the search begins."""

from __future__ import annotations

import importlib.util
import json

import pytest

import climbfast as cf
from climbfast import plots

SEARCHES = {
    "blanket": ("blanket", "--target", "heart_disease"),
    "blankets": ("blankets", "--out", "found.jsonl"),
    "graph": ("graph", "--method", "pc", "--out", "found.json"),
    "orient": ("orient", "graph.json"),
    "bootstrap": ("bootstrap", "--search", "pc", "--replicates", "5"),
}
MANY = [name for name in SEARCHES if name != "blanket"]


@pytest.fixture(scope="module")
def graph(health):
    return cf.pc(cf.read(health))


@pytest.fixture
def folder(tmp_path, monkeypatch, graph):
    monkeypatch.chdir(tmp_path)
    graph.save("graph.json")
    return tmp_path


def command(name, health):
    first, *others = SEARCHES[name]
    return [first, "graph.json", health, *others[1:]] if name == "orient" else [first, health, *others]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_picture_of_what_was_found(run, folder, health, name):
    code, out, err = run(*command(name, health), "--plot", "a.svg")
    assert code == 0, err
    assert err.endswith("drawn in a.svg\n")
    svg = (folder / "a.svg").read_text("utf-8")
    assert svg.startswith("<?xml")
    assert "heart_disease" in svg
    assert bool(out) == (name in ("blanket", "orient", "bootstrap"))  # what was found is there, too


def test_it_is_that_of_the_result(run, folder, health):
    run(*command("graph", health), "--plot", "a.svg")
    assert (folder / "a.svg").read_bytes() == plots.content(cf.read_graph("found.json"), ".svg")
    run(*command("blankets", health), "--plot", "b.svg", "--plot-columns", "ecg,fatigue")
    expected = plots.content(cf.read_blankets("found.jsonl"), ".svg", ["ecg", "fatigue"])
    assert (folder / "b.svg").read_bytes() == expected


@pytest.mark.parametrize("name", MANY)
def test_the_neighborhood_of_columns(run, folder, health, name):
    code, _, err = run(*command(name, health), "--plot", "a.svg", "--plot-columns", "ecg")
    assert code == 0, err
    svg = (folder / "a.svg").read_text("utf-8")
    assert "asked for" in svg
    assert "ecg" in svg
    assert "diet" not in svg


def test_targets_are_what_is_drawn(run, folder, health):
    run(*command("blankets", health), "--targets", "fatigue", "--plot", "a.svg")
    assert "asked for" in (folder / "a.svg").read_text("utf-8")
    run("bootstrap", health, "--search", "blanket", "--target", "ecg", "--replicates", 3, "--plot", "b.svg")
    assert "diet" not in (folder / "b.svg").read_text("utf-8")


def test_json_stays_json(run, folder, health):
    out = run(*command("blanket", health), "--json", "--plot", "a.png").out
    assert json.loads(out)["target"] == "heart_disease"


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        *((name, ("--plot", "a.gif"), "a.gif: unknown suffix; pictures are in .svg, .png, .pdf") for name in SEARCHES),
        *((name, ("--plot", "no/a.svg"), "no/a.svg cannot be written: the folder") for name in SEARCHES),
        ("blanket", ("--plot", "-"), "--plot is a file, not standard output"),
        *((name, ("--plot-columns", "ecg"), "--plot-columns is for a picture; name its file") for name in MANY),
        *(
            (name, ("--plot", "a.svg", "--plot-columns", "egc"), "no column named 'egc'; the nearest are")
            for name in MANY
        ),
        ("graph", ("--out", "a.svg"), "--out is for a graph that can be read again; name the file of a picture with"),
    ],
)
def test_it_is_checked_before_the_search(refused, folder, health, monkeypatch, name, options, says):
    for search in (
        "graph.search_with", "orient.orient_graph", "bootstrap.search_replicates", "blanket.markov_blanket",
        "blankets.markov_blankets",
    ):  # fmt: skip
        monkeypatch.setattr(f"climbfast.cli.commands.{search}", never)
    assert says in refused(*command(name, health), *options)


def never(*_, **__):
    """A search that must not begin; that of a graph is made first, and then begins."""
    return never_begun


def never_begun(*_, **__):
    raise AssertionError("the search has begun")


@pytest.mark.parametrize("name", SEARCHES)
def test_it_replaces_no_input(refused, folder, health, name):
    data = folder / "data.svg"
    data.write_bytes(health.read_bytes())
    typed = [data if part == health else part for part in command(name, health)]
    assert "the same file as DATA; name another one for --plot" in refused(*typed, "--format", "csv", "--plot", data)


@pytest.mark.parametrize("name", SEARCHES)
def test_the_extra_is_asked_for_before_the_search(refused, folder, health, monkeypatch, name):
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: None)
    assert 'pip install "climbfast[plots]"' in refused(*command(name, health), "--plot", "a.svg")


def test_more_than_60_columns_have_to_be_named(refused, run, folder):
    rows = [",".join(f"c{i}" for i in range(61)), *(",".join(str((i * j) % 3) for i in range(61)) for j in range(30))]
    (folder / "wide.csv").write_text("\n".join(rows), "utf-8")
    says = "there are 61 columns, and a picture shows at most 60; name those that are to be drawn with their neighbors "
    assert says + "with --plot-columns" in refused("graph", "wide.csv", "--plot", "a.svg")
    names = ",".join(f"c{i}" for i in range(61))
    assert "--plot-columns has 61 names" in refused("graph", "wide.csv", "--plot", "a.svg", "--plot-columns", names)
