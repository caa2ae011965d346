"""Standard input where the system has no file for it, as on Windows."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import climbfast as cf
from climbfast.cli import standard_input
from climbfast.networks.examples import load_example


@pytest.fixture
def given(monkeypatch):
    """A function that puts bytes behind standard input, which has no path."""
    monkeypatch.setattr(standard_input, "_DEVICE", Path("no-such-device"))
    return lambda content: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_a_copy_is_read_and_removed(given):
    given(b"a,b\r\n0,1\n")
    with standard_input.standard_input() as path:
        assert path.read_bytes() == b"a,b\r\n0,1\n"
    assert not path.exists()


def test_commands_read_data_graphs_and_networks(run, given, tmp_path):
    given(b"a,b\n0,1\n1,0\n0,1\n")
    code, out, err = run("test", "-", "--format", "csv", "--x", "a", "--y", "b", "--json")
    assert (code, json.loads(out)["rows"]) == (0, 3), err
    cf.write_bif(load_example(), tmp_path / "health.bif")
    given((tmp_path / "health.bif").read_bytes())
    assert run("sample", "-", "--rows", 5, "--seed", 1, "--out", tmp_path / "data.csv").code == 0
    graph = b"source,target,type\na,b,directed\n"
    (tmp_path / "graph.csv").write_bytes(graph)
    given(graph)
    code, out, _ = run("compare", tmp_path / "graph.csv", "-", "--json")
    assert (code, json.loads(out)["shd"]) == (0, 0)


def test_without_any_standard_input_there_is_no_such_file(refused, given, monkeypatch):
    given(b"")
    monkeypatch.setattr(sys, "stdin", None)
    assert "there is no such file" in refused("blanket", "-", "--format", "csv", "--target", "a")
