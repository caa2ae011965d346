"""What is known beforehand, as it is typed."""

from __future__ import annotations

import json

import pytest

import climbfast as cf
from climbfast.cli.options.knowledge import KnowledgeArguments

NAMES = ("a", "b", "c", "x,y")


def typed(**options):
    return KnowledgeArguments(**options).choose().about(NAMES)


def test_nothing_is_none(tmp_path):
    assert typed() is None
    cf.Knowledge().save(tmp_path / "known.toml")
    assert typed(knowledge=tmp_path / "known.toml") is None


def test_tiers_and_edges():
    assert typed(tier=["a, b", "c"], require=["a,c"], forbid=["b,c", "b,a"]) == cf.Knowledge(
        tiers=[["a", "b"], ["c"]], required=[("a", "c")], forbidden=[("b", "c"), ("b", "a")]
    )


def test_names_with_commas():
    assert typed(tier=["x,y", '"x,y"x']) == cf.Knowledge(tiers=[["x,y"], ["x,yx"]])
    assert typed(require=['"x,y",a']) == cf.Knowledge(required=[("x,y", "a")])


def test_a_file_and_edges_add_up(tmp_path):
    file = tmp_path / "known.json"
    in_file = {"required": [("a", "b")], "roots": ["a"], "leaves": ["c"]}
    cf.Knowledge(**in_file).save(file)
    assert typed(knowledge=file, require=["b,c"], tier=["a", "b"]) == cf.Knowledge(
        **{**in_file, "required": [("a", "b"), ("b", "c")]}, tiers=[["a"], ["b"]]
    )


COMMANDS = [
    ("graph", "--method", "pc"),
    ("graph", "--method", "fges"),
    ("graph", "--method", "best"),
    ("blanket", "--target", "sleep"),
    ("blankets", "--out", "-"),
    ("neighbors", "--target", "sleep"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_search_takes_it(refused, health, command):
    name, *rest = command
    message = "climbfast: no column named 'slep'; the nearest are 'sleep'"
    assert refused(name, health, *rest, "--tier", "slep").startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--require", "sleep"], "--require is 'sleep'; an edge is two names with a comma between, the source first"),
        (["--forbid", "a,b,c"], "--forbid is 'a,b,c'; an edge is two names with a comma between"),
        (["--require", "a,a"], "--require has a -> a, an edge of a column to itself"),
        (["--require", "a,b", "--forbid", "a,b"], "the required edge a -> b is forbidden as well"),
        (["--tier", ""], "no column named ''"),
        (["--tier", "sleep", "--tier", "sle*"], "'sleep' is in two tiers, 1 and 2"),
        (["--knowledge", "no.toml"], "no.toml: No such file or directory"),
    ],
)
def test_refused(refused, health, options, message):
    assert message in refused("graph", health, *options)


def test_tiers_in_both_places(refused, health, tmp_path):
    file = tmp_path / "known.toml"
    cf.Knowledge(tiers=[["sleep"]]).save(file)
    assert refused("graph", health, "--knowledge", file, "--tier", "sleep") == (
        f"climbfast: --tier and {file} both say what the tiers are; leave one of them out\n"
    )


def test_a_field_of_a_file_is_spelled_as_in_the_file(refused, health, tmp_path):
    file = tmp_path / "known.toml"
    file.write_text('required = [["a"]]')
    assert refused("graph", health, "--knowledge", file) == (
        f"climbfast: {file}: required has ['a']; an edge is a pair, (source, target)\n"
    )


@pytest.mark.parametrize("method", ["pc", "fges", "best", "pc+climb"])
def test_a_graph_obeys(run, health, tmp_path, method):
    names = cf.read(health).names
    source, target = names[-1], names[0]
    file = tmp_path / "known.toml"
    cf.Knowledge(required=[(source, target)]).save(file)
    known = {"required": [[source, target]]}
    for options in (["--knowledge", file], ["--require", f"{source},{target}"]):
        code, shown, _ = run("graph", health, "--method", method, "--json", *options)
        assert code == 0
        found = json.loads(shown)
        assert found["options"]["knowledge"] == known
        edge = next(edge for edge in found["edges"] if (edge["source"], edge["target"]) == (source, target))
        assert (edge["type"], edge["reason"]) == ("directed", "known")


def test_the_result_does_not_replace_the_file(refused, health, tmp_path):
    file = tmp_path / "known.json"
    cf.Knowledge(roots=["sleep"]).save(file)
    for command in ("graph", "blankets"):
        out = file if command == "graph" else file.rename(file := tmp_path / "known.csv")
        shown = refused(command, health, "--knowledge", file, "--out", out)
        assert "the same file as --knowledge" in shown


def test_blankets_and_neighbors_obey(run, health, tmp_path):
    found = json.loads(run("blanket", health, "--target", "sleep", "--forbid", "*,sleep", "--json").out)
    assert found["parents"] == []
    assert found["options"]["knowledge"]["forbidden"] == [["*", "sleep"]]
    out = tmp_path / "found.jsonl"
    assert run("blankets", health, "--out", out, "--forbid", "*,sleep", "--quiet", "--jobs", 1).code == 0
    assert cf.read_blankets(out)["sleep"].parents == ()
    plain = json.loads(run("neighbors", health, "--target", "sleep", "--json").out)["neighbors"]
    options = ["--forbid", f"{plain[0]},sleep", "--forbid", f"sleep,{plain[0]}"]
    assert (
        plain[0] not in json.loads(run("neighbors", health, "--target", "sleep", "--json", *options).out)["neighbors"]
    )


def test_orient_obeys(run, health, tmp_path):
    graph = cf.pc(cf.read(health))
    pairs = cf.Graph(graph.names, (), graph.skeleton)
    pairs.save(tmp_path / "graph.csv")
    x, y = pairs.undirected[0]
    for source, target in ((x, y), (y, x)):
        shown = run("orient", tmp_path / "graph.csv", health, "--forbid", f"{target},{source}", "--json").out
        edges = {(edge["source"], edge["target"]) for edge in json.loads(shown)["edges"] if edge["type"] == "directed"}
        assert (source, target) in edges
