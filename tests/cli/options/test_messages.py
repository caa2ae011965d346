"""``--quiet`` and ``--verbose`` of every command."""

from __future__ import annotations

import pytest
import typer

from climbfast import activity
from climbfast.cli.commands import COMMANDS, command_line
from climbfast.cli.options import reading

PROGRAM = typer.main.get_command(command_line())
SEARCH = ("--target", "heart_disease")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_them_last(command):
    options = [option.opts for option in PROGRAM.commands[command].params]
    assert options[-2:] == [["--quiet", "-q"], ["--verbose", "-v"]]


def test_quiet_leaves_results_warnings_and_errors(run, tmp_path, health):
    out = tmp_path / "blanket.json"
    assert run("blanket", health, *SEARCH, "--out", out, "-q") == (0, "", "")
    assert run("blanket", health, *SEARCH, "-q").out
    constant = tmp_path / "constant.csv"
    constant.write_text("a,b,c\n" + "0,0,5\n0,1,5\n1,0,5\n1,1,5\n" * 5)
    assert run("test", constant, "--x", "a", "--y", "b", "-q").err.startswith("warning: ")
    assert run("blanket", health, "--target", "nothing", "-q").err.startswith("climbfast: no column")


def test_quiet_is_of_one_command(run, health):
    shown = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading, "read", lambda *_, **__: shown.append(not activity.never_shown))
        run("blanket", health, *SEARCH, "-q")
        run("blanket", health, *SEARCH)
    assert shown == [False, True]
    assert not activity.never_shown


def test_verbose_says_what_it_runs_on(run, health):
    code, _, err = run("blanket", health, *SEARCH, "-v")
    versions, cost = err.splitlines()[-2:]
    assert code == 0
    assert versions.startswith("climbfast: climbfast ")
    assert "numba" in versions
    assert " s" in cost
    before = run("--verbose", "blanket", health, *SEARCH).err
    assert before.splitlines()[-2] == versions


def test_verbose_shows_the_traceback_of_a_fault_of_ours(run, health, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    assert "Traceback" not in run("blanket", health, "--target", "nothing", "-v").err
    monkeypatch.setattr(reading, "read", broken)
    assert run("blanket", health, *SEARCH, "-v").err.startswith("Traceback")


def test_they_are_opposites(refused, health):
    assert "--quiet and --verbose are opposites" in refused("inspect", health, "-q", "-v")
