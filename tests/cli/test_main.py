"""The program as a whole: version, help, paths, and the garbage collector."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

import climbfast as cf
from climbfast import warm
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
    before = gc.get_threshold(), gc.get_freeze_count()
    assert run("blanket", health, "--target", "heart_disease").code == 0
    assert run("blanket", health, "--target", "nothing").code == 2
    assert (gc.get_threshold(), gc.get_freeze_count()) == before


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
        ("demo", [warm.ONE_TARGET_OF_EXAMPLE]),
        ("blankets", [warm.EVERYTHING]),
        ("inspect", []),
        ("warm", []),  # compiles everything by itself
    ],
)
def test_what_a_command_lets_two_processes_compile(monkeypatch, command, compiled):
    asked: list[object] = []
    monkeypatch.setattr(warm, "compile_in_processes", asked.append)
    _compile_ahead([command, "data.csv"])
    _compile_ahead([])
    assert asked == compiled
