"""The program as a whole: version, help, paths, and the garbage collector."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

import climbfast as cf


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
    before = gc.get_threshold()
    assert run("blanket", health, "--target", "heart_disease").code == 0
    assert run("blanket", health, "--target", "nothing").code == 2
    assert gc.get_threshold() == before
