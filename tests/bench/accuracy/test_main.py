"""The command: cells are measured once, and a method that fails is left out."""

from __future__ import annotations

import json
import sys

import pytest

import climbfast as cf
from bench.accuracy import __main__ as command
from bench.accuracy.methods import METHODS
from bench.accuracy.peers import PeerError


@pytest.fixture
def run(monkeypatch, tmp_path, capsys):
    calls = []

    def truth_free(data):
        calls.append(data.rows)
        return cf.Graph(data.names)

    def failing(data):
        raise cf.OptionError("no such option")

    monkeypatch.setattr(command, "METHODS", {"empty": truth_free, "failing": failing})

    def start(*arguments):
        monkeypatch.setattr(sys, "argv", ["accuracy", "--out", str(tmp_path / "cells.jsonl"), *arguments])
        command.main()
        return capsys.readouterr()

    start.calls, start.path = calls, tmp_path / "cells.jsonl"
    return start


ARGUMENTS = ("--methods", "empty,failing", "--networks", "random:7", "--rows", "300,400", "--seeds", "1")


def test_every_cell_is_measured_once(run):
    first = run(*ARGUMENTS)
    assert run.calls == [command.FOR_WARMING, 300, 400]
    assert "failing is left out: OptionError: no such option" in first.err
    assert "| 300 | empty | 0.0 |" in first.out
    again = run(*ARGUMENTS)
    assert run.calls[3:] == []
    assert again.out == first.out
    cells = [json.loads(line) for line in run.path.read_text().splitlines()]
    assert [(each["method"], each["rows"]) for each in cells] == [("empty", 300), ("empty", 400)]
    assert cells[0]["skeleton"][1] == 0 < cells[0]["skeleton"][2]


def test_again_measures_anew_and_report_measures_nothing(run):
    run(*ARGUMENTS)
    run(*ARGUMENTS, "--report")
    assert len(run.calls) == 3
    run(*ARGUMENTS, "--again")
    assert run.calls[3:] == [command.FOR_WARMING, 300, 400]


def test_a_peer_that_breaks_is_kept_as_broken(run, monkeypatch):
    def breaking(method, of):
        raise PeerError("too many columns")

    monkeypatch.setattr(command, "PEERS", {"peer": None})
    monkeypatch.setattr(command, "peer_answer", breaking)
    printed = run("--methods", "peer,empty", "--networks", "random:7", "--rows", "300", "--seeds", "1")
    assert "peer: too many columns" in printed.err
    assert json.loads(run.path.read_text().splitlines()[0])["failed"] == "too many columns"
    assert "| 300 | peer" not in printed.out


def test_an_unknown_method_is_refused(run):
    with pytest.raises(SystemExit):
        run("--methods", "bset")


def test_names_of_networks():
    assert command.networks_of("child,random:2-4,child") == ["child", "random:2", "random:3", "random:4"]
    assert command.networks_of("reporting")[0] == "insurance"


def test_our_methods_answer():
    data = cf.load_example().sample(300, seed=1)
    for name in ("best", "fges+global", "pc", "blankets climb"):
        assert METHODS[name](data)
