"""Whatever is written as JSON has the form that its schema says, and no field that the schema does not know."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import climbfast as cf
from climbfast.blankets.jsonl_format import line_of
from climbfast.cli import main
from climbfast.cli.commands import COMMANDS
from climbfast.errors import OptionError
from climbfast.schemas import SCHEMAS, schema
from tests.factories import quiet

NAMES = ("x", 1, "1", 2.5, ("a", (3, "b")), "", "line\nbreak", -7, "NaN", "[1]", False)


def conforms(name: str, text: str) -> Any:
    """Check a text against a schema, and return what it holds."""
    found = json.loads(text)
    wrong = [
        f"{error.json_path}: {error.message:.300}" for error in Draft202012Validator(schema(name)).iter_errors(found)
    ]
    assert not wrong
    return found


@pytest.fixture(scope="module")
def odd():
    """Noisy copies of a column in a chain, under names of all kinds, and an exact copy."""
    draw = np.random.default_rng(1)
    columns = [draw.integers(0, 2, 800)]
    for _ in NAMES[1:]:
        columns.append(columns[-1] ^ (draw.random(800) < 0.15))
    return quiet({**dict(zip(NAMES, columns, strict=True)), "copy": columns[3]})


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema(name):
    found = schema(name)
    Draft202012Validator.check_schema(found)
    assert found["additionalProperties"] is False
    assert found["title"]


def test_an_unknown_one_is_refused():
    with pytest.raises(OptionError, match="name is 'blankett'; it is one of blanket, neighbors"):
        schema("blankett")


def test_what_no_schema_knows_is_wrong(odd):
    found = json.loads(cf.markov_blanket(odd, "x").to_json())
    with pytest.raises(AssertionError, match="unexpected"):
        conforms("blanket", json.dumps(found | {"unexpected": 1}))
    del found["margins"]
    with pytest.raises(AssertionError, match="margins"):
        conforms("blanket", json.dumps(found))


@pytest.mark.parametrize("method", ["climb", "best", "pcmb", "iamb"])
@pytest.mark.parametrize("target", NAMES)
def test_blankets(odd, method, target):
    found = cf.markov_blanket(odd, target, method)
    conforms("blanket", found.to_json())
    conforms("blanket", line_of(found, {"method": method}, separating_sets=True))


def test_a_blanket_with_all_that_it_can_have(odd):
    known = cf.Knowledge(required=[("x", 1), ("", "x")])
    found = cf.markov_blanket(odd, "x", knowledge=known)
    sure = cf.bootstrap(odd, "blanket", target="x", replicates=3, progress=False)
    shown = conforms("blanket", sure.added_to(found).to_json())
    assert shown["known"]
    assert shown["contradicted"]
    assert shown["frequencies"]
    unlimited = conforms("blanket", cf.markov_blanket(odd, "x", max_given=None, test="g2").to_json())
    assert unlimited["max_given"] is None


@pytest.mark.parametrize("target", NAMES)
def test_neighbors(odd, target):
    conforms("neighbors", cf.neighbors(odd, target).to_json())


def test_graphs(odd):
    data = quiet({name: odd.codes[odd.index(name)] for name in odd.names})
    best = cf.causal_graph(data)
    for graph in (best, cf.pc(data, "g2"), cf.fges(data), cf.Graph(["a", ("b", 1)], undirected=[("a", ("b", 1))])):
        conforms("graph", graph.to_json())
    sure = cf.bootstrap(data, "best", replicates=3, progress=False)
    conforms("graph", sure.added_to(best).to_json())
    conforms("graph", sure.graph(0.5).to_json())
    merged = cf.Blankets([cf.Blanket("a", undecided=(1,), bounded=2), cf.Blanket(1, undecided=("a",))]).merge()
    assert conforms("graph", merged.to_json())["figures"] == {"bounded_targets": 1}
    known = cf.Knowledge(forbidden=[("x", 1), (1, "x")])
    assert conforms("graph", cf.pc(data, knowledge=known).to_json())["names"]


@pytest.mark.parametrize("search", ["pc", "best", "blankets"])
def test_frequencies(odd, search):
    data = quiet({name: odd.codes[odd.index(name)] for name in ("x", 1, ("a", (3, "b")), 2.5)})
    conforms("bootstrap", cf.bootstrap(data, search, replicates=3, progress=False).to_json())
    alone = quiet({"a": [0, 1, 0, 1] * 20, "b": [0, 0, 1, 1] * 20})
    assert conforms("bootstrap", cf.bootstrap(alone, "pc", replicates=2, progress=False).to_json())["table"]["x"] == []


def test_inspections():
    table = {
        "age": [31.5, 40.0, None, math.inf] * 10,
        1: ["yes", "no", "Yes", None] * 10,
        "when": np.array(["2020-01-01", "2021-02-03", "2020-01-01", "2022-03-04"] * 10, dtype="datetime64[D]"),
        "empty": [None] * 40,
        "id": list(range(40)),
    }
    assert conforms("inspect", cf.inspect(table).to_json())["refused"]
    conforms("inspect", cf.inspect(table, numbers={"age": [35.0]}, missing="test-wise", weights="id").to_json())


@pytest.mark.parametrize("test", ["sci", "g2", "x2", "cmi"])
def test_tests(odd, test):
    conforms("test", cf.test(odd, -7, ("a", (3, "b")), ["x", 1, "1"], test).to_json())
    skipped = cf.test(odd, "x", 1, ["1", 2.5], cf.G2(min_rows_per_df=1000))
    assert conforms("test", skipped.to_json())["skipped"]


def test_comparisons():
    names = ("a", "b", "c")
    truth = cf.Graph(names, directed=[("a", "b"), ("b", "c")])
    for found in (truth, cf.Graph(names, undirected=[("a", "b")]), cf.Graph(names, directed=[("c", "b")])):
        conforms("compare", cf.compare(truth, found).to_json())
        conforms("compare", cf.compare(found, truth).to_json())


def test_status(tmp_path, odd):
    for search in (
        lambda journal: cf.markov_blankets(odd, targets=["x", 1], journal=journal, progress=False),
        lambda journal: cf.bootstrap(odd, "pc", replicates=2, journal=journal, progress=False),
    ):
        journal = tmp_path / f"{id(search)}.db"
        search(journal)
        assert conforms("status", json.dumps(cf.journal_status(journal).to_dict()))["complete"]


@pytest.mark.parametrize("command", ["methods", "demo", "schema"])
def test_commands_without_a_file(command, capsys):
    assert main([command, "--json"]) == 0
    conforms({"schema": "schemas"}.get(command, command), capsys.readouterr().out)


def test_knowledge(tmp_path):
    known = cf.Knowledge(
        tiers=[["a"], ["b", 3]], required=[("a", "b")], forbidden=[("d", "c")], roots=["c"], leaves=["d"], closed=[0]
    )
    known.save(tmp_path / "known.json")
    conforms("knowledge", (tmp_path / "known.json").read_text("utf-8"))
    cf.Knowledge().save(tmp_path / "nothing.json")
    conforms("knowledge", (tmp_path / "nothing.json").read_text("utf-8"))


def test_discretizers():
    discretizer = cf.Discretizer({"age": [20, 40.5], "income": "quantile:2"})
    conforms("discretizer", json.dumps(discretizer.to_dict()))
    fitted = discretizer.fit({"age": [18, 30, 70] * 9, "income": [1.5, 2.5, 3.5] * 9, "sex": ["f", "m", "f"] * 9})
    assert len(conforms("discretizer", json.dumps(fitted.to_dict()))["cuts"]) == 2


def test_every_command_that_takes_json_has_a_schema():
    """Those that write a graph have the one of graphs."""
    others = {"orient": "graph", "convert": "graph", "schema": "schemas"}
    without_json = {"blankets", "sample", "fit", "report", "plot", "warm"}
    assert {others.get(command, command) for command in COMMANDS if command not in without_json} <= SCHEMAS.keys()
