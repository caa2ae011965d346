"""Programs in other processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from climbfast.processes import let_go, start_python


def test_a_program_sees_the_same_modules_arguments_and_more_of_an_environment(tmp_path, monkeypatch):
    (tmp_path / "only_here.py").write_text("word = 'found'")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setenv("OF_THE_PARENT", "1")
    program = (
        "import os, sys, only_here; print(only_here.word, *sys.argv[1:], *map(os.getenv, ('OF_THE_PARENT', 'NEW')))"
    )
    with start_python(program, "a", "b c", environment={"NEW": "2"}, stdout=subprocess.PIPE) as process:
        output, _ = process.communicate()
    assert (process.returncode, output.split()) == (0, [b"found", b"a", b"b", b"c", b"1", b"2"])


def test_modules_of_the_folder_where_one_is_do_not_come_first(tmp_path, monkeypatch):
    (tmp_path / "typing.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder not in ("", os.curdir)])
    with start_python("import typing") as process:
        pass
    assert process.returncode == 0


def test_where_python_is_part_of_another_program(monkeypatch):
    monkeypatch.setattr(sys, "executable", None)
    with pytest.raises(FileNotFoundError):
        start_python("pass")


ENDS_WITH_STARTER = """
import time
from climbfast.processes import end_with_starter
end_with_starter()
print("ready", flush=True)
time.sleep(60)
"""


def test_a_process_ends_with_its_starter():
    with start_python(ENDS_WITH_STARTER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        process.stdin.close()  # as when the starter is killed
    assert process.returncode not in (0, None)


def test_a_process_that_was_let_go_does_not_and_is_no_zombie():
    program = ENDS_WITH_STARTER.replace("60", "0.5")
    process = start_python(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process.stdout:
        process.stdout.readline()
        let_go(process)
        assert process.stdin.closed
        process.stdout.read()  # closed when it ends
    latest = time.monotonic() + 30
    while process.returncode is None and time.monotonic() < latest:
        time.sleep(0.01)
    assert process.returncode == 0
