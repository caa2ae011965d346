"""`climbfast plot`: a picture of a graph or of blankets in a file."""

from __future__ import annotations

import importlib.util
import io
from itertools import pairwise
from types import SimpleNamespace

import pytest

import climbfast as cf
from climbfast import plots


@pytest.fixture(scope="module")
def graph(health):
    return cf.pc(cf.read(health))


@pytest.fixture(scope="module")
def blankets(health):
    return cf.markov_blankets(cf.read(health), ["ecg", "sleep", "smoking"], n_jobs=1, progress=False)


@pytest.mark.parametrize(
    ("suffix", "form"),
    [("csv", "svg"), ("json", "svg"), ("graphml", "svg"), ("dot", "svg"), ("csv", "png"), ("dot", "pdf")],
)
def test_a_graph(run, graph, tmp_path, suffix, form):
    graph.save(tmp_path / f"graph.{suffix}")
    out = tmp_path / f"picture.{form}"
    code, shown, said = run("plot", tmp_path / f"graph.{suffix}", "--out", out)
    assert (code, shown, said) == (0, "", f"drawn in {out}\n")
    assert out.read_bytes() == plots.content(cf.read_graph(tmp_path / f"graph.{suffix}"), f".{form}")


def test_columns_of_a_graph(run, graph, tmp_path):
    graph.save(tmp_path / "graph.json")
    run("plot", tmp_path / "graph.json", "--out", tmp_path / "a.svg", "--columns", "ecg, sleep", "--columns", "diet")
    assert (tmp_path / "a.svg").read_bytes() == plots.content(graph, ".svg", ["ecg", "sleep", "diet"])


def test_names_that_are_no_text(run, tmp_path):
    graph = cf.Graph((1, 2, ("a", 3), "x,y"), [(1, 2), (2, ("a", 3)), (2, "x,y")])
    graph.save(tmp_path / "graph.json")
    run("plot", tmp_path / "graph.json", "--out", tmp_path / "a.svg", "--columns", "1", "--columns", "x,y")
    assert (tmp_path / "a.svg").read_bytes() == plots.content(graph, ".svg", [1, "x,y"])


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_blankets(run, blankets, tmp_path, suffix):
    file = tmp_path / f"found.{suffix}"
    blankets.save(file)
    read = cf.read_blankets(file)
    run("plot", file, "--out", tmp_path / "all.svg")
    assert (tmp_path / "all.svg").read_bytes() == plots.content(read, ".svg")
    run("plot", file, "--out", tmp_path / "some.svg", "--columns", "ecg,sleep")
    assert (tmp_path / "some.svg").read_bytes() == plots.content(read, ".svg", ["ecg", "sleep"])
    run("plot", file, "--out", tmp_path / "one.svg", "--target", "ecg")
    assert (tmp_path / "one.svg").read_bytes() == plots.content(read["ecg"], ".svg")


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_what_blanket_prints(run, health, tmp_path, suffix):
    printed = run("blanket", health, "--target", "heart_disease", "--json").out
    (tmp_path / f"one.{suffix}").write_text(printed, "utf-8")
    run("plot", tmp_path / f"one.{suffix}", "--out", tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text("utf-8")
    assert ">parent<" in svg
    assert ">spouse<" in svg


def test_standard_input(run, graph, tmp_path, monkeypatch):
    content = graph.to_json().encode()
    monkeypatch.setattr("climbfast.cli.standard_input._DEVICE", tmp_path / "missing")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert run("plot", "-", "--graph-format", "json", "--out", tmp_path / "a.svg").code == 0
    assert (tmp_path / "a.svg").read_bytes() == plots.content(graph, ".svg")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--out", "a.gif"), "a.gif: unknown suffix; pictures are in .svg, .png, .pdf"),
        (("--out", "-"), "--out is a file, not standard output; name one"),
        (("--out", "graph.json"), "graph.json: the same file as GRAPH; name another one for --out"),
        (("--out", "a.svg", "--columns", "egc"), "no node named 'egc'; the nearest are 'ecg'"),
        (("--out", "a.svg", "--target", "ecg"), "--target is for blankets, and graph.json is a graph; use --columns"),
        (("--out", "a.svg", "--target", "ecg", "--columns", "ecg"), "leave one of them out"),
        ((), "missing option '--out'"),
    ],
)
def test_it_refuses(refused, graph, tmp_path, monkeypatch, options, says):
    monkeypatch.chdir(tmp_path)
    graph.save("graph.json")
    assert says in refused("plot", "graph.json", *options)
    assert [file.name for file in tmp_path.iterdir()] == ["graph.json"]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.json", '{"target": 1, "parents": 3}', "a.json, line 1: "),
        ("a.json", "", "a.json: line 1: "),
        ("a.csv", "x,y\n1,2\n", "a.csv: "),
        ("a.csv", "target,member,role\n", "a.csv"),
        ("missing.json", None, "missing.json: there is no such file"),
        ("a.jsonl", '{"target": "x"}', "a.jsonl, line 1: no field 'parents'"),
    ],
)
def test_files_that_cannot_be_read(refused, tmp_path, monkeypatch, name, content, says):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / name).write_text(content, "utf-8")
    assert says in refused("plot", name, "--out", "a.svg")


def test_unknown_targets(refused, blankets, tmp_path):
    blankets.save(tmp_path / "found.jsonl")
    for option in ("--target", "--columns"):
        said = refused("plot", tmp_path / "found.jsonl", "--out", tmp_path / "a.svg", option, "egc")
        assert "no target named 'egc'; the nearest are 'ecg'" in said


def test_a_large_graph_asks_for_columns(refused, run, tmp_path):
    names = tuple(f"n{i}" for i in range(100))
    cf.Graph(names, [*pairwise(names)]).save(tmp_path / "graph.csv")
    said = refused("plot", tmp_path / "graph.csv", "--out", tmp_path / "a.svg")
    assert said.endswith("name those whose neighborhood is to be drawn with --columns\n")
    assert run("plot", tmp_path / "graph.csv", "--out", tmp_path / "a.svg", "--columns", "n5").code == 0


def test_without_the_extra(refused, graph, tmp_path, monkeypatch):
    graph.save(tmp_path / "graph.json")
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: None)
    said = refused("plot", tmp_path / "graph.json", "--out", tmp_path / "a.svg")
    assert 'pip install "climbfast[plots]"' in said
