"""The first answer of a small job: by kernels that are not compiled, in a process beside those that compile.

The answer is the same. What takes more than ten seconds of a processor waits for compiled kernels, and so does what
reads files of more than 2 MB, or other than regular ones, and what draws replicates. After the answer the processes
that compile go on: the next command is fast.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

from climbfast.background import Compilation
from climbfast.cli.exit_codes import BROKEN_PIPE, INVALID_INPUT
from climbfast.cli.output import discard_output, say, tell_as_usual
from climbfast.errors import DataError
from climbfast.processes import end_with_starter, start_python

__all__ = ["Answer", "answer_during", "prepare_to_answer"]

SECONDS_OF_A_SMALL_JOB = 10.0  # of a processor
MOST_BYTES = 2_000_000  # of a file; to read a byte of text takes 1 to 3 µs
_PROGRAM = """
import sys
from climbfast.cli import interpreted, main

interpreted.prepare_to_answer(*sys.argv[1:3])
sys.exit(main(sys.argv[3:]))
"""
_TERMINAL, _FILE = "terminal", "file"
_SECONDS_BETWEEN_LOOKS = 0.02
_SECONDS_TO_END = 2.0


class Answer(BaseException):
    """What a command has written, and its exit code; raised through the command that waits for compiled kernels."""

    def __init__(self, code: int, output: bytes, messages: str) -> None:
        super().__init__()
        self._code, self._output, self._messages = code, output, messages

    def give(self) -> int:
        """Write it as the command itself would; return the exit code."""
        with suppress(OSError):  # nobody reads it, or a full disk
            sys.stderr.write(self._messages)
            sys.stderr.flush()
        try:
            sys.stdout.buffer.write(self._output)
            sys.stdout.flush()
        except BrokenPipeError:
            discard_output()
            return BROKEN_PIPE
        if self._code == 0:  # an error is one line, or one JSON object
            with suppress(OSError):
                say("climbfast: answered before the kernels were compiled, which goes on in the background")
        tell_as_usual()  # details, which --verbose asks for, are among the messages
        return self._code


def answer_during(compilation: Compilation, typed: Sequence[str]) -> Answer | None:
    """Run the command by kernels that are not compiled; None if compilation ends first, and for no small job.

    Parameters
    ----------
    compilation : Compilation
        It goes on after an answer.
    typed : sequence of str
        The arguments of the command.
    """
    if os.environ.get("CLIMBFAST_BACKGROUND") == "0" or not (_can_write_bytes() and _is_small_job(typed)):
        return None
    encoding = sys.stdout.encoding
    environment = {
        "NUMBA_DISABLE_JIT": "1",
        "CLIMBFAST_PROGRESS": "0",
        "PYTHONIOENCODING": encoding,
        "PYTHONWARNINGS": ",".join(sys.warnoptions),
        "COLUMNS": str(shutil.get_terminal_size().columns),
    }
    try:
        process = start_python(
            _PROGRAM,
            _TERMINAL if sys.stdout.isatty() else _FILE,
            str(SECONDS_OF_A_SMALL_JOB),
            *typed,
            environment=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError:
        return None
    output, messages = _outcome(process, compilation)
    if process.returncode not in (0, INVALID_INPUT):
        return None
    compilation.leave()
    text = messages.decode(encoding, "backslashreplace").replace(os.linesep, "\n")
    return Answer(process.returncode, output, text)


def prepare_to_answer(shown: str, seconds: str) -> None:
    """Prepare the process that answers: its output is shown on a terminal or not; it ends after these seconds."""
    end_with_starter()
    threading.Thread(target=_end_after, args=(float(seconds),), daemon=True).start()
    if shown == _TERMINAL:
        # Standard output is a pipe here; what is written into it will be shown on a terminal.
        sys.stdout.isatty = lambda: True  # type: ignore[method-assign]  # of this one stream


def _end_after(seconds: float) -> None:
    while time.process_time() < seconds:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    signal.raise_signal(signal.SIGTERM)


def _can_write_bytes() -> bool:
    """Whether standard output is as Python has made it, not replaced by a program that runs the command line."""
    return hasattr(sys.stdout, "buffer") and getattr(sys.stdout, "encoding", None) is not None


def _is_small_job(typed: Sequence[str]) -> bool:
    """Whether there are no replicates, no file is large, and a second process finds the same in each file."""
    if any(word.startswith("--bootstrap") for word in typed):
        return False
    names = [name for word in typed for name in (word, word.partition("=")[2])]
    sizes = [_bytes_of(name) for name in names]
    return all(size is not None for size in sizes) and sum(filter(None, sizes)) <= MOST_BYTES


def _bytes_of(name: str) -> int | None:
    """Return the size of the files that a word names, 0 if it names none; None for pipes and what is open here."""
    from climbfast.dataset.sources import find_paths

    if name == "-" or name.startswith(("/dev/", "/proc/")):
        return None
    size = 0
    with suppress(OSError, ValueError, DataError):  # no name of a file
        for path in find_paths(name):
            found = path.stat()
            if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
                return None
            size += found.st_size
    return size


def _outcome(process: subprocess.Popen[bytes], compilation: Compilation) -> tuple[bytes, bytes]:
    """Return what a process has written; it is ended when it is of no use any more."""
    kept_open, process.stdin = process.stdin, None  # communicate() would close it, which ends the process
    try:
        while compilation.is_running():
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=_SECONDS_BETWEEN_LOOKS)
    finally:
        if process.returncode is None:
            process.terminate()  # so that it deletes what it has begun to write
            _end(process)
        if kept_open is not None:
            kept_open.close()
    return b"", b""


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.communicate(timeout=_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
