"""Every command that reads DATA or graphs reads them from standard input, and writes results to standard output."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

import climbfast as cf
from climbfast.cli import main
from climbfast.networks.examples import load_example
from tests.dataset.r_objects import frame, saved_rds, texts

ROWS = {"a": ["x", "y", "y", "x"] * 20, "b": ["u", "v", "v", "u"] * 10 + ["v", "v", "u", "u"] * 10}
COLUMNS = pl.DataFrame(ROWS)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="standard input is no file there")


def climbfast(*arguments, given=b""):
    """What a process writes to standard output, all of it, and its messages."""
    ran = subprocess.run(
        [sys.executable, "-m", "climbfast", *map(str, arguments)], capture_output=True, input=given, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout, ran.stderr.decode()


def edges(graph):
    return set(graph.directed), {frozenset(edge) for edge in graph.undirected}


def written_by(write, *arguments):
    out = io.BytesIO()
    write(COLUMNS, out, *arguments)
    return out.getvalue()


def sav(folder):
    import pyreadstat

    pyreadstat.write_sav(COLUMNS.to_pandas(), folder / "data.sav")
    return (folder / "data.sav").read_bytes()


ARFF = "@relation r\n@attribute a {x,y}\n@attribute b {u,v}\n@data\n" + "".join(f"{a},{b}\n" for a, b in COLUMNS.rows())
CONTENTS = {
    "csv": lambda _: COLUMNS.write_csv().encode(),
    "tsv": lambda _: COLUMNS.write_csv(separator="\t").encode(),
    "parquet": lambda _: written_by(pl.DataFrame.write_parquet),
    "arrow": lambda _: written_by(pl.DataFrame.write_ipc),
    "arff": lambda _: ARFF.encode(),
    "sav": sav,
    "rds": lambda _: saved_rds(frame({name: texts(cells) for name, cells in ROWS.items()}, rows=80)),
}


@contextmanager
def standard_input(content, path=None):
    """The content in a pipe, or in a file, that is standard input of this process."""
    if path is None:
        reader, writer = os.pipe()
        assert os.write(writer, content) == len(content)
        os.close(writer)
    else:
        path.write_bytes(content)
        reader = os.open(path, os.O_RDONLY)
    before, stdin = os.dup(0), sys.stdin
    os.dup2(reader, 0)
    os.close(reader)
    try:
        with open(0, closefd=False) as sys.stdin:
            yield
    finally:
        sys.stdin = stdin
        os.dup2(before, 0)
        os.close(before)


@pytest.mark.parametrize("form", CONTENTS)
def test_data_in_every_format(form, tmp_path, capsysbinary):
    """Through a pipe, and from a file behind standard input."""
    content = CONTENTS[form](tmp_path)
    expected = cf.test(COLUMNS, "a", "b").strength
    for path in (None,) if form == "rds" else (None, tmp_path / "content"):
        with standard_input(content, path):
            said = bytes_of(capsysbinary, "test", "-", "--format", form, "--x", "a", "--y", "b", "--json")
        assert json.loads(said)["strength"] == expected


def test_a_chain_of_commands(tmp_path, capsysbinary):
    """A network to a sample, to a graph, to directions, to a comparison; the first command in a process of its own."""
    network, data, truth = tmp_path / "health.bif", tmp_path / "data.csv", tmp_path / "truth.json"
    cf.write_bif(load_example(), network)
    arguments = ("sample", "-", "--rows", 500, "--seed", 1, "--out", "-")
    drawn, _ = climbfast(*arguments, given=network.read_bytes())
    data.write_bytes(drawn)
    assert cf.read(data).rows == 500
    with standard_input(drawn, tmp_path / "standard input"):
        assert main(["graph", "-", "--format", "csv", "--method", "pc", "--out", "-"]) == 0
    found, messages = capsysbinary.readouterr()
    (tmp_path / "found.csv").write_bytes(found)
    assert edges(cf.read_graph(tmp_path / "found.csv")) == edges(cf.pc(cf.read(data)))
    assert b"directed" in messages
    with standard_input(found):
        directed = bytes_of(capsysbinary, "orient", "-", data, "--out", "-", "--out-format", "json")
    (tmp_path / "directed.json").write_bytes(directed)
    expected = cf.orient(cf.pc(cf.read(data)), cf.read(data))
    assert edges(cf.read_graph(tmp_path / "directed.json")) == edges(expected)
    truth.write_text(cf.Graph.from_networkx(load_example().to_networkx()).to_json())
    with standard_input(directed):
        compared = bytes_of(capsysbinary, "compare", truth, "-", "--graph-format", "json", "--json")
    assert json.loads(compared)["shd"] == cf.compare(cf.read_graph(truth), expected).shd


def bytes_of(capsysbinary, *arguments):
    assert main([str(argument) for argument in arguments]) == 0
    return capsysbinary.readouterr().out


@pytest.fixture
def table(tmp_path) -> Path:
    path = tmp_path / "table.csv"
    COLUMNS.write_csv(path)
    return path


@pytest.mark.parametrize("form", ["jsonl", "parquet", "csv"])
def test_blankets_as_their_file_has_them(form, table, tmp_path, capsysbinary):
    out = tmp_path / f"out.{form}"
    typed = () if form == "jsonl" else ("--out-format", form)
    out.write_bytes(bytes_of(capsysbinary, "blankets", table, "--quiet", "--jobs", 1, "--out", "-", *typed))
    found, expected = cf.read_blankets(out), cf.markov_blankets(cf.read(table), n_jobs=1, progress=False)
    assert {name: blanket.members for name, blanket in found.items()} == {
        name: blanket.members for name, blanket in expected.items()
    }


@pytest.mark.parametrize("form", ["csv", "json", "graphml", "dot", "gv"])
def test_graphs_as_their_file_has_them(form, table, tmp_path, capsysbinary):
    out = tmp_path / f"out.{form}"
    out.write_bytes(bytes_of(capsysbinary, "graph", table, "--out", "-", "--out-format", form))
    assert edges(cf.read_graph(out)) == edges(cf.causal_graph(cf.read(table)))


@pytest.mark.parametrize("form", ["csv", "tsv", "csv.gz", "tsv.gz", "parquet", "arrow", "feather"])
def test_samples_as_their_file_has_them(form, tmp_path, capsysbinary):
    network = tmp_path / "health.bif"
    cf.write_bif(load_example(), network)
    asked = ("sample", network, "--rows", 50, "--seed", 7, "--out")
    typed = () if form == "csv" else ("--out-format", form)
    content = bytes_of(capsysbinary, *asked, "-", *typed)
    bytes_of(capsysbinary, *asked, tmp_path / f"data.{form}")
    if form in ("parquet", "arrow", "feather"):
        (tmp_path / f"found.{form}").write_bytes(content)
        assert cf.read(tmp_path / f"found.{form}").fingerprint == cf.read(tmp_path / f"data.{form}").fingerprint
    else:
        assert content == (tmp_path / f"data.{form}").read_bytes()


def test_what_cannot_be(refused, table, tmp_path):
    network = tmp_path / "health.bif"
    cf.write_bif(load_example(), network)
    graph = ("graph", table, "--out")
    assert "--out-format is for --out -" in refused(*graph, tmp_path / "g.csv", "--out-format", "csv")
    assert "--out-format xls does not exist; use one of csv, json" in refused(*graph, "-", "--out-format", "xls")
    assert "--out-format xls does not exist" in refused("blankets", table, "--out", "-", "--out-format", "xls")
    sample = ("sample", network, "--rows", 5, "--seed", 1)
    assert "--out-format xls does not exist" in refused(*sample, "--out", "-", "--out-format", "xls")
    assert "GRAPH and DATA cannot both be standard input" in refused("orient", "-", "-", "--format", "csv")
    assert "TRUTH and FOUND cannot both be standard input" in refused("compare", "-", "-")
    assert "standard input has no suffix; say what it is" in refused("graph", "-")


def test_a_file_of_a_pattern_is_not_replaced(refused, table, tmp_path):
    for command in (("graph", "--method", "pc"), ("blankets",)):
        name, *options = command
        says = refused(name, tmp_path / "*.csv", *options, "--out", table)
        assert "the same file as DATA; name another one for --out" in says
    assert "none that matches this pattern" in refused("graph", tmp_path / "part-*.csv", "--out", tmp_path / "g.csv")


def test_a_pattern_is_one_table(run, table, tmp_path):
    text = table.read_text().splitlines(keepends=True)
    for name, rows in (("part-1.csv", text[1:30]), ("part-2.csv", text[30:])):
        (tmp_path / name).write_text(text[0] + "".join(rows))
    whole = run("test", table, "--x", "a", "--y", "b", "--json")
    assert run("test", tmp_path / "part-*.csv", "--x", "a", "--y", "b", "--json") == whole
