"""Answers of kernels that are not compiled, beside processes that compile."""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from climbfast.background import compilation_of_others
from climbfast.cli import interpreted
from climbfast.cli.interpreted import answer_during
from climbfast_kernels._jit import INTERPRETED

posix = pytest.mark.skipif(os.name == "nt", reason="none of these there")


class Running:
    """A compilation that runs for a number of looks."""

    def __init__(self, looks=10**9):
        self.looks = looks
        self.told = []

    def is_running(self):
        self.looks -= 1
        return self.looks >= 0

    def leave(self):
        self.told.append("leave")

    def end(self):
        self.told.append("end")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "small.csv"
    path.write_text("x,y,constant\n" + "0,0,1\n1,1,1\n" * 20 + "0,1,1\n")
    return path


@pytest.fixture
def started(monkeypatch):
    """The processes that were started."""
    processes = []
    start_python = interpreted.start_python

    def start(*arguments, **options):
        processes.append(start_python(*arguments, **options))
        return processes[-1]

    monkeypatch.setattr(interpreted, "start_python", start)
    return processes


def without_seconds(text):
    return re.sub(r"\d+\.\d+ s", "", text)


def given(answer, capsys):
    code = answer.give()
    return (code, *map(without_seconds, capsys.readouterr()))


def test_the_answer_is_that_of_the_command(run, small, capsys):
    compilation = Running()
    typed = ["blanket", str(small), "--target", "x"]
    answer = answer_during(compilation, typed)
    code, out, err = given(answer, capsys)
    usual = run(*typed)
    assert (code, out) == (0, without_seconds(usual.out))
    assert err.splitlines()[:-1] == usual.err.splitlines()
    assert err.splitlines()[-1].startswith("climbfast: answered before the kernels were compiled")
    assert compilation.told == ["leave"]


def test_input_that_cannot_be_used(run, small, capsys):
    typed = ["neighbors", str(small), "--target", "nothing"]
    answer = answer_during(Running(), typed)
    assert given(answer, capsys) == run(*typed)


def test_a_page_for_a_terminal(small, monkeypatch):
    """A terminal that is too narrow for the table gets each row as lines; a file would get the table."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    answer = answer_during(Running(), ["blanket", str(small), "--target", "x"])
    assert "role: undecided" in answer._output.decode().splitlines()


@pytest.mark.parametrize("ends", ["compilation", "seconds"])
def test_what_takes_long_waits_for_compiled_kernels(small, monkeypatch, started, ends):
    monkeypatch.setattr(interpreted, "_PROGRAM", HANGS)
    if ends == "seconds":
        monkeypatch.setattr(interpreted, "SECONDS_OF_A_SMALL_JOB", 0.1)
    compilation = Running(looks=5 if ends == "compilation" else 10**9)
    assert answer_during(compilation, ["blanket", str(small), "--target", "x"]) is None
    assert compilation.told == []
    if os.name != "nt":
        assert started[0].returncode == -signal.SIGTERM


# As a command that finds no end.
HANGS = """
import sys
from climbfast.cli import interpreted

interpreted.prepare_to_answer(*sys.argv[1:3])
while True:
    pass
