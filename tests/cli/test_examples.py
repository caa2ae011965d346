"""The examples in the help of the commands: every command has some, and all run on the files that they name."""

from __future__ import annotations

import shlex
import shutil

import pytest
import typer

import climbfast as cf
from climbfast.cli.commands import COMMANDS, command_line
from climbfast.cli.examples import EXAMPLES, epilog_of
from climbfast.cli.output import NARROWEST_HELP

ALL = [line for lines in EXAMPLES.values() for line in lines]


@pytest.fixture(scope="module")
def files(tmp_path_factory, health):
    """The files that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    names = {"heart_disease": "disease", "chest_pain": "cough", "smoking": "smoking", "age": "age"}
    table = cf.read(health).to_frame()
    patients = table.select(*names).rename(names).head(1000)
    patients.write_csv(folder / "patients.csv")
    data = cf.read(folder / "patients.csv")
    survey = {"age": [31.5, 40.25, None, 72.75, 55.5] * 20, "ill": ["yes", "no", "no", "yes", None] * 20}
    type(patients)(survey).write_csv(folder / "survey.csv")
    graph = cf.causal_graph(data)
    graph.save(folder / "graph.csv")
    graph.save(folder / "truth.csv")
    directed = cf.Graph(data.names, directed=[("age", "disease"), ("smoking", "disease"), ("disease", "cough")])
    directed.save(folder / "directed.csv")
    directed.fit(data).write_bif(folder / "patients.bif")
    found = cf.markov_blankets(data, n_jobs=1, progress=False, journal=folder / "run.db")
    found.save(folder / "blankets.jsonl")
    return folder


@pytest.fixture
def folder(files, tmp_path, monkeypatch):
    """A folder with these files alone."""
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_has_examples_of_its_own():
    assert EXAMPLES.keys() == set(COMMANDS)
    for command, lines in EXAMPLES.items():
        assert lines
        assert all(line.startswith(f"climbfast {command}") for line in lines)
        assert all(len(line) < NARROWEST_HELP for line in lines)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_shows_them(run, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    shown = run(command, "--help").out
    assert epilog_of(command).startswith("Examples:")
    for line in EXAMPLES[command]:
        assert f" {line} " in shown or f" {line}\n" in shown


def test_the_help_of_the_program_shows_some(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    shown = run("--help").out
    assert "climbfast inspect survey.csv" in shown
    assert "climbfast demo" in shown


@pytest.mark.parametrize("line", ALL)
def test_it_is_parsed(line):
    _, command, *words = shlex.split(line)
    typer.main.get_command(command_line([command])).commands[command].make_context(command, words)


@pytest.mark.parametrize("line", [line for line in ALL if not line.startswith(("climbfast warm", "climbfast demo"))])
def test_it_runs(run, folder, line):
    words = shlex.split(line)[1:]
    if words[0] in ("report", "plot"):
        pytest.importorskip("matplotlib")
        pytest.importorskip("jinja2")
    if words[0] == "bootstrap":
        words += ["--replicates", "3", "--jobs", "1"]
    if "--journal" in words:
        shutil.copy("run.db", "copy.db")
    code, _, err = run(*words)
    assert code == 0, err
    if "--out" in words and (out := words[words.index("--out") + 1]) != "-":
        assert (folder / out).stat().st_size
