"""Processes that compile, for this command and for others."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from contextlib import nullcontext

import pytest

from climbfast import background
from climbfast.background import Compilation, compilation_of_others, compile_in_background

# In the place of a kernel that is compiled: the process ends when the file is deleted.
WAITS = """
import os, sys, time
from climbfast.processes import end_with_starter

end_with_starter()
open(sys.argv[1], "w").close()
while os.path.exists(sys.argv[1]):
    time.sleep(0.01)
"""
locks = pytest.mark.skipif(os.name == "nt", reason="no locks there")


@pytest.fixture(autouse=True)
def _nothing_is_compiled(monkeypatch):
    monkeypatch.setattr(background, "_PROGRAM", WAITS)


@pytest.fixture
def begun(tmp_path):
    """Two processes that have begun to compile, and the files that they wait for."""
    files = [tmp_path / "a", tmp_path / "b"]
    compilation = compile_in_background(tmp_path, [str(file) for file in files])
    assert compilation is not None
    _wait_until(lambda: all(file.exists() for file in files))
    yield compilation, files
    compilation.end()


def test_it_runs_until_the_last_process_ends(begun):
    compilation, (first, second) = begun
    first.unlink()
    compilation._processes[0].wait()
    assert compilation.is_running()
    second.unlink()
    compilation.wait()
    assert not compilation.is_running()


@locks
def test_others_wait_for_it_and_start_none_of_their_own(begun, tmp_path):
    compilation, _ = begun
    for other in (compilation_of_others(tmp_path), compile_in_background(tmp_path, ["c"])):
        assert other is not None
        assert other.is_running()
        other.end()  # which is for whoever began it
        assert other.is_running()
    assert not (tmp_path / "c").exists()
    compilation.end()
    other.wait()
    assert compilation_of_others(tmp_path) is None


@locks
@pytest.mark.parametrize("leaves", [True, False])
def test_it_outlasts_who_began_it_if_it_is_left_and_else_ends_too(tmp_path, leaves):
    program = f"""
import os, time
from climbfast import background
background._PROGRAM = {WAITS!r}
compilation = background.compile_in_background({str(tmp_path)!r}, [{str(tmp_path / "a")!r}])
while not os.path.exists({str(tmp_path / "a")!r}):
    time.sleep(0.01)
if {leaves}:
    compilation.leave()
else:
    os._exit(0)  # as by SIGKILL
"""
    ran = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""
    if leaves:
        others = compilation_of_others(tmp_path)
        assert others is not None
        (tmp_path / "a").unlink()
        others.wait()
    else:
        _wait_until(lambda: compilation_of_others(tmp_path) is None)
        assert (tmp_path / "a").exists()


@locks
def test_what_is_left_is_no_zombie_when_it_ends(begun):
    compilation, files = begun
    compilation.leave()
    for file in files:
        file.unlink()
    _wait_until(lambda: all(process.returncode == 0 for process in compilation._processes))


@pytest.mark.parametrize("raised", [KeyboardInterrupt, OSError(errno.EAGAIN, "no more processes")])
def test_what_stops_the_start_of_the_second_process_ends_the_first(tmp_path, monkeypatch, raised):
    started = []

    def start_one(*arguments, **options):
        if started:
            raise raised
        started.append(start_python(*arguments, **options))
        return started[0]

    start_python = background.start_python
    monkeypatch.setattr(background, "start_python", start_one)
    with nullcontext() if isinstance(raised, OSError) else pytest.raises(raised):
        assert compile_in_background(tmp_path, [str(tmp_path / "a"), str(tmp_path / "b")]) is None
    assert started[0].returncode is not None
    assert compilation_of_others(tmp_path) is None


def test_an_interrupt_while_it_is_waited_for_ends_it(begun, monkeypatch):
    compilation, files = begun

    def interrupt(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", interrupt)
    with pytest.raises(KeyboardInterrupt):
        compilation.wait()
    assert [process.poll() is not None for process in compilation._processes] == [True, True]
    assert all(file.exists() for file in files)  # ended, not told to end


def test_without_locks_each_command_compiles_for_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(background, "fcntl", None)
    compilation = compile_in_background(tmp_path, [str(tmp_path / "a")])
    assert compilation is not None
    assert compilation.is_running()
    assert compilation_of_others(tmp_path) is None
    compilation.end()


@locks
def test_a_file_system_without_locks(tmp_path, monkeypatch):
    def refuse(*arguments):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(background.fcntl, "flock", refuse)
    compilation = compile_in_background(tmp_path, [str(tmp_path / "a")])
    assert compilation is not None
    assert compilation.is_running()
    compilation.end()
    assert not Compilation(tmp_path).is_running()


def _wait_until(is_so):
    latest = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < latest
        time.sleep(0.01)
