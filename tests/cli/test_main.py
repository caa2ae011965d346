"""The program as a whole: version, help, paths, and the garbage collector."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

import climbfast as cf
from climbfast import warm
from climbfast.cli.interpreted import Answer
from climbfast.cli.main import _compile_ahead


def test_version(run):
    assert run("--version") == (0, f"climbfast {cf.__version__}\n", "")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["blanket", "--help"], ["sample", "-h"]])
def test_help(run, arguments):
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert "Usage: climbfast" in out


def test_data_path_may_be_anything(run, tmp_path: Path):
    path = tmp_path / "[bold]sp ace,é.csv"
    path.write_text("a,b\n0,0\n1,1\n")
    assert run("blanket", path, "--target", "a").code == 0


def test_the_collector_is_left_as_it_was(run, health):
    threshold, frozen = gc.get_threshold(), gc.get_freeze_count()
    assert run("blanket", health, "--target", "heart_disease").code == 0
    assert run("blanket", health, "--target", "nothing").code == 2
    assert gc.get_threshold() == threshold
    assert gc.get_freeze_count() <= frozen  # of the suite's own, one may go


def test_the_last_search_for_cycles_of_objects_is_left_out():
    code = (
        "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 0));"
        "from climbfast.cli import main; main(['--version'])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (ran.stdout.split()[-1], ran.stderr) == ("True", "")


@pytest.mark.parametrize(
    ("command", "compiled"),
    [
        ("blanket", [warm.ONE_TARGET]),
        ("demo", [warm.ONE_TARGET]),
        ("blankets", [warm.EVERYTHING]),
        ("inspect", []),
        ("warm", []),  # compiles everything by itself
    ],
)
def test_what_a_command_lets_two_processes_compile(monkeypatch, command, compiled):
    asked: list[object] = []
    monkeypatch.setattr(warm, "compile_ahead", asked.append)
    _compile_ahead([command, "data.csv"], [])
    _compile_ahead([], [])
    assert asked == compiled


@pytest.mark.parametrize(("command", "is_small"), [("blanket", True), ("demo", False), ("graph", False)])
def test_a_command_waits_for_the_answer_or_for_its_kernels(monkeypatch, command, is_small):
    told: list[object] = []

    class Waiting:
        def wait(self):
            told.append("waited")

    monkeypatch.setattr(warm, "compile_ahead", lambda needed: Waiting())
    answer = Answer(0, b"", "")
    monkeypatch.setattr(sys.modules["climbfast.cli.main"], "answer_during", lambda *_: answer if is_small else None)
    held = ["a warning, which the answer has, too"]
    if is_small:
        with pytest.raises(Answer):
            _compile_ahead([command, "data.csv"], held)
    else:
        _compile_ahead([command, "data.csv"], held)
    assert (told, len(held)) == ([], 0) if is_small else (["waited"], 1)
