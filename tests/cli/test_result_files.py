"""``--out`` of the commands that print a result: the same result in a file."""

from __future__ import annotations

import json

import pytest

import climbfast as cf


@pytest.fixture
def commands(tmp_path, health):
    """The commands that print a result, with what they need."""
    graph = tmp_path / "graph.csv"
    cf.Graph("ab", directed=[("a", "b")]).save(graph)
    journal = tmp_path / "run.db"
    cf.markov_blankets(cf.read(health), targets=["ecg"], journal=journal, n_jobs=1, progress=False)
    return {
        "inspect": ["inspect", health],
        "blanket": ["blanket", health, "--target", "heart_disease"],
        "neighbors": ["neighbors", health, "--target", "heart_disease"],
        "test": ["test", health, "--x", "ecg", "--y", "sleep"],
        "methods": ["methods"],
        "status": ["status", journal],
        "compare": ["compare", graph, graph],
        "demo": ["demo"],
        "schema": ["schema"],
    }


NAMES = ("inspect", "blanket", "neighbors", "test", "methods", "status", "compare", "demo", "schema")
CHANGING = {"seconds", "idle", "rate"}


def lasting(found):
    """Return a result without its times."""
    if isinstance(found, dict):
        return {key: lasting(value) for key, value in found.items() if key not in CHANGING}
    return found


@pytest.mark.parametrize("name", NAMES)
def test_json(run, commands, tmp_path, name):
    out = tmp_path / "result.json"
    code, printed, said = run(*commands[name], "--out", out)
    assert (code, printed) == (0, "")
    assert said.endswith(f"written to {out}\n")
    both = tmp_path / "both.json"
    code, printed, _ = run(*commands[name], "--out", both, "--json", "--quiet")
    assert code == 0
    assert lasting(json.loads(printed)) == lasting(json.loads(both.read_text())) == lasting(json.loads(out.read_text()))


@pytest.mark.parametrize("name", NAMES)
def test_page(run, commands, tmp_path, name, monkeypatch):
    monkeypatch.setattr("climbfast.provenance.Provenance.to_dict", dict)  # a page needs no JSON
    out = tmp_path / "page.txt"
    assert run(*commands[name], "--out", out, "--quiet") == (0, "", "")
    page = run(*commands[name]).out
    head = page.splitlines()[0]
    assert out.read_text("utf-8").splitlines()[0] == head
    assert "\x1b" not in out.read_text("utf-8")
    assert run(*commands[name], "--out", "-").out.splitlines()[0] == head


@pytest.mark.parametrize(
    ("out", "says"),
    [
        ("result.csv", "--out is result.csv, of an unknown suffix; known are .json, .txt"),
        ("none/result.json", "--out: none/result.json cannot be written: the folder "),
    ],
)
def test_a_file_that_cannot_be_is_refused_before_the_work(refused, monkeypatch, tmp_path, out, says):
    monkeypatch.chdir(tmp_path)
    assert says in refused("blanket", "no such file.csv", "--target", "a", "--out", out)


def test_no_input_is_replaced(refused, tmp_path):
    (tmp_path / "data.json").write_text("a,b\n1,2\n")
    data = tmp_path / "data.json"
    assert "the same file as DATA" in refused("inspect", data, "--format", "csv", "--out", data)
    assert "the same file as JOURNAL" in refused("status", data, "--out", data)
    assert "the same file as TRUTH" in refused("compare", data, "other.csv", "--out", data)


def test_a_full_disk_loses_nothing(run, commands, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("climbfast.cli.result_files.atomic_write", full)
    code, printed, err = run(*commands["blanket"], "--out", tmp_path / "blanket.json")
    assert code == 2
    assert "No space left on device; the result is on standard output, as JSON" in err
    assert json.loads(printed)["target"] == "heart_disease"