"""


def test_another_failure_is_left_to_the_command_itself(small, monkeypatch):
    monkeypatch.setattr(interpreted, "_PROGRAM", "raise SystemExit(1)")
    assert answer_during(Running(), ["blanket", str(small), "--target", "x"]) is None


def test_an_interrupt_ends_it(small, monkeypatch, started):
    class Interrupted(Running):
        def is_running(self):
            raise KeyboardInterrupt

    monkeypatch.setattr(interpreted, "_PROGRAM", "import time; time.sleep(60)")
    with pytest.raises(KeyboardInterrupt):
        answer_during(Interrupted(), ["blanket", str(small), "--target", "x"])
    assert started[0].returncode is not None


def test_a_large_file_waits_for_compiled_kernels(small, monkeypatch):
    monkeypatch.setattr(interpreted, "start_python", None)
    monkeypatch.setattr(interpreted, "MOST_BYTES", small.stat().st_size - 1)
    for name in (small, small.with_name("small*.csv"), small.with_name("[s]mall.csv")):
        assert answer_during(Running(), ["blanket", str(name), "--target", "x"]) is None


def test_replicates_wait_for_compiled_kernels(small, monkeypatch):
    monkeypatch.setattr(interpreted, "start_python", None)
    assert answer_during(Running(), ["blanket", str(small), "--target", "x", "--bootstrap", "3"]) is None


@pytest.mark.parametrize("has_encoding", [True, False])
def test_a_program_that_takes_the_output_itself(run, small, monkeypatch, has_encoding):
    class Taken(io.StringIO):
        encoding = "utf-8" if has_encoding else None

    monkeypatch.setattr(interpreted, "start_python", None)
    monkeypatch.setattr(sys, "stdout", Taken())
    assert answer_during(Running(), ["blanket", str(small), "--target", "x"]) is None


def test_warnings_are_treated_as_the_interpreter_was_told(small, monkeypatch, capsys):
    typed = ["blanket", str(small), "--target", "x", "--verbose", "--json"]
    monkeypatch.setattr(sys, "warnoptions", ["ignore"])
    err = given(answer_during(Running(), typed), capsys)[2]
    assert "warning" not in err
    assert err.count("Python") == 1, "the details are those of the process that answers"
    monkeypatch.setattr(sys, "warnoptions", ["error"])
    assert answer_during(Running(), typed) is None  # a failure, which the command tells itself


def test_nobody_can_read_the_messages(capsys, monkeypatch):
    class FullDisk(io.StringIO):
        def write(self, text):
            raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(sys, "stderr", FullDisk())
    assert interpreted.Answer(0, b"text", "a message").give() == 0
    assert capsys.readouterr().out == "text"


@posix
def test_what_can_be_read_once_only_is_left_to_the_command(tmp_path, monkeypatch):
    monkeypatch.setattr(interpreted, "start_python", None)
    os.mkfifo(tmp_path / "pipe")
    for name in ("-", "/dev/stdin", "/proc/self/fd/0", str(tmp_path / "pipe"), f"--knowledge={tmp_path / 'pipe'}"):
        assert answer_during(Running(), ["blanket", name, "--target", "x"]) is None


def test_it_can_be_turned_off(small, monkeypatch):
    monkeypatch.setattr(interpreted, "start_python", None)
    monkeypatch.setenv("CLIMBFAST_BACKGROUND", "0")
    assert answer_during(Running(), ["blanket", str(small), "--target", "x"]) is None


def test_nobody_reads_the_answer(capsys, monkeypatch):
    class ClosedPipe:
        encoding = "utf-8"

        @property
        def buffer(self):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", ClosedPipe())
    assert interpreted.Answer(0, b"text", "").give() == 141
    sys.stdout.close()  # what takes the rest of the output


# A command in an empty cache, beside processes that would compile until the cache is moved away.
COMMAND = """
import sys
from climbfast import background
background._PROGRAM = {waits!r}
from climbfast.cli import interpreted, main
interpreted._PROGRAM = {program!r} or interpreted._PROGRAM
for _ in range({times} - 1):
    main()
sys.exit(main())
"""
WAITS = """
import os, time
from climbfast.processes import end_with_starter

end_with_starter()
while os.path.exists(CACHE):
    time.sleep(0.01)
"""


@pytest.fixture
def start_command(small, tmp_path):
    """Start a command in an empty cache, which compiles for ever."""
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    commands = []

    def start(program="", times=1):
        code = COMMAND.format(waits=WAITS.replace("CACHE", repr(str(cache))), program=program, times=times)
        commands.append(
            subprocess.Popen(
                [sys.executable, "-X", "dev", "-c", code, "blanket", str(small), "--target", "x"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, "CLIMBFAST_CACHE_DIR": str(cache)},
                text=True,
            )
        )
        return commands[0], cache

    yield start
    cache.rename(tmp_path / "elsewhere")
    for command in commands:
        command.kill()
        command.communicate()


def is_compiling(cache):
    return any(compilation_of_others(lock.parent) for lock in cache.rglob("compiling.lock"))


@posix
@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_a_command_in_an_empty_cache_and_one_more_in_the_same_process(run, small, start_command):
    command, cache = start_command(times=2)
    out, err = command.communicate(timeout=100)
    assert command.returncode == 0
    assert without_seconds(out) == 2 * without_seconds(run("blanket", small, "--target", "x").out)
    assert err.count("climbfast: compiling kernels") == err.count("climbfast: answered before") == 2
    assert "Warning" not in err
    assert is_compiling(cache)


@posix
@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_command_that_is_ended_leaves_no_process(start_command, tmp_path, number):
    begun = tmp_path / "begun"
    command, cache = start_command(
        program="import time\nfrom climbfast.processes import end_with_starter\nend_with_starter()\n"
        f"open({str(begun)!r}, 'w').close()\ntime.sleep(60)"
    )
    while not begun.exists():
        time.sleep(0.01)
    assert is_compiling(cache)
    command.send_signal(number)
    command.communicate(timeout=30)  # both streams are closed by all that had them
    assert command.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -signal.SIGKILL}[number]
    while is_compiling(cache):
        time.sleep(0.01)
