"""Frequencies written and read again, in every format; and files that are something else."""

from __future__ import annotations

import csv
import json

import numpy as np
import polars as pl
import pytest

import climbfast as cf
from climbfast.resampling.files import check_target
from tests.resampling.replicates import bootstrap, content

SUFFIXES = [".json", ".csv", ".parquet"]
NAMES = {
    "text": ["age", "b", "c", "d"],
    "integers": [3, 10, -2, 0],
    "tuples": [("a", 1), ("a", 2), ("b", ("c", None)), ("b",)],
    "mixed": [1, "1", 2.5, ("1",)],
    "unicode": ["Größe", "年齢", "e\u0301", "\U0001f40d"],
    "quotes": ['a"b', "c,d", "e\nf", ""],
    "formulas": ["=1+1", "+x", "'y", "@z"],
    "surrogates": ["\ud800", "\r", "a", "b"],
}


def table(names):
    """Four columns of which each leans on the one before."""
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 2, 300)]
    for _ in range(3):
        columns.append(np.where(rng.random(300) < 0.8, columns[-1], rng.integers(0, 2, 300)))
    return cf.Dataset.from_frame(dict(zip(names, columns, strict=True)))


@pytest.fixture(scope="module")
def found():
    """One result of graphs and one of blankets for every kind of names."""
    return {
        (kind, search): bootstrap(table(names), search)
        for kind, names in NAMES.items()
        for search in ("pc", "blankets")
    }


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("search", ["pc", "blankets"])
@pytest.mark.parametrize("kind", NAMES)
def test_written_and_read(found, kind, search, suffix, tmp_path):
    before = found[kind, search]
    assert len(before.pairs.x) > 2
    before.save(tmp_path / f"f{suffix}")
    again = cf.read_bootstrap(tmp_path / f"f{suffix}")
    assert again == before
    assert content(again) == content(before)
    assert again.to_frame().equals(before.to_frame())
    assert again.graph() == before.graph()
    assert dict(again.how) == dict(before.how)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("search", ["pc", "blankets"])
def test_nothing_found(search, suffix, tmp_path):
    before = bootstrap(cf.Dataset.from_frame({"a": ["x", "y"] * 50, "b": list("xxyy") * 25}), search)
    assert len(before.pairs.x) == 0
    before.save(tmp_path / f"f{suffix}")
    again = cf.read_bootstrap(tmp_path / f"f{suffix}")
    assert content(again) == content(before)
    assert again.to_frame().schema == before.to_frame().schema


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_knowledge_and_a_target_that_are_tuples(suffix, tmp_path):
    names = NAMES["tuples"]
    known = cf.Knowledge(roots=[names[0]], forbidden=[(names[3], names[2])])
    before = bootstrap(table(names), search_without_knowledge, knowledge=known)
    before.save(tmp_path / f"f{suffix}")
    again = cf.read_bootstrap(tmp_path / f"f{suffix}")
    assert again.graph(0) == before.graph(0)
    assert known.allowed_arcs(again.names).directs(0, 1)
    assert (names[1], names[0]) not in again.graph(0).directed


def search_without_knowledge(data, knowledge):
    return cf.pc(data, n_jobs=1)


def test_formulas_in_quotes(found, tmp_path):
    before = found["formulas", "pc"]
    before.save(tmp_path / "f.csv", quote_formulas=True)
    with (tmp_path / "f.csv").open(newline="") as file:
        cells = {cell for row in csv.DictReader(file) for cell in (row["x"], row["y"])}
    assert cells == {"'=1+1", "'+x", "''y", "'@z"}
    assert content(cf.read_bootstrap(tmp_path / "f.csv")) == content(before)


def test_the_table_in_a_file_is_the_table(found, tmp_path):
    before = found["text", "blankets"]
    before.save(tmp_path / "f.parquet")
    assert pl.read_parquet(tmp_path / "f.parquet").drop("run").equals(before.to_frame())


def shares_of_two(document):
    document["table"]["edge"][0] = 2.0


def unknown_name(document):
    document["table"]["x"][0] = "q"


def without_names(document):
    del document["names"]


def no_replicates(document):
    document["replicates"] = 0


def names_of_objects(document):
    document["names"][0] = {}


@pytest.mark.parametrize("change", [shares_of_two, unknown_name, without_names, no_replicates, names_of_objects])
def test_a_changed_file(found, change, tmp_path):
    path = tmp_path / "f.json"
    found["text", "pc"].save(path)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(cf.DataError, match=r"f.json: ") as caught:
        cf.read_bootstrap(path)
    assert "\n" not in str(caught.value)


OTHERS = {
    "nothing": b"",
    "text": b"a,b\n1,2\n",
    "json": b'{"a": 1}',
    "a list": b"[1, 2]",
    "binary": bytes(range(256)),
    "run": b'x,y,run\n1,2,"[]"\n',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("other", OTHERS)
def test_another_file(other, suffix, tmp_path):
    path = tmp_path / f"f{suffix}"
    path.write_bytes(OTHERS[other])
    with pytest.raises(cf.DataError, match=f"f{suffix}: it is not a file of frequencies"):
        cf.read_bootstrap(path)


def test_no_such_file(tmp_path):
    with pytest.raises(cf.DataError, match=r"f.csv: No such file"):
        cf.read_bootstrap(tmp_path / "f.csv")


@pytest.mark.parametrize("act", ["save", "read"])
def test_another_suffix(found, act, tmp_path):
    with pytest.raises(cf.OptionError, match=r"f.xlsx: unknown suffix; known are .json, .csv, .parquet"):
        getattr(found["text", "pc"], act)(tmp_path / "f.xlsx")


def test_where_nothing_can_be_written(found, tmp_path):
    with pytest.raises(cf.OptionError, match=r"f.csv cannot be written: "):
        found["text", "pc"].save(tmp_path / "nowhere" / "f.csv")


def test_json_is_what_the_file_has(tmp_path):
    for names in NAMES.values():
        found = bootstrap(table(names), "pc")
        found.save(tmp_path / "found.json")
        assert found.to_json() + "\n" == (tmp_path / "found.json").read_text()
        assert found.to_dict()["names"] == list(found.names)
        assert found.to_dict()["replicates"] == 6


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("x.txt", "unknown suffix; known are .json, .csv, .parquet"),
        ("none/x.csv", "cannot be written: "),
        ("folder.csv", "cannot be written: "),
    ],
)
def test_a_target_that_cannot_be_written(tmp_path, name, says):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(cf.OptionError, match=says):
        check_target(tmp_path / name)
    check_target(tmp_path / "new.csv")
    assert not (tmp_path / "new.csv").exists()
