"""Pieces of work, each in a process."""

from __future__ import annotations

import os

from climbfast.processes import run_in_processes


def test_each_piece_has_a_process(tmp_path):
    run_in_processes(_say_who, (tmp_path / "a", tmp_path / "b"))
    assert str(os.getpid()) not in {(tmp_path / name).read_text() for name in ("a", "b")}


def _say_who(path):
    path.write_text(str(os.getpid()))
